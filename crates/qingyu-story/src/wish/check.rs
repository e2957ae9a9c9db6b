//! Validates a story against a wish.

use serde_json::Value;

use super::{ReadWish, RequestedPiece, Wish, WishDemand, WishState, fields, length};
use crate::names::fold;
use crate::piece::{Piece, PieceKind};
use crate::report::Evidence;
use crate::{Language, Story};

/// The most characters quoted from a field.
const QUOTE: usize = 80;

impl ReadWish {
    /// Returns the wish with the status in `story`. `is_untouched` means the work on the wish changed nothing.
    pub fn check(&self, story: &Story, is_untouched: bool, language: Language) -> Wish {
        let say = |chinese: &str, english: &str| match language {
            Language::Zh => chinese.to_owned(),
            Language::En => english.to_owned(),
        };
        let gone = |piece: &RequestedPiece| match language {
            Language::Zh => format!("故事里没有“{}”", piece.name),
            Language::En => format!("the story has no \"{}\"", piece.name),
        };
        let (state, evidence, reason) = match &self.want {
            WishDemand::Set { piece, field, value } => match locate(story, piece) {
                Some(found) => {
                    let held = found.fields().remove(field).unwrap_or(Value::Null);
                    let state = if fields::holds(&held, value) { WishState::Met } else { WishState::Unmet };
                    (state, vec![evidence(&found, field)], String::new())
                }
                None => (WishState::Unmet, Vec::new(), gone(piece)),
            },
            WishDemand::Rework { piece, field, before } => match locate(story, piece) {
                Some(found) if found.fields().get(field) == Some(before) => {
                    (WishState::Unmet, vec![evidence(&found, field)], say("这一项没有改动", "this field is as it was"))
                }
                Some(found) => {
                    let reason = say(
                        "这一项改过了；改得是否合意，要人或模型来看",
                        "the field has changed; whether as wished, a reader must say",
                    );
                    (WishState::NotCheckable, vec![evidence(&found, field)], reason)
                }
                None => (WishState::Unmet, Vec::new(), gone(piece)),
            },
            WishDemand::Add { piece, fields: said } => match locate(story, piece) {
                Some(found) => {
                    let held = found.fields();
                    let other = said
                        .iter()
                        .find(|(field, value)| !fields::holds(held.get(*field).unwrap_or(&Value::Null), value));
                    match other {
                        Some((field, _)) => (WishState::Unmet, vec![evidence(&found, field)], String::new()),
                        None => (WishState::Met, vec![evidence(&found, name_field(piece.kind))], String::new()),
                    }
                }
                None => (WishState::Unmet, Vec::new(), gone(piece)),
            },
            WishDemand::Remove { piece } => match locate(story, piece) {
                Some(found) => (WishState::Unmet, vec![evidence(&found, name_field(piece.kind))], String::new()),
                None => (WishState::Met, vec![remaining_names(story, piece.kind)], String::new()),
            },
            WishDemand::Mention { words } => match mention(story, words) {
                Some(found) => (WishState::Met, vec![found], String::new()),
                None => {
                    let reason = say(
                        "没有原样出现；换了说法没有，要人或模型来看",
                        "not there in these words; whether in others, a reader must say",
                    );
                    (WishState::NotCheckable, Vec::new(), reason)
                }
            },
            WishDemand::Length { length } => {
                let (state, evidence) = length::measured(story, length, language);
                let reason = match state {
                    WishState::NotCheckable => {
                        say("大纲还没有排到，写成后再核对", "not outlined yet; to be checked once it is written")
                    }
                    _ => String::new(),
                };
                (state, vec![evidence], reason)
            }
            WishDemand::Impossible { obstacle, .. } => (WishState::Unmet, Vec::new(), obstacle.text(language)),
            WishDemand::Other if is_untouched => {
                (WishState::Unmet, Vec::new(), say("故事没有任何改动", "nothing in the story has changed"))
            }
            WishDemand::Other => (
                WishState::NotCheckable,
                Vec::new(),
                say("规则核对不了，要人或模型来看", "rules cannot check it; a reader must say"),
            ),
        };
        Wish { text: self.text.clone(), kind: self.kind(), state, evidence, reason }
    }
}

/// Returns the current piece for a request: by id, with the name as fallback for requests without an id.
pub(super) fn locate(story: &Story, asked: &RequestedPiece) -> Option<Piece> {
    let mut pieces = story.pieces_of(asked.kind);
    if asked.kind.is_single() {
        return pieces.next();
    }
    if asked.id.is_empty() {
        return pieces.find(|piece| piece.is_called(&asked.name));
    }
    pieces.find(|piece| piece.id() == asked.id)
}

/// Returns the name field of pieces of `kind`.
pub(super) fn name_field(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Event | PieceKind::PlotNode | PieceKind::Document => "title",
        PieceKind::Relation => "type",
        PieceKind::Worldview => "summary",
        PieceKind::Style => "tone",
        PieceKind::Fact => "subject",
        _ => "name",
    }
}

fn evidence(piece: &Piece, field: &str) -> Evidence {
    let held = piece.fields().remove(field).unwrap_or(Value::Null);
    let quote = match held {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(entries) => {
            let text = |entry: &Value| entry.as_str().map_or_else(|| entry.to_string(), str::to_owned);
            entries.iter().map(text).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    };
    let list = piece.kind().list();
    let anchor =
        if piece.kind().is_single() { format!("{list}/{field}") } else { format!("{list}/{}/{field}", piece.id()) };
    Evidence { anchor, quote: clip(&quote) }
}

/// Returns the remaining names of a kind.
fn remaining_names(story: &Story, kind: PieceKind) -> Evidence {
    let names = story.pieces_of(kind).map(|piece| piece.label()).collect::<Vec<_>>();
    Evidence { anchor: kind.list().to_owned(), quote: clip(&names.join(", ")) }
}

/// Returns the first occurrence of `words`.
fn mention(story: &Story, words: &str) -> Option<Evidence> {
    let wanted = fold(words);
    let holds = |value: &Value| match value {
        Value::String(text) => fold(text).contains(&wanted),
        Value::Array(entries) => {
            entries.iter().any(|entry| entry.as_str().is_some_and(|text| fold(text).contains(&wanted)))
        }
        _ => false,
    };
    story.pieces().find_map(|piece| {
        let fields = piece.fields();
        let (field, _) = fields.iter().find(|(field, value)| *field != "id" && holds(value))?;
        Some(evidence(&piece, field))
    })
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(QUOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
