//! Conversion of run events to events of the protocol. No I/O: the caller passes in the run's events, the story after
//! changes, and finally the outcome.

use std::collections::BTreeMap;

use qingyu_studio::agents::progress::{ChapterStep, FieldStep, Progress};
use qingyu_studio::{Outcome, RunAnswer, RunQuestion, StudioEvent, StudioEventKind};
use serde_json::{Value, json};

use super::event::{self, AguiEvent, Interrupt, Patch, SubagentRef, TokenUsage};
use crate::chat;

/// The protocol version.
const VERSION: &str = "1.0";

/// A converter of the events of one run.
#[derive(Debug)]
pub(super) struct AguiMapper {
    thread: String,
    run: String,
    state: Value,
    /// The running subagents, by agent or sub-task, with their run ids.
    subagents: BTreeMap<String, String>,
    /// The open steps: series and name.
    steps: Vec<(String, String)>,
    /// The message being streamed: author, id, and the subagent's run.
    message: Option<(String, String, SubagentRef)>,
    messages: usize,
}

impl AguiMapper {
    /// Creates a mapper for the client's run of its thread.
    pub(super) fn new(thread: &str, run: &str) -> Self {
        Self {
            thread: thread.into(),
            run: run.into(),
            state: Value::Null,
            subagents: BTreeMap::new(),
            steps: Vec::new(),
            message: None,
            messages: 0,
        }
    }

    /// Starts the run with its initial `state`.
    pub(super) fn begin(&mut self, state: Value) -> Vec<AguiEvent> {
        self.state = state;
        let (thread_id, run_id) = (self.thread.clone(), self.run.clone());
        vec![
            AguiEvent::RunStarted { thread_id, run_id, protocol_version: VERSION },
            AguiEvent::StateSnapshot { snapshot: self.state.clone() },
        ]
    }

    /// Returns whether the caller should pass in the story after an event.
    pub(super) fn wants_story(event: &StudioEvent) -> bool {
        match &event.kind {
            StudioEventKind::Saved { .. } => true,
            StudioEventKind::Progress(progress) => matches!(
                progress,
                Progress::Field { step: FieldStep::Made { .. }, .. }
                    | Progress::Chapter { step: ChapterStep::Settled { .. }, .. }
            ),
            kind => kind.is_last(),
        }
    }

    /// Updates the story in the state.
    pub(super) fn story(&mut self, story: Value) -> Vec<AguiEvent> {
        self.change("story", story)
    }

    /// Converts an event. The last event of a run returns nothing; [`end`](Self::end) reports the outcome.
    pub(super) fn frames(&mut self, event: &StudioEvent) -> Vec<AguiEvent> {
        let StudioEventKind::Progress(progress) = &event.kind else {
            return match &event.kind {
                StudioEventKind::RunStarted { .. } => self.change("status", "running".into()),
                StudioEventKind::Saved { version, .. } => self.change("version", (*version).into()),
                _ => Vec::new(),
            };
        };
        match progress {
            Progress::Text { agent, text } => self.text(agent, text),
            Progress::AgentStarted { agent, task, .. } => self.subagent(event.seq, agent, agent, task),
            Progress::AgentFinished { agent, summary, pieces, .. } => {
                self.subagent_ends(agent, json!({"summary": summary, "pieces": pieces}))
            }
            Progress::SubtaskStarted { task, agent, description } => self.subagent(event.seq, task, agent, description),
            Progress::SubtaskFinished { task, status, summary, .. } => {
                let mut events = self.end_steps(Some(&step_of(task)));
                events.extend(self.subagent_ends(task, json!({"status": status, "summary": summary})));
                events
            }
            Progress::StepStarted { task, action, .. } => self.step(&step_of(task), format!("{task}: {action}")),
            Progress::Phase { phase, .. } => {
                let mut events = self.step("phase", phase.clone());
                events.extend(self.change("phase", phase.as_str().into()));
                events
            }
            Progress::Chapter { chapter, step, .. } => {
                let name = format!("chapter {chapter}");
                let mut events = match step {
                    ChapterStep::Started { .. } => self.step("chapter", name),
                    ChapterStep::Settled { .. } | ChapterStep::Briefed => self.end_steps(Some("chapter")),
                    _ => Vec::new(),
                };
                events.push(custom(event));
                events
            }
            Progress::ToolCalled { agent, tool, success, millis } => {
                self.tool(event.seq, agent, tool, *success, *millis)
            }
            Progress::PlanAdjusted { reason, .. } => self.reasoning(event.seq, reason),
            _ => vec![custom(event)],
        }
    }

