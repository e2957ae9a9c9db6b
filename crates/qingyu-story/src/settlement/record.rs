//! What a document remembers of its settlement, so that all that came from it can follow it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::edit::Step;
use crate::names::fold;
use crate::piece::{Piece, PieceKind};
use crate::{Quotation, Story, TimelineEvent, time};

/// What was settled from a document. It travels with the document: through undo, branches, export and deletion.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settled {
    /// The version of the document that was settled.
    pub version: u32,
    /// A digest of the text that was settled. If it is not that of the text, the text was edited since.
    pub digest: String,
    /// The pieces that came from it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<Made>,
    /// What it added to pieces that were there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<Added>,
    /// The facts that were there and that it tells too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retold: Vec<Retold>,
    /// The pieces whose sentence was edited away since. They come back with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
    /// What it added in a sentence that was edited away since. It comes back with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Added>,
    /// The words by which it tells that years pass, such as `五年后`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub years: Vec<String>,
    /// What it tells otherwise than it was planned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<Differs>,
}

/// When or where a planned event takes place by the words of a document, if that is not as planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Differs {
    /// The id of the event.
    pub event: String,
    /// `timestamp` or `location`.
    pub field: String,
    /// What the document tells.
    pub told: String,
    /// The words of the document.
    pub quote: String,
}

impl Differs {
    /// Whether `event` still stands otherwise in the story.
    pub(crate) fn is_open(&self, event: &TimelineEvent) -> bool {
        match self.field.as_str() {
            "timestamp" => are_other_times(&event.timestamp, &self.told),
            _ => event.location.as_deref().is_some_and(|planned| are_other_places(planned, &self.told)),
        }
    }
}

/// Whether two times certainly differ. A time without a year is of the year of the planned one.
pub(crate) fn are_other_times(planned: &str, told: &str) -> bool {
    let other = time::parse(&with_year(planned, told)).moment();
    time::parse(planned).moment().zip(other).is_some_and(|(one, other)| one.is_before(&other) || other.is_before(&one))
}

/// The time that is told, with the year of the planned one if it is not understood without.
pub(crate) fn with_year(planned: &str, told: &str) -> String {
    let told = told.trim();
    let year = planned.find('年').map_or("", |at| &planned[..at + '年'.len_utf8()]);
    let dated = format!("{year}{told}");
    match time::parse(told).moment().is_none() && time::parse(&dated).moment().is_some() {
        true => dated,
        false => told.to_owned(),
    }
}

/// Whether two names of places have nothing in common; a room is in its house.
pub(crate) fn are_other_places(planned: &str, told: &str) -> bool {
    let (planned, told) = (fold(planned), fold(told));
    !planned.is_empty() && !told.is_empty() && !planned.contains(&told) && !told.contains(&planned)
}

/// A piece that came from a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Made {
    /// What it is.
    #[schemars(with = "String")]
    pub kind: PieceKind,
    /// Its id.
    pub id: String,
    /// A digest of it as it was made. If it is not that of the piece, somebody changed the piece since.
    pub digest: String,
    /// The words of the document that it rests on; of a fact they stand in its source.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// Whether it was made when an edit was followed, not when the chapter was settled.
    #[serde(default, skip_serializing_if = "is_false")]
    pub followed: bool,
}

/// An entry that a document added to a piece that was there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Added {
    /// What was added to.
    #[schemars(with = "String")]
    pub kind: PieceKind,
    /// Its id.
    pub id: String,
    /// The list, such as `planted` or `known_by`.
    pub field: String,
    /// The entry.
    pub entry: Value,
    /// The words of the document.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
}

/// A fact that another document, or the author, tells first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Retold {
    /// The id of the fact.
    pub id: String,
    /// The sentence that tells it again.
    pub source: Quotation,
}

/// A piece that was taken out because its sentence was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gone {
    /// Its place in its list.
    pub position: usize,
    /// The piece, with its kind.
    pub piece: Value,
    /// The words that it rested on; of a fact they stand in its source.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Added {
    /// Whether both are the same entry, by whatever words.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        (self.kind, &self.id, &self.field, &self.entry) == (other.kind, &other.id, &other.field, &other.entry)
    }
}

