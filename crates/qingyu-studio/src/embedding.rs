//! Vectors of a project's passages: made by the embedder of the settings, batch by batch, each kept as soon as it is made.
//!
//! Who changes the embedder loses nothing meanwhile: until every passage has its new vector, search goes on with the
//! lexical ones, which every passage has. Work that was broken off goes on where it stopped; doors that stay open let
//! [`tend_vectors`](Studio::tend_vectors) do it in the background.

use std::collections::HashMap;
use std::time::Duration;

use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_llm::Embedder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Error, Studio, embedder_of, failures};

/// How many passages are embedded before they are kept.
const BATCH: usize = 64;

/// How far a project's passages have vectors of the embedder in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Embedded {
    /// The embedder.
    pub embedder: String,
    /// How many passages there are.
    pub passages: usize,
    /// How many of them have its vectors.
    pub having: usize,
}

impl Embedded {
    /// Whether all passages have them.
    pub fn is_whole(&self) -> bool {
        self.having == self.passages
    }
}

impl Studio {
    /// How far the vectors of a project have come, by id or its beginning.
    pub async fn embedded(&self, project: &str) -> Result<Embedded, Error> {
        let id = self.find_project(project).await?.id;
        let embedder = embedder_of(self.settings(), Some(&id))?;
        self.embedded_by(&id, &*embedder).await
    }

    pub(crate) async fn embedded_by(&self, project: &str, embedder: &dyn Embedder) -> Result<Embedded, Error> {
        let counted = self.search_table().embedded(project, embedder.name()).await;
        let (passages, having) = counted.map_err(|error| self.place("").store(error))?;
        Ok(Embedded { embedder: embedder.name().into(), passages, having })
    }

    /// Makes the vectors that are missing, and tells `progress` after each batch. When all are made, those of embedders
    /// that are not in use any more go.
    ///
    /// Fails when the embedder does; what it made until then is kept.
    pub async fn embed(&self, project: &str, mut progress: impl FnMut(&Embedded)) -> Result<Embedded, Error> {
        let id = self.find_project(project).await?.id;
        let embedder = embedder_of(self.settings(), Some(&id))?;
        let bad = |error| self.place("").store(error);
        let table = self.search_table();
        loop {
            let now = self.embedded_by(&id, &*embedder).await?;
            progress(&now);
            let missing = table.unembedded(&id, embedder.name(), BATCH).await.map_err(bad)?;
            if missing.is_empty() {
                table.keep_models(&id, &[LexicalEmbedder::NAME, embedder.name()]).await.map_err(bad)?;
                return Ok(now);
            }
            let (numbers, texts): (Vec<i64>, Vec<String>) =
                missing.into_iter().map(|one| (one.number, one.text)).unzip();
            let vectors = embedder.embed(&texts).await.map_err(|error| failures::model(&error))?;
            let vectors = numbers.into_iter().zip(vectors).collect();
            table.put_vectors(&id, embedder.name(), vectors).await.map_err(bad)?;
        }
    }

    /// Makes the missing vectors of all projects, looks again after each `pause`, and never ends: for doors that stay open.
    ///
    /// An embedder that fails is asked again after the pause.
    pub async fn tend_vectors(&self, pause: Duration) {
        let mut whole = HashMap::new();
        loop {
            if let Err(error) = self.embed_all(&mut whole).await {
                tracing::warn!(%error, "vectors could not be made");
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// `whole` is what was found whole before: by project, its version and the embedder then. What is still so is not looked
    /// at again, and what has never been saved into has no passages.
    async fn embed_all(&self, whole: &mut HashMap<String, (u64, String)>) -> Result<(), Error> {
        for row in self.projects().await?.into_iter().filter(|row| row.version > 0) {
            let effective = self.settings().effective(Some(&row.project), toml::Table::new())?;
            let now = (row.version, effective.values.embeddings.embedder.clone());
            if whole.get(&row.project) != Some(&now) {
                self.embed(&row.project, |_| {}).await?;
                whole.insert(row.project, now);
            }
        }
        Ok(())
    }

    /// Throws the index of a project away and makes it anew, with all vectors.
    pub async fn rebuild_index(&self, project: &str, progress: impl FnMut(&Embedded)) -> Result<Embedded, Error> {
        let id = self.find_project(project).await?.id;
        self.search_table().rebuild(&id).await.map_err(|error| self.place("").store(error))?;
        self.embed(&id, progress).await
    }
}
