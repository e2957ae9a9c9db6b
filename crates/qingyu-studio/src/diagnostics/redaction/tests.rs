use qingyu_story::Language;
use serde_json::json;

use super::*;
use crate::settings::{Environment, Settings, describe};

#[test]
fn models_are_told_as_far_as_everybody_knows_them() {
    let redaction = Redaction::new();
    for known in ["auto", "lexical", "offline-rules-1", "deepseek/usual", "anthropic/claude-opus-*", "ollama"] {
        assert_eq!(redaction.model(known), known);
    }
    for (given, told) in [
        ("cassette:/home/mei/book.jsonl", "cassette:<hidden>"),
        ("local:/srv/models/bge", "local:<hidden>"),
        ("openai/ft:gpt-6:acme:my-novel", "openai/<hidden>"),
        ("ollama/my-novel", "ollama/<hidden>"),
        ("anthropic/*", "anthropic/<hidden>"),
        ("openai/my-novel-*", "openai/<hidden>"),
        ("acme/writer", "<hidden>"),
        ("sk-a-key-in-the-wrong-place", "<hidden>"),
    ] {
        assert_eq!(redaction.model(given), told, "{given}");
    }
}

#[test]
fn addresses_are_told_without_hosts_and_paths_of_ones_own() {
    let redaction = Redaction::new();
    for (given, told) in [
        ("https://api.deepseek.com/v1", "https://api.deepseek.com/v1"),
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        ("https://mei:pass@llm.acme.example:8443/v1?key=abc", "https://<hidden>:8443/v1"),
        ("https://api.openai.com/t0ken/v1/#x", "https://api.openai.com/<hidden>/v1/"),
        ("https://[::1]:80", "https://[::1]:80"),
        ("https://mei:secret", "https://<hidden>"),
        ("ftp://127.0.0.1/book", "<hidden>"),
        ("/home/mei", "<hidden>"),
    ] {
        assert_eq!(redaction.address(given), told, "{given}");
    }
}

#[test]
fn data_of_checks_keeps_numbers_and_codes() {
    let redaction = Redaction::new();
    let data = json!({
        "code": "provider_refused",
        "status": 401,
        "message": "无效的密钥 sk-canary",
        "path": "/home/mei/.local/share/qingyu",
        "model": "deepseek/deepseek-flash",
        "version": "3.51.1",
        "now": "2026-11-28T11:05:41.123456789Z",
        "variables": ["DEEPSEEK_API_KEY", "MEIS_OWN_KEY"],
        "embedder": "lexical-hash-1024",
        "why": {"reason": "key_set", "provider": "deepseek", "variable": "DEEPSEEK_API_KEY"},
        "roles": {"outline": "deepseek/usual", "my-own": "x"},
        "servers": [{"provider": "ollama", "url": "http://127.0.0.1:11434", "models": ["my-novel"]}],
        "reason": "The gardener did it",
        "problems": ["table document, page 7"],
    });
    let data: BTreeMap<String, Value> = serde_json::from_value(data).unwrap();
    let told = json!({
        "code": "provider_refused",
        "status": 401,
        "message": "<hidden>",
        "path": "<hidden>",
        "model": "deepseek/deepseek-flash",
        "version": "3.51.1",
        "now": "2026-11-28T11:05:41.123456789Z",
        "variables": ["DEEPSEEK_API_KEY", "<hidden>"],
        "embedder": "lexical-hash-1024",
        "why": {"reason": "key_set", "provider": "deepseek", "variable": "DEEPSEEK_API_KEY"},
        "roles": {"outline": "deepseek/usual", "<hidden>": "<hidden>"},
        "servers": [{"provider": "ollama", "url": "http://127.0.0.1:11434", "models": ["<hidden>"]}],
        "reason": "<hidden>",
        "problems": ["<hidden>"],
    });
    assert_eq!(serde_json::to_value(redaction.fields(&data)).unwrap(), told);
}

#[test]
fn settings_are_told_by_their_described_names() {
    let home = tempfile::tempdir().unwrap();
    let file = r#"
        [models]
        default = "sk-a-key-in-the-wrong-place"
        outline = "anthropic/claude-opus-*"
        effort = { outline = "max" }
        [budget]
        tokens = 1234
        currency = "USD"
        [providers.acme-of-mei]
        base_url = "https://llm.acme.example/v1"
        headers = { x-team = "canary" }
        [providers.deepseek]
        base_url = "http://127.0.0.1:9/v1"
        [mcp_servers.notes-on-the-gardener]
        command = "/home/mei/bin/notes"
        timeout = 7
        [checker.severities]
        QY101 = "off"
        [web]
        allow = ["intranet.acme.example:80"]
        [prompts]
        folder = "/home/mei/prompts"
    "#;
    std::fs::write(home.path().join("config.toml"), file).unwrap();
    let environment = Environment::new([("QINGYU_HOME".to_owned(), home.path().display().to_string())]);
    let settings = Settings::load(environment, toml::Table::new()).unwrap();
    let (redaction, sections) = (Redaction::new(), describe(Language::En));
    let rows = settings.rows(None).unwrap().into_iter().filter(|row| row.layer != crate::SettingLayer::Default);
    let told: Vec<_> = rows.map(|row| redaction.setting(&sections, row)).collect();
    assert!(told.iter().all(|setting| setting.source.as_deref() == Some("config.toml")), "{told:?}");
    let mut told: Vec<_> = told.iter().map(|setting| format!("{} = {}", setting.key, setting.value)).collect();
    told.sort();
    assert_eq!(
        told,
        [
            r#"budget.currency = "<hidden>""#,
            r#"budget.tokens = 1234"#,
            r#"checker.severities.<rule> = "off""#,
            r#"mcp_servers.<server>.command = "<hidden>""#,
            r#"mcp_servers.<server>.timeout = 7"#,
            r#"models.default = "<hidden>""#,
            r#"models.effort.outline = "max""#,
            r#"models.outline = "anthropic/claude-opus-*""#,
            r#"prompts.folder = "<hidden>""#,
            r#"providers.<provider>.base_url = "https://<hidden>/v1""#,
            r#"providers.<provider>.headers.<header> = "<hidden>""#,
            r#"providers.deepseek.base_url = "http://127.0.0.1:9/v1""#,
            r#"web.allow = "<hidden>""#,
        ]
    );
}
