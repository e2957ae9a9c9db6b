//! Collects all relevant items for a task, with their distances.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::excerpt::ending;
use qingyu_story::names::fold;
use qingyu_story::settlement::as_described;
use qingyu_story::truth::{Answer, GroundTruth, Question};
use qingyu_story::{Fact, Mode, OutlineNode, PieceKind, Severity, TimelineEvent, findings, time};
use serde_json::{Value, json};

use super::focus::{ANYWHERE, HERE, TIED, TaskFocus};
use super::select::{ContextCandidate, OmissionReason, OmittedItem};
use super::task::{Scope, TaskType};
use crate::checking::touched;
use crate::reading::title;

/// The collected items.
#[derive(Debug, Default)]
pub(super) struct GatheredContext {
    pub(super) candidates: Vec<ContextCandidate>,
    /// Items unusable at any budget.
    pub(super) left: Vec<OmittedItem>,
}

/// Characters taken from the end of the preceding chapter.
const ENDING: usize = 500;
/// Characters taken from the chapter's own end, for continuing.
const OWN_ENDING: usize = 1_500;
/// Maximum characters of a short description.
const SHORT: usize = 80;

/// The sections, by priority at equal distance.
mod section {
    pub(super) const NODE: &str = "current_outline_node";
    pub(super) const OWN_TEXT: &str = "current_text_ending";
    pub(super) const TEXT: &str = "current_text";
    pub(super) const FINDINGS: &str = "findings";
    pub(super) const ENDING: &str = "previous_chapter_ending";
    pub(super) const CHARACTERS: &str = "participating_characters";
    pub(super) const EVENTS: &str = "timeline_events";
    pub(super) const PROMISES: &str = "open_promises";
    pub(super) const ABOVE: &str = "parent_outline_nodes";
    pub(super) const RELATIONS: &str = "character_relations";
    pub(super) const WORLD: &str = "world_settings";
    pub(super) const STYLE: &str = "style";
    pub(super) const FACTS: &str = "facts";
    pub(super) const OUTLINE: &str = "outline_overview";

    pub(super) const ORDER: [&str; 14] = [
        NODE, OWN_TEXT, TEXT, FINDINGS, ENDING, CHARACTERS, EVENTS, PROMISES, ABOVE, RELATIONS, WORLD, STYLE, FACTS,
        OUTLINE,
    ];
}

/// Collects items within `scope`, and registers the rest as omitted.
pub(super) fn gather(focus: &TaskFocus<'_>, task: TaskType, scope: Scope) -> GatheredContext {
    let reach = match scope {
        Scope::CurrentChapter => HERE,
        Scope::RelatedEntities => TIED,
        Scope::FullProject => ANYWHERE,
    };
    // A writer knows the story so far; a reviewer sees the whole book.
    let writes = task != TaskType::ReviewContent;
    let mut gatherer = Gatherer { focus, reach, writes, gathered: GatheredContext::default() };
    gatherer.chapter(task);
    gatherer.characters();
    gatherer.relations();
    gatherer.events();
    gatherer.promises();
    gatherer.world();
    gatherer.facts();
    gatherer.outline();
    if !writes {
        gatherer.findings();
    }
    gatherer.gathered
}

struct Gatherer<'f, 's> {
    focus: &'f TaskFocus<'s>,
    reach: u8,
    writes: bool,
    gathered: GatheredContext,
}

