//! Extracts plain statements from a chapter without a model: ages, births and origins, kin and marriage, deaths,
//! whereabouts, homes, occupations, looks, possessions, handovers, measures and counts; steps of ladders, and the panels of
//! systems and games.
//!
//! - `stretches`: sentences with their speakers; `line`: a sentence with placeholders for names; `speakers`: speech
//!   tags
//! - `forms`: statement patterns; `cues`: context words which change the mode; `reports`: reported speech without
//!   quotation marks; all parsed from the files in `forms/`, with `slots` for parts that patterns share
//! - `topics`: clauses without a subject, which the topic of the sentence carries
//! - `rearranged`: Chinese sentences with relative clauses, appositions and times moved
//! - `number_words`: numbers with parts behind them, and ordinals
//! - `when`: the date at the beginning of a sentence
//! - `cast`: the known names, ladders and lead; `climbs`: sentences about ladders; `panels`: panels
//! - `referents`: the people whom pronouns mean; `english`: English words by which they are found
//! - `reduced`: other wordings of an English sentence, without what stands between a subject and its verb
//! - `restated`: further wordings, in which appositions, participles and joined verbs become clauses with their subject
//! - `told`: a found statement as an extracted fact
//! - `presence`: whether a text shows somebody as there or only speaks of them; its words: `presence_words`
//!
//! Suppositions, denials, questions and memories produce no statement; hearsay and dreams keep their mode, and
//! statements in speech are only marked as said.

mod cast;
mod climbs;
mod cues;
mod english;
mod forms;
mod line;
mod mention;
mod number_words;
mod panels;
mod presence;
mod presence_words;
mod rearranged;
mod reduced;
mod referents;
mod reports;
mod restated;
mod slots;
mod speakers;
mod stretches;
mod told;
mod topics;
mod when;

use std::ops::Range;

use super::extraction::{Extraction, ToldFact};
use super::settle::find;
use crate::edit::Error;
use crate::{Prose, Story};

pub(super) use cast::KnownCast;
use climbs::ClimbForms;
use forms::Forms;
use mention::mentions;
use panels::PanelChapter;
pub(crate) use presence::{Presence, PresenceText};
use stretches::{LineVoice, stretches};
use told::told;

/// Returns the statements found by the rules in a document.
///
/// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] unless exactly one document has the given id or title.
pub fn extract(story: &Story, document: &str) -> Result<Extraction, Error> {
    let position = find(story, document)?;
    Ok(read(&KnownCast::of(story), &story.documents[position].text, |_| true))
}

/// Returns the statements found in the paragraphs with byte ranges accepted by `is_meant`.
pub(super) fn read(cast: &KnownCast<'_>, text: &str, is_meant: impl Fn(&Range<usize>) -> bool) -> Extraction {
    let prose = Prose::of(text);
    let mentions = mentions(&cast.names, text);
    let climbs = ClimbForms::of(cast.ladders, text);
    let mut facts: Vec<ToldFact> = Vec::new();
    let (sentences, apart) = stretches(text, &prose, &mentions, &is_meant);
    for stretch in sentences {
        for found in Forms::of(stretch.language).read(&stretch.line) {
            // `I die` in a speech is figurative: the dead do not speak.
            let is_figure = found.predicate == "dies"
                && matches!(&stretch.voice, LineVoice::Speaker(Some(by)) if *by == found.subject);
            if is_figure {
                continue;
            }
            let fact = told(found, &stretch, &stretch.when);
            if !facts.iter().any(|other| other == &fact) {
                facts.push(fact);
            }
        }
        facts.extend(climbs.read(&stretch));
    }
    let chapter = PanelChapter { cast, text, prose: &prose, mentions: &mentions, apart: &apart };
    facts.extend(chapter.read(is_meant));
    Extraction { facts, ..Extraction::default() }
}
