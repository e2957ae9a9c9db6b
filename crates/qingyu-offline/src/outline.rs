//! The outline: a shape of the tables, its case and its chapters, played by the people of the story.

use std::collections::BTreeSet;

use qingyu_agents::context::Work;
use qingyu_agents::output::OutlineWork;
use qingyu_agents::plan::RequirementKind;
use qingyu_story::{Language, OutlineNode, OutlineNodeKind, placeholder};

use crate::brief::{Brief, CHAPTER_WORDS_EN, CHAPTER_WORDS_ZH, has_word};
use crate::cast;
use crate::draw::Draw;
use crate::frame::{Frame, People};
use crate::tables::{Case, Chapter};

/// The most chapters one outline gets; a longer work is planned volume by volume.
const MOST: usize = 60;
/// How many chapters an extension adds when it does not say.
const EXTENSION: usize = 3;

/// A chapter to be filled, with the act it is in.
struct Slot {
    act: usize,
    chapter: Option<&'static Chapter>,
}

/// Makes an outline, or adds to the one that is there.
pub(crate) fn make(work: &Work) -> OutlineWork {
    let cards = work.story.characters.iter().map(|card| cast::carded(card, work.language)).collect();
    let mut frame = Frame::new(work, "outline", People::Needed(cards));
    // The structure depends on the requirement alone: made anew, the chapters stay those that the plot refers to.
    frame.draw = Draw::new(&[&frame.brief.quote, "outline", "structure"]);
    let there = &work.story.outline_nodes;
    match work.analysis.kind {
        RequirementKind::Extension if !there.is_empty() => extend(&mut frame, there),
        RequirementKind::Modification if !there.is_empty() => OutlineWork {
            title: String::new(),
            outline_nodes: there.clone(),
            outline_summary: String::new(),
            reasoning: vec![frame.text(&frame.phrases.needs_model)],
        },
        _ => anew(&mut frame),
    }
}

fn anew(frame: &mut Frame) -> OutlineWork {
    let shape = frame.brief.shape;
    choose_case(frame);
    let title = frame.draw.one(&shape.titles).clone();
    let title = titled(&frame.text(&title), frame.brief.language);
    let wanted = frame.brief.said.chapters.map(|count| count as usize).filter(|count| *count > 0);
    let mut slots = base(frame, wanted);
    widen(frame, &mut slots, wanted);
    let mut nodes = Vec::new();
    let mut number = 0;
    let mut strangers = Some(frame.players.iter().map(|player| player.person.name.clone()).collect());
    for (index, act) in shape.acts.iter().enumerate() {
        let chapters: Vec<&Slot> = slots.iter().filter(|slot| slot.act == index).collect();
        if chapters.is_empty() {
            continue;
        }
        let filled = frame.fill(&act.text);
        let name = act.name.clone();
        nodes.push(OutlineNode {
            kind: OutlineNodeKind::Act,
            name: name.clone(),
            description: filled.text,
            goal: frame.text(&act.goal),
            participants: filled.people,
            ..OutlineNode::default()
        });
        frame.slots.strangers = strangers.take();
        for slot in chapters {
            number += 1;
            nodes.push(OutlineNode { parent: Some(name.clone()), ..chapter(frame, slot.chapter, number) });
        }
        strangers = frame.slots.strangers.take();
    }
    finish(frame, &mut nodes);
    let mut reasoning = vec![
        frame.user_words(),
        frame.text_with(
            &frame.phrases.outline_reason,
            None,
            &[("structure", &shape.structure), ("label", &shape.label)],
        ),
        frame.draws(),
    ];
    if wanted.is_some_and(|wanted| wanted > MOST) {
        reasoning.push(frame.text_with(&frame.phrases.too_many, None, &[("most", &MOST.to_string())]));
    }
    let theme = frame.brief.said.theme.as_deref();
    let theme = theme.map(|theme| frame.text_with(&frame.phrases.theme_summary, None, &[("theme", theme)]));
    let summary = frame.text_with(&frame.phrases.outline_summary, None, &[("title", &title), ("plot", &shape.summary)]);
    let summary = [summary, theme.unwrap_or_default()].concat();
    OutlineWork { title, outline_nodes: nodes, outline_summary: summary, reasoning }
}

fn extend(frame: &mut Frame, there: &[OutlineNode]) -> OutlineWork {
    choose_case(frame);
    let mut nodes = there.to_vec();
    let count = frame.brief.said.chapters.map_or(EXTENSION, |count| (count as usize).clamp(1, MOST));
    let parent = there.iter().rev().find_map(|node| node.parent.clone());
    let told = there.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).count();
    let extras = frame.draw.shuffled(&frame.brief.shape.extras);
    for index in 0..count {
        let made = chapter(frame, extras.get(index).copied(), told + index + 1);
        nodes.push(OutlineNode { parent: parent.clone(), ..made });
    }
    let first = nodes.len() - count;
    number(&mut nodes);
    let names: Vec<String> = nodes[first..].iter().map(|node| node.name.clone()).collect();
    let summary = frame.text_with(&frame.phrases.extension, None, &[("list", &names.join(" / "))]);
    let title = String::new();
    OutlineWork {
        title,
        outline_nodes: nodes,
        outline_summary: summary,
        reasoning: vec![frame.user_words(), frame.draws()],
    }
}

