-- Servers that share the database. Whose lease has run out is dead, and its runs are anybody's.
CREATE TABLE server(
    id      TEXT NOT NULL PRIMARY KEY,
    -- For people: where it is reached, and which process it is.
    name    TEXT NOT NULL,
    -- Seconds since 1970 by the database's clock.
    expires REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- The server that works on the run, or did last; none for a run of the command line, which nobody takes over.
ALTER TABLE run ADD COLUMN server TEXT;
-- Whether somebody wants it stopped; the server that works on it looks here.
ALTER TABLE run ADD COLUMN stop INTEGER NOT NULL DEFAULT 0;
CREATE INDEX run_at_work ON run(server) WHERE status = 'running';
