//! Copies of a project's index and graph on the servers of a team.
//!
//! Everything is copied from the embedded store, in batches that are recorded, so that an interrupted copy continues. A
//! search brings a copy up to date within the server's timeout; the rest is left to `qingyu index` and to the background
//! work of long-running programs.

use std::collections::BTreeSet;

use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_knowledge::engine::{Error as EngineFailure, GraphEngine, Scope, SearchEngine, VectorEngine, VectorPoint};
use qingyu_knowledge::{Source, StoryGraph};
use qingyu_memory::UserId;
use qingyu_store::{CopyBatch, CopyPiece, CopyProgress, Search};

use crate::access::scope::AccessScope;
use crate::engines::report::{EngineState, EngineUse};
use crate::engines::slot::{CallFailure, EngineSlot};
use crate::error::Error;
use crate::models::embedder::embedder_of;
use crate::studio::Studio;

/// The number of pieces copied at once.
const PIECES: usize = 64;
/// The number of passages without a vector fetched from a server at once.
const PASSAGES: usize = 256;

/// The reason why an engine cannot be used.
#[derive(Debug)]
pub(super) enum EngineSetback {
    /// The server is down.
    Down(String),
    /// The server cannot do this.
    Unsupported(String),
    /// The copy is not complete.
    Behind(Option<CopyProgress>),
    /// The embedded store failed.
    Store(Error),
}

impl From<CallFailure<EngineFailure>> for EngineSetback {
    fn from(failure: CallFailure<EngineFailure>) -> Self {
        match failure {
            CallFailure::Down(reason) => Self::Down(reason),
            CallFailure::Request(error) => Self::Unsupported(error.to_string()),
        }
    }
}

impl EngineSetback {
    /// Returns the report for an answer; fails if the embedded store is the cause.
    pub(super) fn report<T: ?Sized + Send + Sync>(self, slot: &EngineSlot<T>) -> Result<EngineUse, Error> {
        Ok(match self {
            Self::Down(reason) => slot.report(EngineState::Down, Some(reason)),
            Self::Unsupported(reason) => slot.report(EngineState::Unsupported, Some(reason)),
            Self::Behind(progress) => EngineUse {
                pieces: progress.map(|progress| progress.pieces),
                copied: progress.map(|progress| progress.copied),
                ..slot.report(EngineState::Behind, None)
            },
            Self::Store(error) => return Err(error),
        })
    }
}

impl Studio {
    pub(super) fn engine_scope(&self, project: &str) -> Scope {
        Scope::new(self.scope().user(), project)
    }

    fn stored<T>(&self, answer: Result<T, qingyu_store::Error>) -> Result<T, EngineSetback> {
        answer.map_err(|error| EngineSetback::Store(self.place("").store(error)))
    }

    /// Returns the revision to copy; `None` if the copy has everything already. The copy is known from here on, so that
    /// it is deleted with the project.
    async fn begin_copy(&self, project: &str, place: &str) -> Result<Option<i64>, EngineSetback> {
        let table = self.search_table();
        self.stored(table.bring_up_to_date(project).await)?;
        if self.stored(table.is_copied(project, place).await)? {
            return Ok(None);
        }
        let revision = self.stored(table.revision(project).await)?;
        self.stored(table.note_copied(project, place, 0).await)?;
        Ok(Some(revision))
    }

    /// Brings the words of a project on the server up to date, and the vectors of `model`, if the server has them.
    pub(super) async fn copy_keywords(
        &self,
        slot: &EngineSlot<dyn SearchEngine>,
        project: &str,
        model: &str,
    ) -> Result<(), EngineSetback> {
        let place = slot.place(model);
        let Some(revision) = self.begin_copy(project, &place).await? else { return Ok(()) };
        let story = self.stored(self.stories_table().load(project).await)?.story;
        let scope = self.engine_scope(project);
        let (story, scope) = (&story, &scope);
        slot.fill(|engine| async move { engine.sync(scope, story).await }).await?;
        let has_own_vectors = self.engines().vectors.is_none() && model != LexicalEmbedder::NAME;
        if has_own_vectors {
            self.copy_own_vectors(slot, project, model).await?;
        }
        self.stored(self.search_table().note_copied(project, &place, revision).await)
    }

