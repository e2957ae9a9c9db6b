//! What a run tells, as frames of the stream modes that a client asked for. No I/O.

use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{EventKind, StudioEvent};
use serde_json::{Value, json};

/// One frame of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    /// The mode, or `metadata`, `error`, `end`.
    pub(super) event: &'static str,
    pub(super) data: Value,
    /// The event it comes from, if a stream can begin again after it.
    pub(super) id: Option<u64>,
}

/// A way to look at a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The whole state, at its milestones.
    Values,
    /// What each agent has brought.
    Updates,
    /// Every event of ours.
    Custom,
    /// Words as they come, each with who says them.
    MessagesTuple,
}

impl Mode {
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "values" => Some(Self::Values),
            "updates" => Some(Self::Updates),
            "custom" => Some(Self::Custom),
            "messages-tuple" => Some(Self::MessagesTuple),
            _ => None,
        }
    }
}

/// The first frame.
pub(super) fn begin(run: &str) -> Frame {
    Frame { event: "metadata", data: json!({"run_id": run, "attempt": 1}), id: None }
}

/// The last frame.
pub(super) fn end() -> Frame {
    Frame { event: "end", data: Value::Null, id: None }
}

/// A failure, after which nothing follows.
pub(super) fn error(code: &str, message: &str) -> Frame {
    Frame { event: "error", data: json!({"error": code, "message": message}), id: None }
}

/// Whether `values` shows the state after this event.
pub(super) fn is_milestone(event: &StudioEvent) -> bool {
    matches!(event.kind, EventKind::Saved { .. } | EventKind::Completed { .. } | EventKind::Waiting { .. })
}

/// The frames of an event; `values` is the state after it, if it [is a milestone](is_milestone).
pub(super) fn frames(modes: &[Mode], event: &StudioEvent, values: Option<&Value>) -> Vec<Frame> {
    let is_text = matches!(event.kind, EventKind::Progress(Progress::Text { .. }));
    let frame = |event_name, data| Frame { event: event_name, data, id: (!is_text).then_some(event.seq) };
    let mut frames = Vec::new();
    for mode in modes {
        match mode {
            Mode::Values => frames.extend(values.map(|values| frame("values", values.clone()))),
            Mode::Updates => frames.extend(update(event).map(|data| frame("updates", data))),
            Mode::Custom => frames.push(frame("custom", json!(event))),
            Mode::MessagesTuple => {
                if let EventKind::Progress(Progress::Text { agent, text }) = &event.kind {
                    let said =
                        json!({"type": "AIMessageChunk", "content": text, "id": format!("{}-{agent}", event.run)});
                    frames.push(frame("messages", json!([said, {"langgraph_node": agent, "run_id": event.run}])));
                }
            }
        }
    }
    if let EventKind::Failed { failure } = &event.kind {
        frames.push(error(&failure.code, &failure.message));
    }
    frames
}

/// What an agent has brought, under its name.
fn update(event: &StudioEvent) -> Option<Value> {
    match &event.kind {
        EventKind::Progress(Progress::AgentFinished { agent, summary, pieces, .. }) => {
            Some(json!({agent: {"summary": summary, "pieces": pieces}}))
        }
        EventKind::Progress(Progress::SubtaskFinished { task, agent, status, summary }) => {
            Some(json!({agent: {"task": task, "status": status, "summary": summary}}))
        }
        EventKind::Progress(Progress::Field { path, step, .. }) => Some(json!({"field": {"path": path, "step": step}})),
        EventKind::Progress(Progress::Chapter { chapter, title, step }) => {
            Some(json!({"chapter": {"chapter": chapter, "title": title, "step": step}}))
        }
        EventKind::Waiting { question, .. } => Some(json!({"__interrupt__": [{"value": question, "id": event.run}]})),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: u64, kind: &Value) -> StudioEvent {
        let mut event = json!({"seq": seq, "at": "2026-01-01T00:00:00Z", "run": "r-1", "project": "p-1"});
        event.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
        serde_json::from_value(event).unwrap()
    }

    #[test]
    fn each_mode_shows_what_it_is_for() {
        let all = ["values", "updates", "custom", "messages-tuple"].map(|name| Mode::named(name).unwrap());
        let state = json!({"n": 1});
        for (kind, values, expected) in [
            (json!({"kind": "text", "agent": "a", "text": "雨"}), None, vec!["custom", "messages"]),
            (
                json!({"kind": "agent_finished", "agent": "a", "summary": "", "pieces": []}),
                None,
                vec!["updates", "custom"],
            ),
            (json!({"kind": "saved", "version": 1, "pieces": 2, "agent": "a"}), Some(&state), vec!["values", "custom"]),
            (
                json!({"kind": "waiting", "question": {"asks": "turn"}}),
                Some(&state),
                vec!["values", "updates", "custom"],
            ),
            (json!({"kind": "failed", "failure": {"code": "x", "message": "y"}}), None, vec!["custom", "error"]),
        ] {
            let event = event(4, &kind);
            assert_eq!(is_milestone(&event), values.is_some(), "{kind}");
            let frames = frames(&all, &event, values);
            assert_eq!(frames.iter().map(|frame| frame.event).collect::<Vec<_>>(), expected, "{kind}");
            let is_text = kind["kind"] == "text";
            assert!(frames.iter().all(|frame| frame.id.is_none() == (is_text || frame.event == "error")), "{frames:?}");
        }
    }

    #[test]
    fn a_question_is_an_interrupt() {
        let asked = event(2, &json!({"kind": "waiting", "question": {"asks": "turn"}}));
        let frames = frames(&[Mode::Updates], &asked, None);
        assert_eq!(frames[0].data["__interrupt__"][0]["id"], "r-1");
        assert_eq!(Mode::named("debug"), None);
    }
}
