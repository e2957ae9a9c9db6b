//! QY302: an event that comes after another has an earlier time.

use serde_json::json;

use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Action, Category, Mode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy302_time_against_order.toml");
    Rule::new("QY302", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (later, event) in material.narrated() {
        let Some(time) = &material.times[later] else { continue };
        for earlier in &material.after[later] {
            let other = &material.story.timeline_events[*earlier];
            let contradicts = material.times[*earlier].as_ref().is_some_and(|before| time.is_before(before));
            if !contradicts || other.mode != Mode::Narrated {
                continue;
            }
            let is_other = |name: &&String| {
                material.names.resolve(PieceKind::Event, name).is_some_and(|named| named.position == *earlier)
            };
            let cut: Vec<&String> = event.after.iter().filter(is_other).collect();
            let draft = Draft::about([handle(event), handle(other)])
                .say("event", event.title.trim())
                .say("other", other.title.trim())
                .say("time", event.timestamp.trim())
                .say("before", other.timestamp.trim())
                .affects(event.title.trim())
                .affects(other.title.trim())
                .quote(anchor(PieceKind::Event, event, "timestamp"), event.timestamp.trim())
                .quote(anchor(PieceKind::Event, event, "after"), event.after.join(", "))
                .quote(anchor(PieceKind::Event, other, "timestamp"), other.timestamp.trim());
            drafts.push(draft.fix(
                "cut",
                Action::Update,
                PieceKind::Event,
                target(event, json!({ "remove_after": cut })),
            ));
        }
    }
    drafts
}
