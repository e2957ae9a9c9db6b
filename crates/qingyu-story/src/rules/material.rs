//! The input of the rules: a story with its name index, prose, times and other lookups, computed once for all rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, OnceLock};

use serde_json::{Value, json};

use crate::chapters::Chapters;
use crate::check::Config;
use crate::earlier::EarlierBooks;
use crate::genre::sequence::SequenceLimits;
use crate::genre::{Genre, Genres};
use crate::names::{NamedPiece, Names, fold};
use crate::part::{PieceData, anchor, handle};
use crate::piece::PieceKind;
use crate::prose::AnalyzedChapter;
use crate::time::{Chronology, Moment, StoryCalendar};
use crate::truth::{Attendance, Extract, GroundTruth, Scenes, StoryFrame, positions};
use crate::{Character, CharacterRelation, Mode, OutlineNode, Story, TimelineEvent};

/// A lazily computed value.
type LazyValue<'s, T> = LazyLock<T, Box<dyn FnOnce() -> T + Send + 's>>;

/// A story with its lookups.
#[derive(Debug)]
pub(crate) struct RuleMaterial<'s> {
    pub(crate) story: &'s Story,
    pub(crate) names: LazyValue<'s, Arc<Names>>,
    /// All prose of pieces, in list order.
    pub(crate) passages: LazyValue<'s, Vec<NamedPassage<'s>>>,
    /// The time of each event, by index.
    pub(crate) times: LazyValue<'s, Arc<Vec<Option<Moment>>>>,
    /// For each event, the indices of its direct predecessors.
    pub(crate) after: LazyValue<'s, Arc<Vec<Vec<usize>>>>,
    /// By character index, the indices of the narrated events with the character's death.
    pub(crate) deaths: LazyValue<'s, Arc<BTreeMap<usize, BTreeSet<usize>>>>,
    /// The chapters of outline and texts.
    pub(crate) contents: LazyValue<'s, Chapters>,
    chronology: OnceLock<Chronology<'s>>,
    /// The parsed texts of the book in reading order.
    pub(crate) chapters: Vec<AnalyzedChapter<'s>>,
    truth: OnceLock<GroundTruth<'s>>,
    frame: FrameCell,
    /// The pieces other than facts included in the truth; `None` for all.
    extract: Option<Extract>,
    known: Genres,
    earlier: EarlierBooks,
}

/// The lazily built frame of a story.
#[derive(Debug, Clone, Default)]
struct FrameCell(Arc<OnceLock<Arc<StoryFrame>>>);

impl FrameCell {
    fn of(&self, story: &Story) -> &Arc<StoryFrame> {
        self.0.get_or_init(|| Arc::new(StoryFrame::of(story)))
    }
}

/// A text of a piece, with the names in the text.
#[derive(Debug)]
pub(crate) struct NamedPassage<'s> {
    pub(crate) kind: PieceKind,
    pub(crate) anchor: String,
    pub(crate) text: &'s str,
    /// The mentioned pieces, with the byte ranges of the mentions.
    pub(crate) mentions: Vec<(PieceKind, usize, std::ops::Range<usize>)>,
}

impl<'s> RuleMaterial<'s> {
    /// Returns the input for a story, with its chapters parsed.
    #[cfg(test)]
    pub(crate) fn of(story: &'s Story) -> Self {
        Self::with(story, crate::prose::Manuscript::default().chapters(story))
    }

    /// Returns the input for a story with the parsed chapters.
    pub(crate) fn with(story: &'s Story, chapters: Vec<AnalyzedChapter<'s>>) -> Self {
        Self::build(story, chapters, FrameCell::default(), None)
    }

    /// Same as [`with`](Self::with), with a frame already built for the story.
    pub(crate) fn framed(story: &'s Story, chapters: Vec<AnalyzedChapter<'s>>, frame: &Arc<StoryFrame>) -> Self {
        Self::build(story, chapters, FrameCell(Arc::new(OnceLock::from(Arc::clone(frame)))), None)
    }

