//! Reading a request: sentences, clauses, and which pieces they name.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Asked, Obstacle, Request, Want, WishKind, chinese, english, fields, words};
use crate::language::is_han;
use crate::names::{Names, fold};
use crate::piece::{Piece, PieceKind};
use crate::{RoleType, Story};

/// The most clauses that are read; a longer request is a text rather than a list of changes.
const CLAUSES: usize = 60;
/// The longest name that is taken for one, in characters.
const NAME: usize = 40;

/// The wishes in `said`, in order, as `story` is before any work on them.
///
/// Read are: values of fields, new names, new pieces with a name, and what is to be taken out. Of a story that is to be
/// begun only the names and words that it must have are read. In a request for a story that is there, every clause is a wish; one that cannot
/// be read is [`Want::Other`]. What is negated is never read as its contrary.
pub fn read(said: &str, story: &Story) -> Vec<Request> {
    let said = said.replace('’', "'");
    let mut reader = Reader { names: Names::of(story), story, subject: None, requests: Vec::new() };
    let is_bare = story.pieces().next().is_none();
    for sentence in sentences(&said).into_iter().take(CLAUSES) {
        match (is_bare, sentence.chars().any(is_han)) {
            (true, true) => chinese::begin(&mut reader, sentence),
            (true, false) => english::begin(&mut reader, sentence),
            (false, true) => chinese::change(&mut reader, sentence),
            (false, false) => english::change(&mut reader, sentence),
        }
    }
    reader.requests.truncate(CLAUSES);
    reader.requests
}

/// A request that is being read.
pub(super) struct Reader<'s> {
    names: Names,
    story: &'s Story,
    /// What was spoken of last, and which field of it.
    pub(super) subject: Option<(Asked, Option<&'static str>)>,
    requests: Vec<Request>,
}

