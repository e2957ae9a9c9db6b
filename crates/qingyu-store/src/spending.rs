//! Cost of calls, summed by any attribute.

use jiff::Timestamp;
use qingyu_db::sql::{Connection, Row};

use crate::row::{from_count, to_count, to_time};
use crate::{Call, Error};

/// A filter for the calls to sum.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpendingQuery {
    /// Only calls of the project.
    pub project: Option<String>,
    /// Only calls of the run.
    pub run: Option<String>,
    /// Excludes calls of the run.
    pub but_run: Option<String>,
    /// Only calls since the time.
    pub since: Option<Timestamp>,
    /// Only calls before the time, a whole second.
    pub until: Option<Timestamp>,
    /// Only paid calls, without calls replayed from a cassette.
    pub paid: bool,
}

/// The sum over calls of the same run, agent, purpose, model, chapter, hour and currency.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spending {
    /// The project; empty for calls outside projects.
    pub project: String,
    /// The run; empty for calls outside runs.
    pub run: String,
    /// The calling agent.
    pub agent: String,
    /// The purpose.
    pub purpose: String,
    /// The responding model.
    pub model: String,
    /// The chapter, if any.
    pub chapter: Option<u32>,
    /// Time of the first record.
    pub at: Timestamp,
    /// Number of calls.
    pub calls: u64,
    /// Number of requests to models, including retries.
    pub attempts: u64,
    /// Number of input tokens.
    pub input: u64,
    /// Number of input tokens read from caches.
    pub cached: u64,
    /// Number of output tokens.
    pub output: u64,
    /// Whether some token counts are estimates.
    pub estimated: bool,
    /// Whether the responses were replayed from a cassette for free.
    pub replayed: bool,
    /// The total price; `None` if unknown.
    pub cost_micros: Option<u64>,
    /// The currency.
    pub currency: Option<String>,
}

/// The calls matching a query.
const EVERY: &str = "WITH every AS (
     SELECT project_id, run_id, agent, purpose, model, chapter, attempts, input, cached, output, estimated,
            replayed, cost_micros, currency, rtrim(at, 'Z') AS at
     FROM call
     WHERE user_id = ?1 AND (CAST(?2 AS text) IS NULL OR project_id = ?2) AND (CAST(?3 AS text) IS NULL OR run_id = ?3)
       AND (CAST(?4 AS text) IS NULL OR run_id <> ?4) AND at >= ?5 AND at < ?6 AND (NOT ?7 OR replayed = 0)
     UNION ALL
     SELECT coalesce(project_id, ''), '', agent, purpose, model, NULL, attempts, input, cached, output, estimated,
            0, cost_micros, currency, rtrim(at, 'Z')
     FROM call_outside
     WHERE user_id = ?1 AND (CAST(?2 AS text) IS NULL OR project_id = ?2) AND CAST(?3 AS text) IS NULL AND at >= ?5 AND at < ?6)";

/// The aggregates of each group; `min(at)` is the time of the first record.
const SUMS: &str = "min(at) || 'Z', count(*), CAST(sum(attempts) AS bigint), CAST(sum(input) AS bigint),
     CAST(sum(cached) AS bigint), CAST(sum(output) AS bigint), max(estimated), CAST(sum(cost_micros) AS bigint), currency";

/// Returns the calls of a query, grouped by all attributes.
pub(crate) fn rows(connection: &Connection, user: &str, query: &SpendingQuery) -> Result<Vec<Spending>, Error> {
    let sql = format!(
        "{EVERY}
         SELECT {SUMS}, project_id, run_id, agent, purpose, model, chapter, replayed FROM every
         GROUP BY project_id, run_id, agent, purpose, model, chapter, substr(at, 1, 13), replayed, currency,
                  cost_micros IS NULL
         ORDER BY min(at), run_id, agent, purpose"
    );
    select(connection, &sql, user, query, |row| {
        Ok(Spending {
            project: row.get(9)?,
            run: row.get(10)?,
            agent: row.get(11)?,
            purpose: row.get(12)?,
            model: row.get(13)?,
            chapter: row.get(14)?,
            replayed: row.get(15)?,
            ..sums(row)?
        })
    })
}

/// Returns the calls of a query, grouped only by model, currency and whether the price is known.
pub(crate) fn totals(connection: &Connection, user: &str, query: &SpendingQuery) -> Result<Vec<Spending>, Error> {
    let sql = format!(
        "{EVERY} SELECT {SUMS}, model FROM every GROUP BY currency, cost_micros IS NULL, model ORDER BY currency, model"
    );
    select(connection, &sql, user, query, |row| Ok(Spending { model: row.get(9)?, ..sums(row)? }))
}

fn select(
    connection: &Connection,
    sql: &str,
    user: &str,
    query: &SpendingQuery,
    read: impl Fn(&Row<'_>) -> Result<Spending, Error>,
) -> Result<Vec<Spending>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    // Without the final `Z`, which would sort after the fractions of the same second.
    let time = |at: Option<Timestamp>, open: &str| {
        at.map_or_else(|| open.to_owned(), |at| at.to_string().trim_end_matches('Z').to_owned())
    };
    let parameters =
        (user, &query.project, &query.run, &query.but_run, time(query.since, ""), time(query.until, "~"), query.paid);
    let rows = statement.query_map(parameters, |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}

/// Records a call outside of runs.
pub(crate) fn insert(
    connection: &Connection,
    user: &str,
    key: Option<&str>,
    project: Option<&str>,
    call: &Call,
    at: Timestamp,
) -> Result<(), Error> {
    connection
        .prepare_cached(
            "INSERT INTO call_outside(user_id, project_id, agent, purpose, model, input, cached, output, estimated,
                                      cost_micros, currency, attempts, at, key_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .execute(qingyu_db::params![
            user,
            project,
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
            at.to_string(),
            key,
        ])?;
    Ok(())
}

/// Parses the columns of [`SUMS`], the first columns of a row.
fn sums(row: &Row<'_>) -> Result<Spending, Error> {
    Ok(Spending {
        at: to_time(&row.get::<_, String>(0)?)?,
        calls: from_count(row.get(1)?),
        attempts: from_count(row.get(2)?),
        input: from_count(row.get(3)?),
        cached: from_count(row.get(4)?),
        output: from_count(row.get(5)?),
        estimated: row.get(6)?,
        cost_micros: row.get::<_, Option<i64>>(7)?.map(from_count),
        currency: row.get(8)?,
        ..Spending::default()
    })
}
