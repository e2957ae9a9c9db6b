//! Edits a story step by step and records the steps as a single change.

use rustc_hash::{FxHashMap, FxHashSet};

use super::digest::digest_of;
use super::record::Made;
use crate::edit::{AppliedEdit, EditStep};
use crate::ids::Issuer;
use crate::piece::{Piece, PieceKind};
use crate::time::{Moment, StoryCalendar};
use crate::{Document, Story, TimelineEvent};

/// A story under edit, with the recorded steps.
#[derive(Debug)]
pub(super) struct StoryEdit<'s> {
    pub(super) story: &'s mut Story,
    steps: Vec<EditStep>,
    issuer: Option<Issuer>,
}

impl<'s> StoryEdit<'s> {
    pub(super) fn on(story: &'s mut Story) -> Self {
        Self { story, steps: Vec::new(), issuer: None }
    }

    /// Returns an editor with an optional issuer which already knows all ids of the story.
    pub(super) fn issuing(story: &'s mut Story, issuer: Option<Issuer>) -> Self {
        Self { issuer, ..Self::on(story) }
    }

    pub(super) fn issuer(&self) -> Option<&Issuer> {
        self.issuer.as_ref()
    }

    /// Inserts a piece under a new id, events in chronological order and other pieces at the end of the list; returns
    /// the id.
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

    /// Inserts a piece with an existing id before `position`.
    pub(super) fn restore(&mut self, position: usize, piece: Piece) {
        let kind = piece.kind();
        if kind.in_world() && self.story.worldview.is_none() {
            let world = Piece::empty(PieceKind::Worldview);
            self.story.insert(0, world.clone());
            self.steps.push(EditStep { position: 0, before: None, after: Some(world) });
        }
        let position = position.min(self.story.count(kind));
        self.story.insert(position, piece.clone());
        self.steps.push(EditStep { position, before: None, after: Some(piece) });
    }

    /// Replaces the piece at `position` with `after` if they differ.
    pub(super) fn replace(&mut self, position: usize, after: Piece) {
        let before = self.story.piece(after.kind(), position).expect("the position was found in this story");
        if before != after {
            self.story.replace(position, after.clone());
            self.steps.push(EditStep { position, before: Some(before), after: Some(after) });
        }
    }

    /// Works like [`replace`](Self::replace) for automatic changes: the owning document's record is updated too.
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

    /// Applies `change` to a document.
    pub(super) fn document(&mut self, position: usize, change: impl FnOnce(&mut Document)) {
        let mut document = self.story.documents[position].clone();
        change(&mut document);
        self.replace(position, Piece::Document(document));
    }

    /// Removes the pieces of a kind at the given positions.
    pub(super) fn remove(&mut self, kind: PieceKind, mut positions: Vec<usize>) {
        positions.sort_unstable();
        positions.dedup();
        for position in positions.iter().rev() {
            let before = self.story.piece(kind, *position);
            self.steps.push(EditStep { position: *position, before, after: None });
        }
        if kind == PieceKind::Fact && positions.len() > 1 {
            // Facts are removed in a single pass because there are many.
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

    /// Returns the recorded steps as a single change.
    pub(super) fn finish(self) -> AppliedEdit {
        let change = AppliedEdit { steps: self.steps };
        if !change.is_empty() {
            let mut issuer = self.issuer.unwrap_or_else(|| Issuer::remembered(self.story));
            change.note_ids(&mut issuer);
            issuer.remember_in(self.story);
        }
        change
    }
}

/// Returns the insertion position before the first event that is certainly later, or later by the usual hours of a day; without
/// a time, after the last event of the outline up to the event's own node. The end of the list if neither is known.
fn after_earlier(story: &Story, event: &TimelineEvent) -> usize {
    let events = &story.timeline_events;
    let story_calendar = StoryCalendar::of(story);
    let Some(moment) = story_calendar.moment(&event.timestamp) else {
        let nodes = story.outline_nodes.iter().filter(|node| node.order > 0);
        let orders: FxHashMap<&str, u32> =
            nodes.flat_map(|node| [(node.name.as_str(), node.order), (node.id.as_str(), node.order)]).collect();
        let order = |event: &TimelineEvent| orders.get(event.outline_node.as_deref()?).copied();
        let own = order(event);
        let is_told = |other: &TimelineEvent| own.is_some() && order(other).is_some_and(|other| Some(other) <= own);
        let is_later = |other: &TimelineEvent| own.is_some() && order(other) > own;
        let last = events.iter().rposition(is_told).map(|last| last + 1);
        return last.or_else(|| events.iter().position(is_later)).unwrap_or(usize::MAX);
    };
    let is_before = |other: Moment| moment.is_before(&other) || moment.is_usually_before(&other);
    let is_later = |other: &TimelineEvent| story_calendar.moment(&other.timestamp).is_some_and(is_before);
    events.iter().position(is_later).unwrap_or(usize::MAX)
}

/// Returns the positions of pieces, looked up by kind and id.
pub(super) fn places<'i>(
    story: &Story,
    sought: impl IntoIterator<Item = (PieceKind, &'i str)>,
) -> FxHashMap<(PieceKind, String), usize> {
    let sought: FxHashSet<(PieceKind, &str)> = sought.into_iter().collect();
    let mut found = FxHashMap::default();
    for kind in PieceKind::ALL.into_iter().filter(|kind| sought.iter().any(|(other, _)| other == kind)) {
        let is_sought = |id: &str| sought.contains(&(kind, id));
        // Of equal ids the last counts.
        if kind == PieceKind::Fact {
            // A book has many facts, and those sought are mostly its last.
            let mut left = sought.iter().filter(|(other, _)| *other == kind).count();
            for (position, fact) in story.facts.iter().enumerate().rev() {
                if left == 0 {
                    break;
                }
                if is_sought(&fact.id) && !found.contains_key(&(kind, fact.id.clone())) {
                    found.insert((kind, fact.id.clone()), position);
                    left -= 1;
                }
            }
        } else {
            for (position, part) in story.parts(kind).enumerate().filter(|(_, part)| is_sought(part.id())) {
                found.insert((kind, part.id().to_owned()), position);
            }
        }
    }
    found
}
