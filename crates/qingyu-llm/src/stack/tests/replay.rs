use serde_json::{Value, json};

use super::*;
use crate::cassette::{Cassette, CassetteMark, Recorder, Recording, SessionHeader, key};
use crate::stack::{Fresh, ReplayLog, Replayed, Reuse};
use crate::{FinishReason, ToolCall};

fn full_reply() -> Reply {
    Reply {
        text: "雪夜，门开了。".into(),
        reasoning: "想".into(),
        tool_calls: vec![ToolCall { id: "call_0".into(), name: "search".into(), arguments: "{\"q\":1}".into() }],
        finish: FinishReason::Other("sensitive".into()),
        usage: Usage { input: 3, cached: 1, output: 2, ..Usage::default() },
        model: "a/one".into(),
        raw: json!({"signature": "x"}),
        substitution: None,
        replayed: false,
    }
}

fn asking(text: &str) -> ChatRequest {
    ChatRequest { messages: vec![ChatMessage::user(text)], context: json!({"only": text}), ..request() }
}

/// Asks, and tells the reply apart from where it came from.
async fn ask(model: &dyn ChatModel, request: &ChatRequest) -> Result<Reply, Error> {
    let reply = drain(model.stream(request).await?).await?;
    Ok(Reply { replayed: false, ..reply })
}

fn of_call(text: &str, call: &str) -> ChatRequest {
    ChatRequest { call: call.into(), ..asking(text) }
}

fn said(text: &str) -> Reply {
    Reply { text: text.into(), model: "a/one".into(), ..Reply::default() }
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
    assert_eq!(ask(&replayed, &ChatRequest { context: json!(null), ..other }).await.unwrap(), third);
    assert_eq!(ask(&replayed, &one).await.unwrap(), first);
    assert_eq!(ask(&replayed, &one).await.unwrap(), second);
    assert_eq!(recording.left(), 0);
    let error = ask(&replayed, &one).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "the cassette has no answer for draft.scene: this request was recorded 2 times and has been asked once more"
    );
}

#[tokio::test(start_paused = true)]
async fn an_empty_answer_is_played_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let empty = || ModelScript::from(Reply { reasoning: "想".into(), model: "a/one".into(), ..Reply::default() });
    let model = scripted("a/one", [empty(), empty()]);
    let recorder = Arc::new(Recorder::open(&path).unwrap());
    let recorded = Stack::new(Arc::new(model)).retry(RetryModel::default()).record(recorder).build();
    let error = ask(&*recorded, &asking("一")).await.unwrap_err();
    let replayed = Replayed::new("a/one", Arc::new(Recording::open(&path).unwrap()));
    assert_eq!(ask(&replayed, &asking("一")).await.unwrap_err().to_string(), error.to_string());
    assert!(matches!(error, Error::Empty { thought: true, .. }));
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
        assert_eq!(recording.play(&asking("二")).unwrap(), Reply { replayed: true, ..full_reply() });
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

    let message = |request: &ChatRequest| recording.play(request).unwrap_err().to_string();
    let changed = message(&asking(&format!("{beginning}雨夜")));
    assert!(
        changed.starts_with("the cassette has no answer for draft.scene: /messages/0/text: recorded …"),
        "{changed}"
    );
    assert!(changed.contains("雪夜\"") && changed.contains("雨夜\"") && changed.len() < 400, "{changed}");
    let warmer = message(&ChatRequest { temperature: Some(1.0), ..asking(&format!("{beginning}雪夜")) });
    assert!(warmer.ends_with("/temperature: recorded null, asked 1.0"), "{warmer}");
    let longer = ChatRequest {
        messages: [asking(&format!("{beginning}雪夜")).messages, asking("再").messages].concat(),
        ..request()
    };
    assert!(message(&longer).contains("/messages: recorded "), "{}", message(&longer));
    let other = message(&ChatRequest { purpose: "outline.generate".into(), ..request() });
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
    let newer = "{\"version\":3,\"header\":{\"sound\":1}}\n";
    assert_eq!(Recording::parse(newer).unwrap_err().to_string(), "cassette, line 1: version 3 is not known");
}

/// Old cassettes are played by this: a key must never change.
#[test]
fn keys_are_stable() {
    assert_eq!(key(&request()), "b2a83a3ad3635a80c66aa0e2130a2861151d8ab12d7e1e916ac6c211b1426126");
}

fn header(run: &str) -> SessionHeader {
    SessionHeader {
        run: run.into(),
        kind: "create".into(),
        request: json!({"requirement": "灯"}),
        ..SessionHeader::default()
    }
}

