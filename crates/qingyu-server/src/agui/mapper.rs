//! What a run tells, as events of the protocol. No I/O: whoever follows the run hands in its events, the story when it
//! has changed, and at last how the run stands.

use std::collections::BTreeMap;

use qingyu_studio::agents::progress::{ChapterStep, FieldStep, Progress};
use qingyu_studio::{EventKind, HumanAnswer, Outcome, Question, StudioEvent};
use serde_json::{Value, json};

use super::event::{self, By, Event, Interrupt, Patch, TokenUsage};
use crate::chat;

/// The version of the protocol.
const VERSION: &str = "1.0";

/// Turns the events of one run into those of the protocol.
#[derive(Debug)]
pub(super) struct Mapper {
    thread: String,
    run: String,
    state: Value,
    /// The subagents at work, by agent or sub-task, with the names of their runs.
    subagents: BTreeMap<String, String>,
    /// The steps that are open: of which series each is, and its name.
    steps: Vec<(String, String)>,
    /// The message that is being said: by whom, its id, and the run of the subagent.
    message: Option<(String, String, By)>,
    messages: usize,
}

impl Mapper {
    /// For the client's run of its thread.
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

    /// The run begins. `state` is all that is known of it.
    pub(super) fn begin(&mut self, state: Value) -> Vec<Event> {
        self.state = state;
        let (thread_id, run_id) = (self.thread.clone(), self.run.clone());
        vec![
            Event::RunStarted { thread_id, run_id, protocol_version: VERSION },
            Event::StateSnapshot { snapshot: self.state.clone() },
        ]
    }

    /// Whether the story is to be handed in after this event.
    pub(super) fn wants_story(event: &StudioEvent) -> bool {
        match &event.kind {
            EventKind::Saved { .. } => true,
            EventKind::Progress(progress) => matches!(
                progress,
                Progress::Field { step: FieldStep::Made { .. }, .. }
                    | Progress::Chapter { step: ChapterStep::Settled { .. }, .. }
            ),
            kind => kind.is_last(),
        }
    }

    /// The story as it stands now.
    pub(super) fn story(&mut self, story: Value) -> Vec<Event> {
        self.change("story", story)
    }

