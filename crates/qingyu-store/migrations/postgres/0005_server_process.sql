-- Which process a server is, as whoever looks at it from the same machine can tell whether it has ended; empty if it cannot be told.
ALTER TABLE server ADD COLUMN process text COLLATE "C" NOT NULL DEFAULT '';
