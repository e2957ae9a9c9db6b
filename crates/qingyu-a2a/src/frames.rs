//! Conversion of run events to the protocol's updates: a pure function.

use std::collections::BTreeMap;
use std::time::SystemTime;

use a2a::{
    Artifact, Message, Part, Role, StreamResponse, TaskArtifactUpdateEvent, TaskState, TaskStatus,
    TaskStatusUpdateEvent,
};
use jiff::{Timestamp, Unit};
use qingyu_studio::agents::progress::Progress;
use qingyu_studio::story::Language;
use qingyu_studio::{FailureRecord, RunQuestion, StudioEvent, StudioEventKind};
use serde_json::{Value, json};

use crate::{error, question};

/// The updates of one task.
#[derive(Debug)]
pub(crate) struct TaskUpdateMapper {
    task: String,
    context: String,
    language: Language,
    /// The artifact each running agent streams text into.
    drafts: BTreeMap<String, String>,
    drafted: usize,
}

impl TaskUpdateMapper {
    /// Creates the converter for `task`, with texts in `language`.
    pub(crate) fn new(task: &str, context: &str, language: Language) -> Self {
        Self { task: task.into(), context: context.into(), language, drafts: BTreeMap::new(), drafted: 0 }
    }

    /// Returns the updates of an event; `made` contains the run's artifacts if the event is the last.
    pub(crate) fn frames(&mut self, event: &StudioEvent, made: Vec<Artifact>) -> Vec<StreamResponse> {
        let mut frames = Vec::new();
        match &event.kind {
            StudioEventKind::Progress(Progress::Text { agent, text }) => return vec![self.draft(agent, text)],
            StudioEventKind::Progress(Progress::Called { agent, .. } | Progress::AgentFinished { agent, .. }) => {
                frames.extend(self.drafts.remove(agent).map(|draft| self.drafted(&draft)));
            }
            kind if kind.is_last() => {
                let drafts = std::mem::take(&mut self.drafts);
                frames.extend(drafts.into_values().map(|draft| self.drafted(&draft)));
            }
            _ => {}
        }
        frames.extend(made.into_iter().map(|artifact| self.artifact(artifact, false, true)));
        let context = self.context.clone();
        let status = status(&event.kind, event.at, self.language, &self.task, &context);
        frames.push(StreamResponse::StatusUpdate(TaskStatusUpdateEvent {
            task_id: self.task.clone(),
            context_id: context,
            status,
            metadata: Some([("event".to_owned(), told(event))].into()),
        }));
        frames
    }

    fn draft(&mut self, agent: &str, text: &str) -> StreamResponse {
        let is_begun = self.drafts.contains_key(agent);
        if !is_begun {
            self.drafted += 1;
            self.drafts.insert(agent.to_owned(), format!("draft-{}", self.drafted));
        }
        let artifact =
            Artifact { name: Some(agent.to_owned()), ..artifact(&self.drafts[agent], vec![Part::text(text)]) };
        self.artifact(artifact, is_begun, false)
    }

    /// Returns the final update of a draft.
    fn drafted(&self, draft: &str) -> StreamResponse {
        self.artifact(artifact(draft, vec![Part::text("")]), true, true)
    }

    fn artifact(&self, artifact: Artifact, append: bool, last: bool) -> StreamResponse {
        StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
            task_id: self.task.clone(),
            context_id: self.context.clone(),
            artifact,
            append: Some(append),
            last_chunk: Some(last),
            metadata: None,
        })
    }
}

/// Returns an artifact with the given parts.
pub(crate) fn artifact(id: &str, parts: Vec<Part>) -> Artifact {
    let (name, description, metadata, extensions) = (None, None, None, None);
    Artifact { artifact_id: id.into(), name, description, parts, metadata, extensions }
}

/// Returns the task status after an event.
fn status(kind: &StudioEventKind, at: Timestamp, language: Language, task: &str, context: &str) -> TaskStatus {
    let told = |parts| Some(said(Role::Agent, parts, task, context, at));
    let (state, message) = match kind {
        StudioEventKind::Completed { .. } => (TaskState::Completed, None),
        StudioEventKind::Waiting { question, .. } => (TaskState::InputRequired, told(asked(question, language))),
        StudioEventKind::Failed { failure } => (TaskState::Failed, told(failed(failure))),
        StudioEventKind::Interrupted => (TaskState::Canceled, None),
        _ => (TaskState::Working, None),
    };
    TaskStatus { state, message, timestamp: Some(timestamp(at).into()) }
}

/// Returns a question in words and as data.
pub(crate) fn asked(question: &RunQuestion, language: Language) -> Vec<Part> {
    vec![Part::text(question::words(question, language)), Part::data(json!({"question": question}))]
}

/// Returns a failure in words and as a code; its data may contain details of the machine and is omitted.
pub(crate) fn failed(failure: &FailureRecord) -> Vec<Part> {
    let message = error::public_message(&failure.code, &failure.message);
    vec![Part::text(message), Part::data(json!({"failure": {"code": failure.code}}))]
}

