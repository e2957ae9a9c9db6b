//! Validated names.

use std::fmt;

use serde::Serialize;

use crate::Error;

/// The maximum length of a name, in bytes.
const LONGEST: usize = 256;

/// The owner of a memory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct UserId(String);

impl UserId {
    /// Validates `name` as a user. Fails with [`Error::Unfit`] if the name is empty, longer than 256 bytes or has
    /// control characters.
    pub fn new(name: &str) -> Result<Self, Error> {
        Ok(Self(checked("user", name)?))
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Returns `name` if valid in every engine.
pub(crate) fn checked(what: &'static str, name: &str) -> Result<String, Error> {
    let unfit = |reason: String| Err(Error::Unfit { what, reason });
    if name.is_empty() {
        unfit("it is empty".into())
    } else if name.len() > LONGEST {
        unfit(format!("it has {} bytes, at most {LONGEST} are kept", name.len()))
    } else if name.chars().any(char::is_control) {
        unfit("it has control characters".into())
    } else {
        Ok(name.to_owned())
    }
}