impl Reader<'_> {
    /// Takes note of a wish.
    pub(super) fn note(&mut self, text: &str, want: Want) {
        let text = text.trim().to_owned();
        match &want {
            Want::Set { piece, field, .. } | Want::Rework { piece, field, .. } => {
                self.subject = Some((piece.clone(), fields::named(piece.kind, field)));
            }
            Want::Add { piece, .. } => self.subject = Some((piece.clone(), None)),
            _ => {}
        }
        self.requests.push(Request { text, want });
    }

    /// Takes note of a clause that nothing is read from, unless it is only polite or asks that the rest stays.
    pub(super) fn note_other(&mut self, text: &str) {
        let bare = text.trim().trim_matches(|c: char| c.is_ascii_punctuation() || "，。！？、；".contains(c)).trim();
        let folded = fold(bare);
        if !folded.is_empty()
            && !words::COURTESIES.iter().any(|polite| folded == *polite || folded.strip_suffix('了') == Some(polite))
        {
            self.note(text, Want::Other);
        }
    }

    /// Adds what is said of a piece that the request has asked for before.
    pub(super) fn add_to_new(&mut self, piece: &Asked, field: &str, value: &Value) {
        let same = self.requests.iter_mut().rev().find_map(|request| match &mut request.want {
            Want::Add { piece: new, fields } if new == piece => Some(fields),
            _ => None,
        });
        if let Some(said) = same {
            said.insert(field.to_owned(), value.clone());
        }
    }

    /// The want to set the field called `word` of what is called `name` to `said`; `None` if no field is called so.
    pub(super) fn set(&mut self, name: &str, word: &str, said: &str) -> Option<Want> {
        let kind = WishKind::Change;
        let piece = match self.with_field(name, word)? {
            Ok(piece) => piece,
            Err(obstacle) => return Some(Want::Impossible { kind, obstacle }),
        };
        let field = fields::named(piece.kind, word)?;
        Some(self.set_field(piece, field, said))
    }

    /// The want to set `field` of `piece` to what `said` stands for.
    pub(super) fn set_field(&mut self, piece: Asked, field: &str, said: &str) -> Want {
        let Some(value) = fields::value(piece.kind, field, said) else {
            let obstacle = Obstacle::UnfitValue { field: field.to_owned(), value: said.to_owned() };
            return Want::Impossible { kind: WishKind::Change, obstacle };
        };
        if piece.id.is_empty() && !piece.kind.is_single() {
            self.add_to_new(&piece, field, &value);
        }
        Want::Set { piece, field: field.to_owned(), value }
    }

    /// The want to empty the field called `word` of what is called `name`; `None` if no field is called so.
    pub(super) fn clear(&self, name: &str, word: &str) -> Option<Want> {
        let kind = WishKind::Remove;
        Some(match self.with_field(name, word)? {
            Err(obstacle) => Want::Impossible { kind, obstacle },
            Ok(piece) => {
                let field = fields::named(piece.kind, word).filter(|field| !matches!(*field, "name" | "title"))?;
                let value = fields::empty(piece.kind, field);
                Want::Set { piece, field: field.to_owned(), value }
            }
        })
    }

    /// The piece called `name` that has a field called `word`, or why it cannot be told; `None` if `word` is no field.
    fn with_field(&self, name: &str, word: &str) -> Option<Result<Asked, Obstacle>> {
        if !fields::is_field(word) || name.chars().count() > NAME {
            return None;
        }
        let found = self.find(name);
        if found.is_empty() {
            return Some(Err(Obstacle::UnknownPiece { name: name.to_owned() }));
        }
        let fitting = found.into_iter().filter(|piece| fields::named(piece.kind, word).is_some()).collect::<Vec<_>>();
        match fitting.as_slice() {
            [] => None,
            [one] => Some(Ok(one.clone())),
            _ => Some(Err(Obstacle::AmbiguousPiece { name: name.to_owned() })),
        }
    }

    /// All pieces that `name` may mean: by name, by name with the word for its kind or part before it, or by the part
    /// alone.
    pub(super) fn find(&self, name: &str) -> Vec<Asked> {
        let name = bare(name);
        let mut found = self.named(name, PieceKind::ALL.into_iter());
        if found.is_empty() {
            let folded = fold(name);
            let singles = words::SINGLES.iter().filter(|(_, known)| known.contains(&folded.as_str()));
            found.extend(singles.map(|(kind, _)| Asked { kind: *kind, id: String::new(), name: String::new() }));
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

    fn named(&self, name: &str, kinds: impl Iterator<Item = PieceKind>) -> Vec<Asked> {
        let kinds = kinds.filter(|kind| !matches!(kind, PieceKind::Document | PieceKind::Promise));
        let pieces = kinds.flat_map(|kind| {
            let bearers = self.names.find(kind, name).into_iter();
            bearers.filter_map(move |named| self.story.piece(kind, named.position))
        });
        pieces.map(|piece| asked(&piece)).collect()
    }

    /// The only piece that `name` means, or why it cannot be told.
    pub(super) fn only(&self, name: &str) -> Result<Asked, Obstacle> {
        let name = bare(name).to_owned();
        match self.find(&name).as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(Obstacle::UnknownPiece { name }),
            _ => Err(Obstacle::AmbiguousPiece { name }),
        }
    }

    /// The relations between two characters.
    pub(super) fn between(&self, one: &str, other: &str) -> Vec<Asked> {
        let (Ok(one), Ok(other)) = (self.only(one), self.only(other)) else { return Vec::new() };
        let means = |end: &str, piece: &Asked| self.named(end, [PieceKind::Character].into_iter()).contains(piece);
        let relations = self.story.character_relations.iter().filter(|relation| {
            means(&relation.from, &one) && means(&relation.to, &other)
                || means(&relation.from, &other) && means(&relation.to, &one)
        });
        relations.map(|relation| asked(&Piece::Relation(relation.clone()))).collect()
    }

    /// The fields that `text` names together with the piece they are of, as `X的Y` or `X's Y`.
    pub(super) fn reworks(&self, text: &str, possessives: &[&str]) -> Vec<Want> {
        let mut wants = Vec::new();
        for mention in self.names.mentions(text) {
            let [named] = mention.bearers.as_slice() else { continue };
            let rest = &text[mention.end..];
            let Some(rest) = possessives.iter().find_map(|mark| rest.strip_prefix(mark)) else { continue };
            let Some(piece) = self.story.piece(named.kind, named.position) else { continue };
            if let Some((field, _)) = leading_field(piece.kind(), rest) {
                let before = piece.fields().remove(field).unwrap_or(Value::Null);
                wants.push(Want::Rework { piece: asked(&piece), field: field.to_owned(), before });
            }
        }
        wants.dedup();
        wants
    }

    /// The want for a new piece.
    pub(super) fn add(&self, kind: PieceKind, name: &str, description: &str) -> Want {
        let mut fields = BTreeMap::new();
        let folded = fold(description);
        let roles = words::ROLES.iter().flat_map(|(role, known)| known.iter().map(move |word| (*role, *word)));
        let role = roles.filter(|(_, word)| has_word(&folded, word)).max_by_key(|(_, word)| word.len());
        if let Some((role, _)) = role.filter(|_| kind == PieceKind::Character) {
            fields.insert("role_type".to_owned(), role.into());
        }
        Want::Add { piece: Asked { kind, id: String::new(), name: bare(name).to_owned() }, fields }
    }

    /// The want to take out what is called `name`; `None` if it is no name but a description.
    pub(super) fn remove(&self, name: &str, looks_like_a_name: bool) -> Option<Want> {
        match self.only(name) {
            Ok(piece) if piece.kind.is_single() => None,
            Ok(piece) => Some(Want::Remove { piece }),
            Err(Obstacle::UnknownPiece { .. }) if !looks_like_a_name => None,
            Err(obstacle) => Some(Want::Impossible { kind: WishKind::Remove, obstacle }),
        }
    }
}

