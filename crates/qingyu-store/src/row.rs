//! Conversion of column values: JSON and counts.

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;

/// Serializes a value as JSON. Serialization of stories and runs never fails.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values serialise")
}

/// Deserializes a JSON value; `what` is the name in the error.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str, what: impl FnOnce() -> String) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::BadRow { what: what(), message: error.to_string() })
}

/// Parses a time.
pub(crate) fn to_time(text: &str) -> Result<Timestamp, Error> {
    text.parse()
        .map_err(|error: jiff::Error| Error::BadRow { what: format!("time {text}"), message: error.to_string() })
}

/// SQLite has only i64; no count comes near its maximum.
pub(crate) fn to_count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The inverse of `to_count`; stored counts are never negative.
pub(crate) fn from_count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// Returns a pattern for `LIKE … ESCAPE '\'` matching values with the prefix.
pub(crate) fn beginning(prefix: &str) -> String {
    let mut pattern = String::with_capacity(prefix.len() + 1);
    for c in prefix.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}
