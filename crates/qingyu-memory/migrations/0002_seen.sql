-- How often it was seen, as `body` says: what was seen most often is asked for.
ALTER TABLE memory ADD COLUMN seen INTEGER NOT NULL DEFAULT 1;
UPDATE memory SET seen = coalesce(json_extract(body, '$.count'), 1);
