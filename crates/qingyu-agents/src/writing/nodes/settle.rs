//! The node that extracts facts from the chapter, and sends it back to be mended where they contradict the story.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::language::is_han;
use qingyu_story::predicate::ValueKind;
use qingyu_story::settlement::{Extraction, likely_items};
use qingyu_story::telling::Tellings;
use qingyu_story::{Character, Language, PieceKind, Story, TimelineEvent, names, predicate};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::context::ChapterSettleContext;
use crate::labels;
use crate::prompts::PromptName;
use crate::writing::asking::{ChapterCallSpec, ChapterWork, known_by, load, trouble_of};
use crate::writing::book::{ChapterInHand, NumberedBook};
use crate::writing::card::{
    at_hand, is_revealed, relative_positions, revealed_before, scenes, sentences_within, written_later,
};
use crate::writing::clean::words;
use crate::writing::names::{KEEP, REGENERATE, SETTLE, SETTLER};
use crate::writing::nodes::finalize::announce;
use crate::writing::notice::WritingNotice;
use crate::writing::resources::WritingResources;
use crate::writing::review::{ChapterFinding, Verdict, locate};
use crate::writing::route::{ChapterRoute, EditScope, after_review};
use crate::writing::state::WritingState;
use crate::writing::trial;
use crate::writing::trouble::{Trouble, TroubleCode};

/// Those who may take part in a chapter, and where it may be set.
const MINDS: &[PieceKind] = &[PieceKind::Character, PieceKind::Organisation];
const PLACES: &[PieceKind] = &[PieceKind::Location];
/// Maximum number of cards named to the reader.
const KNOWN: usize = 60;
/// Maximum number of things, and of places, that the text does not name.
const UNNAMED: usize = 8;
/// Maximum number of other names of a card.
const OTHER_NAMES: usize = 4;
/// Maximum number of open promises named to the reader.
const PROMISES: usize = 40;
/// Maximum number of untold events named to the reader that belong to no chapter or to an earlier one.
const BESIDE: usize = 8;
/// Maximum tokens of a secret, and of the truth of the book.
const SECRET: u64 = 120;
const TRUTH: u64 = 300;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
    let of_draft = known_by(&state.content_draft);
    let (extraction, read_by) = match &state.read_by {
        // A round of fixes that changed nothing needs no second reading.
        Some(model) if state.extracted_from == of_draft => (state.extraction.clone(), Some(model.clone())),
        _ => match extracted(&mut work).await? {
            Ok((extraction, model)) => (extraction, Some(model)),
            Err(trouble) => {
                work.warn(&WritingNotice::ExtractionMissing { error: &trouble.message });
                (Extraction::default(), None)
            }
        },
    };
    let found = contradictions(&work, &extraction).await?;
    let verdict = to_mend(&work, &found);
    if verdict.is_none() {
        announce(&mut work);
    }
    let update = work.update.extraction(extraction).extracted_from(of_draft).read_by(read_by).contradictions(found);
    Ok(match verdict {
        Some(verdict) => Command::update(update.review_passed(false).review_result(Some(verdict))).goto([REGENERATE]),
        None => Command::update(update).goto([KEEP]),
    })
}

/// Returns the contradictions between the extracted facts and the story, as a stored step.
async fn contradictions(work: &ChapterWork<'_>, extraction: &Extraction) -> Result<Vec<ChapterFinding>, NodeError> {
    let (room, chapter, text) = (work.room, work.chapter(), work.state.content_draft.as_str());
    let find = || async move {
        let (story, _) = load(room).await?;
        let found = trial::contradictions(&story, (chapter, text), extraction, &room.workshop.rules);
        found.map_err(|source| Error::Unfit { chapter: chapter.number, source })
    };
    work.context.step("contradictions", &(chapter.number, known_by(text)), find).await
}

/// Returns the verdict with the contradictions, if any of them can be mended before the chapter is settled; `None` if none
/// can, or the chapter has had its round.
fn to_mend(work: &ChapterWork<'_>, found: &[ChapterFinding]) -> Option<Verdict> {
    let state = work.state;
    // A chapter that was read before comes back from its round of fixes.
    let verdict = state.review_result.clone().filter(|_| state.extracted_from.is_empty())?;
    if !verdict.shortfalls.is_empty() {
        return None;
    }
    let (asked, part) = (work.asked_beside(found), state.part.map(|(start, end)| start..end));
    let (verdict, is_mendable) = verdict.with_contradictions(found, &state.content_draft, &asked, part.as_ref());
    let retries = (state.retry_count, state.max_retries);
    let way = after_review(&verdict, retries, EditScope::of(&state.task), &state.config);
    (is_mendable && way == ChapterRoute::Mend).then_some(verdict)
}

