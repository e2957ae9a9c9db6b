//! Validation and completion of a planner's plan.

use std::collections::{BTreeMap, BTreeSet};

use crate::notice::RunNotice;
use crate::plan::problem::PlanProblem;
use crate::plan::schedule;
use crate::plan::steps::{AGENTS, ExecutionPlan, MAX_STEPS, REVIEW_AGENT, Step, TOOLS};

/// Validates `plan` and completes it: the review last and after all other steps, steps of one agent in sequence;
/// parallel groups, critical path and sums computed. Returns the plan with notices about repairs, or all validation errors
/// together.
pub fn check(mut plan: ExecutionPlan) -> Result<(ExecutionPlan, Vec<RunNotice>), Vec<PlanProblem>> {
    if plan.steps.len() > MAX_STEPS {
        return Err(vec![PlanProblem::TooManySteps { count: plan.steps.len(), max: MAX_STEPS }]);
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
    let order = schedule::order(&plan.steps).map_err(|steps| vec![PlanProblem::Cycle { steps }])?;
    queue_steps_of_one_agent(&mut plan.steps, &order);
    complete(&mut plan).map_err(|steps| vec![PlanProblem::Cycle { steps }])?;
    Ok((plan, notices))
}

/// Computes derived values: missing estimates, their sum, parallel groups, critical path. Returns the steps of a cycle
/// as an error.
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

/// Returns the usual cost of a step of `agent` in tokens, prompt and answer.
fn usual_tokens(agent: &str) -> u64 {
    match agent {
        "outline_agent" => 4_000,
        "character_agent" | "plot_agent" => 3_000,
        _ => 2_000,
    }
}

fn normalise(step: &mut Step, notices: &mut Vec<RunNotice>) {
    step.agent = step.agent.trim().into();
    if step.agent == "review_agent_v2" {
        step.agent = REVIEW_AGENT.into();
    }
    step.dependencies.sort_unstable();
    step.dependencies.dedup();
    let (known, unknown) =
        std::mem::take(&mut step.required_tools).into_iter().partition(|tool| TOOLS.contains(&tool.as_str()));
    step.required_tools = known;
    notices.extend(unknown.into_iter().map(|tool| RunNotice::UnknownTool { step: step.step_id, tool }));
}

fn problems(steps: &[Step]) -> Vec<PlanProblem> {
    let mut problems = Vec::new();
    if steps.iter().all(Step::is_review) {
        problems.push(PlanProblem::Empty);
    }
    let mut seen = BTreeMap::<u32, usize>::new();
    for step in steps {
        *seen.entry(step.step_id).or_default() += 1;
    }
    problems.extend(
        seen.iter().filter(|(_, count)| **count > 1).map(|(step, _)| PlanProblem::DuplicateStep { step: *step }),
    );
    let reviews = steps.iter().filter(|step| step.is_review()).map(|step| step.step_id).collect::<Vec<_>>();
    for step in steps {
        if !AGENTS.contains(&step.agent.as_str()) {
            problems.push(PlanProblem::UnknownAgent { step: step.step_id, agent: step.agent.clone() });
        }
        for dependency in step.dependencies.iter().filter(|dependency| !seen.contains_key(dependency)) {
            problems.push(PlanProblem::UnknownDependency { step: step.step_id, dependency: *dependency });
        }
        if !step.is_review() && step.dependencies.iter().any(|dependency| reviews.contains(dependency)) {
            problems.push(PlanProblem::AfterReview { step: step.step_id });
        }
    }
    if reviews.len() > 1 {
        problems.push(PlanProblem::SeveralReviews { steps: reviews });
    }
    problems
}

/// Moves the review behind all other steps, and inserts a missing review.
fn place_review(steps: &mut Vec<Step>, notices: &mut Vec<RunNotice>) {
    let others = steps.iter().filter(|step| !step.is_review()).map(|step| step.step_id).collect::<BTreeSet<_>>();
    let review = match steps.iter().position(Step::is_review) {
        Some(position) => steps.remove(position),
        None => {
            let step_id = others.last().map_or(1, |last| last + 1);
            notices.push(RunNotice::ReviewAdded { step: step_id });
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
