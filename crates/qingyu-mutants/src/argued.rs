//! Changes that no test need notice, each with its reason: `argued.toml` beside the sources.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Argued {
    change: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    /// How the file's path ends.
    file: String,
    /// How the change's name begins.
    name: String,
    /// For people.
    #[expect(dead_code, reason = "it must be there")]
    why: String,
}

impl Argued {
    /// # Errors
    /// If a change has no file, no name or no reason.
    pub(crate) fn read() -> Result<Self> {
        toml::from_str(include_str!("../argued.toml")).context("argued.toml")
    }

    /// Whether this change is argued for.
    pub(crate) fn holds(&self, path: &Path, name: &str) -> bool {
        self.change.iter().any(|change| path.ends_with(&change.file) && name.starts_with(&change.name))
    }
}
