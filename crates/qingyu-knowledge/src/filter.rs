//! Conditions on the metadata of chunks: `role_type=protagonist and traits contains 勇敢`.
//!
//! ```text
//! condition := all ("or" all)*          all := one ("and" one)*         one := "not" one | "(" condition ")" | test
//! test := field ("=" | "!=" | "<" | "<=" | ">" | ">=") value            equal, different, on one side
//!       | field ["not"] "in" "(" value ("," value)* ")"                 one of several
//!       | field ["not"] "in" value ".." value                           from, until; both included
//!       | field ["not"] "contains" value                                a list holds it, or a text has it inside
//! ```
//!
//! A value is a word, a number, or anything between double quotes (`\"` and `\\` inside); full-width marks are accepted
//! as plain marks. Texts are compared without case, width and traditional characters. A field with several values
//! matches if any value does; a missing field fails every test, so `not` of a test matches.
//!
//! A condition that begins with `{` is JSON in the form of document databases, with `$eq`, `$ne`, `$gt`, `$gte`, `$lt`,
//! `$lte`, `$in`, `$nin`, `$contains`, `$and`, `$or` and `$not`: `{"traits": {"$contains": "勇敢"}}`.

mod columns;
mod condition;
mod json;
mod parse;
mod words;

pub use columns::Columns;
pub use condition::{FieldComparison, Fields, Filter, Value, comparable};
pub use parse::FilterParseError;

impl Filter {
    /// Parses a condition, in words or as JSON.
    ///
    /// Fails with the position and the expected token.
    pub fn parse(text: &str) -> Result<Self, FilterParseError> {
        if text.trim_start().starts_with('{') { json::parse(text) } else { parse::parse(text) }
    }
}

#[cfg(test)]
mod tests;
