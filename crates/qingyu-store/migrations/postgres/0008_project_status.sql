-- A project stands on the shelf, in the archive or in the bin.
ALTER TABLE project ADD COLUMN status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived', 'binned'));
-- Its title is one that it got for want of a better one.
ALTER TABLE project ADD COLUMN untitled boolean NOT NULL DEFAULT false;
-- The picture on its cover.
CREATE TABLE project_cover(
    user_id text NOT NULL,
    project_id text NOT NULL,
    media_type text NOT NULL,
    picture bytea NOT NULL,
    PRIMARY KEY (user_id, project_id)
);
