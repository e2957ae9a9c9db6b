-- What is searched. Derived from stories; thrown away and made anew at any time.
-- Texts of stories that are compared are `bytea`: their order is that of their bytes, and they may hold U+0000.

-- A project of a user that has an index. Its number stands in every row and in every query.
CREATE TABLE search_index(
    number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id    text NOT NULL,
    project_id text NOT NULL,
    -- How texts were cut and analysed; an index of another release is made anew.
    format     bigint NOT NULL,
    -- Grows with every change.
    revision   bigint NOT NULL,
    UNIQUE (user_id, project_id)
);

-- What the chunks of a piece were made from.
CREATE TABLE search_source(
    index       bigint NOT NULL REFERENCES search_index ON DELETE CASCADE,
    kind        text NOT NULL,
    id          bytea NOT NULL,
    fingerprint bigint NOT NULL,
    PRIMARY KEY (index, kind, id)
);

-- Numbers of chunks; none is given twice, for a vector may arrive after its chunk is gone.
CREATE SEQUENCE search_chunk_number;

CREATE TABLE search_chunk(
    number bigint PRIMARY KEY,
    index  bigint NOT NULL REFERENCES search_index ON DELETE CASCADE,
    kind   text NOT NULL,
    id     bytea NOT NULL,
    part   bigint NOT NULL,
    -- How many terms it has.
    length bigint NOT NULL,
    -- The chunk as JSON.
    body   text NOT NULL,
    UNIQUE (index, kind, id, part)
);

-- How often a chunk has a term.
CREATE TABLE search_posting(
    index bigint NOT NULL,
    term  text COLLATE "C" NOT NULL,
    chunk bigint NOT NULL REFERENCES search_chunk ON DELETE CASCADE,
    count bigint NOT NULL,
    PRIMARY KEY (index, term, chunk)
);
CREATE INDEX search_posting_by_chunk ON search_posting(chunk);

-- The values of each chunk's fields, folded for comparing: a text or a number.
CREATE TABLE search_field(
    index  bigint NOT NULL,
    chunk  bigint NOT NULL REFERENCES search_chunk ON DELETE CASCADE,
    field  text NOT NULL,
    text   bytea,
    number double precision
);
CREATE INDEX search_field_by_text ON search_field(index, field, text);
CREATE INDEX search_field_by_number ON search_field(index, field, number);
CREATE INDEX search_field_by_chunk ON search_field(chunk);

CREATE TABLE search_vector(
    index  bigint NOT NULL,
    chunk  bigint NOT NULL REFERENCES search_chunk ON DELETE CASCADE,
    -- The name of the embedder; vectors of two are never compared.
    model  text NOT NULL,
    -- Little-endian floats, of length 1.
    vector bytea NOT NULL,
    -- One byte for each dimension, times the scale.
    codes  bytea NOT NULL,
    scale  real NOT NULL,
    PRIMARY KEY (chunk, model)
);
CREATE INDEX search_vector_by_model ON search_vector(index, model);
