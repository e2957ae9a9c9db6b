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

    /// The place in `argued.toml` of the first argument for this change.
    pub(crate) fn place(&self, path: &Path, name: &str) -> Option<usize> {
        self.change.iter().position(|change| path.ends_with(&change.file) && name.starts_with(&change.name))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::sources::Sources;

    /// The crates that `scripts/mutants.sh` changes.
    const CHANGED: [&str; 3] = ["qingyu-agents", "qingyu-graph", "qingyu-story"];

    #[test]
    fn each_argument_is_for_a_change_that_there_is() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let used: BTreeSet<usize> =
            CHANGED.iter().flat_map(|package| Sources::of(&root, package, &[]).unwrap().argued).collect();
        let argued = Argued::read().unwrap().change;
        let idle: Vec<String> = argued
            .iter()
            .enumerate()
            .filter(|(place, _)| !used.contains(place))
            .map(|(_, change)| format!("{}: {}", change.file, change.name))
            .collect();
        assert!(idle.is_empty(), "for nothing, or for what another argument is for already:\n{}", idle.join("\n"));
    }
}
