//! Embedders: the sources of the vectors compared by search, named in the settings.

use std::path::Path;
use std::sync::Arc;

use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_llm::{Embedder, Prefixes};

use crate::error::{Error, failures};
use crate::models::roster::ModelRoster;
use crate::settings::layers::Settings;

/// The name of the embedder without any requirements.
pub(crate) const LEXICAL: &str = "lexical";
/// The prefix of the path of a local model's folder.
const LOCAL: &str = "local:";
/// The name of the setting.
const SETTING: &str = "embeddings.embedder";

/// Returns the embedder named by the settings of the project, or of the user by default: `lexical`, `provider/model` or
/// `local:` and a path.
///
/// Sends no request. A local embedder loads its folder, for up to some seconds; the last loaded folder is cached.
/// Returns [`Error::UnknownModel`] or [`Error::NoKey`] if a provider is not usable, and [`Error::BadSettings`] if the
/// provider has no embeddings, or the folder is missing or unsupported, naming the file.
pub(crate) fn embedder_of(settings: &Settings, project: Option<&str>) -> Result<Arc<dyn Embedder>, Error> {
    let effective = settings.effective(project)?;
    ModelRoster::new(&effective, settings)?.embedder()
}

impl ModelRoster<'_> {
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

/// Loads the embedder in a model's folder; `prefixes` default to the text prefixes given by the folder.
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

/// Returns the number of dimensions of the vectors of `embedder`, by a test call.
pub(crate) async fn dimensions(embedder: &dyn Embedder) -> Result<usize, Error> {
    let vector = embedder.embed_question("雨夜，有人推门。").await;
    vector.map(|vector| vector.len()).map_err(|error| failures::model(&error))
}
