//! The paid calls of runs.

use jiff::Timestamp;
use qingyu_db::sql::{Connection, Params};

use super::{AgentUsage, Call};
use crate::Error;
use crate::row::{from_count, to_count};

/// Writes down a call; gives 0 if it was there.
pub(super) fn insert(
    connection: &Connection,
    user: &str,
    project: &str,
    run: &str,
    call: &Call,
    at: Timestamp,
) -> Result<usize, Error> {
    let rows = connection
        .prepare_cached(
            "INSERT INTO call(user_id, project_id, run_id, key, agent, purpose, model, input, cached, output, estimated,
                              cost_micros, currency, attempts, repaired, millis, at, chapter, replayed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
             ON CONFLICT (run_id, key) DO NOTHING",
        )?
        .execute(qingyu_db::params![
            user,
            project,
            run,
            call.key,
            call.agent,
            call.purpose,
            call.model,
            to_count(call.input),
            to_count(call.cached),
            to_count(call.output),
            call.estimated,
            call.cost_micros.map(to_count),
            call.currency,
            call.attempts,
            call.repaired,
            to_count(call.millis),
            at.to_string(),
            call.chapter,
            call.replayed,
        ])?;
    Ok(rows)
}

/// What calls cost, by agent, currency and `group`, which comes with each; the parameters are those of `condition`, of which the first
/// is the user.
pub(super) fn usage(
    connection: &Connection,
    group: &str,
    condition: &str,
    parameters: impl Params,
) -> Result<Vec<(String, AgentUsage)>, Error> {
    let sql = format!(
        "SELECT agent, currency, count(*), CAST(sum(input) AS bigint), CAST(sum(cached) AS bigint), CAST(sum(output) AS bigint), max(estimated), CAST(sum(cost_micros) AS bigint),
                count(cost_micros), {group}
         FROM call WHERE user_id = ?1 AND {condition} GROUP BY {group}, agent, currency ORDER BY {group}, agent, currency"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(parameters, |row| {
        let calls: i64 = row.get(2)?;
        let all_priced = row.get::<_, i64>(8)? == calls;
        let usage = AgentUsage {
            agent: row.get(0)?,
            currency: row.get(1)?,
            calls: from_count(calls),
            input: from_count(row.get(3)?),
            cached: from_count(row.get(4)?),
            output: from_count(row.get(5)?),
            estimated: row.get(6)?,
            cost_micros: row.get::<_, Option<i64>>(7)?.filter(|_| all_priced).map(from_count),
        };
        Ok((row.get(9)?, usage))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
