use std::collections::BTreeMap;
use std::path::Path;

use qingyu_llm::cassette::Cassette;
use qingyu_llm::testing::ScriptedModel;
use qingyu_llm::testing::server::Server;
use qingyu_studio::{CreateRequest, Outcome, ReplayReport, ReplayRequest, RunAnswer, RunStatus, Settings, Studio};

use crate::script::{self, CALLS, REQUIREMENT, Stuck};
use crate::wire::{self, KEY};
use crate::{create, environment, finish, offline, studio, table};

const ENGLISH: &str = "A locked-room mystery on a generation ship; the detective is the gardener";

async fn replay(studio: &Studio, request: ReplayRequest) -> ReplayReport {
    studio.replay(request, &mut |_| {}).await.unwrap()
}

/// A studio in an empty folder that may ask nobody.
async fn elsewhere(home: &Path) -> Studio {
    let settings = Settings::load(environment(home, &[("QINGYU_MODEL", "none/none")]), toml::Table::new()).unwrap();
    Studio::open(settings).await.unwrap()
}

/// One run with good answers, and its studio.
async fn recorded(home: &Path) -> (Studio, ScriptedModel, Outcome) {
    let model = script::model();
    let studio = studio(home, script::models(&model)).await;
    let (_, outcome) = create(&studio, REQUIREMENT).await;
    assert_eq!(outcome.status, RunStatus::Done);
    (studio, model, outcome)
}

fn assert_faithful(replay: &ReplayReport) {
    assert!(replay.identical, "{replay:#?}");
    for run in &replay.runs {
        assert_eq!((run.counts().1, run.unplayed.len(), run.now), (0, 0, run.then.unwrap()));
    }
    assert_eq!(replay.spent.calls, 0);
}

#[tokio::test]
async fn a_run_is_played_again_byte_for_byte_without_asking_anybody() {
    let home = tempfile::tempdir().unwrap();
    let (studio, model, outcome) = recorded(home.path()).await;
    let again = replay(&studio, ReplayRequest::run(&outcome.run)).await;
    assert_faithful(&again);
    assert_eq!((again.runs[0].calls.len(), again.project), (CALLS.len(), None));
    assert_eq!(model.requests().len(), CALLS.len());
    assert_eq!(studio.projects().await.unwrap().len(), 1, "it was thrown away");
    let left = std::fs::read_dir(home.path().join("scratch")).unwrap().count();
    assert_eq!(left, 0);

    // The file alone is enough, anywhere.
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("book.jsonl");
    std::fs::copy(studio.cassette(&outcome.run), &file).unwrap();
    let elsewhere = elsewhere(&other.path().join("home")).await;
    let kept = ReplayRequest { keep: true, title: Some("雨城".into()), ..ReplayRequest::file(&file) };
    let kept = replay(&elsewhere, kept).await;
    assert_faithful(&kept);
    let view = elsewhere.show(&kept.project.unwrap()).await.unwrap();
    assert_eq!((view.project.title.as_str(), &view.story), ("雨城", &outcome.story_made().unwrap().story));
    // What was kept was recorded, too.
    assert_faithful(&replay(&elsewhere, ReplayRequest::run(&view.runs[0].run)).await);
}

#[tokio::test]
async fn the_offline_model_is_played_as_any_other() {
    for requirement in [REQUIREMENT, ENGLISH] {
        let home = tempfile::tempdir().unwrap();
        let studio = Studio::open(offline(home.path())).await.unwrap();
        let (_, outcome) = create(&studio, requirement).await;
        assert!(matches!(outcome.status, RunStatus::Done | RunStatus::Waiting), "{:?}", outcome.errors);
        let other = tempfile::tempdir().unwrap();
        let file = studio.cassette(&outcome.run);
        assert_faithful(&replay(&elsewhere(other.path()).await, ReplayRequest::file(file)).await);
    }
}

