//! QY302: an event that comes after another has an earlier time.

use super::chains::{Chain, Sort, chains};
use super::material::handle;
use super::{Draft, Material, Rule};
use crate::time::chronology::{How, Said};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy302_time_against_order.toml");
    Rule::new("QY302", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chains(material, Sort::Order).filter_map(|chain| chain.first(How::After).map(|after| draft(&chain, after))).collect()
}

fn draft(chain: &Chain<'_, '_>, after: &Said<'_>) -> Draft {
    let event = chain.event(after.position);
    let other = chain.event(after.other.unwrap_or(after.position));
    let draft = chain.draft().again_about([handle(event), handle(other)]);
    let draft = draft
        .say("event", event.title.trim())
        .say("other", other.title.trim())
        .say("time", event.timestamp.trim())
        .say("before", other.timestamp.trim());
    chain.cut(draft, after)
}
