-- Vectors with their fields, for those who search elsewhere for words.

CREATE SEQUENCE vector_point_number;

CREATE TABLE vector_point(
    number     bigint PRIMARY KEY,
    user_id    text NOT NULL,
    project_id text NOT NULL,
    model      text NOT NULL,
    kind       text NOT NULL,
    id         bytea NOT NULL,
    part       bigint NOT NULL,
    -- Little-endian floats, of length 1.
    vector     bytea NOT NULL,
    -- One byte for each dimension, times the scale.
    codes      bytea NOT NULL,
    scale      real NOT NULL,
    UNIQUE (user_id, project_id, model, kind, id, part)
);

-- The values of each point's fields, folded for comparing: a text or a number.
CREATE TABLE vector_field(
    point  bigint NOT NULL REFERENCES vector_point ON DELETE CASCADE,
    field  text NOT NULL,
    text   bytea,
    number double precision
);
CREATE INDEX vector_field_by_point ON vector_field(point, field);
