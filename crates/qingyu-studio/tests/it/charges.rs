//! What is booked of calls to a server, and what budgets make of it.

use qingyu_llm::testing::server::{Recorded, Scripted, Server};
use qingyu_llm::{Reply, Usage};
use qingyu_studio::{AskRequest, CreateRequest, RunStatus, Settings, SpendingBy, Studio};

use crate::script::{REQUIREMENT, USAGE};
use crate::wire::{KEY, purpose, reply, write_settings};
use crate::{environment, finish, offline, table};

async fn open(home: &std::path::Path, overrides: &[(&str, &str)]) -> Studio {
    let environment = environment(home, &[("MINE_API_KEY", KEY)]);
    Studio::open(Settings::load(environment, table(overrides)).unwrap()).await.unwrap()
}

#[tokio::test]
async fn answers_that_never_fit_use_up_the_budget_however_often_the_run_is_resumed() {
    let home = tempfile::tempdir().unwrap();
    let usage = Usage { input: 3_000, output: 1_000, ..USAGE };
    let server = Server::responding(move |asked: &Recorded| match purpose(asked) {
        "outline.generate" => Scripted::reply(Reply { text: "这不是数据".into(), usage, ..Reply::default() }),
        _ => reply(asked),
    });
    let server = server.await;
    write_settings(home.path(), &server, "openai");
    let studio = open(home.path(), &[("budget.tokens", "40000")]).await;
    let (_, mut outcome) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    let mut resumed = 0;
    while outcome.errors[0].code != "budget" {
        assert_eq!((outcome.status, outcome.errors[0].code.as_str()), (RunStatus::Failed, "bad_output"));
        assert_eq!(outcome.usage.calls, server.requests().len() as u64, "what was sent is booked");
        resumed += 1;
        assert!(resumed < 5, "nothing stops it");
        (_, outcome) = finish(studio.resume(&outcome.run, None).await.unwrap()).await;
    }
    let asked = server.requests();
    assert_eq!(outcome.usage.calls, asked.len() as u64);
    assert_eq!(outcome.usage.input + outcome.usage.output, 150 + 4_000 * (asked.len() as u64 - 1));
    assert_eq!(asked.iter().filter(|asked| purpose(asked) == "plan.create").count(), 1, "a stored answer is paid once");
    let spent = studio.spending(None, SpendingBy::Agent).await.unwrap();
    assert_eq!(spent.rows.iter().map(|row| row.key.as_str()).collect::<Vec<_>>(), ["outline_agent", "planner_agent"]);
}

#[tokio::test]
async fn what_a_server_does_not_report_is_estimated_and_stops_at_the_budget() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::responding(|asked: &Recorded| {
        let text = crate::answers::answer(purpose(asked)).to_string();
        let chunk = serde_json::json!({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]});
        Scripted::sse([format!("data: {chunk}\n\ndata: [DONE]\n\n")])
    });
    let server = server.await;
    // A server on this machine without a key and without a price.
    let settings = format!(
        "[models]\nlocal = [\"mine\"]\n[providers.mine]\nbase_url = \"{}/v1\"\noutput = \"json_schema\"",
        server.url()
    );
    std::fs::write(home.path().join("config.toml"), settings).unwrap();
    let studio = open(home.path(), &[]).await;
    let (_, whole) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    assert_eq!(whole.status, RunStatus::Done);
    assert!(whole.usage.estimated && whole.usage.input > 0 && whole.usage.output > 0, "{:?}", whole.usage);
    assert_eq!(whole.usage.cost.unwrap().micros, 0);
    for budget in ["budget.tokens", "budget.per_day_tokens"] {
        let limited = open(home.path(), &[(budget, "6000")]).await;
        let (_, stopped) = finish(limited.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
        assert_eq!((stopped.status, stopped.errors[0].code.as_str()), (RunStatus::Failed, "budget"), "{budget}");
    }
}

#[tokio::test]
async fn a_fallback_that_answered_is_said_in_the_result() {
    let home = tempfile::tempdir().unwrap();
    let refusing = Server::responding(|_: &Recorded| Scripted::status(401, "wrong key")).await;
    let server = Server::responding(reply).await;
    write_settings(home.path(), &refusing, "openai");
    let more = format!("[providers.spare]\nbase_url = \"{}/v1\"\noutput = \"json_schema\"\n", server.url());
    let path = home.path().join("config.toml");
    let settings = std::fs::read_to_string(&path).unwrap().replace("[retries]", &format!("{more}[retries]"));
    std::fs::write(&path, settings).unwrap();
    let studio = open(home.path(), &[("models.fallbacks", "[\"spare/writer\"]")]).await;
    let (_, outcome) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    assert_eq!(outcome.status, RunStatus::Done);
    let [said] = &outcome.warnings[..] else { panic!("{:?}", outcome.warnings) };
    assert!(
        said.starts_with("5 次调用没有得到 mine/writer 的回答，改由 spare/writer 回答：") && said.contains("401"),
        "{said}"
    );
    assert_eq!(outcome.document()["warnings"][0], said.as_str());
    let spent = studio.spending(None, SpendingBy::Model).await.unwrap();
    assert_eq!((spent.rows[0].key.as_str(), spent.rows[0].calls, spent.rows.len()), ("spare/writer", 5, 1));
}

