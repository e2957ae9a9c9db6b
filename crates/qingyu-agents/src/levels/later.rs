//! Changes of later plans that the written text contradicts: proposed node by node, applied only by a person's decision.

use qingyu_story::rules::dead_in_plan;
use qingyu_story::settlement::digest;
use qingyu_story::{Language, OutlineNode, Story, says_something};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fields::{self, PlanValue, entries};
use crate::context::LaterContext;
use crate::output::{LaterChange, LaterPlans};

/// Why an outline node is the author's own, to be changed only by a decision about this node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OwnPlan {
    /// The author wrote it by hand.
    ByHand,
    /// The author locked it.
    Locked,
}

/// A proposed change of one field of an outline node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaterProposal {
    /// Id of the outline node.
    pub node: String,
    /// Name of the outline node.
    pub name: String,
    /// The field.
    pub field: String,
    /// The name of the field, in the language of the book; empty in proposals of earlier releases.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub field_name: String,
    /// What stands there; of a list, a line for each entry.
    pub before: String,
    /// What is to stand there; of a list, a line for each entry.
    pub after: String,
    /// What in the written text makes the present plan impossible.
    pub reason: String,
    /// Set if the node is the author's own: approving everything at once leaves it as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<OwnPlan>,
}

/// Returns the usable changes of an answer: of nodes that were shown, with a reason, one for each field. Each dead participant
/// is proposed to leave a shown node, unless the answer changes its participants itself.
pub(crate) fn proposals(story: &Story, shown: &LaterContext, answer: &LaterPlans) -> Vec<LaterProposal> {
    let mut proposals: Vec<LaterProposal> = Vec::new();
    let changes = answer.changes.iter().filter(|change| says_something(&change.reason));
    for change in changes {
        let field = change.field.trim();
        let Some((node, value)) = changeable(story, shown, &change.node, field) else { continue };
        let (before, after) = (value.text(), requested_text(&value, change));
        let is_new = !proposals.iter().any(|known| known.node == node.id && known.field == field);
        let is_said = matches!(value, PlanValue::List(_)) || says_something(&after);
        if is_new && after != before && is_said {
            proposals.push(LaterProposal {
                node: node.id.clone(),
                name: node.name.clone(),
                field: field.to_owned(),
                field_name: fields::shown(field, story.language),
                before,
                after,
                reason: change.reason.trim().to_owned(),
                own: node.locked.then_some(OwnPlan::Locked),
            });
        }
    }
    let missing = without_the_dead(story, shown, &proposals);
    proposals.extend(missing);
    proposals
}

/// Returns the shown node with the value of the field; `None` for a field that cannot be changed.
fn changeable<'s>(
    story: &'s Story,
    shown: &LaterContext,
    id: &str,
    field: &str,
) -> Option<(&'s OutlineNode, PlanValue)> {
    let is_shown = shown.plans.iter().any(|plan| plan.id == id.trim());
    let node = story.outline_nodes.iter().find(|node| node.id == id.trim()).filter(|_| is_shown)?;
    Some((node, PlanValue::of(node, field)?))
}

/// Returns the wanted value as a text; entries of a list are also read from the lines of the text.
fn requested_text(value: &PlanValue, change: &LaterChange) -> String {
    match value {
        PlanValue::Text(_) => change.text.trim().to_owned(),
        PlanValue::List(_) if change.items.is_empty() => entries([change.text.as_str()]).join("\n"),
        PlanValue::List(_) => entries(change.items.iter().map(String::as_str)).join("\n"),
    }
}

