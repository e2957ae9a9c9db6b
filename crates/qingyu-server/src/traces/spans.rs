//! Spans as a function of a run's events.
//!
//! The ids are made of the run's id and the events' numbers, so that every server makes the same, and what is told again
//! after a crash is the same span once more.

use std::collections::HashMap;

use jiff::Timestamp;
use qingyu_studio::agents::plan::REVIEW_AGENT;
use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{EventKind, StudioEvent};
use sha2::{Digest, Sha256};

use super::otlp::{Id, KeyValue, Span, SpanKind, Status, StatusCode};

/// The runs that are at work, as far as their spans go.
#[derive(Debug, Default)]
pub(super) struct Traces {
    open: HashMap<String, Attempt>,
}

/// An attempt to bring a run to its end, from its start or a resume on.
#[derive(Debug)]
struct Attempt {
    span: Id<8>,
    begun: Timestamp,
    project: String,
    /// The agents at work, in the order in which they began.
    agents: Vec<AtWork>,
}

#[derive(Debug)]
struct AtWork {
    name: String,
    span: Id<8>,
    begun: Timestamp,
}

impl Traces {
    /// The spans that have ended with this event.
    pub(super) fn told(&mut self, event: &StudioEvent) -> Vec<Span> {
        if let EventKind::RunStarted { .. } = event.kind {
            let span = span_id(&event.run, event.seq);
            let attempt = Attempt { span, begun: event.at, project: event.project.clone(), agents: Vec::new() };
            self.open.insert(event.run.clone(), attempt);
            return Vec::new();
        }
        if event.kind.is_last() {
            return self.open.remove(&event.run).map(|attempt| attempt.end(event)).unwrap_or_default();
        }
        let Some(attempt) = self.open.get_mut(&event.run) else { return Vec::new() };
        let EventKind::Progress(progress) = &event.kind else { return Vec::new() };
        attempt.progress(event, progress).into_iter().collect()
    }
}

impl Attempt {
    fn progress(&mut self, event: &StudioEvent, progress: &Progress) -> Option<Span> {
        match progress {
            Progress::AgentStarted { agent, .. } => {
                let span = span_id(&event.run, event.seq);
                self.agents.push(AtWork { name: agent.clone(), span, begun: event.at });
                None
            }
            Progress::AgentFinished { agent, .. } => self.finished(agent, event),
            // What a review ends with instead.
            Progress::Reviewed { .. } => self.finished(REVIEW_AGENT, event),
            Progress::Called { reused: true, .. } => None,
            Progress::Called { agent, purpose, model, usage, attempts, millis, .. } => {
                let (provider, name) = model.split_once('/').unwrap_or(("", model));
                let attributes = vec![
                    KeyValue::string("gen_ai.operation.name", "chat"),
                    KeyValue::string("gen_ai.provider.name", provider),
                    KeyValue::string("gen_ai.request.model", name),
                    KeyValue::int("gen_ai.usage.input_tokens", usage.input),
                    KeyValue::int("gen_ai.usage.output_tokens", usage.output),
                    KeyValue::int("gen_ai.usage.cache_read.input_tokens", usage.cached),
                    KeyValue::string("gen_ai.agent.name", agent),
                    KeyValue::string("qingyu.purpose", purpose),
                    KeyValue::int("qingyu.attempts", u64::from(*attempts)),
                ];
                let span = self.child(event, format!("chat {name}"), agent, *millis, attributes);
                Some(Span { kind: SpanKind::CLIENT, ..span })
            }
            Progress::ToolCalled { agent, tool, success, millis } => {
                let attributes = vec![
                    KeyValue::string("gen_ai.operation.name", "execute_tool"),
                    KeyValue::string("gen_ai.tool.name", tool),
                    KeyValue::string("gen_ai.agent.name", agent),
                ];
                let span = self.child(event, format!("execute_tool {tool}"), agent, *millis, attributes);
                Some(Span { status: (!success).then(|| failed("the tool had no answer")), ..span })
            }
            _ => None,
        }
    }

    /// The agent of this name that began last has ended.
    fn finished(&mut self, name: &str, event: &StudioEvent) -> Option<Span> {
        let place = self.agents.iter().rposition(|at_work| at_work.name == name)?;
        let at_work = self.agents.remove(place);
        Some(self.agent(at_work, event))
    }

    /// The attempt itself, after the agents that were cut off with it.
    fn end(mut self, event: &StudioEvent) -> Vec<Span> {
        let agents = std::mem::take(&mut self.agents);
        let mut spans: Vec<Span> = agents.into_iter().map(|at_work| self.agent(at_work, event)).collect();
        let (ended, status) = match &event.kind {
            EventKind::Failed { failure } => ("failed", Some(failed(&failure.code))),
            EventKind::Waiting { .. } => ("waiting", None),
            EventKind::Interrupted => ("interrupted", None),
            _ => ("done", None),
        };
        let attributes = vec![
            KeyValue::string("gen_ai.operation.name", "invoke_agent"),
            KeyValue::string("gen_ai.agent.name", "qingyu"),
            KeyValue::string("gen_ai.conversation.id", &event.run),
            KeyValue::string("qingyu.run", &event.run),
            KeyValue::string("qingyu.project", &self.project),
            KeyValue::string("qingyu.status", ended),
        ];
        spans.push(Span { status, ..span(event, self.span, None, "run".into(), self.begun, attributes) });
        spans
    }

    fn agent(&self, at_work: AtWork, event: &StudioEvent) -> Span {
        let AtWork { name, span: id, begun } = at_work;
        let attributes = vec![
            KeyValue::string("gen_ai.operation.name", "invoke_agent"),
            KeyValue::string("gen_ai.agent.name", &name),
        ];
        span(event, id, Some(self.span), format!("invoke_agent {name}"), begun, attributes)
    }

    /// Something that took so long, and ended just now, by an agent.
    fn child(&self, event: &StudioEvent, name: String, agent: &str, millis: u64, attributes: Vec<KeyValue>) -> Span {
        let parent = self.agents.iter().rev().find(|at_work| at_work.name == agent);
        let parent = parent.map_or(self.span, |at_work| at_work.span);
        let took = jiff::SignedDuration::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
        let begun = event.at.checked_sub(took).unwrap_or(event.at);
        span(event, span_id(&event.run, event.seq), Some(parent), name, begun, attributes)
    }
}

/// A span that ends with the event.
fn span(
    event: &StudioEvent,
    id: Id<8>,
    parent: Option<Id<8>>,
    name: String,
    begun: Timestamp,
    attributes: Vec<KeyValue>,
) -> Span {
    Span {
        trace_id: Id(prefix(&event.run)),
        span_id: id,
        parent_span_id: parent,
        name,
        kind: SpanKind::INTERNAL,
        start_time_unix_nano: nanos(begun),
        end_time_unix_nano: nanos(event.at),
        attributes,
        status: None,
    }
}

fn span_id(run: &str, seq: u64) -> Id<8> {
    Id(prefix(&format!("{run}#{seq}")))
}

/// Returns the first `N` bytes, at most 32, of the digest of `text`.
fn prefix<const N: usize>(text: &str) -> [u8; N] {
    let digest = Sha256::digest(text);
    std::array::from_fn(|place| digest[place])
}

fn nanos(at: Timestamp) -> u64 {
    u64::try_from(at.as_nanosecond()).unwrap_or_default()
}

fn failed(message: &str) -> Status {
    Status { message: message.to_owned(), code: StatusCode::ERROR }
}
