-- Pictures of a project: its cover, and those of cards. Replaces the table of covers.
CREATE TABLE project_picture(
    user_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    -- The id of the card; empty for the cover.
    card TEXT NOT NULL,
    media_type TEXT NOT NULL,
    picture BLOB NOT NULL,
    -- The description for readers who do not see the picture.
    alt TEXT NOT NULL DEFAULT '',
    -- The SHA-256 of the picture; empty for a cover of an earlier release.
    digest TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (user_id, project_id, card)
) STRICT;
INSERT INTO project_picture(user_id, project_id, card, media_type, picture)
    SELECT user_id, project_id, '', media_type, picture FROM project_cover;
DROP TABLE project_cover;