/// Returns the extracted facts with the name of the model, or the reason no model could read the chapter.
pub(super) async fn extracted(work: &mut ChapterWork<'_>) -> Result<Result<(Extraction, String), Trouble>, NodeError> {
    let (room, state, chapter) = (work.room, work.state, work.chapter());
    let text = state.content_draft.as_str();
    let known = || async {
        let (story, _) = load(room).await?;
        Ok::<_, Error>(ReaderContext::of(&story, chapter, text))
    };
    let known: ReaderContext = work.context.step("known", &(chapter.number, known_by(text)), known).await?;
    let settling = ChapterSettleContext {
        chapter: chapter.told_number(),
        kind: state.task.kind().into(),
        language: state.language,
        title: chapter.title.clone(),
        text: text.to_owned(),
        known: known.cards,
        planned: known.planned,
        promises: known.promises,
        secrets: known.secrets,
        later: known.later,
        predicates: predicates(state.language),
    };
    let asked = ChapterCallSpec {
        agent: SETTLER,
        purpose: "chapter.settle",
        part: String::new(),
        names: [PromptName::SETTLE_SYSTEM, PromptName::SETTLE_EXTRACT],
        temperature: 0.0,
    };
    let language = state.language;
    let check = move |extraction: &Extraction| problems(extraction, text, language);
    match work.call(asked, &settling)?.ask_by_names(&SYNONYMS, Some(&check)).await {
        Ok(called) => {
            work.count(&called.record);
            let length = words(text, state.language);
            if length >= LONG && called.value.as_ref().is_some_and(is_bare) {
                work.warn(&WritingNotice::NothingTold { words: length });
            }
            let message = called.error();
            let trouble = Trouble { node: SETTLE.into(), code: TroubleCode::NoReview, message };
            Ok(called.value.map(|extraction| (unconfirmed(extraction), called.record.model)).ok_or(trouble))
        }
        Err(error) => trouble_of(error, SETTLE).map(Err),
    }
}

/// Other names under which models give the parts of an extraction, with the part.
const SYNONYMS: [(&str, &str); 9] = [
    ("摘要", "summary"),
    ("synopsis", "summary"),
    ("实体", "entities"),
    ("事件", "events"),
    ("事实", "facts"),
    ("statements", "facts"),
    ("伏笔", "promises"),
    ("foreshadowing", "promises"),
    ("secrets", "revealed"),
];

/// Length of a chapter, in Chinese characters and English words, that must tell something.
const LONG: u32 = 1_000;

/// Returns whether an extraction has no statement.
fn is_bare(extraction: &Extraction) -> bool {
    extraction.entities.is_empty()
        && extraction.events.is_empty()
        && extraction.facts.is_empty()
        && extraction.promises.is_empty()
}

/// Maximum confidence of a reader; only the author is certain.
const CONFIDENT: f32 = 0.99;

/// Returns the extraction with every confidence below the author's.
fn unconfirmed(mut extraction: Extraction) -> Extraction {
    let events = extraction.events.iter_mut().map(|event| &mut event.confidence);
    let promises = extraction.promises.iter_mut().map(|promise| &mut promise.confidence);
    let entities = extraction.entities.iter_mut().map(|one| &mut one.confidence);
    let facts = extraction.facts.iter_mut().map(|fact| &mut fact.confidence);
    events.chain(promises).chain(entities).chain(facts).for_each(|confidence| *confidence = confidence.min(CONFIDENT));
    extraction
}

/// The stored knowledge for the reader.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct ReaderContext {
    cards: Vec<String>,
    planned: Vec<String>,
    promises: Vec<String>,
    secrets: Vec<String>,
    later: Vec<String>,
}

