//! Embedders by their names in the settings.

use qingyu_llm::Wire;
use qingyu_llm::testing::server::{RecordedEndpoint, Scripted, Server};
use qingyu_studio::{CheckRow, CheckState, DoctorReach, Error, Settings, Studio, embedder_of};

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
    let settings = settings(home.path(), &[]);
    let embedder = embedder_of(&settings, None).unwrap();
    assert_eq!(embedder.name(), "lexical-hash-1024");
    assert_eq!(embedder.embed_question("雨夜").await.unwrap().len(), 1024);
    let row = check(&settings).await;
    assert_eq!((row.state, &row.data["dimensions"]), (CheckState::Ok, &1024.into()));
}

#[tokio::test]
async fn a_provider_embeds_with_the_prefixes_of_the_settings() {
    let home = tempfile::tempdir().unwrap();
    let (server, mut flags) = server().await;
    flags.push(("embeddings.prefixes.question", "query: ".into()));
    let flags: Vec<(&str, &str)> = flags.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let settings = settings(home.path(), &flags);
    let embedder = embedder_of(&settings, None).unwrap();
    assert_eq!(embedder.name(), "server/e");
    let question = embedder.embed_question("谁来过？").await.unwrap();
    assert_eq!(question, embedder.embed(&["query: 谁来过？".into()]).await.unwrap()[0]);
    assert_eq!(server.requests()[0].body["input"], serde_json::json!(["query: 谁来过？"]));
    assert_eq!(check(&settings).await.data["embedder"], "server/e");
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

#[test]
fn a_name_that_cannot_serve_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let refused = |name: &str| embedder_of(&settings(home.path(), &[("embeddings.embedder", name)]), None).unwrap_err();
    for (name, code) in [
        ("nobody/e", "unknown_model"),
        ("bge-m3", "unknown_model"),
        ("", "unknown_model"),
        ("qwen/text-embedding-v4", "no_key"),
        ("local:", "bad_settings"),
        ("local:/nowhere/at/all", "bad_settings"),
    ] {
        let error = refused(name);
        assert_eq!(error.code(), code, "{name}: {error}");
        if let Error::BadSettings { key, .. } = error {
            assert_eq!(key, "embeddings.embedder");
        }
    }
}
