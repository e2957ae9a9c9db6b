//! Fixes of events and facts that a text of the book tells: the text is to be corrected, for data changed alone would
//! only hide what it still says.

use serde_json::json;

use super::material::target;
use super::mortality::{node_of, parent};
use super::{FindingDraft, RuleMaterial};
use crate::part::handle;
use crate::piece::PieceKind;
use crate::{Action, Document, Fact, TimelineEvent};

/// Returns the first text that tells an event: of the event's outline node, of the chapter above it, or of a scene below
/// it.
pub(super) fn teller<'s>(material: &RuleMaterial<'s>, event: &TimelineEvent) -> Option<&'s Document> {
    let story = material.story;
    let node = node_of(material, event.outline_node.as_deref()?)?;
    let is_group = |node: usize| story.outline_nodes[node].kind.is_group();
    let chapter = parent(material, node).filter(|above| !is_group(*above));
    let tells = |document: &&Document| {
        let name = document.outline_node.as_deref().filter(|_| document.order > 0);
        name.and_then(|name| node_of(material, name)).is_some_and(|own| {
            own == node || Some(own) == chapter || (!is_group(node) && parent(material, own) == Some(node))
        })
    };
    story.documents.iter().filter(tells).min_by_key(|document| (document.order, handle(*document)))
}

/// Appends the fix of an event with somebody who cannot be there: of a planned event, the `names` are removed from the
/// list `remove` of the rule's fix `leave_out`; of an event that a text tells, the text is to be corrected, by the rule's
/// fix `correct_text`.
pub(super) fn leave_out(
    draft: FindingDraft,
    material: &RuleMaterial<'_>,
    event: &TimelineEvent,
    remove: &str,
    names: &[&String],
) -> FindingDraft {
    match teller(material, event) {
        Some(text) => correct(draft, text),
        None => draft.fix("leave_out", Action::Update, PieceKind::Event, target(event, json!({ remove: names }))),
    }
}

/// Returns the chapter whose text states the fact.
pub(super) fn source<'s>(material: &RuleMaterial<'s>, fact: &Fact) -> Option<&'s Document> {
    let position = material.names.resolve(PieceKind::Document, &fact.source.as_ref()?.document)?.position;
    material.story.documents.get(position).filter(|document| document.order > 0)
}

/// Appends the task to correct a text.
pub(super) fn correct(draft: FindingDraft, text: &Document) -> FindingDraft {
    let title = text.title.trim();
    draft.affects(title).fix_text("correct_text", text, &[]).fix_says("text", title)
}
