//! The figures of a single chapter of a reference.

use std::collections::BTreeMap;

use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::prose::{EndingKind, OpeningKind, opening_of};
use qingyu_story::{Character, Document, Mode, Names, PieceKind, Prose, Story, settlement};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::figures::{Figures, Meter, MeterInput};

/// A chapter of a reference.
#[derive(Debug, Clone, Copy)]
pub struct ReferenceChapter<'r> {
    /// The heading; may be empty.
    pub title: &'r str,
    /// The volume, as its heading.
    pub volume: Option<&'r str>,
    /// The prose.
    pub text: &'r str,
}

/// The most people listed for a chapter.
const STAGE: usize = 8;
/// The number of mentions from which somebody counts as on stage without speaking.
const MENTIONED: usize = 3;

/// The structure of a chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterStructure {
    /// The place in the book, from 1.
    pub number: usize,
    /// The heading; may be empty.
    pub title: String,
    /// The volume, if the book has volumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<String>,
    /// The length, as editors count.
    pub length: usize,
    /// The part that is spoken, from 0 to 1.
    pub dialogue: f64,
    /// The people on stage: they speak, or are named several times; the most active first.
    pub stage: Vec<StagePerson>,
    /// How it opens; `None` for a chapter without sentences.
    pub opens: Option<OpeningKind>,
    /// How it ends; `None` if the form of its last sentences says nothing.
    pub ends: Option<EndingKind>,
    /// Its turns by kind, as far as the rules find them.
    pub turns: Vec<TurnCount>,
    /// The tension from 1 to 10, relative to the other chapters of this book.
    pub tension: u8,
    /// What it seems to do for the book.
    pub function: ChapterFunction,
}

/// Somebody on stage in a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StagePerson {
    /// The name.
    pub name: String,
    /// The number of speeches.
    pub speeches: usize,
    /// The number of mentions.
    pub mentions: usize,
}

/// The turns of a kind in a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnCount {
    /// The kind.
    pub kind: TurnKind,
    /// How many.
    pub count: usize,
}

/// A turn of the plot, as far as the rules of settlement find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// Somebody gets something.
    Gain,
    /// Somebody learns something.
    Discovery,
    /// Somebody wins against another.
    Victory,
    /// Somebody rises on a ladder.
    Rise,
    /// Somebody comes back from the dead.
    Return,
    /// Something is lost, spent or destroyed.
    Loss,
    /// Somebody dies.
    Death,
    /// Somebody falls on a ladder, or is weakened.
    Setback,
}

/// The function of a chapter, guessed from its tension and turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChapterFunction {
    /// The tension is at its height here: 8 or more, clearly above the middle of the book, above the chapter before and
    /// not below the one after.
    Climax,
    /// More is lost than won.
    Setback,
    /// Something is won, learnt or obtained.
    Payoff,
    /// The tension is 3 or less.
    Rest,
    /// The tension rises.
    Rise,
    /// Nothing of this is seen.
    Development,
}

impl TurnKind {
    /// Returns whether such a turn pays what readers wait for.
    pub fn pays(self) -> bool {
        match self {
            Self::Gain | Self::Discovery | Self::Victory | Self::Rise | Self::Return => true,
            Self::Loss | Self::Death | Self::Setback => false,
        }
    }

    /// Returns the turn that a statement of the role is.
    fn of(role: PredicateRole) -> Option<Self> {
        match role {
            PredicateRole::Getting | PredicateRole::Gain => Some(Self::Gain),
            PredicateRole::Learning => Some(Self::Discovery),
            PredicateRole::Victory => Some(Self::Victory),
            PredicateRole::Leap => Some(Self::Rise),
            PredicateRole::Revival => Some(Self::Return),
            PredicateRole::Parting | PredicateRole::Spending | PredicateRole::Destruction => Some(Self::Loss),
            PredicateRole::Death | PredicateRole::Killing => Some(Self::Death),
            PredicateRole::Fall | PredicateRole::Seal | PredicateRole::Weakness => Some(Self::Setback),
            _ => None,
        }
    }
}

