-- The schedule of a production, in JSON; null without one.
ALTER TABLE project ADD COLUMN schedule TEXT;
