//! QY309: a chain of orders, durations and relative times without any solution.

use super::chains::{ContradictionChain, ContradictionKind, chains};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::time::chronology::BoundOrigin;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy309_times_contradict.toml");
    Rule::new("QY309", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    chains(material, ContradictionKind::Several).map(|chain| draft(&chain)).collect()
}

fn draft(chain: &ContradictionChain<'_, '_>) -> FindingDraft {
    let doubted = &chain.said[0];
    let other = doubted.other.map(|other| chain.event(other).title.trim()).unwrap_or_default();
    let draft = chain.draft().say("event", chain.name(doubted)).say("other", other);
    match doubted.how {
        BoundOrigin::After => chain.cut(draft, doubted),
        BoundOrigin::Relative => chain.untell(draft, doubted),
        _ => draft,
    }
}