impl ReaderContext {
    fn of(story: &Story, chapter: &ChapterInHand, text: &str) -> Self {
        let book = NumberedBook::of(story);
        let names = book.names();
        let mut cards: Vec<(PieceKind, usize)> = Vec::new();
        let mut add = |kind: PieceKind, position: usize| {
            if PieceKind::CARDS.contains(&kind) && !cards.contains(&(kind, position)) {
                cards.push((kind, position));
            }
        };
        for mention in names.mentions(text) {
            mention.bearers.iter().for_each(|named| add(named.kind, named.position));
        }
        names.mentions_in_part(text).into_iter().for_each(|(_, position)| add(PieceKind::Character, position));
        // Whom and what the chapter is planned with, the text may call otherwise.
        let surroundings = &chapter.surroundings;
        let nodes = || surroundings.scenes.iter().chain([&surroundings.node]);
        let own: Vec<usize> =
            nodes().map(|node| &node.id).chain([&chapter.node]).filter_map(|id| book.position(id)).collect();
        let is_planned = |event: &&TimelineEvent| {
            let teller = event.outline_node.as_deref().and_then(|name| book.position(name));
            teller.is_some_and(|teller| own.contains(&teller))
        };
        let events = || story.timeline_events.iter().filter(is_planned);
        let people = surroundings.participants.iter().chain(nodes().flat_map(|node| &node.participants));
        let people = people.chain(events().flat_map(|event| event.participants.iter().chain(&event.deaths)));
        let places = nodes().filter_map(|node| node.location.as_ref());
        let places = places.chain(events().filter_map(|event| event.location.as_ref()));
        for (kinds, name) in people.map(|name| (MINDS, name)).chain(places.map(|name| (PLACES, name))) {
            names.meant(kinds, name).into_iter().for_each(|named| add(named.kind, named.position));
        }
        names.addressed(text).into_iter().for_each(|position| add(PieceKind::Character, position));
        let relatives = relative_positions(story, names, &surroundings.participants, text);
        relatives.into_iter().for_each(|position| add(PieceKind::Character, position));
        // The text may speak of somebody without any name, as of a father.
        let absent = surroundings.absent.iter().flat_map(|name| names.meant(MINDS, name));
        absent.for_each(|named| add(named.kind, named.position));
        let words = events().flat_map(|event| [&event.title, &event.description]);
        for named in words.flat_map(|words| names.mentions(words)).flat_map(|mention| mention.bearers) {
            if named.kind == PieceKind::Character {
                add(named.kind, named.position);
            }
        }
        likely_items(story, text).into_iter().for_each(|position| add(PieceKind::Item, position));
        // A thing or place that the text calls by a new name has perhaps no word in common with its card: those at hand
        // first, then the last ones.
        let mut seen: std::collections::BTreeSet<(PieceKind, usize)> = cards.iter().copied().collect();
        let held = at_hand(&book, chapter.number, &chapter.surroundings.participants).into_iter();
        let things = held.chain((0..story.items().len()).rev()).map(|position| (PieceKind::Item, position));
        let things: Vec<_> = things.filter(|card| seen.insert(*card)).take(UNNAMED).collect();
        let places = (0..story.locations().len()).rev().map(|position| (PieceKind::Location, position));
        let places: Vec<_> = places.filter(|card| seen.insert(*card)).take(UNNAMED).collect();
        cards.extend(things.into_iter().chain(places));
        cards.truncate(KNOWN);
        let line = |(kind, position): &(PieceKind, usize)| {
            let piece = story.piece(*kind, *position)?;
            let alias = piece.fields().get("alias").and_then(|alias| alias.as_array().cloned()).unwrap_or_default();
            let alias: Vec<&str> = alias.iter().rev().filter_map(|alias| alias.as_str()).take(OTHER_NAMES).collect();
            let alias = if alias.is_empty() { String::new() } else { format!(" = {}", alias.join(" = ")) };
            Some(format!("{kind}: {}{alias}", piece.name()))
        };
        // A promise paid by a later chapter is still open in this one; a promise planted by a later chapter is not known yet.
        let is_before = |name: &String| book.number_named(name).is_some_and(|place| place < chapter.number);
        let is_so_far = |name: &String| book.number_named(name).is_none_or(|place| place <= chapter.number);
        let open = story.promises.iter().filter(|promise| {
            let is_planted = promise.planted.is_empty() || promise.planted.iter().any(&is_so_far);
            is_planted && !promise.paid.iter().any(&is_before)
        });
        let mut open: Vec<_> = open.collect();
        open.sort_by_key(|promise| std::cmp::Reverse(promise.importance));
        let promises = planted(&book, chapter.number).chain(open.into_iter().map(|promise| promise.name.clone()));
        let mut seen = std::collections::BTreeSet::new();
        let promises = promises.filter(|name| seen.insert(names::fold(name)));
        // A secret that an earlier chapter tells is not kept any more.
        let out = revealed_before(&book, chapter.number);
        let is_meant = |card: &&Character| {
            let is_card = |(kind, position): &(PieceKind, usize)| {
                *kind == PieceKind::Character && story.characters[*position].id == card.id
            };
            !card.secret.trim().is_empty() && !is_revealed(card, &out) && cards.iter().any(is_card)
        };
        let secret = |card: &Character| format!("{}: {}", card.name.trim(), sentences_within(&card.secret, SECRET));
        let truth = story.worldview.as_ref().map(|world| world.truth.trim()).filter(|truth| !truth.is_empty());
        let truth = truth.filter(|_| !out.contains(""));
        let truth =
            truth.map(|truth| format!("{}: {}", labels::of(story.language).truth, sentences_within(truth, TRUTH)));
        // Any chapter may tell planned events without a chapter, and those that an earlier chapter left untold; an event that
        // this chapter told before keeps its title.
        let tellings = Tellings::of(story);
        let of_chapter = story.documents.iter().filter(|one| book.number_of(&one.id) == Some(chapter.number));
        let records = of_chapter.filter_map(|document| document.settled.as_ref());
        let told_here: std::collections::BTreeSet<&str> =
            records.flat_map(|record| record.events.iter().flatten()).map(|here| here.event.as_str()).collect();
        let is_known = |name: &String| {
            names.meant(MINDS, name).into_iter().any(|named| cards.contains(&(named.kind, named.position)))
        };
        let is_beside = |event: &&TimelineEvent| {
            let number = event.outline_node.as_deref().and_then(|name| book.number_named(name));
            let is_earlier = number.is_some_and(|number| number < chapter.number);
            let may_be_told = || match event.has_chapter() {
                true => is_earlier && tellings.is_untold(event),
                false => !tellings.is_told(event),
            };
            let is_open = || may_be_told() && event.participants.iter().any(is_known);
            !is_planned(event) && (told_here.contains(event.id.as_str()) || is_open())
        };
        let beside = story.timeline_events.iter().filter(is_beside).take(BESIDE);
        let event = |event: &TimelineEvent| {
            let place = event.location.as_deref().unwrap_or_default();
            let told = [event.title.as_str(), &event.timestamp, place, &event.description];
            let told = told.map(str::trim);
            let last = told.iter().rposition(|text| !text.is_empty()).map_or(0, |last| last + 1);
            let told: Vec<&str> = told[..last].iter().map(|text| if text.is_empty() { "-" } else { *text }).collect();
            told.join(" | ")
        };
        let called = cards.iter().filter_map(|(kind, position)| story.piece(*kind, *position));
        let called = called.map(|piece| piece.name().trim().to_owned()).collect();
        Self {
            later: written_later(&book, chapter.number, &surroundings.later, &called),
            cards: cards.iter().filter_map(line).collect(),
            planned: story.timeline_events.iter().filter(is_planned).take(PROMISES).chain(beside).map(event).collect(),
            promises: promises.take(PROMISES).collect(),
            secrets: truth.into_iter().chain(story.characters.iter().filter(is_meant).map(secret)).collect(),
        }
    }
}