    /// Ends the run with its event `last` and its outcome.
    pub(super) fn end(&mut self, last: &StudioEvent, outcome: &Outcome) -> Vec<AguiEvent> {
        let mut events: Vec<AguiEvent> = self.end_message().into_iter().collect();
        events.extend(self.end_steps(None));
        let failure = match &last.kind {
            StudioEventKind::Failed { failure } => Some(failure),
            _ => None,
        };
        for (_, subagent_run_id) in std::mem::take(&mut self.subagents) {
            events.push(match failure {
                Some(failure) => AguiEvent::SubagentError { subagent_run_id, message: failure.message.clone() },
                None => AguiEvent::SubagentFinished { subagent_run_id, result: Value::Null },
            });
        }
        events.extend(self.change("status", json!(outcome.status)));
        events.extend(self.say(&chat::said(outcome)));
        if let Some(failure) = failure {
            events.push(AguiEvent::RunError { message: failure.message.clone(), code: failure.code.clone() });
            return events;
        }
        let ended = match &last.kind {
            StudioEventKind::Waiting { question, .. } => {
                event::AguiOutcome::Interrupt { interrupts: vec![interrupt(&last.run, question)] }
            }
            StudioEventKind::Interrupted => event::AguiOutcome::Cancelled,
            _ => event::AguiOutcome::Success,
        };
        let usage = &outcome.usage;
        let usage = TokenUsage {
            input_tokens: usage.input,
            output_tokens: usage.output,
            total_tokens: usage.total,
            cached_input_tokens: usage.cached,
        };
        events.push(self.finished(ended, usage));
        events
    }

    /// Returns the final event of the client's run.
    pub(super) fn finished(&self, outcome: event::AguiOutcome, usage: TokenUsage) -> AguiEvent {
        AguiEvent::RunFinished { thread_id: self.thread.clone(), run_id: self.run.clone(), outcome, usage: vec![usage] }
    }

    /// Returns the events of a whole message; empty if there are no words.
    pub(super) fn say(&mut self, words: &str) -> Vec<AguiEvent> {
        if words.is_empty() {
            return Vec::new();
        }
        let mut events = self.text("", words);
        events.extend(self.end_message());
        events
    }

    fn text(&mut self, agent: &str, text: &str) -> Vec<AguiEvent> {
        let mut events = Vec::new();
        if self.message.as_ref().is_none_or(|(who, ..)| who != agent) {
            events.extend(self.end_message());
            self.messages += 1;
            let (id, by) = (format!("{}-m{}", self.run, self.messages), self.by(agent));
            events.push(AguiEvent::TextMessageStart { message_id: id.clone(), role: "assistant", by: by.clone() });
            self.message = Some((agent.to_owned(), id, by));
        }
        if let Some((_, id, by)) = self.message.as_ref().filter(|_| !text.is_empty()) {
            let (message_id, by) = (id.clone(), by.clone());
            events.push(AguiEvent::TextMessageContent { message_id, delta: text.to_owned(), by });
        }
        events
    }

    fn end_message(&mut self) -> Option<AguiEvent> {
        self.message.take().map(|(_, message_id, by)| AguiEvent::TextMessageEnd { message_id, by })
    }

    fn by(&self, agent: &str) -> SubagentRef {
        SubagentRef { subagent_run_id: self.subagents.get(agent).cloned() }
    }

    fn subagent(&mut self, seq: u64, key: &str, agent: &str, task: &str) -> Vec<AguiEvent> {
        let mut events = self.subagent_ends(key, Value::Null);
        let subagent_run_id = format!("{}-a{seq}", self.run);
        self.subagents.insert(key.to_owned(), subagent_run_id.clone());
        events.push(AguiEvent::SubagentStarted {
            subagent_run_id,
            name: agent.to_owned(),
            description: task.to_owned(),
        });
        events
    }

