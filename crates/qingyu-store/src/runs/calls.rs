//! The paid calls of runs.

use jiff::Timestamp;
use qingyu_db::sql::{Connection, Params};

use crate::error::Error;
use crate::row::{from_count, to_count};

/// A paid model call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Call {
    /// The key, unique in the run; equal for a duplicate record of the call.
    pub key: String,
    /// The calling agent.
    pub agent: String,
    /// The purpose, such as `outline.generate`.
    pub purpose: String,
    /// The responding model.
    pub model: String,
    /// Number of input tokens.
    pub input: u64,
    /// Number of input tokens read from the provider's cache.
    pub cached: u64,
    /// Number of output tokens.
    pub output: u64,
    /// Whether the token counts are estimates.
    pub estimated: bool,
    /// The price in millionths of `currency`, if known.
    pub cost_micros: Option<u64>,
    /// The currency of the price.
    pub currency: Option<String>,
    /// The chapter, if the call was about a chapter.
    pub chapter: Option<u32>,
    /// Whether the response was replayed from a cassette for free.
    pub replayed: bool,
    /// Number of requests to the model, including retries.
    pub attempts: u32,
    /// Whether the response was repaired.
    pub repaired: bool,
    /// Duration in milliseconds.
    pub millis: u64,
}

/// The key of a charge among the charges of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeKey {
    /// The execution of the run with the request; later executions are greater.
    pub execution: String,
    /// Number in the execution.
    pub number: u64,
}

/// The usage of an agent in a currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentUsage {
    /// The agent.
    pub agent: String,
    /// Number of calls.
    pub calls: u64,
    /// Number of input tokens.
    pub input: u64,
    /// Number of input tokens read from caches.
    pub cached: u64,
    /// Number of output tokens.
    pub output: u64,
    /// Whether some token counts are estimates.
    pub estimated: bool,
    /// The total price; `None` if the price of any call is unknown.
    pub cost_micros: Option<u64>,
    /// The currency.
    pub currency: Option<String>,
}

/// Separator between the key of a call and the key of its charge.
const CHARGE: char = '#';

/// Inserts a call and removes its charges; returns 0 for a duplicate.
pub(super) fn insert(
    connection: &Connection,
    user: &str,
    project: &str,
    run: &str,
    call: &Call,
    at: Timestamp,
) -> Result<usize, Error> {
    let known = "SELECT count(*) FROM call WHERE run_id = ?1 AND key = ?2";
    let known: i64 = connection.prepare_cached(known)?.query_row((run, &call.key), |row| row.get(0))?;
    if known > 0 {
        return Ok(0);
    }
    match call.replayed {
        true => write(connection, user, project, run, call, at),
        false => write(connection, user, project, run, &settle(connection, run, call)?, at),
    }
}

/// Inserts a charge under the key of its call.
pub(super) fn insert_charge(
    connection: &Connection,
    user: &str,
    project: &str,
    run: &str,
    (key, charge): (&ChargeKey, &Call),
    at: Timestamp,
) -> Result<usize, Error> {
    let ChargeKey { execution, number } = key;
    let key = format!("{}{CHARGE}{execution}{CHARGE}{number:08}", charge.key);
    write(connection, user, project, run, &Call { key, ..charge.clone() }, at)
}

/// Returns the call with the charges of its model in the last execution, which answered the call; deletes the charges.
fn settle(connection: &Connection, run: &str, call: &Call) -> Result<Call, Error> {
    let beginning = format!("{}{CHARGE}", call.key);
    let end = format!("{}{}", call.key, char::from(CHARGE as u8 + 1));
    let select = "SELECT key, input, cached, output, estimated, cost_micros FROM call
                  WHERE run_id = ?1 AND key >= ?2 AND key < ?3 AND model = ?4 ORDER BY key DESC";
    let mut statement = connection.prepare_cached(select)?;
    let rows = statement.query_map((run, &beginning, &end, &call.model), |row| {
        let charge = Call {
            key: row.get(0)?,
            input: from_count(row.get(1)?),
            cached: from_count(row.get(2)?),
            output: from_count(row.get(3)?),
            estimated: row.get(4)?,
            cost_micros: row.get::<_, Option<i64>>(5)?.map(from_count),
            ..Call::default()
        };
        Ok(charge)
    })?;
    let charges = rows.collect::<Result<Vec<Call>, _>>()?;
    let execution = |key: &str| key.rsplit_once(CHARGE).map(|(execution, _)| execution.to_owned());
    let last = charges.first().and_then(|charge| execution(&charge.key));
    let charges: Vec<Call> = charges.into_iter().filter(|charge| execution(&charge.key) == last).collect();
    if charges.is_empty() {
        return Ok(call.clone());
    }
    let mut settled = Call { input: 0, cached: 0, output: 0, estimated: false, cost_micros: Some(0), ..call.clone() };
    settled.attempts = settled.attempts.max(u32::try_from(charges.len()).unwrap_or(u32::MAX));
    for charge in charges {
        settled.input += charge.input;
        settled.cached += charge.cached;
        settled.output += charge.output;
        settled.estimated |= charge.estimated;
        settled.cost_micros = settled.cost_micros.zip(charge.cost_micros).map(|(sum, micros)| sum + micros);
        let delete = "DELETE FROM call WHERE run_id = ?1 AND key = ?2";
        connection.prepare_cached(delete)?.execute((run, &charge.key))?;
    }
    Ok(settled)
}

fn write(
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

/// Returns the usage by agent, currency and `group`; the parameters belong to `condition`, with the user first.
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
