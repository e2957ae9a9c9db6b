//! States as checkpoints. The id of a checkpoint is its run, as in the state of a thread.

use qingyu_studio::{StudioEvent, StudioEventKind};
use serde_json::{Value, json};

use crate::langgraph::interrupt;

/// Returns the state after an event as a checkpoint.
pub(super) fn checkpoint(thread: &str, event: &StudioEvent, state: &Value) -> Value {
    let (next, tasks) = match &event.kind {
        StudioEventKind::Waiting { question, .. } => {
            let next = interrupt::next(question);
            let tasks = interrupt::tasks(&event.run, &next, Some(question));
            (next, tasks)
        }
        _ => (Vec::new(), Vec::new()),
    };
    let place = json!({"thread_id": thread, "checkpoint_ns": "", "checkpoint_id": event.run});
    json!({
        "config": {"configurable": place},
        "parent_config": null,
        "values": state,
        "metadata": {"source": "loop", "step": event.seq, "run_id": event.run},
        "next": next,
        "tasks": tasks,
    })
}

/// Returns the data of the mode `debug`.
pub(super) fn debug(event: &StudioEvent, kind: &str, payload: &Value) -> Value {
    json!({"step": event.seq, "timestamp": event.at, "type": kind, "payload": payload})
}
