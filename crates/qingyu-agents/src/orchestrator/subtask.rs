//! The parts of a task: what they are, whether they can be done at all, how they ended.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::service::{AgentResult, Failure, Proposal};

/// The parts of a task, as a model gives them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Subtasks {
    /// In the order in which they are to be done.
    pub subtasks: Vec<Subtask>,
    /// Why so.
    #[serde(default)]
    pub reasoning: Vec<String>,
}

/// One part of a task.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Subtask {
    /// Its name, such as `t1`.
    pub name: String,
    /// The agent that is to do it.
    pub agent: String,
    /// What is to be done, in the user's words as far as they go.
    pub description: String,
    /// Which of the things the agent can do, such as `dialogue`.
    pub kind: Option<String>,
    /// The chapter it is about: a number or a title.
    pub chapter: Option<String>,
    /// Characters that take part.
    pub characters: Vec<String>,
    /// Whether it is to change the text of the project.
    pub change: bool,
    /// Names of the parts that must be done before.
    pub depends_on: Vec<String>,
    /// Which of several goes first; the higher, the sooner.
    pub priority: i32,
    /// After how many seconds it is given up; the task's own time if left out.
    pub timeout: Option<u64>,
}

/// What is wrong with the parts of a task.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is nothing to do.
    #[error("subtasks: there are none")]
    Empty,
    /// There is too much to do.
    #[error("subtasks: there are {count}, at most {max} are allowed")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many there may be.
        max: usize,
    },
    /// A part has no name, or one that another has.
    #[error("subtasks/{index}/name: \"{name}\" is empty or taken")]
    Name {
        /// Its place, from 0.
        index: usize,
        /// Its name.
        name: String,
    },
    /// A part does not say what is to be done.
    #[error("subtasks/{index}/description: it is empty")]
    Nothing {
        /// Its place, from 0.
        index: usize,
    },
    /// Nobody is called so.
    #[error("subtasks/{index}/agent: there is no agent \"{agent}\"; there are {known}")]
    UnknownAgent {
        /// Its place, from 0.
        index: usize,
        /// Who was named.
        agent: String,
        /// Who there is.
        known: String,
    },
    /// A part depends on nothing that exists.
    #[error("subtasks/{index}/depends_on: there is no part \"{dependency}\"")]
    UnknownDependency {
        /// Its place, from 0.
        index: usize,
        /// What it names.
        dependency: String,
    },
    /// Parts wait for each other.
    #[error("subtasks: {} wait for each other", names.join(", "))]
    Cycle {
        /// Their names.
        names: Vec<String>,
    },
}

/// What is wrong with `subtasks`; none if they can be done.
pub(super) fn problems(subtasks: &[Subtask], agents: &[String], max: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    if subtasks.is_empty() {
        problems.push(Problem::Empty);
    }
    if subtasks.len() > max {
        problems.push(Problem::TooMany { count: subtasks.len(), max });
    }
    let names = subtasks.iter().map(|subtask| subtask.name.as_str()).collect::<BTreeSet<_>>();
    let mut seen = BTreeSet::new();
    for (index, subtask) in subtasks.iter().enumerate() {
        if subtask.name.trim().is_empty() || !seen.insert(subtask.name.as_str()) {
            problems.push(Problem::Name { index, name: subtask.name.clone() });
        }
        if subtask.description.trim().is_empty() {
            problems.push(Problem::Nothing { index });
        }
        if !agents.contains(&subtask.agent) {
            let (agent, known) = (subtask.agent.clone(), agents.join(", "));
            problems.push(Problem::UnknownAgent { index, agent, known });
        }
        let unknown = subtask.depends_on.iter().filter(|name| !names.contains(name.as_str()));
        problems.extend(unknown.map(|dependency| Problem::UnknownDependency { index, dependency: dependency.clone() }));
    }
    let names = in_a_circle(subtasks);
    if !names.is_empty() {
        problems.push(Problem::Cycle { names });
    }
    problems
}

/// Names of the parts that never come to their turn because they wait for each other.
fn in_a_circle(subtasks: &[Subtask]) -> Vec<String> {
    let known = subtasks.iter().map(|subtask| subtask.name.as_str()).collect::<BTreeSet<_>>();
    let waits_for = |subtask: &Subtask| {
        let known = subtask.depends_on.iter().filter(|name| known.contains(name.as_str()));
        known.cloned().collect::<BTreeSet<_>>()
    };
    let mut left =
        subtasks.iter().map(|subtask| (subtask.name.clone(), waits_for(subtask))).collect::<BTreeMap<_, _>>();
    loop {
        let free = left.iter().filter(|(_, waits)| waits.is_empty()).map(|(name, _)| name.clone()).collect::<Vec<_>>();
        if free.is_empty() {
            return left.into_keys().collect();
        }
        for name in free {
            left.remove(&name);
            for waits in left.values_mut() {
                waits.remove(&name);
            }
        }
    }
}

/// How far a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It has not been done yet.
    #[default]
    Open,
    /// It was done.
    Done,
    /// It could not be done.
    Failed,
    /// It was not begun, because what it builds on failed.
    Skipped,
}

/// How a part ended.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Ended {
    /// How.
    pub status: Status,
    /// Who did it.
    pub agent: String,
    /// What came of it, if it was done.
    pub result: Option<AgentResult>,
    /// Why it was not, if it was not.
    pub failure: Option<Failure>,
}

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Write {
    /// The part that proposes it.
    pub task: String,
    /// Whose proposal it is.
    pub agent: String,
    /// The change.
    pub proposal: Proposal,
}

/// The question whether texts may be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WriteRequest {
    /// What would be changed.
    pub writes: Vec<Write>,
}

/// The answer to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum WriteAnswer {
    /// All of it may be written.
    Approve,
    /// None of it may.
    Reject {
        /// Why not.
        #[serde(default)]
        feedback: String,
    },
    /// Only what these parts propose.
    Choose {
        /// The names of those of which all may be written.
        tasks: Vec<String>,
        /// And of others these places alone, by the part's name and the place in its proposal, from 0.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        places: BTreeMap<String, BTreeSet<usize>>,
    },
}

/// What became of a proposed change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Written {
    /// It is in the project.
    Saved {
        /// The document.
        document: String,
        /// The version of the project from then on.
        version: u64,
    },
    /// It is only shown: the task does not ask for a change, or nothing may be changed.
    Shown,
    /// A person did not want it.
    Rejected {
        /// Why not.
        feedback: String,
    },
    /// It could not be written.
    Failed {
        /// Why.
        message: String,
    },
}