/// Draws what the story is about in particular; a case the requirement names goes first.
pub(crate) fn choose_case(frame: &mut Frame) {
    let quote = frame.brief.quote.to_ascii_lowercase();
    let here = |case: &&&Case| case.settings.is_empty() || case.settings.contains(&frame.brief.setting.key);
    let cases: Vec<&'static Case> = frame.brief.shape.cases.iter().collect();
    let asks = |case: &&&Case| case.words.iter().any(|word| has_word(&quote, word));
    let asked: Vec<&Case> = cases.iter().filter(here).filter(asks).copied().collect();
    let open: Vec<&Case> = cases.iter().filter(here).filter(|case| !case.only_asked).copied().collect();
    let case = *frame.draw.one(if asked.is_empty() { &open } else { &asked });
    frame.slots.words.extend(case.slots.clone());
    let label = case.slots.get("case").map(|label| frame.text(label));
    frame.drawn.extend(label);
}

/// How long a chapter is, in characters or words: as the requirement says, or as is usual.
pub(crate) fn usual_words(brief: &Brief) -> u32 {
    brief.said.chapter_words.unwrap_or(match brief.language {
        Language::Zh => CHAPTER_WORDS_ZH,
        Language::En => CHAPTER_WORDS_EN,
    })
}

/// The shape's own chapters; fewer when fewer are wanted.
fn base(frame: &Frame, wanted: Option<usize>) -> Vec<Slot> {
    let mut chapters: Vec<&'static Chapter> = frame.brief.shape.chapters.iter().collect();
    let wanted = wanted.unwrap_or(chapters.len()).max(1);
    while chapters.len() > wanted {
        let middle = chapters.len() / 2;
        let index = chapters.iter().rposition(|chapter| chapter.optional).unwrap_or(middle);
        chapters.remove(index);
    }
    chapters.into_iter().map(|chapter| Slot { act: chapter.act, chapter: Some(chapter) }).collect()
}

/// Complications in the middle acts, when more chapters are wanted or drawn than the shape has.
fn widen(frame: &mut Frame, slots: &mut Vec<Slot>, wanted: Option<usize>) {
    let shape = frame.brief.shape;
    let wanted = wanted.unwrap_or_else(|| slots.len() + frame.draw.below(3)).min(MOST);
    let extras = frame.draw.shuffled(&shape.extras);
    let middle = shape.acts.len().saturating_sub(2).max(1);
    for index in 0..wanted.saturating_sub(slots.len()) {
        let act = 1 + index % middle;
        let begins = slots.iter().position(|slot| slot.act == act).map_or(slots.len(), |first| first + 1);
        slots.insert(begins, Slot { act, chapter: extras.get(index).copied() });
    }
}

/// One chapter. Without a template it is a place kept open.
fn chapter(frame: &mut Frame, template: Option<&'static Chapter>, number: usize) -> OutlineNode {
    let phrases = frame.phrases;
    let numbered = |frame: &Frame, name: &str| {
        let number = counted(number, frame.brief.language);
        frame.text_with(&phrases.chapter, None, &[("number", &number), ("name", name)])
    };
    let words = usual_words(&frame.brief);
    let open = placeholder(frame.brief.language);
    let Some(template) = template else {
        let player = frame.draw.one(&frame.players).clone();
        let filled = frame.fill_with(&phrases.open_chapter, Some(&player.person), &[]);
        return OutlineNode {
            name: numbered(frame, open),
            description: filled.text,
            goal: open.into(),
            participants: filled.people,
            words: Some(words),
            ..OutlineNode::default()
        };
    };
    let telling = frame.draw.below(template.name.len().min(template.text.len()));
    let name = frame.text(&template.name[telling]);
    let filled = frame.fill(&template.text[telling]);
    if let Some(strangers) = &mut frame.slots.strangers {
        strangers.retain(|name| !filled.people.contains(name));
    }
    let jitter = 250 * u32::try_from(frame.draw.below(5)).unwrap_or(0);
    // What the author says is meant as it is said.
    let more = if frame.brief.said.chapter_words.is_some() { 0 } else { jitter };
    let all = |frame: &Frame, list: &[String]| list.iter().map(|text| frame.text(text)).collect();
    OutlineNode {
        name: numbered(frame, &name),
        description: filled.text,
        goal: frame.text(&template.goal),
        participants: filled.people,
        location: frame.place_of(&template.place),
        plants: all(frame, &template.plants),
        pays: all(frame, &template.pays),
        words: Some(words + more),
        ..OutlineNode::default()
    }
}

