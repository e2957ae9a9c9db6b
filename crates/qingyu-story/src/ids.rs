//! Stable ids for pieces, never reused.

use std::collections::{BTreeMap, BTreeSet};

use crate::Story;
use crate::names::fold;
use crate::piece::{Piece, PieceKind};

/// Assigns an id such as `o-1` or `c-4` to every piece of `story` without an id; existing ids remain.
///
/// Of two pieces of one kind with a duplicate id, the later piece receives a new id. Numbers only grow: an id is never
/// reused, even after its piece was deleted ([`Story::last_ids`] holds the highest numbers).
pub fn assign(story: &mut Story) {
    let mut issuer = Issuer::of(story);
    for kind in numbered_kinds() {
        let mut seen = BTreeSet::new();
        for position in 0..story.count(kind) {
            let Some(mut piece) = story.piece(kind, position) else { continue };
            if piece.id().trim().is_empty() || !seen.insert(piece.id().to_owned()) {
                let id = issuer.next(kind);
                seen.insert(id.clone());
                piece.set_id(id);
                story.replace(position, piece);
            }
        }
    }
    issuer.remember_in(story);
}

/// Assigns ids to the pieces of `resent`, rewritten by an agent: pieces of the same name keep their id from `before`,
/// the rest receive new ids.
///
/// The name takes precedence over an id in the input (for relations: both ends and the kind). A piece with an unknown
/// name and an unclaimed id from `before` is a renamed piece. References by id inside `resent` are updated.
pub fn adopt(before: &Story, resent: &mut Story) {
    let given = Issuer::of(before);
    let mut issuer = given.clone();
    issuer.see(resent);
    let mut moved: BTreeMap<(PieceKind, String), String> = BTreeMap::new();
    for kind in numbered_kinds() {
        let old: Vec<Piece> = (0..before.count(kind)).filter_map(|position| before.piece(kind, position)).collect();
        let new: Vec<Piece> = (0..resent.count(kind)).filter_map(|position| resent.piece(kind, position)).collect();
        let mut claimed = BTreeSet::new();
        let mut ids: Vec<Option<String>> = new.iter().map(|piece| claim_by_name(&old, piece, &mut claimed)).collect();
        let known: BTreeSet<&str> = old.iter().map(Piece::id).collect();
        for (piece, id) in new.iter().zip(&mut ids) {
            let sent = piece.id();
            let may_keep = !sent.trim().is_empty() && (known.contains(sent) || given.is_fresh(sent));
            if id.is_none() && may_keep && claimed.insert(sent.to_owned()) {
                *id = Some(sent.to_owned());
            }
        }
        for (position, (mut piece, id)) in new.into_iter().zip(ids).enumerate() {
            let id = id.unwrap_or_else(|| issuer.next(kind));
            if !piece.id().is_empty() && piece.id() != id {
                moved.entry((kind, piece.id().to_owned())).or_insert_with(|| id.clone());
            }
            piece.set_id(id);
            resent.replace(position, piece);
        }
    }
    redirect(resent, &moved);
    issuer.remember_in(resent);
}

/// Updates references by id to the current ids of their targets.
pub(crate) fn redirect(story: &mut Story, moved: &BTreeMap<(PieceKind, String), String>) {
    if moved.is_empty() {
        return;
    }
    for kind in PieceKind::ALL {
        for position in 0..story.count(kind) {
            let Some(mut piece) = story.piece(kind, position) else { continue };
            let mut changed = false;
            for (to, name) in piece.references_mut() {
                if let Some(id) = to.iter().find_map(|to| moved.get(&(*to, name.clone()))) {
                    name.clone_from(id);
                    changed = true;
                }
            }
            if changed {
                story.replace(position, piece);
            }
        }
    }
}

fn claim_by_name(old: &[Piece], piece: &Piece, claimed: &mut BTreeSet<String>) -> Option<String> {
    let same = old.iter().find(|old| same_name(old, piece) && !old.id().is_empty() && !claimed.contains(old.id()))?;
    claimed.insert(same.id().to_owned());
    Some(same.id().to_owned())
}

/// Returns whether two pieces of one kind have the same name; compares relations by ends and kind, facts by statement.
pub(crate) fn same_name(a: &Piece, b: &Piece) -> bool {
    match (a, b) {
        (Piece::Relation(a), Piece::Relation(b)) => {
            a.kind == b.kind && fold(&a.from) == fold(&b.from) && fold(&a.to) == fold(&b.to)
        }
        (Piece::Fact(a), Piece::Fact(b)) => fold(&a.label()) == fold(&b.label()) && a.unit == b.unit,
        _ => !a.name().trim().is_empty() && fold(a.name()) == fold(b.name()),
    }
}

fn numbered_kinds() -> impl Iterator<Item = PieceKind> {
    PieceKind::ALL.into_iter().filter(|kind| !kind.is_single())
}

/// The id generator of one story.
#[derive(Debug, Clone, Default)]
pub(crate) struct Issuer {
    last: BTreeMap<String, u64>,
}

impl Issuer {
    /// Returns a generator with all present and past ids of `story`.
    pub(crate) fn of(story: &Story) -> Self {
        let mut issuer = Self { last: story.last_ids.clone() };
        issuer.see(story);
        issuer
    }

    /// Returns a generator with only the numbers of [`Story::last_ids`].
    pub(crate) fn remembered(story: &Story) -> Self {
        Self { last: story.last_ids.clone() }
    }

    /// Registers the ids in `story`.
    pub(crate) fn see(&mut self, story: &Story) {
        numbered_kinds().flat_map(|kind| story.parts(kind)).for_each(|part| self.note(part.id()));
    }

    /// Registers a used id.
    pub(crate) fn note(&mut self, id: &str) {
        if let Some((prefix, number)) = parse(id) {
            match self.last.get_mut(prefix) {
                Some(last) => *last = number.max(*last),
                None => drop(self.last.insert(prefix.to_owned(), number)),
            }
        }
    }

    /// Returns a new id.
    pub(crate) fn next(&mut self, kind: PieceKind) -> String {
        let last = self.last.entry(kind.prefix().to_owned()).or_default();
        *last = last.saturating_add(1);
        format!("{}-{last}", kind.prefix())
    }

    /// Returns whether `id` was never used: the id has a foreign form, or a number above all used numbers.
    pub(crate) fn is_fresh(&self, id: &str) -> bool {
        parse(id).is_none_or(|(prefix, number)| number > self.last.get(prefix).copied().unwrap_or_default())
    }

    /// Registers `id` for a new piece, if never used and not in use.
    pub(crate) fn take(&mut self, id: &str, in_use: bool) -> bool {
        let free = !id.trim().is_empty() && !in_use && self.is_fresh(id);
        if let Some((prefix, number)) = parse(id)
            && free
        {
            self.last.insert(prefix.to_owned(), number);
        }
        free
    }

    /// Stores the highest numbers in `story`, so that they survive a deletion.
    pub(crate) fn remember_in(&self, story: &mut Story) {
        story.last_ids.clone_from(&self.last);
    }
}

/// Parses prefix and number of an id of the project's form. Numbers near the end of the range are treated as foreign.
pub(crate) fn parse(id: &str) -> Option<(&str, u64)> {
    let (prefix, number) = id.trim().split_once('-')?;
    let ours = PieceKind::ALL.iter().any(|kind| kind.prefix() == prefix);
    let number: u64 = number.parse().ok()?;
    (ours && number < u64::from(u32::MAX)).then_some((prefix, number))
}
