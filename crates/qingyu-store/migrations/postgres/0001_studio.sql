-- Every row says whose it is: user_id and project_id stand in every table and every query.
-- Times are RFC 3339 in UTC, values are JSON.

CREATE TABLE project(
    user_id  text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL PRIMARY KEY,
    title    text COLLATE "C" NOT NULL,
    language text COLLATE "C" NOT NULL,
    premise  text COLLATE "C" NOT NULL,
    created  text COLLATE "C" NOT NULL,
    updated  text COLLATE "C" NOT NULL,
    -- The seq of the newest change; 0 before the first.
    version  bigint NOT NULL DEFAULT 0,
    -- The highest number given in ids of pieces, by prefix; ids are not given twice.
    last_ids text COLLATE "C" NOT NULL DEFAULT '{}',
    -- A branch is a project of its own that shares the log of another one up to a change, under a name that is unique there.
    branch_of   text COLLATE "C" REFERENCES project(id),
    branch_name text COLLATE "C",
    -- The change in the log of the branch up to which both sides know of each other: where it began, or was merged last.
    branch_base bigint
);
CREATE INDEX project_by_user ON project(user_id, created);
CREATE UNIQUE INDEX project_branch ON project(branch_of, branch_name) WHERE branch_of IS NOT NULL;

-- What was done to a story, in order, never changed afterwards. The truth; `piece` is derived from it.
CREATE TABLE story_change(
    user_id     text COLLATE "C" NOT NULL,
    project_id  text COLLATE "C" NOT NULL REFERENCES project(id),
    seq         bigint NOT NULL,
    run_id      text COLLATE "C" NOT NULL,
    step        text COLLATE "C" NOT NULL,
    iteration   bigint NOT NULL,
    agent       text COLLATE "C" NOT NULL,
    prompt_hash text COLLATE "C",
    model       text COLLATE "C",
    tokens      bigint NOT NULL,
    at          text COLLATE "C" NOT NULL,
    changes     text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, seq),
    -- A step of a run is saved once, however often it is repeated.
    UNIQUE (project_id, run_id, step, iteration)
);

-- The story as it stands.
CREATE TABLE piece(
    user_id    text COLLATE "C" NOT NULL,
    project_id text COLLATE "C" NOT NULL REFERENCES project(id),
    kind       text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    position   bigint NOT NULL,
    body       text COLLATE "C" NOT NULL,
    -- How often the piece was put.
    version    bigint NOT NULL,
    change_seq bigint NOT NULL,
    PRIMARY KEY (project_id, kind, id),
    FOREIGN KEY (project_id, change_seq) REFERENCES story_change(project_id, seq)
);
CREATE INDEX piece_place ON piece(user_id, project_id, position);

-- The documents without their texts, so that nobody reads a whole book to learn its chapters.
CREATE TABLE document_head(
    user_id    text COLLATE "C" NOT NULL,
    project_id text COLLATE "C" NOT NULL REFERENCES project(id),
    id         text COLLATE "C" NOT NULL,
    position   bigint NOT NULL,
    body       text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, id)
);
CREATE FUNCTION keep_document_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM document_head WHERE project_id = old.project_id AND id = old.id;
    ELSE
        INSERT INTO document_head
            VALUES (new.user_id, new.project_id, new.id, new.position, (new.body::jsonb - 'text')::text)
            ON CONFLICT (project_id, id) DO UPDATE SET position = excluded.position, body = excluded.body;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER document_put AFTER INSERT OR UPDATE OF position, body ON piece
    FOR EACH ROW WHEN (new.kind = 'document') EXECUTE FUNCTION keep_document_head();
CREATE TRIGGER document_removed AFTER DELETE ON piece
    FOR EACH ROW WHEN (old.kind = 'document') EXECUTE FUNCTION keep_document_head();

CREATE TABLE run(
    user_id     text COLLATE "C" NOT NULL,
    project_id  text COLLATE "C" NOT NULL REFERENCES project(id),
    id          text COLLATE "C" NOT NULL PRIMARY KEY,
    thread_id   text COLLATE "C" NOT NULL,
    requirement text COLLATE "C" NOT NULL,
    config      text COLLATE "C" NOT NULL,
    model       text COLLATE "C" NOT NULL,
    status      text COLLATE "C" NOT NULL,
    started     text COLLATE "C" NOT NULL,
    ended       text COLLATE "C",
    outcome     text COLLATE "C",
    -- The key with which the run was started, or gone on with last; none for whoever works at the machine itself.
    key_id      text COLLATE "C",
    -- The server that works on the run, or did last; none for a run of the command line, which nobody takes over.
    server      text COLLATE "C",
    -- Whether somebody wants it stopped; the server that works on it looks here.
    stop        bigint NOT NULL DEFAULT 0
);
CREATE INDEX run_by_project ON run(user_id, project_id, started);
CREATE INDEX run_by_key ON run(key_id) WHERE key_id IS NOT NULL AND status = 'running';
CREATE INDEX run_at_work ON run(server) WHERE status = 'running';

