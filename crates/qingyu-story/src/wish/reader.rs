//! Parses the clauses and named pieces of a request.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{ReadWish, RequestedPiece, WishDemand, WishKind, WishObstacle, fields, words};
use crate::names::{Names, fold};
use crate::piece::{Piece, PieceKind};
use crate::{RoleType, Story};

/// The greatest length of a name, in characters.
const NAME: usize = 40;

/// A parser for a request.
pub(super) struct RequestReader<'s> {
    names: Names,
    story: &'s Story,
    /// The last mentioned piece, with the last mentioned field.
    pub(super) subject: Option<(RequestedPiece, Option<&'static str>)>,
    pub(super) requests: Vec<ReadWish>,
}

impl<'s> RequestReader<'s> {
    /// Creates a parser without wishes for a request about `story`.
    pub(super) fn of(story: &'s Story) -> Self {
        Self { names: Names::of(story), story, subject: None, requests: Vec::new() }
    }

    /// Appends a wish.
    pub(super) fn note(&mut self, text: &str, want: WishDemand) {
        let text = text.trim().to_owned();
        match &want {
            WishDemand::Set { piece, field, .. } | WishDemand::Rework { piece, field, .. } => {
                self.subject = Some((piece.clone(), fields::named(piece.kind, field)));
            }
            WishDemand::Add { piece, .. } => self.subject = Some((piece.clone(), None)),
            _ => {}
        }
        self.requests.push(ReadWish { text, want });
    }

    /// Appends an unparsed clause, unless the clause is merely polite or asks to leave the rest unchanged.
    pub(super) fn note_other(&mut self, text: &str) {
        let bare = text.trim().trim_matches(|c: char| c.is_ascii_punctuation() || "，。！？、；".contains(c)).trim();
        let folded = fold(bare);
        if !folded.is_empty()
            && !words::COURTESIES.iter().any(|polite| folded == *polite || folded.strip_suffix('了') == Some(polite))
        {
            self.note(text, WishDemand::Other);
        }
    }

    /// Appends a field to a piece requested earlier in the same request.
    pub(super) fn add_to_new(&mut self, piece: &RequestedPiece, field: &str, value: &Value) {
        let same = self.requests.iter_mut().rev().find_map(|request| match &mut request.want {
            WishDemand::Add { piece: new, fields } if new == piece => Some(fields),
            _ => None,
        });
        if let Some(said) = same {
            said.insert(field.to_owned(), value.clone());
        }
    }

    /// Returns the wish to set the field called `word` of the piece called `name` to `said`; `None` without such a
    /// field.
    pub(super) fn set(&mut self, name: &str, word: &str, said: &str) -> Option<WishDemand> {
        let kind = WishKind::Change;
        let piece = match self.with_field(name, word)? {
            Ok(piece) => piece,
            Err(obstacle) => return Some(WishDemand::Impossible { kind, obstacle }),
        };
        let field = fields::named(piece.kind, word)?;
        Some(self.set_field(piece, field, said))
    }

    /// Returns the wish to set `field` of `piece` to the value parsed from `said`.
    pub(super) fn set_field(&mut self, piece: RequestedPiece, field: &str, said: &str) -> WishDemand {
        let Some(value) = fields::value(piece.kind, field, said) else {
            let obstacle = WishObstacle::UnfitValue { field: field.to_owned(), value: said.to_owned() };
            return WishDemand::Impossible { kind: WishKind::Change, obstacle };
        };
        if piece.id.is_empty() && !piece.kind.is_single() {
            self.add_to_new(&piece, field, &value);
        }
        WishDemand::Set { piece, field: field.to_owned(), value }
    }

    /// Returns the wish to clear the field called `word` of the piece called `name`; `None` without such a field.
    pub(super) fn clear(&self, name: &str, word: &str) -> Option<WishDemand> {
        let kind = WishKind::Remove;
        Some(match self.with_field(name, word)? {
            Err(obstacle) => WishDemand::Impossible { kind, obstacle },
            Ok(piece) => {
                let field = fields::named(piece.kind, word).filter(|field| !matches!(*field, "name" | "title"))?;
                let value = fields::empty(piece.kind, field);
                WishDemand::Set { piece, field: field.to_owned(), value }
            }
        })
    }

