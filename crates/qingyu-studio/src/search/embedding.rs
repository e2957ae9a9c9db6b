//! Vectors of a project's passages: computed by the configured embedder in batches, each batch saved immediately.
//!
//! After a change of embedder, search uses the lexical vectors until every passage has a new vector. Interrupted work
//! continues at the last saved batch; long-running programs call [`tend_indexes`](Studio::tend_indexes) to embed in the
//! background.

use std::time::Duration;

use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_llm::Embedder;
use qingyu_store::{CopyProgress, Search};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engines::report::EngineUse;
use crate::error::{Error, failures};
use crate::models::embedder::embedder_of;
use crate::studio::Studio;

/// The number of passages per saved batch.
const BATCH: usize = 64;
/// The number of passages without a vector fetched at once; finding them iterates over the passages with a vector.
const READ: usize = 16 * BATCH;

/// The progress of embedding a project's passages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmbeddingProgress {
    /// The name of the embedder.
    pub embedder: String,
    /// The number of passages.
    pub passages: usize,
    /// The number of passages with a vector.
    pub having: usize,
    /// The copies on the servers of a team, after they were brought up to date; empty without servers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineUse>,
}

impl EmbeddingProgress {
    /// Returns whether all passages have a vector.
    pub fn is_whole(&self) -> bool {
        self.having == self.passages
    }
}

impl Studio {
    /// Returns the embedding progress of a project, by ID or prefix.
    pub async fn embedded(&self, project: &str) -> Result<EmbeddingProgress, Error> {
        let id = self.find_project(project).await?.id;
        let embedder = embedder_of(self.settings(), Some(&id))?;
        self.embedded_by(&id, &*embedder).await
    }

    pub(crate) async fn embedded_by(&self, project: &str, embedder: &dyn Embedder) -> Result<EmbeddingProgress, Error> {
        let counted = self.search_table().embedded(project, embedder.name()).await;
        let (passages, having) = counted.map_err(|error| self.place("").store(error))?;
        Ok(EmbeddingProgress { embedder: embedder.name().into(), passages, having, engines: Vec::new() })
    }

    /// Computes the missing vectors and calls the callback `progress` at the start and after each batch. Finally
    /// deletes the vectors of unused embedders, and brings the copies on the servers of a team up to date, with a report
    /// for each.
    ///
    /// Returns an error when the embedder fails; finished batches stay saved.
    pub async fn embed(
        &self,
        project: &str,
        mut progress: impl FnMut(&EmbeddingProgress) + Send,
    ) -> Result<EmbeddingProgress, Error> {
        let id = self.find_project(project).await?.id;
        let embedder = embedder_of(self.settings(), Some(&id))?;
        let mut embedded = self.embed_with(&*embedder, &id, &mut progress).await?;
        let so_far = embedded.clone();
        let copied = |copied: CopyProgress| {
            progress(&EmbeddingProgress { passages: copied.pieces, having: copied.copied, ..so_far.clone() });
        };
        embedded.engines = self.copy_all(&id, embedder.name(), copied).await?;
        Ok(embedded)
    }

    async fn embed_with(
        &self,
        embedder: &dyn Embedder,
        id: &str,
        progress: &mut (impl FnMut(&EmbeddingProgress) + Send),
    ) -> Result<EmbeddingProgress, Error> {
        let bad = |error| self.place("").store(error);
        let table = self.search_table();
        table.bring_up_to_date(id).await.map_err(bad)?;
        let mut so_far = self.embedded_by(id, embedder).await?;
        progress(&so_far);
        loop {
            let revision = table.revision(id).await.map_err(bad)?;
            let missing = table.unembedded(id, embedder.name(), READ).await.map_err(bad)?;
            if missing.is_empty() {
                table.keep_models(id, &[LexicalEmbedder::NAME, embedder.name()]).await.map_err(bad)?;
                table.note_whole(id, embedder.name(), revision).await.map_err(bad)?;
                return self.embedded_by(id, embedder).await;
            }
            for batch in missing.chunks(BATCH) {
                let texts: Vec<String> = batch.iter().map(|one| one.text.clone()).collect();
                let vectors = embedder.embed(&texts).await.map_err(|error| failures::model(&error))?;
                let vectors = batch.iter().map(|one| one.number).zip(vectors).collect();
                so_far.having += table.put_vectors(id, embedder.name(), vectors).await.map_err(bad)?;
                progress(&so_far);
            }
        }
    }

    /// Computes the missing vectors of all projects of all users, and brings the copies on the servers of a team up to
    /// date, again after each `pause`, forever: for long-running programs.
    ///
    /// Retries a failing embedder or server after the pause.
    pub async fn tend_indexes(&self, pause: Duration) {
        loop {
            if let Err(error) = self.embed_all().await {
                tracing::warn!(%error, "failed to list missing vectors");
            }
            if let Err(error) = self.tend_engines().await {
                tracing::warn!(%error, "copies of the search index not brought up to date");
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Embeds projects not marked complete for the default embedder, and projects with their own settings.
    async fn embed_all(&self) -> Result<(), Error> {
        let usual = embedder_of(self.settings(), None)?;
        let own = self.settings().projects_with_own();
        let behind = Search::behind(self.database(), usual.name(), own).await;
        for (user, project) in behind.map_err(|error| self.place("").store(error))? {
            // A failing project must not delay the others.
            if let Err(error) = self.catch_up(&user, &project).await {
                tracing::warn!(project, %error, "failed to compute vectors");
            }
        }
        Ok(())
    }

    async fn catch_up(&self, user: &str, project: &str) -> Result<(), Error> {
        let theirs = self.on_behalf_of(user)?;
        let embedder = embedder_of(self.settings(), Some(project))?;
        if theirs.is_whole(&*embedder, project).await? == Some(false) {
            theirs.embed_with(&*embedder, project, &mut |_| {}).await?;
        }
        Ok(())
    }

    /// Returns whether every passage has a vector after the newest change of a project; `None` for a project without
    /// passages.
    pub(crate) async fn is_whole(&self, embedder: &dyn Embedder, project: &str) -> Result<Option<bool>, Error> {
        let noted = self.search_table().is_whole(project, embedder.name()).await;
        noted.map_err(|error| self.place("").store(error))
    }

    /// Deletes the index of a project and rebuilds it with all vectors.
    pub async fn rebuild_index(
        &self,
        project: &str,
        progress: impl FnMut(&EmbeddingProgress) + Send,
    ) -> Result<EmbeddingProgress, Error> {
        let id = self.find_project(project).await?.id;
        self.search_table().rebuild(&id).await.map_err(|error| self.place("").store(error))?;
        self.forget_copies(&id).await?;
        self.embed(&id, progress).await
    }
}
