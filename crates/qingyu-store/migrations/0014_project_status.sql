-- A project stands on the shelf, in the archive or in the bin.
ALTER TABLE project ADD COLUMN status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived', 'binned'));
-- Its title is one that it got for want of a better one.
ALTER TABLE project ADD COLUMN untitled INTEGER NOT NULL DEFAULT 0;
-- The picture on its cover.
CREATE TABLE project_cover(
    user_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    picture BLOB NOT NULL,
    PRIMARY KEY (user_id, project_id)
) STRICT;
