//! The node that extracts facts from the chapter, and sends it back to be mended where they contradict the story.

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
use crate::writing::card::{at_hand, clip, is_revealed, relative_positions, revealed_before, scenes, written_later};
use crate::writing::clean::words;
use crate::writing::names::{KEEP, REGENERATE, SETTLE, SETTLER};
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
/// Maximum number of untold events named to the reader that belong to no chapter.
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
    let (extraction, read_by) = match extracted(&mut work).await? {
        Ok((extraction, model)) => (extraction, Some(model)),
        Err(trouble) => {
            work.warn(&WritingNotice::ExtractionMissing { error: &trouble.message });
            (Extraction::default(), None)
        }
    };
    let found = contradictions(&work, &extraction).await?;
    let verdict = to_mend(&work, &found);
    let update = work.update.extraction(extraction).read_by(read_by).contradictions(found);
    Ok(match verdict {
        Some(verdict) => {
            let update = update.contradictions_given(true).review_passed(false).review_result(Some(verdict));
            Command::update(update).goto([REGENERATE])
        }
        None => Command::update(update).goto([KEEP]),
    })
}

/// Returns what the extracted facts contradict in the story, as a stored step.
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
    let verdict = state.review_result.clone().filter(|_| !state.contradictions_given)?;
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
            let is_card =
                matches!(kind, PieceKind::Character | PieceKind::Location | PieceKind::Organisation | PieceKind::Item);
            if is_card && !cards.contains(&(kind, position)) {
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
        let secret = |card: &Character| format!("{}: {}", card.name.trim(), clip(&card.secret, SECRET));
        let truth = story.worldview.as_ref().map(|world| world.truth.trim()).filter(|truth| !truth.is_empty());
        let truth = truth.filter(|_| !out.contains(""));
        let truth = truth.map(|truth| format!("{}: {}", labels::of(story.language).truth, clip(truth, TRUTH)));
        // Any chapter may tell planned events without a chapter; an event that this chapter told before keeps its title.
        let tellings = Tellings::of(story);
        let of_chapter = story.documents.iter().filter(|one| book.number_of(&one.id) == Some(chapter.number));
        let records = of_chapter.filter_map(|document| document.settled.as_ref());
        let told_here: std::collections::BTreeSet<&str> =
            records.flat_map(|record| record.events.iter().flatten()).map(|here| here.event.as_str()).collect();
        let is_known = |name: &String| {
            names.meant(MINDS, name).into_iter().any(|named| cards.contains(&(named.kind, named.position)))
        };
        let is_beside = |event: &&TimelineEvent| {
            let is_open = || !tellings.is_told(event) && event.participants.iter().any(is_known);
            !event.has_chapter() && (told_here.contains(event.id.as_str()) || is_open())
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use qingyu_story::OutlineNode;

    use super::*;

    const TEXT: &str = "林深把旧罗盘收进怀里。他今年二十六岁。Mara left the harbour.";

    #[track_caller]
    fn check(told: serde_json::Value) -> Vec<String> {
        problems(&serde_json::from_value(told).expect("it is an extraction"), TEXT, Language::En)
    }

    #[test]
    fn predicates_are_listed_by_what_they_take() {
        let lines = predicates(Language::Zh);
        assert_eq!(lines.len(), 5, "{lines:?}");
        assert!(lines[0].starts_with("`object` 是名字：位于、"), "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("`value` 是数：") && line.contains("年龄")), "{lines:?}");
        let english = predicates(Language::En);
        assert!(english[0].starts_with("`object` is a name: is_at, "), "{english:?}");
        let count = |lines: &[String], comma: &str| lines.iter().map(|line| line.split(comma).count()).sum::<usize>();
        assert_eq!(count(&english, ", "), predicate::all().len() + 1, "one label has a comma");
    }

    #[test]
    fn problems_are_told_in_the_language_of_the_book() {
        let told: Extraction = serde_json::from_value(json!({"events": [{"title": ""}]})).expect("it is an extraction");
        assert_eq!(problems(&told, TEXT, Language::Zh), ["/events/0：缺少 `title`"]);
        assert_eq!(problems(&told, TEXT, Language::En), ["/events/0: `title` is missing"]);
    }

    #[test]
    fn an_answer_that_says_nothing_is_bad_and_a_quiet_chapter_is_not() {
        assert_eq!(check(json!({})).len(), 1);
        assert_eq!(check(json!({"summary": " ", "facts": []})).len(), 1);
        assert_eq!(check(json!({"summary": "林深收起了罗盘。"})), [""; 0]);
        assert_eq!(check(json!({"summary": "Mara leaves."})), [""; 0]);
    }

    #[test]
    fn entries_without_a_name_are_asked_about_unless_few() {
        let quote = "他今年二十六岁。";
        let wordy = json!({"quote": quote, "value": "林深二十六岁"});
        assert_eq!(
            check(json!({"summary": "林深收起了罗盘。", "facts": [wordy, wordy]})),
            ["/facts/0: `subject` is missing", "/facts/1: `subject` is missing"]
        );
        let event = json!({"description": "Mara leaves", "quote": "Mara left the harbour."});
        assert_eq!(check(json!({"summary": "Mara leaves.", "events": [event]})), ["/events/0: `title` is missing"]);
        let good = json!({"subject": "林深", "predicate": "年龄", "value": 26, "quote": quote});
        assert_eq!(check(json!({"facts": [good, good, wordy]})), [""; 0], "one of three is left out later");
    }

    #[test]
    fn what_an_earlier_chapter_gave_away_is_no_secret() {
        let story: Story = serde_json::from_value(json!({
            "language": "en",
            "worldview": {"truth": "The ledger was forged."},
            "characters": [{"id": "c-1", "name": "Ann", "secret": "sold it"}, {"id": "c-2", "name": "Tom", "secret": "saw it"}],
            "outline_nodes": [{"id": "o-1", "name": "Chapter 1", "order": 1}, {"id": "o-2", "name": "Chapter 2", "order": 2}],
            "documents": [{"id": "d-1", "title": "Chapter 1", "order": 1, "outline_node": "o-1", "text": "Ann sold it.",
                "settled": {"revealed": [{"of": "c-1", "quote": "Ann sold it."}, {"of": "c-2", "quote": "Edited away."}]}}]
        }))
        .unwrap();
        let secrets = |number: u32| {
            let chapter = ChapterInHand { number, node: format!("o-{number}"), ..ChapterInHand::default() };
            ReaderContext::of(&story, &chapter, "Ann met Tom.").secrets
        };
        let truth = format!("{}: The ledger was forged.", labels::of(Language::En).truth);
        assert_eq!(secrets(1), [truth.clone(), "Ann: sold it".into(), "Tom: saw it".into()]);
        assert_eq!(secrets(2), [truth, "Tom: saw it".into()]);
    }

    #[test]
    fn a_person_named_by_a_first_name_is_known_with_the_secret() {
        let person = |name: &str| Character {
            id: name.into(),
            name: name.into(),
            secret: "sold it".into(),
            ..Character::default()
        };
        let characters = vec![person("Ottilie Marsh"), person("Fenwick Marsh")];
        let story = Story { language: Language::En, characters, ..Story::default() };
        let known = ReaderContext::of(&story, &ChapterInHand::default(), "Fenwick's slates lay in rows.");
        assert_eq!(known.cards, ["character: Fenwick Marsh"]);
        assert_eq!(known.secrets, ["Fenwick Marsh: sold it"]);
    }

    #[test]
    fn whom_the_text_calls_by_less_than_a_name_and_who_is_planned_are_known() {
        let person = |name: &str| Character { id: name.into(), name: name.into(), ..Character::default() };
        let location = |name: &str| qingyu_story::Location { name: name.into(), ..qingyu_story::Location::default() };
        let characters = ["沈砚秋", "裴慎之", "崔景明", "田七", "Mara Voss"].map(person).to_vec();
        let locations = (0..20).map(|at| location(&format!("渡口{at}"))).collect();
        let worldview = qingyu_story::Worldview { locations, ..qingyu_story::Worldview::default() };
        let node = OutlineNode { id: "o-1".into(), name: "第一章".into(), order: 1, ..OutlineNode::default() };
        let scene =
            OutlineNode {
                participants: vec!["景明".into()], location: Some("渡口3".into()), ..OutlineNode::default()
            };
        let event = TimelineEvent {
            participants: vec!["田七".into()],
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        };
        let story = Story {
            characters,
            worldview: Some(worldview),
            outline_nodes: vec![node],
            timeline_events: vec![event],
            ..Story::default()
        };
        let mut chapter = ChapterInHand { number: 1, node: "o-1".into(), ..ChapterInHand::default() };
        chapter.surroundings.scenes = vec![scene];
        let known = ReaderContext::of(&story, &chapter, "砚秋看了裴大人一眼。Mara没有说话。").cards;
        assert_eq!(
            known[..6],
            [
                "character: 沈砚秋",
                "character: Mara Voss",
                "character: 崔景明",
                "character: 田七",
                "location: 渡口3",
                "character: 裴慎之"
            ]
        );
        assert!(known.len() <= 6 + UNNAMED && !known.contains(&"location: 渡口0".to_owned()), "{known:?}");
        let everybody = (0..80).map(|at| person(&format!("人{at:02}"))).collect::<Vec<_>>();
        let text = everybody.iter().map(|card| card.name.as_str()).collect::<Vec<_>>().join("、");
        let story = Story { characters: everybody, ..Story::default() };
        assert_eq!(ReaderContext::of(&story, &chapter, &text).cards.len(), KNOWN, "the block has a bound");
    }

    #[test]
    fn whom_a_chapter_speaks_of_without_a_name_is_known() {
        let person = |name: &str| Character { id: name.into(), name: name.into(), ..Character::default() };
        let event = TimelineEvent {
            title: "林深听到流言".into(),
            description: "有人说林远山是自己走的。".into(),
            participants: vec!["林深".into()],
            outline_node: Some("o-1".into()),
            ..TimelineEvent::default()
        };
        let story = Story {
            characters: ["林深", "林远山", "周沉", "沈舟"].map(person).to_vec(),
            outline_nodes: vec![OutlineNode {
                id: "o-1".into(),
                name: "第一章".into(),
                order: 1,
                ..OutlineNode::default()
            }],
            timeline_events: vec![event],
            ..Story::default()
        };
        let mut chapter = ChapterInHand { number: 1, node: "o-1".into(), ..ChapterInHand::default() };
        chapter.surroundings.absent = vec!["周沉".into()];
        let known = ReaderContext::of(&story, &chapter, "林深听人说，他爹是自己走的。").cards;
        assert_eq!(known, ["character: 林深", "character: 周沉", "character: 林远山"]);
    }

    #[test]
    fn what_happened_before_the_book_may_be_told_in_any_chapter() {
        let story: Story = serde_json::from_value(json!({
            "language": "en",
            "characters": [{"id": "c-1", "name": "Silas Crane"}, {"id": "c-2", "name": "Ann Lowe"}],
            "outline_nodes": [{"id": "o-1", "name": "Chapter 1", "order": 1}, {"id": "o-2", "name": "Chapter 2", "order": 2}],
            "timeline_events": [
                {"id": "e-1", "title": "The sale", "timestamp": "1887-01-14", "participants": ["Silas Crane"]},
                {"id": "e-2", "title": "The journey", "participants": ["Ann Lowe"]},
                {"id": "e-3", "title": "The trial", "participants": ["Silas Crane"], "outline_node": "o-2"},
                {"id": "e-4", "title": "The ring", "participants": ["Silas Crane"], "outline_node": "o-1"}
            ],
        }))
        .unwrap();
        let chapter = ChapterInHand { number: 1, node: "o-1".into(), ..ChapterInHand::default() };
        let known = ReaderContext::of(&story, &chapter, "Silas Crane said that he had sold it.");
        assert_eq!(known.planned, ["The ring", "The sale | 1887-01-14"], "nobody else's, no other chapter's");
    }

    #[test]
    fn what_a_chapter_was_found_to_tell_is_known_when_it_is_settled_again() {
        let story: Story = serde_json::from_value(json!({
            "language": "en",
            "characters": [{"id": "c-1", "name": "Marian Tillery"}, {"id": "c-2", "name": "Walter Tillery"}],
            "outline_nodes": [{"id": "o-1", "name": "Chapter 1", "order": 1}, {"id": "o-2", "name": "Chapter 2", "order": 2}],
            "documents": [
                {"id": "d-1", "title": "Chapter 1", "order": 1, "outline_node": "o-1", "text": "He gave Marian Tillery the bell.",
                 "settled": {"version": 1, "events": [{"event": "e-1", "quote": "He gave Marian Tillery the bell."}]}},
                {"id": "d-2", "title": "Chapter 2", "order": 2, "outline_node": "o-2", "text": "Marian Tillery rang."}
            ],
            "timeline_events": [
                {"id": "e-1", "title": "The promise", "timestamp": "1977-11-06", "participants": ["Walter Tillery"]},
                {"id": "e-2", "title": "The departure", "participants": ["Marian Tillery"]}
            ],
        }))
        .unwrap();
        let planned = |number: u32, node: &str| {
            let chapter = ChapterInHand { number, node: node.into(), ..ChapterInHand::default() };
            ReaderContext::of(&story, &chapter, "Marian Tillery rang.").planned
        };
        assert_eq!(planned(1, "o-1"), ["The promise | 1977-11-06", "The departure"]);
        assert_eq!(planned(2, "o-2"), ["The departure"], "the first chapter tells it");
    }

    #[test]
    fn the_promises_of_a_chapter_settled_again_are_those_open_in_it() {
        let story: Story = serde_json::from_value(json!({
            "outline_nodes": [
                {"id": "o-1", "name": "第一章", "order": 1}, {"id": "o-2", "name": "第二章", "order": 2},
                {"id": "o-3", "name": "第三章", "order": 3}
            ],
            "documents": [
                {"id": "d-1", "title": "第一章", "order": 1, "outline_node": "o-1", "text": "一。"},
                {"id": "d-2", "title": "第二章", "order": 2, "outline_node": "o-2", "text": "二。"},
                {"id": "d-3", "title": "第三章", "order": 3, "outline_node": "o-3", "text": "三。"}
            ],
            "promises": [
                {"id": "promise-1", "name": "交账", "planted": ["d-2"], "paid": ["d-3"], "importance": 5},
                {"id": "promise-2", "name": "旧债", "planted": ["d-1"], "paid": ["d-1"], "importance": 4},
                {"id": "promise-3", "name": "归期", "planted": ["d-3"], "importance": 3},
                {"id": "promise-4", "name": "木样", "planted": ["o-1"], "paid": ["d-2"], "importance": 2}
            ],
        }))
        .unwrap();
        let known = |number: u32, node: &str| {
            let chapter = ChapterInHand { number, node: node.into(), ..ChapterInHand::default() };
            ReaderContext::of(&story, &chapter, "二。").promises
        };
        assert_eq!(known(2, "o-2"), ["交账", "木样"], "neither paid before nor planted later");
        assert_eq!(known(1, "o-1"), ["旧债", "木样"]);
        assert_eq!(known(3, "o-3"), ["交账", "归期"]);
    }

    #[test]
    fn the_truth_is_known_whole_and_every_column_of_a_plan_has_its_place() {
        let truth = "当年是弟弟替哥哥顶了债，把祖传的罗盘押在邱家，又照样铸了一只放回木龛。".repeat(3);
        let truth = format!("{truth}哥哥一直说债早已还清。");
        let story: Story = serde_json::from_value(json!({
            "worldview": {"truth": truth},
            "outline_nodes": [{"id": "o-1", "name": "第一章", "order": 1}],
            "timeline_events": [
                {"id": "e-1", "title": "船股亏光", "timestamp": "1998年10月", "description": "钱没了", "outline_node": "o-1"},
                {"id": "e-2", "title": "守灵", "location": "老屋", "outline_node": "o-1"}
            ],
        }))
        .unwrap();
        let chapter = ChapterInHand { number: 1, node: "o-1".into(), ..ChapterInHand::default() };
        let known = ReaderContext::of(&story, &chapter, "她守了一夜。");
        assert!(known.secrets[0].ends_with("哥哥一直说债早已还清。"), "{:?}", known.secrets);
        assert_eq!(known.planned, ["船股亏光 | 1998年10月 | - | 钱没了", "守灵 | - | 老屋"]);
    }

    #[test]
    fn what_later_chapters_tell_of_lives_and_things_is_shown() {
        let story: Story = serde_json::from_value(json!({
            "language": "en",
            "characters": [{"id": "c-1", "name": "Silas Crane"}, {"id": "c-2", "name": "Ann Lowe"}],
            "worldview": {"items": [{"id": "i-1", "name": "the ledger"}]},
            "outline_nodes": [{"id": "o-1", "name": "Chapter 1", "order": 1}, {"id": "o-2", "name": "Chapter 2", "order": 2}],
            "documents": [
                {"id": "d-1", "title": "Chapter 1", "order": 1, "outline_node": "o-1", "text": "Silas Crane sold the ledger."},
                {"id": "d-2", "title": "Chapter 2", "order": 2, "outline_node": "o-2", "text": "Silas Crane has the ledger. He dies."}
            ],
            "facts": [
                {"id": "f-1", "subject": "Silas Crane", "predicate": "dies", "value": true, "from": "1887-03-02",
                 "source": {"document": "d-2", "quote": "He dies."}},
                {"id": "f-2", "subject": "Silas Crane", "predicate": "holds", "object": "the ledger",
                 "source": {"document": "d-2", "quote": "Silas Crane has the ledger."}},
                {"id": "f-3", "subject": "Silas Crane", "predicate": "mood", "value": "calm",
                 "source": {"document": "d-2", "quote": "He dies."}},
                {"id": "f-4", "subject": "Ann Lowe", "predicate": "dies", "value": true,
                 "source": {"document": "d-2", "quote": "He dies."}}
            ]
        }))
        .unwrap();
        let later = |number: u32, node: &str| {
            let mut chapter = ChapterInHand { number, node: node.into(), ..ChapterInHand::default() };
            chapter.surroundings.later = vec!["Chapter 2: He dies.".into()];
            ReaderContext::of(&story, &chapter, "Silas Crane sold the ledger.").later
        };
        assert_eq!(
            later(1, "o-1"),
            [
                "Chapter 2: He dies.",
                "Chapter 2: Silas Crane dies (1887-03-02)",
                "Chapter 2: Silas Crane holds the ledger"
            ]
        );
        assert_eq!(later(2, "o-2"), ["Chapter 2: He dies."], "nothing is written after it");
    }

    #[test]
    fn things_at_hand_are_known_even_if_the_text_does_not_name_them() {
        let item = |name: &str, holder: Option<&str>| qingyu_story::Item {
            name: name.into(),
            holder: holder.map(str::to_owned),
            ..qingyu_story::Item::default()
        };
        let mut items = vec![item("承影", Some("林深"))];
        items[0].alias = ["甲", "乙", "丙", "丁", "断水"].map(str::to_owned).into();
        items.extend((0..20).map(|at| item(&format!("杂物{at}"), None)));
        let location = |name: &str| qingyu_story::Location { name: name.into(), ..qingyu_story::Location::default() };
        let story = Story {
            characters: vec![Character { name: "林深".into(), ..Character::default() }],
            worldview: Some(qingyu_story::Worldview {
                items,
                locations: vec![location("旧港"), location("青阳")],
                ..qingyu_story::Worldview::default()
            }),
            ..Story::default()
        };
        let mut chapter = ChapterInHand { number: 2, ..ChapterInHand::default() };
        chapter.surroundings.participants = vec!["林深".into()];
        let known = ReaderContext::of(&story, &chapter, "林深握紧了霜寒。").cards;
        assert_eq!(known[..2], ["character: 林深", "item: 承影 = 断水 = 丁 = 丙 = 乙"], "the newest name first");
        assert_eq!(known.iter().filter(|line| line.starts_with("item: ")).count(), UNNAMED);
        assert!(known.contains(&"item: 杂物19".to_owned()) && !known.contains(&"item: 杂物0".to_owned()), "{known:?}");
        assert!(known.contains(&"location: 旧港".to_owned()), "{known:?}");
        // What the text names does not count among those that it does not name.
        let known = ReaderContext::of(&story, &chapter, "林深握紧了承影。").cards;
        assert_eq!(known.iter().filter(|line| line.starts_with("item: ")).count(), 1 + UNNAMED, "{known:?}");
    }
}
