//! The history of a run: states, edits and forks; and breakpoints.

use std::collections::BTreeMap;

use qingyu_studio::operations::{self as op, ResumeRequest};
use qingyu_studio::{
    CheckpointRow, CheckpointSource, CreateRequest, Error, Noun, Outcome, RunAnswer, RunQuestion, RunStatus, Studio,
};
use serde_json::{Value, json};

use crate::script::{self, CALLS, REQUIREMENT, Stuck};
use crate::{create, finish, kinds, studio, table};

/// The oldest checkpoint before which exactly `node` is due.
fn before<'r>(rows: &'r [CheckpointRow], node: &str) -> &'r CheckpointRow {
    rows.iter().rfind(|row| row.next == [node]).unwrap_or_else(|| panic!("{node}: {rows:#?}"))
}

fn edit(field: &str, value: Value) -> BTreeMap<String, Value> {
    BTreeMap::from([(field.to_owned(), value)])
}

/// Creates with breakpoints before and after nodes.
async fn create_with(studio: &Studio, before: &[&str], after: &[&str]) -> Outcome {
    let mut overrides = toml::Table::new();
    let nodes = |nodes: &[&str]| toml::Value::from(nodes.to_vec());
    overrides.insert(
        "breakpoints".into(),
        toml::Table::from_iter([("before".to_owned(), nodes(before)), ("after".to_owned(), nodes(after))]).into(),
    );
    finish(studio.create(CreateRequest { overrides, ..CreateRequest::new(REQUIREMENT) }).await.unwrap()).await.1
}

#[tokio::test]
async fn the_history_says_what_ran_and_what_it_wrote() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), script::models(&script::model())).await;
    let (_, outcome) = create(&studio, REQUIREMENT).await;
    let rows = studio.checkpoints(&outcome.run, None, None).await.unwrap();
    let first = rows.last().unwrap();
    assert_eq!((first.source, first.parent, first.superstep), (CheckpointSource::Input, None, -1));
    assert_eq!(first.next, ["planner_agent"]);
    assert!(first.written.iter().any(|field| field == "user_requirement") && first.at.is_some(), "{first:?}");
    for pair in rows.windows(2) {
        assert_eq!((pair[0].parent, &pair[0].ran), (Some(pair[1].checkpoint), &pair[1].next));
    }
    assert_eq!(rows[0].next, [""; 0]);
    let outlined = rows.iter().find(|row| row.ran == ["outline_agent"]).unwrap();
    assert!(outlined.written.iter().any(|field| field == "outline_nodes"), "{outlined:?}");

    let page = studio.checkpoints(&outcome.run, Some(rows[0].checkpoint), Some(2)).await.unwrap();
    assert_eq!(page, rows[1..3], "a page says of its last row what it says of any other");

    let state = studio.checkpoint(&outcome.run, before(&rows, "review_agent").checkpoint).await.unwrap();
    assert_eq!(state.values["characters"].as_array().map(Vec::len), Some(2));
    assert_eq!((&state.values["scores"], state.question), (&json!([]), None));
    let field = |name: &str| state.fields.iter().find(|field| field.name == name).unwrap().is_editable;
    assert!(field("characters") && !field("run_id") && !field("pipeline_config"));
    let unknown = studio.checkpoint(&outcome.run, 9_999).await.unwrap_err();
    assert!(matches!(unknown, Error::UnknownCheckpoint { checkpoint: 9_999, .. }), "{unknown}");
}

#[tokio::test]
async fn a_fork_pays_nothing_twice_and_leaves_the_old_run_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let (_, old) = create(&studio, REQUIREMENT).await;
    let rows = studio.checkpoints(&old.run, None, None).await.unwrap();
    let at = before(&rows, "outline_agent").checkpoint;

    let forked = studio.call(op::ForkRun { run: old.run.clone(), checkpoint: at, afresh: false }).await.unwrap();
    assert_eq!((forked.next, &forked.project), (vec!["outline_agent".to_owned()], &old.project));
    assert_eq!(studio.run(&forked.run).await.unwrap().status, RunStatus::Interrupted);
    let (events, fork) = finish(studio.resume(&forked.run, None).await.unwrap()).await;
    assert_eq!((fork.status, fork.errors.as_slice()), (RunStatus::Done, [].as_slice()));
    assert_eq!(model.requests().len(), CALLS.len(), "every answer was stored");
    assert_eq!((fork.usage.total, fork.usage.calls), (0, CALLS.len() as u64), "the answers were paid for before");
    assert_eq!(fork.story_made().unwrap().story, old.story_made().unwrap().story);
    assert!(kinds(&events).iter().any(|kind| kind == "saved"), "the work is saved under the name of the fork");

    let afresh = studio.call(op::ForkRun { run: old.run.clone(), checkpoint: at, afresh: true }).await.unwrap();
    finish(studio.resume(&afresh.run, None).await.unwrap()).await;
    assert_eq!(model.requests().len(), CALLS.len() + 4, "all but the planner were asked again");
    assert_eq!(studio.checkpoints(&old.run, None, None).await.unwrap(), rows);
    assert_eq!(studio.outcome(&old.run).await.unwrap().usage, old.usage);
}