    /// Copies the vectors of `model` by the text of their passages.
    async fn copy_own_vectors(
        &self,
        slot: &EngineSlot<dyn SearchEngine>,
        project: &str,
        model: &str,
    ) -> Result<(), EngineSetback> {
        let scope = self.engine_scope(project);
        let scope = &scope;
        let table = self.search_table();
        let embedded = self.stored(table.embedded_texts(project, model).await)?;
        loop {
            let missing = slot.fill(|engine| async move { engine.unembedded(scope, model, PASSAGES).await }).await?;
            if missing.is_empty() {
                return Ok(());
            }
            let of = missing.iter().filter_map(|one| Some((one.number, embedded.chunk(&one.text)?)));
            let of: Vec<(i64, i64)> = of.collect();
            let chunks = of.iter().map(|(_, chunk)| *chunk).collect();
            let known = self.stored(table.vectors_of(project, model, chunks).await)?;
            let vectors = of.iter().filter_map(|(number, chunk)| Some((*number, known.get(chunk)?.clone())));
            let vectors: Vec<(i64, Vec<f32>)> = vectors.collect();
            if vectors.is_empty() {
                return Err(EngineSetback::Behind(None));
            }
            slot.fill(|engine| async move { engine.put_vectors(scope, model, vectors).await }).await?;
        }
    }

    /// Brings the vectors of `model` on the server up to date; calls `progress` after each batch. A copy with vectors of
    /// another embedder is deleted first and made anew.
    ///
    /// Fails with [`EngineSetback::Behind`] while another embedder than the configured one answers searches: the copy
    /// stays as it is until the vectors of the configured embedder are there.
    pub(super) async fn copy_vectors(
        &self,
        slot: &EngineSlot<dyn VectorEngine>,
        project: &str,
        model: &str,
        mut progress: impl FnMut(CopyProgress) + Send,
    ) -> Result<(), EngineSetback> {
        let configured = embedder_of(self.settings(), Some(project)).map_err(EngineSetback::Store)?;
        if configured.name() != model {
            return Err(EngineSetback::Behind(self.vector_progress(slot, project, configured.name()).await));
        }
        let place = slot.place(model);
        self.forget_other_models(slot, project, &place).await?;
        let Some(revision) = self.begin_copy(project, &place).await? else { return Ok(()) };
        let (table, scope) = (self.search_table(), self.engine_scope(project));
        let mut so_far = self.stored(table.copy_progress(project, &place).await)?;
        let mut after = None;
        let mut has_copied = false;
        loop {
            let batch = self.stored(table.uncopied(project, &place, model, after.as_ref(), PIECES).await)?;
            if !batch.is_empty() {
                put_batch(slot, &scope, model, &batch).await?;
                self.stored(table.note_batch(project, &place, &batch).await)?;
                so_far.copied = so_far.pieces.min(so_far.copied + batch.put.len());
                has_copied = true;
                progress(so_far);
            }
            after = batch.next;
            // A further pass copies what changed behind the first.
            if after.is_none() && !std::mem::take(&mut has_copied) {
                break;
            }
        }
        let so_far = self.stored(table.copy_progress(project, &place).await)?;
        if so_far.copied < so_far.pieces {
            return Err(EngineSetback::Behind(Some(so_far)));
        }
        self.stored(table.note_copied(project, &place, revision).await)
    }