impl Settled {
    /// Whether nothing came from the document.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty() && self.added.is_empty() && self.retold.is_empty() && self.gone.is_empty()
    }

    /// Puts what it holds in one order, so that the same things make the same record.
    pub(super) fn sort(&mut self) {
        self.made.sort_by(|a, b| (a.kind, a.id.len(), &a.id).cmp(&(b.kind, b.id.len(), &b.id)));
        let key = |added: &Added| (added.kind, added.id.clone(), added.field.clone(), added.entry.to_string());
        self.added.sort_by_cached_key(key);
        self.lost.sort_by_cached_key(key);
        self.retold.sort_by(|a, b| (a.id.len(), &a.id).cmp(&(b.id.len(), &b.id)));
    }

    /// The record of a piece that came from the document.
    pub fn made(&self, kind: PieceKind, id: &str) -> Option<&Made> {
        self.made.iter().find(|made| made.kind == kind && made.id == id)
    }
}

/// A digest of a text: sixteen hexadecimal digits, the same on every machine. Not for secrets.
pub fn digest(text: &str) -> String {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
}

/// A digest of what a piece says: of all but its id, and of a fact without the place of its sentence.
pub(super) fn digest_of(piece: &Piece) -> String {
    let mut fields = piece.fields();
    fields.remove("id");
    if piece.kind() == PieceKind::Fact {
        fields.remove("source");
    }
    digest(&Value::Object(fields).to_string())
}

/// The steps on the documents that made the pieces of `steps`, so that a change which is nobody's opinion, such as a name
/// that is carried along, does not look like one. `steps` are not carried out yet.
pub(crate) fn kept_up(story: &Story, steps: &mut Vec<Step>) {
    let changed: Vec<(PieceKind, String, String, String)> = steps.iter().filter_map(digests).collect();
    if changed.is_empty() {
        return;
    }
    for (position, document) in story.documents.iter().enumerate() {
        let Some(settled) = &document.settled else { continue };
        let renewed = |made: &Made| {
            let is_it = |change: &&(PieceKind, String, String, String)| {
                change.0 == made.kind && change.1 == made.id && change.2 == made.digest
            };
            changed.iter().find(is_it).map(|change| change.3.clone())
        };
        let own = |step: &Step| matches!(&step.before, Some(Piece::Document(_))) && step.position == position;
        let step = steps.iter().position(own);
        let text = |document: &crate::Document| digest(&document.text);
        let now = step.and_then(|step| steps[step].after.clone());
        // The first step is the edit itself, which may change the text by hand.
        let text_follows = step != Some(0) && settled.digest == text(document);
        let is_renewed = settled.made.iter().any(|made| renewed(made).is_some());
        if !is_renewed && (!text_follows || now.is_none()) {
            continue;
        }
        let mut after = match now {
            Some(Piece::Document(after)) => after,
            _ => document.clone(),
        };
        let text_digest = text(&after);
        let Some(record) = &mut after.settled else { continue };
        for made in &mut record.made {
            if let Some(digest) = renewed(made) {
                made.digest = digest;
            }
        }
        if text_follows {
            record.digest = text_digest;
        }
        let after = Some(Piece::Document(after));
        match step {
            Some(step) => steps[step].after = after,
            None => {
                let before = Some(Piece::Document(document.clone()));
                steps.push(Step { position, before, after });
            }
        }
    }
}

/// The kind and id of a piece that a step changes, and its digest before and after.
fn digests(step: &Step) -> Option<(PieceKind, String, String, String)> {
    let (before, after) = (step.before.as_ref()?, step.after.as_ref()?);
    if before.kind() == PieceKind::Document || after.id().is_empty() {
        return None;
    }
    Some((after.kind(), after.id().to_owned(), digest_of(before), digest_of(after)))
}
