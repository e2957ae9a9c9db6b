//! Label values from outside.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Maximum number of values per label.
const MOST: usize = 100;
/// Maximum length of a value, in bytes.
const LONGEST: usize = 128;
/// The value replacing all further values.
const OTHER: &str = "other";

/// The values of a label, such as names of models or tools: the first hundred to occur. A model can call a tool by any
/// name, so the number of time series would otherwise be unbounded.
#[derive(Debug, Default)]
pub(super) struct LabelValues(Mutex<BTreeSet<String>>);

impl LabelValues {
    /// Returns `value` if among the first values, else `other`; overlong values are also `other`.
    pub(super) fn limit<'v>(&self, value: &'v str) -> &'v str {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.contains(value) {
            return value;
        }
        if known.len() >= MOST || value.len() > LONGEST {
            return OTHER;
        }
        known.insert(value.to_owned());
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_the_limit_are_others() {
        let values = LabelValues::default();
        assert_eq!(values.limit(&"x".repeat(LONGEST + 1)), OTHER);
        for number in 0..MOST {
            let name = format!("tool_{number}");
            assert_eq!(values.limit(&name), name);
        }
        assert_eq!((values.limit("tool_7"), values.limit("tool_100")), ("tool_7", OTHER));
    }
}
