//! Generates an outline skeleton from a structure and the existing story. Invents nothing: unknown parts are marked.

use std::collections::BTreeMap;

use qingyu_story::{
    Language, OutlineNode, OutlineNodeKind, PieceKind, RoleType, Story, TimelineEvent, placeholder, time,
};
use serde_json::{Value, json};

use super::place::{PLACE, is_act};
use super::structure::{Beat, StructureType, beats};
use crate::ToolError;
use crate::desk::{ArgumentPath, Desk};
use crate::texts::filled;

/// Maximum beats of a custom structure.
const MOST_BEATS: usize = 200;

/// Builds the outline, or only shows it.
pub(super) fn generate(
    structure: StructureType,
    own: Option<Vec<Beat>>,
    preview: bool,
    desk: &mut Desk,
) -> Result<Value, ToolError> {
    let count = desk.story().outline_nodes.len();
    if count > 0 && !preview {
        let there = count.to_string();
        return Err(ToolError::Refused { message: filled(desk.language(), "generate.there", &[("count", &there)]) });
    }
    let own = own.unwrap_or_default();
    if structure == StructureType::Custom && (own.is_empty() || own.len() > MOST_BEATS) {
        return Err(ToolError::invalid(
            "/beats",
            format!("1 to {MOST_BEATS} beats; a custom structure is made of them"),
        ));
    }
    if let Some(nameless) = own.iter().position(|beat| beat.name.trim().is_empty()) {
        return Err(ToolError::invalid(&format!("/beats/{nameless}/name"), "a name"));
    }
    let skeleton = Skeleton::of(desk.story(), beats(structure, own, desk.story().language));
    let unknown = skeleton.unknown();
    let note = filled(
        desk.language(),
        "generate.note",
        &[("created", &skeleton.nodes.len().to_string()), ("unknown", &unknown.len().to_string())],
    );
    let mut answer = json!({
        "structure_type": match structure {
            StructureType::ThreeAct => "three_act",
            StructureType::HeroJourney => "hero_journey",
            StructureType::Custom => "custom",
        },
        "preview": preview,
        "unknown": unknown,
        "events_placed": skeleton.told.len(),
        "note": note,
    });
    answer["outline_nodes"] = if preview { json!(skeleton.nodes) } else { json!(skeleton.lay_on(desk)?) };
    Ok(answer)
}

/// The nodes to create, and the events told in each.
struct Skeleton {
    nodes: Vec<OutlineNode>,
    /// Event ids, with the index of the telling node.
    told: Vec<(String, usize)>,
    open: &'static str,
}

impl Skeleton {
    fn of(story: &Story, beats: Vec<Beat>) -> Self {
        let language = story.language;
        let open = placeholder(language);
        let words = StoryWords::of(story);
        let chapters_of_events = place_events(story, &beats);
        let mut skeleton = Self { nodes: Vec::new(), told: Vec::new(), open };
        let mut act: Option<String> = None;
        for (index, beat) in beats.into_iter().enumerate() {
            if beat.act.is_some() && beat.act != act {
                skeleton.push(OutlineNode {
                    kind: OutlineNodeKind::Act,
                    name: beat.act.clone().unwrap_or_default(),
                    description: open.into(),
                    goal: open.into(),
                    ..OutlineNode::default()
                });
                act.clone_from(&beat.act);
            }
            let events: Vec<&TimelineEvent> = chapters_of_events
                .get(&index)
                .into_iter()
                .flatten()
                .map(|event| &story.timeline_events[*event])
                .collect();
            let node = chapter(index + 1, &beat, &events, &words, language);
            let place = skeleton.nodes.len();
            let untold = events.iter().filter(|event| event.outline_node.is_none() && !event.id.is_empty());
            skeleton.told.extend(untold.map(|event| (event.id.clone(), place)));
            skeleton.push(node);
        }
        skeleton
    }

    fn push(&mut self, mut node: OutlineNode) {
        node.order = u32::try_from(self.nodes.len() + 1).unwrap_or(u32::MAX);
        // Beats with duplicate names would be merged into a node.
        let same = self.nodes.iter().filter(|other| other.name == node.name).count();
        if same > 0 {
            node.name = format!("{} ({})", node.name, node.order);
        }
        self.nodes.push(node);
    }

    /// Returns the parts left to the author.
    fn unknown(&self) -> Vec<Value> {
        let fields = |node: &OutlineNode| {
            let texts = [("name", &node.name), ("description", &node.description), ("goal", &node.goal)];
            let open = texts.into_iter().filter(|(_, text)| text.contains(self.open)).map(|(field, _)| field);
            open.map(|field| json!({"outline_node": node.name, "field": field})).collect::<Vec<_>>()
        };
        self.nodes.iter().flat_map(fields).collect()
    }

    /// Creates the nodes and links the events.
    fn lay_on(self, desk: &mut Desk) -> Result<Vec<Value>, ToolError> {
        let (mut ids, mut made): (Vec<String>, Vec<Value>) = (Vec::new(), Vec::new());
        let mut act: Option<String> = None;
        for mut node in self.nodes {
            let is_group = is_act(&node);
            if !is_group {
                node.parent.clone_from(&act);
            }
            let fields = json!(node);
            let fields = fields.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), value.clone()));
            let piece = desk.create(PieceKind::OutlineNode, fields.collect(), PLACE)?;
            if is_group {
                act = Some(piece.id().to_owned());
            }
            ids.push(piece.id().to_owned());
            made.push(Value::Object(piece.fields()));
        }
        for (event, node) in self.told {
            let fields = [("outline_node".to_owned(), ids[node].clone().into())].into();
            desk.update(PieceKind::Event, Some(&event), fields, ArgumentPath { fields: "", target: "" })?;
        }
        Ok(made)
    }
}

