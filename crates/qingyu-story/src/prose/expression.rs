//! Regular expressions in the tables of the program.

use regex::Regex;
use serde::{Deserialize, Deserializer};

/// Deserializes a regular expression.
pub(crate) fn expression<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Regex, D::Error> {
    let pattern = String::deserialize(deserializer)?;
    Regex::new(&pattern).map_err(serde::de::Error::custom)
}
