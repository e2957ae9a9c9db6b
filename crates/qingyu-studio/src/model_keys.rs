//! The keys of model providers that were given to this program: a file in the data folder that only its owner can read.
//!
//! A key in the environment goes over the one in the file. The file is read for every use, so that a key counts at once, in every
//! process that works with the folder. Keys leave this module towards providers only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use qingyu_llm::{Key, Provider};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failures::Place;
use crate::written::write_whole;
use crate::{Environment, Error, Layer};

/// The file in the data folder: a table of keys by provider.
const FILE: &str = "model-keys.toml";

/// The longest key that is taken, in bytes.
const LONGEST: usize = 4_096;

/// Where the key of a provider comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// Its environment variable.
    Environment,
    /// The file of keys in the data folder.
    File,
}

/// A provider and where its key comes from. The key itself is never shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelKeyRow {
    /// The provider, such as `deepseek`.
    pub provider: String,
    /// Where its key comes from now; none if it has none.
    pub source: Option<KeySource>,
}

/// The keys of one data folder and one environment.
pub(crate) struct ModelKeys<'a> {
    environment: &'a Environment,
    kept: BTreeMap<String, String>,
}

impl<'a> ModelKeys<'a> {
    /// Reads the file; an absent one has no keys.
    ///
    /// Fails with [`Error::BadSettings`] if it cannot be read as a table of texts. The message quotes nothing of it.
    pub(crate) fn read(home: &Path, environment: &'a Environment) -> Result<Self, Error> {
        Ok(Self { environment, kept: read(&path(home))? })
    }

    /// The key of a provider.
    pub(crate) fn of(&self, provider: &Provider) -> Option<Key> {
        let variable = || self.environment.get(provider.key_variable.as_deref()?);
        variable().or_else(|| self.kept.get(&provider.name).map(String::as_str)).map(Key::from)
    }

    /// Where the key of a provider comes from.
    pub(crate) fn source(&self, provider: &Provider) -> Option<KeySource> {
        let is_set = provider.key_variable.as_deref().is_some_and(|variable| self.environment.get(variable).is_some());
        let is_kept = || self.kept.contains_key(&provider.name).then_some(KeySource::File);
        if is_set { Some(KeySource::Environment) } else { is_kept() }
    }
}

/// Keeps the key of a provider, or takes it away.
///
/// Fails with [`Error::BadRequest`] if it is no key, and with [`Error::ReadOnly`] or [`Error::DiskFull`] if the file cannot be
/// written.
pub(crate) fn keep(home: &Path, provider: &str, key: Option<&str>) -> Result<(), Error> {
    let path = path(home);
    let mut kept = read(&path)?;
    match key.map(str::trim) {
        Some(key) if key.is_empty() || key.len() > LONGEST || !key.bytes().all(|byte| byte.is_ascii_graphic()) => {
            let message = "a key is one word of Latin letters, digits and signs".into();
            return Err(Error::BadRequest { path: "secret".into(), message });
        }
        Some(key) => drop(kept.insert(provider.to_owned(), key.to_owned())),
        None => drop(kept.remove(provider)),
    }
    let text = toml::to_string(&kept).map_err(|error| Error::Internal { message: error.to_string() })?;
    write_private(&path, &text).map_err(|error| Place { database: &path, run: "" }.file(&path, &error))
}

fn path(home: &Path) -> PathBuf {
    home.join(FILE)
}

fn read(path: &Path) -> Result<BTreeMap<String, String>, Error> {
    let bad = |message: &str| Error::BadSettings {
        layer: Layer::User,
        source_name: Some(path.display().to_string()),
        key: String::new(),
        message: message.into(),
    };
    match std::fs::read_to_string(path) {
        Ok(text) => toml::from_str(&text).map_err(|_| bad("not a table of keys: PROVIDER = \"KEY\"")),
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            Ok(BTreeMap::new())
        }
        Err(error) => Err(bad(&error.to_string())),
    }
}

/// Writes the file for its owner alone, whoever could read it before.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    #[cfg(unix)]
    if path.exists() {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    }
    write_whole(path, text)
}

#[cfg(test)]
mod tests {
    use qingyu_llm::Providers;

    use super::*;

    #[test]
    fn a_key_is_kept_for_its_owner_and_the_environment_goes_over_it() {
        let home = tempfile::tempdir().unwrap();
        let providers = Providers::built_in();
        let deepseek = providers.get("deepseek").unwrap();
        let bare = Environment::default();
        let source = |environment: &Environment| ModelKeys::read(home.path(), environment).unwrap().source(deepseek);
        assert_eq!(source(&bare), None);
        keep(home.path(), "deepseek", Some(" sk-kept\n")).unwrap();
        assert_eq!(source(&bare), Some(KeySource::File));
        let of = |environment| ModelKeys::read(home.path(), environment).unwrap().of(deepseek);
        assert_eq!(of(&bare), Some(Key::from("sk-kept")));
        let set = Environment::new([("DEEPSEEK_API_KEY".to_owned(), "sk-set".to_owned())]);
        assert_eq!((of(&set), source(&set)), (Some(Key::from("sk-set")), Some(KeySource::Environment)));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let path = path(home.path());
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
            keep(home.path(), "qwen", Some("sk-other")).unwrap();
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        keep(home.path(), "deepseek", None).unwrap();
        assert_eq!(source(&bare), None);
        for bad in ["", "two words", "键", "a\nb"] {
            assert!(matches!(keep(home.path(), "deepseek", Some(bad)), Err(Error::BadRequest { .. })), "{bad:?}");
        }
    }

    #[test]
    fn a_broken_file_is_told_without_what_stands_in_it() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(path(home.path()), "deepseek = sk-secret").unwrap();
        let error = ModelKeys::read(home.path(), &Environment::default()).err().unwrap().to_string();
        assert!(error.contains(FILE) && !error.contains("secret"), "{error}");
    }
}
