//! What a chapter says in plain words, found without a model: ages, births and origins, kin and marriage, deaths, where people
//! are and live, what they do and look like, what they hold and hand over, measures and counts.
//!
//! - `stretches`: the sentences, with who says them; `line`: a sentence with names in place; `speakers`: who speaks
//! - `forms`: the forms of statements; `cues`: what the words around them make of them; both as data in `forms.zh.toml` and
//!   `forms.en.toml`
//! - `when`: the date with which a sentence begins
//!
//! A sentence that supposes, denies, asks or remembers says nothing here; hearsay and dreams keep their mode, and what stands
//! in speech is only said.

mod cues;
mod forms;
mod line;
mod speakers;
mod stretches;
mod when;

use std::ops::Range;

use super::extraction::{Extraction, Introduced, IntroducedKind, ToldFact};
use super::settle::find;
use crate::edit::Error;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::{Character, Language, Mode, Prose, Story};
use forms::{Forms, Found};
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

/// What the rules find in a document if these, who have no cards yet, are introduced in it: they are part of what is found.
///
/// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] if no one document is of that id or title.
pub fn extract_with(story: &Story, document: &str, introduced: &[Introduced]) -> Result<Extraction, Error> {
    let position = find(story, document)?;
    let (characters, worldview) = (story.characters.clone(), story.worldview.clone());
    let mut cast = Story { characters, worldview, ..Story::default() };
    let people = introduced.iter().filter(|one| one.kind == IntroducedKind::Character);
    cast.characters.extend(people.map(|one| Character {
        name: one.name.clone(),
        alias: one.alias.clone(),
        ..Character::default()
    }));
    let found = read(&Names::of_entities(&cast), &story.documents[position].text, |_| true);
    Ok(Extraction { entities: introduced.to_vec(), ..found })
}

/// What the rules find in the paragraphs, by their bytes, that `is_meant`.
pub(super) fn read(names: &Names, text: &str, is_meant: impl Fn(&Range<usize>) -> bool) -> Extraction {
    let prose = Prose::of(text);
    let mentions = mentions(names, text);
    let mut facts: Vec<ToldFact> = Vec::new();
    for stretch in stretches(text, &prose, &mentions, is_meant) {
        let when = match stretch.language {
            Language::Zh => when::chinese(&stretch.line.text),
            Language::En => when::english(&stretch.line.text),
        };
        for found in Forms::of(stretch.language).read(&stretch.line) {
            // `I die` of a speech is a figure: the dead do not speak.
            let is_figure =
                found.predicate == "dies" && matches!(&stretch.voice, Voice::Speaker(Some(by)) if *by == found.subject);
            if is_figure {
                continue;
            }
            let fact = told(found, &stretch, &when);
            if !facts.iter().any(|other| other == &fact) {
                facts.push(fact);
            }
        }
    }
    Extraction { facts, ..Extraction::default() }
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

/// A statement as an extraction holds it. What somebody says is said, whatever it is beside that.
fn told(found: Found, stretch: &Stretch<'_>, when: &str) -> ToldFact {
    let Found { subject, predicate, object, value, unit, mode } = found;
    let (mode, by) = match &stretch.voice {
        Voice::Narrator => (mode, None),
        Voice::Speaker(by) => (Mode::Said, by.clone()),
    };
    let from = if predicate == "birth" { String::new() } else { when.to_owned() };
    ToldFact {
        subject,
        predicate,
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
