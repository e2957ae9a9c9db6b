//! Counts over the documents of a story: lengths, dialogue, appearances, and progress against the plan.

use std::collections::{BTreeMap, HashMap};

use qingyu_story::prose::editors_count;
use qingyu_story::{
    Language, Levels, Manuscript, Names, OutlineNode, OutlineNodeKind, PieceKind, Prose, ReadState, RoleType, Story,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::figures::{Meter, rounded, share};

/// The most people named in a chapter row.
const PEOPLE: usize = 5;

/// Counts over the documents of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Statistics {
    /// The language of the story.
    pub language: Language,
    /// All chapters together.
    pub totals: Totals,
    /// How far the plan is carried out.
    pub progress: Progress,
    /// One row for each document in reading order; notes are left out.
    pub chapters: Vec<ChapterRow>,
    /// The cast, by how often they are named.
    pub characters: Vec<Appearances>,
}

/// All chapters together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// How many chapters there are.
    pub chapters: usize,
    /// The length, as editors count: in Chinese, characters with punctuation; in English, words.
    pub length: usize,
    /// How many paragraphs.
    pub paragraphs: usize,
    /// How many sentences.
    pub sentences: usize,
    /// The mean length of a chapter.
    pub chapter: f64,
    /// The mean length of a sentence, in Chinese characters or words without punctuation.
    pub sentence: f64,
    /// What is spoken, from 0 to 1.
    pub dialogue: f64,
}

/// How far the plan is carried out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// How many chapters the book is planned to have.
    pub chapters_planned: usize,
    /// How many of them have a text.
    pub chapters_written: usize,
    /// The words planned; of chapters that say none, the mean of those that do. None if no chapter says any.
    pub words_planned: Option<u64>,
    /// The words written.
    pub words_written: u64,
    /// Written by planned, from 0; over 1 where the book has outgrown its plan.
    pub share: Option<f64>,
}

/// Counts of one chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterRow {
    /// The place in reading order.
    pub order: u32,
    /// The id of the document.
    pub document: String,
    /// Its title.
    pub title: String,
    /// The length, as editors count: in Chinese, characters with punctuation; in English, words.
    pub length: usize,
    /// The words planned.
    pub planned: Option<u32>,
    /// Written by planned.
    pub share: Option<f64>,
    /// How many paragraphs.
    pub paragraphs: usize,
    /// How many sentences.
    pub sentences: usize,
    /// The mean length of a sentence, in Chinese characters or words without punctuation.
    pub sentence: f64,
    /// What is spoken, from 0 to 1.
    pub dialogue: f64,
    /// Who is named most, by name.
    pub people: Vec<String>,
    /// How far the text has been read.
    pub reading: ReadState,
}

/// How often somebody appears.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Appearances {
    /// The id of the card.
    pub id: String,
    /// The name.
    pub name: String,
    /// The role.
    pub role: RoleType,
    /// How often the name or an alias stands in the text.
    pub mentions: usize,
    /// In which chapters, by their place in reading order.
    pub chapters: Vec<u32>,
    /// How many speeches are said to be theirs.
    pub speeches: usize,
    /// The length of those speeches.
    pub spoken: usize,
    /// In how many chapters the outline has them.
    pub planned: usize,
}

impl Statistics {
    /// Returns the counts over the documents of `story`, parsed and cached by `manuscript`.
    pub fn of(story: &Story, manuscript: &mut Manuscript, meter: &Meter) -> Self {
        let names = Names::of(story);
        let mut counting = Counting::new(story, &names, meter);
        let chapters: Vec<ChapterRow> = manuscript
            .chapters(story)
            .into_iter()
            .map(|chapter| counting.chapter(chapter.document, &chapter.prose))
            .collect();
        let totals = counting.totals(chapters.len());
        let progress = counting.progress(totals.length);
        Self { language: story.language, totals, progress, chapters, characters: counting.characters() }
    }
}

/// The counts accumulated chapter by chapter.
struct Counting<'c> {
    story: &'c Story,
    names: &'c Names,
    meter: &'c Meter,
    planned: Vec<Option<u32>>,
    told: BTreeMap<usize, ()>,
    mentions: Vec<usize>,
    present: Vec<Vec<u32>>,
    speeches: HashMap<String, (usize, usize)>,
    length: usize,
    /// Characters and words without punctuation, the measure of sentences and speech.
    letters: usize,
    paragraphs: usize,
    sentences: usize,
    spoken: usize,
}

impl<'c> Counting<'c> {
    fn new(story: &'c Story, names: &'c Names, meter: &'c Meter) -> Self {
        let cast = story.characters.len();
        Self {
            story,
            names,
            meter,
            planned: planned(story, names),
            told: BTreeMap::new(),
            mentions: vec![0; cast],
            present: vec![Vec::new(); cast],
            speeches: HashMap::new(),
            length: 0,
            letters: 0,
            paragraphs: 0,
            sentences: 0,
            spoken: 0,
        }
    }