#[tokio::test]
async fn what_a_person_answered_is_part_of_the_recording() {
    let home = tempfile::tempdir().unwrap();
    let model = ScriptedModel::responding("scripted", |request| {
        script::reply(&match request.purpose.as_str() {
            "review.judge" => script::judgement(20),
            purpose => script::answer(purpose),
        })
    });
    let studio = studio(home.path(), script::models(&model)).await;
    let (_, asked) = create(&studio, REQUIREMENT).await;
    assert_eq!(asked.status, RunStatus::Waiting);
    assert_faithful(&replay(&studio, ReplayRequest::run(&asked.run)).await);
    let (_, done) = finish(studio.resume(&asked.run, Some(RunAnswer::Approve)).await.unwrap()).await;
    assert_eq!(done.status, RunStatus::Done, "{:?}", done.errors);
    let again = replay(&studio, ReplayRequest::run(&asked.run)).await;
    assert_faithful(&again);
    assert_eq!(again.runs[0].now, RunStatus::Done);
}

#[tokio::test]
async fn runs_after_each_other_are_one_session_each_of_one_file() {
    let home = tempfile::tempdir().unwrap();
    let (studio, model, first) = recorded(home.path()).await;
    let more = CreateRequest { project: Some(first.project.clone()), ..CreateRequest::new("再写一章") };
    let (_, second) = finish(studio.create(more).await.unwrap()).await;
    // The scripted model answers as before: nothing of what was asked for came of it.
    assert_eq!(second.status, RunStatus::Waiting);
    let asked = model.requests().len();

    let read = |run: &str| std::fs::read_to_string(studio.cassette(run)).unwrap();
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("both.jsonl");
    std::fs::write(&file, read(&first.run) + &read(&second.run)).unwrap();
    let elsewhere = elsewhere(&other.path().join("home")).await;
    let both = replay(&elsewhere, ReplayRequest { keep: true, ..ReplayRequest::file(&file) }).await;
    assert_faithful(&both);
    assert_eq!(both.runs.iter().map(|run| run.recorded.as_str()).collect::<Vec<_>>(), [&first.run, &second.run]);
    assert_eq!(elsewhere.projects().await.unwrap().len(), 1);
    let story = elsewhere.show(&both.project.unwrap()).await.unwrap().story;
    assert_eq!(story, studio.show(&first.project).await.unwrap().story);

    // The second one alone brings what was there.
    assert_faithful(&replay(&elsewhere, ReplayRequest::file(studio.cassette(&second.run))).await);
    assert_eq!(model.requests().len(), asked);
}

#[tokio::test]
async fn a_changed_prompt_asks_only_what_it_changes() {
    let home = tempfile::tempdir().unwrap();
    let (studio, model, outcome) = recorded(home.path()).await;
    let prompt = "{% include \"shared/context.zh.md\" %}\n\n写出情节，短一些。{{ task }}\n";
    let changed = ReplayRequest {
        prompts: BTreeMap::from([("plot/generate.zh.md".to_owned(), prompt.to_owned())]),
        ..ReplayRequest::run(&outcome.run)
    };
    let before = model.requests().len();
    let again = replay(&studio, changed.clone()).await;
    let run = &again.runs[0];
    let asked: Vec<_> =
        run.calls.iter().filter(|call| call.asked.is_some()).map(|call| call.purpose.as_str()).collect();
    assert_eq!(asked, ["plot.generate"], "the answer is the same, so the review is asked the same");
    assert!(run.calls[3].asked.as_ref().unwrap().starts_with("/messages/1/text: recorded "), "{run:?}");
    assert!(again.identical && run.unplayed == ["plot.generate"], "{run:#?}");
    assert_eq!(run.changed_prompts, ["plot/generate.zh.md"]);
    assert_eq!(model.requests().len(), before + 1);
    assert!(model.requests()[before].messages[1].text.contains("短一些"));
    assert_eq!((again.spent.calls, again.spent.total), (1, 150));

    // Nothing serves here: the run fails at the changed call and says what changed.
    let other = tempfile::tempdir().unwrap();
    let nobody = elsewhere(other.path()).await;
    let error =
        nobody.replay(ReplayRequest { file: Some(studio.cassette(&outcome.run)), ..changed }, &mut |_| {}).await;
    assert_eq!(error.unwrap_err().code(), "unknown_model");
    let unknown = ReplayRequest {
        prompts: BTreeMap::from([("plot/sing.zh.md".to_owned(), String::new())]),
        ..ReplayRequest::run(&outcome.run)
    };
    assert_eq!(studio.replay(unknown, &mut |_| {}).await.unwrap_err().code(), "bad_settings");
}