impl ChapterStructure {
    /// Returns whether the chapter has a turn that pays what readers wait for.
    pub fn pays(&self) -> bool {
        self.turns.iter().any(|turn| turn.kind.pays())
    }

    /// Returns whether the end of the chapter makes a reader read on.
    pub fn pulls(&self) -> bool {
        self.ends.is_some_and(EndingKind::pulls)
    }

    /// Returns the number of turns that pay, or of the others.
    pub(super) fn count(&self, pays: bool) -> usize {
        self.turns.iter().filter(|turn| turn.kind.pays() == pays).map(|turn| turn.count).sum()
    }
}

/// A chapter, with the figures from which tension and function are guessed.
#[derive(Debug, Clone)]
pub(super) struct MeasuredChapter {
    pub(super) structure: ChapterStructure,
    /// The number of speeches, by anybody.
    pub(super) speeches: usize,
    /// The pace, from 0 to 1.
    pub(super) pace: f64,
    /// The weight of feeling in 1,000 characters or words.
    pub(super) intensity: f64,
}

impl MeasuredChapter {
    pub(super) fn of(
        number: usize,
        chapter: &ReferenceChapter<'_>,
        cast: &[Character],
        names: &Names,
        meter: &Meter,
    ) -> Self {
        let prose = Prose::of(chapter.text);
        let input = MeterInput { text: chapter.text, prose: &prose, names: Some(names) };
        let figures = meter.measure(&input);
        let structure = ChapterStructure {
            number,
            title: chapter.title.to_owned(),
            volume: chapter.volume.map(str::to_owned),
            length: figures.length,
            dialogue: figures.dialogue.share,
            stage: stage(chapter.text, &figures, cast, names),
            opens: opening_of(chapter.text, &prose),
            ends: prose.ending_kind(),
            turns: turns(chapter.text, cast),
            tension: 0,
            function: ChapterFunction::Development,
        };
        Self {
            structure,
            speeches: figures.dialogue.speeches,
            pace: figures.pace.mean,
            intensity: figures.emotion.intensity,
        }
    }
}

/// Returns the people on stage, the most active first.
fn stage(text: &str, figures: &Figures, cast: &[Character], names: &Names) -> Vec<StagePerson> {
    let mut people: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for mention in names.mentions_in_prose(text) {
        if let [one] = mention.bearers.as_slice()
            && one.kind == PieceKind::Character
        {
            people.entry(one.name.as_str()).or_default().1 += 1;
        }
    }
    for speaker in &figures.dialogue.speakers {
        if let Some(one) = cast.iter().find(|one| one.name == speaker.name) {
            people.entry(one.name.as_str()).or_default().0 += speaker.speeches;
        }
    }
    let is_on_stage = |(speeches, mentions): (usize, usize)| speeches > 0 || mentions >= MENTIONED;
    let mut stage: Vec<StagePerson> = people
        .into_iter()
        .filter(|(_, counts)| is_on_stage(*counts))
        .map(|(name, (speeches, mentions))| StagePerson { name: name.to_owned(), speeches, mentions })
        .collect();
    stage.sort_by_key(|one| std::cmp::Reverse((one.speeches * 3 + one.mentions, one.name.clone())));
    stage.truncate(STAGE);
    stage
}

/// Returns the turns that the rules of settlement find in a text, by kind.
fn turns(text: &str, cast: &[Character]) -> Vec<TurnCount> {
    const DOCUMENT: &str = "d-1";
    let document = Document { id: DOCUMENT.into(), order: 1, text: text.to_owned(), ..Document::default() };
    let story = Story { characters: cast.to_vec(), documents: vec![document], ..Story::default() };
    let Ok(extraction) = settlement::extract(&story, DOCUMENT) else { return Vec::new() };
    let mut counts: BTreeMap<TurnKind, usize> = BTreeMap::new();
    for fact in extraction.facts.iter().filter(|fact| fact.mode == Mode::Narrated) {
        let role = predicate::find(&fact.predicate).and_then(|found| found.role);
        if let Some(kind) = role.and_then(TurnKind::of) {
            *counts.entry(kind).or_default() += 1;
        }
    }
    counts.into_iter().map(|(kind, count)| TurnCount { kind, count }).collect()
}
