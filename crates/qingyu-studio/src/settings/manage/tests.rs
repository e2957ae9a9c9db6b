use serde_json::json;

use crate::access::{KeyRequest, Right, UserRequest, UserRole};
use crate::{Environment, Error, SettingLayer, Settings, Studio};

async fn studio(home: &std::path::Path, variables: &[(&str, &str)]) -> Studio {
    let home = ("QINGYU_HOME".to_owned(), home.to_str().unwrap().to_owned());
    let more = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let settings = Settings::load(Environment::new([home].into_iter().chain(more)), toml::Table::new()).unwrap();
    Studio::open(settings).await.unwrap()
}

/// The same studio for an admin with a key, who works somewhere else.
async fn from_afar(studio: &Studio) -> Studio {
    let access = studio.access();
    let warden = UserRequest { user: "warden".into(), name: None, role: UserRole::Admin };
    access.add_user(warden).await.unwrap();
    let request = KeyRequest {
        user: Some("warden".into()),
        name: "afar".into(),
        right: Right::Admin,
        projects: Vec::new(),
        expires: None,
        limits: crate::KeyUsageLimits::default(),
    };
    let key = access.make_key(request).await.unwrap();
    studio.of(&access.authenticate(key.secret.reveal()).await.unwrap())
}

fn key_of(error: &Error) -> &str {
    let Error::BadSettings { key, .. } = error else { panic!("{error:?}") };
    key
}

#[tokio::test]
async fn a_setting_holds_as_soon_as_it_is_written() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.toml");
    std::fs::write(&file, "# mine\n[pipeline]\nmax_iterations = 4 # enough\n").unwrap();
    let studio = studio(home.path(), &[]).await;
    let values = || studio.settings().values(None).unwrap();

    let change = studio.change_setting("budget.tokens", Some(json!(5000)), None).await.unwrap();
    assert_eq!(
        (change.value, change.layer, change.written),
        (json!(5000), Some(SettingLayer::User), SettingLayer::User)
    );
    assert!(change.source.unwrap().ends_with("config.toml") && !change.restart);
    assert_eq!(values().budget.tokens, Some(5000));

    studio.change_setting("checker.severities.QY101", Some(json!("off")), None).await.unwrap();
    let rules = studio.rules(qingyu_story::Language::En);
    assert_eq!(rules.iter().find(|rule| rule.code == "QY101").unwrap().severity, None);

    let change = studio.change_setting("pipeline.max_iterations", None, None).await.unwrap();
    assert_eq!((change.value, change.layer), (json!(3), Some(SettingLayer::Default)));
    let change = studio.change_setting("budget.tokens", None, None).await.unwrap();
    assert_eq!((change.value, change.layer), (json!(null), None));
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.starts_with("# mine\n[pipeline]\n") && !kept.contains("tokens"), "{kept}");

    assert!(studio.change_setting("server.port", Some(json!(7500)), None).await.unwrap().restart);
}

#[tokio::test]
async fn what_is_wrong_is_named_and_nothing_is_written() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), &[("QINGYU_MAX_ITERATIONS", "2")]).await;
    for (key, value, blamed) in [
        ("budget.tokens", json!("many"), "budget.tokens"),
        ("budget.money", json!(5), "budget.money"),
        ("budget.coins", json!(5), "budget.coins"),
        // The environment goes over it, and must not hide that it is wrong.
        ("pipeline.max_iterations", json!("many"), "pipeline.max_iterations"),
        ("prices.\"x/y\".inptu", json!(1), "prices"),
        ("providers.mine", json!({"base_url": 5}), "providers"),
        ("budget", json!({"tokens": 5}), "budget"),
        ("web.search_key", json!("secret"), "web.search_key"),
        ("mcp_servers.clock.env.TOKEN", json!("***"), "mcp_servers.clock.env.TOKEN"),
    ] {
        let error = studio.change_setting(key, Some(value), None).await.unwrap_err();
        assert_eq!(key_of(&error), blamed, "{error}");
    }
    assert!(!home.path().join("config.toml").exists());
    let change = studio.change_setting("pipeline.max_iterations", Some(json!(5)), None).await.unwrap();
    assert_eq!(
        (change.value, change.layer, change.written),
        (json!(2), Some(SettingLayer::Environment), SettingLayer::User)
    );
    assert_eq!(change.source.as_deref(), Some("QINGYU_MAX_ITERATIONS"));
}

#[tokio::test]
async fn a_project_has_settings_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), &[]).await;
    let new = qingyu_tools::workspace::ProjectSeed {
        title: Some("灯塔".into()),
        language: qingyu_story::Language::Zh,
        premise: String::new(),
    };
    let project = studio.begin_project(new).await.unwrap().project;
    let change = studio.change_setting("writing.words", Some(json!(900)), Some(&project)).await.unwrap();
    assert_eq!((change.layer, change.written), (Some(SettingLayer::Project), SettingLayer::Project));
    assert_eq!(studio.settings().values(Some(&project)).unwrap().writing.words, 900);
    assert_eq!(studio.settings().values(None).unwrap().writing.words, 2500);
    let unknown = studio.change_setting("writing.words", Some(json!(900)), Some("../../etc")).await.unwrap_err();
    assert_eq!(unknown.code(), "unknown_project");
}

#[tokio::test]
async fn secrets_are_neither_told_nor_lost() {
    const SECRET: &str = "canary-5f2a91";
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), &[]).await;
    let server = json!({"url": "http://127.0.0.1:9/mcp", "headers": {"authorization": SECRET}});
    let change = studio.change_setting("mcp_servers.far", Some(server), None).await.unwrap();
    assert_eq!(change.value["headers"]["authorization"], "***");
    let shown = serde_json::to_string(&studio.config(None).await.unwrap()).unwrap();
    assert!(shown.contains("mcp_servers.far.headers.authorization") && !shown.contains(SECRET), "{shown}");
    let server = json!({"url": "http://127.0.0.1:8/mcp", "headers": {"authorization": "***"}});
    studio.change_setting("mcp_servers.far", Some(server), None).await.unwrap();
    let kept = &studio.settings().values(None).unwrap().mcp_servers.0["far"];
    assert_eq!((kept.url.as_deref(), kept.headers["authorization"].as_str()), (Some("http://127.0.0.1:8/mcp"), SECRET));
}

#[tokio::test]
async fn what_reaches_into_the_machine_is_for_who_works_at_it() {
    let home = tempfile::tempdir().unwrap();
    let here = studio(home.path(), &[]).await;
    let afar = from_afar(&here).await;
    for (key, value) in [
        ("mcp_servers.clock", json!({"command": "sh"})),
        ("providers.deepseek.base_url", json!("http://evil.example.com")),
        ("prompts.folder", json!("/etc")),
        ("web.allow", json!(["127.0.0.1:5432"])),
        ("models.default", json!("cassette:/etc/passwd")),
    ] {
        let error = afar.change_setting(key, Some(value.clone()), None).await.unwrap_err();
        assert_eq!(error.code(), "forbidden", "{key}");
    }
    assert_eq!(afar.check_server("clock").await.unwrap_err().code(), "forbidden");
    afar.change_setting("budget.tokens", Some(json!(5)), None).await.unwrap();
    here.change_setting("mcp_servers.clock", Some(json!({"command": "/nowhere/clock"})), None).await.unwrap();
    let check = here.check_server("clock").await.unwrap();
    assert!(check.tools.is_empty() && check.problems.len() == 1, "{check:?}");
    assert_eq!(here.check_server("watch").await.unwrap_err().code(), "unknown_server");
}
