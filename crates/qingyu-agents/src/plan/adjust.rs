//! Changes to a plan while it runs.

use std::collections::BTreeSet;

use qingyu_story::{Agent, Story};

use crate::notice::Notice;
use crate::plan::check::complete;
use crate::plan::{ExecutionPlan, Step};

/// Which steps of a plan have ended, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Done {
    /// Steps that made what they were to make.
    pub completed: BTreeSet<u32>,
    /// Steps that ended without it.
    pub failed: BTreeSet<u32>,
}

impl Done {
    /// All that ended.
    pub fn ended(&self) -> BTreeSet<u32> {
        self.completed.union(&self.failed).copied().collect()
    }
}

/// A plan from now on.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjustment {
    /// The plan.
    pub plan: ExecutionPlan,
    /// What was changed and why.
    pub reasons: Vec<Notice>,
}

/// Inserts what a waiting step needs and no step makes. None if the plan stands as it is.
///
/// A failed step stays in the plan, and so in what the verdict rests on; steps that depend on it go on without its work.
pub fn adjust(plan: &ExecutionPlan, story: &Story, done: &Done) -> Option<Adjustment> {
    let mut adjusted = plan.clone();
    let reasons = insert_prerequisites(&mut adjusted, story, done);
    if reasons.is_empty() {
        return None;
    }
    complete(&mut adjusted).ok()?;
    Some(Adjustment { plan: adjusted, reasons })
}

fn insert_prerequisites(plan: &mut ExecutionPlan, story: &Story, done: &Done) -> Vec<Notice> {
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
                    notices.push(Notice::StepWaits { step: step.step_id, dependency: maker });
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
            notices.push(Notice::StepInserted {
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

/// Whose work a step cannot do without.
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

/// The step of `agent` that is yet to run, or has run and failed: it is not tried a second time.
fn maker(plan: &ExecutionPlan, agent: Agent, completed: &BTreeSet<u32>) -> Option<u32> {
    plan.steps
        .iter()
        .find(|step| step.specialist() == Some(agent) && !completed.contains(&step.step_id))
        .map(|step| step.step_id)
}

/// Makes `step_id` wait for `dependency`, unless it is itself waited for. Whether it does.
fn depend(plan: &mut ExecutionPlan, step_id: u32, dependency: u32) -> bool {
    if plan.needed_by(dependency).contains(&step_id) {
        return false;
    }
    let Some(step) = plan.steps.iter_mut().find(|step| step.step_id == step_id) else { return false };
    step.dependencies.push(dependency);
    step.dependencies.sort_unstable();
    true
}