/// Returns the promises planted by the outline up to this chapter and not paid off before it, the chapter's own first.
fn planted<'b>(book: &'b NumberedBook<'_>, number: u32) -> impl Iterator<Item = String> + 'b {
    let nodes = move |number: u32| {
        let node = book.node(number);
        node.into_iter().chain(node.map(|node| scenes(book, node)).unwrap_or_default())
    };
    let paid: Vec<String> =
        (1..number).flat_map(nodes).flat_map(|node| &node.pays).map(|name| names::fold(name)).collect();
    let plants = (1..=number).rev().flat_map(nodes).flat_map(|node| &node.plants);
    plants.filter(move |name| !paid.contains(&names::fold(name))).map(|name| name.trim().to_owned())
}

/// Returns the predicates in the language of the book, a line for each kind of object.
fn predicates(language: Language) -> Vec<String> {
    let is_zh = language == Language::Zh;
    let label = |kind: ValueKind| match (kind, is_zh) {
        (ValueKind::Entity, true) => "`object` 是名字：",
        (ValueKind::Entity, false) => "`object` is a name: ",
        (ValueKind::Fact, true) => "`object` 是事件的标题，或 `value` 是一句话：",
        (ValueKind::Fact, false) => "`object` is the title of an event, or `value` a sentence: ",
        (ValueKind::Number, true) => "`value` 是数：",
        (ValueKind::Number, false) => "`value` is a number: ",
        (ValueKind::Flag, true) => "`value` 是 true 或 false：",
        (ValueKind::Flag, false) => "`value` is true or false: ",
        (_, true) => "`value` 是文字：",
        (_, false) => "`value` is a text: ",
    };
    let name = |word: &predicate::Predicate| match language {
        Language::Zh => word.aliases.iter().find(|alias| alias.chars().all(is_han)).unwrap_or(&word.name).clone(),
        Language::En => word.name.clone(),
    };
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    for word in predicate::all() {
        let label = label(word.value);
        match lines.iter_mut().find(|(known, _)| *known == label) {
            Some((_, names)) => names.push(name(word)),
            None => lines.push((label, vec![name(word)])),
        }
    }
    let comma = labels::of(language).comma;
    lines.into_iter().map(|(label, names)| format!("{label}{}", names.join(comma))).collect()
}

