-- One row per thread: who may write, and where the newest checkpoint stands. Room is left in the pages, so that the
-- update of every append finds its place beside the old row and touches no index.
CREATE TABLE graph_thread(
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    epoch bigint NOT NULL,
    owner text,
    expires timestamptz NOT NULL,
    last bigint NOT NULL DEFAULT 0,
    head bigint NOT NULL DEFAULT 0,
    snapshot bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The journal. Rows are only added, by the statement that holds their thread's row, which is why no foreign key is
-- checked again for each. A body is text, not jsonb: it must come back byte for byte.
CREATE TABLE graph_record(
    thread bigint NOT NULL,
    position bigint NOT NULL,
    epoch bigint NOT NULL,
    branch bigint NOT NULL,
    parent bigint NOT NULL,
    kind text NOT NULL,
    task text NOT NULL,
    key text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (thread, position)
);
