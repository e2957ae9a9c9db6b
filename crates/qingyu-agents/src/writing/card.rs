//! The context card of a chapter, of constant size for any length of the book.
//!
//! It is plain text in the language of the book. Every section has its own limit in tokens, and is cut between entries
//! or at the end of a sentence. Content shared by all chapters comes first, for the provider's cache.
//!
//! - `outline`: the chapter in the outline; `told`: texts of a prompt that are not to be repeated
//! - `people`: cards; `absent`: people that the chapter is about; `past`: the story so far
//! - `earlier`: the ends of earlier books
//! - `known`: facts, events, promises, places; `listed`: short lists for the planner; `dates`: since when facts hold
//! - `awareness`: people who must know a fact although the text does not list them
//! - `counts`: numbers on cards as of the chapter; `handovers`: gifts and receipts of things as one statement
//! - `later`: what written later chapters say of this one
//! - `secrets`: secrets that readers must not know yet, and past events without them
//! - `things`: where items are; `sections`: headings with lines, `limit`: their sizes
//! - `gathered`: results of the tools; `related`: the sections made of those of the context tool

mod absent;
mod awareness;
mod counts;
mod cut;
mod dates;
mod earlier;
mod gathered;
mod handovers;
mod known;
mod later;
mod limit;
mod listed;
mod outline;
mod past;
mod people;
mod related;
mod secrets;
mod sections;
#[cfg(test)]
mod tests;
mod things;
mod told;

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::excerpt::ending;
use qingyu_story::genre::Genre;
use qingyu_story::wish::{sentences, whole_book};
use qingyu_story::{
    Character, CharacterRelation, Config, Document, Language, OutlineNode, PieceKind, Prose, Story, TimelineEvent,
    prose,
};
use serde_json::Value;

use super::book::{ChapterSurroundings, NumberedBook, title};
use crate::labels::{self, Labels};
use crate::parameters::OutlineParameters;
use crate::preference;
use crate::writing::task::Constraints;

use self::outline::OutlinedChapter;
use self::related::{CardChapter, related};
use self::sections::CardSections;
pub(crate) use self::sections::fitting;
use self::told::disclosures;

pub(crate) use self::absent::{ABSENT, named, relative_positions, relatives};
pub(crate) use self::cut::{clip, sentences_within};
pub(crate) use self::earlier::{earlier_lines, people as earlier_people};
pub(crate) use self::gathered::CardMaterial;
pub(crate) use self::later::written_later;
pub(crate) use self::outline::scenes;
pub(crate) use self::people::said;
pub(crate) use self::secrets::{hidden, is_revealed, revealed_before};
pub(crate) use self::things::at_hand;

/// Number of characters shown from the end of the previous chapter.
pub(crate) const ENDING: usize = 500;
/// Number of previous chapters whose images must not be repeated.
const LATELY: usize = 3;
/// Tokens left for the line of the genre below the premise.
const GENRE_LINE: u64 = 30;
/// Maximum number of listed images and phrases.
const IMAGES: usize = 8;
/// Maximum number of characters of the clause behind a comparison that are shown with it.
const CLAUSE: usize = 60;
/// Minimum weight of a stock phrase that must not be repeated.
const WORN_OUT: u32 = 3;

/// Token limit for the context tool: no practical limit. The card limits each section separately, so that many events
/// of a long book cannot crowd out the facts.
pub(crate) const RELATED_TOKENS: u64 = 1_000_000;

/// Returns the part of the card shared by all chapters. `rules` hold the genres that a book may name, and earlier books.
pub(crate) fn stable(story: &Story, rules: &Config, constraints: &Constraints, preferences: &[String]) -> String {
    let words = labels::of(story.language);
    let mut sections = CardSections::of(words);
    let asked = whole_book(&story.premise);
    sections.add(words.premise, premise(story, &asked, words), limit::PREMISE);
    sections.add(words.asked_of_all, asked, limit::ASKED);
    add_book(&mut sections, story, rules, constraints, preferences);
    sections.text()
}

/// Returns the style and world of the book without the author's requirement, for a prompt that already contains it.
pub(crate) fn world_and_style(story: &Story, rules: &Config) -> String {
    let mut sections = CardSections::of(labels::of(story.language));
    add_book(&mut sections, story, rules, &Constraints::default(), &[]);
    sections.text()
}

/// Returns the author's conception of the book in a line, without the instructions for the whole book in `asked`, and
/// the genre, if only the author's parameters have it.
fn premise(story: &Story, asked: &[String], words: &Labels) -> Vec<String> {
    let (said, parameters) = OutlineParameters::split(&story.premise);
    let said = conception(&said, asked, words);
    let has_genre = story.worldview.as_ref().is_some_and(|world| !world.genre.trim().is_empty());
    let genre = parameters.genre.filter(|_| !has_genre).map(|genre| words.labelled(words.genre, &genre));
    [Some(clip(&said, limit::PREMISE - GENRE_LINE)), genre].into_iter().flatten().collect()
}

