//! The outline agent.

use qingyu_story::{Agent, Story};

use crate::output::OutlineWork;
use crate::specialist::work::{AnswerExpectation, Specialist, SpecialistWork, absorb, bad_names};

/// The specialist for the outline.
#[derive(Debug)]
pub(crate) struct OutlineSpecialist;

impl Specialist for OutlineSpecialist {
    type Output = OutlineWork;

    const AGENT: Agent = Agent::Outline;

    fn problems(output: &OutlineWork, expected: AnswerExpectation<'_>) -> Vec<String> {
        let nodes = &output.outline_nodes;
        let mut problems =
            bad_names(("大纲节点", "outline node"), nodes.iter().map(|node| node.name.as_str()), expected);
        if expected.whole() && nodes.is_empty() {
            problems.push(expected.words("outline_nodes 不能为空", "outline_nodes must not be empty"));
        }
        // A few nodes without a description are a weak draft, and a finding; an outline without any description is
        // invalid.
        if expected.whole() && !nodes.is_empty() && nodes.iter().all(|node| node.description.trim().is_empty()) {
            problems.push(expected.words("大纲节点要有 description", "outline nodes need a description"));
        }
        problems
    }

    fn made(output: OutlineWork) -> SpecialistWork {
        let story = Story { outline_nodes: output.outline_nodes, ..Story::default() };
        SpecialistWork { story, title: output.title, summary: output.outline_summary, reasoning: output.reasoning }
    }

    fn add(story: &mut Story, made: Story) {
        absorb(&mut story.outline_nodes, made.outline_nodes, |node| node.name.clone());
        // The sort is stable: nodes with equal order keep their position.
        story.outline_nodes.sort_by_key(|node| node.order);
        for (order, node) in (1..).zip(&mut story.outline_nodes) {
            node.order = order;
        }
    }
}