/// Returns a change of the participants of each shown node for each of the dead that it still names, unless `known` has
/// one.
fn without_the_dead(story: &Story, shown: &LaterContext, known: &[LaterProposal]) -> Vec<LaterProposal> {
    const FIELD: &str = "participants";
    let mut proposals: Vec<LaterProposal> = Vec::new();
    for dead in dead_in_plan(story).into_iter().filter(|dead| dead.in_node) {
        let id = story.outline_nodes[dead.node].id.as_str();
        let Some((node, value)) = changeable(story, shown, id, FIELD) else { continue };
        if known.iter().any(|other| other.node == node.id && other.field == FIELD) {
            continue;
        }
        let chapter = story.documents[dead.death.document].title.trim();
        let (name, before) = (dead.name.trim(), value.text());
        let proposal = LaterProposal {
            node: node.id.clone(),
            name: node.name.clone(),
            field: FIELD.into(),
            field_name: fields::shown(FIELD, story.language),
            after: entries(before.lines().filter(|entry| entry.trim() != name)).join("\n"),
            before,
            reason: match shown.language {
                Language::Zh => format!("{name}已经死去（《{chapter}》）"),
                Language::En => format!("{name} is dead (“{chapter}”)"),
            },
            own: node.locked.then_some(OwnPlan::Locked),
        };
        if !proposals.contains(&proposal) {
            proposals.push(proposal);
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

    /// Returns the story with the change; `None` if the field has changed since, the node is gone, or it was locked after
    /// the proposal. A list may have changed, but for the entries that are to go.
    pub fn apply(&self, story: &Story) -> Option<Story> {
        let is_free = |node: &OutlineNode| !node.locked || self.own == Some(OwnPlan::Locked);
        let at = story.outline_nodes.iter().position(|node| node.id == self.node && is_free(node))?;
        let node = &story.outline_nodes[at];
        let value = PlanValue::of(node, &self.field)?;
        let wanted = match &value {
            PlanValue::Text(text) => (*text == self.before).then(|| self.after.clone()),
            PlanValue::List(now) => fields::changed_list(now, &self.before, &self.after),
        };
        let changed = value.put(node, &self.field, &wanted?)?;
        let mut after = story.clone();
        after.outline_nodes[at] = changed;
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Character, Document, Fact, Quotation};

    use super::*;
    use crate::context::LaterNode;

    fn node(id: &str, locked: bool) -> OutlineNode {
        OutlineNode {
            id: id.into(),
            order: 2,
            name: id.into(),
            goal: "老周交出账本".into(),
            turns: vec!["老周反水".into()],
            participants: vec!["老周".into(), "林青".into()],
            locked,
            ..OutlineNode::default()
        }
    }

    fn shown(ids: &[&str]) -> LaterContext {
        let plans = ids.iter().map(|id| LaterNode { id: (*id).into(), ..LaterNode::default() }).collect();
        LaterContext { plans, ..LaterContext::default() }
    }

    fn change(node: &str, field: &str, text: &str, items: &[&str]) -> LaterChange {
        LaterChange {
            node: node.into(),
            field: field.into(),
            text: text.into(),
            items: items.iter().map(|item| (*item).to_owned()).collect(),
            reason: "老周死在第四章".into(),
        }
    }

    #[test]
    fn only_what_was_shown_is_proposed_and_what_is_locked_is_marked() {
        let story = Story { outline_nodes: vec![node("o-1", false), node("o-2", true)], ..Story::default() };
        let answer = LaterPlans {
            changes: vec![
                change("o-1", "goal", "老周的女儿交出账本", &[]),
                change("o-1", "goal", "再改一次", &[]),
                change("o-1", "name", "不能改名", &[]),
                change("o-1", "words", "9", &[]),
                change("o-2", "goal", "锁住的由作者定", &[]),
                change("o-9", "goal", "没有这个条目", &[]),
            ],
            ..LaterPlans::default()
        };
        let found = proposals(&story, &shown(&["o-1", "o-2"]), &answer);
        assert_eq!(found.iter().map(|one| one.own).collect::<Vec<_>>(), [None, Some(OwnPlan::Locked)]);
        let after = found[0].apply(&story).unwrap();
        assert_eq!(after.outline_nodes[0].goal, "老周的女儿交出账本");
        assert_eq!(after.outline_nodes[1], story.outline_nodes[1]);
        let decided = found[1].apply(&story).unwrap();
        assert_eq!((decided.outline_nodes[1].goal.as_str(), decided.outline_nodes[1].locked), ("锁住的由作者定", true));
        // A lock that the author did not see in the question holds.
        let mut locked = story.clone();
        locked.outline_nodes[0].locked = true;
        assert_eq!(found[0].apply(&locked), None);
        assert_eq!(found[0].apply(&after), None, "it has been changed since");
    }

    #[test]
    fn every_field_of_the_table_can_be_changed() {
        let story = Story { outline_nodes: vec![node("o-1", false)], ..Story::default() };
        for field in super::super::fields::LATER_FIELDS {
            let value = PlanValue::of(&story.outline_nodes[0], field).unwrap_or_else(|| panic!("a node has {field}"));
            let (text, items): (&str, &[&str]) = match value {
                PlanValue::Text(_) => ("新的", &[]),
                PlanValue::List(_) => ("", &["新的", " 新的 ", "另一个", ""]),
            };
            let answer = LaterPlans { changes: vec![change("o-1", field, text, items)], ..LaterPlans::default() };
            let found = proposals(&story, &shown(&["o-1"]), &answer);
            let after = found[0].apply(&story).unwrap_or_else(|| panic!("{field} is changed")).outline_nodes.remove(0);
            let expected = if items.is_empty() { "新的" } else { "新的\n另一个" };
            assert_eq!(PlanValue::of(&after, field).unwrap().text(), expected, "{field}");
        }
        // A list may end empty; lines of a text are entries too.
        let answer =
            |text: &str| LaterPlans { changes: vec![change("o-1", "turns", text, &[])], ..LaterPlans::default() };
        let turns = |text: &str| {
            let found = proposals(&story, &shown(&["o-1"]), &answer(text));
            found[0].apply(&story).unwrap().outline_nodes[0].turns.clone()
        };
        assert_eq!((turns(""), turns("甲\n乙")), (Vec::new(), vec!["甲".to_owned(), "乙".to_owned()]));
    }

    #[test]
    fn the_dead_are_proposed_to_leave_a_plan_even_if_the_answer_forgets_them() {
        let source = Quotation { document: "d-1".into(), quote: "老周死了。".into(), ..Quotation::default() };
        let story = Story {
            characters: ["老周", "林青"].map(|name| Character { name: name.into(), ..Character::default() }).into(),
            outline_nodes: vec![
                OutlineNode { id: "o-0".into(), order: 1, name: "第一章".into(), ..OutlineNode::default() },
                node("o-1", false),
                node("o-2", true),
            ],
            documents: vec![Document {
                id: "d-1".into(),
                title: "第一章".into(),
                order: 1,
                outline_node: Some("o-0".into()),
                text: "老周死了。".into(),
                ..Document::default()
            }],
            facts: vec![Fact {
                subject: "老周".into(),
                predicate: "dies".into(),
                value: true.into(),
                source: Some(source),
                ..Fact::default()
            }],
            ..Story::default()
        };
        let found = proposals(&story, &shown(&["o-1", "o-2"]), &LaterPlans::default());
        let [proposal, locked] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((proposal.node.as_str(), proposal.after.as_str(), proposal.own), ("o-1", "林青", None));
        assert_eq!((locked.node.as_str(), locked.own), ("o-2", Some(OwnPlan::Locked)));
        assert_eq!(proposal.reason, "老周已经死去（《第一章》）");
        assert_eq!(proposal.field_name, "出场人物");
        let after = proposal.apply(&story).unwrap();
        assert_eq!(after.outline_nodes[1].participants, ["林青"]);
        assert!(proposals(&after, &shown(&["o-1"]), &LaterPlans::default()).is_empty());
        // The answer's own change of the participants counts.
        let answer = LaterPlans {
            changes: vec![change("o-1", "participants", "", &["林青", "阿九"])],
            ..LaterPlans::default()
        };
        let found = proposals(&story, &shown(&["o-1"]), &answer);
        assert_eq!((found.len(), found[0].after.as_str()), (1, "林青\n阿九"));
    }

    #[test]
    fn two_dead_people_are_two_questions() {
        let dies = |who: &str, quote: &str| Fact {
            subject: who.into(),
            predicate: "dies".into(),
            value: true.into(),
            source: Some(Quotation { document: "d-1".into(), quote: quote.into(), ..Quotation::default() }),
            ..Fact::default()
        };
        for (language, reasons, field) in [
            (Language::Zh, ["老周已经死去（《第一章》）", "林青已经死去（《第一章》）"], "出场人物"),
            (Language::En, ["老周 is dead (“第一章”)", "林青 is dead (“第一章”)"], "people"),
        ] {
            let story = Story {
                language,
                characters: ["老周", "林青"].map(|name| Character { name: name.into(), ..Character::default() }).into(),
                outline_nodes: vec![
                    OutlineNode { id: "o-0".into(), order: 1, name: "第一章".into(), ..OutlineNode::default() },
                    node("o-1", false),
                ],
                documents: vec![Document {
                    id: "d-1".into(),
                    title: "第一章".into(),
                    order: 1,
                    outline_node: Some("o-0".into()),
                    text: "老周死了。林青死了。".into(),
                    ..Document::default()
                }],
                facts: vec![dies("老周", "老周死了。"), dies("林青", "林青死了。")],
                ..Story::default()
            };
            let shown = LaterContext { language, ..shown(&["o-1"]) };
            let found = proposals(&story, &shown, &LaterPlans::default());
            let told: Vec<&str> = found.iter().map(|proposal| proposal.reason.as_str()).collect();
            assert_eq!(told, reasons);
            assert!(found.iter().all(|proposal| proposal.field_name == field), "{found:?}");
            assert_ne!(found[0].id(), found[1].id());
            let both = found[1].apply(&found[0].apply(&story).unwrap()).unwrap();
            assert!(both.outline_nodes[1].participants.is_empty());
            assert_eq!(found[0].apply(&story).unwrap().outline_nodes[1].participants, ["林青"], "one of them alone");
        }
    }
}
