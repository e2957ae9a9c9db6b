//! Planned participants whose part in an event the reader must not know yet.

use super::record::Differs;
use crate::language::has_words;
use crate::names::{fold, parts};
use crate::{Character, Document, OutlineNode, Story, TimelineEvent, Worldview};

/// Marks that end a sentence of a secret.
const SENTENCE_ENDS: [char; 8] = ['。', '！', '？', '；', '!', '?', ';', '\n'];
/// Words at the beginning of a sentence that go on about the person of the sentence before.
const PRONOUNS: [&str; 4] = ["他", "她", "he ", "she "];

/// Returns whether `differs` is a participant of `event` whom the document leaves out because a secret is kept: a secret or the
/// truth of the book speaks of the person beside the deed, and is closed until after the chapter.
pub(crate) fn is_hidden_part(story: &Story, document: &Document, event: &TimelineEvent, differs: &Differs) -> bool {
    if differs.field != "participants" {
        return false;
    }
    let names = CardNames::of(story, &differs.told);
    let of_event = names_of_event(story, event, &names);
    let names_event = |words: &str| of_event.iter().any(|other| other.are_in(words));
    let is_kept_by = |card: &Character| {
        let is_own = names.is_of(card);
        // The secret of somebody who takes part is about the event, too.
        let is_of_participant = !is_own && of_event.iter().any(|other| other.is_of(card));
        let is_about =
            |(words, is_about): &(String, bool)| (is_own || *is_about) && (is_of_participant || names_event(words));
        !card.secret.trim().is_empty()
            && sentences(&card.secret, &names).iter().any(is_about)
            && is_closed(story, document, Some(card), card.secret_until.as_deref())
    };
    let is_of_truth = |world: &Worldview| {
        sentences(&world.truth, &names).iter().any(|(words, is_about)| *is_about && names_event(words))
            && is_closed(story, document, None, world.truth_until.as_deref())
    };
    story.characters.iter().any(is_kept_by) || story.worldview.as_ref().is_some_and(is_of_truth)
}

/// The names of a card, in comparable form.
struct CardNames {
    names: Vec<String>,
}

impl CardNames {
    /// Returns the names of the character with the name or id, with the parts of a full name.
    fn of(story: &Story, name: &str) -> Self {
        let folded = fold(name);
        let is_it = |card: &&Character| {
            card.id.trim() == name.trim()
                || std::iter::once(&card.name).chain(&card.alias).any(|own| fold(own) == folded)
        };
        let card = story.characters.iter().find(is_it);
        let known = card.into_iter().flat_map(|card| {
            let own = std::iter::once(&card.name).chain(&card.alias).map(String::as_str);
            own.chain(parts(&card.name))
        });
        Self::from_names(known.chain([name]))
    }

    fn from_names<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        Self { names: names.map(fold).filter(|name| name.chars().count() > 1).collect() }
    }

    fn is_of(&self, card: &Character) -> bool {
        self.names.contains(&fold(&card.name))
    }

    /// Returns whether a text in comparable form has one of the names.
    fn are_in(&self, text: &str) -> bool {
        self.names.iter().any(|name| has_words(text, name))
    }
}

/// Returns the names of the other people of an event and of the things that its plan names.
fn names_of_event(story: &Story, event: &TimelineEvent, but: &CardNames) -> Vec<CardNames> {
    let plan = fold(&format!("{}\n{}", event.title, event.description));
    let people = event.participants.iter().chain(&event.deaths).map(|name| CardNames::of(story, name));
    let things = story.items().iter();
    let things =
        things.map(|item| CardNames::from_names(std::iter::once(&item.name).chain(&item.alias).map(String::as_str)));
    let things = things.filter(|thing| thing.are_in(&plan));
    people.filter(|other| other.names.iter().all(|name| !but.names.contains(name))).chain(things).collect()
}

/// Returns the sentences of a secret in comparable form, each with whether it is about the person.
fn sentences(secret: &str, person: &CardNames) -> Vec<(String, bool)> {
    let folded = fold(secret);
    let mut found: Vec<(String, bool)> = Vec::new();
    for words in folded.split(SENTENCE_ENDS).flat_map(|part| part.split(". ")) {
        let words = words.trim();
        let goes_on = PRONOUNS.iter().any(|pronoun| words.starts_with(pronoun));
        let is_about = person.are_in(words) || goes_on && found.last().is_some_and(|(_, is_about)| *is_about);
        found.push((words.to_owned(), is_about));
    }
    found
}

