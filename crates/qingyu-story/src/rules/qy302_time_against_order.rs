//! QY302: an event has an earlier time than its predecessor.

use super::chains::{ContradictionChain, ContradictionKind, chains};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::handle;
use crate::time::chronology::{BoundOrigin, BoundSource};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy302_time_against_order.toml");
    Rule::new("QY302", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    chains(material, ContradictionKind::Order)
        .filter_map(|chain| chain.first(BoundOrigin::After).map(|after| draft(&chain, after)))
        .collect()
}

fn draft(chain: &ContradictionChain<'_, '_>, after: &BoundSource<'_>) -> FindingDraft {
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
