//! Name resolution for a chapter, among existing cards and the chapter's new cards.

use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::extraction::{Introduced, IntroducedKind};
use super::heads::{may_be_one_body, may_be_one_place, may_be_one_thing};
use crate::language::is_han;
use crate::names::{NamedPiece, Names, TITLES_BEFORE, TITLES_BEHIND, fold, without_article};
use crate::numerals::is_digit_or_numeral;
use crate::part::ENTITIES;
use crate::piece::PieceKind;

/// A piece that may be meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// What it is.
    pub kind: PieceKind,
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// The result of resolving a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NameLookup {
    /// One piece, with the name used in references.
    One(Candidate),
    /// No piece; these have a similar name.
    Nobody(Vec<Candidate>),
    /// Any of several pieces.
    Several(Vec<Candidate>),
}

/// The existing cards, and the cards to create.
#[derive(Debug)]
pub(super) struct CastIndex {
    names: Arc<Names>,
    /// Cards to be removed, unless the chapter introduces them again.
    leaving: BTreeSet<(PieceKind, usize)>,
    /// All cards previously made from the chapter.
    own: BTreeSet<(PieceKind, usize)>,
    /// The chapter's new characters, things and events, with their names.
    new: Vec<(PieceKind, String, Vec<String>)>,
}

impl CastIndex {
    pub(super) fn new(
        names: Arc<Names>,
        leaving: BTreeSet<(PieceKind, usize)>,
        own: BTreeSet<(PieceKind, usize)>,
    ) -> Self {
        Self { names, leaving, own, new: Vec::new() }
    }

    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    /// Returns whether the chapter made the piece before.
    pub(super) fn is_own(&self, kind: PieceKind, position: usize) -> bool {
        self.own.contains(&(kind, position))
    }

    /// Registers a new card.
    pub(super) fn introduce(&mut self, one: &Introduced) {
        let names = std::iter::once(&one.name).chain(&one.alias).map(|name| fold(name)).collect();
        self.new.push((one.kind.into(), one.name.trim().to_owned(), names));
    }

    /// Registers another name of a piece.
    pub(super) fn rename(&mut self, name: &str, piece: &Candidate) {
        let is_known = matches!(self.find(name, &[piece.kind]), NameLookup::One(known) if known == *piece);
        if !is_known {
            self.new.push((piece.kind, piece.name.clone(), vec![fold(name)]));
        }
    }

    /// Registers an event of the chapter.
    pub(super) fn happen(&mut self, title: &str) {
        self.new.push((PieceKind::Event, title.to_owned(), vec![fold(title)]));
    }

    /// Resolves `name` among pieces of the kinds; for an unknown name, returns the pieces with a similar name.
    pub(super) fn find(&self, name: &str, kinds: &[PieceKind]) -> NameLookup {
        match self.find_exactly(name, kinds) {
            NameLookup::Nobody(_) => NameLookup::Nobody(self.alike(name, kinds, &self.leaving)),
            found => found,
        }
    }

    /// Same as [`find`](Self::find), without similar names, which take the time of the whole cast.
    pub(super) fn find_exactly(&self, name: &str, kinds: &[PieceKind]) -> NameLookup {
        let mut found: Vec<Candidate> = self.introduced(name, kinds).collect();
        let there = kinds.iter().flat_map(|kind| self.names.find(*kind, name)).filter(|named| self.is_there(named));
        found.extend(there.map(|named| self.candidate(named)));
        match found.as_slice() {
            [_] => NameLookup::One(found.remove(0)),
            [] => NameLookup::Nobody(Vec::new()),
            _ => NameLookup::Several(found),
        }
    }

    /// Same as [`find`](Self::find), for pieces to be made by the chapter itself: ignores pieces previously made from
    /// the chapter.
    pub(super) fn find_other(&self, name: &str, kinds: &[PieceKind]) -> NameLookup {
        if let Some(new) = self.introduced(name, kinds).next() {
            return NameLookup::One(new);
        }
        let others = |named: &&NamedPiece| !self.own.contains(&(named.kind, named.position));
        let found: Vec<&NamedPiece> =
            kinds.iter().flat_map(|kind| self.names.find(*kind, name)).filter(others).collect();
        match found.as_slice() {
            [one] => NameLookup::One(self.candidate(one)),
            [] => NameLookup::Nobody(self.alike(name, kinds, &self.own)),
            several => NameLookup::Several(several.iter().map(|named| self.candidate(named)).collect()),
        }
    }

    /// Iterates over the chapter's new cards with the name.
    fn introduced<'c>(&'c self, name: &str, kinds: &'c [PieceKind]) -> impl Iterator<Item = Candidate> + use<'c> {
        let folded = fold(name);
        let new = self.new.iter().filter(move |(kind, _, names)| {
            kinds.contains(kind) && !folded.is_empty() && names.iter().any(|own| is_one_name(*kind, own, &folded))
        });
        new.map(|(kind, name, _)| Candidate { kind: *kind, id: String::new(), name: name.clone() })
    }

