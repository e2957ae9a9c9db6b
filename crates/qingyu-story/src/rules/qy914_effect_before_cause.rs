//! QY914: a plot node before its cause.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Mode, PlotNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy914_effect_before_cause.toml");
    Rule::new("QY914", (Severity::Medium, Category::Rationality, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    for effect in &material.story.plot_nodes {
        for name in &effect.causes {
            let Some(named) = material.names.resolve(PieceKind::PlotNode, name) else { continue };
            let cause = &material.story.plot_nodes[named.position];
            let (effects, causes) = (events(material, effect), events(material, cause));
            let is_before = |first: &usize, second: &usize| {
                let timeline = &material.truth().timeline;
                timeline.is_before(timeline.of_event(*first), timeline.of_event(*second))
            };
            let all_before = !effects.is_empty()
                && !causes.is_empty()
                && effects.iter().all(|first| causes.iter().all(|second| is_before(first, second)));
            if all_before {
                drafts.push(draft(material, (effect, cause), name, (effects[0], causes[0])));
            }
        }
    }
    drafts
}

/// Returns the narrated events of a plot node; empty if an event is not narrated.
fn events(material: &RuleMaterial<'_>, node: &PlotNode) -> Vec<usize> {
    let found = node.events.iter().map(|name| {
        let position = material.names.resolve(PieceKind::Event, name)?.position;
        (material.story.timeline_events[position].mode == Mode::Narrated).then_some(position)
    });
    found.collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn draft(
    material: &RuleMaterial<'_>,
    (effect, cause): (&PlotNode, &PlotNode),
    name: &str,
    shown: (usize, usize),
) -> FindingDraft {
    let title = |event: usize| material.story.timeline_events[event].title.trim();
    FindingDraft::about([handle(effect), handle(cause)])
        .say("effect", effect.title.trim())
        .say("cause", cause.title.trim())
        .say("first", title(shown.0))
        .say("second", title(shown.1))
        .affects(effect.title.trim())
        .affects(cause.title.trim())
        .quote(anchor(PieceKind::PlotNode, effect, "causes"), effect.causes.join(", "))
        .quote(anchor(PieceKind::PlotNode, effect, "events"), effect.events.join(", "))
        .quote(anchor(PieceKind::PlotNode, cause, "events"), cause.events.join(", "))
        .fix("cut", Action::Update, PieceKind::PlotNode, target(effect, json!({ "remove_causes": [name] })))
}