#[tokio::test]
async fn a_model_named_for_the_run_has_the_fallbacks_of_the_settings() {
    let home = tempfile::tempdir().unwrap();
    let refusing = Server::responding(|_: &Recorded| Scripted::status(401, "wrong key")).await;
    let server = Server::responding(reply).await;
    write_settings(home.path(), &refusing, "openai");
    let more = format!("[providers.spare]\nbase_url = \"{}/v1\"\noutput = \"json_schema\"\n", server.url());
    let path = home.path().join("config.toml");
    let settings = std::fs::read_to_string(&path).unwrap().replace("[retries]", &format!("{more}[retries]"));
    std::fs::write(&path, settings).unwrap();
    let studio = open(home.path(), &[("models.fallbacks", "[\"spare/writer\"]")]).await;
    let request = CreateRequest { model: Some("mine/writer".into()), ..CreateRequest::new(REQUIREMENT) };
    let (_, outcome) = finish(studio.create(request).await.unwrap()).await;
    assert_eq!(outcome.status, RunStatus::Done);
    let [said] = &outcome.warnings[..] else { panic!("{:?}", outcome.warnings) };
    assert!(said.contains("mine/writer") && said.contains("改由 spare/writer 回答"), "{said}");
    let request = CreateRequest { model: Some("offline-rules-1".into()), ..CreateRequest::new(REQUIREMENT) };
    let (_, outcome) = finish(studio.create(request).await.unwrap()).await;
    assert!(outcome.warnings.iter().all(|said| !said.contains("spare/writer")), "{:?}", outcome.warnings);
}

#[tokio::test]
async fn an_empty_account_is_told_at_once() {
    let home = tempfile::tempdir().unwrap();
    let body = r#"{"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}}"#;
    let server = Server::responding(move |_: &Recorded| Scripted::status(429, body)).await;
    write_settings(home.path(), &server, "openai");
    let studio = open(home.path(), &[("retries.attempts", "4")]).await;
    let (_, outcome) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    assert_eq!((outcome.status, outcome.errors[0].code.as_str()), (RunStatus::Failed, "no_credit"));
    assert_eq!((server.requests().len(), outcome.usage.calls), (1, 0), "a refusal costs nothing");
}

#[tokio::test]
async fn the_offline_model_takes_no_part_in_token_budgets_unless_it_is_asked_to() {
    let home = tempfile::tempdir().unwrap();
    let run = async |overrides: &[(&str, &str)]| {
        let all = [&[("models.default", "offline-rules-1"), ("budget.tokens", "1")], overrides].concat();
        finish(open(home.path(), &all).await.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await.1
    };
    let free = run(&[]).await;
    assert!(free.errors.is_empty() && free.status != RunStatus::Failed, "{:?}", free.errors);
    assert_eq!(run(&[("budget.free_models", "true")]).await.errors[0].code, "budget");
}

#[tokio::test]
async fn a_question_whose_answer_is_unusable_is_booked() {
    let home = tempfile::tempdir().unwrap();
    let (_, made) = crate::create(&Studio::open(offline(home.path())).await.unwrap(), REQUIREMENT).await;
    let server = Server::responding(|_: &Recorded| {
        Scripted::reply(Reply { text: "这不是数据".into(), usage: USAGE, ..Reply::default() })
    });
    let server = server.await;
    write_settings(home.path(), &server, "openai");
    let studio = open(home.path(), &[("models.assistant", "mine/writer"), ("models.default", "offline-rules-1")]).await;
    let request = AskRequest { question: "谁是主角？".into(), before: None, budget: None, series: false };
    assert_eq!(studio.ask(&made.project, &request).await.unwrap_err().code(), "bad_output");
    let spent = studio.spending(None, SpendingBy::Model).await.unwrap();
    let row = spent.rows.iter().find(|row| row.key == "mine/writer").unwrap();
    assert_eq!((row.calls, row.input, row.unpriced), (3, 3 * USAGE.input, 0));
    assert_eq!(server.requests().len(), 3);
}