    /// Deletes the vectors of other embedders than that of `place` on the server. All records of the server are deleted
    /// after it, since it deletes the project's vectors of every embedder: an interrupted deletion is repeated.
    async fn forget_other_models(
        &self,
        slot: &EngineSlot<dyn VectorEngine>,
        project: &str,
        place: &str,
    ) -> Result<(), EngineSetback> {
        let known = self.stored(self.search_table().copies(project, &slot.places()).await)?;
        if known.iter().all(|known| known == place) {
            return Ok(());
        }
        let scope = self.engine_scope(project);
        let scope = &scope;
        slot.fill(|engine| async move { engine.forget(scope).await }).await?;
        // The record of the other embedder is deleted last: it shows that this is to be repeated.
        let (own, others): (Vec<String>, Vec<String>) = known.into_iter().partition(|known| known == place);
        for place in own.iter().chain(&others) {
            self.stored(self.search_table().forget_copy(project, place).await)?;
        }
        Ok(())
    }

    /// Brings the graph on the server up to date.
    pub(super) async fn copy_graph(
        &self,
        slot: &EngineSlot<dyn GraphEngine>,
        project: &str,
    ) -> Result<(), EngineSetback> {
        let place = slot.place("");
        let Some(revision) = self.begin_copy(project, &place).await? else { return Ok(()) };
        let story = self.stored(self.stories_table().load(project).await)?.story;
        let (graph, scope) = (StoryGraph::of(&story), self.engine_scope(project));
        let (graph, scope) = (&graph, &scope);
        slot.fill(|engine| async move { engine.put(scope, graph).await }).await?;
        self.stored(self.search_table().note_copied(project, &place, revision).await)
    }

    /// Returns the progress of a vector copy, for a report.
    pub(super) async fn vector_progress(
        &self,
        slot: &EngineSlot<dyn VectorEngine>,
        project: &str,
        model: &str,
    ) -> Option<CopyProgress> {
        self.search_table().copy_progress(project, &slot.place(model)).await.ok()
    }

    /// Brings all copies of a project up to date and returns a report for each; calls `progress` after each batch of
    /// vectors. `model` is the embedder in use.
    pub(super) async fn copy_all(
        &self,
        project: &str,
        model: &str,
        mut progress: impl FnMut(CopyProgress) + Send,
    ) -> Result<Vec<EngineUse>, Error> {
        let mut reports = Vec::new();
        if let Some(slot) = &self.engines().keywords {
            reports.push(reported(slot, self.copy_keywords(slot, project, model).await)?);
        }
        if let Some(slot) = &self.engines().vectors {
            reports.push(reported(slot, self.copy_vectors(slot, project, model, &mut progress).await)?);
        }
        if let Some(slot) = &self.engines().graph {
            reports.push(reported(slot, self.copy_graph(slot, project).await)?);
        }
        Ok(reports)
    }

    /// Deletes the copies of a project, of all embedders, so that they are made anew. The copies on a server that is down
    /// stay as they are.
    pub(super) async fn forget_copies(&self, project: &str) -> Result<(), Error> {
        let scope = self.engine_scope(project);
        let scope = &scope;
        let mut forgotten = Vec::new();
        if let Some(slot) = &self.engines().keywords {
            let answer = slot.call(|engine| async move { engine.forget(scope).await }).await;
            forgotten.push((slot.places(), answer));
        }
        if let Some(slot) = &self.engines().vectors {
            let answer = slot.call(|engine| async move { engine.forget(scope).await }).await;
            forgotten.push((slot.places(), answer));
        }
        if let Some(slot) = &self.engines().graph {
            let answer = slot.call(|engine| async move { engine.forget(scope).await }).await;
            forgotten.push((slot.places(), answer));
        }
        let bad = |error| self.place("").store(error);
        for (places, _) in forgotten.into_iter().filter(|(_, answer)| answer.is_ok()) {
            for place in self.search_table().copies(project, &places).await.map_err(bad)? {
                self.search_table().forget_copy(project, &place).await.map_err(bad)?;
            }
        }
        Ok(())
    }

