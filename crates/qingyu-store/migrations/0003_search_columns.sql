-- What filters ask for stands with its chunk and is read as a whole: eight rows of four trees for each chunk were most of
-- the work of indexing, and asking them took longer than the search itself.
ALTER TABLE chunk ADD COLUMN fields TEXT NOT NULL DEFAULT '{}';
UPDATE chunk SET fields = json_extract(body, '$.fields'), body = json_remove(body, '$.fields');
DROP TABLE chunk_field;

-- A fingerprint of what all chunks of the project depend on; while it is the same, a change is a change of its own pieces.
ALTER TABLE search_index ADD COLUMN surroundings INTEGER;

-- The documents without their texts, so that nobody reads a whole book to learn its chapters.
CREATE TABLE document_head(
    user_id    TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES project(id),
    id         TEXT NOT NULL,
    position   INTEGER NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO document_head
    SELECT user_id, project_id, id, position, json_remove(body, '$.text') FROM piece WHERE kind = 'document';
CREATE TRIGGER document_put AFTER INSERT ON piece WHEN new.kind = 'document' BEGIN
    INSERT INTO document_head
        VALUES (new.user_id, new.project_id, new.id, new.position, json_remove(new.body, '$.text'));
END;
CREATE TRIGGER document_changed AFTER UPDATE OF position, body ON piece WHEN new.kind = 'document' BEGIN
    UPDATE document_head SET position = new.position, body = json_remove(new.body, '$.text')
        WHERE project_id = new.project_id AND id = new.id;
END;
CREATE TRIGGER document_removed AFTER DELETE ON piece WHEN old.kind = 'document' BEGIN
    DELETE FROM document_head WHERE project_id = old.project_id AND id = old.id;
END;
-- The order of the pieces, without what is in them.
CREATE INDEX piece_place ON piece(user_id, project_id, position);

-- How much FTS5 holds in memory before it writes a segment, in bytes: fewer segments, less to merge.
INSERT INTO chunk_terms(chunk_terms, rank) VALUES ('hashsize', 4194304);

-- The log, with rowids. Every piece that is put is checked against its change, and a table without rowids compares whole rows:
-- saving a book at once copied all of it for each of its chapters.
PRAGMA defer_foreign_keys = ON;
CREATE TEMP TABLE kept AS SELECT * FROM main.story_change;
DROP TABLE main.story_change;
CREATE TABLE story_change(
    user_id     TEXT NOT NULL,
    project_id  TEXT NOT NULL REFERENCES project(id),
    seq         INTEGER NOT NULL,
    run_id      TEXT NOT NULL,
    step        TEXT NOT NULL,
    iteration   INTEGER NOT NULL,
    agent       TEXT NOT NULL,
    prompt_hash TEXT,
    model       TEXT,
    tokens      INTEGER NOT NULL,
    at          TEXT NOT NULL,
    changes     TEXT NOT NULL,
    PRIMARY KEY (project_id, seq),
    UNIQUE (project_id, run_id, step, iteration)
) STRICT;
INSERT INTO main.story_change SELECT * FROM temp.kept ORDER BY project_id, seq;
DROP TABLE temp.kept;
