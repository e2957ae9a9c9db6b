//! The sources that a text cites, numbered in the order of citation.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::citation::{CitedSource, named_in, renumber_in};

/// The cited sources of a text, and their numbers in it.
#[derive(Debug, Default)]
pub(super) struct Citations {
    pub(super) sources: Vec<CitedSource>,
    numbers: BTreeMap<u32, u32>,
}

impl Citations {
    /// Returns the citations of `text` among the sources `known` of the project.
    pub(super) fn of(text: &str, known: &[CitedSource]) -> Self {
        let mut cited = Self::default();
        for number in named_in(text) {
            let Some(source) = known.iter().find(|source| source.number == number as usize) else { continue };
            if cited.numbers.contains_key(&number) {
                continue;
            }
            let next = cited.sources.len() + 1;
            cited.numbers.insert(number, u32::try_from(next).unwrap_or(u32::MAX));
            cited.sources.push(CitedSource { number: next, ..source.clone() });
        }
        cited
    }

    /// Returns the text with the numbers of these citations; other marks stay as they are.
    pub(super) fn renumbered(&self, text: &str) -> String {
        match self.numbers.is_empty() {
            true => text.to_owned(),
            false => renumber_in(text, |number| Some(self.numbers.get(&number).copied().unwrap_or(number))),
        }
    }

    /// Renumbers every text in a value.
    pub(super) fn renumber(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.renumbered(text),
            Value::Array(entries) => entries.iter_mut().for_each(|entry| self.renumber(entry)),
            Value::Object(members) => members.values_mut().for_each(|value| self.renumber(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
