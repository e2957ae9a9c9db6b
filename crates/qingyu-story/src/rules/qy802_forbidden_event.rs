//! QY802: an event forbidden by a rule of the world.

use super::clauses::readings;
use super::qy801_forbidden_fact::breach;
use super::told::leave_out;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::truth::StatementBasis;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy802_forbidden_event.toml");
    Rule::new("QY802", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for reading in readings(truth, |rule| rule.forbids.as_ref()) {
        for statement in reading.met(truth) {
            let StatementBasis::Event(position, field) = statement.basis else { continue };
            let event = &truth.story.timeline_events[position];
            let is_meant = |name: &&String| truth.registry.known(name) == Some(statement.subject);
            let list = if field == "deaths" { &event.deaths } else { &event.participants };
            let names: Vec<&String> = list.iter().filter(is_meant).collect();
            let remove = if field == "deaths" { "remove_deaths" } else { "remove_participants" };
            let draft = breach(truth, &reading, statement).say("event", event.title.trim()).affects(event.title.trim());
            drafts.push(leave_out(draft, material, event, remove, &names));
        }
    }
    drafts
}
