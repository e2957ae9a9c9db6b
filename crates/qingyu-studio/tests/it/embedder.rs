//! Embedders by their names in the settings.

use qingyu_llm::Wire;
use qingyu_llm::testing::server::{RecordedEndpoint, Scripted, Server};
use qingyu_studio::{CheckRow, CheckState, DoctorReach, Settings, Studio};

use crate::{environment, table};

fn settings(home: &std::path::Path, flags: &[(&str, &str)]) -> Settings {
    Settings::load(environment(home, &[("QINGYU_MODEL", "offline-rules-1")]), table(flags)).unwrap()
}

/// A server of embeddings, and the flags by which `server/e` is the embedder.
async fn server() -> (Server, Vec<(&'static str, String)>) {
    let server = Server::scripted([]).await;
    let address = server.provider(Wire::OpenAi).base_url;
    (server, vec![("providers.server.base_url", address), ("embeddings.embedder", "server/e".into())])
}

async fn check(settings: &Settings) -> CheckRow {
    Studio::doctor(settings, DoctorReach::Servers).await.into_iter().find(|row| row.check == "embedder").unwrap()
}

#[tokio::test]
async fn the_lexical_embedder_serves_until_another_is_named() {
    let home = tempfile::tempdir().unwrap();
    let row = check(&settings(home.path(), &[])).await;
    assert_eq!(row.data["embedder"], "lexical-hash-1024");
    assert_eq!((row.state, &row.data["dimensions"]), (CheckState::Ok, &1024.into()));
}

#[tokio::test]
async fn a_provider_embeds_with_the_prefixes_of_the_settings() {
    let home = tempfile::tempdir().unwrap();
    let (server, mut flags) = server().await;
    flags.push(("embeddings.prefixes.question", "query: ".into()));
    let flags: Vec<(&str, &str)> = flags.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let row = check(&settings(home.path(), &flags)).await;
    assert_eq!((row.state, &row.data["embedder"]), (CheckState::Ok, &"server/e".into()));
    let requests = server.requests();
    let sent = requests.iter().find_map(|request| request.body["input"][0].as_str()).unwrap();
    assert!(sent.starts_with("query: ") && sent.len() > "query: ".len(), "{sent}");
}

#[tokio::test]
async fn the_doctor_says_that_an_embedder_does_not_answer() {
    let home = tempfile::tempdir().unwrap();
    let (server, flags) = server().await;
    server.push_for(RecordedEndpoint::Embeddings, Scripted::status(404, "no such model"));
    let flags: Vec<(&str, &str)> = flags.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let row = check(&settings(home.path(), &flags)).await;
    assert_eq!((row.state, &row.data["code"]), (CheckState::Failed, &"model_not_served".into()));
    assert_eq!(row.data["embedder"], "server/e");
}

#[tokio::test]
async fn a_name_that_cannot_serve_is_refused() {
    let home = tempfile::tempdir().unwrap();
    for (name, code) in [
        ("nobody/e", "unknown_model"),
        ("bge-m3", "unknown_model"),
        ("", "unknown_model"),
        ("qwen/text-embedding-v4", "no_key"),
        ("local:", "bad_settings"),
        ("local:/nowhere/at/all", "bad_settings"),
    ] {
        let row = check(&settings(home.path(), &[("embeddings.embedder", name)])).await;
        assert_eq!((row.state, &row.data["code"]), (CheckState::Failed, &code.into()), "{name}: {row:?}");
        if code == "bad_settings" {
            assert_eq!(row.data["key"], "embeddings.embedder");
        }
    }
}