/// The piece as a request names it.
pub(super) fn asked(piece: &Piece) -> Asked {
    let name = if piece.kind().is_single() { String::new() } else { piece.label() };
    Asked { kind: piece.kind(), id: piece.id().to_owned(), name }
}

/// The field of `kind` that `text` begins with, and what follows.
pub(super) fn leading_field(kind: PieceKind, text: &str) -> Option<(&'static str, &str)> {
    let folded = text.to_ascii_lowercase();
    let known = words::fields(kind).iter().flat_map(|(field, known)| known.iter().map(move |word| (*field, *word)));
    let fitting = known.filter(|(_, word)| {
        let rest = folded.strip_prefix(word);
        rest.is_some_and(|rest| !word.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    });
    fitting.max_by_key(|(_, word)| word.len()).map(|(field, word)| (field, &text[word.len()..]))
}

/// The kind that has a field called `word`, of those there is one piece of.
pub(super) fn single_with(word: &str) -> Option<Asked> {
    let kind =
        [PieceKind::Style, PieceKind::Worldview].into_iter().find(|kind| fields::named(*kind, word).is_some())?;
    Some(Asked { kind, id: String::new(), name: String::new() })
}

/// The kind of piece that `description` speaks of: that of the last word for a kind in it.
pub(super) fn class(description: &str) -> Option<PieceKind> {
    let folded = fold(description);
    let known = words::CLASSES.iter().flat_map(|(kind, known)| known.iter().map(move |word| (*kind, *word)));
    let found = known.filter(|(_, word)| has_word(&folded, word));
    found.max_by_key(|(_, word)| folded.rfind(word).map(|at| (at + word.len(), word.len()))).map(|(kind, _)| kind)
}

/// Whether `text` has `word`; a Latin word only by itself.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        !word.is_ascii() || !latin(text[..at].chars().next_back()) && !latin(text[at + word.len()..].chars().next())
    })
}

/// Whether `text` turns what it says into its contrary.
pub(super) fn is_negated(text: &str) -> bool {
    let folded = fold(text);
    words::NEGATIONS.iter().any(|word| folded.contains(word))
}

/// `name` without blanks, quotation marks and closing marks around it.
pub(super) fn bare(name: &str) -> &str {
    name.trim_matches(|c: char| c.is_whitespace() || "“”‘’「」『』《》〈〉\"'，,。．.：:！!、".contains(c))
}

/// The sentences of a request. A full stop within a number or a name is none.
fn sentences(said: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut quoted = Quotes::default();
    let letters: Vec<(usize, char)> = said.char_indices().collect();
    for (index, (at, letter)) in letters.iter().enumerate() {
        quoted.pass(*letter);
        let next = letters.get(index + 1).map(|(_, next)| *next);
        let ends = match letter {
            '\n' => true,
            '。' | '！' | '？' | '!' | '?' | '；' | ';' => !quoted.inside(),
            '.' => !quoted.inside() && next.is_none_or(char::is_whitespace) && !after_initial(&said[begin..*at]),
            _ => false,
        };
        if ends {
            found.push(&said[begin..*at]);
            begin = at + letter.len_utf8();
            quoted = Quotes::default();
        }
    }
    found.push(&said[begin..]);
    found.retain(|sentence| !sentence.trim().is_empty());
    found
}

/// Whether a full stop after `text` belongs to an initial or a title, such as `J.` or `Dr.`.
fn after_initial(text: &str) -> bool {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    matches!(word, "Mr" | "Mrs" | "Ms" | "Dr" | "St") || word.len() == 1 && word.starts_with(char::is_uppercase)
}

/// Whether a place of a text stands within quotation marks.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    depth: u32,
    straight: bool,
}

impl Quotes {
    /// Goes past a letter.
    pub(super) fn pass(&mut self, letter: char) {
        match letter {
            '“' | '「' | '『' | '《' => self.depth += 1,
            '”' | '」' | '』' | '》' => self.depth = self.depth.saturating_sub(1),
            '"' => self.straight = !self.straight,
            _ => {}
        }
    }

    /// Whether what follows stands within.
    pub(super) fn inside(&self) -> bool {
        self.depth > 0 || self.straight
    }
}
