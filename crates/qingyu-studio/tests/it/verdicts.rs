//! No door says that a run passed or is done whose step failed, whichever it is and whatever the other answers say.

use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, Error as ModelError};
use qingyu_studio::agents::{Task, TaskOptions, Writes, WritingTask};
use qingyu_studio::operations as op;
use qingyu_studio::story::{Document, OutlineNode, ReadState, Story};
use qingyu_studio::{
    ApplyMode, ChapterWriteRequest, CreateRequest, Outcome, ReadingMode, RunStatus, StoryFile, Studio, StudioEvent,
    StudioEventKind, TaskRequest,
};
use serde_json::json;

use crate::{finish, kinds, script, studio};

/// Answers that are of no use, and what they are.
fn bad_answers() -> [ModelScript; 4] {
    let filtered = ModelError::Filtered { model: "scripted".into(), purpose: "any".into(), message: String::new() };
    let of = |text: &str| ModelScript::from(text.to_owned());
    [of("嗯"), of("抱歉，我无法协助完成这个请求。"), of("{\"passed\": true}"), filtered.into()]
}

/// A model that answers well, but for purposes that begin so.
fn failing_at(purpose: &'static str, bad: usize) -> ScriptedModel {
    ScriptedModel::responding("scripted", move |request| match request.purpose.starts_with(purpose) {
        true => bad_answers().into_iter().nth(bad).unwrap(),
        false => well(request),
    })
}

pub(crate) fn well(request: &ChatRequest) -> ModelScript {
    let dimensions = ["task", "setting", "timeline", "continuity", "character", "logic", "style"];
    match request.purpose.as_str() {
        "chapter.review" => {
            let verdicts = dimensions.map(|dimension| json!({"dimension": dimension, "verdict": "holds", "note": ""}));
            script::reply(&json!({"score": 90, "verdicts": verdicts, "summary": "好"}))
        }
        "chapter.generate" => ModelScript::from("雨停了。林深推开门，码头上一个人也没有。"),
        "chapter.settle" => script::reply(&json!({"summary": "雨停了。"})),
        "orchestrator.split" => script::reply(&json!({"subtasks": [
            {"name": "t1", "agent": "creative", "description": "把第一章的对话改得更有张力", "chapter": "1", "change": true},
            {"name": "t2", "agent": "checker", "description": "检查时间线"},
        ]})),
        "creative.rewrite" => script::reply(&json!({"fixes": [{"find": "“来了。”", "with": "“快说。”"}]})),
        purpose => script::reply(&script::answer(purpose)),
    }
}

pub(crate) fn book() -> StoryFile {
    let node = OutlineNode { id: "o-1".into(), order: 1, name: "第一章 雨夜".into(), ..OutlineNode::default() };
    let document = Document {
        id: "d-1".into(),
        title: "第一章 雨夜".into(),
        order: 1,
        outline_node: Some("o-1".into()),
        version: 1,
        text: "雨停了。\n“来了。”林深说。".into(),
        ..Document::default()
    };
    let story =
        Story { premise: "雨夜".into(), outline_nodes: vec![node], documents: vec![document], ..Story::default() };
    StoryFile { story, unknown: Vec::new() }
}

/// Whether all doors agree that the run is not a success: its row, its outcome, its last event, its report.
async fn says_that_it_failed(studio: &Studio, events: &[StudioEvent], outcome: &Outcome) -> Result<(), String> {
    let row = studio.run(&outcome.run).await.unwrap();
    if row.status != outcome.status {
        return Err(format!("the list says {:?}, the outcome {:?}", row.status, outcome.status));
    }
    let last = events.iter().rev().find(|event| !crate::is_text(event)).map(|event| &event.kind);
    let completed = matches!(last, Some(StudioEventKind::Completed { .. }));
    if outcome.status == RunStatus::Done || completed {
        return Err(format!("{:?}, {:?}", outcome.status, kinds(events).last()));
    }
    let report = outcome.story_made().and_then(|made| made.diagnostic_report.as_ref());
    match report.is_some_and(|report| report.passed) {
        true => Err("the report passed".into()),
        false => Ok(()),
    }
}

#[tokio::test]
async fn no_step_of_a_creation_that_always_fails_passes() {
    let purposes = ["outline.", "character.", "plot.", "review."];
    for (purpose, bad) in purposes.into_iter().flat_map(|purpose| (0..4).map(move |bad| (purpose, bad))) {
        let home = tempfile::tempdir().unwrap();
        let studio = studio(home.path(), script::models(&failing_at(purpose, bad))).await;
        let (events, outcome) = finish(studio.create(CreateRequest::new(script::REQUIREMENT)).await.unwrap()).await;
        let said = says_that_it_failed(&studio, &events, &outcome).await;
        assert_eq!(said, Ok(()), "{purpose} with answer {bad}: {:?}", outcome.errors);
    }
}