    /// Returns whether a piece remains, and is not to be made again by the chapter.
    fn is_there(&self, named: &NamedPiece) -> bool {
        let place = (named.kind, named.position);
        let folded = fold(&named.name);
        let is_made_again = || {
            self.own.contains(&place)
                && self.new.iter().any(|(kind, _, names)| {
                    *kind == named.kind && names.iter().any(|own| is_one_name(*kind, own, &folded))
                })
        };
        !self.leaving.contains(&place) && !is_made_again()
    }

    /// Returns the pieces that `name` may mean: those whose name differs only in a title, a given name or an article, and
    /// things described in other words.
    fn alike(&self, name: &str, kinds: &[PieceKind], hidden: &BTreeSet<(PieceKind, usize)>) -> Vec<Candidate> {
        let mut alike = BTreeSet::new();
        for kind in kinds {
            let called = self.names.all(*kind).map(|named| (&named.name, named)).chain(self.names.aliases(*kind));
            let staying = called.filter(|(_, named)| !hidden.contains(&(*kind, named.position)));
            let meant = staying.filter(|(other, _)| are_alike(*kind, name, other));
            alike.extend(meant.map(|(_, named)| self.candidate(named)));
        }
        // One chapter may call a new place or organisation by two names.
        let is_body = |kind: &PieceKind| matches!(kind, PieceKind::Location | PieceKind::Organisation);
        let new = self.new.iter().filter(|(kind, ..)| kinds.contains(kind) && is_body(kind));
        let meant = new.filter(|(kind, _, names)| names.iter().any(|other| are_alike(*kind, name, other)));
        alike.extend(meant.map(|(kind, own, _)| match self.names.find(*kind, own).as_slice() {
            [named] => self.candidate(named),
            _ => Candidate { kind: *kind, id: String::new(), name: own.clone() },
        }));
        alike.into_iter().collect()
    }

    /// Returns the piece under its name, or under its id if the name is ambiguous.
    fn candidate(&self, named: &NamedPiece) -> Candidate {
        let there = ENTITIES.iter().flat_map(|kind| self.names.find(*kind, &named.name));
        let bearers =
            there.filter(|named| self.is_there(named)).count() + self.introduced(&named.name, ENTITIES).count();
        let is_entity = ENTITIES.contains(&named.kind);
        let is_unclear = is_entity && bearers > 1 || named.name.is_empty();
        let name = if is_unclear && !named.id.is_empty() { &named.id } else { &named.name };
        Candidate { kind: named.kind, id: named.id.clone(), name: name.clone() }
    }
}

impl From<IntroducedKind> for PieceKind {
    fn from(kind: IntroducedKind) -> Self {
        match kind {
            IntroducedKind::Character => Self::Character,
            IntroducedKind::Location => Self::Location,
            IntroducedKind::Item => Self::Item,
            IntroducedKind::Organisation => Self::Organisation,
        }
    }
}

/// Returns the name with titles removed, and whether a title was present.
fn bare(name: &str) -> (String, bool) {
    let folded = fold(name);
    let mut rest = folded.as_str();
    while let Some((_, shorter)) = rest.split_once(' ').filter(|(title, _)| TITLES_BEFORE.contains(title)) {
        rest = shorter.trim_start();
    }
    if rest.chars().all(is_han) {
        let shorter = rest.strip_prefix(['老', '小', '阿']).filter(|shorter| !shorter.is_empty());
        rest = shorter.unwrap_or(rest);
        let shorter =
            TITLES_BEHIND.iter().find_map(|title| rest.strip_suffix(title)).filter(|shorter| !shorter.is_empty());
        rest = shorter.unwrap_or(rest);
    }
    (rest.to_owned(), rest.len() < folded.len())
}

/// Returns whether two folded names of new pieces are one. An article is part of a person's name only.
fn is_one_name(kind: PieceKind, one: &str, other: &str) -> bool {
    one == other || kind != PieceKind::Character && without_article(one) == without_article(other)
}

/// Returns whether two different names may mean the same person or thing.
fn are_alike(kind: PieceKind, one: &str, other: &str) -> bool {
    let ((a, a_titled), (b, b_titled)) = (bare(one), bare(other));
    if a.is_empty() || b.is_empty() {
        return false;
    }
    // `old` belongs to the name of a thing: an old compass is no new one.
    if a == b && kind != PieceKind::Item {
        return true;
    }
    match kind {
        PieceKind::Character => {}
        PieceKind::Item => return may_be_one_thing(&fold(one), &fold(other)),
        PieceKind::Location => return may_be_one_place(&a, &b) || may_be_one_body(&a, &b),
        PieceKind::Organisation => return may_be_one_body(&a, &b),
        _ => return false,
    }
    let (short, long) = if a.chars().count() <= b.chars().count() { (&a, &b) } else { (&b, &a) };
    if short.chars().all(is_han) {
        // `林先生` and `林深`; `建国` and `周建国`.
        let is_surname = short.chars().count() == 1 && long.starts_with(short.as_str()) && (a_titled || b_titled);
        let is_given =
            short.chars().count() >= 2 && (long.ends_with(short.as_str()) || long.starts_with(short.as_str()));
        return is_surname || is_given;
    }
    let words: Vec<&str> = long.split(' ').collect();
    words.len() > 1 && short.split(' ').count() == 1 && words.contains(&short.as_str())
}

