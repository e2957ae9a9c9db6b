-- Pictures of a project: its cover, and those of cards. Replaces the table of covers.
CREATE TABLE project_picture(
    user_id text NOT NULL,
    project_id text NOT NULL,
    -- The id of the card; empty for the cover.
    card text NOT NULL,
    media_type text NOT NULL,
    picture bytea NOT NULL,
    -- The description for readers who do not see the picture.
    alt text NOT NULL DEFAULT '',
    -- The SHA-256 of the picture; empty for a cover of an earlier release.
    digest text NOT NULL DEFAULT '',
    PRIMARY KEY (user_id, project_id, card)
);
INSERT INTO project_picture(user_id, project_id, card, media_type, picture)
    SELECT user_id, project_id, '', media_type, picture FROM project_cover;
DROP TABLE project_cover;