#[tokio::test]
async fn a_task_with_a_failed_part_has_failed_and_tries_only_that_part_again() {
    let home = tempfile::tempdir().unwrap();
    let open = |model: &ScriptedModel| studio(home.path(), script::models(model));
    let model = failing_at("creative.", 0);
    let first = open(&model).await;
    let project = first.import(book(), None).await.unwrap().project.project;
    let options = TaskOptions { writes: Writes::Never, ..TaskOptions::default() };
    let request = TaskRequest {
        project,
        task: Task::new("", "把对话改得更有张力，再检查时间线"),
        options,
        ..TaskRequest::default()
    };
    let (events, outcome) = finish(first.task(request).await.unwrap()).await;
    let purposes = model.requests().into_iter().map(|request| request.purpose).collect::<Vec<_>>();
    assert_eq!(says_that_it_failed(&first, &events, &outcome).await, Ok(()), "{purposes:?}");
    assert_eq!(outcome.errors.iter().map(|error| error.code.as_str()).collect::<Vec<_>>(), ["parts_failed"]);
    drop(first);

    let model = ScriptedModel::responding("scripted", well);
    let second = open(&model).await;
    let (_, outcome) = finish(second.resume(&outcome.run, None).await.unwrap()).await;
    assert_eq!((outcome.status, outcome.errors.len()), (RunStatus::Done, 0), "{:?}", outcome.errors);
    let purposes = model.requests().into_iter().map(|request| request.purpose).collect::<Vec<_>>();
    assert!(
        purposes.iter().all(|purpose| purpose.starts_with("creative.")),
        "the part that was done is not done again: {purposes:?}"
    );
}

#[tokio::test]
async fn a_chapter_that_could_not_be_read_has_not_been_read() {
    for (purpose, bad) in [("chapter.review", 0), ("chapter.settle", 1), ("chapter.review", 3), ("chapter.settle", 3)] {
        let home = tempfile::tempdir().unwrap();
        let studio = studio(home.path(), script::models(&failing_at(purpose, bad))).await;
        let project = studio.import(book(), None).await.unwrap().project.project;
        let task = WritingTask::Read { chapters: Vec::new() };
        let request = ChapterWriteRequest { project: project.clone(), task, ..ChapterWriteRequest::default() };
        let (events, outcome) = finish(studio.write(request).await.unwrap()).await;
        assert_eq!(says_that_it_failed(&studio, &events, &outcome).await, Ok(()), "{purpose} with answer {bad}");
        assert_eq!(studio.projects().await.unwrap()[0].unread, Some(1));
    }
}

#[tokio::test]
async fn a_text_that_changed_is_unread_at_every_door_until_it_is_read() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), script::models(&ScriptedModel::responding("scripted", well))).await;
    let project = studio.import(book(), None).await.unwrap().project.project;
    let read = || async {
        let task = WritingTask::Read { chapters: Vec::new() };
        let request = ChapterWriteRequest { project: project.clone(), task, ..ChapterWriteRequest::default() };
        finish(studio.write(request).await.unwrap()).await.1
    };
    let states = || async {
        let listed = studio.projects().await.unwrap()[0].unread;
        let shown = studio.show(&project).await.unwrap();
        let checked = studio.check(&project, &[]).await.unwrap().basis;
        let reconciled = studio.reconcile(&project, &[], ReadingMode::Recalled, ApplyMode::Show).await.unwrap();
        let state = shown.chapters[0].state;
        assert_eq!(listed, Some(u32::from(state.is_open())));
        assert_eq!(shown.project.unread, listed);
        assert_eq!((checked.chapters[0].state, reconciled.readings[0].state), (state, state));
        state
    };
    assert_eq!(states().await, ReadState::Unread, "it was imported");
    assert_eq!(read().await.status, RunStatus::Done);
    assert_eq!(states().await, ReadState::Read);
    let edited = studio
        .call(op::EditChapter {
            project: project.clone(),
            chapter: "1".into(),
            text: "雨没有停。\n“来了。”林深说。".into(),
            expected: None,
        })
        .await
        .unwrap();
    assert_eq!((edited.reading, states().await), (ReadState::Changed, ReadState::Changed));
    studio.undo(&project, None).await.unwrap();
    assert_eq!(states().await, ReadState::Read, "the text that was read is back");
    studio
        .call(op::EditChapter {
            project: project.clone(),
            chapter: "1".into(),
            text: "雨没有停。".into(),
            expected: None,
        })
        .await
        .unwrap();
    let outcome = read().await;
    assert_eq!((outcome.status, states().await), (RunStatus::Done, ReadState::Read));
}
