//! The whole pipeline against a server that speaks the providers' protocols.

use qingyu_llm::testing::server::{Recorded, RecordedEndpoint, Scripted, Server};
use qingyu_llm::{Reply, Usage};
use qingyu_studio::operations::ResumeRequest;
use qingyu_studio::settings::values::ROLES;
use qingyu_studio::{CreateRequest, ModelReason, RunStatus, Settings, SpendingBy, Studio, StudioEventKind};

use crate::script::{self, CALLS, REQUIREMENT, USAGE};
use crate::wire::{KEY, purpose, reply, write_settings};
use crate::{environment, finish, table};

async fn run_over(wire: &str, endpoint: RecordedEndpoint) {
    let home = tempfile::tempdir().unwrap();
    let server = Server::responding(reply).await;
    write_settings(home.path(), &server, wire);
    let settings = Settings::load(environment(home.path(), &[("MINE_API_KEY", KEY)]), toml::Table::new()).unwrap();
    let studio = Studio::open(settings).await.unwrap();
    let (events, outcome) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    assert_eq!((outcome.status, outcome.errors.as_slice()), (RunStatus::Done, [].as_slice()));
    let StudioEventKind::RunStarted { model, .. } = &events[0].kind else { panic!("{:?}", events[0]) };
    let why = ModelReason::KeySet { provider: "mine".into(), variable: "MINE_API_KEY".into() };
    assert_eq!((model.model.as_str(), &model.why), ("mine/writer", &why));

    // What was sent: five calls in the plan's order, streamed, with the key, the schema and the material.
    let asked = server.requests();
    assert_eq!(asked.iter().map(purpose).collect::<Vec<_>>(), CALLS);
    assert_eq!(server.count(endpoint), CALLS.len());
    for request in &asked {
        assert_eq!((request.model(), request.streams()), ("writer", true));
        let key = request.headers.get("authorization").or_else(|| request.headers.get("x-api-key")).unwrap();
        assert!(key.ends_with(KEY), "{key}");
        assert!(request.prompt().contains(REQUIREMENT), "{}", request.prompt());
    }
    assert!(asked[2].prompt().contains("第一章 雨夜来客"), "the cast is made for the outline");
    assert!(asked[3].prompt().contains("苏曼"), "the plot is made for the cast");
    assert!(asked[4].prompt().contains("谎言败露"), "the review sees the plot");

    // What came back: the material, and what it cost by the settings' prices.
    assert_eq!(
        (outcome.story_made().unwrap().story.outline_nodes.len(), outcome.story_made().unwrap().story.plot_nodes.len()),
        (2, 3)
    );
    assert_eq!((outcome.usage.calls, outcome.usage.estimated), (5, false));
    let cost = outcome.usage.cost.unwrap();
    assert_eq!((cost.micros, cost.currency.as_str()), (5 * (100 * 2 + 50 * 8), "CNY"));

    // The key is nowhere on disk.
    drop(studio);
    for entry in std::fs::read_dir(home.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            // SQLite removes its log while it closes.
            let Ok(bytes) = std::fs::read(&path) else { continue };
            assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{}", path.display());
        }
    }
}

#[tokio::test]
async fn the_whole_pipeline_over_openai() {
    run_over("openai", RecordedEndpoint::Chat).await;
}

#[tokio::test]
async fn the_whole_pipeline_over_anthropic() {
    run_over("anthropic", RecordedEndpoint::Messages).await;
}

