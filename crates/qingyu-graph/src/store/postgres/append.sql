-- Appends for several threads at once, each only if its lease is still the present one: one row comes back per append
-- that was carried out. `head` and `snapshot` are the places in the batch of the graph's own, null if it has none.
--
-- The range of `append` is always met. It makes the planner expect one row, so that it looks threads up by their index
-- even if it planned while the table was empty; without it that plan reads the whole table for as long as it is kept.
WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
        WITH ORDINALITY AS asked(id, epoch, added, head, snapshot, append)
    WHERE append BETWEEN 1 AND 1000000
), held AS (
    UPDATE graph_thread AS thread
    SET last = thread.last + asked.added,
        head = coalesce(thread.last + asked.head, thread.head),
        snapshot = coalesce(thread.last + asked.snapshot, thread.snapshot)
    FROM asked
    WHERE thread.id = asked.id AND thread.epoch = asked.epoch AND thread.owner IS NOT NULL
    RETURNING asked.append, thread.number, thread.epoch, thread.last, thread.last - asked.added AS before
), added AS (
    INSERT INTO graph_record(thread, position, epoch, scope, branch, parent, kind, task, key, body)
    SELECT held.number, held.before + record.place, held.epoch,
        record.scope, record.branch, record.parent, record.kind, record.task, record.key, record.body
    FROM unnest(
        $6::bigint[], $7::bigint[], $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::text[]
    ) AS record(append, place, scope, branch, parent, kind, task, key, body)
    JOIN held ON held.append = record.append
)
SELECT append, last FROM held
