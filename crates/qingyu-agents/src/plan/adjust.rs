//! Changes to a plan during its run.

use std::collections::BTreeSet;

use qingyu_story::{Agent, Story};

use crate::notice::RunNotice;
use crate::plan::check::complete;
use crate::plan::steps::{ExecutionPlan, Step};

/// Completed and failed steps of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Done {
    /// Ids of completed steps.
    pub(crate) completed: BTreeSet<u32>,
    /// Ids of failed steps.
    pub(crate) failed: BTreeSet<u32>,
}

impl Done {
    /// Returns the ids of all ended steps.
    pub(crate) fn ended(&self) -> BTreeSet<u32> {
        self.completed.union(&self.failed).copied().collect()
    }
}

/// An adjusted plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlanAdjustment {
    /// The plan.
    pub(crate) plan: ExecutionPlan,
    /// Changes, with reasons.
    pub(crate) reasons: Vec<RunNotice>,
}

/// Inserts missing prerequisites of waiting steps. Returns `None` for an unchanged plan.
///
/// A failed step stays in the plan, and so in the basis of the verdict; dependent steps continue without its work.
pub(crate) fn adjust(plan: &ExecutionPlan, story: &Story, done: &Done) -> Option<PlanAdjustment> {
    let mut adjusted = plan.clone();
    let reasons = insert_prerequisites(&mut adjusted, story, done);
    if reasons.is_empty() {
        return None;
    }
    complete(&mut adjusted).ok()?;
    Some(PlanAdjustment { plan: adjusted, reasons })
}

fn insert_prerequisites(plan: &mut ExecutionPlan, story: &Story, done: &Done) -> Vec<RunNotice> {
    let mut notices = Vec::new();
    let ended = done.ended();
    let waiting = plan.steps.iter().filter(|step| !ended.contains(&step.step_id)).cloned().collect::<Vec<_>>();
    for step in waiting {
        let mut inserted_before = Vec::new();
        for needed in prerequisites(&step) {
            if exists(*needed, story) {
                continue;
            }
            if let Some(maker) = maker(plan, *needed, &done.completed) {
                let waits = plan.needed_by(step.step_id).contains(&maker);
                if !waits && !done.failed.contains(&maker) && depend(plan, step.step_id, maker) {
                    notices.push(RunNotice::StepWaits { step: step.step_id, dependency: maker });
                }
                continue;
            }
            let step_id = plan.steps.iter().map(|step| step.step_id).max().unwrap_or(0) + 1;
            let inserted = Step {
                step_id,
                agent: needed.name().into(),
                task_description: step.task_description.clone(),
                dependencies: done.completed.iter().chain(&inserted_before).copied().collect(),
                ..Step::default()
            };
            notices.push(RunNotice::StepInserted {
                step: step_id,
                agent: inserted.agent.clone(),
                needed_by: step.step_id,
            });
            let position = plan.steps.iter().position(|other| other.step_id == step.step_id).unwrap_or(0);
            plan.steps.insert(position, inserted);
            inserted_before.push(step_id);
            depend(plan, step.step_id, step_id);
            if let Some(review) = plan.steps.iter().find(|step| step.is_review()).map(|review| review.step_id) {
                depend(plan, review, step_id);
            }
        }
    }
    notices
}

/// Returns the agents whose work the step requires.
fn prerequisites(step: &Step) -> &'static [Agent] {
    match step.specialist() {
        Some(Agent::Plot) => &[Agent::Outline, Agent::Character],
        Some(_) => &[],
        None => &[Agent::Outline],
    }
}

fn exists(agent: Agent, story: &Story) -> bool {
    match agent {
        Agent::Outline => !story.outline_nodes.is_empty(),
        Agent::Character => !story.characters.is_empty(),
        Agent::Plot => !story.timeline_events.is_empty(),
        Agent::Worldview => story.worldview.is_some(),
        Agent::Style => story.style.is_some(),
    }
}

/// Returns the step of `agent` that has not run yet or has failed; a failed step is not retried.
fn maker(plan: &ExecutionPlan, agent: Agent, completed: &BTreeSet<u32>) -> Option<u32> {
    plan.steps
        .iter()
        .find(|step| step.specialist() == Some(agent) && !completed.contains(&step.step_id))
        .map(|step| step.step_id)
}

/// Inserts `dependency` into `step_id`, unless this would create a cycle. Returns whether the dependency now exists.
fn depend(plan: &mut ExecutionPlan, step_id: u32, dependency: u32) -> bool {
    if plan.needed_by(dependency).contains(&step_id) {
        return false;
    }
    let Some(step) = plan.steps.iter_mut().find(|step| step.step_id == step_id) else { return false };
    step.dependencies.push(dependency);
    step.dependencies.sort_unstable();
    true
}
