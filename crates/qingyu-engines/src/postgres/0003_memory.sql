-- What is known of a user for good. Columns beside `body` are those that are asked for.
CREATE TABLE memory(
    user_id  text NOT NULL,
    id       text COLLATE "C" NOT NULL,
    kind     text NOT NULL,
    -- NULL: it holds in every project.
    project  text,
    active   boolean NOT NULL,
    -- Milliseconds since 1970.
    changed  bigint NOT NULL,
    revision bigint NOT NULL,
    -- The memory as JSON.
    body     text NOT NULL,
    PRIMARY KEY (user_id, id)
);
