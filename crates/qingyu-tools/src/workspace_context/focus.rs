//! The focus of a task: the chapter, the point of writing, and the people and things involved.

use std::collections::BTreeSet;

use qingyu_story::{Config, Document, OutlineNode, PieceKind, RoleType, Story, TimelineEvent};
use serde_json::{Value, json};

use super::task::{Arguments, TaskType};
use crate::ToolError;
use crate::desk::Desk;
use crate::reading::{ReadingOrder, title};

/// Distance of pieces in the chapter itself.
pub(super) const HERE: u8 = 0;
/// Distance of pieces related to the chapter's pieces.
pub(super) const TIED: u8 = 1;
/// Distance of any other piece.
pub(super) const ANYWHERE: u8 = 2;

/// The focus of a task.
#[derive(Debug)]
pub(super) struct TaskFocus<'s> {
    pub(super) story: &'s Story,
    /// The checker's configuration.
    pub(super) checks: &'s Config,
    pub(super) reading: ReadingOrder<'s>,
    /// The chapter's outline node, if any.
    pub(super) chapter: Option<usize>,
    /// The chapter's texts.
    pub(super) documents: Vec<&'s Document>,
    /// The preceding chapters, nearest first.
    pub(super) before: Vec<usize>,
    /// The following chapters in reading order.
    pub(super) after: Vec<usize>,
    /// The chapter's index among all nodes: the reader knows everything told up to here.
    pub(super) now: usize,
    /// Distance of each character.
    pub(super) characters: Vec<u8>,
    /// Pieces mentioned by the chapter.
    pub(super) mentioned: BTreeSet<(PieceKind, usize)>,
    /// Pieces mentioned by the cards of the chapter's characters.
    pub(super) tied: BTreeSet<(PieceKind, usize)>,
}

impl<'s> TaskFocus<'s> {
    pub(super) fn of(desk: &'s Desk, arguments: &Arguments) -> Result<Self, ToolError> {
        let story = desk.story();
        let reading = ReadingOrder::of(story);
        let chapters = reading.chapters();
        let chapter = match &arguments.chapter_id {
            Some(name) => Some(named(desk, &reading, name)?),
            None => chosen(&reading, &chapters, arguments.task_type),
        };
        let now = chapter.map_or(reading.nodes.len(), |node| reading.place(node));
        let (before, after): (Vec<usize>, Vec<usize>) =
            chapters.into_iter().filter(|node| Some(*node) != chapter).partition(|node| reading.place(*node) < now);
        let documents = chapter.map(|node| reading.documents_of(node).to_vec()).unwrap_or_default();
        let mut focus = Self {
            story,
            checks: desk.checks(),
            chapter,
            documents,
            before: before.into_iter().rev().collect(),
            after,
            now,
            characters: vec![ANYWHERE; story.characters.len()],
            mentioned: BTreeSet::new(),
            tied: BTreeSet::new(),
            reading,
        };
        focus.look_around();
        for (index, name) in arguments.character_ids.iter().flatten().enumerate() {
            let position = desk.find(PieceKind::Character, name, &format!("/character_ids/{index}"))?;
            focus.characters[position] = HERE;
        }
        focus.tie();
        Ok(focus)
    }

