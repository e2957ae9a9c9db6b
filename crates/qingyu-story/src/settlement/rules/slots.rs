//! The slots of patterns: named parts, and placeholders for names.

use std::collections::BTreeMap;

use regex::Regex;

use super::line::{PEOPLE, PLACES, POWERS, THINGS};

/// Returns the compiled pattern with its slots replaced.
pub(super) fn compile(pattern: &str, slots: &BTreeMap<String, String>) -> Regex {
    Regex::new(&expand_slots(pattern, slots))
        .unwrap_or_else(|error| panic!("the patterns are part of the program: {error}"))
}

/// Returns the pattern with its slots replaced by their patterns, by name, and placeholders for names by ranges of characters.
pub(super) fn expand_slots(pattern: &str, slots: &BTreeMap<String, String>) -> String {
    const DEEPEST: usize = 6;
    let mut text = pattern.to_owned();
    for _ in 0..DEEPEST {
        let before = text.clone();
        for (name, slot) in slots {
            text = text.replace(&format!("{{{name}}}"), slot);
        }
        if text == before {
            break;
        }
    }
    // Inside a character class the ranges are inserted bare; elsewhere they form a class.
    for (name, range) in [("{P}", PEOPLE), ("{L}", PLACES), ("{I}", THINGS), ("{O}", POWERS)] {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find(name) {
            let before = &rest[..at];
            filled.push_str(before);
            let is_in_class = is_in_class(&filled);
            match is_in_class {
                true => filled.push_str(range),
                false => filled.push_str(&format!("[{range}]")),
            }
            rest = &rest[at + name.len()..];
        }
        filled.push_str(rest);
        text = filled;
    }
    text
}

/// Returns whether the pattern ends inside an open character class.
fn is_in_class(pattern: &str) -> bool {
    let mut is_open = false;
    let mut is_escaped = false;
    for c in pattern.chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_open = true,
            ']' => is_open = false,
            _ => {}
        }
    }
    is_open
}