/// Returns the sentences of a request without the instructions in `asked`, each with the mark that it has there.
fn conception(request: &str, asked: &[String], words: &Labels) -> String {
    let closed = |told: &str| words.ended(told.trim_end_matches([';', '；']));
    let (mut told, mut rest) = (String::new(), request);
    for sentence in sentences(request) {
        let Some((_, behind)) = rest.split_once(sentence) else { continue };
        rest = behind;
        if asked.iter().any(|one| one == sentence.trim()) {
            told = closed(&told);
            continue;
        }
        if !told.is_empty() {
            told.push_str(words.space());
        }
        match behind.chars().next().filter(|mark| !mark.is_whitespace()) {
            Some(mark) => {
                told.push_str(sentence.trim());
                told.push(mark);
            }
            None => told.push_str(&words.ended(sentence)),
        }
    }
    closed(&told)
}

fn add_book(
    sections: &mut CardSections,
    story: &Story,
    rules: &Config,
    constraints: &Constraints,
    preferences: &[String],
) {
    let words = labels::of(story.language);
    if let Some(style) = &story.style {
        let mut lines: Vec<String> = [
            (words.point_of_view, words.teller(&style.point_of_view)),
            (words.tense, style.tense.clone()),
            (words.tone, style.tone.clone()),
            (words.rhythm, style.rhythm.clone()),
            (words.dialogue, style.dialogue.clone()),
        ]
        .iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(label, text)| words.labelled(label, text))
        .collect();
        lines.extend(style.guidelines.iter().map(|line| words.labelled(words.guidelines, line)));
        lines.extend(style.taboos.iter().map(|line| words.labelled(words.taboo(line), line)));
        sections.add(words.style, lines, limit::STYLE);
    }
    if let Some(world) = &story.worldview {
        let mut lines: Vec<String> = [(words.genre, &world.genre), (words.era, &world.era)]
            .iter()
            .filter(|(_, text)| !text.trim().is_empty())
            .map(|(label, text)| words.labelled(label, text))
            .collect();
        lines.extend(Some(world.summary.trim().to_owned()).filter(|summary| !summary.is_empty()));
        sections.add(words.world, lines, limit::WORLD);
        let rule = |rule: &qingyu_story::WorldRule| {
            let says = match rule.limit.trim() {
                "" => rule.statement.trim().to_owned(),
                limit => format!("{}{}{limit}", rule.statement.trim().trim_end_matches(['。', '.']), words.semicolon),
            };
            words.labelled(rule.name.trim(), &says)
        };
        sections.add(words.rules, world.rules.iter().map(rule).collect(), limit::RULES);
    }
    earlier::add_books(sections, story, &rules.earlier, words);
    for genre in rules.genres.of(story) {
        sections.add(&words.labelled(words.readers, &genre.name), expectations(genre, words), limit::GENRE);
    }
    sections.add(words.preferences, preferences.to_vec(), preference::MOST_TOKENS);
    let sample = constraints.style_sample.trim();
    if !sample.is_empty() {
        sections.add(words.sample, vec![clip(sample, limit::SAMPLE)], limit::SAMPLE + 20);
    }
}

/// Returns what readers of a genre expect, a line per kind; a genre made from a reference has kinds without a line.
fn expectations(genre: &Genre, words: &Labels) -> Vec<String> {
    let listed = |label: &str, items: &[String]| {
        (!items.is_empty()).then(|| words.labelled(label, &items.join(words.semicolon)))
    };
    let lines = [
        Some(genre.promise.clone()),
        listed(words.avoid, &genre.avoid),
        listed(words.hooks, &genre.hooks),
        Some(words.labelled(words.tension, &genre.tension)),
    ];
    lines.into_iter().flatten().collect()
}

