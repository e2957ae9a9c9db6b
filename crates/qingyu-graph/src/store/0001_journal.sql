-- One row per thread: who may write, and where the newest checkpoint stands.
CREATE TABLE graph_thread(
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    epoch INTEGER NOT NULL,
    owner TEXT,
    expires_ms INTEGER NOT NULL,
    last INTEGER NOT NULL DEFAULT 0,
    head INTEGER NOT NULL DEFAULT 0,
    snapshot INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The journal. Rows are only added.
CREATE TABLE graph_record(
    thread INTEGER NOT NULL REFERENCES graph_thread(number),
    position INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    branch INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    kind TEXT NOT NULL,
    task TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (thread, position)
) STRICT;
