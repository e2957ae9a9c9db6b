//! `timeline_tool`: the order of events.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::check::undecided;
use qingyu_story::rules::{self, Rule, RuleFamily};
use qingyu_story::settlement::{as_described, as_told};
use qingyu_story::time::{self, Calendar, PlacedEvent};
use qingyu_story::{Finding, PieceKind, Story, TimelineEvent, findings};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Entries, Fields, needed, settings};
use crate::checking::{only, touched};
use crate::desk::{ArgumentPath, Desk, StoryTool};
use crate::reading::{ReadingOrder, title};
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct TimelineTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do.
    action: Do,
    /// The id or title of the event; for update_event and delete_event.
    event_id: Option<String>,
    /// The fields of the event, for create_event and update_event.
    #[schemars(with = "Option<TimelineEvent>")]
    event_data: Option<Fields>,
    /// Entries to add to lists of the event, such as {"participants": ["Ann"]}; for update_event.
    add: Option<Entries>,
    /// Entries to take out of lists of the event; for update_event.
    remove: Option<Entries>,
    /// Only events in which this character takes part: an id, name or alias.
    participant: Option<String>,
    /// Only events that are told under this outline node, or under a node in it.
    outline_node: Option<String>,
    /// For get_timeline: how many events to give at most on each line; 200 if left out.
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    CreateEvent,
    UpdateEvent,
    DeleteEvent,
    GetTimeline,
    CheckConflicts,
}

/// Default number of events shown per line.
const SHOWN: usize = 200;
const PLACE: ArgumentPath<'static> = ArgumentPath { fields: "/event_data", target: "/event_id" };

impl StoryTool for TimelineTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions = vec![
            Action::write("create_event"),
            Action::write("update_event"),
            Action::write("delete_event"),
            Action::read("get_timeline"),
            Action::read("check_conflicts"),
        ];
        Metadata::of::<Arguments>("timeline_tool", Category::Writing, actions)
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { action, event_id, event_data, add, remove, participant, outline_node, limit } = arguments;
        let id = || needed(event_id.as_deref(), "/event_id");
        match action {
            Do::CreateEvent => {
                let event = desk.create(PieceKind::Event, needed(event_data, "/event_data")?, PLACE)?;
                Ok(json!({"event": event.fields()}))
            }
            Do::UpdateEvent => {
                let fields = settings(event_data, add, remove);
                let event = desk.update(PieceKind::Event, Some(id()?), fields, PLACE)?;
                Ok(json!({"event": event.fields()}))
            }
            Do::DeleteEvent => {
                let event = desk.delete(PieceKind::Event, Some(id()?), PLACE)?;
                Ok(json!({"deleted": event.fields()}))
            }
            Do::GetTimeline => {
                let told = as_described(desk.story());
                let wanted = wanted(desk, &told, participant.as_deref(), outline_node.as_deref())?;
                let open = open_questions(desk.story());
                Ok(timeline(&told, &wanted, limit.unwrap_or(SHOWN), &open))
            }
            Do::CheckConflicts => {
                let told = as_told(desk.story());
                let wanted = wanted(desk, &told, participant.as_deref(), outline_node.as_deref())?;
                Ok(conflicts(desk, &wanted))
            }
        }
    }
}

/// Returns the positions of the requested events of `story`, the story of the desk with its events as told.
fn wanted(
    desk: &Desk,
    story: &Story,
    participant: Option<&str>,
    node: Option<&str>,
) -> Result<BTreeSet<usize>, ToolError> {
    let participant = participant.map(|name| desk.find(PieceKind::Character, name, "/participant")).transpose()?;
    let node = node.map(|name| desk.find(PieceKind::OutlineNode, name, "/outline_node")).transpose()?;
    Ok(positions(story, participant, node))
}

