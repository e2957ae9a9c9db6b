//! Vectors of a project's passages: made by the embedder of the settings, batch by batch, each kept as soon as it is made.
//!
//! Who changes the embedder loses nothing meanwhile: until every passage has its new vector, search goes on with the
//! lexical ones, which every passage has. Work that was broken off goes on where it stopped; doors that stay open let
//! [`tend_vectors`](Studio::tend_vectors) do it in the background.

use std::time::Duration;

use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_llm::Embedder;
use qingyu_memory::UserId;
use qingyu_store::Search;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::Scope;
use crate::{Error, Studio, embedder_of, failures};

/// How many passages are embedded before they are kept.
const BATCH: usize = 64;
/// How many that have no vector are read at once: to find them, those that have one are gone through.
const READ: usize = 16 * BATCH;

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

    /// Makes the vectors that are missing, and tells `progress` at the beginning and after each batch. When all are made, those of
    /// embedders that are not in use any more go.
    ///
    /// Fails when the embedder does; what it made until then is kept.
    pub async fn embed(&self, project: &str, mut progress: impl FnMut(&Embedded)) -> Result<Embedded, Error> {
        let id = self.find_project(project).await?.id;
        let embedder = embedder_of(self.settings(), Some(&id))?;
        self.embed_with(&*embedder, &id, &mut progress).await
    }

    async fn embed_with(
        &self,
        embedder: &dyn Embedder,
        id: &str,
        progress: &mut impl FnMut(&Embedded),
    ) -> Result<Embedded, Error> {
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

    /// Makes the missing vectors of all projects of all users, looks again after each `pause`, and never ends: for doors that stay
    /// open.
    ///
    /// An embedder that fails is asked again after the pause.
    pub async fn tend_vectors(&self, pause: Duration) {
        loop {
            if let Err(error) = self.embed_all().await {
                tracing::warn!(%error, "it cannot be seen which vectors are missing");
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Looks at what is not noted to be whole with the embedder of most, and at projects with settings of their own.
    async fn embed_all(&self) -> Result<(), Error> {
        let usual = embedder_of(self.settings(), None)?;
        let own = self.settings().projects_with_own();
        let behind = Search::behind(self.database(), usual.name(), own).await;
        for (user, project) in behind.map_err(|error| self.place("").store(error))? {
            // What one project's text or settings do keeps no other waiting.
            if let Err(error) = self.catch_up(&user, &project).await {
                tracing::warn!(project, %error, "vectors could not be made");
            }
        }
        Ok(())
    }

    async fn catch_up(&self, user: &str, project: &str) -> Result<(), Error> {
        let user = UserId::new(user).map_err(|error| Error::Internal { message: error.to_string() })?;
        let theirs = self.of(&Scope::on_behalf_of(user));
        let embedder = embedder_of(self.settings(), Some(project))?;
        if theirs.is_whole(&*embedder, project).await? == Some(false) {
            theirs.embed_with(&*embedder, project, &mut |_| {}).await?;
        }
        Ok(())
    }

    /// Whether every passage was found to have its vector after the newest change of a project; `None` if it has no passages.
    pub(crate) async fn is_whole(&self, embedder: &dyn Embedder, project: &str) -> Result<Option<bool>, Error> {
        let noted = self.search_table().is_whole(project, embedder.name()).await;
        noted.map_err(|error| self.place("").store(error))
    }

    /// Throws the index of a project away and makes it anew, with all vectors.
    pub async fn rebuild_index(&self, project: &str, progress: impl FnMut(&Embedded)) -> Result<Embedded, Error> {
        let id = self.find_project(project).await?.id;
        self.search_table().rebuild(&id).await.map_err(|error| self.place("").store(error))?;
        self.embed(&id, progress).await
    }
}
