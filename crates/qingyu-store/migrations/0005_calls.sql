-- What a call was for, and whether it cost anything at all.
-- The chapter that it worked on, if it worked on one.
ALTER TABLE call ADD COLUMN chapter INTEGER;
-- Whether its answer was played from a recording: then its price is what it cost whoever recorded it.
ALTER TABLE call ADD COLUMN replayed INTEGER NOT NULL DEFAULT 0;
-- What a day has cost.
CREATE INDEX call_by_time ON call(user_id, at);

-- What was paid for outside of runs: questions, replays with another model.
CREATE TABLE call_outside(
    user_id     TEXT NOT NULL,
    project_id  TEXT REFERENCES project(id),
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    agent       TEXT NOT NULL,
    purpose     TEXT NOT NULL,
    model       TEXT NOT NULL,
    input       INTEGER NOT NULL,
    cached      INTEGER NOT NULL,
    output      INTEGER NOT NULL,
    estimated   INTEGER NOT NULL,
    cost_micros INTEGER,
    currency    TEXT,
    attempts    INTEGER NOT NULL,
    at          TEXT NOT NULL
) STRICT;
CREATE INDEX call_outside_by_time ON call_outside(user_id, at);
