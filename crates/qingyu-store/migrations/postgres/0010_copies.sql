-- Copies of a project's index on servers of a team. Derived from the index; thrown away and made anew at any time.
CREATE TABLE search_copy(
    user_id    text COLLATE "C" NOT NULL,
    project_id text COLLATE "C" NOT NULL,
    -- The server and the kind of copy.
    place      text COLLATE "C" NOT NULL,
    -- The revision of the index of which everything was copied; 0 if that has to be looked at, -1 after the project is deleted.
    revision   bigint NOT NULL,
    PRIMARY KEY (user_id, project_id, place)
);
-- The pieces whose vectors were copied, with the fingerprint of what they were made from.
CREATE TABLE search_copy_piece(
    user_id     text COLLATE "C" NOT NULL,
    project_id  text COLLATE "C" NOT NULL,
    place       text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    fingerprint bigint NOT NULL,
    PRIMARY KEY (user_id, project_id, place, kind, id)
);
