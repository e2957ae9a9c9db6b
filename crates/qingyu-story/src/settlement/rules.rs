//! What a chapter says in plain words, found without a model: ages, births, measures, counts, deaths, places, and who hands
//! what to whom.
//!
//! Few things are found, and these surely: a sentence that supposes, denies, asks, dreams or remembers says nothing here,
//! and what stands in speech is only said. `zh` and `en` read the words; `stretches` says who says them.

mod en;
mod stretches;
mod zh;

use std::ops::Range;

use serde_json::{Value, json};

use super::extraction::{Extraction, ToldFact};
use super::settle::find;
use crate::edit::Error;
use crate::language::is_han;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::{Mode, Prose, Story};
use stretches::{Stretch, Voice, stretches};

/// How sure the rules are of what they find.
pub(super) const SURE: f32 = 0.9;

/// What the rules find in a document.
///
/// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] if no one document is of that id or title.
pub fn extract(story: &Story, document: &str) -> Result<Extraction, Error> {
    let position = find(story, document)?;
    Ok(read(&Names::of_entities(story), &story.documents[position].text, |_| true))
}

/// What the rules find in the paragraphs, by their bytes, that `is_meant`.
pub(super) fn read(names: &Names, text: &str, is_meant: impl Fn(&Range<usize>) -> bool) -> Extraction {
    let prose = Prose::of(text);
    let mentions = mentions(names, text);
    let mut facts: Vec<ToldFact> = Vec::new();
    for stretch in stretches(text, &prose, &mentions, is_meant) {
        let found = match stretch.text.chars().any(is_han) {
            true => statements(&stretch, zh::READERS, &zh::when(&stretch.text)),
            false => statements(&stretch, en::READERS, &en::when(&stretch.text)),
        };
        let (mode, by) = match &stretch.voice {
            Voice::Narrator => (Mode::Narrated, None),
            Voice::Speaker(by) => (Mode::Said, by.clone()),
        };
        let told = found.into_iter().map(|found| found.told(&stretch, mode, by.clone()));
        for fact in told {
            if !facts.iter().any(|other| other == &fact) {
                facts.push(fact);
            }
        }
    }
    Extraction { facts, ..Extraction::default() }
}

/// What reads a kind of statement each.
type Readers = [fn(&Stretch<'_>, &mut Vec<Found>); 7];

/// What all readers find; from the date with which the stretch begins, except when somebody was born.
fn statements(stretch: &Stretch<'_>, readers: Readers, when: &str) -> Vec<Found> {
    let mut found = Vec::new();
    readers.iter().for_each(|read| read(stretch, &mut found));
    for one in found.iter_mut().filter(|one| one.predicate != "birth") {
        one.from = when.to_owned();
    }
    found
}

/// Somebody or something that is named in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mention {
    start: usize,
    end: usize,
    kind: PieceKind,
    name: String,
}

/// The people, places, things and organisations that a text names, from left to right; none that may be several.
fn mentions(names: &Names, text: &str) -> Vec<Mention> {
    const MEANT: [PieceKind; 4] = [PieceKind::Character, PieceKind::Location, PieceKind::Item, PieceKind::Organisation];
    let mentions = names.mentions(text).into_iter().filter_map(|mention| {
        let bearers: Vec<_> = mention.bearers.iter().filter(|named| MEANT.contains(&named.kind)).collect();
        let [one] = bearers.as_slice() else { return None };
        Some(Mention { start: mention.start, end: mention.end, kind: one.kind, name: one.name.clone() })
    });
    mentions.collect()
}

/// A statement that was found in a stretch.
#[derive(Debug, Clone, PartialEq)]
struct Found {
    subject: String,
    predicate: &'static str,
    object: Option<String>,
    value: Value,
    unit: String,
    from: String,
}

impl Found {
    fn value(subject: &Mention, predicate: &'static str, value: Value, unit: &str) -> Self {
        let (subject, unit) = (subject.name.clone(), unit.to_owned());
        Self { subject, predicate, object: None, value, unit, from: String::new() }
    }

    fn object(subject: &Mention, predicate: &'static str, object: &Mention) -> Self {
        Self { object: Some(object.name.clone()), ..Self::value(subject, predicate, Value::Null, "") }
    }

    fn told(self, stretch: &Stretch<'_>, mode: Mode, by: Option<String>) -> ToldFact {
        let Self { subject, predicate, object, value, unit, from } = self;
        ToldFact {
            subject,
            predicate: predicate.to_owned(),
            object,
            value,
            unit,
            from,
            mode,
            by,
            quote: stretch.words.trim().to_owned(),
            confidence: SURE,
            ..ToldFact::default()
        }
    }
}

/// A whole number as a value, if it is one.
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
}

/// What is left of `rest` after any of `words`, as often as they come.
fn skip<'t>(mut rest: &'t str, words: &[&str]) -> &'t str {
    while let Some(shorter) = words.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = shorter;
    }
    rest
}

/// What is left of `rest` after the first of `words` that it begins with.
fn eat<'t>(rest: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().find_map(|word| rest.strip_prefix(word))
}
