//! Translation of conditions to the Milvus language.
//!
//! A field has several values, but Milvus tests a single value. The texts of a field are stored as a single text with a
//! delimiter before and after each, in which `like` finds a whole text or a part. Numbers are a list, with each index
//! tested separately; `exists` makes a missing index false instead of unknown, so that `not` is right.

use qingyu_knowledge::Filter;
use qingyu_knowledge::engine::Error;
use qingyu_knowledge::filter::{FieldComparison, Fields, Value, comparable};
use serde_json::{Map, Value as Json, json};

use super::NAME;
use crate::names;

/// Maximum number of numbers in a field.
const MOST: usize = 24;
/// The delimiter around texts. The delimiter and the substitutes of letters are noncharacters.
const MARK: char = '\u{fdd0}';

/// The stored fields, by name.
type MilvusFilter = Map<String, Json>;

/// Returns the texts and the numbers of fields.
pub(super) fn kept(fields: &Fields) -> Result<(MilvusFilter, MilvusFilter), Error> {
    let (mut texts, mut numbers) = (MilvusFilter::new(), MilvusFilter::new());
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

/// Returns the condition, either true or false for every entity.
pub(super) fn translate(filter: &Filter) -> Result<String, Error> {
    Ok(match filter {
        Filter::Is { field, comparison, value } => match (text_of(value), number_of(value)) {
            (Some(text), _) if *comparison == FieldComparison::Equal => like(field, &format!("{MARK}{text}{MARK}")),
            (Some(_), _) => return Err(orderless(field)),
            (None, number) => number.map_or_else(nothing, |number| any(field, &[(*comparison, number)])),
        },
        Filter::In { field, values } => {
            let texts = values.iter().filter_map(text_of).map(|text| like(field, &format!("{MARK}{text}{MARK}")));
            let numbers =
                values.iter().filter_map(number_of).map(|number| any(field, &[(FieldComparison::Equal, number)]));
            join(&texts.chain(numbers).collect::<Vec<_>>(), " or ", nothing)
        }
        Filter::Range { field, from, until } => match (number_of(from), number_of(until)) {
            (Some(from), Some(until)) => {
                any(field, &[(FieldComparison::AtLeast, from), (FieldComparison::AtMost, until)])
            }
            (None, None) => return Err(orderless(field)),
            // Bounds of two types: the range is empty.
            _ => nothing(),
        },
        Filter::Contains { field, value } => match (text_of(value), number_of(value)) {
            (Some(text), _) => like(field, &text),
            (None, number) => number.map_or_else(nothing, |number| any(field, &[(FieldComparison::Equal, number)])),
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

/// Returns the condition for any of the numbers to pass all tests.
fn any(field: &str, tests: &[(FieldComparison, f64)]) -> String {
    let one = |place: usize| {
        let path = format!("numbers[\"{}\"][{place}]", names::field(field));
        let sign =
            |comparison: FieldComparison| if comparison == FieldComparison::Equal { "==" } else { comparison.sign() };
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

/// Returns a text with pattern characters substituted, the same way in data and conditions.
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
