-- Which process a server is, as whoever looks at it from the same machine can tell whether it has ended; empty if it cannot be told.
ALTER TABLE server ADD COLUMN process TEXT NOT NULL DEFAULT '';
-- When it was counted last that a run was left by a dead server, in seconds since 1970 by the database's clock.
ALTER TABLE run ADD COLUMN stall_counted REAL;