/// Finds a chapter for everybody who has none and for everything the user asked for, and numbers the nodes.
fn finish(frame: &mut Frame, nodes: &mut [OutlineNode]) {
    let chapters: Vec<usize> =
        (0..nodes.len()).filter(|index| nodes[*index].kind == OutlineNodeKind::Chapter).collect();
    let absent: Vec<_> = frame
        .players
        .iter()
        .filter(|player| !nodes.iter().any(|node| node.participants.contains(&player.person.name)))
        .cloned()
        .collect();
    let cameos = frame.draw.shuffled(&frame.phrases.cameos).into_iter().cycle();
    for (index, (player, cameo)) in absent.iter().zip(cameos).enumerate() {
        let node = &mut nodes[chapters[(index * 2 + 1) % chapters.len()]];
        let filled = frame.fill_with(cameo, Some(&player.person), &[]);
        push_sentence(&mut node.description, &filled.text, frame.brief.language);
        node.participants.extend(filled.people);
        node.participants.dedup();
    }
    for (index, must) in frame.brief.said.musts.iter().enumerate() {
        let node = &mut nodes[chapters[(chapters.len() / 3 + index * 2) % chapters.len()]];
        let sentence = frame.text_with(&frame.phrases.must, None, &[("must", must)]);
        push_sentence(&mut node.description, &sentence, frame.brief.language);
    }
    if let Some(theme) = &frame.brief.said.theme {
        let node = &mut nodes[chapters[chapters.len() / 2]];
        let goal = node.goal.trim_end_matches(['。', '.']).to_owned();
        node.goal = frame.text_with(&frame.phrases.theme_goal, None, &[("goal", &goal), ("theme", theme)]);
    }
    for node in nodes.iter_mut() {
        let mut seen = BTreeSet::new();
        node.participants.retain(|name| seen.insert(name.clone()));
    }
    let first = &mut nodes[chapters[0]];
    let quote = frame.brief.quote.replace(['{', '}'], "");
    let goal = first.goal.trim_end_matches(['。', '.']).to_owned();
    first.goal = frame.text_with(&frame.phrases.first_goal, None, &[("goal", &goal), ("quote", &quote)]);
    if let Some(event) = &frame.brief.said.event {
        let sentence = frame.text_with(&frame.phrases.begins, None, &[("event", event)]);
        push_sentence(&mut first.description, &sentence, frame.brief.language);
    }
    if let Some(place) = &frame.brief.said.place {
        let sentence = frame.text_with(&frame.phrases.set_in, None, &[("place", place)]);
        push_sentence(&mut first.description, &sentence, frame.brief.language);
    }
    settle_promises(nodes);
    number(nodes);
}

/// Keeps only promises of which both ends survived the choice of chapters.
fn settle_promises(nodes: &mut [OutlineNode]) {
    let planted: BTreeSet<String> = nodes.iter().flat_map(|node| node.plants.clone()).collect();
    let paid: BTreeSet<String> = nodes.iter().flat_map(|node| node.pays.clone()).collect();
    for node in nodes {
        node.plants.retain(|promise| paid.contains(promise));
        node.pays.retain(|promise| planted.contains(promise));
    }
}

/// A book's title with the capitals of one.
pub(crate) fn titled(title: &str, language: Language) -> String {
    if language == Language::Zh {
        return title.into();
    }
    let small = ["of", "the", "a", "an", "and", "to", "at", "in", "for", "by"];
    let words = title.split(' ').enumerate().map(|(index, word)| match word.chars().next() {
        Some(first) if index == 0 || !small.contains(&word) => {
            first.to_uppercase().chain(word.chars().skip(1)).collect()
        }
        _ => word.to_owned(),
    });
    words.collect::<Vec<String>>().join(" ")
}

fn push_sentence(text: &mut String, sentence: &str, language: Language) {
    if language == Language::En {
        text.push(' ');
    }
    text.push_str(sentence);
}

fn number(nodes: &mut [OutlineNode]) {
    for (order, node) in (1..).zip(nodes) {
        node.order = order;
    }
}

/// A chapter's number as titles write it.
fn counted(number: usize, language: Language) -> String {
    match language {
        Language::En => number.to_string(),
        Language::Zh => chinese(number),
    }
}

fn chinese(number: usize) -> String {
    const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    match number {
        0..=9 => DIGITS[number].into(),
        10..=19 => format!("十{}", DIGITS[number - 10]),
        20..=99 => format!("{}十{}", DIGITS[number / 10], DIGITS[number % 10]),
        _ => number.to_string(),
    }
}
