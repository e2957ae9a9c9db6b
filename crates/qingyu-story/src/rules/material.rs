//! The story as the rules see it: with its names looked up, its prose searched and its times read, once for all rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, OnceLock};

use serde_json::{Value, json};

use crate::names::{Named, Names};
use crate::part::Part;
use crate::piece::PieceKind;
use crate::prose::{Chapter, Manuscript};
use crate::time::{Chronology, Moment};
use crate::truth::{Attendance, Extract, Frame, GroundTruth, Scenes, positions};
use crate::{Character, CharacterRelation, Mode, OutlineNode, Story, TimelineEvent};

/// What is read when it is first asked for.
type Lazy<'s, T> = LazyLock<T, Box<dyn FnOnce() -> T + Send + 's>>;

/// A story and what is looked up in it.
#[derive(Debug)]
pub(crate) struct Material<'s> {
    pub(crate) story: &'s Story,
    pub(crate) names: Lazy<'s, Arc<Names>>,
    /// All prose, in the order of the story's lists.
    pub(crate) passages: Lazy<'s, Vec<Passage<'s>>>,
    /// The time of each event, by position.
    pub(crate) times: Lazy<'s, Arc<Vec<Option<Moment>>>>,
    /// The positions of the events that each event comes directly after.
    pub(crate) after: Lazy<'s, Arc<Vec<Vec<usize>>>>,
    /// The positions of the narrated events in which each character dies, by the character's position.
    pub(crate) deaths: Lazy<'s, Arc<BTreeMap<usize, BTreeSet<usize>>>>,
    chronology: OnceLock<Chronology<'s>>,
    /// The texts of the book in reading order, read.
    pub(crate) chapters: Vec<Chapter<'s>>,
    truth: OnceLock<GroundTruth<'s>>,
    frame: Framing,
    /// Which pieces beside the facts make statements; all if none.
    extract: Option<Extract>,
}

/// The frame of a story, made when it is first asked for.
#[derive(Debug, Clone, Default)]
struct Framing(Arc<OnceLock<Arc<Frame>>>);

impl Framing {
    fn of(&self, story: &Story) -> &Arc<Frame> {
        self.0.get_or_init(|| Arc::new(Frame::of(story)))
    }
}

/// A text of a piece, with the names in it.
#[derive(Debug)]
pub(crate) struct Passage<'s> {
    pub(crate) kind: PieceKind,
    pub(crate) anchor: String,
    pub(crate) text: &'s str,
    /// The pieces that are mentioned, with the bytes of the mention.
    pub(crate) mentions: Vec<(PieceKind, usize, std::ops::Range<usize>)>,
}

impl<'s> Material<'s> {
    pub(crate) fn of(story: &'s Story) -> Self {
        Self::with(story, Manuscript::default().chapters(story))
    }

    /// As [`of`](Self::of), with the chapters that are read already.
    pub(crate) fn with(story: &'s Story, chapters: Vec<Chapter<'s>>) -> Self {
        Self::build(story, chapters, Framing::default(), None)
    }

    /// As [`with`](Self::with), with a frame that is known to be that of the story.
    pub(crate) fn framed(story: &'s Story, chapters: Vec<Chapter<'s>>, frame: &Arc<Frame>) -> Self {
        Self::build(story, chapters, Framing(Arc::new(OnceLock::from(Arc::clone(frame)))), None)
    }

    /// A part of a story for rules that read statements: its facts, and of the other pieces those in `extract`.
    pub(crate) fn part(story: &'s Story, frame: &Arc<Frame>, extract: Extract) -> Self {
        Self::build(story, Vec::new(), Framing(Arc::new(OnceLock::from(Arc::clone(frame)))), Some(extract))
    }