    fn subagent_ends(&mut self, key: &str, result: Value) -> Vec<AguiEvent> {
        let Some(subagent_run_id) = self.subagents.remove(key) else { return Vec::new() };
        let is_theirs = |by: &SubagentRef| by.subagent_run_id.as_ref() == Some(&subagent_run_id);
        let speaks = self.message.as_ref().is_some_and(|(_, _, by)| is_theirs(by));
        let mut events: Vec<AguiEvent> = if speaks { self.end_message().into_iter().collect() } else { Vec::new() };
        events.push(AguiEvent::SubagentFinished { subagent_run_id, result });
        events
    }

    fn step(&mut self, series: &str, step_name: String) -> Vec<AguiEvent> {
        let mut events = self.end_steps(Some(series));
        self.steps.push((series.to_owned(), step_name.clone()));
        events.push(AguiEvent::StepStarted { step_name });
        events
    }

    /// Ends the open step of a series, or all open steps.
    fn end_steps(&mut self, series: Option<&str>) -> Vec<AguiEvent> {
        let is_meant = |step: &(String, String)| series.is_none_or(|series| series == step.0);
        let ended: Vec<_> = self.steps.iter().filter(|step| is_meant(step)).cloned().collect();
        self.steps.retain(|step| !is_meant(step));
        ended.into_iter().map(|(_, step_name)| AguiEvent::StepFinished { step_name }).collect()
    }

    fn tool(&self, seq: u64, agent: &str, tool: &str, success: bool, millis: u64) -> Vec<AguiEvent> {
        let (id, by) = (format!("{}-t{seq}", self.run), self.by(agent));
        let content = json!({"success": success, "millis": millis}).to_string();
        vec![
            AguiEvent::ToolCallStart { tool_call_id: id.clone(), tool_call_name: tool.to_owned(), by: by.clone() },
            AguiEvent::ToolCallEnd { tool_call_id: id.clone(), by: by.clone() },
            AguiEvent::ToolCallResult { message_id: format!("{id}-result"), tool_call_id: id, content, by },
        ]
    }

    fn reasoning(&self, seq: u64, words: &str) -> Vec<AguiEvent> {
        let (message_id, by) = (format!("{}-r{seq}", self.run), SubagentRef::default());
        vec![
            AguiEvent::ReasoningStart { message_id: message_id.clone(), by: by.clone() },
            AguiEvent::ReasoningMessageStart { message_id: message_id.clone(), role: "reasoning", by: by.clone() },
            AguiEvent::ReasoningMessageContent {
                message_id: message_id.clone(),
                delta: words.to_owned(),
                by: by.clone(),
            },
            AguiEvent::ReasoningMessageEnd { message_id: message_id.clone(), by: by.clone() },
            AguiEvent::ReasoningEnd { message_id, by },
        ]
    }

    /// Sets a field of the state.
    fn change(&mut self, field: &str, value: Value) -> Vec<AguiEvent> {
        let mut next = self.state.clone();
        if let Some(fields) = next.as_object_mut() {
            fields.insert(field.to_owned(), value);
        }
        let delta = Patch::between(&self.state, &next);
        self.state = next;
        if delta.is_empty() { Vec::new() } else { vec![AguiEvent::StateDelta { delta }] }
    }
}

/// Returns the step series of a sub-task.
fn step_of(task: &str) -> String {
    format!("task {task}")
}

/// Returns a custom event for an event without a counterpart in the protocol.
fn custom(event: &StudioEvent) -> AguiEvent {
    let value = serde_json::to_value(event).expect("events serialise");
    AguiEvent::Custom { name: format!("qingyu.{}", value["kind"].as_str().unwrap_or("event")), value }
}

/// Returns the interrupt of a question; its id is the run's id, since a run has at most one open question.
fn interrupt(run: &str, question: &RunQuestion) -> Interrupt {
    let message = match question {
        RunQuestion::Turn { turn } => turn.text.clone(),
        RunQuestion::Directions(_)
        | RunQuestion::HumanReview(_)
        | RunQuestion::Writes(_)
        | RunQuestion::Agents(_)
        | RunQuestion::Breakpoint { .. }
        | RunQuestion::Chapters(_) => String::new(),
    };
    Interrupt {
        id: run.to_owned(),
        reason: format!("qingyu:{}", chat::asks(question)),
        message,
        response_schema: schemars::schema_for!(RunAnswer).to_value(),
        metadata: json!({"question": question}),
    }
}

#[cfg(test)]
mod tests;
