//! Conditions on the metadata of what is searched: `role_type=protagonist and traits contains 勇敢`.
//!
//! ```text
//! condition := all ("or" all)*          all := one ("and" one)*         one := "not" one | "(" condition ")" | test
//! test := field ("=" | "!=" | "<" | "<=" | ">" | ">=") value            equal, different, on one side
//!       | field ["not"] "in" "(" value ("," value)* ")"                 one of several
//!       | field ["not"] "in" value ".." value                           from, until; both included
//!       | field ["not"] "contains" value                                a list holds it, or a text has it inside
//! ```
//!
//! A value is a word, a number, or anything between double quotes (`\"` and `\\` inside); full-width marks count as their
//! plain forms. Texts are compared without regard to case, width and traditional characters. A field with several values
//! fits when one of them does; a field that is missing fits no test, hence `not` of every test.

mod columns;
mod parse;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::fold;

pub use columns::Columns;
pub use parse::ParseError;

/// A value of a field.
#[derive(Debug, Clone, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// A finite number.
    Number(f64),
    /// A text; also `true` and `false`.
    Text(String),
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Text(flag.to_string())
    }
}

/// What is known of a chunk beside its text: for each field, its values.
pub type Fields = BTreeMap<String, Vec<Value>>;

/// How a value stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// Is the same.
    Equal,
    /// Comes before; of numbers, is less.
    Less,
    /// Comes before or is the same.
    AtMost,
    /// Comes after.
    Greater,
    /// Comes after or is the same.
    AtLeast,
}

/// A condition on [`Fields`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// One of the field's values stands so to this one. Numbers and texts do not compare.
    Is {
        /// The field.
        field: String,
        /// How it stands.
        comparison: Comparison,
        /// To what.
        value: Value,
    },
    /// One of the field's values is one of these.
    In {
        /// The field.
        field: String,
        /// The values; none fits nothing.
        values: Vec<Value>,
    },
    /// One of the field's values lies between these two, both included.
    Range {
        /// The field.
        field: String,
        /// The lowest.
        from: Value,
        /// The highest.
        until: Value,
    },
    /// One of the field's values is this one, or is a text that has this text inside.
    Contains {
        /// The field.
        field: String,
        /// What is sought.
        value: Value,
    },
    /// All of these; none fits everything.
    And(Vec<Filter>),
    /// One of these; none fits nothing.
    Or(Vec<Filter>),
    /// Not this.
    Not(Box<Filter>),
}

impl Filter {
    /// Reads a condition.
    ///
    /// Fails with the place and with what was expected there.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        parse::parse(text)
    }

    /// `field = value`.
    pub fn equal(field: &str, value: impl Into<Value>) -> Self {
        Self::is(field, Comparison::Equal, value)
    }

    /// The field's value stands so to `value`.
    pub fn is(field: &str, comparison: Comparison, value: impl Into<Value>) -> Self {
        Self::Is { field: field.to_owned(), comparison, value: value.into() }
    }

    /// Whether `fields` fit.
    pub fn fits(&self, fields: &Fields) -> bool {
        match self {
            Self::And(all) => all.iter().all(|one| one.fits(fields)),
            Self::Or(any) => any.iter().any(|one| one.fits(fields)),
            Self::Not(other) => !other.fits(fields),
            Self::Is { field, .. }
            | Self::In { field, .. }
            | Self::Range { field, .. }
            | Self::Contains { field, .. } => {
                fields.get(field).is_some_and(|all| all.iter().any(|own| self.fits_value(own)))
            }
        }
    }

    /// Whether a value of the field that is tested fits; nothing fits what tests no field.
    fn fits_value(&self, own: &Value) -> bool {
        match self {
            Self::Is { comparison, value, .. } => comparison.holds(own, value),
            Self::In { values, .. } => values.iter().any(|value| Comparison::Equal.holds(own, value)),
            Self::Range { from, until, .. } => {
                Comparison::AtLeast.holds(own, from) && Comparison::AtMost.holds(own, until)
            }
            Self::Contains { value, .. } => contains(own, value),
            Self::And(_) | Self::Or(_) | Self::Not(_) => false,
        }
    }
}

