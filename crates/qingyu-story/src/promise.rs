//! Promises to the reader: plants and their payoffs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A promise, and where it is kept alive. Places are names or ids of outline nodes or documents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Promise {
    /// Given by the studio, such as `promise-3`; may be left empty.
    pub id: String,
    /// A short name, such as `义眼里的录像`; unique in a story.
    pub name: String,
    /// Other names under which chapters speak of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alias: Vec<String>,
    /// What the reader is led to expect.
    pub description: String,
    /// Where it is planted.
    pub planted: Vec<String>,
    /// Where the reader is reminded of it.
    pub advanced: Vec<String>,
    /// Where it must be paid at the latest.
    pub due: Option<String>,
    /// Where it is paid.
    pub paid: Vec<String>,
    /// From 1 (colour) to 10 (the story turns on it).
    pub importance: u8,
}

impl Promise {
    /// Returns whether the promise is paid nowhere.
    pub fn is_open(&self) -> bool {
        self.paid.is_empty()
    }

    /// Returns whether the promise is planted, and not paid, in the places for which `is_before` is true. A promise that
    /// is planted nowhere is open from the beginning.
    pub fn is_open_after(&self, is_before: impl Fn(&String) -> bool) -> bool {
        let is_planted = self.planted.is_empty() || self.planted.iter().any(&is_before);
        is_planted && !self.paid.iter().any(is_before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_is_open_until_it_is_paid() {
        let places = |places: &[&str]| places.iter().map(|place| (*place).to_owned()).collect();
        let promise = Promise { planted: places(&["1"]), paid: places(&["3"]), ..Promise::default() };
        assert!(!promise.is_open() && Promise::default().is_open());
        let open = |before: &[&str]| promise.is_open_after(|place| before.contains(&place.as_str()));
        assert_eq!([open(&[]), open(&["1", "2"]), open(&["1", "2", "3"])], [false, true, false]);
        assert!(Promise::default().is_open_after(|_| false));
    }
}
