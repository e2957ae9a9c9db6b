//! The arc of a character: appearances, turning points, and gaps. Counted, not judged.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::truth::{GroundTruth, Question};
use qingyu_story::{Character, Language, PieceKind, PlotKind, RoleType, Story};
use serde_json::{Value, json};

use crate::reading::{ReadingOrder, title};
use crate::texts::filled;

/// Minimum importance of a turning point.
const TURNS: u8 = 8;

/// The character's presence in a chapter.
#[derive(Default)]
struct ChapterStage {
    participates: bool,
    events: BTreeSet<usize>,
    mentions: usize,
    turns: BTreeSet<String>,
    relations: Vec<Value>,
}

/// Returns the stages of the character at `position`, chapter by chapter, with remarks in `language`.
pub(super) fn analyze(story: &Story, position: usize, language: Language) -> Value {
    let reading = ReadingOrder::of(story);
    let chapters = reading.chapters();
    let stages: Vec<ChapterStage> = stages(&reading, &chapters, position);
    let present: Vec<usize> = (0..chapters.len()).filter(|index| stages[*index].is_there()).collect();
    let presence = presence(story, &chapters, &present);
    let card = &story.characters[position];
    let stages_shown: Vec<Value> = present.iter().map(|index| stages[*index].shown(story, &chapters, *index)).collect();
    let turning = stages_shown.iter().filter(|stage| stage["turning_points"].as_array().is_some_and(|t| !t.is_empty()));
    let turning: Vec<Value> = turning
        .map(|stage| json!({"outline_node": stage["outline_node"], "because": stage["turning_points"]}))
        .collect();
    let observations = observations(card, &presence, present.len(), chapters.len(), turning.len(), language);
    json!({
        "character": {"id": card.id, "name": card.name, "role_type": card.role_type},
        "declared": {
            "goals": card.goals,
            "weakness": card.weakness,
            "conflicts": card.conflicts,
            "arc": card.arc,
        },
        "stages": stages_shown,
        "turning_points": turning,
        "presence": presence,
        "changes": changes(story, card),
        "observations": observations,
    })
}

impl ChapterStage {
    fn is_there(&self) -> bool {
        self.participates || !self.events.is_empty() || self.mentions > 0
    }

    fn shown(&self, story: &Story, chapters: &[usize], index: usize) -> Value {
        let node = &story.outline_nodes[chapters[index]];
        let events: Vec<Value> = self
            .events
            .iter()
            .map(|event| &story.timeline_events[*event])
            .map(|event| json!({"id": event.id, "title": event.title, "importance": event.importance}))
            .collect();
        json!({
            "chapter": index + 1,
            "outline_node": {"id": node.id, "name": title(node)},
            "goal": node.goal,
            "participates": self.participates,
            "mentions": self.mentions,
            "events": events,
            "relations": self.relations,
            "turning_points": self.turns,
        })
    }
}

fn stages(reading: &ReadingOrder<'_>, chapters: &[usize], position: usize) -> Vec<ChapterStage> {
    let story = reading.story;
    let mut stages: Vec<ChapterStage> = chapters.iter().map(|_| ChapterStage::default()).collect();
    // Scenes belong to their parent chapter.
    let chapter_of = |name: Option<&str>| {
        let node = name.and_then(|name| reading.node(name))?;
        let mut at = [node].into_iter().chain(reading.above(node));
        at.find_map(|node| chapters.iter().position(|chapter| *chapter == node))
    };
    let is_it =
        |name: &str| reading.names.resolve(PieceKind::Character, name).is_some_and(|named| named.position == position);
    for node in story.outline_nodes.iter().filter(|node| !node.kind.is_group()) {
        let name = if node.id.is_empty() { &node.name } else { &node.id };
        if let Some(chapter) = chapter_of(Some(name)) {
            stages[chapter].participates |= node.participants.iter().any(|name| is_it(name));
        }
    }
    for (event, told) in story.timeline_events.iter().enumerate() {
        let takes_part = told.participants.iter().chain(&told.deaths).any(|name| is_it(name));
        if let Some(chapter) = chapter_of(told.outline_node.as_deref()).filter(|_| takes_part) {
            stages[chapter].events.insert(event);
            if told.importance >= TURNS || told.deaths.iter().any(|name| is_it(name)) {
                stages[chapter].turns.insert(told.title.clone());
            }
        }
    }
    for document in &story.documents {
        if let Some(chapter) = chapter_of(document.outline_node.as_deref()) {
            let mentions = reading.names.mentions_in_prose(&document.text);
            let own = mentions.iter().filter(|mention| {
                let [one] = mention.bearers.as_slice() else { return false };
                one.kind == PieceKind::Character && one.position == position
            });
            stages[chapter].mentions += own.count();
        }
    }
    for plot in story.plot_nodes.iter().filter(|plot| matches!(plot.kind, PlotKind::Turn | PlotKind::Climax)) {
        let event = |name: &String| reading.names.resolve(PieceKind::Event, name).map(|named| named.position);
        let events: BTreeSet<usize> = plot.events.iter().filter_map(event).collect();
        for stage in &mut stages {
            if stage.events.intersection(&events).next().is_some() {
                stage.turns.insert(plot.title.clone());
            }
        }
    }
    for relation in &story.character_relations {
        let other = match (is_it(&relation.from), is_it(&relation.to)) {
            (true, false) => &relation.to,
            (false, true) => &relation.from,
            _ => continue,
        };
        for (change, node) in [("begins", &relation.since), ("ends", &relation.until)] {
            if let Some(chapter) = chapter_of(node.as_deref()) {
                let shown = json!({"change": change, "with": other, "type": relation.kind});
                stages[chapter].relations.push(shown);
            }
        }
    }
    stages
}