impl Comparison {
    fn holds(self, own: &Value, other: &Value) -> bool {
        let order = match (own, other) {
            (Value::Number(own), Value::Number(other)) => own.partial_cmp(other),
            (Value::Text(own), Value::Text(other)) => Some(fold(own).cmp(&fold(other))),
            (Value::Number(_), Value::Text(_)) | (Value::Text(_), Value::Number(_)) => None,
        };
        order.is_some_and(|order| match self {
            Self::Equal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        })
    }

    /// The sign in conditions; SQL has the same.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }
}

fn contains(own: &Value, sought: &Value) -> bool {
    match (own, sought) {
        (Value::Text(own), Value::Text(sought)) => fold(own).contains(&fold(sought)),
        (own, sought) => Comparison::Equal.holds(own, sought),
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(formatter, "")
    }
}

impl Filter {
    /// Writes the condition, with `not` before the word of a test: it may be empty. The opposite of a test is written no deeper than the
    /// test, and nothing stands in brackets that need not: so whatever was not too deep to be read can be read again.
    fn write(&self, formatter: &mut fmt::Formatter<'_>, not: &str) -> fmt::Result {
        match self {
            Self::Is { field, comparison: Comparison::Equal, value } if !not.is_empty() => {
                write!(formatter, "{field} != {value}")
            }
            Self::Is { field, comparison, value } => write!(formatter, "{field} {} {value}", comparison.sign()),
            Self::In { field, values } => {
                write!(formatter, "{field} {not}in (")?;
                join(formatter, values, ", ")?;
                formatter.write_str(")")
            }
            Self::Range { field, from, until } => write!(formatter, "{field} {not}in {from}..{until}"),
            Self::Contains { field, value } => write!(formatter, "{field} {not}contains {value}"),
            Self::Not(other) if other.is_negated_within() => other.write(formatter, "not "),
            Self::And(all) if all.is_empty() => formatter.write_str("()"),
            Self::Or(any) if any.is_empty() => formatter.write_str("not ()"),
            Self::And(all) => join(formatter, all.iter().map(Grouped), " and "),
            Self::Or(any) => join(formatter, any.iter().map(Alternative), " or "),
            Self::Not(other) => write!(formatter, "not {}", Grouped(other)),
        }
    }

    /// Whether its opposite has a sign or a word of its own.
    fn is_negated_within(&self) -> bool {
        match self {
            Self::Is { comparison, .. } => *comparison == Comparison::Equal,
            Self::In { .. } | Self::Range { .. } | Self::Contains { .. } => true,
            Self::And(_) | Self::Or(_) | Self::Not(_) => false,
        }
    }
}

/// A condition inside another.
struct Grouped<'f>(&'f Filter);

impl fmt::Display for Grouped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Filter::And(several) | Filter::Or(several) if !several.is_empty() => write!(formatter, "({})", self.0),
            other => other.fmt(formatter),
        }
    }
}

/// A condition that is one of several alternatives: what goes together by `and` is read together first.
struct Alternative<'f>(&'f Filter);

impl fmt::Display for Alternative<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Filter::And(_) => self.0.fmt(formatter),
            other => Grouped(other).fmt(formatter),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Text(text) => formatter.write_str(&parse::quoted(text)),
        }
    }
}

fn join<T: fmt::Display>(
    formatter: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    between: &str,
) -> fmt::Result {
    for (position, item) in items.into_iter().enumerate() {
        let before = if position == 0 { "" } else { between };
        write!(formatter, "{before}{item}")?;
    }
    Ok(())
}

/// The form of a value in which engines keep and compare it.
pub fn comparable(value: &Value) -> Cow<'_, Value> {
    match value {
        Value::Number(_) => Cow::Borrowed(value),
        Value::Text(text) => Cow::Owned(Value::Text(fold(text))),
    }
}

#[cfg(test)]
mod tests;
