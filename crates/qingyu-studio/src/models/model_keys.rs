//! Keys of model providers entered by the user: a file in the data folder, readable by its owner only.
//!
//! A key in the environment overrides the file. The file is parsed on every use, so a new key applies immediately in
//! every process sharing the folder. Keys are passed to providers only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use qingyu_llm::{Provider, ProviderKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::error::failures::FailureContext;
use crate::settings::environment::Environment;
use crate::settings::layer::SettingLayer;
use crate::storage::written::write_whole;

/// The file in the data folder: a table of keys by provider.
const FILE: &str = "model-keys.toml";
/// The maximum length of a key, in bytes.
const LONGEST: usize = 4_096;

/// The source of a provider's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// The provider's environment variable.
    Environment,
    /// The key file in the data folder.
    File,
}

/// A provider and the source of its key. The key itself is never shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelKeyRow {
    /// The provider, such as `deepseek`.
    pub provider: String,
    /// The current source of the key; `None` without a key.
    pub source: Option<KeySource>,
}

/// The keys of a data folder and an environment.
pub(crate) struct ModelKeys<'a> {
    environment: &'a Environment,
    kept: BTreeMap<String, String>,
}

impl<'a> ModelKeys<'a> {
    /// Parses the file; a missing file has no keys.
    ///
    /// Returns [`Error::BadSettings`] if the file is not a table of strings. The message contains no part of the file.
    pub(crate) fn read(home: &Path, environment: &'a Environment) -> Result<Self, Error> {
        Ok(Self { environment, kept: read(&path(home))? })
    }

    /// Returns the key of a provider.
    pub(crate) fn of(&self, provider: &Provider) -> Option<ProviderKey> {
        let variable = || self.environment.get(provider.key_variable.as_deref()?);
        variable().or_else(|| self.kept.get(&provider.name).map(String::as_str)).map(ProviderKey::from)
    }

    /// Returns the source of a provider's key.
    pub(crate) fn source(&self, provider: &Provider) -> Option<KeySource> {
        let is_set = provider.key_variable.as_deref().is_some_and(|variable| self.environment.get(variable).is_some());
        let is_kept = || self.kept.contains_key(&provider.name).then_some(KeySource::File);
        if is_set { Some(KeySource::Environment) } else { is_kept() }
    }
}

/// Stores the key of a provider, or removes it.
///
/// Returns [`Error::BadRequest`] for an invalid key, and [`Error::Storage`] if the file is not writable.
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
    write_private(&path, &text).map_err(|error| FailureContext { database: &path, run: "" }.file(&path, &error))
}

fn path(home: &Path) -> PathBuf {
    home.join(FILE)
}

fn read(path: &Path) -> Result<BTreeMap<String, String>, Error> {
    let bad = |message: &str| Error::BadSettings {
        layer: SettingLayer::User,
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

/// Writes the file with access for its owner only, regardless of earlier permissions.
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
        assert_eq!(of(&bare), Some(ProviderKey::from("sk-kept")));
        let set = Environment::new([("DEEPSEEK_API_KEY".to_owned(), "sk-set".to_owned())]);
        assert_eq!((of(&set), source(&set)), (Some(ProviderKey::from("sk-set")), Some(KeySource::Environment)));
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
