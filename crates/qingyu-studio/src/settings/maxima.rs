//! The maxima of all numeric settings, for every caller: bounds on the memory and time of a run.

use toml::{Table, Value};

/// The maximum by setting; the minimum is always 0. An unreachable score, such as 101, is a valid threshold.
const MAXIMA: &[(&str, f64)] = &[
    ("backups.keep", 10_000.0),
    ("budget.money", 1e9),
    ("budget.per_day_money", 1e9),
    ("budget.per_day_tokens", 1e15),
    ("budget.tokens", 1e15),
    ("cassettes.keep_days", 100_000.0),
    ("cassettes.keep_megabytes", 1e9),
    ("engines.milvus.timeout", 600.0),
    ("engines.mongodb.timeout", 600.0),
    ("engines.neo4j.timeout", 600.0),
    ("engines.postgres.timeout", 600.0),
    ("engines.qdrant.timeout", 600.0),
    ("engines.redis.timeout", 600.0),
    ("goals.book", 100_000_000.0),
    ("goals.day", 1_000_000.0),
    ("limits.answer_tokens", 10_000_000.0),
    ("limits.requests_per_minute", 1_000_000.0),
    ("limits.tokens_per_minute", 4e9),
    ("pipeline.auto_downgrade_threshold", 1.0),
    ("pipeline.directions", 5.0),
    ("pipeline.max_iterations", 20.0),
    ("pipeline.thresholds.complete", 255.0),
    ("pipeline.thresholds.human_below", 255.0),
    ("pipeline.thresholds.regenerate_below", 255.0),
    ("production.conversation_lines", 1_000.0),
    ("production.evaluation_runs", 20.0),
    ("production.interview_questions", 100.0),
    ("production.reading_characters", 2_000_000.0),
    ("production.research_queries", 20.0),
    ("production.research_sources", 100.0),
    ("production.source_tokens", 1_000_000.0),
    ("retries.attempts", 20.0),
    ("retries.first_wait", 600.0),
    ("retries.longest_wait", 600.0),
    ("server.body_bytes", 1_073_741_824.0),
    ("server.connections", 1_000_000.0),
    ("server.grace_seconds", 3_600.0),
    ("server.heartbeat_seconds", 3_600.0),
    ("server.port", 65_535.0),
    ("server.runs", 100_000.0),
    ("storage.connections", 1_000.0),
    ("timeouts.connect", 600.0),
    ("timeouts.idle", 3_600.0),
    ("web.first_byte_ms", 600_000.0),
    ("web.max_bytes", 1e9),
    ("web.max_characters", 10_000_000.0),
    ("web.parallel_per_host", 100.0),
    ("web.ports", 65_535.0),
    ("web.requests_per_minute", 1_000_000.0),
    ("web.timeout_ms", 600_000.0),
    ("writing.card_tokens", 1_000_000.0),
    ("writing.floor.foreign", 100.0),
    ("writing.floor.length", 100.0),
    ("writing.floor.likeness", 100.0),
    ("writing.floor.repetition", 100.0),
    ("writing.max_retries", 20.0),
    ("writing.pass", 255.0),
    ("writing.passages", 100.0),
    ("writing.read_at_once", 16.0),
    ("writing.read_before", 1_000.0),
    ("writing.restart_below", 255.0),
    ("writing.rewrite_below", 255.0),
    ("writing.scene_limit", 1_000_000.0),
    ("writing.words", 100_000.0),
];

/// Returns the maximum of a numeric setting.
pub(crate) fn maximum(key: &str) -> Option<f64> {
    MAXIMA.iter().find(|(name, _)| *name == key).map(|(_, most)| *most)
}

/// Returns the settings with a maximum.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MAXIMA.iter().map(|(name, _)| *name)
}

/// Validates all numbers; returns the first setting out of bounds and its allowed range.
pub(crate) fn check(table: &Table) -> Result<(), (String, String)> {
    for (name, most) in MAXIMA {
        let mut parts = name.split('.');
        let first = parts.next().and_then(|section| table.get(section));
        let value = parts.try_fold(first, |value, part| Some(value?.as_table()?.get(part))).flatten();
        let numbers = match value {
            Some(Value::Array(values)) => values.iter().filter_map(number).collect(),
            Some(value) => number(value).into_iter().collect(),
            None => Vec::new(),
        };
        if let Some(number) = numbers.into_iter().find(|number| !(0.0..=*most).contains(number)) {
            return Err(((*name).to_owned(), format!("must be a number from 0 to {most}, not {number}")));
        }
    }
    Ok(())
}

/// Returns a number of a setting; `None` for other values.
pub(crate) fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

#[cfg(test)]
mod tests;