/// Returns whether readers do not know the secret of a character, or without one the truth of the book, when they have read the
/// chapter: no text up to it tells the secret, and its chapter comes later, if it has one.
fn is_closed(story: &Story, document: &Document, of: Option<&Character>, until: Option<&str>) -> bool {
    let is_it = |name: &str| match of {
        Some(card) => !name.is_empty() && [card.id.trim(), card.name.trim()].contains(&name),
        None => name.is_empty(),
    };
    let mut so_far = story.documents.iter().filter(|other| other.order > 0 && other.order <= document.order);
    if so_far.any(|other| other.reveals().any(|told| is_it(told.of.trim()))) {
        return false;
    }
    let Some(until) = until.map(str::trim).filter(|until| !until.is_empty()) else { return true };
    let node = |name: &str| story.outline_nodes.iter().find(|node| is_named(node, name));
    let (Some(until), Some(own)) = (node(until), document.outline_node.as_deref().and_then(node)) else { return true };
    // A scene is part of its chapter.
    let is_scene_of_own = until.parent.as_deref().is_some_and(|parent| is_named(own, parent));
    until.order > own.order && !is_scene_of_own
}

fn is_named(node: &OutlineNode, name: &str) -> bool {
    node.id.trim() == name.trim() || fold(&node.name) == fold(name)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::Story;
    use crate::settlement::{as_told, open_contradictions, open_differences, told_events};

    /// A first chapter that leaves out the planned attacker, whose card and world are given, and a second chapter without a
    /// text.
    fn story([hero, attacker]: [&str; 2], text: &str, secret: &Value, world: &Value) -> Story {
        let mut card = json!({"id": "c-2", "name": attacker});
        card.as_object_mut().unwrap().extend(secret.as_object().unwrap().clone());
        serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": hero}, card],
            "worldview": world,
            "outline_nodes": [{"id": "o-1", "name": "1", "order": 1}, {"id": "o-2", "name": "2", "order": 2}],
            "timeline_events": [
                {"id": "e-1", "title": "x", "participants": [hero, attacker], "outline_node": "o-1"}
            ],
            "documents": [
                {"id": "d-1", "title": "1", "order": 1, "outline_node": "o-1", "text": text, "settled": {"differs": [
                    {"event": "e-1", "field": "participants", "told": attacker, "quote": text}
                ]}},
                {"id": "d-2", "title": "2", "order": 2, "outline_node": "o-2", "text": ""}
            ]
        }))
        .unwrap()
    }

    #[test]
    fn a_text_that_leaves_out_somebody_to_keep_a_secret_is_no_contradiction() {
        let zh = (["沈砚秋", "乔仲平"], "有个人迎面撞来，沈砚秋手上一凉。");
        let en = (["Ines Calloway", "Ruth Vandermeer"], "Somebody ran into Ines in the dark.");
        let secret = |words: &str, until: &str| json!({"secret": words, "secret_until": until});
        let truth = |words: &str, until: &str| json!({"truth": words, "truth_until": until});
        let none = json!({});
        for ((people, text), secret, world, is_asked) in [
            (zh, secret("黑过道里划伤沈砚秋的也是他", "o-2"), none.clone(), false),
            (zh, none.clone(), truth("乔仲平欠了债。他在过道里划伤了沈砚秋。", "o-2"), false),
            (en, secret("It was she who cut Ines in the dark.", "2"), none.clone(), false),
            (en, none.clone(), truth("Ruth Vandermeer is in debt. She cut Ines in the dark.", "o-2"), false),
            // The secret may come out in this chapter, or is about something else.
            (zh, secret("黑过道里划伤沈砚秋的也是他", "o-1"), none.clone(), true),
            (en, secret("It was she who cut Ines in the dark.", "o-1"), none.clone(), true),
            (zh, secret("他在老家有妻儿", "o-2"), none.clone(), true),
            (en, secret("She has a child at home.", "o-2"), none.clone(), true),
            (zh, none.clone(), truth("乔仲平欠了债。沈砚秋是他的债主的儿子。", "o-1"), true),
            (en, none.clone(), truth("Ruth Vandermeer is in debt. Ines is ill.", "o-2"), true),
            (zh, none.clone(), none.clone(), true),
        ] {
            let story = story(people, text, &secret, &world);
            assert_eq!(!open_contradictions(&story).is_empty(), is_asked, "{secret} {world}");
            assert_eq!(as_told(&story).timeline_events[0].participants.len(), if is_asked { 1 } else { 2 });
            assert_eq!(open_differences(&story).len(), 1);
            assert_eq!(told_events(&story)[0].participants, people[..1], "the text does not tell it");
        }
    }

    #[test]
    fn a_secret_that_a_text_has_told_hides_nobody() {
        let secret = json!({"secret": "划伤沈砚秋的也是他"});
        let mut story = story(["沈砚秋", "乔仲平"], "有个人迎面撞来，沈砚秋手上一凉。", &secret, &json!({}));
        assert!(open_contradictions(&story).is_empty());
        let record = story.documents[0].settled.as_mut().unwrap();
        record.revealed = serde_json::from_value(json!([{"of": "c-2", "quote": "有个人迎面撞来"}])).unwrap();
        assert_eq!(open_contradictions(&story).len(), 1);
    }
}