impl Gatherer<'_, '_> {
    /// Adds the node, the texts around the point of writing, and the style.
    fn chapter(&mut self, task: TaskType) {
        let (focus, story) = (self.focus, self.focus.story);
        if let Some(node) = focus.node() {
            let short = json!({
                "id": node.id, "name": node.name, "goal": shortened(&node.goal),
                "description": shortened(&node.description), "participants": node.participants,
            });
            self.single(section::NODE, &node.id, vec![json!(node), short]);
        }
        let own: String = focus.documents.iter().map(|document| document.text.as_str()).collect::<Vec<_>>().join("\n");
        if !own.trim().is_empty() {
            let (section, sizes) = match task {
                TaskType::ReviewContent => (section::TEXT, [usize::MAX, OWN_ENDING, ENDING]),
                TaskType::ContinueWriting | TaskType::CreateChapter => {
                    (section::OWN_TEXT, [OWN_ENDING, ENDING, ENDING / 2])
                }
            };
            let id = focus.documents.first().map(|document| document.id.clone()).unwrap_or_default();
            let forms = sizes.map(|size| json!({"document": id, "text": ending(&own, size)}));
            self.single(section, &id, forms.to_vec());
        }
        self.ending_before();
        for (distance, node) in
            focus.chapter.map(|node| focus.reading.above(node)).unwrap_or_default().into_iter().enumerate()
        {
            let node = &story.outline_nodes[node];
            let forms = vec![
                json!({
                    "id": node.id, "name": node.name, "kind": node.kind, "goal": node.goal,
                    "description": node.description,
                }),
                json!({"id": node.id, "name": node.name, "goal": shortened(&node.goal)}),
            ];
            self.offer(section::ABOVE, &node.id, HERE, distance, forms);
        }
        if let Some(style) = &story.style {
            self.single(section::STYLE, "style", vec![json!(style)]);
        }
    }

    /// Adds the end of the last preceding chapter with a text.
    fn ending_before(&mut self) {
        let focus = self.focus;
        for before in &focus.before {
            let node = &focus.story.outline_nodes[*before];
            let documents = focus.reading.documents_of(*before);
            let written = documents.iter().rev().find(|document| !document.text.trim().is_empty());
            let Some(document) = written else {
                self.leave(section::ENDING, &node.id, OmissionReason::NotWritten);
                continue;
            };
            let form = |size: usize| {
                let text = ending(&document.text, size);
                json!({"outline_node": node.id, "name": title(node), "document": document.id, "text": text})
            };
            self.single(section::ENDING, &document.id, vec![form(ENDING), form(ENDING / 2), form(ENDING / 5)]);
            return;
        }
    }

    fn characters(&mut self) {
        for (position, card) in self.focus.story.characters.iter().enumerate() {
            let forms = vec![
                json!(card),
                json!({
                    "id": card.id, "name": card.name, "role_type": card.role_type, "traits": card.traits,
                    "goals": shortened(&card.goals),
                }),
                json!({"id": card.id, "name": card.name}),
            ];
            self.offer(section::CHARACTERS, &card.id, self.focus.characters[position], 0, forms);
        }
    }

    fn relations(&mut self) {
        let focus = self.focus;
        for relation in &focus.story.character_relations {
            let place = |name: &Option<String>| name.as_deref().and_then(|name| focus.place(name));
            if self.writes && place(&relation.since).is_some_and(|since| since > focus.now) {
                self.leave(section::RELATIONS, &relation.id, OmissionReason::ToldLater);
                continue;
            }
            if self.writes && place(&relation.until).is_some_and(|until| until < focus.now) {
                self.leave(section::RELATIONS, &relation.id, OmissionReason::Over);
                continue;
            }
            let ends = focus.reading.characters([&relation.from, &relation.to]);
            let here = ends.iter().filter(|position| focus.characters[**position] == HERE).count();
            let distance = [ANYWHERE, TIED, HERE][here.min(2)];
            let short = json!({"from": relation.from, "to": relation.to, "type": relation.kind});
            self.offer(section::RELATIONS, &relation.id, distance, 0, vec![json!(relation), short]);
        }
    }

