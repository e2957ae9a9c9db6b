//! Reads what the chapter says to be so.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::language::is_han;
use qingyu_story::settlement::Extraction;
use qingyu_story::{Character, Language, Names, PieceKind, Story, TimelineEvent, names, predicate};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::context::ChapterSettling;
use crate::prompts::Name;
use crate::writing::asking::{Asked, Work, known_by, load, trouble_of};
use crate::writing::book::{Book, ChapterInHand};
use crate::writing::card::{clip, scenes};
use crate::writing::notice::Notice;
use crate::writing::review::locate;
use crate::writing::state::{Trouble, TroubleCode};
use crate::writing::{SETTLE, SETTLER, WritingRoom, WritingState};

/// The most cards that are named to the reader.
const KNOWN: usize = 60;
/// The most open promises that are named to the reader.
const PROMISES: usize = 40;
/// The most tokens of somebody's secret.
const SECRET: u64 = 120;

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = Work::new(&room, &state, &context);
    let (extraction, read_by) = match extracted(&mut work).await? {
        Ok((extraction, model)) => (extraction, Some(model)),
        Err(trouble) => {
            work.warn(&Notice::ExtractionMissing { error: &trouble.message });
            (Extraction::default(), None)
        }
    };
    Ok(Command::update(work.update.extraction(extraction).read_by(read_by)))
}

/// What a model reads from the chapter, and which; or why none could.
pub(super) async fn extracted(work: &mut Work<'_>) -> Result<Result<(Extraction, String), Trouble>, NodeError> {
    let (room, state, chapter) = (work.room, work.state, work.chapter());
    let text = state.content_draft.as_str();
    let known = || async {
        let (story, _) = load(room).await?;
        Ok::<_, Error>(Known::of(&story, chapter, text))
    };
    let known: Known = work.context.step("known", &(chapter.number, known_by(text)), known).await?;
    let settling = ChapterSettling {
        chapter: chapter.told_number(),
        kind: state.task.kind().into(),
        language: state.language,
        title: chapter.title.clone(),
        text: text.to_owned(),
        known: known.cards,
        planned: known.planned,
        promises: known.promises,
        secrets: known.secrets,
        predicates: predicates(state.language),
    };
    let asked = Asked {
        agent: SETTLER,
        purpose: "chapter.settle",
        part: String::new(),
        names: [Name::SETTLE_SYSTEM, Name::SETTLE_EXTRACT],
        temperature: 0.0,
    };
    let check = move |extraction: &Extraction| problems(extraction, text);
    match work.call(asked, &settling)?.ask(Some(&check)).await {
        Ok(called) => {
            work.count(&called.record);
            let message = called.error();
            let trouble = Trouble { node: SETTLE.into(), code: TroubleCode::NoReview, message };
            Ok(called.value.map(|extraction| (extraction, called.record.model)).ok_or(trouble))
        }
        Err(error) => trouble_of(error, SETTLE).map(Err),
    }
}

/// What the reader is told of the story, as it is stored.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Known {
    cards: Vec<String>,
    planned: Vec<String>,
    promises: Vec<String>,
    secrets: Vec<String>,
}

