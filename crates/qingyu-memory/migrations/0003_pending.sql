-- The servers that memories were handed to, so that each is filled once.
CREATE TABLE memory_place(
    place TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
-- What has changed here and is not yet on the server: put there if it exists, else deleted there.
CREATE TABLE memory_pending(
    place   TEXT NOT NULL,
    user_id TEXT NOT NULL,
    id      TEXT NOT NULL,
    PRIMARY KEY (place, user_id, id)
) STRICT, WITHOUT ROWID;