/// The story's own words for the slots of a structure.
struct StoryWords {
    protagonist: Option<String>,
    antagonist: Option<String>,
    want: String,
    conflict: String,
    weakness: String,
}

impl StoryWords {
    fn of(story: &Story) -> Self {
        let of_role = |role: RoleType| story.characters.iter().find(|card| card.role_type == role);
        let hero = of_role(RoleType::Protagonist);
        let open = placeholder(story.language);
        let known = |text: Option<&String>| {
            let text = text.map(|text| text.trim().trim_end_matches(['。', '.'])).filter(|text| !text.is_empty());
            text.unwrap_or(open).to_owned()
        };
        Self {
            protagonist: hero.map(|card| card.name.clone()),
            antagonist: of_role(RoleType::Antagonist).map(|card| card.name.clone()),
            want: known(hero.map(|card| &card.goals)),
            conflict: known(hero.map(|card| &card.conflicts)),
            weakness: known(hero.map(|card| &card.weakness)),
        }
    }

    fn fill(&self, template: &str, language: Language) -> String {
        let open = placeholder(language);
        let words = [
            ("protagonist", self.protagonist.as_deref().unwrap_or(open)),
            ("antagonist", self.antagonist.as_deref().unwrap_or(open)),
            ("want", &self.want),
            ("conflict", &self.conflict),
            ("weakness", &self.weakness),
        ];
        crate::texts::fill(template, &words)
    }
}

fn chapter(
    number: usize,
    beat: &Beat,
    events: &[&TimelineEvent],
    words: &StoryWords,
    language: Language,
) -> OutlineNode {
    let open = placeholder(language);
    let goal = words.fill(beat.goal.trim(), language);
    let told = |event: &&TimelineEvent| match event.description.trim() {
        "" => event.title.trim().to_owned(),
        text => text.to_owned(),
    };
    let between = if language == Language::Zh { "" } else { " " };
    let description = events.iter().map(told).collect::<Vec<_>>().join(between);
    let mut participants: Vec<String> = Vec::new();
    for name in events.iter().flat_map(|event| &event.participants) {
        if !participants.contains(name) {
            participants.push(name.clone());
        }
    }
    // A beat whose goal names a person has the person as a participant.
    for (slot, name) in [("{protagonist}", &words.protagonist), ("{antagonist}", &words.antagonist)] {
        let named = name.iter().filter(|name| beat.goal.contains(slot) && !participants.contains(name)).cloned();
        let named: Vec<String> = named.collect();
        participants.extend(named);
    }
    let name = words.fill(beat.name.trim(), language);
    OutlineNode {
        kind: OutlineNodeKind::Chapter,
        name: filled(language, "generate.chapter", &[("number", &counted(number, language)), ("name", &name)]),
        description: if description.is_empty() { open.to_owned() } else { description },
        goal: if goal.is_empty() { open.to_owned() } else { goal },
        participants,
        location: events.iter().find_map(|event| event.location.clone()),
        ..OutlineNode::default()
    }
}

/// Returns the events of each beat, by position.
///
/// Events are told in story time as far as known. The most important event of the second half is the climax; earlier
/// events are spread evenly over the beats before, later events over the beats after.
fn place_events(story: &Story, beats: &[Beat]) -> BTreeMap<usize, Vec<usize>> {
    let mut order: Vec<usize> = Vec::new();
    for placed in time::lines(story).iter().flat_map(|line| &line.events) {
        if !order.contains(&placed.event) {
            order.push(placed.event);
        }
    }
    let mut placed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let climax = beats.iter().position(|beat| beat.climax);
    let height = (order.len() / 2..order.len()).max_by_key(|at| (story.timeline_events[order[*at]].importance, *at));
    match (climax, height) {
        (Some(climax), Some(height)) => {
            spread(&order[..height], 0, climax, &mut placed);
            placed.entry(climax).or_default().push(order[height]);
            spread(&order[height + 1..], climax + 1, beats.len(), &mut placed);
        }
        _ => spread(&order, 0, beats.len(), &mut placed),
    }
    placed
}

/// Spreads events evenly over the beats from `first` up to `end`; over the preceding beat if the range is empty.
fn spread(events: &[usize], first: usize, end: usize, placed: &mut BTreeMap<usize, Vec<usize>>) {
    let room = end.saturating_sub(first);
    for (index, event) in events.iter().enumerate() {
        let beat = match room {
            0 => first.saturating_sub(1),
            room => first + (index * room + room / 2) / events.len(),
        };
        placed.entry(beat).or_default().push(*event);
    }
}

/// Returns a chapter's number in the form of titles.
fn counted(number: usize, language: Language) -> String {
    const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    match (language, number) {
        (Language::Zh, 1..=9) => DIGITS[number].into(),
        (Language::Zh, 10..=19) => format!("十{}", DIGITS[number - 10]),
        (Language::Zh, 20..=99) => format!("{}十{}", DIGITS[number / 10], DIGITS[number % 10]),
        _ => number.to_string(),
    }
}