/// Validates an extraction; returns problems for the reader's retry, if it has neither summary nor statements, or if many
/// entries lack their name, or many quotes are false.
fn problems(extraction: &Extraction, text: &str, language: Language) -> Vec<String> {
    if is_bare(extraction) && extraction.summary.trim().is_empty() {
        let chinese = "`summary`、`entities`、`events`、`facts`、`promises` 一项也没有";
        let english = "the answer has none of `summary`, `entities`, `events`, `facts`, `promises`";
        return vec![labels::worded(language, chinese, english)];
    }
    let nameless = nameless(extraction, language);
    let quotes = extraction.entities.iter().map(|one| &one.quote);
    let quotes = quotes.chain(extraction.events.iter().map(|event| &event.quote));
    let quotes = quotes.chain(extraction.facts.iter().map(|fact| &fact.quote));
    let quotes: Vec<&String> = quotes.chain(extraction.promises.iter().map(|promise| &promise.quote)).collect();
    if nameless.len() * 3 > quotes.len() {
        return nameless.into_iter().take(REPORTED).collect();
    }
    let wrong: Vec<&&String> = quotes.iter().filter(|quote| locate(text, quote).is_none()).collect();
    if wrong.len() * 3 <= quotes.len() {
        return Vec::new();
    }
    let line = |quote: &&&String| {
        let words: String = quote.chars().take(60).collect();
        let chinese = format!("这一章里没有 quote 里的这句话：{words:?}");
        labels::worded(language, chinese, format!("the chapter does not have the quote {words:?}"))
    };
    wrong.iter().take(REPORTED).map(line).collect()
}

/// Maximum number of problems reported to the reader.
const REPORTED: usize = 10;

/// Returns a problem for each entry without the field that says what it is about.
fn nameless(extraction: &Extraction, language: Language) -> Vec<String> {
    let mut problems = Vec::new();
    let mut look = |list: &str, at: usize, field: &str, value: &str| {
        if value.trim().is_empty() {
            let place = format!("/{list}/{at}");
            problems.push(labels::worded(
                language,
                format!("{place}：缺少 `{field}`"),
                format!("{place}: `{field}` is missing"),
            ));
        }
    };
    extraction.entities.iter().enumerate().for_each(|(at, one)| look("entities", at, "name", &one.name));
    extraction.events.iter().enumerate().for_each(|(at, event)| look("events", at, "title", &event.title));
    for (at, fact) in extraction.facts.iter().enumerate() {
        let field = if fact.subject.trim().is_empty() { "subject" } else { "predicate" };
        let both = fact.subject.trim().is_empty() || fact.predicate.trim().is_empty();
        look("facts", at, field, if both { "" } else { fact.predicate.as_str() });
    }
    extraction.promises.iter().enumerate().for_each(|(at, promise)| look("promises", at, "name", &promise.name));
    problems
}
