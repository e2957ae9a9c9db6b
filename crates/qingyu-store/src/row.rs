//! Values in columns: JSON and counts.

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;

/// Writes a value as JSON. Values of the story and of runs always serialise.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values serialise")
}

/// Reads a value that was written as JSON; `what` names it in the error.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str, what: impl FnOnce() -> String) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::BadRow { what: what(), message: error.to_string() })
}

/// Reads a time.
pub(crate) fn to_time(text: &str) -> Result<Timestamp, Error> {
    text.parse()
        .map_err(|error: jiff::Error| Error::BadRow { what: format!("time {text}"), message: error.to_string() })
}

/// SQLite counts in i64; nothing here comes near its end.
pub(crate) fn to_count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The other way; what was written is never negative.
pub(crate) fn from_count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// A pattern for `LIKE … ESCAPE '\'` that matches what begins with `prefix`.
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

/// Bytes as people compare them.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
