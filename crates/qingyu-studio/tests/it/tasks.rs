//! Tasks through the studio: a run is kept, asks before it writes, and goes on with the answer.

use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_studio::agents::orchestrator::{Status, Written};
use qingyu_studio::agents::{Task, TaskOptions, Writes};
use qingyu_studio::story::{Document, OutlineNode, Story};
use qingyu_studio::{RunAnswer, RunQuestion, RunStatus, StoryFile, Studio, TaskRequest};
use serde_json::json;

use crate::{finish, script, studio};

const TEXT: &str = "雨停了。\n“来了。”林深说，“芯片在哪里？”";

fn book() -> StoryFile {
    let node = OutlineNode { id: "o-1".into(), order: 1, name: "第一章 雨夜".into(), ..OutlineNode::default() };
    let document = Document {
        id: "d-1".into(),
        title: "第一章 雨夜".into(),
        order: 1,
        outline_node: Some("o-1".into()),
        text: TEXT.into(),
        ..Document::default()
    };
    let story =
        Story { premise: "雨夜".into(), outline_nodes: vec![node], documents: vec![document], ..Story::default() };
    StoryFile { story, unknown: Vec::new() }
}

fn model() -> ScriptedModel {
    ScriptedModel::responding("scripted", |request| -> ModelScript {
        let answer = match request.purpose.as_str() {
            "orchestrator.split" => json!({"subtasks": [
                {"name": "t1", "agent": "creative", "description": "把第一章的对话改得更有张力", "chapter": "1", "change": true},
                {"name": "t2", "agent": "checker", "description": "检查时间线", "depends_on": ["t1"]},
            ]}),
            "creative.rewrite" => json!({"fixes": [{"find": "“来了。”", "with": "“快说。”"}]}),
            other => panic!("nobody answers {other}"),
        };
        script::reply(&answer)
    })
}

async fn text(studio: &Studio, project: &str) -> String {
    let workspace = studio.engine(None).workspaces().open(Some(project)).await.unwrap();
    workspace.load().await.unwrap().story.documents[0].text.clone()
}

#[tokio::test]
async fn a_task_waits_for_its_author_and_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let model = model();
    let studio = studio(home.path(), script::models(&model)).await;
    let project = studio.import(book(), None).await.unwrap().project.project;
    let task = Task::new("", "把第一章的对话改得更有张力，然后检查时间线");
    let request = TaskRequest { project: project.clone(), task, ..TaskRequest::default() };
    let (events, outcome) = finish(studio.task(request).await.unwrap()).await;
    assert_eq!(outcome.status, RunStatus::Waiting, "{outcome:?}");
    let Some(RunQuestion::Writes(asked)) = &outcome.question else { panic!("{:?}", outcome.question) };
    assert_eq!((asked.writes[0].proposal.document.as_deref(), asked.writes[0].task.as_str()), (Some("d-1"), "t1"));
    assert!(crate::kinds(&events).iter().any(|kind| kind == "writes_requested"), "{:?}", crate::kinds(&events));
    assert_eq!(text(&studio, &project).await, TEXT);

    let handle = studio.resume(&outcome.run, Some(RunAnswer::Approve)).await.unwrap();
    let (_, outcome) = finish(handle).await;
    let made = outcome.task_made().unwrap();
    assert_eq!(outcome.status, RunStatus::Done);
    assert!(matches!(made.written["t1"], Written::Saved { .. }), "{:?}", made.written);
    assert_eq!(made.results["t2"].status, Status::Done);
    assert_eq!(text(&studio, &project).await, TEXT.replace("来了。", "快说。"));
    assert_eq!(model.requests().len(), 2, "nothing was asked twice");
    assert_eq!((outcome.usage.calls, outcome.usage.by_agent["creative"]), (2, 150));
    assert_eq!(outcome.document()["subtasks"][0]["agent"], "creative");
}

#[tokio::test]
async fn without_a_model_prose_is_refused_and_the_rest_is_done() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(crate::offline(home.path())).await.unwrap();
    let project = studio.import(book(), None).await.unwrap().project.project;
    let task = Task::new("", "续写第一章，同时检查一致性");
    let options = TaskOptions { writes: Writes::Never, ..TaskOptions::default() };
    let request = TaskRequest { project, task, options, ..TaskRequest::default() };
    let (_, outcome) = finish(studio.task(request).await.unwrap()).await;
    let made = outcome.task_made().unwrap();
    let statuses = ["t1", "t2"].map(|name| made.results[name].status);
    assert_eq!((statuses, outcome.status), ([Status::Failed, Status::Done], RunStatus::Failed));
    assert_eq!(outcome.errors[0].code, "parts_failed");
    assert!(made.output.contains("qingyu doctor"), "{}", made.output);
}