#[test]
fn sessions_are_told_apart_and_their_calls_are_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/run.jsonl");
    drop(Recorder::go_on(path.clone()));
    assert!(!path.exists(), "nothing was recorded");
    for (run, text) in [("r-1", "一"), ("r-2", "二")] {
        let recorder = Recorder::begin(path.clone(), header(run)).unwrap();
        recorder.record(&asking("同"), &said(text)).unwrap();
    }
    let resumed = Recorder::go_on(path.clone()).after(CassetteMark { kind: "resumed".into(), body: Value::Null });
    resumed.record(&asking("再"), &said("三")).unwrap();
    resumed.mark(CassetteMark { kind: "end".into(), body: json!({"status": "done"}) }).unwrap();
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str("{\"version\":2,\"mark\":{\"ki");

    let cassette = Cassette::parse(&text).unwrap();
    let runs: Vec<_> = cassette.sessions.iter().map(|session| session.header.as_ref().unwrap().run.as_str()).collect();
    assert_eq!(runs, ["r-1", "r-2"]);
    let [one, two] = &cassette.sessions[..] else { panic!("two sessions") };
    assert_eq!((one.recording.len(), two.recording.len(), one.marks.len()), (1, 2, 0));
    assert_eq!(two.marks.iter().map(|mark| mark.kind.as_str()).collect::<Vec<_>>(), ["resumed", "end"]);
    assert_eq!(two.mark("end").unwrap().body["status"], "done");
    assert_eq!(two.recording.play(&asking("同")).unwrap().text, "二");
    assert_eq!(one.recording.play(&asking("同")).unwrap().text, "一");
    assert_eq!(two.recording.unplayed(), ["draft.scene"]);
    let nothing = Cassette::parse("{\"version\":2}\n").unwrap_err().to_string();
    assert_eq!(nothing, "cassette, line 1: version 2 is not known");
}

#[test]
fn calls_of_parallel_branches_keep_their_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let recorder = Recorder::open(&path).unwrap();
    // The answer to `b` came twice: the first time the process died before it was kept.
    for (call, text) in [("b", "未存"), ("a", "甲"), ("b", "乙"), ("", "无名")] {
        recorder.record(&of_call("同", call), &said(text)).unwrap();
    }
    assert_eq!(key(&of_call("同", "a")), key(&asking("同")), "the call is no part of the key");
    for order in [["a", "b"], ["b", "a"]] {
        let recording = Recording::open(&path).unwrap();
        for call in order {
            let text = recording.play(&of_call("同", call)).unwrap().text;
            assert_eq!(text, if call == "a" { "甲" } else { "乙" });
        }
        assert_eq!(recording.play(&of_call("同", "c")).unwrap().text, "无名");
        assert_eq!(recording.left(), 0);
    }
}

#[tokio::test]
async fn what_was_not_recorded_is_asked_of_another_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let recorder = Recorder::open(&path).unwrap();
    recorder.record(&asking("一"), &said("旧一")).unwrap();
    recorder.record(&asking("二"), &Reply { model: "b/other".into(), ..said("旧二") }).unwrap();
    let play = async |reuse: Reuse| {
        let other: Arc<dyn ChatModel> = Arc::new(ScriptedModel::responding("b/other", |_| answer("新", 7, 3)));
        let log = Arc::new(ReplayLog::default());
        let recording = Arc::new(Recording::open(&path).unwrap());
        let replayed = Replayed::new("a/one", recording).or(Fresh { model: other, reuse }).log(Arc::clone(&log));
        let mut texts = Vec::new();
        for text in ["一", "二", "三"] {
            let reply = drain(replayed.stream(&asking(text)).await.unwrap()).await.unwrap();
            texts.push(format!("{}{}", reply.text, if reply.replayed { "" } else { "!" }));
        }
        (texts, log.calls())
    };
    let (texts, calls) = play(Reuse::Any).await;
    assert_eq!(texts, ["旧一", "旧二", "新!"]);
    assert_eq!(calls[0].asked, None);
    assert!(calls[2].asked.as_ref().unwrap().starts_with("/messages/0/text: recorded \"二\", asked \"三\""));
    assert_eq!((calls[2].usage.input, calls[2].model.as_str()), (7, "b/other"));
    let (texts, calls) = play(Reuse::OfTheModel).await;
    assert_eq!(texts, ["新!", "旧二", "新!"]);
    assert_eq!(calls[0].asked.as_deref(), Some("it is asked of another model"));
}