-- What was paid for. A call that is told again (after a resume) has the same key and changes nothing.
CREATE TABLE call(
    user_id     text COLLATE "C" NOT NULL,
    project_id  text COLLATE "C" NOT NULL REFERENCES project(id),
    run_id      text COLLATE "C" NOT NULL REFERENCES run(id),
    key         text COLLATE "C" NOT NULL,
    agent       text COLLATE "C" NOT NULL,
    purpose     text COLLATE "C" NOT NULL,
    model       text COLLATE "C" NOT NULL,
    input       bigint NOT NULL,
    cached      bigint NOT NULL,
    output      bigint NOT NULL,
    estimated   bigint NOT NULL,
    cost_micros bigint,
    currency    text COLLATE "C",
    attempts    bigint NOT NULL,
    repaired    bigint NOT NULL,
    millis      bigint NOT NULL,
    at          text COLLATE "C" NOT NULL,
    -- The chapter that it worked on, if it worked on one.
    chapter     bigint,
    -- Whether its answer was played from a recording: then its price is what it cost whoever recorded it.
    replayed    bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, key)
);
CREATE INDEX call_by_project ON call(user_id, project_id);
CREATE INDEX call_by_time ON call(user_id, at);

-- What a run told, in order and without gaps.
CREATE TABLE event_log(
    user_id    text COLLATE "C" NOT NULL,
    project_id text COLLATE "C" NOT NULL REFERENCES project(id),
    run_id     text COLLATE "C" NOT NULL REFERENCES run(id),
    seq        bigint NOT NULL,
    at         text COLLATE "C" NOT NULL,
    body       text COLLATE "C" NOT NULL,
    PRIMARY KEY (run_id, seq)
);

-- What is searched. Derived from `piece` and changed in the same transaction; thrown away and made anew at any time.

-- A project that has an index.
CREATE TABLE search_index(
    -- Stands before every term of the project, so that no two projects share one.
    number     bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    user_id    text COLLATE "C" NOT NULL,
    project_id text COLLATE "C" NOT NULL UNIQUE REFERENCES project(id),
    -- How texts were cut and analysed; an index of another release is made anew.
    format     bigint NOT NULL,
    -- Grows with every change, for what is kept in memory.
    revision   bigint NOT NULL,
    -- A fingerprint of what all chunks of the project depend on; while it is the same, a change is a change of its own pieces.
    surroundings bigint
);

-- What the chunks of a piece were made from, beside the piece.
CREATE TABLE search_source(
    user_id     text COLLATE "C" NOT NULL,
    project_id  text COLLATE "C" NOT NULL REFERENCES project(id),
    kind        text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    fingerprint bigint NOT NULL,
    PRIMARY KEY (project_id, kind, id)
);

CREATE TABLE chunk(
    -- Never given twice: a vector may arrive after its chunk is gone.
    number     bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    user_id    text COLLATE "C" NOT NULL,
    project_id text COLLATE "C" NOT NULL REFERENCES project(id),
    kind       text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    part       bigint NOT NULL,
    -- How many terms it has.
    length     bigint NOT NULL,
    -- The chunk as JSON.
    body       text COLLATE "C" NOT NULL,
    -- What filters ask for.
    fields     text COLLATE "C" NOT NULL DEFAULT '{}',
    UNIQUE (project_id, kind, id, part)
);

CREATE TABLE chunk_vector(
    user_id    text COLLATE "C" NOT NULL,
    project_id text COLLATE "C" NOT NULL REFERENCES project(id),
    chunk      bigint NOT NULL REFERENCES chunk(number) ON DELETE CASCADE,
    -- The name of the embedder; vectors of two are never compared.
    model      text COLLATE "C" NOT NULL,
    -- Little-endian floats, of length 1.
    vector     bytea NOT NULL,
    -- One byte for each dimension, times the scale.
    codes      bytea NOT NULL,
    scale      double precision NOT NULL,
    PRIMARY KEY (chunk, model)
);

-- Our own terms, with the project's number before each; a row for each time a term stands in a chunk.
CREATE TABLE chunk_posting(
    term text COLLATE "C" NOT NULL,
    -- The number of a chunk.
    doc  bigint NOT NULL
);
CREATE INDEX chunk_posting_by_term ON chunk_posting(term, doc);
CREATE INDEX chunk_posting_by_doc ON chunk_posting(doc);