    /// Adds the chapter's events, and earlier events with the same participants, or without any and about what the chapter
    /// mentions, nearest first and in the order of their times. What has happened goes by the texts, where they tell it
    /// otherwise than planned; the chapter's own events are its plan.
    fn events(&mut self) {
        let focus = self.focus;
        let moment = |event: &TimelineEvent| time::moment(event.timestamp.trim());
        let earliest = |is_counted: &dyn Fn(&TimelineEvent) -> bool| {
            let narrated = focus.story.timeline_events.iter().filter(|event| event.mode == Mode::Narrated);
            let moments = narrated.filter(|event| is_counted(event)).filter_map(moment);
            moments.reduce(|first, other| if other.is_before(&first) { other } else { first })
        };
        let begins = earliest(&TimelineEvent::has_chapter);
        // An event without a chapter that happened before all narrated events is the past of its participants.
        let is_before_the_book = |event: &TimelineEvent| {
            let times = begins.as_ref().filter(|_| !event.has_chapter()).zip(moment(event));
            times.is_some_and(|(begins, at)| at.is_before(begins))
        };
        // A flashback dated before all that the chapter narrates has already happened, although a later chapter tells it.
        let starts = earliest(&|event| focus.is_told_here(event.outline_node.as_deref())).or_else(|| begins.clone());
        let is_past = |event: &TimelineEvent| {
            let times = starts.as_ref().filter(|_| event.mode == Mode::Flashback).zip(moment(event));
            times.is_some_and(|(starts, at)| at.is_before(starts))
        };
        let as_described = as_described(focus.story);
        for position in time::in_order(&as_described) {
            let (planned, told) = (&focus.story.timeline_events[position], &as_described.timeline_events[position]);
            let here = focus.is_told_here(planned.outline_node.as_deref());
            let event = if here { planned } else { told };
            let place = event.outline_node.as_deref().and_then(|name| focus.place(name));
            let is_later = !here && place.is_some_and(|place| place > focus.now);
            let is_told_later = is_later && is_past(event);
            if self.writes && is_later && !is_told_later {
                self.leave(section::EVENTS, &event.id, OmissionReason::ToldLater);
                continue;
            }
            let people = focus.reading.characters(event.participants.iter().chain(&event.deaths));
            let is_earlier = || place.is_some_and(|place| place < focus.now);
            let shared = match people.as_slice() {
                // An event such as an announced audit has no participants.
                [] => is_earlier() && focus.touches(position, event),
                people => people.iter().any(|position| focus.characters[*position] == HERE),
            };
            let distance = if here {
                HERE
            } else if shared && (place.is_some() || is_before_the_book(event)) {
                TIED
            } else {
                ANYWHERE
            };
            let away = place.map_or(usize::MAX, |place| place.abs_diff(focus.now));
            let mut full = json!(event);
            let mut short = json!({"id": event.id, "title": event.title, "timestamp": event.timestamp});
            if is_told_later {
                full["told_later"] = true.into();
                short["told_later"] = true.into();
            }
            self.offer(section::EVENTS, &event.id, distance, away, vec![full, short]);
        }
    }

    /// Adds open promises to the reader; promises due or paid in the chapter come first.
    fn promises(&mut self) {
        let focus = self.focus;
        let now = focus.now;
        for promise in &focus.story.promises {
            let first = |places: &[String]| places.iter().filter_map(|name| focus.place(name)).min();
            let (planted, paid) = (first(&promise.planted), first(&promise.paid));
            if self.writes && planted.is_some_and(|planted| planted > now) {
                self.leave(section::PROMISES, &promise.id, OmissionReason::ToldLater);
                continue;
            }
            if paid.is_some_and(|paid| paid < now) {
                self.leave(section::PROMISES, &promise.id, OmissionReason::Over);
                continue;
            }
            let due = promise.due.as_deref().and_then(|name| focus.place(name));
            let urgent = due.is_some_and(|due| due <= now) || paid == Some(now) || planted == Some(now);
            let state = if paid == Some(now) {
                "pay_here"
            } else if due.is_some_and(|due| due < now) {
                "overdue"
            } else {
                "open"
            };
            let mut full = json!(promise);
            full["state"] = state.into();
            let short = json!({"id": promise.id, "name": promise.name, "state": state});
            let away = due.map_or(usize::MAX, |due| due.abs_diff(now));
            self.offer(section::PROMISES, &promise.id, if urgent { HERE } else { TIED }, away, vec![full, short]);
        }
        self.planted_in_outline();
    }

