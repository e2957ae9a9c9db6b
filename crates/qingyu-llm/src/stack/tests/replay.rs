use serde_json::json;

use super::*;
use crate::cassette::{Recorder, Recording, key};
use crate::stack::Replayed;
use crate::{Finish, ToolCall};

fn full_reply() -> Reply {
    Reply {
        text: "雪夜，门开了。".into(),
        reasoning: "想".into(),
        tool_calls: vec![ToolCall { id: "call_0".into(), name: "search".into(), arguments: "{\"q\":1}".into() }],
        finish: Finish::Other("sensitive".into()),
        usage: Usage { input: 3, cached: 1, output: 2, estimated: false },
        model: "a/one".into(),
        raw: json!({"signature": "x"}),
    }
}

fn asking(text: &str) -> Request {
    Request { messages: vec![Message::user(text)], context: json!({"only": text}), ..request() }
}

async fn ask(model: &dyn ChatModel, request: &Request) -> Result<Reply, Error> {
    drain(model.stream(request).await?).await
}

#[tokio::test]
async fn a_recorded_run_is_played_without_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let scripts = [full_reply().into(), answer("二", 1, 1), lost().into(), answer("三", 1, 1)];
    let model = scripted("a/one", scripts);
    let recorder = Arc::new(Recorder::open(&path).unwrap());
    let recorded = Stack::new(Arc::new(model)).record(recorder).build();
    let (one, other) = (asking("一"), asking("另一"));
    let first = ask(&*recorded, &one).await.unwrap();
    let second = ask(&*recorded, &one).await.unwrap();
    ask(&*recorded, &other).await.unwrap_err();
    let third = ask(&*recorded, &other).await.unwrap();
    assert_eq!(first, full_reply());

    let recording = Arc::new(Recording::open(&path).unwrap());
    assert_eq!(recording.left(), 3, "a failed call leaves no line");
    let replayed = Replayed::new("a/one", Arc::clone(&recording));
    // Out of order among different requests, in order among equal ones; the context is not part of the key.
    assert_eq!(ask(&replayed, &Request { context: json!(null), ..other }).await.unwrap(), third);
    assert_eq!(ask(&replayed, &one).await.unwrap(), first);
    assert_eq!(ask(&replayed, &one).await.unwrap(), second);
    assert_eq!(recording.left(), 0);
    let error = ask(&replayed, &one).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "the cassette has no answer for draft.scene: this request was recorded 2 times and has been asked once more"
    );
}

#[tokio::test]
async fn a_line_cut_by_a_crash_is_dropped_and_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    Recorder::open(&path).unwrap().record(&asking("一"), &full_reply()).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    for cut in [1, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, format!("{whole}{}", &whole.as_bytes()[..cut].escape_ascii())).unwrap();
        assert_eq!(Recording::open(&path).unwrap().left(), 1);
        Recorder::open(&path).unwrap().record(&asking("二"), &full_reply()).unwrap();
        let recording = Recording::open(&path).unwrap();
        assert_eq!(recording.left(), 2);
        assert_eq!(recording.play(&asking("二")).unwrap(), full_reply());
    }
}

#[test]
fn a_miss_names_the_purpose_and_the_first_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let recorder = Recorder::open(&path).unwrap();
    let beginning = "很长的开头".repeat(40);
    recorder.record(&asking(&format!("{beginning}雪夜")), &full_reply()).unwrap();
    let recording = Recording::open(&path).unwrap();

    let message = |request: &Request| recording.play(request).unwrap_err().to_string();
    let changed = message(&asking(&format!("{beginning}雨夜")));
    assert!(
        changed.starts_with("the cassette has no answer for draft.scene: /messages/0/text: recorded …"),
        "{changed}"
    );
    assert!(changed.contains("雪夜\"") && changed.contains("雨夜\"") && changed.len() < 400, "{changed}");
    let warmer = message(&Request { temperature: Some(1.0), ..asking(&format!("{beginning}雪夜")) });
    assert!(warmer.ends_with("/temperature: recorded null, asked 1.0"), "{warmer}");
    let longer = Request {
        messages: [asking(&format!("{beginning}雪夜")).messages, asking("再").messages].concat(),
        ..request()
    };
    assert!(message(&longer).contains("/messages: recorded "), "{}", message(&longer));
    let other = message(&Request { purpose: "outline.generate".into(), ..request() });
    assert_eq!(other, "the cassette has no answer for outline.generate: nothing was recorded for this purpose");
}

#[test]
fn strange_files_are_errors() {
    let missing = Recording::open(std::path::Path::new("/nowhere/run.jsonl")).unwrap_err();
    assert!(missing.to_string().starts_with("cassette /nowhere/run.jsonl: "), "{missing}");
    let text = "{\"version\":1}\n";
    assert!(Recording::parse(text).unwrap_err().to_string().starts_with("cassette, line 1: missing field"));
    let line = json!({"version": 2, "key": "", "request": request(), "reply": full_reply()});
    let error = Recording::parse(&format!("{line}\n")).unwrap_err().to_string();
    assert_eq!(error, "cassette, line 1: version 2 is not known");
}

/// Old cassettes are played by this: a key must never change.
#[test]
fn keys_are_stable() {
    assert_eq!(key(&request()), "b2a83a3ad3635a80c66aa0e2130a2861151d8ab12d7e1e916ac6c211b1426126");
}
