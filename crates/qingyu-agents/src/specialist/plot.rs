//! The plot agent.

use qingyu_story::{Agent, Story};

use crate::output::PlotWork;
use crate::specialist::work::{AnswerExpectation, Specialist, SpecialistWork, absorb, bad_names};

/// The specialist for timeline and plot.
#[derive(Debug)]
pub(crate) struct PlotSpecialist;

impl Specialist for PlotSpecialist {
    type Output = PlotWork;

    const AGENT: Agent = Agent::Plot;

    fn problems(output: &PlotWork, expected: AnswerExpectation<'_>) -> Vec<String> {
        let events = output.timeline_events.iter().map(|event| event.title.as_str());
        let nodes = output.plot_nodes.iter().map(|node| node.title.as_str());
        let mut problems = bad_names(("事件", "event"), events, expected);
        problems.extend(bad_names(("情节节点", "plot node"), nodes, expected));
        if expected.whole() && output.timeline_events.is_empty() {
            problems.push(expected.words("timeline_events 不能为空", "timeline_events must not be empty"));
        }
        problems
    }

    fn made(output: PlotWork) -> SpecialistWork {
        let story =
            Story { timeline_events: output.timeline_events, plot_nodes: output.plot_nodes, ..Story::default() };
        SpecialistWork { story, title: String::new(), summary: output.plot_summary, reasoning: output.reasoning }
    }

    fn add(story: &mut Story, made: Story) {
        absorb(&mut story.timeline_events, made.timeline_events, |event| event.title.clone());
        absorb(&mut story.plot_nodes, made.plot_nodes, |node| node.title.clone());
    }
}
