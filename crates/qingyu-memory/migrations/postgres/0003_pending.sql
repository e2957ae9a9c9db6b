-- The servers that memories were handed to, so that each is filled once.
CREATE TABLE memory_place(
    place text COLLATE "C" NOT NULL PRIMARY KEY
);
-- What has changed here and is not yet on the server: put there if it exists, else deleted there.
CREATE TABLE memory_pending(
    place   text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    id      text COLLATE "C" NOT NULL,
    PRIMARY KEY (place, user_id, id)
);