    /// Creates the input for rules about statements: the story's facts, and of other pieces only pieces in `extract`.
    pub(crate) fn part(story: &'s Story, frame: &Arc<StoryFrame>, extract: Extract) -> Self {
        Self::build(story, Vec::new(), FrameCell(Arc::new(OnceLock::from(Arc::clone(frame)))), Some(extract))
    }

    fn build(story: &'s Story, chapters: Vec<AnalyzedChapter<'s>>, frame: FrameCell, extract: Option<Extract>) -> Self {
        fn lazy<'s, T>(
            story: &'s Story,
            frame: &FrameCell,
            read: impl FnOnce(&StoryFrame) -> T + Send + 's,
        ) -> LazyValue<'s, T> {
            let frame = frame.clone();
            LazyValue::new(Box::new(move || read(frame.of(story))))
        }
        Self {
            story,
            names: lazy(story, &frame, |frame| Arc::clone(&frame.names)),
            passages: lazy(story, &frame, |frame| passages(story, &frame.names)),
            times: lazy(story, &frame, |frame| Arc::clone(&frame.times)),
            after: lazy(story, &frame, |frame| Arc::clone(&frame.after)),
            deaths: lazy(story, &frame, |frame| Arc::clone(&frame.deaths)),
            contents: lazy(story, &frame, |frame| Chapters::with(story, &frame.names)),
            chronology: OnceLock::new(),
            chapters,
            truth: OnceLock::new(),
            frame,
            extract,
            known: Genres::default(),
            earlier: EarlierBooks::default(),
        }
    }

    /// Returns the same input with the genres that the book may name, and its earlier books; by default, the genres of the
    /// program and no book.
    pub(crate) fn knowing(self, config: &Config) -> Self {
        Self { known: config.genres.clone(), earlier: config.earlier.clone(), ..self }
    }

    /// Returns the earlier books.
    pub(crate) fn earlier(&self) -> &EarlierBooks {
        &self.earlier
    }

    /// Returns the genres that the book names.
    pub(crate) fn genres(&self) -> Vec<&Genre> {
        self.known.of(self.story)
    }

    /// Returns the limits of the book's genres for a row of chapters.
    pub(crate) fn sequence_limits(&self) -> SequenceLimits {
        SequenceLimits::strictest(self.genres().iter().map(|genre| genre.sequence))
    }

    /// Returns the ground truth, built lazily by the first caller.
    pub(crate) fn truth(&self) -> &GroundTruth<'s> {
        let read = || {
            let frame = self.frame.of(self.story);
            frame.fill(|times| self.chronology().beginnings(times));
            GroundTruth::with(self.story, frame, self.extract.as_ref())
        };
        self.truth.get_or_init(read)
    }

    /// Returns the only character with the name; `None` if no character or several match.
    pub(crate) fn character(&self, name: &str) -> Option<&'s Character> {
        self.names.resolve(PieceKind::Character, name).map(|named| &self.story.characters[named.position])
    }

    /// Returns the index of the only character with the name.
    pub(crate) fn character_position(&self, name: &str) -> Option<usize> {
        self.names.resolve(PieceKind::Character, name).map(|named| named.position)
    }

    /// Returns the only outline node with the name.
    pub(crate) fn outline_node(&self, name: &str) -> Option<&'s OutlineNode> {
        self.names.resolve(PieceKind::OutlineNode, name).map(|named| &self.story.outline_nodes[named.position])
    }

    /// Returns the indices of the outline nodes with children.
    pub(crate) fn parents(&self) -> BTreeSet<usize> {
        let parents = self.story.outline_nodes.iter().filter_map(|node| node.parent.as_deref());
        parents
            .filter_map(|name| self.names.resolve(PieceKind::OutlineNode, name))
            .map(|named| named.position)
            .collect()
    }

    /// Returns the outline nodes without children in reading order, skipping nodes without an order.
    pub(crate) fn reading_order(&self) -> Vec<&'s OutlineNode> {
        let parents = self.parents();
        let nodes = self.story.outline_nodes.iter().enumerate();
        let leaves = nodes.filter(|(position, node)| node.order > 0 && !parents.contains(position));
        let mut leaves: Vec<&OutlineNode> = leaves.map(|(_, node)| node).collect();
        leaves.sort_by_key(|node| (node.order, handle(*node)));
        leaves
    }

    /// Iterates over the narrated events with their indices.
    pub(crate) fn narrated(&self) -> impl Iterator<Item = (usize, &'s TimelineEvent)> {
        self.story.timeline_events.iter().enumerate().filter(|(_, event)| event.mode == Mode::Narrated)
    }

    /// Returns the scenes grouped by people and place.
    pub(crate) fn scenes(&self) -> &Scenes {
        self.frame.of(self.story).scenes(self.story)
    }

    /// Returns whether the input is a part of a story, for rules about statements.
    pub(crate) fn is_part(&self) -> bool {
        self.extract.is_some()
    }

    /// Iterates over the indices of the characters possibly mentioned by facts.
    pub(crate) fn cast(&self) -> impl Iterator<Item = usize> {
        positions(self.story.characters.len(), self.extract.as_ref().map(|extract| &extract.characters))
    }

    /// Returns the participants of the events.
    pub(crate) fn attendance(&self) -> &Attendance {
        let frame = self.frame.of(self.story);
        frame.attendance(|| {
            let (people, calendar) = (frame.people(self.story), &frame.story_calendar);
            Attendance::of(self.story, people, &frame.deaths, self.chronology(), calendar)
        })
    }

    /// Returns the indices of the participating characters, by event index.
    pub(crate) fn people(&self) -> &[BTreeSet<usize>] {
        self.frame.of(self.story).people(self.story)
    }

    /// Returns the time network, built lazily by the first caller.
    pub(crate) fn chronology(&self) -> &Chronology<'s> {
        self.chronology.get_or_init(|| Chronology::of(self.story, &self.names, self.story_calendar()))
    }

    /// Returns the calendar of the days that may be of two.
    pub(crate) fn story_calendar(&self) -> &StoryCalendar {
        &self.frame.of(self.story).story_calendar
    }

    /// Returns whether the first event certainly ends before the second begins, by all time statements.
    pub(crate) fn is_earlier(&self, first: usize, second: usize) -> bool {
        self.chronology().is_over_before(first, second)
    }

    /// Returns whether two names mean one place, or one may be part of the other.
    pub(crate) fn is_one_place(&self, a: &str, b: &str) -> bool {
        let (folded_a, folded_b) = (fold(a), fold(b));
        let resolve = |name: &str| self.names.resolve(PieceKind::Location, name);
        let same = resolve(a).is_some_and(|place| resolve(b) == Some(place));
        let describes = |place: &str, other: &str| {
            resolve(place).is_some_and(|named| {
                let description = &self.story.locations()[named.position].description;
                fold(description).contains(&fold(other))
            })
        };
        same || folded_a.contains(&folded_b) || folded_b.contains(&folded_a) || describes(a, b) || describes(b, a)
    }

    /// Returns whether the names `a` and `b` mean the same character.
    pub(crate) fn is_same_character(&self, a: &str, b: &str) -> bool {
        let (a_found, b_found) =
            (self.names.resolve(PieceKind::Character, a), self.names.resolve(PieceKind::Character, b));
        match (a_found, b_found) {
            (Some(a), Some(b)) => a == b,
            _ => fold(a) == fold(b),
        }
    }

    /// Counts the appearances of each character: as a participant, among the dead, or in prose of outline and plot.
    pub(crate) fn appearances(&self) -> BTreeMap<usize, usize> {
        let mut counts = BTreeMap::new();
        let story = self.story;
        let outline = story.outline_nodes.iter().flat_map(|node| &node.participants);
        let events = story.timeline_events.iter().flat_map(|event| event.participants.iter().chain(&event.deaths));
        for name in outline.chain(events) {
            for NamedPiece { position, .. } in self.names.meant(&[PieceKind::Character], name) {
                *counts.entry(*position).or_default() += 1;
            }
        }
        let prose = self
            .passages
            .iter()
            .filter(|passage| matches!(passage.kind, PieceKind::OutlineNode | PieceKind::Event | PieceKind::PlotNode));
        for (_, position, _) in
            prose.flat_map(|passage| &passage.mentions).filter(|(kind, ..)| *kind == PieceKind::Character)
        {
            *counts.entry(*position).or_default() += 1;
        }
        counts
    }
}

