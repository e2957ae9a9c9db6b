-- Every row says whose it is: user_id and project_id stand in every table and every query.
-- Times are RFC 3339 in UTC, values are JSON.

CREATE TABLE project(
    user_id  TEXT NOT NULL,
    id       TEXT NOT NULL PRIMARY KEY,
    title    TEXT NOT NULL,
    language TEXT NOT NULL,
    premise  TEXT NOT NULL,
    created  TEXT NOT NULL,
    updated  TEXT NOT NULL,
    -- The seq of the newest change; 0 before the first.
    version  INTEGER NOT NULL DEFAULT 0,
    -- The highest number given in ids of pieces, by prefix; ids are not given twice.
    last_ids TEXT NOT NULL DEFAULT '{}'
) STRICT, WITHOUT ROWID;
CREATE INDEX project_by_user ON project(user_id, created);

-- What was done to a story, in order, never changed afterwards. The truth; `piece` is derived from it.
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
    -- A step of a run is saved once, however often it is repeated.
    UNIQUE (project_id, run_id, step, iteration)
) STRICT, WITHOUT ROWID;

-- The story as it stands.
CREATE TABLE piece(
    user_id    TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES project(id),
    kind       TEXT NOT NULL,
    id         TEXT NOT NULL,
    position   INTEGER NOT NULL,
    body       TEXT NOT NULL,
    -- How often the piece was put.
    version    INTEGER NOT NULL,
    change_seq INTEGER NOT NULL,
    PRIMARY KEY (project_id, kind, id),
    FOREIGN KEY (project_id, change_seq) REFERENCES story_change(project_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE run(
    user_id     TEXT NOT NULL,
    project_id  TEXT NOT NULL REFERENCES project(id),
    id          TEXT NOT NULL PRIMARY KEY,
    thread_id   TEXT NOT NULL,
    requirement TEXT NOT NULL,
    config      TEXT NOT NULL,
    model       TEXT NOT NULL,
    status      TEXT NOT NULL,
    started     TEXT NOT NULL,
    ended       TEXT,
    outcome     TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX run_by_project ON run(user_id, project_id, started);

-- What was paid for. A call that is told again (after a resume) has the same key and changes nothing.
CREATE TABLE call(
    user_id     TEXT NOT NULL,
    project_id  TEXT NOT NULL REFERENCES project(id),
    run_id      TEXT NOT NULL REFERENCES run(id),
    key         TEXT NOT NULL,
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
    repaired    INTEGER NOT NULL,
    millis      INTEGER NOT NULL,
    at          TEXT NOT NULL,
    PRIMARY KEY (run_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_by_project ON call(user_id, project_id);

-- What a run told, in order and without gaps.
CREATE TABLE event_log(
    user_id    TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES project(id),
    run_id     TEXT NOT NULL REFERENCES run(id),
    seq        INTEGER NOT NULL,
    at         TEXT NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;
