//! QY310: an event longer than the surrounding dates allow.

use serde_json::json;

use super::chains::{ContradictionChain, ContradictionKind, chains};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::handle;
use crate::piece::PieceKind;
use crate::time::chronology::{BoundOrigin, BoundSource};
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy310_duration_does_not_fit.toml");
    Rule::new("QY310", (Severity::Low, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let draft =
        |chain: ContradictionChain<'_, '_>| chain.first(BoundOrigin::Duration).map(|lasts| draft(&chain, lasts));
    chains(material, ContradictionKind::Duration).filter_map(draft).collect()
}

fn draft(chain: &ContradictionChain<'_, '_>, lasts: &BoundSource<'_>) -> FindingDraft {
    let event = chain.event(lasts.position);
    let later = chain.event(chain.said[0].position);
    let parameters = target(event, json!({ "duration": "" }));
    let draft = chain
        .draft()
        .again_about([handle(event), handle(later)])
        .say("event", event.title.trim())
        .say("later", later.title.trim())
        .say("duration", lasts.words)
        .fix("shorten", Action::Update, PieceKind::Event, parameters);
    // The author may have meant an event during the other: which of the two it is, only the author can tell.
    let follows = chain.said.iter().find(|said| said.how == BoundOrigin::After && said.other == Some(lasts.position));
    follows.into_iter().fold(draft, |draft, said| chain.cut(draft, said))
}
