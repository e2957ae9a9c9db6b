//! What a chapter is written from: the context card, of constant size however long the book is.
//!
//! It is plain text in the language of the book. Every section has a limit of its own, in tokens, and is cut between entries
//! or at the end of a sentence. What is the same for all chapters comes first, so that a provider's cache finds it again.
//!
//! - `words`: headings and labels; `people`: cards; `past`: the story so far; `known`: facts, events, promises, places

mod known;
mod past;
mod people;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;

use qingyu_llm::estimate;
use qingyu_story::{Character, Document, Language, OutlineNode, Prose, Story, marks};
use serde::Deserialize;
use serde_json::Value;

use super::book::{Book, Surroundings, title};
use super::clean::ending;
use super::state::Constraints;
use crate::preference;
pub(crate) use people::said;
use words::Words;

/// Characters of the end of the chapter before.
pub(crate) const ENDING: usize = 500;
/// Chapters before whose images are not to be used again.
const LATELY: usize = 3;
/// The most images that are named.
const IMAGES: usize = 8;

/// The most tokens of each section.
mod limit {
    pub(super) const STYLE: u64 = 900;
    pub(super) const WORLD: u64 = 500;
    pub(super) const RULES: u64 = 700;
    pub(super) const SAMPLE: u64 = 1_200;
    pub(super) const OWN_PROSE: u64 = 350;
    pub(super) const NODE: u64 = 600;
    pub(super) const SCENES: u64 = 500;
    pub(super) const PLANNED: u64 = 350;
    pub(super) const TURNS: u64 = 250;
    pub(super) const NEXT: u64 = 120;
    pub(super) const CAST: u64 = 1_500;
    pub(super) const OTHERS: u64 = 150;
    pub(super) const RELATIONS: u64 = 350;
    pub(super) const PROMISES: u64 = 380;
    pub(super) const EVENTS: u64 = 320;
    pub(super) const FACTS: u64 = 550;
    pub(super) const SETTINGS: u64 = 350;
    pub(super) const HIDDEN: u64 = 400;
    pub(super) const PASSAGES: u64 = 900;
}

/// What the context tool may cost: all that is related. The card has a limit for each section of its own, so that in a
/// long book many events cannot crowd out the facts.
pub(crate) const RELATED_TOKENS: u64 = 1_000_000;

/// What is the same for all chapters.
pub(crate) fn stable(story: &Story, constraints: &Constraints, preferences: &[String]) -> String {
    let words = words::of(story.language);
    let mut sections = Sections::of(words);
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
        lines.extend(style.taboos.iter().map(|line| words.labelled(words.taboos, line)));
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
    sections.add(words.preferences, preferences.to_vec(), preference::MOST_TOKENS);
    let sample = constraints.style_sample.trim();
    if !sample.is_empty() {
        sections.add(words.sample, vec![clip(sample, limit::SAMPLE)], limit::SAMPLE + 20);
    }
    sections.text()
}

