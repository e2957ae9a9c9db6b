-- The books before a project in its series, and its canon, in order: a list in JSON.
ALTER TABLE project ADD COLUMN earlier TEXT NOT NULL DEFAULT '[]';
