//! The outline: a shape of the tables, with its case and its chapters, and the people of the story in the parts.

use std::collections::BTreeSet;

use qingyu_agents::context::WorkContext;
use qingyu_agents::output::OutlineWork;
use qingyu_agents::plan::RequirementKind;
use qingyu_story::length::usual_chapter;
use qingyu_story::numerals::chinese;
use qingyu_story::{Language, OutlineNode, OutlineNodeKind};

use crate::beats::{middle, told, with_foe};
use crate::brief::{RequirementBrief, has_word};
use crate::draw::SeededDraw;
use crate::frame::{AnswerFrame, People};
use crate::person::carded;
use crate::tables::{BeatTemplate, CaseTemplate, ChapterTemplate};

/// Maximum number of chapters of an outline; longer works are planned volume by volume.
const MOST: usize = 60;
/// Default number of chapters of an extension.
const EXTENSION: usize = 3;

/// A chapter slot with its act.
struct ChapterSlot {
    act: usize,
    chapter: SlotTemplate,
}

/// The template of a chapter: of the kind of story, or of any kind once those are used up.
#[derive(Debug, Clone, Copy)]
enum SlotTemplate {
    OfShape(&'static ChapterTemplate),
    OfAny(&'static BeatTemplate),
}

/// Returns a new outline, or extends the existing outline.
pub(crate) fn make(work: &WorkContext) -> OutlineWork {
    let cards = work.story.characters.iter().map(|card| carded(card, work.language)).collect();
    let mut frame = AnswerFrame::new(work, "outline", People::Needed(cards));
    // The structure is seeded only by the requirement: a rewrite keeps the chapters referenced by the plot.
    frame.draw = SeededDraw::new(&[&frame.brief.quote, "outline", "structure"]);
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

fn anew(frame: &mut AnswerFrame) -> OutlineWork {
    let shape = frame.brief.shape;
    choose_case(frame);
    let title = frame.draw.one(&shape.titles).clone();
    let title = titled(&frame.text(&title), frame.brief.language);
    let wanted = frame.brief.said.chapters.map(|count| count as usize).filter(|count| *count > 0);
    with_foe(frame);
    let mut slots = base(frame, wanted);
    widen(frame, &mut slots, wanted);
    let mut nodes = Vec::new();
    let mut number = 0;
    let mut strangers = Some(frame.players.iter().map(|player| player.person.name.clone()).collect());
    for (index, act) in shape.acts.iter().enumerate() {
        let chapters: Vec<&ChapterSlot> = slots.iter().filter(|slot| slot.act == index).collect();
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

fn extend(frame: &mut AnswerFrame, there: &[OutlineNode]) -> OutlineWork {
    choose_case(frame);
    let mut nodes = there.to_vec();
    let count = frame.brief.said.chapters.map_or(EXTENSION, |count| (count as usize).clamp(1, MOST));
    let parent = there.iter().rev().find_map(|node| node.parent.clone());
    let told = there.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).count();
    with_foe(frame);
    let extras = extra_templates(frame, count);
    for (index, template) in extras.into_iter().enumerate() {
        let made = chapter(frame, template, told + index + 1);
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

/// Draws the case of the story; a case named by the requirement has priority.
pub(crate) fn choose_case(frame: &mut AnswerFrame) {
    let quote = frame.brief.quote.to_ascii_lowercase();
    let here = |case: &&&CaseTemplate| case.settings.is_empty() || case.settings.contains(&frame.brief.setting.key);
    let cases: Vec<&'static CaseTemplate> = frame.brief.shape.cases.iter().collect();
    let asks = |case: &&&CaseTemplate| case.words.iter().any(|word| has_word(&quote, word));
    let asked: Vec<&CaseTemplate> = cases.iter().filter(here).filter(asks).copied().collect();
    let open: Vec<&CaseTemplate> = cases.iter().filter(here).filter(|case| !case.only_asked).copied().collect();
    let case = *frame.draw.one(if asked.is_empty() { &open } else { &asked });
    frame.slots.words.extend(case.slots.clone());
    let label = case.slots.get("case").map(|label| frame.text(label));
    frame.drawn.extend(label);
}

/// Returns the length of a chapter, in characters or words: from the requirement, or the default.
pub(crate) fn usual_words(brief: &RequirementBrief) -> u32 {
    brief.said.chapter_words.unwrap_or(usual_chapter(brief.language))
}

/// Returns the shape's own chapters; fewer if fewer are wanted.
fn base(frame: &AnswerFrame, wanted: Option<usize>) -> Vec<ChapterSlot> {
    let mut chapters: Vec<&'static ChapterTemplate> = frame.brief.shape.chapters.iter().collect();
    let wanted = wanted.unwrap_or(chapters.len()).max(1);
    while chapters.len() > wanted {
        let middle = chapters.len() / 2;
        let index = chapters.iter().rposition(|chapter| chapter.optional).unwrap_or(middle);
        chapters.remove(index);
    }
    let slot =
        |chapter: &'static ChapterTemplate| ChapterSlot { act: chapter.act, chapter: SlotTemplate::OfShape(chapter) };
    chapters.into_iter().map(slot).collect()
}

/// Inserts complications in the middle acts, if more chapters are wanted or drawn than the shape has.
fn widen(frame: &mut AnswerFrame, slots: &mut Vec<ChapterSlot>, wanted: Option<usize>) {
    let shape = frame.brief.shape;
    let wanted = wanted.unwrap_or_else(|| slots.len() + frame.draw.below(3)).min(MOST);
    let extras = extra_templates(frame, wanted.saturating_sub(slots.len()));
    let middle = shape.acts.len().saturating_sub(2).max(1);
    for (index, chapter) in extras.into_iter().enumerate() {
        let act = 1 + index % middle;
        let begins = slots.iter().position(|slot| slot.act == act).map_or(slots.len(), |first| first + 1);
        slots.insert(begins, ChapterSlot { act, chapter });
    }
}

/// Returns templates for `count` more chapters: those of the kind of story first, then those of any kind, each once
/// before any is used again.
fn extra_templates(frame: &mut AnswerFrame, count: usize) -> Vec<SlotTemplate> {
    let own = frame.draw.shuffled(&frame.brief.shape.extras).into_iter().map(SlotTemplate::OfShape);
    let own: Vec<SlotTemplate> = own.collect();
    let any = middle(frame.brief.language, &mut SeededDraw::new(&[&frame.brief.quote, "outline", "beats"]));
    own.into_iter().chain(any.into_iter().cycle().map(SlotTemplate::OfAny)).take(count).collect()
}

/// Returns a chapter.
fn chapter(frame: &mut AnswerFrame, template: SlotTemplate, number: usize) -> OutlineNode {
    let phrases = frame.phrases;
    let numbered = |frame: &AnswerFrame, name: &str| {
        let number = counted(number, frame.brief.language);
        frame.text_with(&phrases.chapter, None, &[("number", &number), ("name", name)])
    };
    let words = usual_words(&frame.brief);
    let template = match template {
        SlotTemplate::OfShape(template) => template,
        SlotTemplate::OfAny(beat) => {
            let told = told(frame, beat, number);
            return OutlineNode { name: numbered(frame, &told.name), hook: String::new(), words: Some(words), ..told };
        }
    };
    let telling = frame.draw.below(template.name.len().min(template.text.len()));
    let name = frame.text(&template.name[telling]);
    let filled = frame.fill(&template.text[telling]);
    if let Some(strangers) = &mut frame.slots.strangers {
        strangers.retain(|name| !filled.people.contains(name));
    }
    let jitter = 250 * u32::try_from(frame.draw.below(5)).unwrap_or(0);
    // A length given by the author is exact.
    let more = if frame.brief.said.chapter_words.is_some() { 0 } else { jitter };
    let all = |frame: &AnswerFrame, list: &[String]| list.iter().map(|text| frame.text(text)).collect();
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

/// Assigns chapters to people without a chapter and to every requested content, and numbers the nodes.
fn finish(frame: &mut AnswerFrame, nodes: &mut [OutlineNode]) {
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

/// Removes promises without both ends in the chosen chapters.
fn settle_promises(nodes: &mut [OutlineNode]) {
    let planted: BTreeSet<String> = nodes.iter().flat_map(|node| node.plants.clone()).collect();
    let paid: BTreeSet<String> = nodes.iter().flat_map(|node| node.pays.clone()).collect();
    for node in nodes {
        node.plants.retain(|promise| paid.contains(promise));
        node.pays.retain(|promise| planted.contains(promise));
    }
}

/// Returns a book title in title case.
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

pub(crate) fn push_sentence(text: &mut String, sentence: &str, language: Language) {
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

/// Returns a chapter's number as in titles.
fn counted(number: usize, language: Language) -> String {
    match language {
        Language::En => number.to_string(),
        Language::Zh => chinese(u32::try_from(number).unwrap_or(u32::MAX)),
    }
}
