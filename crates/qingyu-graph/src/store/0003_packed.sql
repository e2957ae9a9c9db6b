-- A large body in compressed form: the number of its bytes (four, little-endian), then a block of LZ4. `body` is empty then.
ALTER TABLE graph_record ADD COLUMN packed BLOB;
