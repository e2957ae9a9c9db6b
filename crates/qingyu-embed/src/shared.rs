//! A shared model in memory.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::{Error, LocalEmbedder};

/// The last requested model.
static LAST: Mutex<Option<(FolderStamp, LocalEmbedder)>> = Mutex::new(None);

/// The identity of a folder: its path, and the path, size and modification time of its files.
#[derive(Debug, PartialEq, Eq)]
struct FolderStamp(PathBuf, Vec<(PathBuf, u64, Option<SystemTime>)>);

impl FolderStamp {
    /// Covers the files in the folder and in its subfolders.
    fn of(folder: &Path) -> Self {
        let entries = |folder: &Path| folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        let within = |path: PathBuf| if path.is_dir() { entries(&path).collect() } else { vec![path] };
        // Links are followed.
        let known = |path: PathBuf| {
            let metadata = std::fs::metadata(&path).ok()?;
            Some((path, metadata.len(), metadata.modified().ok()))
        };
        let mut files: Vec<_> = entries(folder).flat_map(within).filter_map(known).collect();
        files.sort();
        Self(folder.to_path_buf(), files)
    }
}

impl LocalEmbedder {
    /// Returns the model of a folder like [`open`](Self::open), cached if it was the last requested model and its files
    /// are unchanged.
    ///
    /// Concurrent callers wait for a pending load. The model stays in memory until another is requested.
    pub fn shared(folder: &Path) -> Result<Self, Error> {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = FolderStamp::of(folder);
        match &*last {
            Some((known, embedder)) if *known == stamp => Ok(embedder.clone()),
            _ => {
                let embedder = Self::open(folder)?;
                *last = Some((stamp, embedder.clone()));
                Ok(embedder)
            }
        }
    }
}