/// What surrounds a chapter in the book.
pub(crate) fn surroundings(book: &Book<'_>, number: u32) -> Surroundings {
    let Some(node) = book.node(number) else { return Surroundings::default() };
    let story = book.story;
    let words = words::of(story.language);
    let scenes = scenes(book, node);
    let own: Vec<usize> = scenes.iter().chain([&node]).filter_map(|node| book.position(&node.id)).collect();
    let is_told = |teller: &Option<String>| {
        teller.as_deref().and_then(|name| book.position(name)).is_some_and(|node| own.contains(&node))
    };
    let planned: Vec<_> = story.timeline_events.iter().filter(|event| is_told(&event.outline_node)).collect();
    let mut outline = Sections::of(words);
    outline.add(words.outline, about(node, words), limit::NODE);
    let scene = |scene: &&OutlineNode| words.labelled(title(scene), &about(scene, words).join(words.semicolon));
    outline.add(words.scenes, scenes.iter().map(scene).collect(), limit::SCENES);
    outline.add(words.planned, planned.iter().map(|event| known::event_line(event, words)).collect(), limit::PLANNED);
    let turns = story.plot_nodes.iter().filter(|plot| is_told(&plot.outline_node));
    let turn = |plot: &qingyu_story::PlotNode| match plot.description.trim() {
        "" => plot.title.trim().to_owned(),
        description => words.labelled(plot.title.trim(), description),
    };
    outline.add(words.turns, turns.map(turn).collect(), limit::TURNS);
    let mut participants: Vec<String> = Vec::new();
    let named = scenes.iter().chain([&node]).flat_map(|node| &node.participants);
    for name in named.chain(planned.iter().flat_map(|event| &event.participants)) {
        if !participants.contains(name) {
            participants.push(name.clone());
        }
    }
    let told_before = (1..number).rev().filter_map(|before| book.document(before));
    let told_before: Vec<&Document> = told_before.filter(|document| !document.text.trim().is_empty()).collect();
    let next = book.node(number + 1).map(|next| {
        let says = [next.goal.trim().trim_end_matches('。'), next.description.trim()];
        let says = says.into_iter().filter(|text| !text.is_empty());
        words.labelled(title(next), &says.collect::<Vec<_>>().join(if words.is_zh() { "。" } else { " " }))
    });
    Surroundings {
        outline: outline.list(),
        next: next.map(|next| clip(&next, limit::NEXT)).unwrap_or_default(),
        before: past::so_far(book, number, words),
        ending: told_before.first().map(|document| ending(document.text.trim(), ENDING).to_owned()).unwrap_or_default(),
        hidden: hidden(book, number, &participants),
        sample: own_prose(&told_before),
        images: images(&told_before),
        participants,
        node: node.clone(),
        scenes: scenes.into_iter().cloned().collect(),
    }
}

/// What the outline says of a node, a line for each thing.
fn about(node: &OutlineNode, words: &Words) -> Vec<String> {
    let fields = [
        (words.goal, node.goal.clone()),
        (words.happens, node.description.clone()),
        (words.place, node.location.clone().unwrap_or_default()),
        (words.people, node.participants.join(words.comma)),
        (words.plants, node.plants.join(words.semicolon)),
        (words.pays, node.pays.join(words.semicolon)),
    ];
    let told = fields.iter().filter(|(_, text)| !text.trim().is_empty());
    told.map(|(label, text)| words.labelled(label, text)).collect()
}

/// What the reader must not learn yet: the truth of the book, and the secrets of those who take part.
fn hidden(book: &Book<'_>, number: u32, participants: &[String]) -> Vec<String> {
    let (story, words) = (book.story, words::of(book.story.language));
    let place = |until: &Option<String>| {
        let node = until.as_deref().and_then(|name| book.position(name))?;
        // A scene is in its chapter, a chapter in its volume.
        let above = story.outline_nodes[node].parent.as_deref().and_then(|name| book.position(name));
        let first = (1..=book.len()).find(|chapter| {
            let own = book.node(*chapter).and_then(|one| book.position(&one.id));
            let mut chain = book.above(*chapter).into_iter().filter_map(|one| book.position(&one.id));
            own == Some(node) || own.is_some() && own == above || chain.any(|position| position == node)
        });
        Some((first?, title(&story.outline_nodes[node]).to_owned()))
    };
    let line = |label: &str, text: &str, until: &Option<String>| {
        let remark = match place(until) {
            Some((first, name)) if number < first => words.remark(&words.not_before(&name)),
            Some(_) => words.remark(words.may_come_out()),
            None => String::new(),
        };
        words.labelled(&format!("{label}{remark}"), text)
    };
    let mut lines = Vec::new();
    if let Some(world) = story.worldview.as_ref().filter(|world| !world.truth.trim().is_empty()) {
        lines.push(line(words.truth, &world.truth, &world.truth_until));
    }
    for card in story.characters.iter().filter(|card| !card.secret.trim().is_empty()) {
        let is_called = |name: &String| *name == card.name || *name == card.id || card.alias.contains(name);
        if participants.iter().any(is_called) {
            lines.push(line(&words.secret_of(card.name.trim()), &card.secret, &card.secret_until));
        }
    }
    lines
}

