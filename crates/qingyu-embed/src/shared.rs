//! One model in memory for all who ask for it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::{Error, LocalEmbedder};

/// The model that was asked for last.
static LAST: Mutex<Option<(Stamp, LocalEmbedder)>> = Mutex::new(None);

/// By what a folder is known to be the same: its path, and of its files the path, the size and when they were written.
#[derive(Debug, PartialEq, Eq)]
struct Stamp(PathBuf, Vec<(PathBuf, u64, Option<SystemTime>)>);

impl Stamp {
    /// Of the files in the folder and in those in it.
    fn of(folder: &Path) -> Self {
        let entries = |folder: &Path| folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        let within = |path: PathBuf| if path.is_dir() { entries(&path).collect() } else { vec![path] };
        // What a link leads to counts.
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
    /// The model of a folder as [`open`](Self::open) reads it, without reading it again if it was the last that was asked for here
    /// and its files have not changed since.
    ///
    /// Whoever asks while it is read waits. The model stays in memory until another is asked for.
    pub fn shared(folder: &Path) -> Result<Self, Error> {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Stamp::of(folder);
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