#[tokio::test]
async fn a_server_on_this_machine_is_found() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::responding(reply).await;
    let settings = format!(
        "[models]\nlocal = [\"mine\"]\n[providers.mine]\nbase_url = \"{}/v1\"\noutput = \"json_schema\"",
        server.url()
    );
    std::fs::write(home.path().join("config.toml"), settings).unwrap();
    let settings = Settings::load(environment(home.path(), &[]), toml::Table::new()).unwrap();
    let studio = Studio::open(settings).await.unwrap();
    let rows = studio.models().await.unwrap();
    let row = rows.iter().find(|row| row.provider == "mine").unwrap();
    assert_eq!((row.reachable, row.roles.len()), (Some(true), ROLES.len()), "{row:?}");
    let (events, outcome) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    let StudioEventKind::RunStarted { model, .. } = &events[0].kind else { panic!("{:?}", events[0]) };
    assert!(matches!(model.why, ModelReason::LocalServer { .. }), "{model:?}");
    assert_eq!(outcome.usage.cost.map(|cost| cost.micros), Some(0), "it costs nothing");
}

#[tokio::test]
async fn a_budget_stops_a_run_and_a_larger_one_lets_it_go_on() {
    let home = tempfile::tempdir().unwrap();
    let usage = Usage { input: 3_000, output: 1_000, ..USAGE };
    let costly = move |asked: &Recorded| {
        Scripted::reply(Reply { text: script::answer(purpose(asked)).to_string(), usage, ..Reply::default() })
    };
    let server = Server::responding(costly).await;
    write_settings(home.path(), &server, "openai");
    let open = async |tokens: &str| {
        let variables = [("MINE_API_KEY", KEY), ("QINGYU_BUDGET_TOKENS", tokens)];
        Studio::open(Settings::load(environment(home.path(), &variables), toml::Table::new()).unwrap()).await.unwrap()
    };
    let (_, stopped) = finish(open("10000").await.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    assert_eq!(
        (stopped.status, stopped.errors[0].code.as_str()),
        (RunStatus::Failed, "budget"),
        "{:?}",
        stopped.errors
    );
    let paid = stopped.usage.calls;
    assert!((1..5).contains(&paid), "{paid} calls");
    assert_eq!(server.requests().len() as u64, paid, "nothing was asked beyond the budget");

    let (_, again) = finish(open("10000").await.resume(&stopped.run, None).await.unwrap()).await;
    assert_eq!(again.errors[0].code, "budget", "what was spent before counts");
    assert_eq!(server.requests().len() as u64, paid);
    let (_, done) = finish(open("600000").await.resume(&stopped.run, None).await.unwrap()).await;
    assert_eq!((done.status, done.usage.calls), (RunStatus::Done, 5));
}

#[tokio::test]
async fn a_day_has_one_budget_for_runs_and_questions() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::responding(reply).await;
    write_settings(home.path(), &server, "openai");
    // A run takes 750 tokens; what a call is expected to take is far more than it does.
    let limit = table(&[("budget.per_day_tokens", "16000")]);
    let settings = Settings::load(environment(home.path(), &[("MINE_API_KEY", KEY)]), limit).unwrap();
    let studio = Studio::open(settings).await.unwrap();
    let mut done = 0;
    let stopped = loop {
        let (_, outcome) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
        match outcome.status {
            RunStatus::Done => done += 1,
            _ => break outcome,
        }
        assert!(done < 40, "nothing stops it");
    };
    assert!(done > 1, "each run alone is far below the limit");
    let failure = &stopped.errors[0];
    assert_eq!((failure.code.as_str(), failure.data["setting"].as_str()), ("budget", Some("budget.per_day_tokens")));
    let spent = studio.spending(None, SpendingBy::Day).await.unwrap();
    assert_eq!(failure.data["spent"].as_u64().unwrap(), spent.today.input + spent.today.output);
    assert_eq!(server.requests().len() as u64, spent.total.calls, "nothing was asked beyond the budget");

    let overrides = table(&[("budget.per_day_tokens", "9000000")]);
    let raised = ResumeRequest { run: stopped.run, overrides, ..ResumeRequest::default() };
    let (_, goes_on) = finish(studio.resume_with(raised).await.unwrap()).await;
    assert_eq!((goes_on.status, goes_on.usage.calls), (RunStatus::Done, 5), "what was paid is not paid again");
}
