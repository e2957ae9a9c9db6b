//! The path of a run's recording.

use std::path::PathBuf;

use crate::storage::cassette_files::file;
use crate::studio::Studio;

impl Studio {
    /// Returns the path of a run's cassette; the file may be missing.
    pub fn cassette(&self, run: &str) -> PathBuf {
        file(self.settings().home(), run)
    }
}
