//! The embedded search passes the suite of all engines: what others are given, it learns from saves.

use std::collections::BTreeMap;
use std::sync::Mutex;

use futures::future::BoxFuture;
use qingyu_db::Database;
use qingyu_knowledge::engine::{self, Scope, SearchEngine};
use qingyu_knowledge::testing::search_suite;
use qingyu_knowledge::{Hit, Query};
use qingyu_store::{Error, Search, Stories, StorySave, change};
use qingyu_story::{ChangeKey, Provenance, Story};

use crate::{at, database, project};

/// Each scope is a project of its own.
struct Embedded {
    database: Database,
    projects: Mutex<BTreeMap<Scope, KeptVectors>>,
    /// One saves after the other: what a save changes is found out from the story before it.
    saving: tokio::sync::Mutex<()>,
}

#[derive(Clone, Default)]
struct KeptVectors {
    project: String,
    story: Story,
    saves: usize,
}

impl std::fmt::Debug for Embedded {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the embedded search")
    }
}

impl Embedded {
    async fn new() -> Self {
        Self { database: database().await, projects: Mutex::default(), saving: tokio::sync::Mutex::default() }
    }

    fn kept(&self, scope: &Scope) -> Option<KeptVectors> {
        self.projects.lock().unwrap().get(scope).cloned()
    }

    fn search_of(&self, scope: &Scope) -> Option<(Search, String)> {
        let kept = self.kept(scope)?;
        Some((Search::new(&self.database, &scope.user), kept.project))
    }
}

fn sorted(error: Error) -> engine::Error {
    match error {
        Error::Dimensions { model, expected, found } => {
            engine::Error::Dimensions { model, expected: expected as usize, found: found as usize }
        }
        Error::NotFinite { model } => engine::Error::NotFinite { model },
        // Of two who save at once one is told that the story has changed.
        other => engine::Error::Refused { engine: "SQLite", address: "memory".into(), reason: other.to_string() },
    }
}

impl SearchEngine for Embedded {
    fn sync<'a>(&'a self, scope: &'a Scope, story: &'a Story) -> BoxFuture<'a, Result<(), engine::Error>> {
        Box::pin(async move {
            let _saving = self.saving.lock().await;
            let mut kept = match self.kept(scope) {
                Some(kept) => kept,
                None => {
                    KeptVectors { project: project(&self.database, &scope.user).await.id, ..KeptVectors::default() }
                }
            };
            kept.saves += 1;
            let save = StorySave {
                project: kept.project.clone(),
                key: ChangeKey { run: "person".into(), step: kept.saves.to_string(), iteration: 0 },
                provenance: Provenance::default(),
                expected: None,
                changes: change::difference(&kept.story, story),
            };
            Stories::new(&self.database, &scope.user).save(save, at(kept.saves as i64)).await.map_err(sorted)?;
            kept.story = story.clone();
            self.projects.lock().unwrap().insert(scope.clone(), kept);
            Ok(())
        })
    }

    fn search<'a>(&'a self, scope: &'a Scope, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, engine::Error>> {
        Box::pin(async move {
            let Some((search, project)) = self.search_of(scope) else { return Ok(Vec::new()) };
            search.search(&project, query.clone()).await.map_err(sorted)
        })
    }

    fn unembedded<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<engine::UnembeddedChunk>, engine::Error>> {
        Box::pin(async move {
            let Some((search, project)) = self.search_of(scope) else { return Ok(Vec::new()) };
            search.unembedded(&project, model, limit).await.map_err(sorted)
        })
    }

    fn put_vectors<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        vectors: Vec<(i64, Vec<f32>)>,
    ) -> BoxFuture<'a, Result<usize, engine::Error>> {
        Box::pin(async move {
            let Some((search, project)) = self.search_of(scope) else { return Ok(0) };
            search.put_vectors(&project, model, vectors).await.map_err(sorted)
        })
    }

    /// A project is not deleted yet, so its story is emptied.
    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), engine::Error>> {
        Box::pin(async move {
            if self.kept(scope).is_some() {
                self.sync(scope, &Story::default()).await?;
            }
            Ok(())
        })
    }
}

#[tokio::test]
async fn the_embedded_search_passes_the_suite() {
    search_suite(&Embedded::new().await, 12).await;
}
