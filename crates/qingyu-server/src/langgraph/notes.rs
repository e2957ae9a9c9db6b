//! Data of threads in addition to their projects: the client's id, metadata, and the metadata of runs.
//!
//! One file per user and project, and one per id of a client, in the folder `langgraph` of the data folder. Files are
//! written to a temporary file and renamed, so that readers never see a partial file. For a single machine; several
//! servers need a shared folder.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use qingyu_a2a::note_files::{read, write};
use qingyu_story::digest::sha256;
use qingyu_studio::Studio;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

/// The folder in the data folder.
const FOLDER: &str = "langgraph";
/// Maximum number of runs with data; the data of the oldest are dropped.
const RUNS: usize = 200;

/// Serializes the changes of this process.
static CHANGES: Mutex<()> = Mutex::const_new(());

/// Data of a thread in addition to its project.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Note {
    /// The project id.
    pub(super) project: String,
    /// The id chosen by the client; by default the project id.
    pub(super) thread: Option<String>,
    /// The metadata, besides those shown from the project.
    pub(super) metadata: Map<String, Value>,
    /// The data of runs, oldest first.
    pub(super) runs: Vec<RunNote>,
}

/// Data of a run in addition to its row.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct RunNote {
    /// The run id.
    pub(super) run: String,
    /// The metadata.
    pub(super) metadata: Map<String, Value>,
    /// Tags, metadata and limit of the configuration, as given.
    pub(super) config: Map<String, Value>,
}

impl RunNote {
    pub(super) fn is_empty(&self) -> bool {
        self.metadata.is_empty() && self.config.is_empty()
    }
}

impl Note {
    /// Adds the data of a run, instead of earlier data of the same run.
    pub(super) fn add_run(&mut self, note: RunNote) {
        self.runs.retain(|earlier| earlier.run != note.run);
        self.runs.push(note);
        self.runs.drain(..self.runs.len().saturating_sub(RUNS));
    }

    /// Returns the data of a run.
    pub(super) fn of_run(&self, run: &str) -> Option<&RunNote> {
        self.runs.iter().find(|note| note.run == run)
    }
}

/// The notes of a user.
#[derive(Debug, Clone)]
pub(super) struct Notes {
    folder: PathBuf,
}

impl Notes {
    /// Returns the notes of the caller's user.
    pub(super) fn of(studio: &Studio) -> Self {
        Self::within(studio.home(), studio.scope().user())
    }

    fn within(home: &Path, user: &str) -> Self {
        Self { folder: home.join(FOLDER).join(sha256(user.as_bytes())) }
    }

    /// Locks the notes against other changes of this process, such as to create or delete a thread.
    pub(super) async fn lock() -> MutexGuard<'static, ()> {
        CHANGES.lock().await
    }

    /// Returns the note of a project; empty if there is none.
    pub(super) async fn get(&self, project: &str) -> io::Result<Note> {
        let note: Option<Note> = read(&self.of_project(project)).await?;
        Ok(note.unwrap_or_else(|| Note { project: project.to_owned(), ..Note::default() }))
    }

    /// Returns all notes, by project id.
    pub(super) async fn all(&self) -> io::Result<HashMap<String, Note>> {
        let folder = self.folder.join("projects");
        let read = tokio::task::spawn_blocking(move || read_all(&folder));
        read.await.map_err(io::Error::other)?
    }

    /// Changes the note of a project, and returns the changed note.
    pub(super) async fn change(&self, project: &str, change: impl FnOnce(&mut Note) + Send) -> io::Result<Note> {
        let _guard = Self::lock().await;
        let mut note = self.get(project).await?;
        change(&mut note);
        self.put(&note).await?;
        Ok(note)
    }

    /// Writes the note of a new thread, for a caller holding the [lock](Self::lock).
    pub(super) async fn put(&self, note: &Note) -> io::Result<()> {
        // The id first: an id without a note still leads to the project.
        if let Some(thread) = &note.thread {
            write(&self.of_thread(thread), &note.project).await?;
        }
        write(&self.of_project(&note.project), note).await
    }

    /// Returns the project of a client's id.
    pub(super) async fn project_of(&self, thread: &str) -> io::Result<Option<String>> {
        read(&self.of_thread(thread)).await
    }

    /// Removes the note of a project and its client's id.
    pub(super) async fn remove(&self, note: &Note) -> io::Result<()> {
        let _guard = Self::lock().await;
        for path in note.thread.iter().map(|thread| self.of_thread(thread)).chain([self.of_project(&note.project)]) {
            match tokio::fs::remove_file(path).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Names are chosen by users and clients, so file names are digests.
    fn of_project(&self, project: &str) -> PathBuf {
        self.folder.join("projects").join(format!("{}.json", sha256(project.as_bytes())))
    }

    fn of_thread(&self, thread: &str) -> PathBuf {
        self.folder.join("threads").join(format!("{}.json", sha256(thread.as_bytes())))
    }
}

/// Returns a client's id of a thread in its usual form; `None` if it is no UUID.
pub(super) fn own_id(given: &str) -> Option<String> {
    Uuid::parse_str(given).ok().map(|id| id.to_string())
}

fn read_all(folder: &Path) -> io::Result<HashMap<String, Note>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(error) => return Err(error),
    };
    let mut notes = HashMap::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        match std::fs::read(&path) {
            Ok(bytes) => {
                let note: Note = serde_json::from_slice(&bytes)?;
                notes.insert(note.project.clone(), note);
            }
            // It was removed meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn notes_are_kept_found_by_either_id_and_each_users_own() {
        let home = tempfile::tempdir().unwrap();
        let (anna, ben) = (Notes::within(home.path(), "anna/.."), Notes::within(home.path(), "ben"));
        assert!(anna.all().await.unwrap().is_empty());
        let id = own_id("0192E4A0-0000-7000-8000-000000000001").unwrap();
        assert_eq!(id, "0192e4a0-0000-7000-8000-000000000001");
        let kept = anna.change("p-1", |note| {
            note.thread = Some(id.clone());
            note.metadata.insert("a".into(), json!(1));
        });
        let kept = kept.await.unwrap();
        assert_eq!(anna.get("p-1").await.unwrap(), kept);
        assert_eq!(anna.project_of(&id).await.unwrap().as_deref(), Some("p-1"));
        assert_eq!(anna.all().await.unwrap()["p-1"], kept);
        assert_eq!(ben.project_of(&id).await.unwrap(), None);
        assert_eq!(ben.get("p-1").await.unwrap().thread, None);
        anna.remove(&kept).await.unwrap();
        assert_eq!(anna.project_of(&id).await.unwrap(), None);
        assert!(anna.all().await.unwrap().is_empty());
        anna.remove(&kept).await.unwrap();
    }

    #[test]
    fn only_the_newest_runs_have_data() {
        let mut note = Note::default();
        for number in 0..RUNS + 5 {
            note.add_run(RunNote { run: format!("r-{number}"), ..RunNote::default() });
        }
        note.add_run(RunNote { run: "r-9".into(), ..RunNote::default() });
        assert_eq!(note.runs.len(), RUNS);
        assert!(note.of_run("r-4").is_none() && note.of_run("r-5").is_some());
        assert_eq!(note.runs.last().map(|note| note.run.as_str()), Some("r-9"));
        assert!(["x", "p-1", ""].into_iter().all(|id| own_id(id).is_none()));
    }
}