    /// Returns the piece called `name` with a field called `word`, or the obstacle; `None` if `word` is no field.
    fn with_field(&self, name: &str, word: &str) -> Option<Result<RequestedPiece, WishObstacle>> {
        if !fields::is_field(word) || name.chars().count() > NAME {
            return None;
        }
        let found = self.find(name);
        if found.is_empty() {
            return Some(Err(WishObstacle::UnknownPiece { name: name.to_owned() }));
        }
        let fitting = found.into_iter().filter(|piece| fields::named(piece.kind, word).is_some()).collect::<Vec<_>>();
        match fitting.as_slice() {
            [] => None,
            [one] => Some(Ok(one.clone())),
            _ => Some(Err(WishObstacle::AmbiguousPiece { name: name.to_owned() })),
        }
    }

    /// Returns all pieces matching `name`: by name, by name after a word for the kind or role, or by the role alone.
    pub(super) fn find(&self, name: &str) -> Vec<RequestedPiece> {
        let name = bare(name);
        let mut found = self.named(name, PieceKind::ALL.into_iter());
        if found.is_empty() {
            let folded = fold(name);
            let singles = words::SINGLES.iter().filter(|(_, known)| known.contains(&folded.as_str()));
            found.extend(singles.map(|(kind, _)| RequestedPiece {
                kind: *kind,
                id: String::new(),
                name: String::new(),
            }));
        }
        if found.is_empty()
            && let Some(role) = fields::role(name)
        {
            let plays = |role_type: RoleType| serde_json::to_value(role_type).is_ok_and(|known| known == role);
            let cast = self.story.characters.iter().filter(|card| plays(card.role_type));
            found.extend(cast.map(|card| asked(&Piece::Character(card.clone()))));
        }
        if found.is_empty() {
            for (kind, known) in words::CLASSES {
                for class in known {
                    let folded = fold(name);
                    if let Some(rest) = folded.strip_prefix(class).filter(|rest| !rest.is_empty()) {
                        let rest = name.get(name.len().saturating_sub(rest.len())..).unwrap_or_default();
                        found.extend(self.named(bare(rest), [kind].into_iter()));
                    }
                }
            }
            found.dedup();
        }
        found
    }

    fn named(&self, name: &str, kinds: impl Iterator<Item = PieceKind>) -> Vec<RequestedPiece> {
        let kinds = kinds.filter(|kind| !matches!(kind, PieceKind::Document | PieceKind::Promise));
        let pieces = kinds.flat_map(|kind| {
            let bearers = self.names.find(kind, name).into_iter();
            bearers.filter_map(move |named| self.story.piece(kind, named.position))
        });
        pieces.map(|piece| asked(&piece)).collect()
    }

    /// Returns the only piece matching `name`, or the obstacle.
    pub(super) fn only(&self, name: &str) -> Result<RequestedPiece, WishObstacle> {
        let name = bare(name).to_owned();
        match self.find(&name).as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(WishObstacle::UnknownPiece { name }),
            _ => Err(WishObstacle::AmbiguousPiece { name }),
        }
    }

    /// Returns the relations between two characters.
    pub(super) fn between(&self, one: &str, other: &str) -> Vec<RequestedPiece> {
        let (Ok(one), Ok(other)) = (self.only(one), self.only(other)) else { return Vec::new() };
        let means =
            |end: &str, piece: &RequestedPiece| self.named(end, [PieceKind::Character].into_iter()).contains(piece);
        let relations = self.story.character_relations.iter().filter(|relation| {
            means(&relation.from, &one) && means(&relation.to, &other)
                || means(&relation.from, &other) && means(&relation.to, &one)
        });
        relations.map(|relation| asked(&Piece::Relation(relation.clone()))).collect()
    }

    /// Returns wishes for the fields named in `text` with their piece, as `X的Y` or `X's Y`.
    pub(super) fn reworks(&self, text: &str, possessives: &[&str]) -> Vec<WishDemand> {
        let mut wants = Vec::new();
        for mention in self.names.mentions(text) {
            let [named] = mention.bearers.as_slice() else { continue };
            let rest = &text[mention.end..];
            let Some(rest) = possessives.iter().find_map(|mark| rest.strip_prefix(mark)) else { continue };
            let Some(piece) = self.story.piece(named.kind, named.position) else { continue };
            if let Some((field, _)) = leading_field(piece.kind(), rest) {
                let before = piece.fields().remove(field).unwrap_or(Value::Null);
                wants.push(WishDemand::Rework { piece: asked(&piece), field: field.to_owned(), before });
            }
        }
        wants.dedup();
        wants
    }

    /// Returns the wish for a new piece.
    pub(super) fn add(&self, kind: PieceKind, name: &str, description: &str) -> WishDemand {
        let mut fields = BTreeMap::new();
        let folded = fold(description);
        let roles = words::ROLES.iter().flat_map(|(role, known)| known.iter().map(move |word| (*role, *word)));
        let role = roles.filter(|(_, word)| has_word(&folded, word)).max_by_key(|(_, word)| word.len());
        if let Some((role, _)) = role.filter(|_| kind == PieceKind::Character) {
            fields.insert("role_type".to_owned(), role.into());
        }
        WishDemand::Add { piece: RequestedPiece { kind, id: String::new(), name: bare(name).to_owned() }, fields }
    }

    /// Returns the wish to remove the piece called `name`; `None` if `name` is a description.
    pub(super) fn remove(&self, name: &str, looks_like_a_name: bool) -> Option<WishDemand> {
        match self.only(name) {
            Ok(piece) if piece.kind.is_single() => None,
            Ok(piece) => Some(WishDemand::Remove { piece }),
            Err(WishObstacle::UnknownPiece { .. }) if !looks_like_a_name => None,
            Err(obstacle) => Some(WishDemand::Impossible { kind: WishKind::Remove, obstacle }),
        }
    }
}

