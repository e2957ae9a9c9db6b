//! A condition as data: whether fields match, and how it is written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::quoted;
use crate::analysis::fold;

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

/// The metadata of a chunk: values by field.
pub type Fields = BTreeMap<String, Vec<Value>>;

/// A comparison of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldComparison {
    /// Equal.
    Equal,
    /// Before; of numbers, less.
    Less,
    /// Before or equal.
    AtMost,
    /// After; of numbers, greater.
    Greater,
    /// After or equal.
    AtLeast,
}

/// A condition on [`Fields`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// Any value of the field passes the comparison with the given value. Numbers and texts do not compare.
    Is {
        /// The field.
        field: String,
        /// The comparison.
        comparison: FieldComparison,
        /// The value to compare with.
        value: Value,
    },
    /// Any value of the field is in the list.
    In {
        /// The field.
        field: String,
        /// The values; an empty list matches nothing.
        values: Vec<Value>,
    },
    /// Any value of the field lies in the range, both ends included.
    Range {
        /// The field.
        field: String,
        /// The lower bound.
        from: Value,
        /// The upper bound.
        until: Value,
    },
    /// Any value of the field equals the given value, or contains the given text.
    Contains {
        /// The field.
        field: String,
        /// The value or text.
        value: Value,
    },
    /// All conditions match; an empty list matches everything.
    And(Vec<Filter>),
    /// Any condition matches; an empty list matches nothing.
    Or(Vec<Filter>),
    /// The condition does not match.
    Not(Box<Filter>),
}

impl Filter {
    /// Returns a comparison of the field's value with `value`.
    pub fn is(field: &str, comparison: FieldComparison, value: impl Into<Value>) -> Self {
        Self::Is { field: field.to_owned(), comparison, value: value.into() }
    }

    /// Returns whether `fields` match.
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

    /// Returns the tested fields, in order, with duplicates.
    pub fn fields(&self) -> Vec<&str> {
        match self {
            Self::And(several) | Self::Or(several) => several.iter().flat_map(Self::fields).collect(),
            Self::Not(other) => other.fields(),
            Self::Is { field, .. }
            | Self::In { field, .. }
            | Self::Range { field, .. }
            | Self::Contains { field, .. } => vec![field.as_str()],
        }
    }

    /// Returns whether a value of the tested field matches; `false` for conditions other than tests.
    pub(super) fn fits_value(&self, own: &Value) -> bool {
        match self {
            Self::Is { comparison, value, .. } => comparison.holds(own, value),
            Self::In { values, .. } => values.iter().any(|value| FieldComparison::Equal.holds(own, value)),
            Self::Range { from, until, .. } => {
                FieldComparison::AtLeast.holds(own, from) && FieldComparison::AtMost.holds(own, until)
            }
            Self::Contains { value, .. } => contains(own, value),
            Self::And(_) | Self::Or(_) | Self::Not(_) => false,
        }
    }
}

impl FieldComparison {
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

    /// Returns the sign in conditions; SQL has the same.
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
        (own, sought) => FieldComparison::Equal.holds(own, sought),
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(formatter, "")
    }
}

impl Filter {
    /// Writes the condition, with `not` (possibly empty) before the word of a test. A negated test is written no deeper
    /// than the test, and without needless parentheses: so every condition shallow enough to be parsed can be parsed
    /// again.
    fn write(&self, formatter: &mut fmt::Formatter<'_>, not: &str) -> fmt::Result {
        match self {
            Self::Is { field, comparison: FieldComparison::Equal, value } if !not.is_empty() => {
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

    /// Returns whether the negation has an own sign or word.
    fn is_negated_within(&self) -> bool {
        match self {
            Self::Is { comparison, .. } => *comparison == FieldComparison::Equal,
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

/// A condition among alternatives: `and` binds more tightly than `or`.
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
            Self::Text(text) => formatter.write_str(&quoted(text)),
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

/// Returns the form of a value in which engines store and compare it.
pub fn comparable(value: &Value) -> Cow<'_, Value> {
    match value {
        Value::Number(_) => Cow::Borrowed(value),
        Value::Text(text) => Cow::Owned(Value::Text(fold(text))),
    }
}
