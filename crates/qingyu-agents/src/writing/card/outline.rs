//! The outline of a chapter as sections of its card, without repetitions: events and turns leave out what the nodes of the
//! outline say, and all sections leave out what the plan in the same prompt says.

use std::collections::BTreeSet;

use qingyu_llm::estimate;
use qingyu_story::names::fold;
use qingyu_story::rules::{DeadInPlan, dead_in_plan};
use qingyu_story::time::in_order;
use qingyu_story::{Document, Levels, Mode, OutlineNode, PieceKind, PlotNode, TimelineEvent};
use serde_json::Value;

use super::cut::sentences_within;
use super::sections::{CardSections, fitting};
use super::told::{RETOLD, SAME, ToldText};
use super::{known, limit};
use crate::labels::{self, Labels};
use crate::writing::book::{NumberedBook, title};
use crate::writing::plan::ChapterPlan;

/// A chapter of the outline, with its scenes, events and turns.
pub(super) struct OutlinedChapter<'s> {
    pub(super) node: &'s OutlineNode,
    pub(super) scenes: Vec<&'s OutlineNode>,
    /// The planned events in the order of their times, without those that the texts of other chapters tell.
    pub(super) events: Vec<&'s TimelineEvent>,
    turns: Vec<&'s PlotNode>,
    /// The dead whom the outline lists as participants.
    dead: Vec<DeadInPlan>,
    /// The promises to be paid that another section of the prompt shows, as folded names.
    promised: BTreeSet<String>,
}

impl<'s> OutlinedChapter<'s> {
    /// Returns the outline of the chapter `number`; `None` if the book has no such chapter.
    pub(super) fn of(book: &NumberedBook<'s>, number: u32) -> Option<Self> {
        let (story, node) = (book.story, book.node(number)?);
        let scenes = scenes(book, node);
        let own: Vec<usize> = scenes.iter().chain([&node]).filter_map(|node| book.position(&node.id)).collect();
        let is_told = |teller: &Option<String>| {
            teller.as_deref().and_then(|name| book.position(name)).is_some_and(|node| own.contains(&node))
        };
        let elsewhere = told_elsewhere(book, number);
        let is_open = |event: &&TimelineEvent| is_told(&event.outline_node) && !elsewhere.contains(event.id.as_str());
        Some(Self {
            node,
            events: in_order(story).into_iter().map(|at| &story.timeline_events[at]).filter(is_open).collect(),
            turns: story.plot_nodes.iter().filter(|plot| is_told(&plot.outline_node)).collect(),
            // The outline may not follow the text: the dead do not take part, even if the outline lists them.
            dead: dead_in_plan(story).into_iter().filter(|one| own.contains(&one.node)).collect(),
            scenes,
            promised: BTreeSet::new(),
        })
    }

    /// Leaves the promises that the chapter pays to their own section, which is made of the `related` results of the context
    /// tool and says more of them.
    pub(super) fn beside(mut self, related: &Value) -> Self {
        /// Maximum tokens of the remarks on a promise.
        const REMARKS: u64 = 40;
        let pays = self.pays();
        let is_own = |one: &Value| is_planted_in(one, self.nodes());
        let mut left = limit::PROMISES;
        let mut promised = BTreeSet::new();
        for one in related["open_promises"].as_array().into_iter().flatten().filter(|one| !is_own(one)) {
            let text = |key: &str| one[key].as_str().unwrap_or_default();
            let name = fold(text("name"));
            let cost = estimate::tokens(text("name")) + estimate::tokens(text("description")) + REMARKS;
            if pays.contains(&name) && cost <= left {
                left -= cost;
                promised.insert(name);
            }
        }
        self.promised = promised;
        self
    }

    /// Returns the promises that the chapter pays, as folded names.
    pub(super) fn pays(&self) -> BTreeSet<String> {
        self.nodes().flat_map(|node| &node.pays).map(|name| fold(name)).collect()
    }

