//! Whichever call of whichever run fails, and whatever is answered in its place: no door says without a word that the run
//! passed or is done, and all doors say the same.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatModel, ChatRequest, Error as ModelError, EventStream, ModelRoutes};
use qingyu_story::production::Autonomy;
use qingyu_studio::agents::{Task, TaskOptions, Writes, WritingTask};
use qingyu_studio::{
    ChapterWriteRequest, CreateRequest, Outcome, ProduceRequest, RunStatus, Studio, StudioEvent, StudioEventKind,
    TaskRequest,
};

use crate::verdicts::{book, well};
use crate::{finish, script, studio, table};

/// The kinds of run that call models.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Run {
    Create,
    Draft,
    Read,
    Correct,
    Task,
    Produce,
}

const RUNS: [Run; 6] = [Run::Create, Run::Draft, Run::Read, Run::Correct, Run::Task, Run::Produce];

/// What comes in the place of an answer.
#[derive(Debug, Clone, Copy)]
enum Bad {
    Words,
    Refusal,
    OtherJson,
    Broken,
    Empty,
    Filtered,
    Unable,
}

const BAD: [Bad; 7] = [Bad::Words, Bad::Refusal, Bad::OtherJson, Bad::Broken, Bad::Empty, Bad::Filtered, Bad::Unable];

impl Bad {
    fn script(self) -> ModelScript {
        match self {
            Self::Words => "嗯".into(),
            Self::Refusal => "抱歉，我无法协助完成这个请求。".into(),
            Self::OtherJson => r#"{"passed": true, "ok": 1}"#.into(),
            Self::Broken => r#"{"summary": "雨停了"#.into(),
            Self::Empty => "".into(),
            Self::Filtered => {
                ModelError::Filtered { model: "scripted".into(), purpose: "any".into(), message: String::new() }.into()
            }
            Self::Unable => {
                ModelError::Unsupported { model: "scripted".into(), purpose: "any".into(), hint: "none".into() }.into()
            }
        }
    }
}

/// What rules answer well; the rest is scripted.
const OFFLINE: [&str; 4] = ["chapter.understand", "production.", "consumer.", "judge."];

/// Which calls fail, by purpose, and what they are answered.
#[derive(Debug, Clone)]
struct Fault {
    purpose: String,
    bad: Bad,
}

/// Answers well, but for the calls that are to fail.
#[derive(Debug, Clone)]
struct Faulty {
    good: ScriptedModel,
    bad: ScriptedModel,
    fault: Option<Fault>,
    failed: Arc<AtomicUsize>,
    purposes: Arc<Mutex<Vec<String>>>,
}

impl Faulty {
    fn new(fault: Option<Fault>) -> Self {
        let bad = fault.as_ref().map_or(Bad::Words, |fault| fault.bad);
        Self {
            good: ScriptedModel::responding("scripted", well),
            bad: ScriptedModel::responding("scripted", move |_| bad.script()),
            fault,
            failed: Arc::default(),
            purposes: Arc::default(),
        }
    }
}

