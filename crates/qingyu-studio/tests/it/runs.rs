use std::collections::BTreeMap;

use qingyu_db::Database;
use qingyu_store::{Runs, Stories};
use qingyu_studio::story::chapters::ChapterEdit;
use qingyu_studio::story::{Language, Story};
use qingyu_studio::{CreateRequest, Error, RunStatus, Studio, StudioEventKind};

use crate::script::{self, CALLS, REQUIREMENT, Stuck, USAGE};
use crate::{create, finish, is_text, kinds, offline, studio, table};

async fn database(home: &std::path::Path) -> Database {
    Database::open(&home.join("qingyu.db"), qingyu_db::Settings::default()).await.unwrap()
}

#[tokio::test]
async fn a_run_is_made_told_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let (events, outcome) = create(&studio, REQUIREMENT).await;

    assert_eq!((outcome.status, outcome.errors.as_slice()), (RunStatus::Done, [].as_slice()));
    let purposes: Vec<_> = model.requests().into_iter().map(|request| request.purpose).collect();
    assert_eq!(purposes, CALLS);
    let kinds = kinds(&events);
    assert_eq!((kinds.first().unwrap().as_str(), kinds.last().unwrap().as_str()), ("run_started", "completed"));
    assert_eq!(kinds.iter().filter(|kind| *kind == "saved").count(), 3, "{kinds:?}");
    assert!(events.iter().any(is_text));

    // Events are numbered without gaps, and the log has all but the streamed text.
    let told: Vec<_> = events.iter().filter(|event| !is_text(event)).map(|event| event.seq).collect();
    assert_eq!(told, (1..=told.len() as u64).collect::<Vec<_>>());
    let database = database(home.path()).await;
    let log = Runs::new(&database, "local").events(&outcome.run, 0, 10_000).await.unwrap();
    assert_eq!(log.iter().map(|event| event.seq).collect::<Vec<_>>(), told);
    for (kept, told) in log.iter().zip(events.iter().filter(|event| !is_text(event))) {
        assert_eq!(kept.body, serde_json::to_value(&told.kind).unwrap());
        assert_eq!(serde_json::from_value::<StudioEventKind>(kept.body.clone()).unwrap(), told.kind);
    }

    // What was made is in the project, and the log of changes gives the same.
    let view = studio.show(&outcome.project).await.unwrap();
    assert_eq!(view.story, outcome.story_made().unwrap().story);
    assert_eq!(view.story.characters.len(), 2);
    assert_eq!(Stories::new(&database, "local").rebuild(&outcome.project).await.unwrap(), view.story);
    assert_eq!(view.report, outcome.story_made().unwrap().diagnostic_report);
    assert_eq!(view.changed_since_report, 0);
    assert_eq!(view.reasoning, outcome.reasoning);
    for piece in &view.provenance {
        assert_eq!(piece.made.run.as_deref(), Some(outcome.run.as_str()));
        assert_eq!((piece.made.model.as_deref(), piece.made.tokens), (Some("scripted"), USAGE.input + USAGE.output));
        assert!(piece.made.prompt_hash.as_ref().is_some_and(|hash| hash.len() == 64));
    }

    let calls = CALLS.len() as u64;
    assert_eq!((outcome.usage.calls, outcome.usage.total), (calls, calls * 150));
    assert_eq!((outcome.usage.cached, outcome.usage.cost.as_ref()), (calls * 20, None));
    assert_eq!(outcome.usage.by_agent["outline_agent"], 150);
    assert_eq!(view.usage, outcome.usage);
    let rows = studio.runs().await.unwrap();
    assert_eq!((rows[0].status, rows[0].quality_score, &rows[0].usage), (RunStatus::Done, Some(90), &outcome.usage));
    assert!(rows[0].ended.is_some());
}

#[tokio::test]
async fn a_report_is_of_the_story_before_later_changes() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), script::models(&script::model())).await;
    let (_, outcome) = create(&studio, REQUIREMENT).await;
    let title = "第九章 后来".to_owned();
    let insert = ChapterEdit::Insert { after: None, title, text: "天亮了。".into() };
    studio.edit_chapters(&outcome.project, &insert).await.unwrap();
    let view = studio.show(&outcome.project).await.unwrap();
    assert!(view.report.is_some());
    assert!(view.changed_since_report >= 2, "a node and its text: {}", view.changed_since_report);
    assert!(view.changed_since_report < view.provenance.len(), "what the run made was not changed");
}

