//! A planner's plan becomes one that can run, or says what is wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::notice::Notice;
use crate::plan::{AGENTS, ExecutionPlan, MAX_STEPS, REVIEW_AGENT, Step, TOOLS, schedule};

/// What is wrong with a plan, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Problem {
    /// There is nothing to do.
    #[error("the plan has no step that makes anything")]
    Empty,
    /// There is too much to do.
    #[error("the plan has {count} steps, at most {max} are allowed")]
    TooManySteps {
        /// How many there are.
        count: usize,
        /// How many there may be.
        max: usize,
    },
    /// Nobody can do it.
    #[error("step {step} names the agent {agent:?}, which does not exist")]
    UnknownAgent {
        /// The step.
        step: u32,
        /// Whom it names.
        agent: String,
    },
    /// Two steps are called the same.
    #[error("the number {step} is given to several steps")]
    DuplicateStep {
        /// The number.
        step: u32,
    },
    /// A step waits for nothing that exists.
    #[error("step {step} depends on step {dependency}, which does not exist")]
    UnknownDependency {
        /// The step.
        step: u32,
        /// What it names.
        dependency: u32,
    },
    /// Steps wait for each other.
    #[error("the steps {} wait for each other", join(steps))]
    Cycle {
        /// Each waits for the next, the last for the first.
        steps: Vec<u32>,
    },
    /// There is more than one review.
    #[error("the steps {} are all reviews, one is allowed", join(steps))]
    SeveralReviews {
        /// The reviews.
        steps: Vec<u32>,
    },
    /// Something waits for the review.
    #[error("step {step} depends on the review, which comes last")]
    AfterReview {
        /// The step.
        step: u32,
    },
}

fn join(steps: &[u32]) -> String {
    steps.iter().map(u32::to_string).collect::<Vec<_>>().join(" -> ")
}

/// A plan that can run.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The plan, completed.
    pub plan: ExecutionPlan,
    /// What was mended in it.
    pub notices: Vec<Notice>,
}

/// Checks `plan` and completes it: the review last and after all, steps of one agent one after the other, groups,
/// longest chain and sums computed. Fails with everything that is wrong.
pub fn check(mut plan: ExecutionPlan) -> Result<Checked, Vec<Problem>> {
    if plan.steps.len() > MAX_STEPS {
        return Err(vec![Problem::TooManySteps { count: plan.steps.len(), max: MAX_STEPS }]);
    }
    let mut notices = Vec::new();
    for step in &mut plan.steps {
        normalise(step, &mut notices);
    }
    let mut problems = problems(&plan.steps);
    problems.dedup();
    if !problems.is_empty() {
        return Err(problems);
    }
    place_review(&mut plan.steps, &mut notices);
    let order = schedule::order(&plan.steps).map_err(|steps| vec![Problem::Cycle { steps }])?;
    queue_steps_of_one_agent(&mut plan.steps, &order);
    complete(&mut plan).map_err(|steps| vec![Problem::Cycle { steps }])?;
    Ok(Checked { plan, notices })
}

/// Computes what follows from the steps: estimates where there are none, sum, groups, longest chain.
pub(crate) fn complete(plan: &mut ExecutionPlan) -> Result<(), Vec<u32>> {
    let order = schedule::order(&plan.steps)?;
    for step in &mut plan.steps {
        if step.estimated_tokens == 0 {
            step.estimated_tokens = usual_tokens(&step.agent);
        }
    }
    plan.total_estimated_tokens = plan.steps.iter().map(|step| step.estimated_tokens).sum();
    plan.parallelizable_steps = schedule::groups(&plan.steps, &order);
    plan.critical_path = schedule::critical_path(&plan.steps, &order);
    Ok(())
}

/// What a step of `agent` usually costs, prompt and answer.
fn usual_tokens(agent: &str) -> u64 {
    match agent {
        "outline_agent" => 4_000,
        "character_agent" | "plot_agent" => 3_000,
        _ => 2_000,
    }
}

fn normalise(step: &mut Step, notices: &mut Vec<Notice>) {
    step.agent = step.agent.trim().into();
    if step.agent == "review_agent_v2" {
        step.agent = REVIEW_AGENT.into();
    }
    step.dependencies.sort_unstable();
    step.dependencies.dedup();
    let (known, unknown) =
        std::mem::take(&mut step.required_tools).into_iter().partition(|tool| TOOLS.contains(&tool.as_str()));
    step.required_tools = known;
    notices.extend(unknown.into_iter().map(|tool| Notice::UnknownTool { step: step.step_id, tool }));
}

fn problems(steps: &[Step]) -> Vec<Problem> {
    let mut problems = Vec::new();
    if steps.iter().all(Step::is_review) {
        problems.push(Problem::Empty);
    }
    let mut seen = BTreeMap::<u32, usize>::new();
    for step in steps {
        *seen.entry(step.step_id).or_default() += 1;
    }
    problems
        .extend(seen.iter().filter(|(_, count)| **count > 1).map(|(step, _)| Problem::DuplicateStep { step: *step }));
    let reviews = steps.iter().filter(|step| step.is_review()).map(|step| step.step_id).collect::<Vec<_>>();
    for step in steps {
        if !AGENTS.contains(&step.agent.as_str()) {
            problems.push(Problem::UnknownAgent { step: step.step_id, agent: step.agent.clone() });
        }
        for dependency in step.dependencies.iter().filter(|dependency| !seen.contains_key(dependency)) {
            problems.push(Problem::UnknownDependency { step: step.step_id, dependency: *dependency });
        }
        if !step.is_review() && step.dependencies.iter().any(|dependency| reviews.contains(dependency)) {
            problems.push(Problem::AfterReview { step: step.step_id });
        }
    }
    if reviews.len() > 1 {
        problems.push(Problem::SeveralReviews { steps: reviews });
    }
    problems
}

/// Puts the review behind all other steps, adding it if the planner forgot it.
fn place_review(steps: &mut Vec<Step>, notices: &mut Vec<Notice>) {
    let others = steps.iter().filter(|step| !step.is_review()).map(|step| step.step_id).collect::<BTreeSet<_>>();
    let review = match steps.iter().position(Step::is_review) {
        Some(position) => steps.remove(position),
        None => {
            let step_id = others.last().map_or(1, |last| last + 1);
            notices.push(Notice::ReviewAdded { step: step_id });
            Step { step_id, agent: REVIEW_AGENT.into(), ..Step::default() }
        }
    };
    steps.push(Step { dependencies: others.into_iter().collect(), ..review });
}

fn queue_steps_of_one_agent(steps: &mut [Step], order: &[u32]) {
    let mut last = BTreeMap::<String, u32>::new();
    for id in order {
        let Some(step) = steps.iter_mut().find(|step| step.step_id == *id) else { continue };
        if let Some(before) = last.insert(step.agent.clone(), *id)
            && !step.dependencies.contains(&before)
        {
            step.dependencies.push(before);
            step.dependencies.sort_unstable();
        }
    }
}