    /// What happened. The last event of a run gives nothing; [`end`](Self::end) says how it ended.
    pub(super) fn frames(&mut self, event: &StudioEvent) -> Vec<Event> {
        let EventKind::Progress(progress) = &event.kind else {
            return match &event.kind {
                EventKind::RunStarted { .. } => self.change("status", "running".into()),
                EventKind::Saved { version, .. } => self.change("version", (*version).into()),
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

    /// The run has ended with `last`, and this is how it stands.
    pub(super) fn end(&mut self, last: &StudioEvent, outcome: &Outcome) -> Vec<Event> {
        let mut events: Vec<Event> = self.end_message().into_iter().collect();
        events.extend(self.end_steps(None));
        let failure = match &last.kind {
            EventKind::Failed { failure } => Some(failure),
            _ => None,
        };
        for (_, subagent_run_id) in std::mem::take(&mut self.subagents) {
            events.push(match failure {
                Some(failure) => Event::SubagentError { subagent_run_id, message: failure.message.clone() },
                None => Event::SubagentFinished { subagent_run_id, result: Value::Null },
            });
        }
        events.extend(self.change("status", json!(outcome.status)));
        events.extend(self.say(&chat::said(outcome)));
        if let Some(failure) = failure {
            events.push(Event::RunError { message: failure.message.clone(), code: failure.code.clone() });
            return events;
        }
        let ended = match &last.kind {
            EventKind::Waiting { question, .. } => {
                event::Outcome::Interrupt { interrupts: vec![interrupt(&last.run, question)] }
            }
            EventKind::Interrupted => event::Outcome::Cancelled,
            _ => event::Outcome::Success,
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

    /// The client's run has ended so.
    pub(super) fn finished(&self, outcome: event::Outcome, usage: TokenUsage) -> Event {
        Event::RunFinished { thread_id: self.thread.clone(), run_id: self.run.clone(), outcome, usage: vec![usage] }
    }

    /// A whole message; nothing if it is empty.
    pub(super) fn say(&mut self, words: &str) -> Vec<Event> {
        if words.is_empty() {
            return Vec::new();
        }
        let mut events = self.text("", words);
        events.extend(self.end_message());
        events
    }

    fn text(&mut self, agent: &str, text: &str) -> Vec<Event> {
        let mut events = Vec::new();
        if self.message.as_ref().is_none_or(|(who, ..)| who != agent) {
            events.extend(self.end_message());
            self.messages += 1;
            let (id, by) = (format!("{}-m{}", self.run, self.messages), self.by(agent));
            events.push(Event::TextMessageStart { message_id: id.clone(), role: "assistant", by: by.clone() });
            self.message = Some((agent.to_owned(), id, by));
        }
        if let Some((_, id, by)) = self.message.as_ref().filter(|_| !text.is_empty()) {
            let (message_id, by) = (id.clone(), by.clone());
            events.push(Event::TextMessageContent { message_id, delta: text.to_owned(), by });
        }
        events
    }

    fn end_message(&mut self) -> Option<Event> {
        self.message.take().map(|(_, message_id, by)| Event::TextMessageEnd { message_id, by })
    }

    fn by(&self, agent: &str) -> By {
        By { subagent_run_id: self.subagents.get(agent).cloned() }
    }

    fn subagent(&mut self, seq: u64, key: &str, agent: &str, task: &str) -> Vec<Event> {
        let mut events = self.subagent_ends(key, Value::Null);
        let subagent_run_id = format!("{}-a{seq}", self.run);
        self.subagents.insert(key.to_owned(), subagent_run_id.clone());
        events.push(Event::SubagentStarted { subagent_run_id, name: agent.to_owned(), description: task.to_owned() });
        events
    }

    fn subagent_ends(&mut self, key: &str, result: Value) -> Vec<Event> {
        let Some(subagent_run_id) = self.subagents.remove(key) else { return Vec::new() };
        let is_theirs = |by: &By| by.subagent_run_id.as_ref() == Some(&subagent_run_id);
        let speaks = self.message.as_ref().is_some_and(|(_, _, by)| is_theirs(by));
        let mut events: Vec<Event> = if speaks { self.end_message().into_iter().collect() } else { Vec::new() };
        events.push(Event::SubagentFinished { subagent_run_id, result });
        events
    }

    fn step(&mut self, series: &str, step_name: String) -> Vec<Event> {
        let mut events = self.end_steps(Some(series));
        self.steps.push((series.to_owned(), step_name.clone()));
        events.push(Event::StepStarted { step_name });
        events
    }

    /// Ends the open step of a series, or of all.
    fn end_steps(&mut self, series: Option<&str>) -> Vec<Event> {
        let is_meant = |step: &(String, String)| series.is_none_or(|series| series == step.0);
        let ended: Vec<_> = self.steps.iter().filter(|step| is_meant(step)).cloned().collect();
        self.steps.retain(|step| !is_meant(step));
        ended.into_iter().map(|(_, step_name)| Event::StepFinished { step_name }).collect()
    }

    fn tool(&self, seq: u64, agent: &str, tool: &str, success: bool, millis: u64) -> Vec<Event> {
        let (id, by) = (format!("{}-t{seq}", self.run), self.by(agent));
        let content = json!({"success": success, "millis": millis}).to_string();
        vec![
            Event::ToolCallStart { tool_call_id: id.clone(), tool_call_name: tool.to_owned(), by: by.clone() },
            Event::ToolCallEnd { tool_call_id: id.clone(), by: by.clone() },
            Event::ToolCallResult { message_id: format!("{id}-result"), tool_call_id: id, content, by },
        ]
    }

    fn reasoning(&self, seq: u64, words: &str) -> Vec<Event> {
        let (message_id, by) = (format!("{}-r{seq}", self.run), By::default());
        vec![
            Event::ReasoningStart { message_id: message_id.clone(), by: by.clone() },
            Event::ReasoningMessageStart { message_id: message_id.clone(), role: "reasoning", by: by.clone() },
            Event::ReasoningMessageContent { message_id: message_id.clone(), delta: words.to_owned(), by: by.clone() },
            Event::ReasoningMessageEnd { message_id: message_id.clone(), by: by.clone() },
            Event::ReasoningEnd { message_id, by },
        ]
    }

    /// A field of the state has this value from now on.
    fn change(&mut self, field: &str, value: Value) -> Vec<Event> {
        let mut next = self.state.clone();
        if let Some(fields) = next.as_object_mut() {
            fields.insert(field.to_owned(), value);
        }
        let delta = Patch::between(&self.state, &next);
        self.state = next;
        if delta.is_empty() { Vec::new() } else { vec![Event::StateDelta { delta }] }
    }
}

/// The series of the steps of a sub-task.
fn step_of(task: &str) -> String {
    format!("task {task}")
}

/// An event that the protocol has no word for, under our own name.
fn custom(event: &StudioEvent) -> Event {
    let value = serde_json::to_value(event).expect("events serialise");
    Event::Custom { name: format!("qingyu.{}", value["kind"].as_str().unwrap_or("event")), value }
}

/// A question; its id is that of the run, which asks one at a time.
fn interrupt(run: &str, question: &Question) -> Interrupt {
    let message = match question {
        Question::Turn { turn } => turn.text.clone(),
        Question::Directions(_) | Question::HumanReview(_) | Question::Writes(_) | Question::Chapters(_) => {
            String::new()
        }
    };
    Interrupt {
        id: run.to_owned(),
        reason: format!("qingyu:{}", chat::asks(question)),
        message,
        response_schema: schemars::schema_for!(HumanAnswer).to_value(),
        metadata: json!({"question": question}),
    }
}

#[cfg(test)]
mod tests;