/// Returns a message of the task. The id is derived from the time, so repeated calls return the same id.
pub(crate) fn said(role: Role, parts: Vec<Part>, task: &str, context: &str, at: Timestamp) -> Message {
    Message {
        message_id: format!("{task}-{}", at.as_millisecond()),
        context_id: Some(context.to_owned()),
        task_id: Some(task.to_owned()),
        ..Message::new(role, parts)
    }
}

/// Returns the time in milliseconds precision, as required by the protocol.
pub(crate) fn timestamp(at: Timestamp) -> SystemTime {
    at.round(Unit::Millisecond).unwrap_or(at).into()
}

/// Returns the event as data, without details of the machine.
fn told(event: &StudioEvent) -> Value {
    let mut told = json!({"seq": event.seq, "kind": event.kind});
    let kind = &mut told["kind"];
    for within in ["data_folder", "failure"] {
        kind.as_object_mut().and_then(|fields| fields.remove(within));
    }
    if let Some(summary) = kind.get_mut("summary").and_then(Value::as_object_mut) {
        summary.remove("data_folder");
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns numbered events as stored in a log.
    fn events(kinds: &[Value]) -> Vec<StudioEvent> {
        let event = |(at, kind): (usize, &Value)| {
            let mut event = kind.clone();
            let head = json!({"seq": at + 1, "at": "2026-11-22T10:00:00.123456Z", "run": "r", "project": "p"});
            event.as_object_mut().unwrap().extend(head.as_object().unwrap().clone());
            serde_json::from_value(event).unwrap()
        };
        kinds.iter().enumerate().map(event).collect()
    }

    fn line(frame: &StreamResponse) -> String {
        match frame {
            StreamResponse::ArtifactUpdate(update) => {
                let text = update.artifact.parts[0].as_text().unwrap_or("{}");
                let (append, last) = (update.append.unwrap(), update.last_chunk.unwrap());
                format!("{} {text:?} append={append} last={last}", update.artifact.artifact_id)
            }
            StreamResponse::StatusUpdate(update) => format!("{:?}", update.status.state),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn events_become_updates() {
        let called = json!({"kind": "called", "key": "k", "agent": "outline", "purpose": "outline.generate",
            "model": "m", "usage": {"input": 1, "cached": 0, "output": 1, "estimated": false}, "cost_micros": null,
            "attempts": 1, "repaired": false, "millis": 1, "reused": false});
        let text = |agent: &str, text: &str| json!({"kind": "text", "agent": agent, "text": text});
        let question = json!({"asks": "turn", "turn": {"text": "给谁看？"}});
        let told = events(&[
            text("outline", "第一"),
            text("plot", "雨"),
            text("outline", "章"),
            called,
            json!({"kind": "warning", "message": "slow"}),
            text("outline", "又"),
            json!({"kind": "waiting", "question": question}),
        ]);
        let mut frames = TaskUpdateMapper::new("r", "c", Language::Zh);
        let mut all = Vec::new();
        for event in &told {
            let made =
                if event.kind.is_last() { vec![artifact("outcome", vec![Part::data(json!({}))])] } else { Vec::new() };
            all.extend(frames.frames(event, made));
        }
        let lines: Vec<String> = all.iter().map(line).collect();
        assert_eq!(
            lines,
            [
                "draft-1 \"第一\" append=false last=false",
                "draft-2 \"雨\" append=false last=false",
                "draft-1 \"章\" append=true last=false",
                "draft-1 \"\" append=true last=true",
                "Working",
                "Working",
                "draft-3 \"又\" append=false last=false",
                "draft-3 \"\" append=true last=true",
                "draft-2 \"\" append=true last=true",
                "outcome \"{}\" append=false last=true",
                "InputRequired",
            ]
        );
        let Some(StreamResponse::StatusUpdate(last)) = all.last() else { panic!("a status is last") };
        let asked = last.status.message.as_ref().unwrap();
        assert_eq!((asked.text(), asked.role.clone()), (Some("给谁看？"), Role::Agent));
        let wire = serde_json::to_value(last).unwrap();
        assert_eq!(wire["status"]["timestamp"], "2026-11-22T10:00:00.123Z");
    }

    #[test]
    fn nothing_of_the_machine_is_told() {
        let failure = json!({"code": "storage", "message": "no /home/somebody", "data": {"path": "/home/somebody"}});
        let told = events(&[
            json!({"kind": "run_started", "requirement": "x", "model": {"model": "m", "why": {"reason": "configured", "layer": "flag"}},
                "roles": {}, "data_folder": "/home/somebody", "resumed": false}),
            json!({"kind": "failed", "failure": failure}),
        ]);
        let mut frames = TaskUpdateMapper::new("r", "c", Language::En);
        let wire = told.iter().flat_map(|event| frames.frames(event, Vec::new()));
        let wire = serde_json::to_string(&wire.collect::<Vec<_>>()).unwrap();
        assert!(wire.contains("the server failed (storage)") && wire.contains("run_started"));
        assert!(!wire.contains("/home"), "{wire}");
    }
}
