//! QY309: a chain of orders, durations and relative times that no dates can satisfy.

use super::chains::{Chain, Sort, chains};
use super::{Draft, Material, Rule};
use crate::time::chronology::How;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy309_times_contradict.toml");
    Rule::new("QY309", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chains(material, Sort::Several).map(|chain| draft(&chain)).collect()
}

fn draft(chain: &Chain<'_, '_>) -> Draft {
    let doubted = &chain.said[0];
    let other = doubted.other.map(|other| chain.event(other).title.trim()).unwrap_or_default();
    let draft = chain.draft().say("event", chain.name(doubted)).say("other", other);
    match doubted.how {
        How::After => chain.cut(draft, doubted),
        How::Relative => chain.untell(draft, doubted),
        _ => draft,
    }
}
