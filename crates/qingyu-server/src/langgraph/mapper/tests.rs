use super::*;

fn event(seq: u64, kind: &Value) -> StudioEvent {
    let mut event = json!({"seq": seq, "at": "2026-01-01T00:00:00Z", "run": "r-1", "project": "p-1"});
    event.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
    serde_json::from_value(event).unwrap()
}

fn named(names: &[&str]) -> Result<Vec<StreamMode>, LangGraphError> {
    StreamMode::named(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
}

/// The frames of some events in these modes.
fn frames(modes: &[&str], kinds: &[Value]) -> Vec<LangGraphFrame> {
    let mut mapper = Mapper::new("t-1", named(modes).unwrap());
    let mut frames = Vec::new();
    for (seq, kind) in (1..).zip(kinds) {
        let event = event(seq, kind);
        let state = mapper.wants_state(&event).then(|| json!({"n": seq}));
        frames.extend(mapper.frames(&event, state.as_ref()));
    }
    frames
}

fn text(text: &str) -> Value {
    json!({"kind": "text", "agent": "a", "text": text})
}

fn started() -> Value {
    json!({"kind": "agent_started", "agent": "a", "mode": "generate", "step_id": null, "task": "写"})
}

fn finished() -> Value {
    json!({"kind": "agent_finished", "agent": "a", "summary": "s", "pieces": ["c-1"]})
}

fn waiting() -> Value {
    json!({"kind": "waiting", "question": {"asks": "turn"}})
}

#[test]
fn each_mode_shows_what_it_is_for() {
    let all = ["values", "updates", "custom", "messages-tuple", "tasks", "checkpoints"];
    for (kind, expected) in [
        (text("雨"), vec!["custom", "messages"]),
        (started(), vec!["custom", "tasks"]),
        (finished(), vec!["updates", "custom", "tasks"]),
        (json!({"kind": "saved", "version": 1, "pieces": 2, "agent": "a"}), vec!["values", "custom", "checkpoints"]),
        (waiting(), vec!["values", "updates", "custom", "tasks", "checkpoints"]),
        (json!({"kind": "failed", "failure": {"code": "x", "message": "y"}}), vec!["custom", "error"]),
    ] {
        let frames = frames(&all, std::slice::from_ref(&kind));
        assert_eq!(frames.iter().map(|frame| frame.event).collect::<Vec<_>>(), expected, "{kind}");
        let is_text = kind["kind"] == "text";
        assert!(frames.iter().all(|frame| frame.id.is_none() == (is_text || frame.event == "error")), "{frames:?}");
    }
}

#[test]
fn a_question_is_an_interrupt() {
    let frames = frames(&["updates", "tasks", "checkpoints"], &[waiting()]);
    assert_eq!(frames[0].data["__interrupt__"][0]["id"], "r-1");
    assert_eq!(frames[1].data["interrupts"][0]["value"]["asks"], "turn");
    assert_eq!(frames[2].data["next"], json!(["human"]));
    assert_eq!(frames[2].data["config"]["configurable"]["thread_id"], "t-1");
}

#[test]
fn a_breakpoint_is_a_stop_with_due_nodes_and_no_interrupt() {
    let question = json!({"asks": "breakpoint", "before": ["review_agent"], "next": ["review_agent"]});
    let stopped = json!({"kind": "waiting", "question": question});
    let frames = frames(&["updates", "tasks", "checkpoints"], &[stopped]);
    assert_eq!(frames.iter().map(|frame| frame.event).collect::<Vec<_>>(), ["updates", "checkpoints"]);
    assert_eq!(frames[0].data, json!({"__interrupt__": []}));
    assert_eq!(
        (&frames[1].data["next"], &frames[1].data["tasks"][0]["interrupts"]),
        (&json!(["review_agent"]), &json!([]))
    );
}

#[test]
fn messages_are_accumulated_and_end_with_their_agent() {
    let frames = frames(&["messages"], &[text("雨"), text("夜"), finished(), text("晴"), waiting()]);
    let names: Vec<_> = frames.iter().map(|frame| frame.event).collect();
    let message = ["messages/metadata", "messages/partial"];
    let expected =
        [&message[..], &["messages/partial", "messages/complete"], &message, &["messages/complete"]].concat();
    assert_eq!(names, expected);
    let id = frames[1].data[0]["id"].as_str().unwrap();
    assert_eq!(frames[0].data[id]["metadata"]["langgraph_node"], "a");
    let contents: Vec<_> = [1, 2, 3, 5, 6].map(|place| frames[place].data[0]["content"].as_str().unwrap()).into();
    assert_eq!(contents, ["雨", "雨夜", "雨夜", "晴", "晴"]);
    assert_ne!(frames[5].data[0]["id"], id, "another call is another message");
}

#[test]
fn tasks_end_under_the_id_they_began_with() {
    let failed = json!({"kind": "failed", "failure": {"code": "x", "message": "y"}});
    let frames = frames(&["tasks", "debug"], &[started(), finished(), started(), failed, finished()]);
    let tasks: Vec<_> = frames.iter().filter(|frame| frame.event == "tasks").map(|frame| &frame.data).collect();
    assert_eq!((&tasks[0]["id"], &tasks[0]["input"]["task"]), (&json!("r-1-1"), &json!("写")));
    assert_eq!(tasks[1]["id"], "r-1-1");
    assert_eq!(tasks[1]["result"], json!([["summary", "s"], ["pieces", ["c-1"]]]));
    assert_eq!((&tasks[3]["id"], &tasks[3]["error"]), (&json!("r-1-3"), &json!("y")));
    assert_eq!(tasks[4]["id"], "r-1-5", "its beginning is not known");
    let debug: Vec<_> = frames.iter().filter(|frame| frame.event == "debug").map(|frame| &frame.data).collect();
    let kinds: Vec<_> = debug.iter().map(|data| data["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["task", "task_result", "task", "task_result", "task_result"]);
    assert_eq!(&debug[0]["payload"], tasks[0]);
}

#[test]
fn events_are_named_as_langchain_names_them() {
    let tool = json!({"kind": "tool_called", "agent": "a", "tool": "t", "success": true, "millis": 3});
    let frames = frames(&["events"], &[started(), tool, text("雨"), finished(), waiting()]);
    let names: Vec<_> = frames.iter().map(|frame| frame.data["event"].as_str().unwrap()).collect();
    let expected = [
        "on_chain_start",
        "on_tool_start",
        "on_tool_end",
        "on_chat_model_start",
        "on_chat_model_stream",
        "on_chat_model_end",
        "on_chain_end",
        "on_chain_end",
        "on_chain_end",
    ];
    assert_eq!(names, expected);
    assert_eq!(frames[0].data["run_id"], frames[6].data["run_id"]);
    assert_eq!(frames[0].data["parent_ids"], json!(["r-1"]));
    assert!(frames.iter().all(|frame| frame.event == "events"));
}

#[test]
fn only_known_modes_are_named() {
    assert_eq!(named(&["values", "debug", "values"]).unwrap(), [StreamMode::Values, StreamMode::Debug]);
    assert_eq!(named(&[]).unwrap(), []);
    for unknown in ["tools", "lifecycle", ""] {
        assert!(named(&[unknown]).unwrap_err().detail.contains("stream_mode"));
    }
}
