//! QY311: a time told from another event contradicts the dates.

use super::chains::{Chain, Sort, chains};
use super::material::handle;
use super::{Draft, Material, Rule};
use crate::time::chronology::{How, Said};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy311_relative_time.toml");
    Rule::new("QY311", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let draft = |chain: Chain<'_, '_>| chain.first(How::Relative).map(|told| draft(&chain, told));
    chains(material, Sort::Relative).filter_map(draft).collect()
}

fn draft(chain: &Chain<'_, '_>, told: &Said<'_>) -> Draft {
    let event = chain.event(told.position);
    let other = chain.event(told.other.unwrap_or(told.position));
    let doubted = &chain.said[0];
    let draft = chain
        .draft()
        .again_about([handle(event), handle(other), chain.name(doubted)])
        .say("event", event.title.trim())
        .say("other", other.title.trim())
        .say("words", told.words);
    chain.untell(draft, told)
}