    /// Returns the chapter's node.
    pub(super) fn node(&self) -> Option<&'s OutlineNode> {
        self.chapter.map(|node| &self.story.outline_nodes[node])
    }

    pub(super) fn chapter_shown(&self) -> Value {
        let texts: Vec<&str> = self.documents.iter().map(|document| document.id.as_str()).collect();
        json!(self.node().map(|node| json!({"id": node.id, "name": title(node), "documents": texts})))
    }

    /// Returns the reading position of a named outline node or document.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        let node = self.reading.node(name).or_else(|| {
            let document = self.reading.names.resolve(PieceKind::Document, name)?;
            self.reading.node(self.story.documents[document.position].outline_node.as_deref()?)
        });
        node.map(|node| self.reading.place(node))
    }

    /// Returns the reading position at which a validity starts: where the event, node or document is told.
    pub(super) fn begins(&self, name: &str) -> Option<usize> {
        let event = self.reading.names.resolve(PieceKind::Event, name).map(|named| named.position);
        let teller = event.and_then(|event| self.story.timeline_events[event].outline_node.as_deref());
        teller.and_then(|teller| self.place(teller)).or_else(|| self.place(name))
    }

    /// Returns whether the chapter or a scene of the chapter tells an event.
    pub(super) fn is_told_here(&self, teller: Option<&str>) -> bool {
        let node = teller.and_then(|name| self.reading.node(name));
        node.is_some_and(|node| {
            Some(node) == self.chapter
                || self.chapter.is_some_and(|chapter| self.reading.above(node).contains(&chapter))
        })
    }

    /// Returns whether the chapter mentions the event at the position, its place, or something that its description names.
    pub(super) fn touches(&self, position: usize, event: &TimelineEvent) -> bool {
        let mut named = BTreeSet::from([(PieceKind::Event, position)]);
        mention(&self.reading, &event.description, &mut named);
        let place = event.location.as_deref().and_then(|name| self.reading.names.resolve(PieceKind::Location, name));
        named.extend(place.map(|place| (PieceKind::Location, place.position)));
        !named.is_disjoint(&self.mentioned)
    }

    /// Returns the distance of a piece by mentions.
    pub(super) fn nearness(&self, kind: PieceKind, position: usize) -> u8 {
        if self.mentioned.contains(&(kind, position)) {
            HERE
        } else if self.tied.contains(&(kind, position)) {
            TIED
        } else {
            ANYWHERE
        }
    }

    /// Returns the distance of the nearest person, place, thing or organisation with the name.
    pub(super) fn nearness_of(&self, name: &str) -> u8 {
        let names = &self.reading.names;
        let person = names.resolve(PieceKind::Character, name).map(|named| self.characters[named.position]);
        let kinds = [PieceKind::Location, PieceKind::Organisation, PieceKind::Item];
        let things = kinds.iter().flat_map(|kind| names.find(*kind, name));
        let things = things.map(|named| self.nearness(named.kind, named.position));
        person.into_iter().chain(things).min().unwrap_or(ANYWHERE)
    }

    /// Collects names in the chapter: in its node and scenes, its events, its texts.
    fn look_around(&mut self) {
        let story = self.story;
        let Some(chapter) = self.chapter else {
            for (position, card) in story.characters.iter().enumerate() {
                if card.role_type == RoleType::Protagonist {
                    self.characters[position] = HERE;
                }
            }
            return;
        };
        let nodes: Vec<&OutlineNode> = self
            .reading
            .nodes
            .iter()
            .filter(|node| **node == chapter || self.reading.above(**node).contains(&chapter))
            .map(|node| &story.outline_nodes[*node])
            .collect();
        let events: Vec<_> =
            story.timeline_events.iter().filter(|event| self.is_told_here(event.outline_node.as_deref())).collect();
        let names = nodes.iter().flat_map(|node| &node.participants);
        let names = names.chain(events.iter().flat_map(|event| event.participants.iter().chain(&event.deaths)));
        for position in self.reading.characters(names) {
            self.characters[position] = HERE;
        }
        let places = nodes.iter().filter_map(|node| node.location.as_ref());
        for place in places.chain(events.iter().filter_map(|event| event.location.as_ref())) {
            let found = self.reading.names.resolve(PieceKind::Location, place);
            self.mentioned.extend(found.map(|named| (PieceKind::Location, named.position)));
        }
        let texts = nodes.iter().flat_map(|node| [node.name.as_str(), node.description.as_str(), node.goal.as_str()]);
        let texts = texts.chain(events.iter().map(|event| event.description.as_str()));
        let texts = texts.chain(self.documents.iter().map(|document| document.text.as_str()));
        for text in texts {
            mention(&self.reading, text, &mut self.mentioned);
        }
        for (kind, position) in &self.mentioned {
            if *kind == PieceKind::Character {
                self.characters[*position] = HERE;
            }
        }
    }

    /// Collects pieces related to the chapter's characters: by relations, by cards, by possession.
    fn tie(&mut self) {
        let story = self.story;
        let mut tied = Vec::new();
        for relation in &story.character_relations {
            let ends = [&relation.from, &relation.to].map(|name| self.reading.characters([name]).first().copied());
            if let [Some(from), Some(to)] = ends {
                let is_here = |position: usize| self.characters[position] == HERE;
                tied.extend(
                    [(from, to), (to, from)].into_iter().filter(|(one, _)| is_here(*one)).map(|(_, other)| other),
                );
            }
        }
        for position in tied {
            self.characters[position] = self.characters[position].min(TIED);
        }
        for (position, card) in story.characters.iter().enumerate() {
            if self.characters[position] == HERE {
                for text in [&card.background, &card.goals, &card.conflicts, &card.occupation] {
                    mention(&self.reading, text, &mut self.tied);
                }
            }
        }
        for (position, item) in story.items().iter().enumerate() {
            let holder = item.holder.iter().flat_map(|holder| self.reading.characters([holder])).next();
            if holder.is_some_and(|holder| self.characters[holder] == HERE) {
                self.mentioned.insert((PieceKind::Item, position));
            }
        }
    }
}

/// Collects unambiguous mentions in a text.
fn mention(reading: &ReadingOrder<'_>, text: &str, mentioned: &mut BTreeSet<(PieceKind, usize)>) {
    for found in reading.names.mentions(text) {
        if let [one] = found.bearers.as_slice() {
            mentioned.insert((one.kind, one.position));
        }
    }
    let in_part = reading.names.mentions_in_part(text).into_iter();
    mentioned.extend(in_part.map(|(_, position)| (PieceKind::Character, position)));
}

/// Returns the chapter named by the caller, by its node or by its text.
fn named(desk: &Desk, reading: &ReadingOrder<'_>, name: &str) -> Result<usize, ToolError> {
    if reading.names.knows(PieceKind::OutlineNode, name) {
        return desk.find(PieceKind::OutlineNode, name, "/chapter_id");
    }
    let document = desk.find(PieceKind::Document, name, "/chapter_id");
    let document = document.map_err(|error| match error {
        ToolError::NotFound { name, path, .. } => ToolError::NotFound { kind: "chapter".into(), name, path },
        other => other,
    })?;
    let teller = desk.story().documents[document].outline_node.as_deref();
    let untold = || ToolError::invalid("/chapter_id", "a text that belongs to an outline node");
    teller.and_then(|teller| reading.node(teller)).ok_or_else(untold)
}

/// Returns the default chapter of a task.
fn chosen(reading: &ReadingOrder<'_>, chapters: &[usize], task: TaskType) -> Option<usize> {
    let last = chapters.iter().rposition(|node| !reading.documents_of(*node).is_empty());
    match (task, last) {
        (TaskType::ContinueWriting, last) => chapters.get(last.unwrap_or(0)).copied(),
        (TaskType::CreateChapter, last) => chapters.get(last.map_or(0, |last| last + 1)).copied(),
        (TaskType::ReviewContent, last) => last.map(|last| chapters[last]),
    }
}