/// Returns the positions of the events with the character and of the outline node, as far as given.
fn positions(story: &Story, participant: Option<usize>, node: Option<usize>) -> BTreeSet<usize> {
    let reading = ReadingOrder::of(story);
    let takes_part = |event: &TimelineEvent, character: usize| {
        reading.characters(event.participants.iter().chain(&event.deaths)).contains(&character)
    };
    let is_told_in = |event: &TimelineEvent, node: usize| {
        let told = event.outline_node.as_deref().and_then(|name| reading.node(name));
        told.is_some_and(|told| told == node || reading.above(told).contains(&node))
    };
    let fits = |event: &TimelineEvent| {
        participant.is_none_or(|character| takes_part(event, character))
            && node.is_none_or(|node| is_told_in(event, node))
    };
    let events = story.timeline_events.iter().enumerate();
    events.filter(|(_, event)| fits(event)).map(|(position, _)| position).collect()
}

/// The open contradictions between text and plan, as JSON, by position of the event.
type OpenQuestions = BTreeMap<usize, Vec<Value>>;

/// Returns the contradictions between text and plan that the author has not decided.
fn open_questions(story: &Story) -> OpenQuestions {
    let mut open = OpenQuestions::new();
    for (document, at, differs) in undecided(story) {
        let key = if matches!(differs.field.as_str(), "participants" | "deaths") { "left_out" } else { "told" };
        open.entry(at).or_default().push(json!({
            "field": differs.field, key: differs.told, "document": document.title, "quote": differs.quote,
        }));
    }
    open
}

/// Returns the events by calendar, with concurrent storylines. Events that a text tells otherwise than planned are as told,
/// with what is open.
fn timeline(story: &Story, wanted: &BTreeSet<usize>, limit: usize, open: &OpenQuestions) -> Value {
    let lines = time::lines(story);
    let mut placed = BTreeSet::new();
    let mut storylines: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut shown = Vec::new();
    for line in &lines {
        let events: Vec<&PlacedEvent> = line.events.iter().filter(|event| wanted.contains(&event.event)).collect();
        for event in &events {
            if placed.insert(event.event) {
                let name = event.storyline.clone().unwrap_or_default();
                storylines.entry(name).or_default().push(&story.timeline_events[event.event].id);
            }
        }
        if !events.is_empty() {
            let total = events.len();
            let events: Vec<Value> =
                events.into_iter().take(limit).map(|event| placed_event(story, event, open)).collect();
            shown.push(json!({"calendar": calendar(line.calendar.as_ref()), "total": total, "events": events}));
        }
    }
    let untimed = wanted.iter().filter(|position| !placed.contains(position));
    let untimed: Vec<Value> = untimed.map(|position| event(story, *position, open)).collect();
    let storylines = storylines.into_iter().map(|(name, events)| {
        let name = Some(name).filter(|name| !name.is_empty());
        json!({"storyline": name, "events": events})
    });
    json!({
        "total": wanted.len(),
        "lines": shown,
        "storylines": storylines.collect::<Vec<_>>(),
        "not_in_story_time": untimed,
    })
}

/// Returns an event with its position: `follows` means certainly after its predecessor.
fn placed_event(story: &Story, placed: &PlacedEvent, open: &OpenQuestions) -> Value {
    let mut event = event(story, placed.event, open);
    event["storyline"] = json!(placed.storyline);
    event["follows"] = placed.follows.into();
    event["starts_between"] = json!([placed.start.0, placed.start.1]);
    event["ends_between"] = json!([placed.end.0, placed.end.1]);
    event
}

/// Returns an event, with what is open about it.
fn event(story: &Story, position: usize, open: &OpenQuestions) -> Value {
    let mut event = json!(story.timeline_events[position]);
    if let Some(open) = open.get(&position) {
        event["open_questions"] = json!(open);
    }
    event
}

fn calendar(calendar: Option<&Calendar>) -> Value {
    match calendar {
        None => Value::Null,
        Some(Calendar::Days) => "days".into(),
        Some(Calendar::Era(name)) if name.is_empty() => "common".into(),
        Some(Calendar::Era(name)) => name.as_str().into(),
    }
}

