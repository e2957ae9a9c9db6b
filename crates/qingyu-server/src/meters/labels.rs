//! Label values that come from outside.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The most values of one label.
const MOST: usize = 100;
/// The longest value, in bytes.
const LONGEST: usize = 128;
/// Stands for all further values.
const OTHER: &str = "other";

/// The values of one label, such as names of models or tools: the first hundred that occur. A model can ask for a tool by
/// any name, so that without a limit the series of a meter could grow for ever.
#[derive(Debug, Default)]
pub(super) struct LabelValues(Mutex<BTreeSet<String>>);

impl LabelValues {
    /// Returns `value` if it is among the first ones, and `other` if it is not, or is too long.
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