impl ChatModel for Faulty {
    fn name(&self) -> &str {
        "scripted"
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, ModelError>> {
        let purpose = request.purpose.clone();
        if self.fault.as_ref().is_some_and(|fault| fault.purpose == purpose) {
            self.failed.fetch_add(1, Ordering::Relaxed);
            return self.bad.stream(request);
        }
        self.purposes.lock().unwrap().push(purpose);
        match OFFLINE.iter().any(|offline| request.purpose.starts_with(offline)) {
            true => Box::pin(async move { qingyu_offline::model().stream(request).await }),
            false => self.good.stream(request),
        }
    }
}

async fn run(run: Run, home: &Path, model: &Faulty) -> (Studio, Vec<StudioEvent>, Outcome) {
    let studio = studio(home, ModelRoutes::new(Arc::new(model.clone()))).await;
    let write = |project: String, task| ChapterWriteRequest {
        project,
        task,
        words: Some(10),
        ..ChapterWriteRequest::default()
    };
    let project = async || studio.import(book(), None).await.unwrap().project.project;
    let all = Vec::new;
    let started = match run {
        Run::Create => studio.create(CreateRequest::new(script::REQUIREMENT)).await,
        Run::Draft => studio.write(write(project().await, WritingTask::Draft { chapters: vec![1_u32.into()] })).await,
        Run::Read => studio.write(write(project().await, WritingTask::Read { chapters: all() })).await,
        Run::Correct => studio.write(write(project().await, WritingTask::Correct { chapters: all() })).await,
        Run::Task => {
            let options = TaskOptions { writes: Writes::Never, ..TaskOptions::default() };
            let task = Task::new("", "把对话改得更有张力，再检查时间线");
            studio.task(TaskRequest { project: project().await, task, options, ..TaskRequest::default() }).await
        }
        Run::Produce => {
            let premise = "为独立开发者写一门关于定价的短课程".into();
            let autonomy = vec![("all".to_owned(), Autonomy::Auto)];
            let overrides = table(&[("web.search", "none")]);
            studio.produce(ProduceRequest { premise, autonomy, overrides, ..ProduceRequest::default() }).await
        }
    };
    let (events, outcome) = finish(started.unwrap()).await;
    (studio, events, outcome)
}

/// What is wrong with what the doors say of a run in which every call for a purpose failed.
async fn wrong(studio: &Studio, events: &[StudioEvent], outcome: &Outcome) -> Option<String> {
    let row = studio.run(&outcome.run).await.unwrap();
    if row.status != outcome.status {
        return Some(format!("the list says {:?}, the outcome {:?}", row.status, outcome.status));
    }
    let completed = events.iter().any(|event| matches!(event.kind, StudioEventKind::Completed { .. }));
    if completed != (outcome.status == RunStatus::Done) {
        return Some(format!("completed: {completed}, {:?}", outcome.status));
    }
    let report = outcome.story_made().and_then(|made| made.diagnostic_report.as_ref());
    let is_success = outcome.status == RunStatus::Done || report.is_some_and(|report| report.passed);
    let is_silent = outcome.warnings.is_empty() && outcome.errors.is_empty();
    (is_success && is_silent).then(|| "a success without a word".into())
}

/// The purposes that a run asks for when nothing fails.
async fn purposes(kind: Run) -> (Vec<String>, RunStatus) {
    let home = tempfile::tempdir().unwrap();
    let model = Faulty::new(None);
    let (_, _, outcome) = run(kind, home.path(), &model).await;
    let mut purposes = model.purposes.lock().unwrap().clone();
    purposes.sort_unstable();
    purposes.dedup();
    (purposes, outcome.status)
}

#[test]
fn no_run_is_a_success_without_a_word_whichever_call_fails() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(8 << 20)
        .enable_all()
        .build()
        .unwrap();
    let asked: Vec<(Run, String)> = RUNS
        .into_iter()
        .flat_map(|kind| {
            let (purposes, status) = runtime.block_on(purposes(kind));
            assert_eq!(status, RunStatus::Done, "{kind:?} is a success if nothing fails: {purposes:?}");
            purposes.into_iter().map(move |purpose| (kind, purpose))
        })
        .collect();
    let cases = std::env::var("QINGYU_FAULTS").map_or(40, |cases| cases.parse().unwrap());
    let config = ProptestConfig { cases, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() };
    let which = (prop::sample::select(asked), prop::sample::select(&BAD[..]));
    proptest!(config, |(((kind, purpose), bad) in which)| {
        let home = tempfile::tempdir().unwrap();
        let model = Faulty::new(Some(Fault { purpose, bad }));
        let wrong = runtime.block_on(async {
            let (studio, events, outcome) = run(kind, home.path(), &model).await;
            wrong(&studio, &events, &outcome).await.map(|wrong| format!("{wrong}: {:?} {:?}", outcome.errors, outcome.warnings))
        });
        if let Some(wrong) = wrong.filter(|_| model.failed.load(Ordering::Relaxed) > 0) {
            return Err(TestCaseError::fail(format!("{kind:?}, {:?}: {wrong}", model.fault)));
        }
    });
}