    /// Returns the outline nodes: the scenes, then the chapter.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'s OutlineNode> {
        self.scenes.iter().copied().chain([self.node])
    }

    /// Returns the texts of the nodes, events and turns.
    pub(super) fn texts(&self, words: &Labels) -> Vec<String> {
        let nodes = self.nodes().flat_map(|node| about(node, None, &BTreeSet::new(), words));
        let events = self.events.iter().flat_map(|event| [event.title.clone(), event.description.clone()]);
        let turns = self.turns.iter().map(|plot| turn(plot, plot.description.trim(), words));
        nodes.chain(events).chain(turns).collect()
    }

    /// Returns whether a turn of the chapter is made of the event, given by id and title.
    pub(super) fn turns_on(&self, id: &str, event_title: &str) -> bool {
        let mut made_of = self.turns.iter().flat_map(|plot| &plot.events).map(|name| name.trim());
        made_of.any(|name| !name.is_empty() && (name == id.trim() || name == event_title.trim()))
    }

    /// Returns whether the name is that of somebody who is dead and listed as a participant.
    pub(super) fn is_dead(&self, book: &NumberedBook<'_>, name: &str) -> bool {
        let card = book.names().resolve(PieceKind::Character, name);
        card.is_some_and(|card| self.dead.iter().any(|one| one.death.character == card.position))
    }

    /// Returns the sections, without what the `plan` beside them says, if there is one.
    pub(super) fn sections(&self, book: &NumberedBook<'_>, number: u32, plan: Option<&ChapterPlan>) -> Vec<String> {
        let words = labels::of(book.story.language);
        let planned = plan.map(PlanTold::of);
        let mut sections = CardSections::of(words);
        let outline = fitting(self.outline_lines(book, number, planned.as_ref()), limit::NODE);
        sections.add(words.outline, outline.clone(), u64::MAX);
        let scene = |scene: &&OutlineNode| {
            let says = about(scene, planned.as_ref(), &self.promised, words);
            (!says.is_empty()).then(|| words.labelled(title(scene), &says.join(words.semicolon)))
        };
        let scenes = fitting(self.scenes.iter().filter_map(scene).collect(), limit::SCENES);
        sections.add(words.scenes, scenes.clone(), u64::MAX);
        // What is cut from the outline is not said elsewhere in the prompt.
        let said = outline.iter().chain(&scenes).map(String::as_str).chain(plan.into_iter().flat_map(plan_texts));
        let said: Vec<&str> = said.collect();
        let told = ToldText::of(said.iter().copied());
        let events: Vec<TimelineEvent> =
            self.events.iter().filter_map(|event| self.unsaid_event(event, &told)).collect();
        let events: Vec<&TimelineEvent> = events.iter().collect();
        sections.add(words.planned, known::planned(&events, words, limit::PLANNED), limit::PLANNED);
        let in_events = self.events.iter().flat_map(|event| [event.title.as_str(), event.description.as_str()]);
        let told = ToldText::of(said.iter().copied().chain(in_events));
        let turn = |plot: &&PlotNode| {
            let description = told.unsaid(&plot.description, RETOLD);
            let is_said = description.is_empty() && told.quotes(&plot.title);
            (!is_said).then(|| turn(plot, &description, words))
        };
        sections.add(words.turns, self.turns.iter().filter_map(turn).collect(), limit::TURNS);
        sections.list()
    }

    /// Returns the lines of the chapter's node: warnings, its place in the book, its fields, and the parts above it.
    fn outline_lines(&self, book: &NumberedBook<'_>, number: u32, planned: Option<&PlanTold<'_>>) -> Vec<String> {
        let story = book.story;
        let words = labels::of(story.language);
        let fallen: BTreeSet<(&str, &str)> =
            self.dead.iter().map(|one| (one.name.trim(), story.documents[one.death.document].title.trim())).collect();
        let mut lines: Vec<String> =
            fallen.into_iter().map(|(name, chapter)| words.dead_in_plan(name, chapter)).collect();
        let levels = Levels::with(story, book.names());
        lines.extend(levels.as_ref().map(|levels| levels.place(number, story.language)));
        lines.extend(about(self.node, planned, &self.promised, words));
        if levels.is_some() {
            lines.extend(book.above(number).into_iter().filter(|above| above.chapters.is_some()).map(|above| {
                let said = [above.goal.trim(), above.hook.trim(), above.payoff.trim()];
                let said: Vec<&str> = said.into_iter().filter(|text| !text.is_empty()).collect();
                let says = words.labelled(title(above), &said.join(words.semicolon));
                sentences_within(&words.labelled(words.part, &says), limit::ABOVE)
            }));
        }
        lines
    }

    /// Returns an event without the parts that `told`, the text of the outline and of the plan, repeats; `None` if nothing is
    /// left.
    fn unsaid_event(&self, event: &TimelineEvent, told: &ToldText) -> Option<TimelineEvent> {
        let description = told.unsaid(&event.description, RETOLD);
        let is_whole = description == event.description.trim();
        if is_whole && !description.is_empty() {
            return Some(event.clone());
        }
        let place = |event: &TimelineEvent| event.location.as_deref().unwrap_or_default().trim().to_owned();
        let own_place = self.node.location.as_deref().unwrap_or_default().trim();
        let is_all_here = self.events.iter().all(|other| place(other) == own_place);
        let cast: Vec<&String> = self.nodes().flat_map(|node| &node.participants).collect();
        let is_everybody = !cast.is_empty() && cast.iter().all(|name| event.participants.contains(name));
        let unsaid = TimelineEvent {
            description,
            by: Some(known::teller(event).to_owned()),
            location: event.location.clone().filter(|_| !is_all_here),
            participants: if is_everybody { Vec::new() } else { event.participants.clone() },
            ..event.clone()
        };
        let is_said = unsaid.description.is_empty()
            && told.quotes(&event.title)
            && event.mode == Mode::Narrated
            && event.timestamp.trim().is_empty()
            && place(&unsaid).is_empty()
            && unsaid.participants.is_empty();
        (!is_said).then_some(unsaid)
    }
}

