use qingyu_llm::Error as ModelError;
use qingyu_studio::{CheckState, CreateRequest, DoctorReach, Error, RunStatus, Settings, Studio};

use crate::script::{self, REQUIREMENT};
use crate::{create, environment, finish, kinds, offline, studio, table};

#[tokio::test]
async fn what_is_wrong_with_a_request_is_said_before_anything_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let settings = Settings::load(environment(home.path(), &[]), toml::Table::new()).unwrap();
    let studio = Studio::open(settings).await.unwrap();
    let request = CreateRequest::new;
    let model = |model: &str| CreateRequest { model: Some(model.into()), ..request(REQUIREMENT) };
    for (request, code) in [
        (request(""), "requirement_empty"),
        (request(&"x".repeat(2_000_000)), "requirement_too_long"),
        (request("写\u{0}"), "requirement_control"),
        (CreateRequest { project: Some("p-none".into()), ..request(REQUIREMENT) }, "unknown_project"),
        (model("nobody/none"), "unknown_model"),
        (model("deepseek"), "unknown_model"),
        (model("deepseek/deepseek-flash"), "no_key"),
        (
            CreateRequest {
                overrides: table(&[
                    ("models.outline", "deepseek/deepseek-flash"),
                    ("models.default", "offline-rules-1"),
                ]),
                ..request(REQUIREMENT)
            },
            "no_key",
        ),
        (CreateRequest { overrides: table(&[("providers.mine.url", "x")]), ..request(REQUIREMENT) }, "bad_settings"),
    ] {
        let error = studio.create(request).await.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    assert!(studio.runs().await.unwrap().is_empty());
    assert!(studio.projects().await.unwrap().is_empty());
    for given in ["r-none", "p-none", "", "%"] {
        assert_eq!(studio.resume(given, None).await.unwrap_err().code(), "unknown_run", "{given}");
        assert_eq!(studio.show(given).await.unwrap_err().code(), "unknown_project", "{given}");
    }
    let Error::NoKey { variable, .. } = studio.create(model("deepseek/deepseek-flash")).await.unwrap_err() else {
        panic!("the key is not missed");
    };
    assert_eq!(variable, "DEEPSEEK_API_KEY");
}

#[tokio::test]
async fn a_failed_run_says_why_and_goes_on_when_that_is_mended() {
    let http = |status| ModelError::Http {
        model: "scripted".into(),
        status,
        body: "no".into(),
        retry_after: None,
        url: Box::default(),
    };
    for (error, code) in [
        (http(401), "provider_refused"),
        (http(429), "provider_busy"),
        (http(500), "provider"),
        (ModelError::Transport { model: "scripted".into(), message: "timed out".into() }, "provider_unreachable"),
        (ModelError::Budget { message: "100 of 100 tokens".into(), overdraft: None }, "budget"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let model = script::model();
        let studio = studio(home.path(), script::models(&model)).await;
        model.push("outline.generate", error);
        let (events, failed) = create(&studio, REQUIREMENT).await;
        assert_eq!(failed.status, RunStatus::Failed);
        let codes: Vec<_> = failed.errors.iter().map(|failure| failure.code.as_str()).collect();
        assert_eq!(codes, [code]);
        assert_eq!(kinds(&events).last().unwrap(), "failed");
        assert_eq!(studio.runs().await.unwrap()[0].status, RunStatus::Failed);
        let (_, done) = finish(studio.resume(&failed.run, None).await.unwrap()).await;
        assert_eq!((done.status, done.usage.calls), (RunStatus::Done, 5));
        let plans = model.requests().into_iter().filter(|request| request.purpose == "plan.create").count();
        assert_eq!(plans, 1, "the plan was paid for before the failure");
    }
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_is_named() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "no folder").unwrap();
    let error = Studio::open(offline(&file.join("home"))).await.unwrap_err();
    assert_eq!(error.code(), "read_only", "{error}");

    let occupied = home.path().join("occupied");
    std::fs::create_dir_all(occupied.join("qingyu.db")).unwrap();
    let error = Studio::open(offline(&occupied)).await.unwrap_err();
    assert_eq!(error.code(), "read_only", "{error}");

    let damaged = home.path().join("damaged");
    std::fs::create_dir_all(&damaged).unwrap();
    std::fs::write(damaged.join("qingyu.db"), "this is no database".repeat(500)).unwrap();
    let error = Studio::open(offline(&damaged)).await.unwrap_err();
    assert_eq!(error.code(), "corrupt", "{error}");
    let rows = Studio::doctor(&offline(&damaged), DoctorReach::Servers).await;
    let row = rows.iter().find(|row| row.check == "database").unwrap();
    assert_eq!((row.state, &row.data["code"]), (CheckState::Failed, &"corrupt".into()));
}

#[tokio::test]
async fn data_of_a_newer_release_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    drop(Studio::open(offline(home.path())).await.unwrap());
    let database =
        qingyu_db::Sqlite::open(&home.path().join("qingyu.db"), qingyu_db::Settings::default()).await.unwrap();
    let newer = "INSERT INTO migration(owner, position, name, sql) VALUES ('studio', 99, '0099_later', '')";
    database.write(move |connection| Ok::<_, qingyu_db::Error>(connection.execute_batch(newer)?)).await.unwrap();
    let error = Studio::open(offline(home.path())).await.unwrap_err();
    assert_eq!(error.code(), "newer_data", "{error}");
}

#[test]
fn every_failure_has_a_code_and_its_data() {
    let error = Error::RequirementTooLong { bytes: 2_000_000, limit: 65_536 };
    let failure = error.failure();
    assert_eq!((failure.code.as_str(), &failure.data["limit"]), ("requirement_too_long", &65_536.into()));
    let text = serde_json::to_string(&failure).unwrap();
    assert_eq!(serde_json::from_str::<qingyu_studio::FailureRecord>(&text).unwrap(), failure);
}