#[tokio::test]
async fn another_model_answers_what_it_did_not_answer_then() {
    let home = tempfile::tempdir().unwrap();
    let (studio, _, outcome) = recorded(home.path()).await;
    let file = studio.cassette(&outcome.run);
    let other = tempfile::tempdir().unwrap();
    let offline = Studio::open(offline(&other.path().join("home"))).await.unwrap();
    let model = Some("offline-rules-1".to_owned());
    let one_role = ReplayRequest { model: model.clone(), role: Some("character".into()), ..ReplayRequest::file(&file) };
    let again = replay(&offline, one_role).await;
    let run = &again.runs[0];
    let asked: Vec<_> =
        run.calls.iter().filter(|call| call.asked.is_some()).map(|call| call.purpose.as_str()).collect();
    assert!(asked.contains(&"character.generate") && !asked.contains(&"outline.generate"), "{asked:?}");
    assert!(!again.identical);
    assert!(run.pieces.iter().any(|piece| piece.kind == "character" && !piece.differences.is_empty()), "{run:#?}");
    assert!(run.counts().0 >= 2, "plan and outline were played");

    let all = replay(&offline, ReplayRequest { model, ..ReplayRequest::file(&file) }).await;
    assert_eq!(all.runs[0].counts().0, 0, "nothing of the other model is left");
    // What that model made is its own recording, in which it is asked nothing.
    let (_, own) = create(&offline, REQUIREMENT).await;
    let same = ReplayRequest { model: Some("offline-rules-1".into()), ..ReplayRequest::run(&own.run) };
    let same = replay(&offline, same).await;
    assert!(same.identical && same.runs[0].counts().1 == 0);
}

#[tokio::test]
async fn differences_are_told_where_they_are() {
    let home = tempfile::tempdir().unwrap();
    let (studio, _, outcome) = recorded(home.path()).await;
    let file = home.path().join("changed.jsonl");
    let text = std::fs::read_to_string(studio.cassette(&outcome.run)).unwrap();
    let end = text.lines().find(|line| line.contains("\"kind\":\"end\"")).unwrap();
    std::fs::write(&file, text.replace(end, &end.replace("读过了", "没读"))).unwrap();
    let again = replay(&studio, ReplayRequest::file(&file)).await;
    let run = &again.runs[0];
    assert_eq!((again.identical, run.same_story), (false, Some(true)));
    let paths: Vec<_> = run.differences.iter().map(|place| place.path.as_str()).collect();
    assert_eq!(paths, ["/diagnostic_report/reasoning_chain/1", "/reasoning/3"]);
    assert!(run.differences[0].recorded.contains("没读") && run.differences[0].now.contains("读过了"));

    // A recording that ends before its run did: what was not recorded is named.
    let call = text.lines().filter(|line| line.contains("\"purpose\":\"review.judge\"")).count();
    assert_eq!(call, 1);
    let short: String =
        text.lines().filter(|line| !line.contains("review.judge")).map(|line| format!("{line}\n")).collect();
    std::fs::write(&file, short).unwrap();
    let again = replay(&studio, ReplayRequest::file(&file)).await;
    let failure = again.runs[0].failure.as_ref().unwrap();
    assert_eq!((failure.code.as_str(), failure.data["purpose"].as_str()), ("not_recorded", Some("review.judge")));
}

