//! Texts and lists of the plan, brought along when an event of the plan follows the text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::edit::{self, Edit, EditTarget};
use crate::names::{Names, clear_parts, fold};
use crate::part::handle;
use crate::piece::PieceKind;
use crate::time::{self, CalendarDay};
use crate::{Language, OutlineNode, OutlineNodeKind, Story, TimelineEvent};

/// The sentences in one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldSentences {
    timestamp: String,
    location: String,
    participants: String,
    deaths: String,
}

/// The sentences, from `plan_text.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldSentenceFile {
    zh: ToldSentences,
    en: ToldSentences,
}

static SENTENCES: LazyLock<ToldSentenceFile> = LazyLock::new(|| {
    toml::from_str(include_str!("plan_text.toml"))
        .unwrap_or_else(|error| panic!("the sentences are part of the program: {error}"))
});

/// A value of a planned event that the text tells otherwise.
struct ToldValue {
    field: &'static str,
    /// The planned value.
    planned: String,
    /// The told value; for somebody left out, the name.
    told: String,
}

/// Returns the edits of planned events with those of what else states the same in the plan: the description of the event,
/// and the outline node that plans it.
///
/// An absent person, and the place, are changed in the node unless another event of it needs them. A description that
/// names the planned value gets a sentence with the told one.
pub(super) fn with_plan_text(story: &Story, edits: Vec<Edit>) -> Vec<Edit> {
    let mut after = Cow::Borrowed(story);
    let last = edits.len().saturating_sub(1);
    let mut all = Vec::new();
    for (position, mut edit) in edits.into_iter().enumerate() {
        let nodes = bring_along(&after, &mut edit);
        for edit in std::iter::once(edit).chain(nodes) {
            // Only a later edit reads the changed story. An edit that does not fit is refused where the fix is applied.
            if position < last {
                drop(edit::apply(after.to_mut(), edit.clone()));
            }
            all.push(edit);
        }
    }
    all
}

/// Adds the description to the edit of an event, and returns the edits of the outline nodes that plan the event.
fn bring_along(story: &Story, edit: &mut Edit) -> Vec<Edit> {
    let Edit::Update { kind: PieceKind::Event, target: EditTarget::Named(name), fields } = edit else {
        return Vec::new();
    };
    let names = Names::of(story);
    let Some(at) = names.resolve(PieceKind::Event, name).map(|named| named.position) else { return Vec::new() };
    let event = &story.timeline_events[at];
    let told = told_values(event, fields);
    if !fields.contains_key("description")
        && let Some(description) = with_told(story, event, &told, &event.description)
    {
        fields.insert("description".to_owned(), json!(description));
    }
    let find = |name: &str| names.resolve(PieceKind::OutlineNode, name).map(|named| named.position);
    let own = event.outline_node.as_deref().and_then(find);
    let is_scene = |at: &usize| story.outline_nodes[*at].kind == OutlineNodeKind::Scene;
    let chapter = own.filter(is_scene).and_then(|at| story.outline_nodes[at].parent.as_deref()).and_then(find);
    let mut edits = Vec::new();
    for node in own.into_iter().chain(chapter) {
        let others = story.timeline_events.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
        let others = others.filter(|other| other.outline_node.as_deref().and_then(find) == Some(node));
        let others: Vec<&TimelineEvent> = others.collect();
        let fields = node_fields(story, event, &told, &story.outline_nodes[node], &others);
        let name = handle(&story.outline_nodes[node]);
        if !fields.is_empty() && find(&name) == Some(node) {
            edits.push(Edit::Update { kind: PieceKind::OutlineNode, target: EditTarget::Named(name), fields });
        }
    }
    edits
}

/// Returns the values that the fields of an edit change.
fn told_values(event: &TimelineEvent, fields: &BTreeMap<String, Value>) -> Vec<ToldValue> {
    let mut values = Vec::new();
    for (field, planned) in
        [("timestamp", event.timestamp.as_str()), ("location", event.location.as_deref().unwrap_or_default())]
    {
        if let Some(told) = fields.get(field).and_then(Value::as_str) {
            values.push(ToldValue { field, planned: planned.trim().to_owned(), told: told.trim().to_owned() });
        }
    }
    for (key, field) in [("remove_participants", "participants"), ("remove_deaths", "deaths")] {
        let gone = fields.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        values.extend(gone.map(|name| ToldValue { field, planned: name.to_owned(), told: name.to_owned() }));
    }
    values
}

/// Returns the fields of an outline node that change with the event; `others` are the other events of the node.
fn node_fields(
    story: &Story,
    event: &TimelineEvent,
    told: &[ToldValue],
    node: &OutlineNode,
    others: &[&TimelineEvent],
) -> BTreeMap<String, Value> {
    let mut fields = BTreeMap::new();
    let is_at = |place: Option<&str>, planned: &str| place.is_some_and(|place| fold(place) == fold(planned));
    let mut absent: Vec<&str> = Vec::new();
    for value in told {
        let planned = value.planned.as_str();
        let is_present = || others.iter().any(|other| other.participants.iter().any(|name| name == planned));
        let is_place_of_others = || others.iter().any(|other| is_at(other.location.as_deref(), planned));
        match value.field {
            "participants" if node.participants.iter().any(|name| name == planned) && !is_present() => {
                absent.push(planned);
            }
            "location" if is_at(node.location.as_deref(), planned) && !is_place_of_others() => {
                fields.insert("location".to_owned(), json!(value.told));
            }
            _ => {}
        }
    }
    if !absent.is_empty() {
        fields.insert("remove_participants".to_owned(), json!(absent));
    }
    if let Some(description) = with_told(story, event, told, &node.description) {
        fields.insert("description".to_owned(), json!(description));
    }
    fields
}

/// Returns a text of the plan with a sentence for each value that it names as planned; `None` if it names none.
fn with_told(story: &Story, event: &TimelineEvent, told: &[ToldValue], text: &str) -> Option<String> {
    let (sentences, space) = match story.language {
        Language::Zh => (&SENTENCES.zh, ""),
        Language::En => (&SENTENCES.en, " "),
    };
    let mut whole = text.trim_end().to_owned();
    let before = whole.len();
    for value in told.iter().filter(|value| names_value(story, text, value)) {
        let template = match value.field {
            "timestamp" => &sentences.timestamp,
            "location" => &sentences.location,
            "participants" => &sentences.participants,
            _ => &sentences.deaths,
        };
        let sentence = template.replace("{told}", &value.told).replace("{event}", event.title.trim());
        if !whole.contains(&sentence) {
            whole.push_str(space);
            whole.push_str(&sentence);
        }
    }
    (whole.len() > before).then_some(whole)
}

/// Returns whether a text names the planned value.
fn names_value(story: &Story, text: &str, value: &ToldValue) -> bool {
    let text = fold(text);
    let names = |name: &str| {
        let name = fold(name);
        !name.is_empty() && text.contains(&name)
    };
    if names(&value.planned) {
        return true;
    }
    match value.field {
        "timestamp" => {
            let day = time::parse(&value.planned).moment().and_then(|planned| CalendarDay::of(&planned));
            day.is_some_and(|day| day.written().iter().any(|written| names(written)))
        }
        "participants" | "deaths" => {
            let card = story.characters.iter().find(|card| card.name == value.planned);
            let mut aliases = card.into_iter().flat_map(|card| &card.alias);
            clear_parts(&value.planned).any(names) || aliases.any(|alias| names(alias))
        }
        _ => false,
    }
}