impl Known {
    fn of(story: &Story, chapter: &ChapterInHand, text: &str) -> Self {
        let names = Names::of(story);
        let mut cards: Vec<(PieceKind, usize)> = Vec::new();
        let mut add = |kind: PieceKind, position: usize| {
            let is_card =
                matches!(kind, PieceKind::Character | PieceKind::Location | PieceKind::Organisation | PieceKind::Item);
            if is_card && !cards.contains(&(kind, position)) {
                cards.push((kind, position));
            }
        };
        for mention in names.mentions(text) {
            mention.bearers.iter().for_each(|named| add(named.kind, named.position));
        }
        for name in &chapter.surroundings.participants {
            names.find(PieceKind::Character, name).iter().for_each(|named| add(named.kind, named.position));
        }
        let line = |(kind, position): &(PieceKind, usize)| {
            let piece = story.piece(*kind, *position)?;
            let alias = piece.fields().get("alias").and_then(|alias| alias.as_array().cloned()).unwrap_or_default();
            let alias: Vec<&str> = alias.iter().filter_map(|alias| alias.as_str()).take(4).collect();
            let alias = if alias.is_empty() { String::new() } else { format!(" = {}", alias.join(" = ")) };
            Some(format!("{kind}: {}{alias}", piece.name()))
        };
        let book = Book::of(story);
        let told_here = |teller: &Option<String>| {
            let node = teller.as_deref().and_then(|name| book.position(name));
            node.is_some() && node == book.position(&chapter.node)
        };
        let open = story.promises.iter().filter(|promise| promise.paid.is_empty());
        let mut open: Vec<_> = open.collect();
        open.sort_by_key(|promise| std::cmp::Reverse(promise.importance));
        let promises = planted(&book, chapter.number).chain(open.into_iter().map(|promise| promise.name.clone()));
        let mut seen = std::collections::BTreeSet::new();
        let promises = promises.filter(|name| seen.insert(names::fold(name)));
        let is_meant = |card: &&Character| {
            let is_card = |(kind, position): &(PieceKind, usize)| {
                *kind == PieceKind::Character && story.characters[*position].id == card.id
            };
            !card.secret.trim().is_empty() && cards.iter().any(is_card)
        };
        let secret = |card: &Character| format!("{}: {}", card.name.trim(), clip(&card.secret, SECRET));
        let event = |event: &TimelineEvent| {
            let place = event.location.as_deref().unwrap_or_default();
            let told = [event.title.as_str(), &event.timestamp, place, &event.description];
            let told: Vec<&str> = told.into_iter().map(str::trim).filter(|text| !text.is_empty()).collect();
            told.join(" | ")
        };
        Self {
            cards: cards.iter().take(KNOWN).filter_map(line).collect(),
            planned: story
                .timeline_events
                .iter()
                .filter(|event| told_here(&event.outline_node))
                .take(PROMISES)
                .map(event)
                .collect(),
            promises: promises.take(PROMISES).collect(),
            secrets: story.characters.iter().filter(is_meant).map(secret).collect(),
        }
    }
}

/// What the outline has planted by the end of that chapter and not paid before it: what is planted in the chapter first.
fn planted<'b>(book: &'b Book<'_>, number: u32) -> impl Iterator<Item = String> + 'b {
    let nodes = move |number: u32| {
        let node = book.node(number);
        node.into_iter().chain(node.map(|node| scenes(book, node)).unwrap_or_default())
    };
    let paid: Vec<String> =
        (1..number).flat_map(nodes).flat_map(|node| &node.pays).map(|name| names::fold(name)).collect();
    let plants = (1..=number).rev().flat_map(nodes).flat_map(|node| &node.plants);
    plants.filter(move |name| !paid.contains(&names::fold(name))).map(|name| name.trim().to_owned())
}

/// The words of the vocabulary, in the language of the book.
fn predicates(language: Language) -> Vec<String> {
    let name = |word: &predicate::Predicate| match language {
        Language::Zh => word.aliases.iter().find(|alias| alias.chars().all(is_han)).unwrap_or(&word.name).clone(),
        Language::En => word.name.clone(),
    };
    predicate::all().iter().map(name).collect()
}

/// What the reader is told before it is asked again: that it quotes words which are not there, if they are many.
fn problems(extraction: &Extraction, text: &str) -> Vec<String> {
    let quotes = extraction.entities.iter().map(|one| &one.quote);
    let quotes = quotes.chain(extraction.events.iter().map(|event| &event.quote));
    let quotes = quotes.chain(extraction.facts.iter().map(|fact| &fact.quote));
    let quotes: Vec<&String> = quotes.chain(extraction.promises.iter().map(|promise| &promise.quote)).collect();
    let wrong: Vec<&&String> = quotes.iter().filter(|quote| locate(text, quote).is_none()).collect();
    if wrong.len() * 3 <= quotes.len() {
        return Vec::new();
    }
    let line = |quote: &&&String| {
        let words: String = quote.chars().take(60).collect();
        format!("the chapter does not have the quote {words:?}")
    };
    wrong.iter().take(10).map(line).collect()
}
