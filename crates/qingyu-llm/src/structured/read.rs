//! From the text of an answer to a validated value.

use jsonschema::Validator;
use serde_json::Value;

use super::coerce::{coerce, mend};
use super::extract::{Span, spans};
use super::scan::scan;
use crate::wire::think::last_close;
use crate::{Error, OutputSchema};

/// The most problems of one answer that are reported.
const PROBLEMS: usize = 10;

/// An overlap of a continuation with what it continues is a repetition from this many bytes on.
const REPEATED: usize = 6;

/// The longest repetition that is looked for, in bytes.
const OVERLAP: usize = 400;

/// What an answer was read as.
#[derive(Debug, PartialEq)]
pub(super) enum Reading {
    /// A value that fits the schema.
    Value { value: Value, repaired: bool },
    /// The beginning of a value.
    Cut { partial: String },
    /// Nothing that fits.
    Bad { problems: Vec<String> },
}

impl Reading {
    /// Lower is better.
    fn rank(&self) -> u8 {
        match self {
            Self::Value { repaired: false, .. } => 0,
            Self::Value { repaired: true, .. } => 1,
            Self::Cut { .. } => 2,
            Self::Bad { .. } => 3,
        }
    }
}

/// Reads answers against one schema.
pub(super) struct Reader {
    schema: Value,
    validator: Validator,
}

impl Reader {
    pub(super) fn new(output: &OutputSchema) -> Result<Self, Error> {
        let validator = jsonschema::validator_for(&output.schema)
            .map_err(|error| Error::Settings(format!("the schema {} is not valid: {error}", output.name)))?;
        Ok(Self { schema: output.schema.clone(), validator })
    }

    /// Reads one answer; `cut` says that the provider ended it at a limit.
    pub(super) fn read(&self, answer: &str, cut: bool) -> Reading {
        let spans = spans(answer);
        let fitting = spans.iter().filter(|span| span.value.as_ref().is_some_and(|value| self.fits(value)));
        // The longest, because `{}` fits any type that is all defaults.
        if let Some(value) = fitting.max_by_key(|span| span.text.len()).and_then(|span| span.value.as_ref()) {
            return self.fitting(value);
        }
        let Some(span) = spans.into_iter().max_by_key(|span| span.text.len()) else {
            let problem = if cut { "the answer was cut off before any JSON" } else { "there is no JSON in the answer" };
            return Reading::Bad { problems: vec![problem.to_owned()] };
        };
        if span.value.is_none() && (cut || !span.whole) {
            return Reading::Cut { partial: span.text.to_owned() };
        }
        match parse(&span) {
            Ok(value) => self.mend(value),
            Err(problem) => Reading::Bad { problems: vec![problem] },
        }
    }

    /// Reads an answer that goes on where `partial` stopped, repeats its end, or begins anew; returns the joined text.
    pub(super) fn read_continued(&self, partial: &str, rest: &str, cut: bool) -> (Reading, String) {
        let rest = unwrapped(rest);
        let overlap = overlap(partial, rest);
        let plain = format!("{partial}{rest}");
        let joined = format!("{partial}{}", &rest[overlap..]);
        let ways = if overlap >= REPEATED { [joined, plain] } else { [plain, joined] };
        let [first, second] = ways;
        [first, second, rest.to_owned()]
            .into_iter()
            .map(|text| (self.read(&text, cut), text))
            .min_by_key(|(reading, _)| reading.rank())
            .expect("there are three ways")
    }

    fn fits(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// Takes a value that fits; only `1.0`, an integer to JSON Schema but not to serde, may still change.
    fn fitting(&self, value: &Value) -> Reading {
        let mut mended = value.clone();
        mend(&mut mended, &self.schema);
        let repaired = mended != *value;
        Reading::Value { value: mended, repaired }
    }

    /// Takes a value that is not quite of the wanted shape.
    fn mend(&self, mut value: Value) -> Reading {
        coerce(&mut value, &self.schema);
        let problems: Vec<String> = self.validator.iter_errors(&value).take(PROBLEMS).map(|e| problem(&e)).collect();
        if problems.is_empty() { Reading::Value { value, repaired: true } } else { Reading::Bad { problems } }
    }
}

fn problem(error: &jsonschema::ValidationError<'_>) -> String {
    let path = error.instance_path().as_str();
    format!("{}: {error}", if path.is_empty() { "/" } else { path })
}

/// Parses a whole span: as it stands, as the scanner writes it, or as the repair leaves it.
fn parse(span: &Span<'_>) -> Result<Value, String> {
    if let Some(value) = &span.value {
        return Ok(value.clone());
    }
    let scan = scan(span.text);
    if scan.elided {
        return Err("the answer leaves something out with \"...\"; write it in full".to_owned());
    }
    if let Ok(value) = serde_json::from_str(&scan.normal) {
        return Ok(value);
    }
    let repaired = jsonrepair_rs::jsonrepair(&scan.normal).map_err(|error| format!("the JSON is broken: {error}"))?;
    serde_json::from_str(&repaired).map_err(|error| format!("the JSON is broken: {error}"))
}

/// A continuation without thinking and without the fence it was put in.
fn unwrapped(rest: &str) -> &str {
    let rest = last_close(rest).map_or(rest, |(_, end)| rest[end..].trim_start());
    let Some(fenced) = rest.trim_start().strip_prefix("```") else { return rest };
    let inside = fenced.split_once('\n').map_or(fenced, |(_, inside)| inside);
    inside.trim_end().trim_end_matches("```")
}

/// How many bytes at the start of `rest` repeat the end of `partial`.
fn overlap(partial: &str, rest: &str) -> usize {
    let longest = OVERLAP.min(rest.len()).min(partial.len());
    (1..=longest)
        .rev()
        .find(|&length| rest.is_char_boundary(length) && partial.as_bytes().ends_with(&rest.as_bytes()[..length]))
        .unwrap_or(0)
}
