//! Conditions in the language of Milvus.
//!
//! A field has several values, and Milvus tests one at a time. The texts of a field are kept as one text with a mark
//! before and after each, in which `like` finds a whole one or a part. Its numbers are a list, whose places are tested one by
//! one; `exists` makes a place that is not there false instead of unknown, so that `not` is right.

use qingyu_knowledge::Filter;
use qingyu_knowledge::engine::Error;
use qingyu_knowledge::filter::{Comparison, Fields, Value, comparable};
use serde_json::{Map, Value as Json, json};

use super::NAME;
use crate::names;

/// The most numbers of a field.
const MOST: usize = 24;
/// Stands before and after each text. Neither it nor what stands for letters is a character.
const MARK: char = '\u{fdd0}';

/// What is kept of fields, by their names.
type Kept = Map<String, Json>;

/// The texts and the numbers of fields.
pub(super) fn kept(fields: &Fields) -> Result<(Kept, Kept), Error> {
    let (mut texts, mut numbers) = (Kept::new(), Kept::new());
    for (field, values) in fields {
        let name = names::field(field);
        let own: String = values.iter().filter_map(text_of).map(|text| format!("{text}{MARK}")).collect();
        if !own.is_empty() {
            texts.insert(name.clone(), json!(format!("{MARK}{own}")));
        }
        let own: Vec<f64> = values.iter().filter_map(number_of).collect();
        if own.len() > MOST {
            return Err(Error::Unsupported { engine: NAME, what: format!("more than {MOST} numbers in {field}") });
        }
        if !own.is_empty() {
            numbers.insert(name, json!(own));
        }
    }
    Ok((texts, numbers))
}

/// The condition, true or false of every entity.
pub(super) fn translate(filter: &Filter) -> Result<String, Error> {
    Ok(match filter {
        Filter::Is { field, comparison, value } => match (text_of(value), number_of(value)) {
            (Some(text), _) if *comparison == Comparison::Equal => like(field, &format!("{MARK}{text}{MARK}")),
            (Some(_), _) => return Err(orderless(field)),
            (None, number) => number.map_or_else(nothing, |number| any(field, &[(*comparison, number)])),
        },
        Filter::In { field, values } => {
            let texts = values.iter().filter_map(text_of).map(|text| like(field, &format!("{MARK}{text}{MARK}")));
            let numbers = values.iter().filter_map(number_of).map(|number| any(field, &[(Comparison::Equal, number)]));
            join(&texts.chain(numbers).collect::<Vec<_>>(), " or ", nothing)
        }
        Filter::Range { field, from, until } => match (number_of(from), number_of(until)) {
            (Some(from), Some(until)) => any(field, &[(Comparison::AtLeast, from), (Comparison::AtMost, until)]),
            (None, None) => return Err(orderless(field)),
            // Of two kinds: nothing lies between them.
            _ => nothing(),
        },
        Filter::Contains { field, value } => match (text_of(value), number_of(value)) {
            (Some(text), _) => like(field, &text),
            (None, number) => number.map_or_else(nothing, |number| any(field, &[(Comparison::Equal, number)])),
        },
        Filter::And(all) => join(&all.iter().map(translate).collect::<Result<Vec<_>, _>>()?, " and ", everything),
        Filter::Or(any) => join(&any.iter().map(translate).collect::<Result<Vec<_>, _>>()?, " or ", nothing),
        Filter::Not(other) => format!("(not {})", translate(other)?),
    })
}

fn everything() -> String {
    "(scope != \"\")".to_owned()
}

fn nothing() -> String {
    "(scope == \"\")".to_owned()
}

fn like(field: &str, part: &str) -> String {
    let path = format!("texts[\"{}\"]", names::field(field));
    format!("(exists {path} and {path} like \"%{part}%\")")
}

/// That one of the numbers stands so to all of these.
fn any(field: &str, tests: &[(Comparison, f64)]) -> String {
    let one = |place: usize| {
        let path = format!("numbers[\"{}\"][{place}]", names::field(field));
        let sign = |comparison: Comparison| if comparison == Comparison::Equal { "==" } else { comparison.sign() };
        let tests: Vec<String> = tests
            .iter()
            .map(|(comparison, number)| format!("{path} {} {}", sign(*comparison), json!(number)))
            .collect();
        format!("(exists {path} and {})", tests.join(" and "))
    };
    join(&(0..MOST).map(one).collect::<Vec<_>>(), " or ", nothing)
}

fn join(parts: &[String], between: &str, empty: fn() -> String) -> String {
    if parts.is_empty() { empty() } else { format!("({})", parts.join(between)) }
}

/// A text without what means something in a pattern: other marks stand for it here and there.
fn text_of(value: &Value) -> Option<String> {
    let plain = |c: char| match c {
        '%' => '\u{fdd1}',
        '_' => '\u{fdd2}',
        '\\' => '\u{fdd3}',
        '"' => '\u{fdd4}',
        '\'' => '\u{fdd5}',
        c if c.is_control() || ('\u{fdd0}'..='\u{fdd6}').contains(&c) => '\u{fdd6}',
        c => c,
    };
    match comparable(value).into_owned() {
        Value::Text(text) => Some(text.chars().map(plain).collect()),
        Value::Number(_) => None,
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Text(_) => None,
    }
}

fn orderless(field: &str) -> Error {
    Error::Unsupported { engine: NAME, what: format!("texts of {field} compared by their order") }
}
