//! The use of a key, to enforce its limits. The keys of one member of a project are counted together.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_db::sql::{Connection, OptionalExtension};

use crate::Error;
use crate::row::from_count;

/// The ids of the keys whose use is counted with that of the key `?1`: of the same member, and the key itself. Revoked and
/// expired keys count too, so that a new key does not restore what the member has used. A list of several projects in
/// JSON contains a comma, and its key is no member's.
const COUNTED: &str = "SELECT CAST(?1 AS text) UNION ALL
     SELECT other.id FROM api_key AS own JOIN api_key AS other
         ON other.user_id = own.user_id AND other.projects = own.projects AND other.name = own.name
     WHERE own.id = ?1 AND own.name <> '' AND own.projects NOT LIKE '%,%'";

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

/// Returns the number of active runs of the key, and of the other keys of the same member.
pub(crate) fn runs_at_work(connection: &Connection, key: &str) -> Result<u64, Error> {
    let sql = format!("SELECT count(*) FROM run WHERE key_id IN ({COUNTED}) AND status = 'running'");
    let at_work: i64 = connection.prepare_cached(&sql)?.query_row([key], |row| row.get(0))?;
    Ok(from_count(at_work))
}

/// Locks the use of the key until the transaction ends, and of the other keys of the same member.
pub(crate) fn lock(connection: &Connection, key: &str) -> Result<(), Error> {
    connection.lock(key)?;
    let select = "SELECT user_id, projects, name FROM api_key WHERE id = ?1 AND name <> '' AND projects NOT LIKE '%,%'";
    let member: Option<(String, String, String)> = connection
        .prepare_cached(select)?
        .query_row([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((user, projects, name)) = member else { return Ok(()) };
    connection.lock(&format!("member {user} {projects} {name}"))?;
    Ok(())
}

/// Returns the spending of the key since the time, and of the other keys of the same member. Responses replayed from a recording are free.
pub(super) fn usage(
    connection: &Connection,
    user: &str,
    key: &str,
    but_run: Option<&str>,
    since: Timestamp,
) -> Result<KeyUse, Error> {
    let mut usage = KeyUse { runs_at_work: runs_at_work(connection, key)?, ..KeyUse::default() };
    // Joins from the user's calls since the time to their runs: a key may have started many earlier runs.
    let mut select = connection.prepare_cached(&format!(
        "WITH every AS (
             SELECT call.input + call.output AS tokens, call.cost_micros, call.currency
             FROM call CROSS JOIN run
             WHERE call.user_id = ?3 AND call.at >= ?2 AND call.replayed = 0 AND run.id = call.run_id
               AND run.key_id IN ({COUNTED})
               AND (CAST(?4 AS text) IS NULL OR run.id <> ?4)
             UNION ALL
             SELECT input + output, cost_micros, currency FROM call_outside
             WHERE key_id IN ({COUNTED}) AND at >= ?2)
         SELECT currency, CAST(sum(tokens) AS bigint), CAST(sum(cost_micros) AS bigint), count(*) - count(cost_micros) FROM every GROUP BY currency"
    ))?;
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
