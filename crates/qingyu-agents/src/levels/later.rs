//! Changes of later plans that the written text contradicts: proposed node by node, applied only by a person's decision.

use qingyu_story::settlement::digest;
use qingyu_story::{Story, says_something};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::material::{LATER_FIELDS, text_of, with_text};
use crate::context::LaterContext;
use crate::output::LaterPlans;

/// A proposed change of one field of an outline node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaterProposal {
    /// Id of the outline node.
    pub node: String,
    /// Name of the outline node.
    pub name: String,
    /// The field.
    pub field: String,
    /// What stands there.
    pub before: String,
    /// What is to stand there.
    pub after: String,
    /// What in the written text makes the present plan impossible.
    pub reason: String,
}

/// Returns the usable changes of an answer: of nodes that were shown and are not locked, with a reason, one for each
/// field.
pub fn proposals(story: &Story, shown: &LaterContext, answer: &LaterPlans) -> Vec<LaterProposal> {
    let mut proposals: Vec<LaterProposal> = Vec::new();
    for change in &answer.changes {
        let (id, field) = (change.node.trim(), change.field.trim());
        let is_shown = shown.plans.iter().any(|plan| plan.id == id) && LATER_FIELDS.contains(&field);
        let node = story.outline_nodes.iter().find(|node| node.id == id && !node.locked);
        let Some(node) = node.filter(|_| is_shown) else { continue };
        let (before, after) = (text_of(node, field), change.text.trim());
        let is_new = !proposals.iter().any(|known| known.node == id && known.field == field);
        if is_new && after != before && says_something(after) && says_something(&change.reason) {
            proposals.push(LaterProposal {
                node: id.to_owned(),
                name: node.name.clone(),
                field: field.to_owned(),
                before: before.to_owned(),
                after: after.to_owned(),
                reason: change.reason.trim().to_owned(),
            });
        }
    }
    proposals
}

impl LaterProposal {
    /// Returns a stable id of the proposal.
    pub fn id(&self) -> String {
        let known = digest(&format!("{} {} {}", self.node, self.field, self.after));
        format!("q-plan-{}", &known[..8])
    }

    /// Returns the story with the change; `None` if the field has changed since, or the node is locked or gone.
    pub fn apply(&self, story: &Story) -> Option<Story> {
        let at = story.outline_nodes.iter().position(|node| node.id == self.node && !node.locked)?;
        let node = &story.outline_nodes[at];
        if text_of(node, &self.field) != self.before {
            return None;
        }
        let changed = with_text(node, &self.field, &self.after)?;
        let mut after = story.clone();
        after.outline_nodes[at] = changed;
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use qingyu_story::OutlineNode;

    use super::*;
    use crate::context::LaterNode;
    use crate::output::LaterChange;

    #[test]
    fn only_what_was_shown_and_is_not_locked_is_proposed() {
        let node = |id: &str, locked| OutlineNode {
            id: id.into(),
            name: id.into(),
            goal: "老周交出账本".into(),
            locked,
            ..OutlineNode::default()
        };
        let story = Story { outline_nodes: vec![node("o-1", false), node("o-2", true)], ..Story::default() };
        let shown = |id: &str| LaterNode { id: id.into(), ..LaterNode::default() };
        let context = LaterContext { plans: vec![shown("o-1"), shown("o-2")], ..LaterContext::default() };
        let change = |node: &str, field: &str, text: &str| LaterChange {
            node: node.into(),
            field: field.into(),
            text: text.into(),
            reason: "老周死在第四章".into(),
        };
        let answer = LaterPlans {
            changes: vec![
                change("o-1", "goal", "老周的女儿交出账本"),
                change("o-1", "goal", "再改一次"),
                change("o-1", "name", "不能改名"),
                change("o-2", "goal", "锁住的不动"),
                change("o-9", "goal", "没有这个条目"),
            ],
            ..LaterPlans::default()
        };
        let found = proposals(&story, &context, &answer);
        assert_eq!(found.len(), 1);
        let after = found[0].apply(&story).unwrap();
        assert_eq!(after.outline_nodes[0].goal, "老周的女儿交出账本");
        assert_eq!(after.outline_nodes[1], story.outline_nodes[1]);
        assert_eq!(found[0].apply(&after), None, "it has been changed since");
    }
}
