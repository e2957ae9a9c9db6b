//! Events in the form of LangChain's `astream_events`.

use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{StudioEvent, StudioEventKind};
use serde_json::{Map, Value, json};

use super::messages::{Message, Spoken};
use super::tasks::{self, Task};
use crate::langgraph::interrupt;

/// The name of the run as a chain.
const RUN: &str = "qingyu";

/// Returns the events of an event of ours, whose tasks and messages are `tasks` and `spoken`.
pub(super) fn events(event: &StudioEvent, tasks: &[Task], spoken: &[Spoken]) -> Vec<Value> {
    let mut events = Vec::new();
    if let StudioEventKind::RunStarted { requirement, resumed, .. } = &event.kind {
        events.push(of_run(
            event,
            "on_chain_start",
            &json!({"input": {"requirement": requirement, "resumed": resumed}}),
        ));
    }
    events.extend(spoken.iter().flat_map(|spoken| of_message(event, spoken)));
    events.extend(tasks.iter().map(|task| of_task(event, task)));
    match &event.kind {
        StudioEventKind::Progress(Progress::ToolCalled { agent, tool, success, millis }) => {
            let id = tasks::id(event);
            let output = json!({"output": {"success": success, "millis": millis}});
            events.push(part_event(event, "on_tool_start", tool, &id, agent, &json!({"input": null})));
            events.push(part_event(event, "on_tool_end", tool, &id, agent, &output));
        }
        StudioEventKind::Saved { version, pieces, agent } => {
            let data = json!({"version": version, "pieces": pieces});
            events.push(part_event(event, "on_custom_event", "saved", &event.run, agent, &data));
        }
        StudioEventKind::Completed { summary } => {
            events.push(of_run(event, "on_chain_end", &json!({"output": {"status": summary.status}})));
        }
        StudioEventKind::Waiting { question, .. } => {
            let interrupts = interrupt::interrupts(&event.run, question);
            events.push(of_run(event, "on_chain_end", &json!({"output": {"__interrupt__": interrupts}})));
        }
        StudioEventKind::Interrupted => events.push(of_run(event, "on_chain_end", &json!({"output": null}))),
        StudioEventKind::Failed { failure } => {
            events.push(of_run(event, "on_chain_error", &json!({"error": failure.message})));
        }
        StudioEventKind::Progress(_) | StudioEventKind::RunStarted { .. } => {}
    }
    events
}

fn of_message(event: &StudioEvent, spoken: &Spoken) -> Vec<Value> {
    let told = |name: &str, message: &Message, data: &Value| {
        part_event(event, name, &message.agent, &message.id, &message.agent, data)
    };
    match spoken {
        Spoken::Piece { message, piece, is_first } => {
            let begun = is_first.then(|| told("on_chat_model_start", message, &json!({"input": null})));
            let chunk = json!({"chunk": message.json("AIMessageChunk", piece)});
            begun.into_iter().chain([told("on_chat_model_stream", message, &chunk)]).collect()
        }
        Spoken::Complete { message } => {
            vec![told("on_chat_model_end", message, &json!({"output": message.json("ai", &message.text)}))]
        }
    }
}

fn of_task(event: &StudioEvent, task: &Task) -> Value {
    match task {
        Task::Begun { id, name, input } => {
            part_event(event, "on_chain_start", name, id, name, &json!({"input": input}))
        }
        Task::Ended { id, name, error: Some(error), .. } => {
            part_event(event, "on_chain_error", name, id, name, &json!({"error": error}))
        }
        Task::Ended { id, name, result, interrupts, .. } => {
            let mut output: Map<String, Value> =
                result.iter().map(|(field, value)| ((*field).to_owned(), value.clone())).collect();
            if interrupts.as_array().is_some_and(|interrupts| !interrupts.is_empty()) {
                output.insert("__interrupt__".into(), interrupts.clone());
            }
            part_event(event, "on_chain_end", name, id, name, &json!({"output": output}))
        }
    }
}

/// Returns an event of the run itself.
fn of_run(event: &StudioEvent, name: &str, data: &Value) -> Value {
    json!({
        "event": name, "name": RUN, "run_id": event.run, "tags": [], "parent_ids": [],
        "metadata": {"run_id": event.run}, "data": data,
    })
}

/// Returns an event of a part of the run: `id` is that of the part, `node` the agent.
fn part_event(event: &StudioEvent, kind: &str, name: &str, id: &str, node: &str, data: &Value) -> Value {
    json!({
        "event": kind, "name": name, "run_id": id, "tags": [], "parent_ids": [event.run],
        "metadata": {"langgraph_node": node, "run_id": event.run}, "data": data,
    })
}
