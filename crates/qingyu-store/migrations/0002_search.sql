-- What is searched. Derived from `piece` and changed in the same transaction; thrown away and made anew at any time.

-- A project that has an index.
CREATE TABLE search_index(
    -- Stands before every term of the project, so that no two projects share one.
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    TEXT NOT NULL,
    project_id TEXT NOT NULL UNIQUE REFERENCES project(id),
    -- How texts were cut and analysed; an index of another release is made anew.
    format     INTEGER NOT NULL,
    -- Grows with every change, for what is kept in memory.
    revision   INTEGER NOT NULL
) STRICT;

-- What the chunks of a piece were made from, beside the piece.
CREATE TABLE search_source(
    user_id     TEXT NOT NULL,
    project_id  TEXT NOT NULL REFERENCES project(id),
    kind        TEXT NOT NULL,
    id          TEXT NOT NULL,
    fingerprint INTEGER NOT NULL,
    PRIMARY KEY (project_id, kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunk(
    -- Never given twice: a vector may arrive after its chunk is gone.
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES project(id),
    kind       TEXT NOT NULL,
    id         TEXT NOT NULL,
    part       INTEGER NOT NULL,
    -- How many terms it has.
    length     INTEGER NOT NULL,
    -- The chunk as JSON.
    body       TEXT NOT NULL,
    UNIQUE (project_id, kind, id, part)
) STRICT;

-- The values of each chunk's fields, folded for comparing: a text or a number.
CREATE TABLE chunk_field(
    user_id    TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES project(id),
    chunk      INTEGER NOT NULL REFERENCES chunk(number) ON DELETE CASCADE,
    field      TEXT NOT NULL,
    text       TEXT,
    number     REAL
) STRICT;
CREATE INDEX chunk_field_by_text ON chunk_field(project_id, field, text, chunk);
CREATE INDEX chunk_field_by_number ON chunk_field(project_id, field, number, chunk);
CREATE INDEX chunk_field_by_chunk ON chunk_field(chunk);

CREATE TABLE chunk_vector(
    user_id    TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES project(id),
    chunk      INTEGER NOT NULL REFERENCES chunk(number) ON DELETE CASCADE,
    -- The name of the embedder; vectors of two are never compared.
    model      TEXT NOT NULL,
    -- Little-endian floats, of length 1.
    vector     BLOB NOT NULL,
    -- One byte for each dimension, times the scale.
    codes      BLOB NOT NULL,
    scale      REAL NOT NULL,
    PRIMARY KEY (chunk, model)
) STRICT;

-- Our own terms, with the project's number before each. The plain tokenizer, since it takes every letter beyond ASCII as
-- it is; the one for Unicode 6.1 would cut at letters that are younger.
CREATE VIRTUAL TABLE chunk_terms USING fts5(terms, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE chunk_posting USING fts5vocab(chunk_terms, instance);
