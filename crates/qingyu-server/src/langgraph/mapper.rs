//! Conversion of run events to frames of the requested stream modes. No I/O.
//!
//! - `messages`: the texts being streamed; `tasks`: the agents at work
//! - `events`: the events of LangChain; `checkpoints`: states as checkpoints

mod checkpoints;
mod events;
mod messages;
mod tasks;

use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{StudioEvent, StudioEventKind};
use serde_json::{Value, json};

use super::error::LangGraphError;
use super::interrupt;
use messages::Messages;
use tasks::Tasks;

/// A frame of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LangGraphFrame {
    /// The mode, or `metadata`, `error`, `end`.
    pub(super) event: &'static str,
    pub(super) data: Value,
    /// The number of the source event, if a stream can resume after the frame.
    pub(super) id: Option<u64>,
}

/// A stream mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamMode {
    /// The whole state, at milestones.
    Values,
    /// The result of each agent.
    Updates,
    /// Every event of the run, in its own form.
    Custom,
    /// Streamed text with its author.
    MessagesTuple,
    /// Streamed text, accumulated.
    Messages,
    /// Beginnings and ends of agents and texts, in the form of LangChain.
    Events,
    /// Beginnings and ends of agents.
    Tasks,
    /// The whole state as checkpoints, at milestones.
    Checkpoints,
    /// Tasks and checkpoints with their times.
    Debug,
}

impl StreamMode {
    const ALL: [(&'static str, Self); 9] = [
        ("values", Self::Values),
        ("updates", Self::Updates),
        ("custom", Self::Custom),
        ("messages-tuple", Self::MessagesTuple),
        ("messages", Self::Messages),
        ("events", Self::Events),
        ("tasks", Self::Tasks),
        ("checkpoints", Self::Checkpoints),
        ("debug", Self::Debug),
    ];

    /// The modes of a rejoined stream without a choice.
    pub(super) const REJOINED: [Self; 4] = [Self::Values, Self::Updates, Self::Custom, Self::MessagesTuple];

    /// Parses the names of modes; duplicates are dropped.
    pub(super) fn named(names: &[String]) -> Result<Vec<Self>, LangGraphError> {
        let mut modes = Vec::new();
        for given in names {
            let Some((_, mode)) = Self::ALL.into_iter().find(|(name, _)| *name == given.as_str()) else {
                let given: String = given.chars().take(60).collect();
                let known = Self::ALL.map(|(name, _)| name).join(", ");
                return Err(LangGraphError::invalid("stream_mode", &format!("`{given}` is none of {known}")));
            };
            if !modes.contains(&mode) {
                modes.push(mode);
            }
        }
        Ok(modes)
    }
}

/// A converter of the events of one run.
#[derive(Debug)]
pub(super) struct Mapper {
    /// The thread, as its client names it.
    thread: String,
    modes: Vec<StreamMode>,
    messages: Messages,
    tasks: Tasks,
}

impl Mapper {
    pub(super) fn new(thread: &str, modes: Vec<StreamMode>) -> Self {
        Self { thread: thread.to_owned(), modes, messages: Messages::default(), tasks: Tasks::default() }
    }

    /// Returns the first frame.
    pub(super) fn begin(&self, run: &str) -> LangGraphFrame {
        let data = json!({"run_id": run, "thread_id": self.thread, "attempt": 1});
        LangGraphFrame { event: "metadata", data, id: None }
    }

    /// Returns whether the caller should pass in the state after an event.
    pub(super) fn wants_state(&self, event: &StudioEvent) -> bool {
        let shows_state =
            |mode: &StreamMode| matches!(mode, StreamMode::Values | StreamMode::Checkpoints | StreamMode::Debug);
        is_milestone(event) && self.modes.iter().any(shows_state)
    }

    /// Returns the frames of an event; `state` is the state after the event, if it [is wanted](Self::wants_state).
    pub(super) fn frames(&mut self, event: &StudioEvent, state: Option<&Value>) -> Vec<LangGraphFrame> {
        let (spoken, tasks) = (self.messages.follow(event), self.tasks.follow(event));
        let checkpoint = state.map(|state| checkpoints::checkpoint(&self.thread, event, state));
        let mut told: Vec<(&'static str, Value)> = Vec::new();
        for mode in &self.modes {
            match mode {
                StreamMode::Values => told.extend(state.map(|state| ("values", state.clone()))),
                StreamMode::Updates => told.extend(update(event).map(|data| ("updates", data))),
                StreamMode::Custom => told.push(("custom", json!(event))),
                StreamMode::MessagesTuple => told.extend(spoken.iter().filter_map(|spoken| spoken.tuple(&event.run))),
                StreamMode::Messages => told.extend(spoken.iter().flat_map(|spoken| spoken.messages(&event.run))),
                StreamMode::Events => {
                    let all = events::events(event, &tasks, &spoken);
                    told.extend(all.into_iter().map(|data| ("events", data)));
                }
                StreamMode::Tasks => told.extend(tasks.iter().map(|task| ("tasks", task.payload()))),
                StreamMode::Checkpoints => told.extend(checkpoint.clone().map(|data| ("checkpoints", data))),
                StreamMode::Debug => {
                    let begun = tasks.iter().map(|task| (task.kind(), task.payload()));
                    let all = begun.chain(checkpoint.clone().map(|payload| ("checkpoint", payload)));
                    told.extend(all.map(|(kind, payload)| ("debug", checkpoints::debug(event, kind, &payload))));
                }
            }
        }
        if let StudioEventKind::Failed { failure } = &event.kind {
            let LangGraphFrame { event, data, .. } = error(&failure.code, &failure.message);
            told.push((event, data));
        }
        let is_text = matches!(event.kind, StudioEventKind::Progress(Progress::Text { .. }));
        let id = |name: &str| (!is_text && name != "error").then_some(event.seq);
        told.into_iter().map(|(name, data)| LangGraphFrame { event: name, data, id: id(name) }).collect()
    }
}

/// Returns the last frame.
pub(super) fn end() -> LangGraphFrame {
    LangGraphFrame { event: "end", data: Value::Null, id: None }
}

/// Returns a failure frame, the last of its stream.
pub(super) fn error(code: &str, message: &str) -> LangGraphFrame {
    LangGraphFrame { event: "error", data: json!({"error": code, "message": message}), id: None }
}

/// Returns whether an event changes the state.
fn is_milestone(event: &StudioEvent) -> bool {
    matches!(
        event.kind,
        StudioEventKind::Saved { .. } | StudioEventKind::Completed { .. } | StudioEventKind::Waiting { .. }
    )
}

/// Returns the result of an agent, under the agent's name.
fn update(event: &StudioEvent) -> Option<Value> {
    match &event.kind {
        StudioEventKind::Progress(Progress::AgentFinished { agent, summary, pieces, .. }) => {
            Some(json!({agent: {"summary": summary, "pieces": pieces}}))
        }
        StudioEventKind::Progress(Progress::SubtaskFinished { task, agent, status, summary }) => {
            Some(json!({agent: {"task": task, "status": status, "summary": summary}}))
        }
        StudioEventKind::Progress(Progress::Field { path, step, .. }) => {
            Some(json!({"field": {"path": path, "step": step}}))
        }
        StudioEventKind::Progress(Progress::Chapter { chapter, title, step }) => {
            Some(json!({"chapter": {"chapter": chapter, "title": title, "step": step}}))
        }
        StudioEventKind::Waiting { question, .. } => {
            Some(json!({"__interrupt__": interrupt::interrupts(&event.run, question)}))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
