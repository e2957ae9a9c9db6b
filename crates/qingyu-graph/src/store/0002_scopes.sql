-- The call of a subgraph that a record belongs to; empty for the graph itself, of whose checkpoints alone
-- `graph_thread.head` and `graph_thread.snapshot` speak.
ALTER TABLE graph_record ADD COLUMN scope TEXT NOT NULL DEFAULT '';

-- Every record is in one of these two, so that what a checkpoint needs is found without reading anything else: neither
-- the records of other scopes nor those of older supersteps.
CREATE INDEX graph_record_checkpoint ON graph_record(thread, scope, position) WHERE kind IN ('snapshot', 'delta');
CREATE INDEX graph_record_pending ON graph_record(thread, parent) WHERE kind NOT IN ('snapshot', 'delta');
