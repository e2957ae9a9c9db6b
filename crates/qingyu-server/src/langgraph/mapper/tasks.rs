//! The agents at work, as tasks.

use std::collections::BTreeMap;

use qingyu_studio::agents::orchestrator::Status;
use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{StudioEvent, StudioEventKind};
use serde_json::{Value, json};

use crate::langgraph::interrupt;

/// The open tasks, by agent or sub-task.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    open: BTreeMap<String, Open>,
}

#[derive(Debug)]
struct Open {
    id: String,
    name: String,
}

/// The beginning or the end of a task.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Task {
    Begun {
        id: String,
        name: String,
        input: Value,
    },
    Ended {
        id: String,
        name: String,
        /// The result by field, such as `summary`; empty after an error.
        result: Vec<(&'static str, Value)>,
        error: Option<String>,
        interrupts: Value,
    },
}

impl Tasks {
    /// Returns the beginnings and ends of tasks by an event.
    pub(super) fn follow(&mut self, event: &StudioEvent) -> Vec<Task> {
        match &event.kind {
            StudioEventKind::Progress(Progress::AgentStarted { agent, task, .. }) => {
                vec![self.begin(event, agent.clone(), agent, json!({"task": task}))]
            }
            StudioEventKind::Progress(Progress::AgentFinished { agent, summary, pieces, .. }) => {
                let result = vec![("summary", json!(summary)), ("pieces", json!(pieces))];
                vec![self.end(event, agent, agent, result, None)]
            }
            StudioEventKind::Progress(Progress::SubtaskStarted { task, agent, description }) => {
                let input = json!({"task": task, "description": description});
                vec![self.begin(event, key(task), agent, input)]
            }
            StudioEventKind::Progress(Progress::SubtaskFinished { task, agent, status, summary }) => {
                let has_failed = matches!(status, Status::Failed | Status::Skipped);
                let result = vec![("task", json!(task)), ("status", json!(status)), ("summary", json!(summary))];
                let result = if has_failed { Vec::new() } else { result };
                vec![self.end(event, &key(task), agent, result, has_failed.then(|| summary.clone()))]
            }
            // At a breakpoint no task has ended: the next ones are due.
            StudioEventKind::Waiting { question, .. } if !question.is_breakpoint() => vec![Task::Ended {
                id: event.run.clone(),
                name: "human".into(),
                result: Vec::new(),
                error: None,
                interrupts: interrupt::interrupts(&event.run, question),
            }],
            StudioEventKind::Failed { failure } => {
                let open = std::mem::take(&mut self.open).into_values();
                open.map(|Open { id, name }| Task::Ended {
                    id,
                    name,
                    result: Vec::new(),
                    error: Some(failure.message.clone()),
                    interrupts: json!([]),
                })
                .collect()
            }
            _ => Vec::new(),
        }
    }

    fn begin(&mut self, event: &StudioEvent, key: String, agent: &str, input: Value) -> Task {
        let (id, name) = (id(event), agent.to_owned());
        self.open.insert(key, Open { id: id.clone(), name: name.clone() });
        Task::Begun { id, name, input }
    }

    /// Ends a task; a task that began before the stream did gets an id of its own.
    fn end(
        &mut self,
        event: &StudioEvent,
        key: &str,
        agent: &str,
        result: Vec<(&'static str, Value)>,
        error: Option<String>,
    ) -> Task {
        let id = self.open.remove(key).map_or_else(|| id(event), |open| open.id);
        Task::Ended { id, name: agent.to_owned(), result, error, interrupts: json!([]) }
    }
}

impl Task {
    /// Returns the data of the mode `tasks`.
    pub(super) fn payload(&self) -> Value {
        match self {
            Self::Begun { id, name, input } => {
                json!({"id": id, "name": name, "input": input, "triggers": [], "interrupts": []})
            }
            Self::Ended { id, name, result, error, interrupts } => {
                json!({"id": id, "name": name, "result": result, "error": error, "interrupts": interrupts})
            }
        }
    }

    /// Returns the type of the event in the mode `debug`.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Begun { .. } => "task",
            Self::Ended { .. } => "task_result",
        }
    }
}

/// Returns the key of a sub-task, unlike the name of any agent.
fn key(task: &str) -> String {
    format!("task {task}")
}

/// Returns an id for the part of a run that begins with an event.
pub(super) fn id(event: &StudioEvent) -> String {
    format!("{}-{}", event.run, event.seq)
}