/// Returns the request's reference to a piece.
pub(super) fn asked(piece: &Piece) -> RequestedPiece {
    let name = if piece.kind().is_single() { String::new() } else { piece.label() };
    RequestedPiece { kind: piece.kind(), id: piece.id().to_owned(), name }
}

/// Returns the field of `kind` at the start of `text`, and the rest.
pub(super) fn leading_field(kind: PieceKind, text: &str) -> Option<(&'static str, &str)> {
    let folded = text.to_ascii_lowercase();
    let known = words::fields(kind).iter().flat_map(|(field, known)| known.iter().map(move |word| (*field, *word)));
    let fitting = known.filter(|(_, word)| {
        let rest = folded.strip_prefix(word);
        rest.is_some_and(|rest| !word.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    });
    fitting.max_by_key(|(_, word)| word.len()).map(|(field, word)| (field, &text[word.len()..]))
}

/// Returns the single-instance piece with a field called `word`.
pub(super) fn single_with(word: &str) -> Option<RequestedPiece> {
    let kind =
        [PieceKind::Style, PieceKind::Worldview].into_iter().find(|kind| fields::named(*kind, word).is_some())?;
    Some(RequestedPiece { kind, id: String::new(), name: String::new() })
}

/// Returns the kind of piece in `description`, from the last word for a kind.
pub(super) fn class(description: &str) -> Option<PieceKind> {
    let folded = fold(description);
    let known = words::CLASSES.iter().flat_map(|(kind, known)| known.iter().map(move |word| (*kind, *word)));
    let found = known.filter(|(_, word)| has_word(&folded, word));
    found.max_by_key(|(_, word)| folded.rfind(word).map(|at| (at + word.len(), word.len()))).map(|(kind, _)| kind)
}

/// Returns whether `text` contains `word`; a Latin word must stand alone.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        !word.is_ascii() || !latin(text[..at].chars().next_back()) && !latin(text[at + word.len()..].chars().next())
    })
}

/// Returns whether `text` contains a negation.
pub(super) fn is_negated(text: &str) -> bool {
    let folded = fold(text);
    words::NEGATIONS.iter().any(|word| folded.contains(word))
}

/// Trims whitespace, quotation marks and closing marks from `name`.
pub(super) fn bare(name: &str) -> &str {
    name.trim_matches(|c: char| c.is_whitespace() || "“”‘’「」『』《》〈〉\"'，,。．.：:！!、".contains(c))
}

/// A tracker for quotation marks while iterating over a text.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    depth: u32,
    straight: bool,
}

impl Quotes {
    /// Updates the state with the next letter.
    pub(super) fn pass(&mut self, letter: char) {
        match letter {
            '“' | '「' | '『' | '《' => self.depth += 1,
            '”' | '」' | '』' | '》' => self.depth = self.depth.saturating_sub(1),
            '"' => self.straight = !self.straight,
            _ => {}
        }
    }

    /// Returns whether the next letter is within quotation marks.
    pub(super) fn inside(&self) -> bool {
        self.depth > 0 || self.straight
    }
}