    /// Adds unpaid plants of the outline, in its own words.
    fn planted_in_outline(&mut self) {
        let focus = self.focus;
        let nodes: Vec<&OutlineNode> =
            focus.reading.nodes.iter().map(|node| &focus.story.outline_nodes[*node]).collect();
        let mut first_paid: BTreeMap<String, usize> = BTreeMap::new();
        for (place, node) in nodes.iter().enumerate() {
            for paid in &node.pays {
                first_paid.entry(fold(paid)).or_insert(place);
            }
        }
        let known: BTreeSet<String> = focus.story.promises.iter().map(|promise| fold(&promise.name)).collect();
        for (place, node) in nodes.into_iter().enumerate() {
            for plant in node.plants.iter().filter(|plant| !known.contains(&fold(plant))) {
                let id = format!("{}: {plant}", node.id);
                let paid = first_paid.get(&fold(plant)).copied();
                if self.writes && place > focus.now {
                    self.leave(section::PROMISES, &id, OmissionReason::ToldLater);
                } else if paid.is_some_and(|paid| paid < focus.now) {
                    self.leave(section::PROMISES, &id, OmissionReason::Over);
                } else {
                    let state = if paid == Some(focus.now) { "pay_here" } else { "open" };
                    let distance = if paid == Some(focus.now) || place == focus.now { HERE } else { TIED };
                    let form = json!({"name": plant, "planted": node.id, "state": state});
                    self.offer(section::PROMISES, &id, distance, 0, vec![form]);
                }
            }
        }
    }

    /// Adds places, organisations, things and rules. Rules apply everywhere, so are never far.
    fn world(&mut self) {
        let (focus, story) = (self.focus, self.focus.story);
        if let Some(world) = &story.worldview {
            let frame =
                json!({"kind": PieceKind::Worldview, "summary": world.summary, "genre": world.genre, "era": world.era});
            let short = json!({"kind": PieceKind::Worldview, "genre": world.genre, "era": world.era});
            self.offer(section::WORLD, "worldview", TIED, 0, vec![frame, short]);
        }
        for kind in [PieceKind::WorldRule, PieceKind::Location, PieceKind::Organisation, PieceKind::Item] {
            for (position, piece) in story.pieces_of(kind).enumerate() {
                let near = focus.nearness(kind, position);
                let distance = if kind == PieceKind::WorldRule { near.min(TIED) } else { near };
                let mut full = json!(piece.fields());
                full["kind"] = json!(kind);
                let short = json!({"kind": kind, "id": piece.id(), "name": piece.name()});
                self.offer(section::WORLD, piece.id(), distance, 0, vec![full, short]);
            }
        }
    }

    /// Adds facts valid at the chapter about present or related people, and about places, things and organisations of the
    /// chapter.
    fn facts(&mut self) {
        let focus = self.focus;
        let truth = GroundTruth::of(focus.story);
        let as_of = focus
            .node()
            .filter(|_| self.writes)
            .map(|node| if node.id.is_empty() { node.name.clone() } else { node.id.clone() });
        let ask = |as_of: Option<String>| truth.ask(&Question { as_of, ..Question::default() }).unwrap_or_default();
        let facts: BTreeMap<&str, &Fact> = focus.story.facts.iter().map(|fact| (fact.id.as_str(), fact)).collect();
        let is_later = |fact: &Fact| {
            let source = fact.source.as_ref().and_then(|source| focus.place(&source.document));
            let told = [source, focus.begins(&fact.from)].into_iter().flatten();
            as_of.is_some() && told.max().is_some_and(|told| told > focus.now)
        };
        let fact_of = |answer: &Answer| facts.get(answer.fact.as_deref()?).copied();
        let holds = |answer: &Answer| fact_of(answer).is_some_and(|fact| !is_later(fact));
        let now: Vec<Answer> = ask(as_of.clone()).into_iter().filter(holds).collect();
        let known: BTreeSet<&str> = now.iter().filter_map(|answer| answer.fact.as_deref()).collect();
        for fact in focus.story.facts.iter().filter(|fact| !known.contains(fact.id.as_str())) {
            let reason = if is_later(fact) { OmissionReason::ToldLater } else { OmissionReason::Over };
            self.leave(section::FACTS, &fact.id, reason);
        }
        for answer in now {
            let ends = [Some(&answer.subject), answer.object.as_ref()].into_iter().flatten();
            let distance = ends.map(|name| focus.nearness_of(name)).min().unwrap_or(ANYWHERE);
            let mut short = json!({"subject": answer.subject, "predicate": answer.predicate});
            if let Some(object) = &answer.object {
                short["object"] = object.as_str().into();
            }
            if !answer.value.is_null() {
                short["value"] = answer.value.clone();
            }
            // A claim, a lie or a dream without its teller would read as true.
            if answer.mode != Mode::Narrated {
                short["mode"] = json!(answer.mode);
                short["by"] = json!(answer.by);
            }
            let id = answer.fact.clone().unwrap_or_default();
            self.offer(section::FACTS, &id, distance, 0, vec![json!(answer), short]);
        }
    }

