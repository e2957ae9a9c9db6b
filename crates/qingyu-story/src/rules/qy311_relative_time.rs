//! QY311: a relative time contradicting the dates.

use super::chains::{ContradictionChain, ContradictionKind, chains};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::handle;
use crate::time::chronology::{BoundOrigin, BoundSource};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy311_relative_time.toml");
    Rule::new("QY311", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let draft = |chain: ContradictionChain<'_, '_>| chain.first(BoundOrigin::Relative).map(|told| draft(&chain, told));
    chains(material, ContradictionKind::Relative).filter_map(draft).collect()
}

fn draft(chain: &ContradictionChain<'_, '_>, told: &BoundSource<'_>) -> FindingDraft {
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