    fn chapter(&mut self, document: &qingyu_story::Document, prose: &Prose) -> ChapterRow {
        let node = document.outline_node.as_deref().or(Some(document.title.as_str()));
        let node = node.and_then(|node| self.names.resolve(PieceKind::OutlineNode, node)).map(|node| node.position);
        if let Some(node) = node {
            self.told.insert(node, ());
        }
        let planned = node.and_then(|node| self.planned[node]);
        let dialogue = self.meter.dialogue(&document.text, prose, Some(self.names));
        for speaker in &dialogue.speakers {
            let (speeches, spoken) = self.speeches.entry(speaker.name.clone()).or_default();
            *speeches += speaker.speeches;
            *spoken += speaker.length;
        }
        let length = editors_count(&document.text, self.story.language);
        self.length += length;
        self.letters += prose.length;
        self.paragraphs += prose.paragraphs.len();
        self.sentences += prose.sentences.len();
        self.spoken += dialogue.length;
        ChapterRow {
            order: document.order,
            document: document.id.clone(),
            title: document.title.clone(),
            length,
            planned,
            share: planned.filter(|planned| *planned > 0).map(|planned| rounded(length as f64 / f64::from(planned))),
            paragraphs: prose.paragraphs.len(),
            sentences: prose.sentences.len(),
            sentence: mean(prose.length, prose.sentences.len()),
            dialogue: dialogue.share,
            people: self.people(document),
            reading: document.read_state(),
        }
    }

    /// Counts the people named in a document; returns the most frequent names.
    fn people(&mut self, document: &qingyu_story::Document) -> Vec<String> {
        let mut here: BTreeMap<usize, usize> = BTreeMap::new();
        for mention in self.names.mentions_in_prose(&document.text) {
            if let [one] = mention.bearers.as_slice()
                && one.kind == PieceKind::Character
            {
                *here.entry(one.position).or_default() += 1;
            }
        }
        for (position, count) in &here {
            self.mentions[*position] += count;
            self.present[*position].push(document.order);
        }
        let mut here: Vec<(usize, usize)> = here.into_iter().collect();
        here.sort_by_key(|(position, count)| (std::cmp::Reverse(*count), *position));
        here.truncate(PEOPLE);
        here.into_iter().map(|(position, _)| self.story.characters[position].name.clone()).collect()
    }

    fn totals(&self, chapters: usize) -> Totals {
        Totals {
            chapters,
            length: self.length,
            paragraphs: self.paragraphs,
            sentences: self.sentences,
            chapter: mean(self.length, chapters),
            sentence: mean(self.letters, self.sentences),
            dialogue: share(self.spoken, self.letters).min(1.0),
        }
    }

    fn progress(&self, written: usize) -> Progress {
        let chapters: Vec<usize> = self
            .story
            .outline_nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.kind == OutlineNodeKind::Chapter)
            .map(|(position, _)| position)
            .collect();
        let known: Vec<u64> = chapters.iter().filter_map(|position| self.planned[*position]).map(u64::from).collect();
        // The levels may plan more chapters than the outline has nodes for.
        let length = Levels::with(self.story, self.names).and_then(|levels| usize::try_from(levels.length).ok());
        let chapters_planned = length.unwrap_or_default().max(chapters.len());
        let words_planned = (!known.is_empty())
            .then(|| known.iter().sum::<u64>() * chapters_planned as u64 / known.len() as u64)
            .filter(|words| *words > 0);
        Progress {
            chapters_planned,
            chapters_written: chapters.iter().filter(|position| self.told.contains_key(position)).count(),
            words_planned,
            words_written: written as u64,
            share: words_planned.map(|planned| rounded(written as f64 / planned as f64)),
        }
    }

    fn characters(self) -> Vec<Appearances> {
        let mut planned = vec![0; self.story.characters.len()];
        for node in self.story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter) {
            for participant in &node.participants {
                if let Some(named) = self.names.resolve(PieceKind::Character, participant) {
                    planned[named.position] += 1;
                }
            }
        }
        let rows = self.story.characters.iter().zip(self.mentions).zip(self.present).zip(planned);
        let mut rows: Vec<Appearances> = rows
            .map(|(((character, mentions), chapters), planned)| {
                let (speeches, spoken) = self.speeches.get(character.name.trim()).copied().unwrap_or_default();
                Appearances {
                    id: character.id.clone(),
                    name: character.name.clone(),
                    role: character.role_type,
                    mentions,
                    chapters,
                    speeches,
                    spoken,
                    planned,
                }
            })
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.mentions));
        rows
    }
}

/// Returns the planned words of each outline node: the node's own, with the sum over the scenes as fallback.
fn planned(story: &Story, names: &Names) -> Vec<Option<u32>> {
    let mut of_children: Vec<Option<u32>> = vec![None; story.outline_nodes.len()];
    let parent = |node: &OutlineNode| {
        let parent = node.parent.as_deref()?;
        names.resolve(PieceKind::OutlineNode, parent).map(|named| named.position)
    };
    for node in story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Scene) {
        if let (Some(parent), Some(words)) = (parent(node), node.words) {
            *of_children[parent].get_or_insert(0) += words;
        }
    }
    story.outline_nodes.iter().zip(of_children).map(|(node, children)| node.words.or(children)).collect()
}

fn mean(sum: usize, count: usize) -> f64 {
    if count == 0 { 0.0 } else { rounded(sum as f64 / count as f64) }
}
