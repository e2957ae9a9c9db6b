-- Copies of a project's index on servers of a team. Derived from the index; thrown away and made anew at any time.
CREATE TABLE search_copy(
    user_id    TEXT NOT NULL,
    project_id TEXT NOT NULL,
    -- The server and the kind of copy.
    place      TEXT NOT NULL,
    -- The revision of the index of which everything was copied; 0 if that has to be looked at, -1 after the project is deleted.
    revision   INTEGER NOT NULL,
    PRIMARY KEY (user_id, project_id, place)
) STRICT, WITHOUT ROWID;
-- The pieces whose vectors were copied, with the fingerprint of what they were made from.
CREATE TABLE search_copy_piece(
    user_id     TEXT NOT NULL,
    project_id  TEXT NOT NULL,
    place       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    id          TEXT NOT NULL,
    fingerprint INTEGER NOT NULL,
    PRIMARY KEY (user_id, project_id, place, kind, id)
) STRICT, WITHOUT ROWID;