#[tokio::test]
async fn the_document_has_its_keys() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), script::models(&script::model())).await;
    let (_, outcome) = create(&studio, REQUIREMENT).await;
    let document = outcome.document();
    let keys: Vec<_> = document.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = [
        "project",
        "run",
        "status",
        "requirement_analysis",
        "execution_plan",
        "tool_configuration",
        "worldview",
        "outline_nodes",
        "characters",
        "character_relations",
        "timeline_events",
        "plot_nodes",
        "style",
        "diagnostic_report",
        "quality_score",
        "is_approved",
        "current_step",
        "workspace_context",
        "rag_context",
        "iteration_count",
        "reasoning",
        "warnings",
        "errors",
        "usage",
        "human_review",
        "resume",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    let usage: Vec<_> = document["usage"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(usage, ["by_agent", "cached", "calls", "cost", "estimated", "input", "output", "total"]);
    assert_eq!(document["status"], "done");
    assert_eq!(document["quality_score"], 90);
    assert!(document["resume"].is_null() && document["human_review"].is_null());
}

#[tokio::test]
async fn two_at_once_on_one_folder_both_work() {
    let home = tempfile::tempdir().unwrap();
    let (first, second) = (script::model(), script::model());
    let (one, other) =
        (studio(home.path(), script::models(&first)).await, studio(home.path(), script::models(&second)).await);
    let (a, b) = tokio::join!(create(&one, REQUIREMENT), create(&other, "A locked-room mystery on a generation ship"));
    for (events, outcome) in [&a, &b] {
        assert_eq!((outcome.status, outcome.errors.as_slice()), (RunStatus::Done, [].as_slice()));
        assert_eq!(outcome.usage.calls, CALLS.len() as u64);
        assert!(events.iter().all(|event| event.run == outcome.run));
    }
    assert_ne!(a.1.project, b.1.project);
    assert_eq!(one.projects().await.unwrap().len(), 2);
    assert_eq!(other.runs().await.unwrap().len(), 2);
    assert_eq!(one.show(&b.1.project).await.unwrap().project.language, Language::En);
}

#[tokio::test]
async fn a_stopped_run_goes_on_and_pays_nothing_twice() {
    let home = tempfile::tempdir().unwrap();
    let stuck = Stuck::at("plot.generate");
    let studio = studio(home.path(), stuck.models()).await;
    let run = studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap();
    stuck.is_reached().await;
    assert_eq!(studio.runs().await.unwrap()[0].status, RunStatus::Running);
    run.cancel();
    let (events, stopped) = finish(run).await;
    assert_eq!(stopped.status, RunStatus::Interrupted);
    assert_eq!(kinds(&events).last().unwrap(), "interrupted");
    assert_eq!(stopped.resume_command(), Some(format!("qingyu resume {}", stopped.run)));
    assert_eq!(
        (stopped.usage.calls, stopped.story_made().unwrap().story.characters.len()),
        (3, 2),
        "what was done is there"
    );
    assert_eq!(studio.runs().await.unwrap()[0].status, RunStatus::Interrupted);

    let go_on = Studio::open_with_models(offline(home.path()), script::models(&stuck.inner)).await.unwrap();
    let (later, done) = finish(go_on.resume(&stopped.run, None).await.unwrap()).await;
    assert_eq!((done.status, done.usage.calls), (RunStatus::Done, 5));
    assert_eq!(later[0].seq, events.last().unwrap().seq + 1, "the log goes on where it stopped");
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    for request in stuck.inner.requests() {
        *asked.entry(request.purpose).or_default() += 1;
    }
    assert_eq!(asked.values().collect::<Vec<_>>(), [&1; 5], "{asked:?}");
    assert_eq!(go_on.show(&done.run).await.unwrap().story, done.story_made().unwrap().story);
    let again = go_on.resume(&done.run, None).await.unwrap_err();
    assert_eq!(again.code(), "nothing_to_resume");
}

#[tokio::test]
async fn a_project_is_worked_on_by_one_run_at_a_time() {
    let home = tempfile::tempdir().unwrap();
    let stuck = Stuck::at("outline.generate");
    let studio = studio(home.path(), stuck.models()).await;
    let first = studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap();
    stuck.is_reached().await;
    let more = CreateRequest { project: Some(first.project().into()), ..CreateRequest::new("再写一章") };
    let busy = studio.create(more.clone()).await.unwrap_err();
    assert!(matches!(&busy, Error::ThreadBusy { run } if run == first.run()), "{busy:?}");
    let busy = studio.resume(first.run(), None).await.unwrap_err();
    assert_eq!(busy.code(), "thread_busy");
    stuck.allowed.add_permits(9);
    let (_, outcome) = finish(first).await;
    assert_eq!(outcome.status, RunStatus::Done);

    let (_, second) = finish(studio.create(more).await.unwrap()).await;
    // The scripted model answers as before: nothing of what was asked for came of it.
    assert_eq!((second.status, &second.project), (RunStatus::Waiting, &outcome.project));
    let view = studio.show(&outcome.project).await.unwrap();
    assert_eq!(view.runs.len(), 2);
    assert_eq!(view.project.premise, REQUIREMENT, "the project keeps the words it began with");
    let planning = stuck.inner.requests().into_iter().rfind(|request| request.purpose == "plan.create").unwrap();
    let story: Story = serde_json::from_value(planning.context["story"].clone()).unwrap();
    assert_eq!(story.characters.len(), 2, "the planner sees what is there");
}

#[tokio::test]
async fn a_handle_that_is_dropped_stops_nothing() {
    let home = tempfile::tempdir().unwrap();
    let stuck = Stuck::at("review.judge");
    let studio = studio(home.path(), stuck.models()).await;
    let run = studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap();
    let (id, outcome) = (run.run().to_owned(), run.finish());
    stuck.is_reached().await;
    stuck.allowed.add_permits(1);
    assert_eq!(outcome.await.status, RunStatus::Done);
    assert_eq!(studio.show(&id).await.unwrap().runs[0].status, RunStatus::Done);
}

#[tokio::test]
async fn a_request_sets_its_own_switches() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let overrides = table(&[("pipeline.enable_planner", "false"), ("pipeline.max_iterations", "0")]);
    let request = CreateRequest { overrides, title: Some("雨城".into()), ..CreateRequest::new(REQUIREMENT) };
    let (_, outcome) = finish(studio.create(request).await.unwrap()).await;
    assert_eq!(outcome.status, RunStatus::Done);
    assert!(model.requests().iter().all(|request| request.purpose != "plan.create"));
    assert_eq!(studio.projects().await.unwrap()[0].title, "雨城");
    let wrong = CreateRequest { overrides: table(&[("pipeline.rounds", "1")]), ..CreateRequest::new(REQUIREMENT) };
    assert_eq!(studio.create(wrong).await.unwrap_err().code(), "bad_settings");
    assert_eq!(studio.runs().await.unwrap().len(), 1);
}
