//! QY310: an event lasts longer than the dates around it allow.

use serde_json::json;

use super::chains::{Chain, Sort, chains};
use super::material::{handle, target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::time::chronology::{How, Said};
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy310_duration_does_not_fit.toml");
    Rule::new("QY310", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let draft = |chain: Chain<'_, '_>| chain.first(How::Duration).map(|lasts| draft(&chain, lasts));
    chains(material, Sort::Duration).filter_map(draft).collect()
}

fn draft(chain: &Chain<'_, '_>, lasts: &Said<'_>) -> Draft {
    let event = chain.event(lasts.position);
    let later = chain.event(chain.said[0].position);
    let parameters = target(event, json!({ "duration": "" }));
    chain
        .draft()
        .again_about([handle(event), handle(later)])
        .say("event", event.title.trim())
        .say("later", later.title.trim())
        .say("duration", lasts.words)
        .fix("shorten", Action::Update, PieceKind::Event, parameters)
}
