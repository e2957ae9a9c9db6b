//! QY303: the age on the card contradicts the birth.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::time::{Moment, chronology};
use crate::{Action, Category, Character, Severity, time};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy303_age_against_birth.toml");
    Rule::new("QY303", (Severity::Medium, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut beginnings = BeginningsByCalendar { material, known: Vec::new() };
    material.story.characters.iter().filter_map(|card| draft(&mut beginnings, card)).collect()
}

fn draft(beginnings: &mut BeginningsByCalendar<'_, '_>, card: &Character) -> Option<FindingDraft> {
    let material = beginnings.material;
    let (age, birth) = (i64::from(card.age?), card.birth.as_deref()?);
    let born = time::parse(birth).moment()?;
    let beginning = beginnings.like(&born)?;
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

/// The beginning of the book on each calendar of the births.
struct BeginningsByCalendar<'m, 's> {
    material: &'m RuleMaterial<'s>,
    /// A birth on each calendar, with the beginning on it.
    known: Vec<(Moment, Option<Moment>)>,
}

impl BeginningsByCalendar<'_, '_> {
    /// Returns the beginning of the book on the calendar of `born`.
    fn like(&mut self, born: &Moment) -> Option<Moment> {
        if let Some((_, beginning)) = self.known.iter().find(|(known, _)| known.is_comparable(born)) {
            return beginning.clone();
        }
        let (story, network) = (self.material.story, self.material.chronology());
        let era = chronology::era_of(story).filter(|era| era.is_comparable(born));
        let time = |position: usize| network.moment_like(network.event(position)?.start, born);
        let begun = chronology::beginning(story, &self.material.names, era, time);
        let beginning = begun.map(|begun| begun.moment);
        self.known.push((born.clone(), beginning.clone()));
        beginning
    }
}
