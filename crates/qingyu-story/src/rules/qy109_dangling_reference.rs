//! QY109: an event, plot node or relation refers to a missing event or node.

use serde_json::{Value, json};

use super::material::{relation_target, target};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::names::fold;
use crate::part::PieceData;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy109_dangling_reference.toml");
    Rule::new("QY109", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = sources(material);
    // No reference of another piece targets a fact.
    if !material.is_part() {
        drafts.extend(references(material));
    }
    drafts
}

/// Returns drafts for the facts quoting a document not in the book.
fn sources(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let story = material.story;
    let mut drafts = Vec::new();
    let sources = story.facts.iter().filter_map(|fact| Some((fact, fact.source.as_ref()?)));
    for (fact, source) in sources.filter(|(fact, _)| !story.documents.is_empty() && !fact.id.trim().is_empty()) {
        if is_unknown(material, PieceKind::Document, &source.document) {
            let draft = draft(PieceKind::Fact, fact, &fact.sentence(story.language), "source", &source.document);
            let parameters = target(fact, json!({ "source": Value::Null }));
            drafts.push(draft.fix("drop", Action::Update, PieceKind::Fact, parameters));
        }
    }
    drafts
}

/// Returns drafts for dangling references of events, plot nodes, relations and promises.
fn references(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let story = material.story;
    let mut drafts = Vec::new();
    for event in &story.timeline_events {
        lists(material, PieceKind::Event, event, &[("after", PieceKind::Event, &event.after)], &mut drafts);
    }
    for node in &story.plot_nodes {
        let fields = [("events", PieceKind::Event, &node.events), ("causes", PieceKind::PlotNode, &node.causes)];
        lists(material, PieceKind::PlotNode, node, &fields, &mut drafts);
    }
    for relation in &story.character_relations {
        for (field, name) in [("since", &relation.since), ("until", &relation.until)] {
            let Some(name) = name.as_deref().filter(|name| is_unknown(material, PieceKind::OutlineNode, name)) else {
                continue;
            };
            let label = format!("{} > {}", relation.from.trim(), relation.to.trim());
            let draft = draft(PieceKind::Relation, relation, &label, field, name);
            let address = relation_target(relation, json!({ field: Value::Null }));
            drafts.push(draft.fix("drop", Action::Update, PieceKind::Relation, address));
        }
    }
    for promise in &story.promises {
        let due: Vec<String> = promise.due.iter().cloned().collect();
        let fields: [(&'static str, &Vec<String>); 4] =
            [("planted", &promise.planted), ("advanced", &promise.advanced), ("paid", &promise.paid), ("due", &due)];
        for (field, names) in fields {
            let unknown = names.iter().filter(|name| {
                is_unknown(material, PieceKind::OutlineNode, name) && is_unknown(material, PieceKind::Document, name)
            });
            for name in unknown {
                let change = if field == "due" {
                    json!({ "due": Value::Null })
                } else {
                    json!({ format!("remove_{field}"): [name] })
                };
                let draft = draft(PieceKind::Promise, promise, &promise.name, field, name);
                drafts.push(draft.fix("drop", Action::Update, PieceKind::Promise, target(promise, change)));
            }
        }
    }
    drafts
}

fn lists<P: PieceData>(
    material: &RuleMaterial<'_>,
    kind: PieceKind,
    part: &P,
    fields: &[(&'static str, PieceKind, &Vec<String>)],
    drafts: &mut Vec<FindingDraft>,
) {
    for (field, to, names) in fields {
        for name in names.iter().filter(|name| is_unknown(material, *to, name)) {
            let parameters = target(part, json!({ format!("remove_{field}"): [name] }));
            drafts.push(draft(kind, part, part.name(), field, name).fix("drop", Action::Update, kind, parameters));
        }
    }
}

fn is_unknown(material: &RuleMaterial<'_>, to: PieceKind, name: &str) -> bool {
    !name.trim().is_empty() && !material.names.knows(to, name)
}

fn draft<P: PieceData>(kind: PieceKind, part: &P, label: &str, field: &'static str, name: &str) -> FindingDraft {
    FindingDraft::about([kind.name().to_owned(), handle(part), field.to_owned(), fold(name)])
        .in_work_of(kind)
        .say("piece", label.trim())
        .say("name", name.trim())
        .say("field", field)
        .affects(label.trim())
        .quote(anchor(kind, part, field), name.trim())
}
