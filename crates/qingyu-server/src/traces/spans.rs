//! Spans as a function of a run's events.
//!
//! The ids are made of the run's id and the events' numbers, so that every server makes the same, and what is told again
//! after a crash is the same span once more.

use std::collections::HashMap;

use jiff::Timestamp;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value::Value};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{Span, Status};
use qingyu_studio::agents::plan::REVIEW_AGENT;
use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{EventKind, StudioEvent};
use sha2::{Digest, Sha256};

/// The runs that are at work, as far as their spans go.
#[derive(Debug, Default)]
pub(super) struct Traces {
    open: HashMap<String, Attempt>,
}

/// An attempt to bring a run to its end, from its start or a resume on.
#[derive(Debug)]
struct Attempt {
    span: Vec<u8>,
    begun: Timestamp,
    project: String,
    /// The agents at work, in the order in which they began.
    agents: Vec<AtWork>,
}

#[derive(Debug)]
struct AtWork {
    name: String,
    span: Vec<u8>,
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
                    word("gen_ai.operation.name", "chat"),
                    word("gen_ai.provider.name", provider),
                    word("gen_ai.request.model", name),
                    number("gen_ai.usage.input_tokens", usage.input),
                    number("gen_ai.usage.output_tokens", usage.output),
                    number("gen_ai.usage.cache_read.input_tokens", usage.cached),
                    word("gen_ai.agent.name", agent),
                    word("qingyu.purpose", purpose),
                    number("qingyu.attempts", u64::from(*attempts)),
                ];
                let span = self.child(event, format!("chat {name}"), agent, *millis, attributes);
                Some(Span { kind: SpanKind::Client.into(), ..span })
            }
            Progress::ToolCalled { agent, tool, success, millis } => {
                let attributes = vec![
                    word("gen_ai.operation.name", "execute_tool"),
                    word("gen_ai.tool.name", tool),
                    word("gen_ai.agent.name", agent),
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
            word("gen_ai.operation.name", "invoke_agent"),
            word("gen_ai.agent.name", "qingyu"),
            word("gen_ai.conversation.id", &event.run),
            word("qingyu.run", &event.run),
            word("qingyu.project", &self.project),
            word("qingyu.status", ended),
        ];
        spans.push(Span { status, ..span(event, self.span, Vec::new(), "run".into(), self.begun, attributes) });
        spans
    }

    fn agent(&self, at_work: AtWork, event: &StudioEvent) -> Span {
        let AtWork { name, span: id, begun } = at_work;
        let attributes = vec![word("gen_ai.operation.name", "invoke_agent"), word("gen_ai.agent.name", &name)];
        span(event, id, self.span.clone(), format!("invoke_agent {name}"), begun, attributes)
    }

    /// Something that took so long, and ended just now, by an agent.
    fn child(&self, event: &StudioEvent, name: String, agent: &str, millis: u64, attributes: Vec<KeyValue>) -> Span {
        let parent = self.agents.iter().rev().find(|at_work| at_work.name == agent);
        let parent = parent.map_or(&self.span, |at_work| &at_work.span).clone();
        let took = jiff::SignedDuration::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
        let begun = event.at.checked_sub(took).unwrap_or(event.at);
        span(event, span_id(&event.run, event.seq), parent, name, begun, attributes)
    }
}

/// A span that ends with the event.
fn span(
    event: &StudioEvent,
    id: Vec<u8>,
    parent: Vec<u8>,
    name: String,
    begun: Timestamp,
    attributes: Vec<KeyValue>,
) -> Span {
    Span {
        trace_id: Sha256::digest(&event.run)[..16].to_vec(),
        span_id: id,
        parent_span_id: parent,
        name,
        kind: SpanKind::Internal.into(),
        start_time_unix_nano: nanos(begun),
        end_time_unix_nano: nanos(event.at),
        attributes,
        ..Span::default()
    }
}

fn span_id(run: &str, seq: u64) -> Vec<u8> {
    Sha256::digest(format!("{run}#{seq}"))[..8].to_vec()
}

fn nanos(at: Timestamp) -> u64 {
    u64::try_from(at.as_nanosecond()).unwrap_or_default()
}

fn failed(message: &str) -> Status {
    Status { message: message.to_owned(), code: StatusCode::Error.into() }
}

fn word(key: &str, value: &str) -> KeyValue {
    attribute(key, Value::StringValue(value.to_owned()))
}

fn number(key: &str, value: u64) -> KeyValue {
    attribute(key, Value::IntValue(i64::try_from(value).unwrap_or(i64::MAX)))
}

/// An attribute of a span, or of the whole process.
pub(super) fn attribute(key: &str, value: Value) -> KeyValue {
    KeyValue { key: key.to_owned(), value: Some(AnyValue { value: Some(value) }), ..KeyValue::default() }
}
