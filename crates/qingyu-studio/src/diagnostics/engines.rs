//! Checks of the servers of a team, each with the smallest request.

use futures::future::{BoxFuture, join_all};
use qingyu_knowledge::engine::{Scope, VectorQuery};
use qingyu_knowledge::pattern::Query as Pattern;
use qingyu_knowledge::{Query, StoryGraph};
use qingyu_memory::long_term::MemoryFilter;
use qingyu_memory::{Talk, UserId};
use qingyu_store::Search;
use qingyu_story::Story;
use serde_json::json;

use crate::diagnostics::check::{CheckRow, CheckState, DoctorReach, row};
use crate::engines::set::Engines;
use crate::engines::slot::{CallFailure, EngineError, EngineSlot};
use crate::models::embedder::embedder_of;
use crate::settings::layers::Settings;
use crate::storage::opening;

/// The name of everything that is asked for; no project or user has it.
const NOBODY: &str = "qingyu-doctor";

/// Returns a check for each configured server.
pub(crate) async fn checks(settings: &Settings, reach: DoctorReach) -> Vec<CheckRow> {
    let Ok(values) = settings.values(None) else { return Vec::new() };
    let engines = Engines::new(&values.engines, settings.environment());
    let scope = &Scope::new(NOBODY, NOBODY);
    let mut probes: Vec<BoxFuture<'_, CheckRow>> = Vec::new();
    if let Some(slot) = &engines.keywords {
        let probe = slot.call(|engine| async move { engine.search(scope, &Query::new(NOBODY)).await });
        probes.push(Box::pin(async move { checked(slot, reach, probe).await }));
    }
    if let Some(slot) = &engines.vectors {
        let near = VectorQuery { model: NOBODY.into(), vector: vec![1.0], filter: None, limit: 1 };
        let probe = slot.call(|engine| async move { engine.near(scope, &near).await });
        probes.push(Box::pin(async move { checked(slot, reach, probe).await }));
    }
    if let Some(slot) = &engines.graph {
        let pattern = Pattern::parse("(x:Character) return x").expect("the pattern is constant");
        let graph = StoryGraph::of(&Story::default());
        let probe = slot.call(|engine| async move { engine.ask(scope, &graph, &pattern).await });
        probes.push(Box::pin(async move { checked(slot, reach, probe).await }));
    }
    if let Some(slot) = &engines.long_term {
        let probe = slot.call(|engine| async move { engine.list(&nobody(), &MemoryFilter::default()).await });
        probes.push(Box::pin(async move { checked(slot, reach, probe).await }));
    }
    if let Some(slot) = &engines.short_term {
        let talk = Talk::new(nobody(), NOBODY).expect("the name is constant");
        let probe = slot.call(|engine| async move { engine.list(&talk).await });
        probes.push(Box::pin(async move { checked(slot, reach, probe).await }));
    }
    join_all(probes).await
}

/// Returns a check for each configured server without current copies of all projects, such as after a change of embedder.
/// Returns none if the database cannot be opened, which other checks report.
pub(crate) async fn copies(settings: &Settings) -> Vec<CheckRow> {
    let Ok(values) = settings.values(None) else { return Vec::new() };
    let engines = Engines::new(&values.engines, settings.environment());
    let Ok(embedder) = embedder_of(settings, None) else { return Vec::new() };
    let model = embedder.name();
    let copies = [
        engines.keywords.as_ref().map(|slot| (slot.part, &slot.server, slot.place(model))),
        engines.vectors.as_ref().map(|slot| (slot.part, &slot.server, slot.place(model))),
        engines.graph.as_ref().map(|slot| (slot.part, &slot.server, slot.place(""))),
    ];
    let file = settings.database();
    // Opening would create the database; a check must not.
    if copies.iter().all(Option::is_none) || (values.storage.url.is_none() && !file.exists()) {
        return Vec::new();
    }
    let Ok(storage) = opening::open(&values.storage, &file, settings.home()).await else { return Vec::new() };
    let mut rows = Vec::new();
    for (part, server, place) in copies.into_iter().flatten() {
        let Ok(behind) = Search::not_copied(&storage.database, &place, Vec::new()).await else { continue };
        if !behind.is_empty() {
            let data = json!({"part": part.name(), "server": server, "embedder": model, "projects": behind.len()});
            rows.push(row("engine_copy", CheckState::Warning, data));
        }
    }
    rows
}

fn nobody() -> UserId {
    UserId::new(NOBODY).expect("the name is constant")
}

async fn checked<T: ?Sized + Send + Sync, R, E: EngineError>(
    slot: &EngineSlot<T>,
    reach: DoctorReach,
    probe: impl Future<Output = Result<R, CallFailure<E>>>,
) -> CheckRow {
    let (part, server) = (slot.part.name(), &slot.server);
    if reach == DoctorReach::ThisMachine {
        return row("engine", CheckState::NotTried, json!({"part": part, "server": server, "tried": "no"}));
    }
    let reason = match probe.await {
        Ok(_) => return row("engine", CheckState::Ok, json!({"part": part, "server": server, "tried": "answered"})),
        Err(CallFailure::Down(reason)) => reason,
        Err(CallFailure::Request(error)) => error.to_string(),
    };
    // The embedded engine answers instead.
    let data = json!({"part": part, "server": server, "tried": "failed", "reason": reason});
    row("engine", CheckState::Warning, data)
}
