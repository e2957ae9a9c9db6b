use qingyu_llm::testing::server::{RecordedEndpoint, Scripted, Server};
use qingyu_studio::agents::plan::default_plan;
use qingyu_studio::settings::values::ROLES;
use qingyu_studio::story::{Language, rules};
use qingyu_studio::{CheckRow, CheckState, DoctorReach, ModelReason, RunStatus, SettingLayer, Settings, Studio};

use crate::{environment, offline, table};

#[tokio::test]
async fn the_doctor_finds_a_new_installation_sound() {
    let home = tempfile::tempdir().unwrap();
    let rows = Studio::doctor(&offline(&home.path().join("new")), DoctorReach::Servers).await;
    let names: Vec<_> = rows.iter().map(|row| row.check.as_str()).collect();
    for check in ["data_folder", "free_space", "sqlite_version", "database", "settings", "model", "prompts", "clock"] {
        assert!(names.contains(&check), "{check} is not among {names:?}");
    }
    let failed: Vec<_> = rows.iter().filter(|row| row.state == CheckState::Failed).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[tokio::test]
async fn the_doctor_says_what_is_wrong_with_prompts_and_models() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join("prompts/outline")).unwrap();
    std::fs::write(home.path().join("prompts/outline/generate.zh.md"), "{{ nothing_like_it }}").unwrap();
    let environment = environment(home.path(), &[("QINGYU_MODEL", "deepseek/deepseek-flash")]);
    let settings = Settings::load(environment, toml::Table::new()).unwrap();
    let rows = Studio::doctor(&settings, DoctorReach::Servers).await;
    let failed: Vec<_> = rows.iter().filter(|row| row.state == CheckState::Failed).collect();
    let found: Vec<_> = failed.iter().map(|row| (row.check.as_str(), row.data["code"].as_str().unwrap())).collect();
    assert_eq!(found, [("model", "no_key"), ("prompts", "bad_settings")]);
    assert!(failed[1].data["message"].as_str().unwrap().contains("nothing_like_it"), "{:?}", failed[1]);
}

#[tokio::test]
async fn an_open_installation_is_sound_as_well() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let rows = Studio::doctor(&offline(home.path()), DoctorReach::Servers).await;
    assert!(rows.iter().any(|row| row.check == "integrity" && row.state == CheckState::Ok));
    assert!(rows.iter().all(|row| row.state != CheckState::Failed), "{rows:?}");
    drop(studio);
}

#[tokio::test]
async fn providers_say_what_is_set_up_and_who_serves() {
    let home = tempfile::tempdir().unwrap();
    let variables = [("DEEPSEEK_API_KEY", "sk-canary"), ("OPENAI_API_KEY", "sk-canary-2")];
    let flags = table(&[("models.review", "openai/gpt-6-luna")]);
    let studio = Studio::open(Settings::load(environment(home.path(), &variables), flags).unwrap()).await.unwrap();
    let rows = studio.models().await.unwrap();
    assert!(!serde_json::to_string(&rows).unwrap().contains("sk-canary"));
    let row = |provider: &str| rows.iter().find(|row| row.provider == provider).unwrap();
    assert_eq!((row("deepseek").key_present, row("zhipu").key_present), (true, false));
    assert_eq!(row("deepseek").roles.len(), ROLES.len() - 1);
    assert_eq!(row("openai").roles, [("review".into(), "openai/gpt-6-luna".into())].into());
    assert_eq!(row("deepseek").reachable, None, "the network is not asked");
    assert_eq!(row("ollama").key_variable, None);
    assert!(row("offline-rules-1").roles.is_empty());
}

#[tokio::test]
async fn a_plan_is_estimated_with_its_price() {
    let home = tempfile::tempdir().unwrap();
    let plan = default_plan(Language::En).execution_plan;
    let requirement = "A locked-room mystery on a generation ship";
    let environment = environment(home.path(), &[("DEEPSEEK_API_KEY", "sk-canary")]);
    let settings = Settings::load(environment, toml::Table::new()).unwrap();
    let estimate = Studio::open(settings).await.unwrap().estimate(&plan, requirement).await.unwrap();
    assert_eq!((estimate.usage.calls, estimate.usage.estimated), (6, true));
    assert_eq!(estimate.usage.by_agent.values().sum::<u64>(), estimate.usage.total);
    let cost = estimate.usage.cost.unwrap();
    assert!(cost.currency == "USD" && cost.micros > 0 && cost.micros < estimate.usage.total, "{cost:?}");
}

#[tokio::test]
async fn rules_and_settings_can_be_looked_at() {
    let home = tempfile::tempdir().unwrap();
    let flags = table(&[("checker.severities.QY101", "off")]);
    let studio = Studio::open(Settings::load(environment(home.path(), &[]), flags).unwrap()).await.unwrap();
    for language in [Language::Zh, Language::En] {
        let rows = studio.rules(language);
        assert_eq!(rows.len(), rules::all().len());
        assert!(rows.iter().all(|row| !row.name.is_empty() && !row.name.contains('{') && row.fires.story.is_object()));
        assert_eq!(rows.iter().find(|row| row.code == "QY101").unwrap().severity, None);
    }
    assert_eq!(studio.config(Some("p-none")).await.unwrap_err().code(), "unknown_project");
    let rows = studio.config(None).await.unwrap();
    let row = rows.iter().find(|row| row.key == "checker.severities.QY101").unwrap();
    assert_eq!(row.layer, SettingLayer::Flag);
}

