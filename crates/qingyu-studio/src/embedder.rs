//! What makes the vectors that search compares, by its name in the settings.
//!
//! ```no_run
//! # async fn example(settings: &qingyu_studio::Settings) -> Result<(), Box<dyn std::error::Error>> {
//! let embedder = qingyu_studio::embedder_of(settings, None)?;
//! let vectors = embedder.embed(&["雨夜，有人推门。".into()]).await?;
//! println!("{} makes vectors of {} dimensions", embedder.name(), vectors[0].len());
//! # Ok(())
//! # }
//! ```

use std::path::Path;
use std::sync::Arc;

use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_llm::{Embedder, Prefixes};

use crate::roster::Roster;
use crate::{Error, Settings, failures};

/// The embedder that needs nothing.
pub const LEXICAL: &str = "lexical";
/// What stands before the path of a model's folder.
pub const LOCAL: &str = "local:";

/// The name of the setting.
pub(crate) const SETTING: &str = "embeddings.embedder";

/// The embedder that the settings name, of a project if one is given: `lexical`, `provider/model` or `local:` and a path.
///
/// Nothing is sent. A local one reads its folder, which takes up to seconds, unless it was the last that was asked for.
/// Fails with [`Error::UnknownModel`] or [`Error::NoKey`] if a provider cannot serve, and with [`Error::BadSettings`] if
/// it has no embeddings, or the folder is not there or not served, naming the file.
pub fn embedder_of(settings: &Settings, project: Option<&str>) -> Result<Arc<dyn Embedder>, Error> {
    let effective = settings.effective(project)?;
    Roster::new(&effective, settings)?.embedder()
}

impl Roster<'_> {
    fn embedder(&self) -> Result<Arc<dyn Embedder>, Error> {
        let chosen = &self.effective.values.embeddings;
        let name = chosen.embedder.trim();
        if name == LEXICAL {
            return Ok(Arc::new(LexicalEmbedder::new()));
        }
        if let Some(folder) = name.strip_prefix(LOCAL) {
            let opened = local(Path::new(folder), chosen.prefixes.clone());
            return opened.map_err(|message| self.effective.bad(SETTING, message));
        }
        self.check(name)?;
        let bad = |error: qingyu_llm::Error| self.effective.bad(SETTING, error.to_string());
        let (provider, model) = self.providers.resolve(name).map_err(bad)?;
        let bare = self.client().embedder(provider, model, self.keys.of(provider).as_ref()).map_err(bad)?;
        Ok(chosen.prefixes.clone().unwrap_or_default().before(bare))
    }
}

/// The embedder of a model's folder; without `prefixes`, those that the folder names stand before texts.
#[cfg(feature = "local-embedder")]
fn local(folder: &Path, prefixes: Option<Prefixes>) -> Result<Arc<dyn Embedder>, String> {
    let opened = qingyu_embed::LocalEmbedder::shared(folder).map_err(|error| error.to_string())?;
    let prefixes = prefixes.unwrap_or_else(|| opened.prefixes().clone());
    Ok(prefixes.before(Arc::new(opened)))
}

#[cfg(not(feature = "local-embedder"))]
fn local(_folder: &Path, _prefixes: Option<Prefixes>) -> Result<Arc<dyn Embedder>, String> {
    Err("this build serves no local models; build it with `--features local-embedder`".into())
}

/// How many dimensions the vectors of `embedder` have, by asking it.
pub(crate) async fn dimensions(embedder: &dyn Embedder) -> Result<usize, Error> {
    let vector = embedder.embed_question("雨夜，有人推门。").await;
    vector.map(|vector| vector.len()).map_err(|error| failures::model(&error))
}