/// Returns the context of a chapter within the book; `asked` is what the author asks for in it, if anything.
pub(crate) fn surroundings(book: &NumberedBook<'_>, number: u32, asked: &str) -> ChapterSurroundings {
    let Some(outlined) = OutlinedChapter::of(book, number) else { return ChapterSurroundings::default() };
    let words = labels::of(book.story.language);
    let texts = outlined.texts(words);
    let revealed = disclosures(texts.iter().map(String::as_str));
    let told = texts.into_iter().chain([asked.to_owned()]).collect::<Vec<_>>().join("\n");
    let mut participants: Vec<String> = Vec::new();
    let named = outlined.nodes().flat_map(|node| &node.participants);
    for name in named.chain(outlined.events.iter().flat_map(|event| &event.participants)) {
        // The outline may call somebody by a part of the name.
        let known = book.names().resolve(PieceKind::Character, name);
        let known = known.filter(|_| book.names().find(PieceKind::Character, name).is_empty());
        let name = known.map_or_else(|| name.clone(), |named| named.name.clone());
        if !participants.contains(&name) && !outlined.is_dead(book, &name) {
            participants.push(name);
        }
    }
    let absent = absent::absent(book, &participants, &told);
    let told_before = (1..number).rev().filter_map(|before| book.document(before));
    let told_before: Vec<&Document> = told_before.filter(|document| !document.text.trim().is_empty()).collect();
    let next = book
        .node(number + 1)
        .map(|next| words.labelled(title(next), &words.sentences(&[&next.goal, &next.description])));
    let nodes: Vec<&OutlineNode> = outlined.nodes().collect();
    ChapterSurroundings {
        outline: outlined.sections(book, number, None),
        later: later::later(book, number, &nodes, &outlined.events, &participants),
        next: next.map(|next| sentences_within(&next, limit::NEXT)).unwrap_or_default(),
        before: past::so_far(book, number, words),
        ending: told_before.first().map(|document| ending(document.text.trim(), ENDING).to_owned()).unwrap_or_default(),
        hidden: secrets::hidden_of_all(book, number, &participants, &absent, &revealed),
        known: listed::listed(book, number, &[participants.as_slice(), &absent].concat(), &told, words),
        absent,
        sample: own_prose(&told_before),
        images: images(&told_before),
        participants,
        node: outlined.node.clone(),
        scenes: outlined.scenes.into_iter().cloned().collect(),
    }
}

/// Returns the beginning of the book, as a style sample for every chapter; empty while only the first chapter exists,
/// whose end is shown anyway.
fn own_prose(before: &[&Document]) -> String {
    let first = before.last().filter(|_| before.len() > 1);
    first.map(|document| clip(document.text.trim(), limit::OWN_PROSE)).unwrap_or_default()
}

/// Returns the comparisons and worn-out phrases used in the last chapters.
fn images(before: &[&Document]) -> Vec<String> {
    let mut images: Vec<String> = Vec::new();
    for document in before.iter().take(LATELY) {
        let told = Prose::of(&document.text);
        let worn_out = |(index, _): &&(usize, std::ops::Range<usize>)| prose::phrase_weight(*index) >= WORN_OUT;
        let worn = told.phrases.iter().filter(worn_out).map(|(_, range)| document.text[range.clone()].trim());
        for words in told.comparisons().map(|range| comparison(&document.text, range)).chain(worn) {
            if images.len() < IMAGES && !images.iter().any(|image| image == words) {
                images.push(words.to_owned());
            }
        }
    }
    images
}

/// Returns a comparison in Latin words with the rest of its clause, unless that is long.
fn comparison<'t>(text: &'t str, range: &std::ops::Range<usize>) -> &'t str {
    let rest = &text[range.end..];
    let is_inside = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’');
    let clause: usize = rest.chars().take_while(is_inside).map(char::len_utf8).sum();
    let is_short = rest.starts_with(' ') && rest[..clause].chars().count() <= CLAUSE;
    text[range.start..range.end + if is_short { clause } else { 0 }].trim()
}

/// Returns an event in a line: time and place, what happens, and who takes part.
pub(crate) fn event_line(event: &TimelineEvent, language: Language) -> String {
    known::event_line(event, labels::of(language))
}