#[tokio::test]
async fn without_key_and_server_the_offline_model_serves() {
    let home = tempfile::tempdir().unwrap();
    // Servers that may really run on this machine are not part of the test.
    let flags = table(&[("models.local", "[]")]);
    let settings = Settings::load(environment(home.path(), &[]), flags).unwrap();
    let rows = Studio::doctor(&settings, DoctorReach::Servers).await;
    let row = rows.iter().find(|row| row.check == "model").unwrap();
    assert_eq!((row.state, &row.data["model"]), (CheckState::Warning, &"offline-rules-1".into()));
    let why: ModelReason = serde_json::from_value(row.data["why"].clone()).unwrap();
    assert_eq!(why, ModelReason::NothingElse);
}

#[tokio::test]
async fn the_offline_model_carries_a_run_to_its_end() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    for (requirement, language) in [
        ("创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术", Language::Zh),
        ("A locked-room mystery on a generation ship; the detective is the ship's gardener", Language::En),
    ] {
        let (_, outcome) = crate::create(&studio, requirement).await;
        assert!(matches!(outcome.status, RunStatus::Done | RunStatus::Waiting), "{:?}", outcome.errors);
        assert_eq!(outcome.story_made().unwrap().story.language, language);
        assert!(
            outcome.story_made().unwrap().diagnostic_report.is_some()
                && !outcome.story_made().unwrap().story.outline_nodes.is_empty()
        );
        assert_eq!(outcome.usage.cost.as_ref().map(|cost| cost.micros), Some(0));
        let view = studio.show(&outcome.project).await.unwrap();
        assert_eq!(view.story, outcome.story_made().unwrap().story);
        assert!(view.provenance.iter().all(|piece| piece.made.agent.ends_with("_agent")));
    }
}

/// The models' rows of a doctor's report, with a server under the name of a provider.
async fn tried(server: &Server, model: &str, reach: DoctorReach) -> Vec<(CheckState, String)> {
    let home = tempfile::tempdir().unwrap();
    let settings = format!(
        "[models]\ndefault = \"{model}\"\nlocal = []\n[providers.mine]\nbase_url = \"{}/v1\"\nkey_variable = \"MINE_API_KEY\"",
        server.url()
    );
    std::fs::write(home.path().join("config.toml"), settings).unwrap();
    let settings = Settings::load(environment(home.path(), &[("MINE_API_KEY", "sk-x")]), toml::Table::new()).unwrap();
    let rows = Studio::doctor(&settings, reach).await.into_iter();
    let said = |row: &CheckRow| ["code", "tried"].iter().find_map(|field| row.data.get(*field)).cloned();
    let rows = rows.filter(|row| matches!(row.check.as_str(), "keys" | "model"));
    rows.map(|row| (row.state, said(&row).unwrap_or_default().as_str().unwrap_or_default().to_owned())).collect()
}

#[tokio::test]
async fn the_doctor_tries_the_models_and_says_what_was_not_tried() {
    use CheckState::{Failed, NotTried, Ok};
    let refusal = || Scripted::status(401, "wrong key");
    let row = |state, said: &str| (state, said.to_owned());
    for (model, reach, lists, answer, expected) in [
        ("mine/writer", DoctorReach::ThisMachine, 0, None, [row(NotTried, ""), row(NotTried, "no")]),
        // A list shows neither that the key is good nor that the model answers.
        ("mine/writer", DoctorReach::Servers, 0, Some(refusal()), [row(NotTried, ""), row(Failed, "provider_refused")]),
        (
            "mine/wirter",
            DoctorReach::Servers,
            1,
            Some(Scripted::status(404, r#"{"error":{"code":"model_not_found"}}"#)),
            [row(NotTried, ""), row(Failed, "model_not_served")],
        ),
        ("mine/alias", DoctorReach::Servers, 0, Some(Scripted::text("1")), [row(Ok, ""), row(Ok, "answered")]),
    ] {
        let asked_models = usize::from(answer.is_some());
        let server = Server::scripted(answer).await;
        assert_eq!(tried(&server, model, reach).await, expected, "{model}");
        assert_eq!(
            (server.count(RecordedEndpoint::Models), server.count(RecordedEndpoint::Chat)),
            (lists, asked_models),
            "{model}"
        );
    }
}

#[tokio::test]
async fn the_doctor_tells_an_address_that_does_not_answer() {
    let home = tempfile::tempdir().unwrap();
    let settings = "[models]\ndefault = \"mine/x\"\n[providers.mine]\nbase_url = \"http://127.0.0.1:9/v1\"";
    std::fs::write(home.path().join("config.toml"), settings).unwrap();
    let settings = Settings::load(environment(home.path(), &[]), toml::Table::new()).unwrap();
    let rows = Studio::doctor(&settings, DoctorReach::Servers).await;
    let row = rows.iter().find(|row| row.check == "model").unwrap();
    assert_eq!((row.state, &row.data["code"]), (CheckState::Failed, &"provider_unreachable".into()));
}