    /// Brings the copies of all projects of all users up to date, deletes the copies of deleted projects, and hands over
    /// memories: for long-running programs. Servers that are down are skipped.
    pub(super) async fn tend_engines(&self) -> Result<(), Error> {
        self.forget_deleted().await?;
        let usual = embedder_of(self.settings(), None)?;
        let engines = self.engines();
        let places = [
            engines.keywords.as_ref().map(|slot| slot.place(usual.name())),
            engines.vectors.as_ref().map(|slot| slot.place(usual.name())),
            engines.graph.as_ref().map(|slot| slot.place("")),
        ];
        // A project with settings of its own may have another embedder.
        let own = self.settings().projects_with_own();
        let mut behind = BTreeSet::new();
        for place in places.into_iter().flatten() {
            let found = Search::not_copied(self.database(), &place, own.clone()).await;
            behind.extend(found.map_err(|error| self.place("").store(error))?);
        }
        for (user, project) in behind {
            let theirs = self.on_behalf_of(&user)?;
            let model = theirs.vectors(&project).await?.embedder.name().to_owned();
            for report in theirs.copy_all(&project, &model, |_| ()).await? {
                if report.state != EngineState::Used {
                    let (part, reason) = (report.part.name(), report.reason.unwrap_or_default());
                    tracing::debug!(part, server = report.server, project, reason, "copy not complete");
                }
            }
        }
        self.hand_over_memories().await
    }

    async fn hand_over_memories(&self) -> Result<(), Error> {
        let Some(served) = self.served_memory() else { return Ok(()) };
        served.hand_over_all().await.map_err(|error| self.place("").memory(error))
    }

    async fn forget_deleted(&self) -> Result<(), Error> {
        let bad = |error| self.place("").store(error);
        for (user, project, place) in Search::deleted_copies(self.database()).await.map_err(bad)? {
            let scope = Scope::new(&user, &project);
            let engines = self.engines();
            let scope = &scope;
            let forgotten =
                if let Some(slot) = engines.keywords.as_ref().filter(|slot| place.starts_with(&slot.places())) {
                    slot.call(|engine| async move { engine.forget(scope).await }).await
                } else if let Some(slot) = engines.vectors.as_ref().filter(|slot| place.starts_with(&slot.places())) {
                    slot.call(|engine| async move { engine.forget(scope).await }).await
                } else if let Some(slot) = engines.graph.as_ref().filter(|slot| place.starts_with(&slot.places())) {
                    slot.call(|engine| async move { engine.forget(scope).await }).await
                } else {
                    // The server is no longer configured.
                    continue;
                };
            if forgotten.is_ok() {
                let theirs = self.on_behalf_of(&user)?;
                theirs.search_table().forget_copy(&project, &place).await.map_err(bad)?;
            }
        }
        Ok(())
    }

    /// Returns the studio as it works for a user without a caller.
    pub(crate) fn on_behalf_of(&self, user: &str) -> Result<Self, Error> {
        let user = UserId::new(user).map_err(|error| Error::Internal { message: error.to_string() })?;
        Ok(self.of(&AccessScope::on_behalf_of(user)))
    }
}

fn reported<T: ?Sized + Send + Sync>(
    slot: &EngineSlot<T>,
    copied: Result<(), EngineSetback>,
) -> Result<EngineUse, Error> {
    match copied {
        Ok(()) => Ok(slot.report(EngineState::Used, None)),
        Err(setback) => setback.report(slot),
    }
}

/// Puts the vectors of a batch, and removes the vectors of deleted pieces and of pieces without text.
async fn put_batch(
    slot: &EngineSlot<dyn VectorEngine>,
    scope: &Scope,
    model: &str,
    batch: &CopyBatch,
) -> Result<(), EngineSetback> {
    let points: Vec<VectorPoint> = batch.put.iter().flat_map(|piece| piece.points.clone()).collect();
    let empty = batch.put.iter().filter(|piece| piece.points.is_empty()).map(|CopyPiece { source, .. }| source);
    let gone: Vec<Source> = batch.remove.iter().chain(empty).cloned().collect();
    let (points, gone) = (&points, &gone);
    if !points.is_empty() {
        slot.fill(|engine| async move { engine.put(scope, model, points).await }).await?;
    }
    if !gone.is_empty() {
        slot.fill(|engine| async move { engine.remove(scope, gone).await }).await?;
    }
    Ok(())
}