/// Returns whether two names have one surname and two given names of which neither is short for the other, such as
/// `Tom Bright` and `Ned Bright`, `沈砚秋` and `沈砚清`: a slip of the text, or two people of one family.
pub(super) fn has_other_given_name(one: &str, other: &str) -> bool {
    let ((a, _), (b, _)) = (bare(one), bare(other));
    if a.chars().chain(b.chars()).all(is_han) {
        let is_one_length = a.chars().count() == b.chars().count() && a.chars().count() > 1;
        return is_one_length && a != b && a.chars().next() == b.chars().next();
    }
    let ends = |name: &str| {
        name.split_once(' ')
            .zip(name.rsplit_once(' '))
            .map(|((first, _), (_, last))| (first.to_owned(), last.to_owned()))
    };
    ends(&a).zip(ends(&b)).is_some_and(|((first, surname), (other, others))| {
        surname == others && !first.starts_with(other.as_str()) && !other.starts_with(first.as_str())
    })
}

/// Returns whether two names differ in nothing but a number, such as `三根青丝` and `五根青丝`, `3 Elm Row` and `5 Elm Row`: a
/// slip of the text, or two things.
pub(super) fn has_other_number(one: &str, other: &str) -> bool {
    let parts = |name: &str| {
        let parts = name.split(is_digit_or_numeral).filter(|part| !part.is_empty());
        let parts: Vec<String> = parts.map(str::to_owned).collect();
        (name.starts_with(is_digit_or_numeral), name.contains(is_digit_or_numeral), parts)
    };
    let (a, b) = (fold(one), fold(other));
    let ((starts, has, parts), others) = (parts(&a), parts(&b));
    a != b && has && !parts.is_empty() && (starts, has, parts) == others
}

#[cfg(test)]
mod tests {
    use super::{PieceKind, are_alike, has_other_given_name, has_other_number};

    #[test]
    fn another_number_in_a_name_is_noticed() {
        for (a, b) in
            [("五根青丝", "三根青丝"), ("十二张方子", "十三张方子"), ("5 Elm Row", "13 Elm Row"), ("一亿户", "兩萬户")]
        {
            assert!(has_other_number(a, b) && has_other_number(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("三根青丝", "三根青丝"),
            ("三根青丝", "青丝"),
            ("三根青丝", "三根红丝"),
            ("五", "三"),
            ("the key", "the watch"),
        ] {
            assert!(!has_other_number(a, b) && !has_other_number(b, a), "{a} {b}");
        }
    }

    #[test]
    fn another_given_name_of_the_same_family_is_noticed() {
        for (a, b) in [("Ned Bright", "Tom Bright"), ("沈砚清", "沈砚秋"), ("Dr. Ned Bright", "Tom Bright")] {
            assert!(has_other_given_name(a, b) && has_other_given_name(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("Thom Bright", "Thomas Bright"),
            ("Mrs. Vane", "Dorothea Vane"),
            ("Brimstone", "Tom Bright"),
            ("Tom Bright", "Tom Bright"),
            ("Tom Bright", "Tom Hale"),
            ("诸葛孔明", "诸葛亮"),
            ("阿青", "林青"),
            ("林深", "林深"),
        ] {
            assert!(!has_other_given_name(a, b) && !has_other_given_name(b, a), "{a} {b}");
        }
    }

    #[test]
    fn names_that_differ_in_a_title_or_a_given_name_are_alike() {
        let alike = [
            ("林先生", "林深"),
            ("老周", "周建国"),
            ("建国", "周建国"),
            ("林深", "林深博士"),
            ("Dr. Hale", "Mara Hale"),
            ("Mara", "Mara Hale"),
            ("Inspector Vane", "Vane"),
            ("Mrs. Prewitt", "Ada Prewitt"),
            ("Nurse Prewitt", "Ada Prewitt"),
            ("沈老爷", "沈砚秋"),
        ];
        for (a, b) in alike {
            assert!(are_alike(PieceKind::Character, a, b), "{a} {b}");
        }
        let others = [("林深", "林青"), ("周明", "周建国"), ("Mara Hale", "Tom Hale"), ("Ann", "Anna")];
        for (a, b) in others {
            assert!(!are_alike(PieceKind::Character, a, b), "{a} {b}");
        }
        assert!(are_alike(PieceKind::Location, "the harbour", "Harbour"));
        assert!(!are_alike(PieceKind::Location, "旧港", "旧港码头"));
        assert!(are_alike(PieceKind::Location, "青阳", "青阳县"));
        assert!(are_alike(PieceKind::Organisation, "the Dean mill", "Dean Paper Mill"));
        assert!(!are_alike(PieceKind::Organisation, "the Dean mill", "Hay's mill"));
        assert!(are_alike(PieceKind::Item, "The Brass Compass", "old compass"));
        assert!(!are_alike(PieceKind::Item, "new compass", "old compass"));
        assert!(are_alike(PieceKind::Item, "黄铜罗盘", "旧罗盘"));
    }
}
