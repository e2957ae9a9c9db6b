-- Every row says whose it is: user_id stands in every table and every query.
-- Times that are compared are milliseconds since 1970; others are RFC 3339 in UTC. Values are JSON.

-- What a talk is remembered by for a while.
CREATE TABLE memory_of_talk(
    user_id text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL,
    value   text COLLATE "C" NOT NULL,
    expires bigint NOT NULL,
    PRIMARY KEY (user_id, session, key)
);
CREATE INDEX memory_of_talk_by_expiry ON memory_of_talk(expires);

-- What is known of a user for good. Columns beside `body` are those that are asked for.
CREATE TABLE memory(
    user_id  text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    -- NULL: it holds in every project.
    project  text COLLATE "C",
    active   bigint NOT NULL,
    changed  bigint NOT NULL,
    revision bigint NOT NULL,
    body     text COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, id)
);
