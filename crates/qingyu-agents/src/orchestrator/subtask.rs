//! The parts of a task: definition, validation and outcome.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::service::failure::Failure;
use crate::service::proposal::Proposal;
use crate::service::task::AgentResult;

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
    /// Agents among which the user's words do not decide: the user is asked before the part begins. Left out of the
    /// schema, because a model decides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub candidates: Vec<String>,
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

/// The separator of agents in an answer that leaves open which of them is meant.
const OR: &str = "|";

impl Subtask {
    /// Returns the part with its candidates as the agent, such as `analysis|checker`: an answer of a model is read by a
    /// schema without candidates.
    #[must_use]
    pub fn with_joined_candidates(mut self) -> Self {
        if !self.candidates.is_empty() {
            self.agent = std::mem::take(&mut self.candidates).join(OR);
        }
        self
    }

    /// Returns the part with the candidates that an answer has joined; the first one is the agent.
    #[must_use]
    pub(super) fn with_split_candidates(mut self) -> Self {
        if self.agent.contains(OR) {
            self.candidates = self.agent.split(OR).map(|name| name.trim().to_owned()).collect();
            self.agent = self.candidates.first().cloned().unwrap_or_default();
        }
        self
    }
}

/// A validation error in the parts of a task.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum SubtaskProblem {
    /// No parts.
    #[error("subtasks: there are none")]
    Empty,
    /// Too many parts.
    #[error("subtasks: there are {count}, at most {max} are allowed")]
    TooMany {
        /// Number of parts.
        count: usize,
        /// Maximum number of parts.
        max: usize,
    },
    /// A missing or duplicate name.
    #[error("subtasks/{index}/name: \"{name}\" is empty or taken")]
    Name {
        /// Index of the part, from 0.
        index: usize,
        /// Name of the part.
        name: String,
    },
    /// A part without a description.
    #[error("subtasks/{index}/description: it is empty")]
    Nothing {
        /// Index of the part, from 0.
        index: usize,
    },
    /// An unknown agent.
    #[error("subtasks/{index}/agent: there is no agent \"{agent}\"; there are {known}")]
    UnknownAgent {
        /// Index of the part, from 0.
        index: usize,
        /// Name in the part.
        agent: String,
        /// Names of the registered agents.
        known: String,
    },
    /// A dependency on an unknown part.
    #[error("subtasks/{index}/depends_on: there is no part \"{dependency}\"")]
    UnknownDependency {
        /// Index of the part, from 0.
        index: usize,
        /// Name of the dependency.
        dependency: String,
    },
    /// A dependency cycle.
    #[error("subtasks: {} wait for each other", names.join(", "))]
    Cycle {
        /// Names of the parts in the cycle.
        names: Vec<String>,
    },
}

/// Validates `subtasks`; returns the errors, empty if the parts can run.
pub(super) fn problems(subtasks: &[Subtask], agents: &[String], max: usize) -> Vec<SubtaskProblem> {
    let mut problems = Vec::new();
    if subtasks.is_empty() {
        problems.push(SubtaskProblem::Empty);
    }
    if subtasks.len() > max {
        problems.push(SubtaskProblem::TooMany { count: subtasks.len(), max });
    }
    let names = subtasks.iter().map(|subtask| subtask.name.as_str()).collect::<BTreeSet<_>>();
    let mut seen = BTreeSet::new();
    for (index, subtask) in subtasks.iter().enumerate() {
        if subtask.name.trim().is_empty() || !seen.insert(subtask.name.as_str()) {
            problems.push(SubtaskProblem::Name { index, name: subtask.name.clone() });
        }
        if subtask.description.trim().is_empty() {
            problems.push(SubtaskProblem::Nothing { index });
        }
        let mut named = [&subtask.agent].into_iter().chain(&subtask.candidates);
        if let Some(unknown) = named.find(|name| !agents.contains(name)) {
            let (agent, known) = (unknown.clone(), agents.join(", "));
            problems.push(SubtaskProblem::UnknownAgent { index, agent, known });
        }
        let unknown = subtask.depends_on.iter().filter(|name| !names.contains(name.as_str()));
        problems.extend(
            unknown.map(|dependency| SubtaskProblem::UnknownDependency { index, dependency: dependency.clone() }),
        );
    }
    let names = in_a_circle(subtasks);
    if !names.is_empty() {
        problems.push(SubtaskProblem::Cycle { names });
    }
    problems
}

/// Returns the names of parts blocked by a dependency cycle.
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

/// The question which agents are to do the parts whose words do not decide it. The answer is the agent of each part, by
/// the part's name; a part without an agent is left undone.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct AgentsRequest {
    /// The parts, in order.
    pub undecided: Vec<UndecidedPart>,
}

/// A part whose words do not decide which agent is to do it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndecidedPart {
    /// The part's name, such as `t1`.
    pub task: String,
    /// What is to be done, in the user's words.
    pub description: String,
    /// The agents that may be meant.
    pub agents: Vec<AgentOption>,
}

/// An agent that may be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentOption {
    /// Its name.
    pub name: String,
    /// What it does, in the task's language.
    pub does: String,
}

/// The question whether texts may be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WriteRequest {
    /// What would be changed.
    pub writes: Vec<Write>,
}

/// The answer to a write request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum WriteAnswer {
    /// Authorize all changes.
    Approve,
    /// Reject all changes.
    Reject {
        /// Reason.
        #[serde(default)]
        feedback: String,
    },
    /// Authorize selected changes.
    Choose {
        /// Names of the parts with all changes authorized.
        tasks: Vec<String>,
        /// Authorized places of other parts: by the part's name, indexes into its proposal from 0.
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
