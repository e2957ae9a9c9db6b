//! Scheduling: ready steps, parallel groups, critical path.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::steps::{ExecutionPlan, Step};

/// Returns the steps outside `done` with all dependencies in `done`, in the plan's order.
pub fn ready(plan: &ExecutionPlan, done: &BTreeSet<u32>) -> Vec<Step> {
    plan.steps
        .iter()
        .filter(|step| !done.contains(&step.step_id))
        .filter(|step| step.dependencies.iter().all(|dependency| done.contains(dependency)))
        .cloned()
        .collect()
}

/// Returns the steps in topological order; the error holds the steps of a cycle.
///
/// Among several ready steps, the first in `steps` comes next.
pub(crate) fn order(steps: &[Step]) -> Result<Vec<u32>, Vec<u32>> {
    let mut ordered = Vec::with_capacity(steps.len());
    let mut done = BTreeSet::new();
    while ordered.len() < steps.len() {
        let next = steps
            .iter()
            .find(|step| !done.contains(&step.step_id) && step.dependencies.iter().all(|id| done.contains(id)));
        let Some(next) = next else {
            return Err(cycle(steps, &done));
        };
        done.insert(next.step_id);
        ordered.push(next.step_id);
    }
    Ok(ordered)
}

/// Returns a cycle among the steps outside `done`, starting with its smallest id.
fn cycle(steps: &[Step], done: &BTreeSet<u32>) -> Vec<u32> {
    let waits_for = steps
        .iter()
        .filter(|step| !done.contains(&step.step_id))
        .filter_map(|step| Some((step.step_id, *step.dependencies.iter().find(|id| !done.contains(id))?)))
        .collect::<BTreeMap<_, _>>();
    let mut walked = Vec::new();
    let mut at = waits_for.keys().next().copied();
    while let Some(id) = at {
        if let Some(start) = walked.iter().position(|seen| *seen == id) {
            let mut circle = walked.split_off(start);
            let smallest = circle.iter().enumerate().min_by_key(|(_, id)| **id).map_or(0, |(index, _)| index);
            circle.rotate_left(smallest);
            return circle;
        }
        walked.push(id);
        at = waits_for.get(&id).copied();
    }
    walked
}

/// Returns groups of two or more steps that may run concurrently.
pub(crate) fn groups(steps: &[Step], order: &[u32]) -> Vec<Vec<u32>> {
    let by_id = steps.iter().map(|step| (step.step_id, step)).collect::<BTreeMap<_, _>>();
    let mut depths = BTreeMap::<u32, usize>::new();
    for id in order {
        let depth = by_id[id].dependencies.iter().map(|dependency| depths[dependency] + 1).max().unwrap_or(0);
        depths.insert(*id, depth);
    }
    let mut levels = BTreeMap::<usize, Vec<u32>>::new();
    for (id, depth) in depths {
        levels.entry(depth).or_default().push(id);
    }
    levels.into_values().filter(|level| level.len() > 1).collect()
}

/// Returns the chain of steps with the most estimated tokens; of equal chains, the chain over smaller ids.
pub(crate) fn critical_path(steps: &[Step], order: &[u32]) -> Vec<u32> {
    let by_id = steps.iter().map(|step| (step.step_id, step)).collect::<BTreeMap<_, _>>();
    let mut best = BTreeMap::<u32, (u64, Option<u32>)>::new();
    for id in order {
        let step = by_id[id];
        let before = step.dependencies.iter().map(|dependency| (best[dependency].0, *dependency));
        let longest = before.max_by_key(|(tokens, id)| (*tokens, std::cmp::Reverse(*id)));
        let tokens = longest.map_or(0, |(tokens, _)| tokens) + step.estimated_tokens;
        best.insert(*id, (tokens, longest.map(|(_, id)| id)));
    }
    let mut path = Vec::new();
    let mut at = best.iter().max_by_key(|(id, (tokens, _))| (*tokens, std::cmp::Reverse(**id))).map(|(id, _)| *id);
    while let Some(id) = at {
        path.push(id);
        at = best[&id].1;
    }
    path.reverse();
    path
}
