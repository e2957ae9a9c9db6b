-- Who may ask, with which keys, and what they did.
CREATE TABLE account(
    -- The `user_id` of every other table.
    id       TEXT NOT NULL PRIMARY KEY,
    -- For people.
    name     TEXT NOT NULL,
    role     TEXT NOT NULL,
    created  TEXT NOT NULL,
    -- Since when nobody may ask as this user.
    disabled TEXT
) STRICT, WITHOUT ROWID;
-- Whoever works at the machine itself.
INSERT INTO account(id, name, role, created)
    VALUES ('local', 'local', 'admin', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'));

CREATE TABLE api_key(
    -- The public part of the key.
    id                  TEXT NOT NULL PRIMARY KEY,
    user_id             TEXT NOT NULL REFERENCES account(id),
    name                TEXT NOT NULL,
    -- SHA-256 of the secret part, in hexadecimal. The secret itself is kept nowhere.
    secret_digest       TEXT NOT NULL,
    access_right        TEXT NOT NULL,
    -- Ids as JSON; none for all projects of the user.
    projects            TEXT,
    created             TEXT NOT NULL,
    expires             TEXT,
    revoked             TEXT,
    last_used           TEXT,
    requests_per_minute INTEGER,
    parallel_runs       INTEGER,
    tokens_per_day      INTEGER,
    -- In millionths of the currency.
    money_per_day       INTEGER,
    currency            TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_by_user ON api_key(user_id, created);

-- Who did what. Only added to; each row's digest is made of the row and of the digest before it.
CREATE TABLE audit(
    seq     INTEGER NOT NULL PRIMARY KEY,
    at      TEXT NOT NULL,
    user_id TEXT NOT NULL,
    key_id  TEXT,
    action  TEXT NOT NULL,
    object  TEXT NOT NULL,
    origin  TEXT NOT NULL,
    result  TEXT NOT NULL,
    digest  TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_user ON audit(user_id, seq);
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit is only added to'); END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit is only added to'); END;
-- Where the chain ends, so that rows missing at its end are noticed; writers take turns at this row.
CREATE TABLE audit_head(
    id     INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    seq    INTEGER NOT NULL,
    digest TEXT NOT NULL
) STRICT;
INSERT INTO audit_head(id, seq, digest) VALUES (1, 0, '');

-- Requests that must not be carried out twice, and what was answered.
CREATE TABLE idempotency(
    user_id TEXT NOT NULL,
    key     TEXT NOT NULL,
    -- Of method, path and body: the same key with another request is a mistake of the caller.
    request TEXT NOT NULL,
    -- Who works on it; whoever comes after a crash is another one.
    holder  TEXT NOT NULL,
    -- When the holder was heard last, in milliseconds since 1970.
    heard   INTEGER NOT NULL,
    -- When it was first asked, in milliseconds since 1970.
    begun   INTEGER NOT NULL,
    -- Both none while it is worked on.
    status  INTEGER,
    answer  TEXT,
    PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency(begun);

-- The key with which the run was started, or gone on with last; none for whoever works at the machine itself.
ALTER TABLE run ADD COLUMN key_id TEXT;
ALTER TABLE call_outside ADD COLUMN key_id TEXT;
CREATE INDEX run_by_key ON run(key_id) WHERE key_id IS NOT NULL AND status = 'running';
CREATE INDEX call_outside_by_key ON call_outside(key_id, at) WHERE key_id IS NOT NULL;