    /// Adds the other chapters, nearest first: the next chapters for a writer, the whole plan for a reviewer.
    fn outline(&mut self) {
        let focus = self.focus;
        for node in focus.before.iter().chain(&focus.after) {
            let place = focus.reading.place(*node);
            let away = place.abs_diff(focus.now);
            let next = focus.after.first() == Some(node) || focus.before.first() == Some(node);
            let node = &focus.story.outline_nodes[*node];
            let state = if place < focus.now { "before" } else { "after" };
            let full = json!({
                "id": node.id, "name": node.name, "state": state, "goal": node.goal,
                "description": node.description,
            });
            let short = json!({"id": node.id, "name": node.name, "state": state, "goal": shortened(&node.goal)});
            let least = json!({"id": node.id, "name": node.name});
            let distance = if next { TIED } else { ANYWHERE };
            self.offer(section::OUTLINE, &node.id, distance, away, vec![full, short, least]);
        }
    }

    /// Adds the checker's findings; findings on the chapter first, then by severity.
    fn findings(&mut self) {
        let focus = self.focus;
        let here: Vec<&str> = focus
            .node()
            .into_iter()
            .flat_map(|node| [node.id.as_str(), node.name.as_str()])
            .chain(focus.documents.iter().flat_map(|document| [document.id.as_str(), document.title.as_str()]))
            .chain(
                focus
                    .story
                    .characters
                    .iter()
                    .zip(&focus.characters)
                    .filter(|(_, near)| **near == HERE)
                    .map(|(card, _)| card.name.as_str()),
            )
            .collect();
        let all = findings(focus.story, focus.checks);
        for finding in all.into_iter().map(|finding| finding.issue).filter(|issue| issue.waived.is_none()) {
            let distance = if touched(&finding).any(|name| here.contains(&name)) { HERE } else { ANYWHERE };
            let grade = Severity::Critical as usize - finding.severity as usize;
            let short = json!({"id": finding.id, "severity": finding.severity, "title": finding.title});
            self.offer(section::FINDINGS, &finding.id, distance, grade, vec![json!(finding), short]);
        }
    }

    fn single(&mut self, section: &'static str, id: &str, forms: Vec<Value>) {
        self.add(ContextCandidate { section, single: true, id: id.to_owned(), rank: (HERE, order(section), 0), forms });
    }

    /// Appends an item to a list, if within the scope.
    fn offer(&mut self, section: &'static str, id: &str, distance: u8, away: usize, forms: Vec<Value>) {
        if distance > self.reach {
            return self.leave(section, id, OmissionReason::OutOfScope);
        }
        let rank = (distance, order(section), away);
        self.add(ContextCandidate { section, single: false, id: id.to_owned(), rank, forms });
    }

    fn add(&mut self, mut candidate: ContextCandidate) {
        candidate.forms.dedup();
        self.gathered.candidates.push(candidate);
    }

    fn leave(&mut self, section: &'static str, id: &str, reason: OmissionReason) {
        self.gathered.left.push(OmittedItem { section, id: id.to_owned(), reason });
    }
}

fn order(section: &str) -> u8 {
    let place = section::ORDER.iter().position(|other| *other == section);
    place.and_then(|place| u8::try_from(place).ok()).unwrap_or(u8::MAX)
}

/// Returns the start of a text, with `…` if truncated.
fn shortened(text: &str) -> String {
    let mut characters = text.trim().chars();
    let beginning: String = characters.by_ref().take(SHORT).collect();
    if characters.next().is_some() { beginning + "…" } else { beginning }
}
