-- A run that kills whoever works on it would kill one server after the other. Where its thread stood when it was taken over last,
-- and how often it was taken over there in a row.
ALTER TABLE run ADD COLUMN stalled_at INTEGER;
ALTER TABLE run ADD COLUMN stalls INTEGER NOT NULL DEFAULT 0;
