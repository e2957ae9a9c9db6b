//! Data of tasks in addition to their runs: the clients' contexts and messages, and webhooks.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;
use std::path::PathBuf;

use a2a::{Message, TaskPushNotificationConfig};
use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_studio::story::digest::sha256;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::note_files::{read, write};

/// Data of a task in addition to its run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskNote {
    /// The project id.
    pub project: String,
    /// The context, as named by the client.
    pub context: String,
    /// The client's messages, oldest first.
    pub said: Vec<ClientMessage>,
    /// When a client cancelled the waiting task.
    pub canceled: Option<Timestamp>,
    /// The registered webhooks, by configuration id.
    pub webhooks: BTreeMap<String, TaskPushNotificationConfig>,
    /// The number of the last event sent to the webhooks.
    pub notified: u64,
}

/// A message with its time of arrival.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClientMessage {
    /// The time of arrival.
    pub at: Timestamp,
    /// The message.
    pub message: Message,
}

/// A change of a note, possibly of a new note.
pub type NoteChange<'a> = Box<dyn FnOnce(&mut TaskNote) + Send + 'a>;

/// A store of notes, separated by user. A note is written atomically; changes of the same note are serialized.
pub trait TaskNotes: Send + Sync + Debug {
    /// Returns the note of a task, or `None`.
    fn get<'a>(&'a self, user: &'a str, task: &'a str) -> BoxFuture<'a, io::Result<Option<TaskNote>>>;

    /// Changes the note of a task, inserting a new note if missing, and returns the changed note.
    fn change<'a>(
        &'a self,
        user: &'a str,
        task: &'a str,
        change: NoteChange<'a>,
    ) -> BoxFuture<'a, io::Result<TaskNote>>;

    /// Returns the project of a client's context.
    fn project_of<'a>(&'a self, user: &'a str, context: &'a str) -> BoxFuture<'a, io::Result<Option<String>>>;
}

/// Notes as files in a folder. For a single machine; several servers need a shared folder.
#[derive(Debug)]
pub struct FileNotes {
    folder: PathBuf,
    turn: Mutex<()>,
}

impl FileNotes {
    /// Creates a store in `folder`; the folder is created on the first write.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), turn: Mutex::new(()) }
    }

    /// Names are chosen by users and clients, so file names are digests.
    fn path(&self, user: &str, kind: &str, name: &str) -> PathBuf {
        let (user, name) = (sha256(user.as_bytes()), sha256(name.as_bytes()));
        self.folder.join(user).join(kind).join(format!("{name}.json"))
    }
}

impl TaskNotes for FileNotes {
    fn get<'a>(&'a self, user: &'a str, task: &'a str) -> BoxFuture<'a, io::Result<Option<TaskNote>>> {
        Box::pin(async move { read(&self.path(user, "tasks", task)).await })
    }

    fn change<'a>(
        &'a self,
        user: &'a str,
        task: &'a str,
        change: NoteChange<'a>,
    ) -> BoxFuture<'a, io::Result<TaskNote>> {
        Box::pin(async move {
            let _turn = self.turn.lock().await;
            let path = self.path(user, "tasks", task);
            let mut note: TaskNote = read(&path).await?.unwrap_or_default();
            change(&mut note);
            write(&path, &note).await?;
            if !note.context.is_empty() {
                write(&self.path(user, "contexts", &note.context), &note.project).await?;
            }
            Ok(note)
        })
    }

    fn project_of<'a>(&'a self, user: &'a str, context: &'a str) -> BoxFuture<'a, io::Result<Option<String>>> {
        Box::pin(async move { read(&self.path(user, "contexts", context)).await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn notes_are_kept_and_each_users_own() {
        let folder = tempfile::tempdir().unwrap();
        let notes = FileNotes::new(folder.path());
        let change = |note: &mut TaskNote| (note.project, note.context) = ("p".into(), "../../c".into());
        let kept = notes.change("甲/..", "t", Box::new(change)).await.unwrap();
        let again = FileNotes::new(folder.path());
        assert_eq!(again.get("甲/..", "t").await.unwrap(), Some(kept));
        assert_eq!(again.project_of("甲/..", "../../c").await.unwrap().as_deref(), Some("p"));
        assert_eq!(again.get("乙", "t").await.unwrap(), None);
        assert_eq!(again.project_of("乙", "../../c").await.unwrap(), None);
        let more = again.change("甲/..", "t", Box::new(|note| note.notified = 7)).await.unwrap();
        assert_eq!((more.notified, more.project.as_str()), (7, "p"));
    }
}