/// Returns the chapter's part of the card, within `budget`: surroundings, and results of the tools. The outline does not
/// repeat the plan of the material.
pub(crate) fn chapter(surroundings: &ChapterSurroundings, gathered: &CardMaterial<'_>, budget: u64) -> String {
    let language = gathered.story.map(|story| story.language).unwrap_or_default();
    let words = labels::of(language);
    let book = gathered.story.map(NumberedBook::of);
    let number = book.as_ref().and_then(|book| book.number_at(book.position(&surroundings.node.id)?));
    let numbered = book.as_ref().zip(number);
    let outlined = numbered.and_then(|(book, number)| OutlinedChapter::of(book, number));
    let outlined = outlined.map(|outlined| outlined.beside(&gathered.related));
    let outline = outlined.as_ref().zip(numbered);
    let outline = outline.map(|(outlined, (book, number))| outlined.sections(book, number, gathered.plan));
    let all = outline.clone().unwrap_or_else(|| surroundings.outline.clone());
    let mut sections = CardSections { all, ..CardSections::of(words) };
    sections.add(words.before, surroundings.before.clone(), u64::MAX);
    sections.add(
        words.next,
        Some(surroundings.next.clone()).filter(|next| !next.is_empty()).into_iter().collect(),
        u64::MAX,
    );
    sections.add(words.later, surroundings.later.clone(), u64::MAX);
    let nodes: Vec<&OutlineNode> = surroundings.nodes().collect();
    let chapter = CardChapter {
        number,
        nodes: &nodes,
        outlined: outlined.as_ref(),
        outline: outline.as_deref().unwrap_or_default(),
        hidden: &surroundings.hidden,
    };
    related(&mut sections, gathered, book.as_ref(), words, &chapter);
    sections.add(words.hidden, surroundings.hidden.clone(), limit::HIDDEN);
    let passage = |passage: &Value| {
        let text = |key: &str| passage[key].as_str().unwrap_or_default().trim().to_owned();
        // The end of the previous chapter is shown anyway.
        let is_new = |line: &&str| !line.trim().is_empty() && !surroundings.ending.contains(line.trim());
        let told = text("text");
        let told = told.lines().filter(is_new).map(|line| before_ending(line, &surroundings.ending));
        let told: Vec<&str> = told.filter(|line| !line.is_empty()).collect();
        (!told.is_empty()).then(|| words.labelled(&text("name"), &told.join("\n")))
    };
    sections.add(words.passages, gathered.passages.iter().filter_map(passage).collect(), limit::PASSAGES);
    sections.within(budget)
}

/// Returns a line of a passage up to where the end of the previous chapter begins in it.
fn before_ending<'l>(line: &'l str, ending: &str) -> &'l str {
    /// Characters in common by chance.
    const CHANCE: usize = 8;
    let line = line.trim_end();
    let mut starts = line.char_indices().map(|(at, _)| at);
    let common = starts.find(|at| ending.trim_start().starts_with(&line[*at..]));
    common.filter(|at| line[*at..].chars().count() > CHANCE).map_or(line, |at| line[..at].trim_end())
}

/// Returns the story so far before chapter `number`, in constant size.
pub(crate) fn so_far(book: &NumberedBook<'_>, number: u32) -> Vec<String> {
    past::so_far(book, number, labels::of(book.story.language))
}

/// Returns the items as of the start of chapter `number`, a line each, for a list of `tokens`: other names, whereabouts and
/// description.
pub(crate) fn things(book: &NumberedBook<'_>, number: u32, tokens: u64) -> Vec<String> {
    fitting(listed::items(book, number, &BTreeSet::new(), labels::of(book.story.language), tokens), tokens)
}

/// Returns the places, a line each, for a list of `tokens`.
pub(crate) fn places(book: &NumberedBook<'_>, tokens: u64) -> Vec<String> {
    fitting(listed::places(book, labels::of(book.story.language), tokens), tokens)
}

/// Returns character cards, a line each; `dead` has a remark by id on each who dies.
pub(crate) fn cards(
    cast: &[Character],
    said: &BTreeMap<String, Vec<String>>,
    dead: &BTreeMap<String, String>,
    language: Language,
) -> Vec<String> {
    people::cards(cast, said, dead, labels::of(language), limit::CAST)
}

/// Returns the manner of the book for prose outside the chapter prompts, which have it in their own words: a sample, and
/// comparisons not to be repeated.
pub(crate) fn manner(surroundings: &ChapterSurroundings, language: Language) -> String {
    let words = labels::of(language);
    let mut sections = CardSections::of(words);
    let sample = Some(surroundings.sample.clone()).filter(|sample| !sample.is_empty());
    sections.add(words.written, sample.into_iter().collect(), u64::MAX);
    sections.add(words.lately, surroundings.images.clone(), u64::MAX);
    sections.text()
}

/// Returns a relation between people of `cast` as a sentence.
pub(crate) fn tie(relation: &CharacterRelation, cast: &[Character], language: Language) -> String {
    labels::of(language).tie(relation, cast)
}

/// Returns relations between people of `cast`, a line each.
pub(crate) fn ties(relations: &[Value], cast: &[Character], language: Language) -> Vec<String> {
    known::relations(relations, cast, labels::of(language))
}

/// Returns the context tool's results for a task without a chapter: the same sections, within `budget`.
pub(crate) fn material(gathered: &CardMaterial<'_>, budget: u64) -> String {
    let words = labels::of(gathered.story.map(|story| story.language).unwrap_or_default());
    let book = gathered.story.map(NumberedBook::of);
    let mut sections = CardSections::of(words);
    related(&mut sections, gathered, book.as_ref(), words, &CardChapter::default());
    sections.within(budget)
}
