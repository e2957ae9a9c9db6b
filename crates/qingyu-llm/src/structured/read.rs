//! Parses and validates the text of an answer.

use jsonschema::Validator;
use serde_json::Value;

use super::coerce::{coerce, mend, rename};
use super::extract::{JsonSpan, spans};
use super::scan::scan;
use crate::wire::think::last_close;
use crate::{Error, OutputSchema};

/// Maximum reported problems of an answer.
const PROBLEMS: usize = 10;

/// Minimum overlap, in bytes, to count as a repetition in a continuation.
const REPEATED: usize = 6;

/// Maximum repetition searched for, in bytes.
const OVERLAP: usize = 400;

/// The result of parsing an answer.
#[derive(Debug, PartialEq)]
pub(super) enum AnswerReading {
    /// A value valid for the schema.
    Value { value: Value, repaired: bool },
    /// The start of a value.
    Cut { partial: String },
    /// No valid value.
    Bad { problems: Vec<String> },
}

impl AnswerReading {
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

/// Parses answers against a schema.
pub(super) struct AnswerReader<'a> {
    schema: Value,
    validator: Validator,
    /// Other names of the fields; empty if unknown fields are dropped whatever they hold.
    synonyms: &'a [(&'a str, &'a str)],
}

impl<'a> AnswerReader<'a> {
    pub(super) fn new(output: &OutputSchema) -> Result<Self, Error> {
        let validator = jsonschema::validator_for(&output.schema)
            .map_err(|error| Error::Settings(format!("the schema {} is not valid: {error}", output.name)))?;
        Ok(Self { schema: output.schema.clone(), validator, synonyms: &[] })
    }

    /// Returns the reader with other names of the fields, as described at
    /// [`StructuredOptions::synonyms`](super::StructuredOptions::synonyms).
    pub(super) fn with_synonyms(self, synonyms: &'a [(&'a str, &'a str)]) -> Self {
        Self { synonyms, ..self }
    }

    /// Parses an answer; `cut` is set if the provider ended the answer at a limit.
    pub(super) fn read(&self, answer: &str, cut: bool) -> AnswerReading {
        let spans = spans(answer);
        let fitting = spans.iter().filter(|span| span.value.as_ref().is_some_and(|value| self.fits(value)));
        // The longest, because `{}` is valid for any type of defaults only.
        if let Some(value) = fitting.max_by_key(|span| span.text.len()).and_then(|span| span.value.as_ref()) {
            return self.fitting(value);
        }
        let Some(span) = spans.into_iter().max_by_key(|span| span.text.len()) else {
            let problem = if cut { "the answer was cut off before any JSON" } else { "there is no JSON in the answer" };
            return AnswerReading::Bad { problems: vec![problem.to_owned()] };
        };
        if span.value.is_none() && (cut || !span.whole) {
            return AnswerReading::Cut { partial: span.text.to_owned() };
        }
        match parse(&span) {
            Ok(value) => self.mend(value),
            Err(problem) => AnswerReading::Bad { problems: vec![problem] },
        }
    }

    /// Parses an answer that continues `partial`, repeats its end, or starts over; returns the joined text too.
    pub(super) fn read_continued(&self, partial: &str, rest: &str, cut: bool) -> (AnswerReading, String) {
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

    /// Accepts a valid value; only `1.0`, an integer to JSON Schema but not to serde, may still change.
    fn fitting(&self, value: &Value) -> AnswerReading {
        let mut mended = value.clone();
        mend(&mut mended, &self.schema);
        let repaired = mended != *value;
        AnswerReading::Value { value: mended, repaired }
    }

    /// Repairs and validates a value of nearly the right shape.
    fn mend(&self, mut value: Value) -> AnswerReading {
        if !self.synonyms.is_empty() {
            let problems = rename(&mut value, &self.schema, self.synonyms);
            if !problems.is_empty() {
                return AnswerReading::Bad { problems: problems.into_iter().take(PROBLEMS).collect() };
            }
        }
        coerce(&mut value, &self.schema);
        let problems: Vec<String> = self.validator.iter_errors(&value).take(PROBLEMS).map(|e| problem(&e)).collect();
        if problems.is_empty() {
            AnswerReading::Value { value, repaired: true }
        } else {
            AnswerReading::Bad { problems }
        }
    }
}

fn problem(error: &jsonschema::ValidationError<'_>) -> String {
    let path = error.instance_path().as_str();
    format!("{}: {error}", if path.is_empty() { "/" } else { path })
}

/// Parses a complete span: unchanged, normalized by the scanner, or repaired.
fn parse(span: &JsonSpan<'_>) -> Result<Value, String> {
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

/// Returns a continuation without thinking and without its code fence.
fn unwrapped(rest: &str) -> &str {
    let rest = last_close(rest).map_or(rest, |(_, end)| rest[end..].trim_start());
    let Some(fenced) = rest.trim_start().strip_prefix("```") else { return rest };
    let inside = fenced.split_once('\n').map_or(fenced, |(_, inside)| inside);
    inside.trim_end().trim_end_matches("```")
}

/// Returns the number of bytes at the start of `rest` that repeat the end of `partial`.
fn overlap(partial: &str, rest: &str) -> usize {
    let longest = OVERLAP.min(rest.len()).min(partial.len());
    (1..=longest)
        .rev()
        .find(|&length| rest.is_char_boundary(length) && partial.as_bytes().ends_with(&rest.as_bytes()[..length]))
        .unwrap_or(0)
}