#[tokio::test]
async fn recording_can_be_switched_off_and_what_is_missing_is_said() {
    let home = tempfile::tempdir().unwrap();
    let settings = Settings::load(
        environment(home.path(), &[("QINGYU_MODEL", "offline-rules-1")]),
        table(&[("cassettes.record", "false")]),
    );
    let studio = Studio::open(settings.unwrap()).await.unwrap();
    let (_, outcome) = create(&studio, REQUIREMENT).await;
    assert!(!studio.cassette(&outcome.run).exists());
    let error = studio.replay(ReplayRequest::run(&outcome.run), &mut |_| {}).await.unwrap_err();
    assert_eq!(error.code(), "no_cassette");
    let file = home.path().join("old.jsonl");
    for (text, words) in [
        ("", "there is nothing on it"),
        ("{\"version\":1}\n", "line 1"),
        ("{\"version\":2,\"header\":{\"request\":{\"kind\":\"dance\"}}}\n", "dance"),
        ("{\"version\":2,\"header\":{\"run\":\"r-1\",\"partial\":true}}\n", "the beginning of run r-1"),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = studio.replay(ReplayRequest::file(&file), &mut |_| {}).await.unwrap_err();
        assert_eq!(error.code(), "bad_cassette");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[tokio::test]
async fn a_resumed_run_goes_on_in_its_cassette() {
    let home = tempfile::tempdir().unwrap();
    let stuck = Stuck::at("plot.generate");
    let studio = studio(home.path(), stuck.models()).await;
    let run = studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap();
    stuck.is_reached().await;
    run.cancel();
    let (_, stopped) = finish(run).await;
    let go_on = Studio::open_with_models(offline(home.path()), script::models(&stuck.inner)).await.unwrap();
    let (_, done) = finish(go_on.resume(&stopped.run, None).await.unwrap()).await;
    assert_eq!(done.status, RunStatus::Done);
    let cassette = Cassette::open(&go_on.cassette(&done.run)).unwrap();
    let marks: Vec<_> = cassette.sessions[0].marks.iter().map(|mark| mark.kind.as_str()).collect();
    assert_eq!((cassette.sessions.len(), marks), (1, vec!["end", "resumed", "end"]));
    assert_faithful(&replay(&go_on, ReplayRequest::run(&done.run)).await);
}

#[tokio::test]
async fn no_key_is_ever_recorded() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::responding(wire::reply).await;
    wire::write_settings(home.path(), &server, "openai");
    let config = std::fs::read_to_string(home.path().join("config.toml")).unwrap();
    let more = "\n[mcp_servers.clock]\ncommand = \"clock\"\nenv = { TOKEN = \"canary-in-settings\" }\n";
    std::fs::write(home.path().join("config.toml"), config + more).unwrap();
    let settings = Settings::load(environment(home.path(), &[("MINE_API_KEY", KEY)]), toml::Table::new()).unwrap();
    let studio = Studio::open(settings).await.unwrap();
    let overrides = table(&[("providers.mine.headers", "{ x-token = \"canary-in-request\" }")]);
    let request = CreateRequest { overrides, ..CreateRequest::new(REQUIREMENT) };
    let (_, outcome) = finish(studio.create(request).await.unwrap()).await;
    assert_eq!(outcome.status, RunStatus::Done, "{:?}", outcome.errors);
    let text = std::fs::read_to_string(studio.cassette(&outcome.run)).unwrap();
    assert!(!text.contains(KEY) && !text.contains("canary") && !text.contains("x-token"));
    assert!(!text.contains("providers") && !text.contains("mcp_servers"));
    assert!(text.contains("outline.generate") && text.contains(REQUIREMENT));
    let other = tempfile::tempdir().unwrap();
    let file = studio.cassette(&outcome.run);
    assert_faithful(&replay(&elsewhere(other.path()).await, ReplayRequest::file(file)).await);
}
