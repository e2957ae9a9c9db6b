//! `statistics_tool`: the book in numbers.

use std::cmp::Reverse;
use std::ops::Range;

use qingyu_story::language::is_han;
use qingyu_story::prose::editors_count;
use qingyu_story::{Document, Language, PieceKind, Prose, Story};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::PAGE;
use crate::desk::{Desk, StoryTool};
use crate::reading::ReadingOrder;
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct StatisticsTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// Only this text: the id or title of a document.
    document_id: Option<String>,
    /// How many chapters to skip in per_chapter.
    offset: Option<usize>,
    /// How many chapters, and how many of the cast, to give at most; 100 if left out.
    limit: Option<usize>,
}

impl StoryTool for StatisticsTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let metadata = Metadata::of::<Arguments>("statistics_tool", Category::Analysis, Vec::<Action>::new());
        Metadata { pure: true, ..metadata }
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let story = desk.story();
        let reading = ReadingOrder::of(story);
        let documents = match arguments.document_id.as_deref() {
            None => reading.documents(),
            Some(id) => vec![&story.documents[desk.find(PieceKind::Document, id, "/document_id")?]],
        };
        let counts: Vec<TextCount> =
            documents.iter().map(|document| TextCount::of(&document.text, story.language)).collect();
        let chapters: Vec<Value> = documents
            .iter()
            .zip(&counts)
            .map(|(document, count)| {
                let node = document.outline_node.as_deref().and_then(|name| reading.node(name));
                let planned = node.and_then(|node| story.outline_nodes[node].words);
                let mut shown = count.shown();
                shown["id"] = document.id.as_str().into();
                shown["title"] = document.title.as_str().into();
                shown["order"] = document.order.into();
                shown["planned"] = planned.into();
                shown
            })
            .collect();
        let limit = arguments.limit.unwrap_or(PAGE);
        let total = counts.iter().fold(TextCount::default(), TextCount::plus);
        let mut answer = json!({
            "total": total.shown(),
            "chapters": chapters.len(),
            "per_chapter": chapters.into_iter().skip(arguments.offset.unwrap_or(0)).take(limit).collect::<Vec<_>>(),
            "cast": cast(&reading, &documents).into_iter().take(limit).collect::<Vec<_>>(),
        });
        if arguments.document_id.is_none() {
            answer["project"] = project(story, &reading, total.length);
        }
        Ok(answer)
    }
}

/// The counts of a text.
#[derive(Debug, Clone, Copy, Default)]
struct TextCount {
    /// The length, as editors count.
    length: usize,
    /// Chinese characters.
    characters: usize,
    /// Latin words and numbers.
    words: usize,
    paragraphs: usize,
    sentences: usize,
    speeches: usize,
    /// Chinese characters and Latin words between quotation marks.
    spoken: usize,
}

impl TextCount {
    fn of(text: &str, language: Language) -> Self {
        let prose = Prose::of(text);
        let inside = |range: &Range<usize>| text.get(range.clone()).map_or(0, |words| Prose::of(words).length);
        let characters = text.chars().filter(|c| is_han(*c)).count();
        Self {
            length: editors_count(text, language),
            characters,
            words: prose.length - characters.min(prose.length),
            paragraphs: prose.paragraphs.len(),
            sentences: prose.sentences.len(),
            speeches: prose.speeches.len(),
            spoken: prose.speeches.iter().map(|speech| inside(&speech.range)).sum(),
        }
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            length: self.length + other.length,
            characters: self.characters + other.characters,
            words: self.words + other.words,
            paragraphs: self.paragraphs + other.paragraphs,
            sentences: self.sentences + other.sentences,
            speeches: self.speeches + other.speeches,
            spoken: self.spoken + other.spoken,
        }
    }

    /// Returns characters and words without marks, the measure of sentences and speech.
    fn letters(&self) -> usize {
        self.characters + self.words
    }

    fn shown(&self) -> Value {
        json!({
            "characters": self.characters,
            "words": self.words,
            "length": self.length,
            "paragraphs": self.paragraphs,
            "sentences": self.sentences,
            "speeches": self.speeches,
            "dialogue_share": share(self.spoken, self.letters()),
            "sentence_length": share(self.letters(), self.sentences),
        })
    }
}

/// Returns the mentions of each character: number of texts, mentions, nodes and events. The most mentioned come first.
fn cast(reading: &ReadingOrder<'_>, documents: &[&Document]) -> Vec<Value> {
    let story = reading.story;
    let mut named = vec![(0_usize, 0_usize); story.characters.len()];
    for document in documents {
        let mut here = vec![0_usize; story.characters.len()];
        for mention in reading.names.mentions_in_prose(&document.text) {
            if let [one] = mention.bearers.as_slice()
                && one.kind == PieceKind::Character
            {
                here[one.position] += 1;
            }
        }
        for ((texts, times), here) in named.iter_mut().zip(here) {
            *texts += usize::from(here > 0);
            *times += here;
        }
    }
    let count = |lists: &mut dyn Iterator<Item = &Vec<String>>| {
        let mut counts = vec![0_usize; story.characters.len()];
        lists.flat_map(|names| reading.characters(names)).for_each(|position| counts[position] += 1);
        counts
    };
    let nodes = count(&mut story.outline_nodes.iter().map(|node| &node.participants));
    let events = count(&mut story.timeline_events.iter().map(|event| &event.participants));
    let line = |(position, (texts, times)): (usize, (usize, usize))| {
        json!({
            "id": story.characters[position].id,
            "name": story.characters[position].name,
            "texts": texts,
            "mentions": times,
            "outline_nodes": nodes[position],
            "events": events[position],
        })
    };
    let mut order: Vec<(usize, (usize, usize))> = named.into_iter().enumerate().collect();
    order.sort_by_key(|(position, (texts, times))| (Reverse((*times, *texts, nodes[*position])), *position));
    order.into_iter().map(line).collect()
}

/// Returns the progress of the book.
fn project(story: &Story, reading: &ReadingOrder<'_>, written: usize) -> Value {
    let chapters = reading.chapters();
    let told = chapters.iter().filter(|node| !reading.documents_of(**node).is_empty()).count();
    let planned: u64 = chapters.iter().filter_map(|node| story.outline_nodes[*node].words).map(u64::from).sum();
    json!({
        "chapters": chapters.len(),
        "chapters_written": told,
        "planned": planned,
        "written": written,
        "progress": if planned == 0 { Value::Null } else { json!(rounded(written as f64 / planned as f64)) },
        "documents": story.documents.len(),
        "outline_nodes": story.outline_nodes.len(),
        "characters": story.characters.len(),
        "relations": story.character_relations.len(),
        "events": story.timeline_events.len(),
        "facts": story.facts.len(),
        "promises": story.promises.len(),
    })
}

/// Returns the quotient, 0 for a zero divisor.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { rounded(part as f64 / whole as f64) }
}

/// Rounds to four digits.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