/// How the book itself begins, so that every chapter sounds like it; nothing while the first chapter is all there is, whose
/// end is shown anyway.
fn own_prose(before: &[&Document]) -> String {
    let first = before.last().filter(|_| before.len() > 1);
    first.map(|document| clip(document.text.trim(), limit::OWN_PROSE)).unwrap_or_default()
}

/// The comparisons of the last chapters.
fn images(before: &[&Document]) -> Vec<String> {
    let mut images: Vec<String> = Vec::new();
    for document in before.iter().take(LATELY) {
        for simile in Prose::of(&document.text).similes {
            let words = document.text[simile.range].trim().to_owned();
            if images.len() < IMAGES && !images.contains(&words) {
                images.push(words);
            }
        }
    }
    images
}

/// The scenes that the outline has for a chapter.
pub(crate) fn scenes<'s>(book: &Book<'s>, chapter: &OutlineNode) -> Vec<&'s OutlineNode> {
    let here = book.position(&chapter.id);
    let is_scene = |node: &&OutlineNode| {
        node.id != chapter.id && here.is_some() && node.parent.as_deref().and_then(|name| book.position(name)) == here
    };
    let mut scenes: Vec<&OutlineNode> = book.story.outline_nodes.iter().filter(is_scene).collect();
    scenes.sort_by_key(|node| node.order);
    scenes
}

/// What was found for a chapter beside its surroundings.
#[derive(Debug, Default)]
pub(crate) struct Gathered<'a> {
    /// The story.
    pub(crate) story: Option<&'a Story>,
    /// What the context tool gives, section by section.
    pub(crate) related: Value,
    /// The ids of those who take part.
    pub(crate) people: Vec<String>,
    /// What they said lately, by id.
    pub(crate) said: BTreeMap<String, Vec<String>>,
    /// Passages of earlier chapters.
    pub(crate) passages: Vec<Value>,
}

/// What this chapter needs to know, within `budget`: its surroundings, what the tools found.
pub(crate) fn chapter(surroundings: &Surroundings, gathered: &Gathered<'_>, budget: u64) -> String {
    let language = gathered.story.map(|story| story.language).unwrap_or_default();
    let words = words::of(language);
    let mut sections = Sections { all: surroundings.outline.clone(), ..Sections::of(words) };
    sections.add(words.before, surroundings.before.clone(), u64::MAX);
    sections.add(
        words.next,
        Some(surroundings.next.clone()).filter(|next| !next.is_empty()).into_iter().collect(),
        u64::MAX,
    );
    let own: Vec<&OutlineNode> = surroundings.scenes.iter().chain([&surroundings.node]).collect();
    related(&mut sections, gathered, words, &own);
    sections.add(words.hidden, surroundings.hidden.clone(), limit::HIDDEN);
    let passage = |passage: &Value| {
        let text = |key: &str| passage[key].as_str().unwrap_or_default().trim().to_owned();
        // The end of the chapter before is shown anyway.
        let is_new = |line: &&str| !line.trim().is_empty() && !surroundings.ending.contains(line.trim());
        let told = text("text");
        let told: Vec<&str> = told.lines().filter(is_new).collect();
        (!told.is_empty()).then(|| words.labelled(&text("name"), &told.join("\n")))
    };
    sections.add(words.passages, gathered.passages.iter().filter_map(passage).collect(), limit::PASSAGES);
    sections.within(budget)
}

/// Cards, each in a line.
pub(crate) fn cards(cast: &[Character], said: &BTreeMap<String, Vec<String>>, language: Language) -> Vec<String> {
    people::cards(cast, said, words::of(language), limit::CAST)
}

/// Relations, each in a line.
pub(crate) fn ties(relations: &[Value], language: Language) -> Vec<String> {
    known::relations(relations, words::of(language))
}

/// What the context tool found, for a task that has no chapter of its own: the same sections, within `budget`.
pub(crate) fn material(gathered: &Gathered<'_>, budget: u64) -> String {
    let words = words::of(gathered.story.map(|story| story.language).unwrap_or_default());
    let mut sections = Sections::of(words);
    related(&mut sections, gathered, words, &[]);
    sections.within(budget)
}