/// Returns the share of the book with the character, and the longest absence.
fn presence(story: &Story, chapters: &[usize], present: &[usize]) -> Value {
    let name = |index: usize| title(&story.outline_nodes[chapters[index]]).to_owned();
    let mut thirds = [0_usize; 3];
    for index in present {
        thirds[index * 3 / chapters.len()] += 1;
    }
    // Absences before the first and after the last appearance do not count.
    let gap = present.windows(2).map(|pair| (pair[1] - pair[0] - 1, pair[0], pair[1]));
    let gap = gap.filter(|(length, ..)| *length > 0).max_by_key(|(length, from, _)| (*length, usize::MAX - from));
    json!({
        "chapters": present.len(),
        "of": chapters.len(),
        "first": present.first().map(|index| name(*index)),
        "last": present.last().map(|index| name(*index)),
        "thirds": thirds,
        "longest_absence": gap.map(|(length, from, to)| {
            json!({"chapters": length, "after": name(from), "until": name(to)})
        }),
    })
}

/// Returns the facts of the character with several values, in the order of validity.
fn changes(story: &Story, card: &Character) -> Vec<Value> {
    let about = if card.id.is_empty() { &card.name } else { &card.id };
    let question = Question { about: Some(about.clone()), ..Question::default() };
    let answers = GroundTruth::of(story).ask(&question).unwrap_or_default();
    let mut by_predicate: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer.subject == card.name && answer.fact.is_some()) {
        let fact = story.facts.iter().find(|fact| Some(&fact.id) == answer.fact.as_ref());
        let Some(fact) = fact else { continue };
        let value = answer.object.clone().map_or_else(|| answer.value.clone(), Value::from);
        let entry = json!({"value": value, "from": fact.from, "until": fact.until, "mode": fact.mode});
        by_predicate.entry(answer.predicate.clone()).or_default().push(entry);
    }
    let differs = |values: &Vec<Value>| values.iter().any(|value| value["value"] != values[0]["value"]);
    let changed = by_predicate.into_iter().filter(|(_, values)| differs(values));
    changed.map(|(predicate, values)| json!({"predicate": predicate, "values": values})).collect()
}

/// Returns remarks, each with a code and a sentence.
fn observations(
    card: &Character,
    presence: &Value,
    present: usize,
    chapters: usize,
    turns: usize,
    language: Language,
) -> Vec<Value> {
    let mut observations = Vec::new();
    let mut say = |code: &str, words: &[(&str, &str)]| {
        let words: Vec<(&str, &str)> = words.iter().copied().chain([("name", card.name.as_str())]).collect();
        observations.push(json!({"code": code, "text": filled(language, &format!("arc.{code}"), &words)}));
    };
    let carries = matches!(card.role_type, RoleType::Protagonist | RoleType::Antagonist);
    let fields =
        [("goals", &card.goals), ("weakness", &card.weakness), ("conflicts", &card.conflicts), ("arc", &card.arc)];
    let missing: Vec<&str> =
        fields.iter().filter(|(_, text)| text.trim().is_empty()).map(|(field, _)| *field).collect();
    if carries && !missing.is_empty() {
        say("missing", &[("fields", &missing.join(", "))]);
    }
    if chapters > 0 && present == 0 {
        say("never_there", &[]);
        return observations;
    }
    let third = |index: usize| presence["thirds"][index].as_u64().unwrap_or(0);
    if carries && chapters >= 3 && third(2) == 0 {
        say("not_at_the_end", &[]);
    }
    let absence = presence["longest_absence"]["chapters"].as_u64().unwrap_or(0);
    if carries && chapters >= 6 && absence * 3 >= chapters as u64 {
        say("long_absence", &[("chapters", &absence.to_string())]);
    }
    if carries && present >= 3 && turns == 0 {
        say("no_turn", &[]);
    }
    observations
}