-- What was paid for outside of runs: questions, replays with another model.
CREATE TABLE call_outside(
    user_id     text COLLATE "C" NOT NULL,
    project_id  text COLLATE "C" REFERENCES project(id),
    number      bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    agent       text COLLATE "C" NOT NULL,
    purpose     text COLLATE "C" NOT NULL,
    model       text COLLATE "C" NOT NULL,
    input       bigint NOT NULL,
    cached      bigint NOT NULL,
    output      bigint NOT NULL,
    estimated   bigint NOT NULL,
    cost_micros bigint,
    currency    text COLLATE "C",
    attempts    bigint NOT NULL,
    at          text COLLATE "C" NOT NULL,
    key_id      text COLLATE "C"
);
CREATE INDEX call_outside_by_time ON call_outside(user_id, at);
CREATE INDEX call_outside_by_key ON call_outside(key_id, at) WHERE key_id IS NOT NULL;

-- Who may ask, with which keys, and what they did.
CREATE TABLE account(
    -- The `user_id` of every other table.
    id       text COLLATE "C" NOT NULL PRIMARY KEY,
    -- For people.
    name     text COLLATE "C" NOT NULL,
    role     text COLLATE "C" NOT NULL,
    created  text COLLATE "C" NOT NULL,
    -- Since when nobody may ask as this user.
    disabled text COLLATE "C"
);
-- Whoever works at the machine itself.
INSERT INTO account(id, name, role, created)
    VALUES ('local', 'local', 'admin', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'));

CREATE TABLE api_key(
    -- The public part of the key.
    id                  text COLLATE "C" NOT NULL PRIMARY KEY,
    user_id             text COLLATE "C" NOT NULL REFERENCES account(id),
    name                text COLLATE "C" NOT NULL,
    -- SHA-256 of the secret part, in hexadecimal. The secret itself is kept nowhere.
    secret_digest       text COLLATE "C" NOT NULL,
    access_right        text COLLATE "C" NOT NULL,
    -- Ids as JSON; none for all projects of the user.
    projects            text COLLATE "C",
    created             text COLLATE "C" NOT NULL,
    expires             text COLLATE "C",
    revoked             text COLLATE "C",
    last_used           text COLLATE "C",
    requests_per_minute bigint,
    parallel_runs       bigint,
    tokens_per_day      bigint,
    -- In millionths of the currency.
    money_per_day       bigint,
    currency            text COLLATE "C"
);
CREATE INDEX api_key_by_user ON api_key(user_id, created);

-- Who did what. Only added to; each row's digest is made of the row and of the digest before it.
CREATE TABLE audit(
    seq     bigint NOT NULL PRIMARY KEY,
    at      text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    key_id  text COLLATE "C",
    action  text COLLATE "C" NOT NULL,
    object  text COLLATE "C" NOT NULL,
    origin  text COLLATE "C" NOT NULL,
    result  text COLLATE "C" NOT NULL,
    digest  text COLLATE "C" NOT NULL
);
CREATE INDEX audit_by_user ON audit(user_id, seq);
CREATE FUNCTION audit_is_only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit is only added to';
END $$;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_is_only_added_to();
-- Where the chain ends, so that rows missing at its end are noticed; writers take turns at this row.
CREATE TABLE audit_head(
    id     bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    seq    bigint NOT NULL,
    digest text COLLATE "C" NOT NULL
);
INSERT INTO audit_head(id, seq, digest) VALUES (1, 0, '');

-- Requests that must not be carried out twice, and what was answered.
CREATE TABLE idempotency(
    user_id text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL,
    -- Of method, path and body: the same key with another request is a mistake of the caller.
    request text COLLATE "C" NOT NULL,
    -- Who works on it; whoever comes after a crash is another one.
    holder  text COLLATE "C" NOT NULL,
    -- When the holder was heard last, in milliseconds since 1970.
    heard   bigint NOT NULL,
    -- When it was first asked, in milliseconds since 1970.
    begun   bigint NOT NULL,
    -- Both none while it is worked on.
    status  bigint,
    answer  text COLLATE "C",
    PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_by_age ON idempotency(begun);

-- Servers that share the database. Whose lease has run out is dead, and its runs are anybody's.
CREATE TABLE server(
    id      text COLLATE "C" NOT NULL PRIMARY KEY,
    -- For people: where it is reached, and which process it is.
    name    text COLLATE "C" NOT NULL,
    -- Seconds since 1970 by the database's clock.
    expires double precision NOT NULL
);
