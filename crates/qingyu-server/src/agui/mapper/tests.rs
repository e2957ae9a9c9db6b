use qingyu_studio::StudioEvent;
use serde_json::{Value, json};

use super::*;

fn event(seq: u64, kind: &Value) -> StudioEvent {
    let mut event = json!({"seq": seq, "at": "2026-01-01T00:00:00Z", "run": "r-1", "project": "p-1"});
    event.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
    serde_json::from_value(event).unwrap()
}

fn outcome(question: Option<&Value>) -> Outcome {
    serde_json::from_value(json!({
        "project": "p-1", "run": "r-1", "status": if question.is_some() { "waiting" } else { "done" },
        "made": "nothing", "reasoning": ["写好了"], "warnings": [], "errors": [], "question": question,
        "usage": {"input": 3, "cached": 1, "output": 2, "total": 5, "calls": 1, "estimated": false, "cost": null,
                  "by_agent": {}},
    }))
    .unwrap()
}

/// The types of the events, with what each is about.
fn kinds(events: &[AguiEvent]) -> Vec<String> {
    let about = ["stepName", "name", "delta", "toolCallName", "code"];
    let named = |event: &AguiEvent| {
        let wire = serde_json::to_value(event).unwrap();
        let about = about.iter().find_map(|field| wire[field].as_str()).unwrap_or_default();
        format!("{} {about}", wire["type"].as_str().unwrap()).trim_end().to_owned()
    };
    events.iter().map(named).collect()
}

fn recorded(last: &Value, outcome: &Outcome) -> Vec<AguiEvent> {
    let mut mapper = AguiMapper::new("t", "c");
    let mut events = mapper.begin(json!({"story": {"premise": ""}}));
    let agent = |kind: &str| {
        json!({"kind": kind, "agent": "plot_agent", "mode": "generate", "step_id": null, "task": "情节",
            "summary": "三处", "pieces": []})
    };
    for (seq, kind) in [
        (1, json!({"kind": "phase", "phase": "plan", "title": "计划"})),
        (2, agent("agent_started")),
        (2, json!({"kind": "text", "agent": "plot_agent", "text": "雨"})),
        (2, json!({"kind": "text", "agent": "plot_agent", "text": "夜"})),
        (3, json!({"kind": "tool_called", "agent": "plot_agent", "tool": "look", "success": true, "millis": 3})),
        (4, agent("agent_finished")),
        (5, json!({"kind": "phase", "phase": "write", "title": "写"})),
        (6, json!({"kind": "saved", "version": 2, "pieces": 1, "agent": "plot_agent"})),
    ] {
        events.extend(mapper.frames(&event(seq, &kind)));
    }
    events.extend(mapper.story(json!({"premise": "灯塔"})));
    events.extend(mapper.end(&event(7, last), outcome));
    events
}

#[test]
fn a_run_is_told_in_order_and_everything_that_begins_ends() {
    let events = recorded(&json!({"kind": "interrupted"}), &outcome(None));
    let expected = [
        "RUN_STARTED",
        "STATE_SNAPSHOT",
        "STEP_STARTED plan",
        "STATE_DELTA",
        "SUBAGENT_STARTED plot_agent",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT 雨",
        "TEXT_MESSAGE_CONTENT 夜",
        "TOOL_CALL_START look",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_END",
        "SUBAGENT_FINISHED",
        "STEP_FINISHED plan",
        "STEP_STARTED write",
        "STATE_DELTA",
        "STATE_DELTA",
        "STATE_DELTA",
        "STEP_FINISHED write",
        "STATE_DELTA",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT 写好了",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ];
    assert_eq!(kinds(&events), expected);
    let premise = Patch::Replace { path: "/story/premise".into(), value: "灯塔".into() };
    assert!(events.contains(&AguiEvent::StateDelta { delta: vec![premise] }));
    let wire = serde_json::to_value(events.last().unwrap()).unwrap();
    assert_eq!((&wire["outcome"]["type"], &wire["usage"][0]["totalTokens"]), (&json!("cancelled"), &json!(5)));
    assert_eq!((&wire["threadId"], &wire["runId"]), (&json!("t"), &json!("c")));
}

#[test]
fn a_question_is_an_interrupt_that_names_the_run() {
    let question = json!({"asks": "turn", "turn": {"text": "写给谁？"}});
    let last = json!({"kind": "waiting", "question": question});
    let events = recorded(&last, &outcome(Some(&question)));
    let wire = serde_json::to_value(events.last().unwrap()).unwrap();
    let interrupt = &wire["outcome"]["interrupts"][0];
    assert_eq!((&interrupt["id"], &interrupt["reason"]), (&json!("r-1"), &json!("qingyu:turn")));
    assert_eq!(interrupt["message"], "写给谁？");
    assert!(interrupt["responseSchema"].is_object());
}

#[test]
fn a_failure_is_an_error_and_nothing_follows() {
    let failure = json!({"kind": "failed", "failure": {"code": "no_key", "message": "there is no key"}});
    let events = recorded(&failure, &outcome(None));
    assert_eq!(kinds(&events).last().unwrap(), "RUN_ERROR no_key");
}
