//! Cost estimates of a plan before execution.
//!
//! Prompts are rendered and counted; the output of earlier steps is replaced by typical sizes. Accurate to about a
//! third; the real usage is counted afterwards.

use qingyu_llm::estimate::tokens;
use qingyu_story::{Agent, Language, Story};

use crate::Error;
use crate::context::{ReviewContext, WorkContext, WorkMode};
use crate::plan::{ExecutionPlan, Step};
use crate::prompts::{PromptName, Prompts, ReviewPrompt, WorkPrompt};

/// The expected tokens of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepEstimate {
    /// Name of the step's agent.
    pub agent: String,
    /// Tokens of the request.
    pub input: u64,
    /// Tokens of the response.
    pub output: u64,
}

/// Returns the estimates of the steps of `plan` for `requirement`, in the plan's order, without corrections.
///
/// Returns an error if a prompt cannot be rendered.
pub fn estimate(
    plan: &ExecutionPlan,
    requirement: &str,
    story: &Story,
    prompts: &Prompts,
) -> Result<Vec<StepEstimate>, Error> {
    let estimated = plan.steps.iter().map(|step| {
        let needed = plan.needed_by(step.step_id);
        let earlier = needed.iter().filter_map(|id| plan.step(*id)).map(usual_answer).sum::<u64>();
        Ok(StepEstimate {
            agent: step.agent.clone(),
            input: prompt(step, requirement, story, prompts)? + earlier,
            output: usual_answer(step),
        })
    });
    estimated.collect()
}

fn prompt(step: &Step, requirement: &str, story: &Story, prompts: &Prompts) -> Result<u64, Error> {
    let language: Language = story.language;
    let (system, user) = match step.specialist() {
        Some(agent) => {
            let work = WorkContext {
                requirement: requirement.into(),
                language,
                task: step.task_description.clone(),
                story: story.clone(),
                ..WorkContext::default()
            };
            let user = prompts.render(
                PromptName::work(agent, WorkMode::Generate),
                language,
                &WorkPrompt::new(agent, &work),
            )?;
            (prompts.render(PromptName::system(agent), language, &())?, user)
        }
        None => {
            let review = ReviewContext {
                requirement: requirement.into(),
                language,
                story: story.clone(),
                agents: Agent::ALL.to_vec(),
                ..ReviewContext::default()
            };
            let user = prompts.render(PromptName::REVIEW_GENERATE, language, &ReviewPrompt::new(&review))?;
            (prompts.render(PromptName::REVIEW_SYSTEM, language, &())?, user)
        }
    };
    Ok(tokens(&system) + tokens(&user))
}

/// Returns the typical response size of a step in tokens, for either language.
pub(crate) fn usual_answer(step: &Step) -> u64 {
    match step.specialist() {
        Some(Agent::Outline) => 3_000,
        Some(Agent::Character | Agent::Plot) => 2_500,
        Some(Agent::Worldview) => 1_500,
        Some(Agent::Style) => 600,
        None => 1_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixed_plan;

    #[test]
    fn later_steps_read_what_earlier_ones_write() {
        for language in [Language::Zh, Language::En] {
            let plan = fixed_plan(language).execution_plan;
            let story = Story { language, ..Story::default() };
            let short = estimate(&plan, "一个灯塔看守人", &story, &Prompts::builtin()).unwrap();
            let steps = short.iter().map(|step| step.agent.as_str()).collect::<Vec<_>>();
            assert_eq!(steps, ["outline_agent", "character_agent", "plot_agent", "review_agent"]);
            assert_eq!(short.iter().map(|step| step.output).sum::<u64>(), 3_000 + 2_500 + 2_500 + 1_000);
            assert!(short[3].input > short[0].input + 8_000, "the review reads all");
            let long = estimate(&plan, &"雨".repeat(1_000), &story, &Prompts::builtin()).unwrap();
            let input = |steps: &[StepEstimate]| steps.iter().map(|step| step.input).sum::<u64>();
            let more = input(&long) - input(&short);
            assert!((3_500..4_500).contains(&more), "{more}");
        }
    }
}