/// Adds what the context tool found. `own` are the nodes of the chapter, whose events have not happened yet.
fn related(sections: &mut Sections, gathered: &Gathered<'_>, words: &Words, own: &[&OutlineNode]) {
    let entries = |section: &str| match gathered.related.get(section) {
        Some(Value::Array(entries)) => entries.clone(),
        Some(Value::Null) | None => Vec::new(),
        Some(other) => vec![other.clone()],
    };
    let cast = entries("participating_characters");
    let is_here = |card: &&Value| card["id"].as_str().is_some_and(|id| gathered.people.iter().any(|one| one == id));
    let (here, others): (Vec<&Value>, Vec<&Value>) = cast.iter().partition(is_here);
    let here: Vec<Character> = here.into_iter().filter_map(|card| Character::deserialize(card).ok()).collect();
    let cards = people::cards(&here, &gathered.said, words, limit::CAST);
    let names: Vec<String> = here.iter().map(|card| card.name.clone()).collect();
    let shown = cards.join("\n");
    sections.add(words.cast, cards, u64::MAX);
    let other = |card: &Value| {
        let name = card["name"].as_str().unwrap_or_default().trim().to_owned();
        match card["occupation"].as_str().unwrap_or_default().trim() {
            "" => name,
            trade => format!("{name}{}", words.remark(trade)),
        }
    };
    let others = fitting(others.into_iter().map(other).collect(), limit::OTHERS);
    let others = others.join(words.comma);
    sections.add(words.others, Some(others).filter(|line| !line.is_empty()).into_iter().collect(), u64::MAX);
    // What is between people of whom none is here only leads astray.
    let is_near = |relation: &Value| {
        let is_here = |key: &str| names.iter().any(|name| relation[key].as_str().map(str::trim) == Some(name.trim()));
        names.is_empty() || is_here("from") || is_here("to")
    };
    let relations: Vec<Value> = entries("character_relations").into_iter().filter(is_near).collect();
    sections.add(words.relations, known::relations(&relations, words), limit::RELATIONS);
    let book = gathered.story.map(Book::of);
    let place = |name: &str| {
        let chapter = |book: &Book<'_>| book.number_of(name).or_else(|| book.number_at(book.position(name)?));
        let number = book.as_ref().and_then(chapter);
        number.map_or_else(|| name.to_owned(), |number| words.chapters(number, number))
    };
    // What the outline plants in this chapter stands there.
    let is_own_plant = |promise: &Value| {
        promise["planted"]
            .as_str()
            .is_some_and(|planted| own.iter().any(|node| node.id == planted || node.name == planted))
    };
    let promises: Vec<Value> = entries("open_promises").into_iter().filter(|one| !is_own_plant(one)).collect();
    sections.add(words.promises, known::promises(&promises, words, &place), limit::PROMISES);
    let is_own = |event: &Value| {
        let told = event["outline_node"].as_str().unwrap_or_default().trim();
        !told.is_empty() && own.iter().any(|node| node.id == told || node.name.trim() == told)
    };
    let events: Vec<Value> = entries("timeline_events").into_iter().filter(|event| !is_own(event)).collect();
    let events = known::events(&events, words);
    sections.add_last(words.events, events, limit::EVENTS);
    let facts = known::facts(&entries("facts"), &names, &shown, words);
    sections.add(words.facts, by_subject(facts, words, limit::FACTS), limit::FACTS);
    sections.add(words.settings, known::settings(&entries("world_settings"), words), limit::SETTINGS);
}

/// The facts that fit, those about people who take part first and the newest before older ones, a line for each subject.
fn by_subject(mut facts: Vec<known::Said>, words: &Words, tokens: u64) -> Vec<String> {
    facts.sort_by_key(|said| (!said.is_near, std::cmp::Reverse(said.age)));
    let mut subjects: Vec<String> = Vec::new();
    let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut used = 0;
    for said in facts {
        let is_new = !lines.contains_key(&said.subject);
        let cost = estimate::tokens(&said.says) + 1 + if is_new { estimate::tokens(&said.subject) + 2 } else { 0 };
        if used + cost > tokens {
            continue;
        }
        used += cost;
        if is_new {
            subjects.push(said.subject.clone());
        }
        lines.entry(said.subject).or_default().push(said.says);
    }
    let line = |subject: String| {
        // As they came to be known.
        let said: Vec<String> = lines.get(&subject).into_iter().flatten().rev().cloned().collect();
        words.labelled(&subject, &said.join(words.semicolon))
    };
    subjects.into_iter().map(line).collect()
}