/// Returns the checker's findings on time and presence about the requested events.
fn conflicts(desk: &Desk, wanted: &BTreeSet<usize>) -> Value {
    let story = desk.story();
    let is_of_time =
        |rule: &Rule| matches!(rule.family, RuleFamily::Time | RuleFamily::Presence) && rule.has_books(desk.checks());
    let events: Vec<&TimelineEvent> = wanted.iter().map(|position| &story.timeline_events[*position]).collect();
    let names: BTreeSet<&str> = events.iter().flat_map(|event| [event.id.as_str(), event.title.as_str()]).collect();
    let whole = wanted.len() == story.timeline_events.len();
    let is_meant = |finding: &Finding| {
        finding.issue.waived.is_none() && (whole || touched(&finding.issue).any(|name| names.contains(name)))
    };
    let found = findings(story, &only(desk.checks(), is_of_time)).into_iter().filter(is_meant);
    let reading = ReadingOrder::of(story);
    let told_in = |finding: &Finding| {
        let touched: BTreeSet<&str> = touched(&finding.issue).collect();
        let events = story.timeline_events.iter().filter(|event| touched.contains(event.id.as_str()));
        let nodes = events.filter_map(|event| reading.node(event.outline_node.as_deref()?));
        nodes.map(|node| title(&story.outline_nodes[node]).to_owned()).collect::<BTreeSet<_>>()
    };
    let shown = found.map(
        |finding| json!({"issue": finding.issue, "told_in": told_in(&finding), "instructions": finding.instructions}),
    );
    let codes = rules::all().iter().filter(|rule| is_of_time(rule)).map(|rule| rule.code);
    json!({
        "conflicts": shown.collect::<Vec<_>>(),
        "checked_events": wanted.len(),
        "rules": codes.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use qingyu_story::Document;
    use qingyu_story::settlement::Differs;

    use super::*;

    #[test]
    fn events_are_filtered_by_whom_the_text_tells_of() {
        let story: Story = serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": "林青"}, {"id": "c-2", "name": "老周"}],
            "timeline_events": [{"id": "e-1", "title": "夜谈", "participants": ["林青", "老周"]}],
            "documents": [{"id": "d-1", "title": "第一章", "order": 1, "text": "老周没有来。", "settled": {"differs": [
                {"event": "e-1", "field": "participants", "told": "老周", "quote": "老周没有来。"}]}}],
        }))
        .unwrap();
        let told = as_told(&story);
        assert_eq!(positions(&told, Some(0), None), BTreeSet::from([0]));
        assert_eq!(positions(&told, Some(1), None), BTreeSet::new());
        assert_eq!(positions(&story, Some(1), None), BTreeSet::from([0]), "as planned");
    }

    #[test]
    fn a_planned_event_is_as_told_with_what_is_open() {
        let event = |id: &str, timestamp: &str| TimelineEvent {
            id: id.into(),
            title: id.into(),
            timestamp: timestamp.into(),
            ..TimelineEvent::default()
        };
        let differs = Differs {
            event: "e-1".into(),
            field: "timestamp".into(),
            told: "第3天".into(),
            quote: "第三天他们见了面。".into(),
        };
        let story = Story {
            timeline_events: vec![event("e-1", "第1天"), event("e-2", "第2天")],
            documents: vec![Document {
                title: "第一章".into(),
                text: "第三天他们见了面。".into(),
                settled: Some(serde_json::from_value(json!({"differs": [differs]})).unwrap()),
                ..Document::default()
            }],
            ..Story::default()
        };
        let shown = timeline(&as_told(&story), &[0, 1].into(), SHOWN, &open_questions(&story));
        let events = shown["lines"][0]["events"].as_array().unwrap();
        let ids: Vec<_> = events.iter().map(|event| event["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["e-2", "e-1"], "in the order that the text tells");
        assert_eq!(events[1]["timestamp"], "第3天");
        assert_eq!(events[1]["open_questions"][0]["document"], "第一章");
        assert_eq!(events[0].get("open_questions"), None);
    }
}