/// Returns the texts of all pieces except facts, promises and documents.
fn passages<'s>(story: &'s Story, names: &Names) -> Vec<NamedPassage<'s>> {
    fn add<'s, P: PieceData>(passages: &mut Vec<NamedPassage<'s>>, names: &Names, kind: PieceKind, parts: &'s [P]) {
        for part in parts {
            for (field, text) in part.texts() {
                let mut mentions = Vec::new();
                for found in names.mentions(text) {
                    let bearers = found.bearers.iter();
                    mentions.extend(bearers.map(|named| (named.kind, named.position, found.start..found.end)));
                }
                passages.push(NamedPassage { kind, anchor: anchor(kind, part, field), text, mentions });
            }
        }
    }
    let mut passages = Vec::new();
    add(&mut passages, names, PieceKind::Character, &story.characters);
    add(&mut passages, names, PieceKind::Relation, &story.character_relations);
    add(&mut passages, names, PieceKind::OutlineNode, &story.outline_nodes);
    add(&mut passages, names, PieceKind::Event, &story.timeline_events);
    add(&mut passages, names, PieceKind::PlotNode, &story.plot_nodes);
    add(&mut passages, names, PieceKind::Location, story.locations());
    add(&mut passages, names, PieceKind::Organisation, story.organisations());
    add(&mut passages, names, PieceKind::Item, story.items());
    add(&mut passages, names, PieceKind::WorldRule, story.world_rules());
    passages
}

