//! What looks wrong in the chapters of a manuscript. Nothing of it stops an import.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Chapter;
use crate::Origin;

/// Something that looks wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "warning", rename_all = "snake_case")]
pub enum Warning {
    /// Numbers are missing between two chapters that follow each other.
    Missing {
        /// The first number that is missing.
        from: u32,
        /// The last one.
        until: u32,
        /// The chapter after them.
        before: String,
        /// Where that begins.
        origin: Origin,
    },
    /// A number stands twice.
    Twice {
        /// The number.
        number: u32,
        /// The chapter that has it again.
        title: String,
        /// Where that begins.
        origin: Origin,
    },
    /// A number is lower than the one before.
    Backwards {
        /// The number.
        number: u32,
        /// The one before.
        after: u32,
        /// The chapter.
        title: String,
        /// Where it begins.
        origin: Origin,
    },
    /// A chapter has no text.
    NoText {
        /// The chapter.
        title: String,
        /// Where it begins.
        origin: Origin,
    },
}

pub(super) fn look(chapters: &[Chapter]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut seen: BTreeMap<u32, ()> = BTreeMap::new();
    let (mut last, mut volume) = (None, None);
    for chapter in chapters {
        let (title, origin) = (chapter.title.clone(), chapter.origin.clone());
        if chapter.characters == 0 {
            warnings.push(Warning::NoText { title: title.clone(), origin: origin.clone() });
        }
        let Some(number) = chapter.number else { continue };
        // A new volume may count from the beginning again.
        if volume != Some(&chapter.volume) && number <= 1 {
            seen.clear();
            last = None;
        }
        volume = Some(&chapter.volume);
        let expected = last.map_or(1, |last: u32| last.saturating_add(1));
        if seen.insert(number, ()).is_some() {
            warnings.push(Warning::Twice { number, title, origin });
            continue;
        }
        if number > expected {
            warnings.push(Warning::Missing { from: expected, until: number - 1, before: title, origin });
        } else if let Some(after) = last.filter(|last| number < *last) {
            warnings.push(Warning::Backwards { number, after, title, origin });
        }
        last = Some(number);
    }
    warnings
}
