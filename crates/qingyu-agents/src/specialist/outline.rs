//! The outline agent.

use qingyu_story::{Agent, Story};

use super::{Expected, Made, Specialist, absorb, bad_names};
use crate::output::OutlineWork;

/// Makes the outline.
#[derive(Debug)]
pub struct Outline;

impl Specialist for Outline {
    type Output = OutlineWork;

    const AGENT: Agent = Agent::Outline;

    fn problems(output: &OutlineWork, expected: Expected<'_>) -> Vec<String> {
        let nodes = &output.outline_nodes;
        let mut problems =
            bad_names(("大纲节点", "outline node"), nodes.iter().map(|node| node.name.as_str()), expected);
        if expected.whole() && nodes.is_empty() {
            problems.push(expected.words("outline_nodes 不能为空", "outline_nodes must not be empty"));
        }
        // A node here and there without a description is a weak draft, and a finding; an outline without any is none.
        if expected.whole() && !nodes.is_empty() && nodes.iter().all(|node| node.description.trim().is_empty()) {
            problems.push(expected.words("大纲节点要有 description", "outline nodes need a description"));
        }
        problems
    }

    fn made(output: OutlineWork) -> Made {
        let story = Story { outline_nodes: output.outline_nodes, ..Story::default() };
        Made { story, title: output.title, summary: output.outline_summary, reasoning: output.reasoning }
    }

    fn add(story: &mut Story, made: Story) {
        absorb(&mut story.outline_nodes, made.outline_nodes, |node| node.name.clone());
        // Sorting is stable: nodes without an order of their own keep their place.
        story.outline_nodes.sort_by_key(|node| node.order);
        for (order, node) in (1..).zip(&mut story.outline_nodes) {
            node.order = order;
        }
    }
}