/// The plan of a chapter that stands in the same prompt as its outline.
struct PlanTold<'p> {
    plan: &'p ChapterPlan,
    told: ToldText,
}

impl<'p> PlanTold<'p> {
    fn of(plan: &'p ChapterPlan) -> Self {
        Self { plan, told: ToldText::of(plan_texts(plan)) }
    }

    /// Returns the sentences of the outline that the plan does not say.
    fn unsaid(&self, text: &str) -> String {
        self.told.unsaid(text, SAME)
    }
}

/// Returns what a plan says is to happen, without lines that are cut.
pub(super) fn plan_texts(plan: &ChapterPlan) -> impl Iterator<Item = &str> {
    let beats = plan.scenes.iter().flat_map(|scene| &scene.beats);
    let texts = std::iter::once(&plan.goal).chain(beats).chain(&plan.must_keep);
    texts.map(String::as_str).filter(|text| !text.ends_with('…'))
}

/// Returns the outline's description of a node, a line per field, without what the plan says, and without the promises to be
/// paid that are `promised` elsewhere.
fn about(
    node: &OutlineNode,
    planned: Option<&PlanTold<'_>>,
    promised: &BTreeSet<String>,
    words: &Labels,
) -> Vec<String> {
    let pays = node.pays.iter().filter(|name| !promised.contains(&fold(name)));
    let pays: Vec<&str> = pays.map(String::as_str).collect();
    let unsaid = |text: &String| planned.map_or_else(|| text.clone(), |planned| planned.unsaid(text));
    let in_scenes = || planned.into_iter().flat_map(|planned| &planned.plan.scenes);
    let is_place = |place: &&String| !in_scenes().any(|scene| scene.location.trim() == place.trim());
    let is_new = |name: &&String| !in_scenes().any(|scene| scene.participants.contains(name));
    let people: Vec<&str> = node.participants.iter().filter(is_new).map(String::as_str).collect();
    let fields = [
        (words.goal, unsaid(&node.goal)),
        (words.function, node.function.clone()),
        (words.opening, unsaid(&node.opening)),
        (words.pressure, unsaid(&node.pressure)),
        (words.payoff, unsaid(&node.payoff)),
        (words.hook, unsaid(&node.hook)),
        (words.pulls, node.pulls.clone()),
        (words.tension, node.tension.map(|tension| format!("{tension}/10")).unwrap_or_default()),
        (words.happens, unsaid(&node.description)),
        (words.place, node.location.as_ref().filter(is_place).cloned().unwrap_or_default()),
        (words.people, people.join(words.comma)),
        (words.plants, node.plants.join(words.semicolon)),
        (words.pays, pays.join(words.semicolon)),
    ];
    let told = fields.iter().filter(|(_, text)| !text.trim().is_empty());
    told.map(|(label, text)| words.labelled(label, text)).collect()
}

/// Returns a turn as a line.
fn turn(plot: &PlotNode, description: &str, words: &Labels) -> String {
    match description {
        "" => plot.title.trim().to_owned(),
        description => words.labelled(plot.title.trim(), description),
    }
}

/// Returns whether a promise in a result of the context tool is planted in one of the nodes.
pub(super) fn is_planted_in<'n>(promise: &Value, nodes: impl IntoIterator<Item = &'n OutlineNode>) -> bool {
    let planted = promise["planted"].as_str();
    planted.is_some_and(|planted| nodes.into_iter().any(|node| node.id == planted || node.name == planted))
}

/// Returns the ids of the events that other chapters tell and the texts of the chapter `number` leave out; none while a text
/// of the chapter is not settled.
fn told_elsewhere<'s>(book: &NumberedBook<'s>, number: u32) -> BTreeSet<&'s str> {
    let is_own = |document: &&Document| book.number_of(&document.id) == Some(number);
    let texts = book.story.documents.iter().filter(|document| !document.text.trim().is_empty());
    let (own, others): (Vec<&'s Document>, Vec<&'s Document>) = texts.partition(is_own);
    let is_settled = |own: &&Document| own.settled.as_ref().is_some_and(|record| record.events.is_some());
    if own.is_empty() || !own.iter().all(is_settled) {
        return BTreeSet::new();
    }
    let told_here: BTreeSet<&str> = own.into_iter().flat_map(Document::told_events).collect();
    let told = others.into_iter().flat_map(Document::told_events);
    told.filter(|event| !told_here.contains(event)).collect()
}

/// Returns the scenes of a chapter in the outline.
pub(crate) fn scenes<'s>(book: &NumberedBook<'s>, chapter: &OutlineNode) -> Vec<&'s OutlineNode> {
    let here = book.position(&chapter.id);
    let is_scene = |node: &&OutlineNode| {
        node.id != chapter.id && here.is_some() && node.parent.as_deref().and_then(|name| book.position(name)) == here
    };
    let mut scenes: Vec<&OutlineNode> = book.story.outline_nodes.iter().filter(is_scene).collect();
    scenes.sort_by_key(|node| node.order);
    scenes
}