#[tokio::test]
async fn a_fork_of_a_fork_reuses_the_answers_of_both() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let (_, old) = create(&studio, REQUIREMENT).await;
    let rows = studio.checkpoints(&old.run, None, None).await.unwrap();
    let first = studio
        .call(op::ForkRun {
            run: old.run.clone(),
            checkpoint: before(&rows, "outline_agent").checkpoint,
            afresh: false,
        })
        .await
        .unwrap();
    let newest = studio.checkpoints(&first.run, None, Some(1)).await.unwrap()[0].checkpoint;
    let second = studio.call(op::ForkRun { run: first.run.clone(), checkpoint: newest, afresh: false }).await.unwrap();
    let (_, fork) = finish(studio.resume(&second.run, None).await.unwrap()).await;
    assert_eq!((fork.status, model.requests().len()), (RunStatus::Done, CALLS.len()));
}

#[tokio::test]
async fn an_edit_of_the_past_goes_into_a_fork() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let (_, old) = create(&studio, REQUIREMENT).await;
    let rows = studio.checkpoints(&old.run, None, None).await.unwrap();
    let at = before(&rows, "review_agent").checkpoint;
    for (values, as_node, code) in [
        (BTreeMap::new(), None, "bad_request"),
        (edit("dragon", json!(1)), None, "unknown_field"),
        (edit("quality_score", json!("high")), None, "bad_material"),
        (edit("quality_score", json!(1)), Some("dragon"), "unknown_node"),
    ] {
        let refused = studio.edit_checkpoint(&old.run, at, values, as_node).await.unwrap_err();
        assert_eq!(refused.code(), code);
    }
    assert_eq!(studio.runs().await.unwrap().len(), 1, "a refused edit forks nothing");

    let edited = studio.edit_checkpoint(&old.run, at, edit("outline_summary", json!("另一句")), None).await.unwrap();
    assert!(edited.is_fork && edited.run != old.run);
    assert_eq!(edited.next, ["review_agent"]);
    let state = studio.checkpoint(&edited.run, edited.checkpoint).await.unwrap();
    assert_eq!(state.values["outline_summary"], "另一句");
    assert_eq!(
        (state.checkpoint.source, state.checkpoint.written.as_slice()),
        (CheckpointSource::Update, &["outline_summary".to_owned()][..])
    );
    assert_eq!(studio.checkpoints(&old.run, None, None).await.unwrap(), rows);
    let (_, outcome) = finish(studio.resume(&edited.run, None).await.unwrap()).await;
    assert_eq!(outcome.status, RunStatus::Done);
}

#[tokio::test]
async fn a_run_that_works_is_neither_edited_nor_forked() {
    let home = tempfile::tempdir().unwrap();
    let stuck = Stuck::at("plot.generate");
    let studio = studio(home.path(), stuck.models()).await;
    let run = studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap();
    stuck.is_reached().await;
    let rows = studio.checkpoints(run.run(), None, None).await.unwrap();
    assert_eq!(rows[0].next, ["plot_agent"], "a run that works can be read");
    let busy = studio.edit_checkpoint(run.run(), rows[0].checkpoint, edit("premise", json!("灯")), None).await;
    assert_eq!(busy.unwrap_err().code(), "thread_busy");
    let busy = studio.call(op::ForkRun { run: run.run().into(), checkpoint: rows[0].checkpoint, afresh: false }).await;
    assert_eq!(busy.unwrap_err().code(), "thread_busy");
    stuck.allowed.add_permits(9);
    assert_eq!(finish(run).await.1.status, RunStatus::Done);
}