impl NamedPassage<'_> {
    /// Returns the sentence around `range`, cut to a readable length.
    pub(crate) fn quote(&self, range: &std::ops::Range<usize>) -> String {
        excerpt(self.text, range)
    }
}

/// Returns the field and words for an event's time: the timestamp, or as a fallback its predecessors.
pub(crate) fn when(event: &TimelineEvent) -> (&'static str, String) {
    match event.timestamp.trim() {
        "" => ("after", event.after.join(", ")),
        words => ("timestamp", words.to_owned()),
    }
}

/// Returns parameters identifying a relation: by id, or as a fallback by ends and kind.
pub(crate) fn relation_target(relation: &CharacterRelation, fields: Value) -> Value {
    if !relation.id.trim().is_empty() {
        return target(relation, fields);
    }
    let mut parameters = json!({ "from": relation.from, "to": relation.to, "type": relation.kind });
    if let (Value::Object(all), Value::Object(fields)) = (&mut parameters, fields) {
        all.extend(fields);
    }
    parameters
}

/// Returns parameters identifying a piece: by id, or as a fallback by name.
pub(crate) fn target<P: PieceData>(part: &P, fields: Value) -> Value {
    let mut parameters = match (part.id().trim(), part.name().trim()) {
        ("", name) => json!({ "name": name }),
        (id, _) => json!({ "id": id }),
    };
    if let (Value::Object(all), Value::Object(fields)) = (&mut parameters, fields) {
        all.extend(fields);
    }
    parameters
}

/// Returns the sentence of `text` around `range`, at most about 60 characters.
pub(crate) fn excerpt(text: &str, range: &std::ops::Range<usize>) -> String {
    const AROUND: usize = 30;
    let ends_sentence = |c: char| matches!(c, '。' | '！' | '？' | '\n' | '；' | '!' | '?' | ';');
    let before = &text[..range.start];
    let from = before.char_indices().rev().take(AROUND).take_while(|(_, c)| !ends_sentence(*c)).last();
    let after = &text[range.end..];
    let until = after.char_indices().take(AROUND).take_while(|(_, c)| !ends_sentence(*c)).last();
    let from = from.map_or(range.start, |(at, _)| at);
    let until = until.map_or(range.end, |(at, c)| range.end + at + c.len_utf8());
    text[from..until].trim().to_owned()
}
