//! The studio as doors use it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod access;
mod answers;
mod approver;
mod backup;
mod book;
mod cassettes;
mod charges;
mod checkpoints;
mod child;
mod content;
mod editors;
mod embedder;
#[cfg(feature = "engines")]
mod engines;
mod failures;
mod faults;
mod golden;
mod http;
mod installation;
mod members;
mod memories;
mod model_files;
mod once;
mod production;
mod providers;
mod questions;
mod recorded;
mod review;
mod runs;
mod script;
mod series;
mod settings;
mod shelf;
mod stalls;
mod stories;
mod strong;
mod tasks;
mod teardown;
mod verdicts;
mod wire;

use std::path::Path;

use qingyu_llm::ModelRoutes;
use qingyu_studio::{CreateRequest, Environment, Outcome, RunHandle, Settings, Studio, StudioEvent, StudioEventKind};

/// Settings of a data folder, with these variables beside `QINGYU_HOME`.
fn environment(home: &Path, variables: &[(&str, &str)]) -> Environment {
    let home = ("QINGYU_HOME", home.to_str().unwrap());
    Environment::new([home].iter().chain(variables).map(|(name, value)| ((*name).into(), (*value).into())))
}

/// A table of settings from `key=value` pairs.
fn table(assignments: &[(&str, &str)]) -> toml::Table {
    let mut table = toml::Table::new();
    for (key, value) in assignments {
        qingyu_studio::settings::assign(&mut table, key, value).unwrap();
    }
    table
}

fn offline(home: &Path) -> Settings {
    Settings::load(environment(home, &[("QINGYU_MODEL", "offline-rules-1")]), toml::Table::new()).unwrap()
}

/// A studio whose models are scripted.
async fn studio(home: &Path, models: ModelRoutes) -> Studio {
    Studio::open_with_models(offline(home), models).await.unwrap()
}

/// Reads all events of a run and its outcome.
async fn finish(mut run: RunHandle) -> (Vec<StudioEvent>, Outcome) {
    let mut events = Vec::new();
    while let Some(event) = run.next().await {
        events.push(event);
    }
    (events, run.finish().await)
}

/// Creates and finishes.
async fn create(studio: &Studio, requirement: &str) -> (Vec<StudioEvent>, Outcome) {
    finish(studio.create(CreateRequest::new(requirement)).await.unwrap()).await
}

/// The `kind` of each kept event.
fn kinds(events: &[StudioEvent]) -> Vec<String> {
    let kept = events.iter().map(|event| serde_json::to_value(event).unwrap());
    kept.map(|event| event["kind"].as_str().unwrap().to_owned()).filter(|kind| kind != "text").collect()
}

fn is_text(event: &StudioEvent) -> bool {
    matches!(&event.kind, StudioEventKind::Progress(qingyu_studio::agents::progress::Progress::Text { .. }))
}