/// Sections of a card: a heading and lines.
#[derive(Debug)]
struct Sections {
    /// What stands around a heading.
    frame: (&'static str, &'static str),
    all: Vec<String>,
}

impl Sections {
    fn of(words: &Words) -> Self {
        Self { frame: words.frame, all: Vec::new() }
    }

    /// Adds the first lines that fit; the first one in any case, if not in full.
    fn add(&mut self, heading: &str, lines: Vec<String>, tokens: u64) {
        let lines = fitting(lines, tokens);
        if lines.is_empty() {
            return;
        }
        let lines: Vec<String> = lines.into_iter().map(|line| format!("- {line}")).collect();
        let (open, close) = self.frame;
        self.all.push(format!("{open}{heading}{close}\n{}", lines.join("\n")));
    }

    /// Adds the last lines that fit.
    fn add_last(&mut self, heading: &str, mut lines: Vec<String>, tokens: u64) {
        lines.reverse();
        let mut lines = fitting(lines, tokens);
        lines.reverse();
        self.add(heading, lines, u64::MAX);
    }

    fn list(self) -> Vec<String> {
        self.all
    }

    /// The sections that fit, in their order.
    fn within(mut self, budget: u64) -> String {
        let mut used = 0;
        self.all.retain(|section| {
            let cost = estimate::tokens(section);
            let fits = used + cost <= budget;
            used += if fits { cost } else { 0 };
            fits
        });
        self.text()
    }

    fn text(&self) -> String {
        self.all.join("\n")
    }
}

/// The lines that fit, in their order; the first one in any case, if not in full.
fn fitting(lines: Vec<String>, tokens: u64) -> Vec<String> {
    let mut used = 0;
    let mut kept = Vec::new();
    for line in lines.into_iter().filter(|line| !line.trim().is_empty()) {
        let cost = estimate::tokens(&line) + 2;
        if cost <= tokens.saturating_sub(used) {
            used += cost;
            kept.push(line);
        } else if kept.is_empty() {
            kept.push(clip(&line, tokens.saturating_sub(2)));
            used = tokens;
        }
    }
    kept
}

/// Whether the mark `c` at that byte of the text ends a sentence there.
fn is_end(text: &str, at: usize, c: char) -> bool {
    let next = text[at + c.len_utf8()..].chars().next();
    marks::may_end_sentence(c) && (c != '.' || next.is_none_or(char::is_whitespace))
}

/// The first sentence of a text, with its mark.
fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let end = text.char_indices().find(|(at, c)| is_end(text, *at, *c));
    end.map_or(text, |(at, c)| &text[..at + c.len_utf8()])
}

/// The beginning of a text that costs no more than that: up to the end of a sentence, or with `…` where a sentence alone is
/// longer.
pub(crate) fn clip(text: &str, tokens: u64) -> String {
    let text = text.trim();
    if estimate::tokens(text) <= tokens {
        return text.to_owned();
    }
    let (mut low, mut high) = (0, text.chars().count());
    let cut = |count: usize| text.chars().take(count).collect::<String>();
    while low < high {
        let middle = (low + high).div_ceil(2);
        if estimate::tokens(&cut(middle)) < tokens {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let beginning = cut(low);
    let end = beginning.char_indices().rev().find(|(at, c)| is_end(text, *at, *c)).map(|(at, c)| at + c.len_utf8());
    let end = end.map(|end| {
        end + beginning[end..].chars().take_while(|c| marks::may_close_quote(*c)).map(char::len_utf8).sum::<usize>()
    });
    match end {
        // A sentence that leaves most of the room empty says too little.
        Some(end) if end * 3 >= beginning.len() => beginning[..end].to_owned(),
        _ => beginning + "…",
    }
}
