-- Every row says whose it is: user_id stands in every table and every query.
-- Times that are compared are milliseconds since 1970; others are RFC 3339 in UTC. Values are JSON.

-- What a talk is remembered by for a while.
CREATE TABLE memory_of_talk(
    user_id TEXT NOT NULL,
    session TEXT NOT NULL,
    key     TEXT NOT NULL,
    value   TEXT NOT NULL,
    expires INTEGER NOT NULL,
    PRIMARY KEY (user_id, session, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_of_talk_by_expiry ON memory_of_talk(expires);

-- What is known of a user for good. Columns beside `body` are those that are asked for.
CREATE TABLE memory(
    user_id  TEXT NOT NULL,
    id       TEXT NOT NULL,
    kind     TEXT NOT NULL,
    -- NULL: it holds in every project.
    project  TEXT,
    active   INTEGER NOT NULL,
    changed  INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    body     TEXT NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
