-- Appends one record for one thread, if the lease is still the present one: its position comes back, or no row.
WITH held AS (
    UPDATE graph_thread
    SET last = last + 1,
        head = CASE WHEN $3::boolean THEN last + 1 ELSE head END,
        snapshot = CASE WHEN $4::boolean THEN last + 1 ELSE snapshot END
    WHERE id = $1::text AND epoch = $2::bigint AND owner IS NOT NULL
    RETURNING number, epoch, last
)
INSERT INTO graph_record(thread, position, epoch, branch, parent, kind, task, key, body)
SELECT number, last, epoch, $5::bigint, $6::bigint, $7::text, $8::text, $9::text, $10::text FROM held
RETURNING position