#[tokio::test]
async fn a_breakpoint_waits_and_the_run_comes_to_the_same_end() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    let (_, plain) = create(&studio, REQUIREMENT).await;
    let stopped = create_with(&studio, &["plot_agent"], &["planner_agent"]).await;
    assert_eq!(stopped.status, RunStatus::Waiting);
    let Some(RunQuestion::Breakpoint { before, after, next }) = &stopped.question else { panic!("{stopped:?}") };
    assert_eq!(
        (before.as_slice(), after.as_slice(), next.as_slice()),
        (&[][..], &["planner_agent".to_owned()][..], &["dispatch".to_owned()][..])
    );
    assert_eq!(studio.show(&stopped.project).await.unwrap().question, stopped.question);

    let reject = RunAnswer::Reject { feedback: "不".into() };
    assert_eq!(studio.resume(&stopped.run, Some(reject)).await.unwrap_err().code(), "bad_material");
    let (_, again) = finish(studio.resume(&stopped.run, Some(RunAnswer::Approve)).await.unwrap()).await;
    let Some(RunQuestion::Breakpoint { before, .. }) = &again.question else { panic!("{again:?}") };
    assert_eq!(before, &["plot_agent"]);

    // An edit of a waiting run is made in place; the breakpoint has been seen.
    let at = studio.checkpoints(&again.run, None, Some(1)).await.unwrap()[0].checkpoint;
    let edited = studio.edit_checkpoint(&again.run, at, edit("plot_summary", json!("")), None).await.unwrap();
    assert_eq!((edited.is_fork, &edited.run), (false, &again.run));
    assert_eq!(studio.run(&again.run).await.unwrap().status, RunStatus::Interrupted);
    let (_, done) = finish(studio.resume(&again.run, None).await.unwrap()).await;
    assert_eq!((done.status, done.question), (RunStatus::Done, None));
    assert_eq!(done.made, plain.made);
}

#[tokio::test]
async fn a_breakpoint_at_an_unknown_node_begins_no_run() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), script::models(&script::model())).await;
    // A node of another kind of runs: settings may name it, a request may not.
    let overrides = table(&[("breakpoints.before", "[\"generation\"]")]);
    let refused = studio.create(CreateRequest { overrides, ..CreateRequest::new(REQUIREMENT) }).await.unwrap_err();
    let Error::Unknown { what: Noun::Node, given, known } = refused else { panic!("{refused}") };
    assert_eq!(given, "generation");
    assert!(known.iter().any(|node| node == "planner_agent"), "{known:?}");
    assert_eq!(studio.runs().await.unwrap(), []);

    let stopped = create_with(&studio, &["planner_agent"], &[]).await;
    let overrides = table(&[("breakpoints.after", "[\"nobody\"]")]);
    let request = ResumeRequest { run: stopped.run.clone(), overrides, ..ResumeRequest::default() };
    assert_eq!(studio.resume_with(request).await.unwrap_err().code(), "unknown_node");
    assert_eq!(studio.run(&stopped.run).await.unwrap().status, RunStatus::Waiting);
}

#[tokio::test]
async fn prompts_of_a_node_are_read_from_the_recording() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), script::models(&script::model())).await;
    let (_, outcome) = create(&studio, REQUIREMENT).await;
    let prompts = studio
        .call(op::ReadNodePrompts { run: outcome.run.clone(), node: "outline_agent".into(), checkpoint: None })
        .await
        .unwrap();
    assert!(prompts.is_recorded && prompts.correction.is_none());
    assert_eq!(prompts.prompts.len(), 1);
    let prompt = &prompts.prompts[0];
    assert_eq!(prompt.purpose, "outline.generate");
    assert_eq!(prompt.messages.iter().map(|message| message.role.as_str()).collect::<Vec<_>>(), ["system", "user"]);
    assert!(prompt.messages[1].text.contains("私家侦探") && prompt.answer.contains("雨夜来客"), "{prompt:?}");

    let rows = studio.checkpoints(&outcome.run, None, None).await.unwrap();
    let at = |node: &str| Some(before(&rows, node).checkpoint);
    let there = studio
        .call(op::ReadNodePrompts {
            run: outcome.run.clone(),
            node: "outline_agent".into(),
            checkpoint: at("outline_agent"),
        })
        .await
        .unwrap();
    assert_eq!(there.prompts, prompts.prompts);
    let elsewhere = studio
        .call(op::ReadNodePrompts {
            run: outcome.run.clone(),
            node: "outline_agent".into(),
            checkpoint: at("plot_agent"),
        })
        .await
        .unwrap();
    assert_eq!(elsewhere.prompts, []);
    let unknown = studio
        .call(op::ReadNodePrompts { run: outcome.run.clone(), node: "nobody".into(), checkpoint: None })
        .await
        .unwrap_err();
    assert_eq!(unknown.code(), "unknown_node");
}
