//! The use of a key, to enforce its limits.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_db::sql::Connection;

use crate::Error;
use crate::row::from_count;

/// The use of a key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyUse {
    /// Number of active runs.
    pub runs_at_work: u64,
    /// Number of input and output tokens.
    pub tokens: u64,
    /// Cost in millionths, by currency.
    pub micros: BTreeMap<String, u64>,
    /// Number of paid calls without a known price.
    pub unpriced: u64,
}

/// Returns the spending of the key since the time. Responses replayed from a recording are free.
pub(super) fn usage(
    connection: &Connection,
    user: &str,
    key: &str,
    but_run: Option<&str>,
    since: Timestamp,
) -> Result<KeyUse, Error> {
    let at_work = "SELECT count(*) FROM run WHERE key_id = ?1 AND status = 'running'";
    let at_work: i64 = connection.prepare_cached(at_work)?.query_row([key], |row| row.get(0))?;
    let mut usage = KeyUse { runs_at_work: from_count(at_work), ..KeyUse::default() };
    // Joins from the user's calls since the time to their runs: a key may have started many earlier runs.
    let mut select = connection.prepare_cached(
        "WITH every AS (
             SELECT call.input + call.output AS tokens, call.cost_micros, call.currency
             FROM call CROSS JOIN run
             WHERE call.user_id = ?3 AND call.at >= ?2 AND call.replayed = 0 AND run.id = call.run_id AND run.key_id = ?1
               AND (CAST(?4 AS text) IS NULL OR run.id <> ?4)
             UNION ALL
             SELECT input + output, cost_micros, currency FROM call_outside
             WHERE key_id = ?1 AND at >= ?2)
         SELECT currency, CAST(sum(tokens) AS bigint), CAST(sum(cost_micros) AS bigint), count(*) - count(cost_micros) FROM every GROUP BY currency",
    )?;
    // Without the final `Z`, which would sort after the fractions of the same second.
    let since = since.to_string();
    let rows = select.query_map((key, since.trim_end_matches('Z'), user, but_run), |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, Option<i64>>(2)?, row.get(3)?))
    })?;
    for row in rows {
        let (currency, tokens, micros, unpriced): (Option<String>, i64, Option<i64>, i64) = row?;
        usage.tokens += from_count(tokens);
        usage.unpriced += from_count(unpriced);
        if let (Some(currency), Some(micros)) = (currency, micros.filter(|micros| *micros > 0)) {
            *usage.micros.entry(currency).or_default() += from_count(micros);
        }
    }
    Ok(usage)
}
