//! The style agent.

use qingyu_story::{Agent, Story};

use crate::output::StyleWork;
use crate::specialist::work::{AnswerExpectation, Specialist, SpecialistWork};

/// The specialist for the style guide.
#[derive(Debug)]
pub(crate) struct StyleSpecialist;

impl Specialist for StyleSpecialist {
    type Output = StyleWork;

    const AGENT: Agent = Agent::Style;

    fn problems(output: &StyleWork, expected: AnswerExpectation<'_>) -> Vec<String> {
        let style = &output.style;
        if expected.whole() && style.guidelines.is_empty() && style.tone.trim().is_empty() {
            return vec![
                expected.words("style 里没有 tone，也没有 guidelines", "the style has neither tone nor guidelines"),
            ];
        }
        Vec::new()
    }

    fn made(output: StyleWork) -> SpecialistWork {
        let summary = output.style.tone.clone();
        SpecialistWork {
            story: Story { style: Some(output.style), ..Story::default() },
            title: String::new(),
            summary,
            reasoning: output.reasoning,
        }
    }

    fn add(story: &mut Story, made: Story) {
        if made.style.is_some() {
            story.style = made.style;
        }
    }
}
