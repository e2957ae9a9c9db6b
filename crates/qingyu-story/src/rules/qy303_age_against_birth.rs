//! QY303: the age on the card contradicts the birth.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::time::Moment;
use crate::{Action, Category, Character, Severity, time};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy303_age_against_birth.toml");
    Rule::new("QY303", (Severity::Medium, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    material.story.characters.iter().filter_map(|card| draft(material, card)).collect()
}

fn draft(material: &RuleMaterial<'_>, card: &Character) -> Option<FindingDraft> {
    let (age, birth) = (i64::from(card.age?), card.birth.as_deref()?);
    let born = time::parse(birth).moment()?;
    let beginning = beginning(material, &born)?;
    let (least, greatest) = born.age_at(&beginning)?;
    if (least..=greatest).contains(&age) || greatest < 0 {
        return None;
    }
    let era = material.story.worldview.as_ref().map(|world| world.era.trim()).filter(|era| !era.is_empty());
    let draft = FindingDraft::about([handle(card)])
        .say("name", card.name.trim())
        .say("age", age.to_string())
        .say("birth", birth.trim())
        .say("least", least.max(0).to_string())
        .say("greatest", greatest.to_string())
        .affects(card.name.trim())
        .quote(anchor(PieceKind::Character, card, "age"), age.to_string())
        .quote(anchor(PieceKind::Character, card, "birth"), birth.trim())
        .quotes(era.map(|era| ("worldview/era".to_owned(), era.to_owned())));
    Some(draft.fix("recount", Action::Update, PieceKind::Character, target(card, json!({ "age": greatest }))))
}

/// Returns the beginning of the story on the calendar of `born`: the hull of the world's era and the first narrated
/// event, since either may be meant. An event of no chapter is before the book, unless no event has one.
fn beginning(material: &RuleMaterial<'_>, born: &Moment) -> Option<Moment> {
    let era = material.story.worldview.as_ref().and_then(|world| time::parse(&world.era).moment());
    let chronology = material.chronology();
    let is_planned = material.narrated().any(|(_, event)| event.has_chapter());
    let of_book = material.narrated().filter(|(_, event)| !is_planned || event.has_chapter());
    let starts = of_book.filter_map(|(position, _)| chronology.event(position));
    let known = starts.filter_map(|event| chronology.moment_like(event.start, born));
    let first = known.reduce(|first, time| if time.begins_before(&first) { time } else { first });
    match (era.filter(|era| era.is_comparable(born)), first) {
        (Some(era), Some(first)) => era.hull(&first),
        (era, first) => era.or(first),
    }
}