    fn build(story: &'s Story, chapters: Vec<Chapter<'s>>, frame: Framing, extract: Option<Extract>) -> Self {
        fn lazy<'s, T>(story: &'s Story, frame: &Framing, read: impl FnOnce(&Frame) -> T + Send + 's) -> Lazy<'s, T> {
            let frame = frame.clone();
            Lazy::new(Box::new(move || read(frame.of(story))))
        }
        Self {
            story,
            names: lazy(story, &frame, |frame| Arc::clone(&frame.names)),
            passages: lazy(story, &frame, |frame| passages(story, &frame.names)),
            times: lazy(story, &frame, |frame| Arc::clone(&frame.times)),
            after: lazy(story, &frame, |frame| Arc::clone(&frame.after)),
            deaths: lazy(story, &frame, |frame| Arc::clone(&frame.deaths)),
            chronology: OnceLock::new(),
            chapters,
            truth: OnceLock::new(),
            frame,
            extract,
        }
    }

    /// Everything the story says to be so; read when the first rule asks for it.
    pub(crate) fn truth(&self) -> &GroundTruth<'s> {
        let read = || {
            let frame = self.frame.of(self.story);
            frame.fill(|times| self.chronology().beginnings(times));
            GroundTruth::with(self.story, frame, self.extract.as_ref())
        };
        self.truth.get_or_init(read)
    }

    /// The one character called so; none if nobody or more than one is.
    pub(crate) fn character(&self, name: &str) -> Option<&'s Character> {
        self.names.resolve(PieceKind::Character, name).map(|named| &self.story.characters[named.position])
    }

    /// The position of the one character called so.
    pub(crate) fn character_position(&self, name: &str) -> Option<usize> {
        self.names.resolve(PieceKind::Character, name).map(|named| named.position)
    }

    /// The one outline node called so.
    pub(crate) fn outline_node(&self, name: &str) -> Option<&'s OutlineNode> {
        self.names.resolve(PieceKind::OutlineNode, name).map(|named| &self.story.outline_nodes[named.position])
    }

    /// Positions of the outline nodes that have children.
    pub(crate) fn parents(&self) -> BTreeSet<usize> {
        let parents = self.story.outline_nodes.iter().filter_map(|node| node.parent.as_deref());
        parents
            .filter_map(|name| self.names.resolve(PieceKind::OutlineNode, name))
            .map(|named| named.position)
            .collect()
    }

    /// The outline nodes without children in reading order; none whose order is not given.
    pub(crate) fn reading_order(&self) -> Vec<&'s OutlineNode> {
        let parents = self.parents();
        let nodes = self.story.outline_nodes.iter().enumerate();
        let leaves = nodes.filter(|(position, node)| node.order > 0 && !parents.contains(position));
        let mut leaves: Vec<&OutlineNode> = leaves.map(|(_, node)| node).collect();
        leaves.sort_by_key(|node| (node.order, handle(*node)));
        leaves
    }

    /// Events that happen, with their positions.
    pub(crate) fn narrated(&self) -> impl Iterator<Item = (usize, &'s TimelineEvent)> {
        self.story.timeline_events.iter().enumerate().filter(|(_, event)| event.mode == Mode::Narrated)
    }

    /// The scenes of the same people at the same place.
    pub(crate) fn scenes(&self) -> &Scenes {
        self.frame.of(self.story).scenes(self.story)
    }

    /// Whether this is a part of a story, for rules that read statements.
    pub(crate) fn is_part(&self) -> bool {
        self.extract.is_some()
    }

    /// The positions of the characters of whom facts may tell.
    pub(crate) fn cast(&self) -> impl Iterator<Item = usize> {
        positions(self.story.characters.len(), self.extract.as_ref().map(|extract| &extract.characters))
    }

    /// Who takes part in which events.
    pub(crate) fn attendance(&self) -> &Attendance {
        let frame = self.frame.of(self.story);
        frame.attendance(|| Attendance::of(self.story, frame.people(self.story), &frame.deaths, self.chronology()))
    }

    /// The positions of the characters of the cast who take part in each event, by the event's position.
    pub(crate) fn people(&self) -> &[BTreeSet<usize>] {
        self.frame.of(self.story).people(self.story)
    }

    /// The network of the story's times, read when it is first asked for.
    pub(crate) fn chronology(&self) -> &Chronology<'s> {
        self.chronology.get_or_init(|| Chronology::of(self.story, &self.names))
    }

    /// Whether the first event is certainly over before the second begins, by all that is said of story time.
    pub(crate) fn is_earlier(&self, first: usize, second: usize) -> bool {
        self.chronology().is_over_before(first, second)
    }

    /// Whether the characters named `a` and `b` are the same person.
    pub(crate) fn is_same_character(&self, a: &str, b: &str) -> bool {
        let (a_found, b_found) =
            (self.names.resolve(PieceKind::Character, a), self.names.resolve(PieceKind::Character, b));
        match (a_found, b_found) {
            (Some(a), Some(b)) => a == b,
            _ => crate::names::fold(a) == crate::names::fold(b),
        }
    }

    /// How often each character appears: as a participant, among the dead, or in prose of outline and plot.
    pub(crate) fn appearances(&self) -> BTreeMap<usize, usize> {
        let mut counts = BTreeMap::new();
        let story = self.story;
        let outline = story.outline_nodes.iter().flat_map(|node| &node.participants);
        let events = story.timeline_events.iter().flat_map(|event| event.participants.iter().chain(&event.deaths));
        for name in outline.chain(events) {
            for Named { position, .. } in self.names.find(PieceKind::Character, name) {
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

/// The texts of all pieces but facts, promises and documents.
fn passages<'s>(story: &'s Story, names: &Names) -> Vec<Passage<'s>> {
    fn add<'s, P: Part>(passages: &mut Vec<Passage<'s>>, names: &Names, kind: PieceKind, parts: &'s [P]) {
        for part in parts {
            for (field, text) in part.texts() {
                let mut mentions = Vec::new();
                for found in names.mentions(text) {
                    let bearers = found.bearers.iter();
                    mentions.extend(bearers.map(|named| (named.kind, named.position, found.start..found.end)));
                }
                passages.push(Passage { kind, anchor: anchor(kind, part, field), text, mentions });
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

impl Passage<'_> {
    /// The words around `range`: the sentence, cut to a readable length.
    pub(crate) fn quote(&self, range: &std::ops::Range<usize>) -> String {
        excerpt(self.text, range)
    }
}

/// The field and words that tell when an event is: its timestamp, or if it has none, what it comes after.
pub(crate) fn when(event: &TimelineEvent) -> (&'static str, String) {
    match event.timestamp.trim() {
        "" => ("after", event.after.join(", ")),
        words => ("timestamp", words.to_owned()),
    }
}

/// Where a piece and its field are found: `outline_nodes/o-3/description`.
pub(crate) fn anchor<P: Part>(kind: PieceKind, part: &P, field: &str) -> String {
    format!("{}/{}/{field}", kind.list(), handle(part))
}

/// The id of a piece, or what else tells it from others.
pub(crate) fn handle<P: Part>(part: &P) -> String {
    let ends = || part.references().iter().take(2).map(|reference| reference.name.trim()).collect::<Vec<_>>().join(">");
    match (part.id().trim(), part.name().trim()) {
        ("", "") => ends(),
        ("", name) => name.to_owned(),
        (id, _) => id.to_owned(),
    }
}

/// Parameters that name a relation: by its id if it has one, else by its ends and kind.
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

/// Parameters that name a piece: by its id if it has one, else by its name.
pub(crate) fn target<P: Part>(part: &P, fields: Value) -> Value {
    let mut parameters = match (part.id().trim(), part.name().trim()) {
        ("", name) => json!({ "name": name }),
        (id, _) => json!({ "id": id }),
    };
    if let (Value::Object(all), Value::Object(fields)) = (&mut parameters, fields) {
        all.extend(fields);
    }
    parameters
}

/// The sentence of `text` around `range`, at most about 60 characters.
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
