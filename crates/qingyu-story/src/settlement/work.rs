//! A story while it is worked on: every step is done and noted, so that all of them together are one change.

use rustc_hash::{FxHashMap, FxHashSet};

use super::record::{Made, digest_of};
use crate::edit::{Change, Step};
use crate::ids::Issuer;
use crate::piece::{Piece, PieceKind};
use crate::{Document, Story, TimelineEvent, time};

/// A story, and the steps that were done to it.
#[derive(Debug)]
pub(super) struct Work<'s> {
    pub(super) story: &'s mut Story,
    steps: Vec<Step>,
    issuer: Option<Issuer>,
}

impl<'s> Work<'s> {
    pub(super) fn on(story: &'s mut Story) -> Self {
        Self { story, steps: Vec::new(), issuer: None }
    }

    /// The same, with an issuer that knows all ids of the story, if there is one.
    pub(super) fn issuing(story: &'s mut Story, issuer: Option<Issuer>) -> Self {
        Self { issuer, ..Self::on(story) }
    }

    pub(super) fn issuer(&self) -> Option<&Issuer> {
        self.issuer.as_ref()
    }

    /// Adds a piece under a new id, an event where it happened and everything else at the end of its list; gives the id.
    pub(super) fn create(&mut self, mut piece: Piece) -> String {
        let kind = piece.kind();
        let story = &*self.story;
        let id = self.issuer.get_or_insert_with(|| Issuer::of(story)).next(kind);
        piece.set_id(id.clone());
        let position = match &piece {
            Piece::Event(event) => after_earlier(story, event),
            _ => usize::MAX,
        };
        self.restore(position, piece);
        id
    }

    /// Puts a piece that has an id into its list before `position`.
    pub(super) fn restore(&mut self, position: usize, piece: Piece) {
        let kind = piece.kind();
        if kind.in_world() && self.story.worldview.is_none() {
            let world = Piece::empty(PieceKind::Worldview);
            self.story.insert(0, world.clone());
            self.steps.push(Step { position: 0, before: None, after: Some(world) });
        }
        let position = position.min(self.story.count(kind));
        self.story.insert(position, piece.clone());
        self.steps.push(Step { position, before: None, after: Some(piece) });
    }

    /// Puts `after` in place of the piece at `position`, if it is another.
    pub(super) fn replace(&mut self, position: usize, after: Piece) {
        let before = self.story.piece(after.kind(), position).expect("the position was found in this story");
        if before != after {
            self.story.replace(position, after.clone());
            self.steps.push(Step { position, before: Some(before), after: Some(after) });
        }
    }

    /// As [`replace`](Self::replace), for a change that is nobody's opinion: the document that made the piece takes note.
    pub(super) fn amend(&mut self, position: usize, after: Piece) {
        let before = self.story.piece(after.kind(), position).expect("the position was found in this story");
        let (kind, id) = (after.kind(), after.id().to_owned());
        let (was, is) = (digest_of(&before), digest_of(&after));
        self.replace(position, after);
        let made = |made: &Made| made.kind == kind && made.id == id && made.digest == was;
        let owner = self.story.documents.iter().position(|document| {
            document.settled.as_ref().is_some_and(|settled| was != is && settled.made.iter().any(made))
        });
        if let Some(owner) = owner {
            let mut document = self.story.documents[owner].clone();
            let record = document.settled.iter_mut().flat_map(|settled| &mut settled.made);
            record.filter(|one| made(one)).for_each(|made| made.digest.clone_from(&is));
            self.replace(owner, Piece::Document(document));
        }
    }

    /// Changes a document.
    pub(super) fn document(&mut self, position: usize, change: impl FnOnce(&mut Document)) {
        let mut document = self.story.documents[position].clone();
        change(&mut document);
        self.replace(position, Piece::Document(document));
    }

    /// Takes out the pieces of a kind at those positions.
    pub(super) fn remove(&mut self, kind: PieceKind, mut positions: Vec<usize>) {
        positions.sort_unstable();
        positions.dedup();
        for position in positions.iter().rev() {
            let before = self.story.piece(kind, *position);
            self.steps.push(Step { position: *position, before, after: None });
        }
        if kind == PieceKind::Fact && positions.len() > 1 {
            // Facts are many: all at once.
            let gone: FxHashSet<usize> = positions.into_iter().collect();
            let mut at = 0;
            self.story.facts.retain(|_| {
                at += 1;
                !gone.contains(&(at - 1))
            });
        } else {
            positions.into_iter().rev().for_each(|position| self.story.remove(kind, position));
        }
    }

    /// What was done, as one change.
    pub(super) fn finish(self) -> Change {
        let change = Change { steps: self.steps };
        if !change.is_empty() {
            let mut issuer = self.issuer.unwrap_or_else(|| Issuer::remembered(self.story));
            change.note_ids(&mut issuer);
            issuer.remember_in(self.story);
        }
        change
    }
}

/// The place before the first event that certainly happens later; the end if none does.
fn after_earlier(story: &Story, event: &TimelineEvent) -> usize {
    let Some(moment) = time::parse(&event.timestamp).moment() else { return usize::MAX };
    let is_later =
        |other: &TimelineEvent| time::parse(&other.timestamp).moment().is_some_and(|other| moment.is_before(&other));
    story.timeline_events.iter().position(is_later).unwrap_or(usize::MAX)
}

/// The places of the pieces of those ids, by kind and id.
pub(super) fn places<'i>(
    story: &Story,
    sought: impl IntoIterator<Item = (PieceKind, &'i str)>,
) -> FxHashMap<(PieceKind, String), usize> {
    let sought: FxHashSet<(PieceKind, &str)> = sought.into_iter().collect();
    let mut found = FxHashMap::default();
    for kind in PieceKind::ALL.into_iter().filter(|kind| sought.iter().any(|(other, _)| other == kind)) {
        let mut note = |position: usize, id: &str| {
            if sought.contains(&(kind, id)) {
                found.insert((kind, id.to_owned()), position);
            }
        };
        if kind == PieceKind::Fact {
            story.facts.iter().enumerate().for_each(|(position, fact)| note(position, &fact.id));
        } else {
            story.parts(kind).enumerate().for_each(|(position, part)| note(position, part.id()));
        }
    }
    found
}
