//! Spans derived from a run's events.
//!
//! The ids are derived from the run's id and the event numbers, so every server creates the same spans, and an event
//! repeated after a crash yields a duplicate of the same span.

use std::collections::HashMap;

use jiff::Timestamp;
use qingyu_story::digest::prefix;
use qingyu_studio::agents::plan::REVIEW_AGENT;
use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{StudioEvent, StudioEventKind};

use super::otlp::{Id, KeyValue, OtlpSpan, OtlpStatus, SpanKind, StatusCode};

/// The open spans of active runs.
#[derive(Debug, Default)]
pub(super) struct OpenTraces {
    open: HashMap<String, RunAttempt>,
}

/// An attempt of a run, from its start or a resume.
#[derive(Debug)]
struct RunAttempt {
    span: Id<8>,
    begun: Timestamp,
    project: String,
    /// The running agents, in order of their start.
    agents: Vec<ActiveAgentSpan>,
}

#[derive(Debug)]
struct ActiveAgentSpan {
    name: String,
    span: Id<8>,
    begun: Timestamp,
}

impl OpenTraces {
    /// Returns the spans ended by an event.
    pub(super) fn told(&mut self, event: &StudioEvent) -> Vec<OtlpSpan> {
        if let StudioEventKind::RunStarted { .. } = event.kind {
            let span = span_id(&event.run, event.seq);
            let attempt = RunAttempt { span, begun: event.at, project: event.project.clone(), agents: Vec::new() };
            self.open.insert(event.run.clone(), attempt);
            return Vec::new();
        }
        if event.kind.is_last() {
            return self.open.remove(&event.run).map(|attempt| attempt.end(event)).unwrap_or_default();
        }
        let Some(attempt) = self.open.get_mut(&event.run) else { return Vec::new() };
        let StudioEventKind::Progress(progress) = &event.kind else { return Vec::new() };
        attempt.progress(event, progress).into_iter().collect()
    }
}

impl RunAttempt {
    fn progress(&mut self, event: &StudioEvent, progress: &Progress) -> Option<OtlpSpan> {
        match progress {
            Progress::AgentStarted { agent, .. } => {
                let span = span_id(&event.run, event.seq);
                self.agents.push(ActiveAgentSpan { name: agent.clone(), span, begun: event.at });
                None
            }
            Progress::AgentFinished { agent, .. } => self.finished(agent, event),
            // A review has no other end event.
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
                Some(OtlpSpan { kind: SpanKind::CLIENT, ..span })
            }
            Progress::ToolCalled { agent, tool, success, millis } => {
                let attributes = vec![
                    KeyValue::string("gen_ai.operation.name", "execute_tool"),
                    KeyValue::string("gen_ai.tool.name", tool),
                    KeyValue::string("gen_ai.agent.name", agent),
                ];
                let span = self.child(event, format!("execute_tool {tool}"), agent, *millis, attributes);
                Some(OtlpSpan { status: (!success).then(|| failed("the tool had no answer")), ..span })
            }
            _ => None,
        }
    }

    /// Ends the most recently started agent of a name.
    fn finished(&mut self, name: &str, event: &StudioEvent) -> Option<OtlpSpan> {
        let place = self.agents.iter().rposition(|at_work| at_work.name == name)?;
        let at_work = self.agents.remove(place);
        Some(self.agent(at_work, event))
    }

    /// Returns the span of the attempt, after the spans of aborted agents.
    fn end(mut self, event: &StudioEvent) -> Vec<OtlpSpan> {
        let agents = std::mem::take(&mut self.agents);
        let mut spans: Vec<OtlpSpan> = agents.into_iter().map(|at_work| self.agent(at_work, event)).collect();
        let (ended, status) = match &event.kind {
            StudioEventKind::Failed { failure } => ("failed", Some(failed(&failure.code))),
            StudioEventKind::Waiting { .. } => ("waiting", None),
            StudioEventKind::Interrupted => ("interrupted", None),
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
        spans.push(OtlpSpan { status, ..span(event, self.span, None, "run".into(), self.begun, attributes) });
        spans
    }

    fn agent(&self, at_work: ActiveAgentSpan, event: &StudioEvent) -> OtlpSpan {
        let ActiveAgentSpan { name, span: id, begun } = at_work;
        let attributes = vec![
            KeyValue::string("gen_ai.operation.name", "invoke_agent"),
            KeyValue::string("gen_ai.agent.name", &name),
        ];
        span(event, id, Some(self.span), format!("invoke_agent {name}"), begun, attributes)
    }

    /// Returns a span of an agent's activity with a given duration, ending at the event.
    fn child(
        &self,
        event: &StudioEvent,
        name: String,
        agent: &str,
        millis: u64,
        attributes: Vec<KeyValue>,
    ) -> OtlpSpan {
        let parent = self.agents.iter().rev().find(|at_work| at_work.name == agent);
        let parent = parent.map_or(self.span, |at_work| at_work.span);
        let took = jiff::SignedDuration::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
        let begun = event.at.checked_sub(took).unwrap_or(event.at);
        span(event, span_id(&event.run, event.seq), Some(parent), name, begun, attributes)
    }
}

/// Returns a span ending at the event.
fn span(
    event: &StudioEvent,
    id: Id<8>,
    parent: Option<Id<8>>,
    name: String,
    begun: Timestamp,
    attributes: Vec<KeyValue>,
) -> OtlpSpan {
    OtlpSpan {
        trace_id: Id(prefix(event.run.as_bytes())),
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
    Id(prefix(format!("{run}#{seq}").as_bytes()))
}

fn nanos(at: Timestamp) -> u64 {
    u64::try_from(at.as_nanosecond()).unwrap_or_default()
}

fn failed(message: &str) -> OtlpStatus {
    OtlpStatus { message: message.to_owned(), code: StatusCode::ERROR }
}
