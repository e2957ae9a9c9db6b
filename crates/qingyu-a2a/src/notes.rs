//! Data of tasks in addition to their runs: the clients' contexts and messages, and webhooks.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use a2a::{Message, TaskPushNotificationConfig};
use jiff::Timestamp;
use qingyu_studio::story::digest::sha256;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::note_files::{read, write};

/// Data of a task in addition to its run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TaskNote {
    /// The project id.
    pub(crate) project: String,
    /// The context, as named by the client.
    pub(crate) context: String,
    /// The client's messages, oldest first.
    pub(crate) said: Vec<ClientMessage>,
    /// When a client cancelled the waiting task.
    pub(crate) canceled: Option<Timestamp>,
    /// The registered webhooks, by configuration id.
    pub(crate) webhooks: BTreeMap<String, TaskPushNotificationConfig>,
    /// The number of the last event sent to the webhooks.
    pub(crate) notified: u64,
}

/// A message with its time of arrival.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClientMessage {
    /// The time of arrival.
    pub(crate) at: Timestamp,
    /// The message.
    pub(crate) message: Message,
}

/// A change of a note, possibly of a new note.
pub(crate) type NoteChange<'a> = Box<dyn FnOnce(&mut TaskNote) + Send + 'a>;

/// Notes as files in a folder, separated by user. A note is written atomically; changes are made one after the other. For a
/// single machine; several servers need a shared folder.
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

    /// Returns the note of a task, or `None`.
    pub(crate) async fn get(&self, user: &str, task: &str) -> io::Result<Option<TaskNote>> {
        read(&self.path(user, "tasks", task)).await
    }

    /// Changes the note of a task, inserting a new note if missing, and returns the changed note.
    pub(crate) async fn change(&self, user: &str, task: &str, change: NoteChange<'_>) -> io::Result<TaskNote> {
        let _turn = self.turn.lock().await;
        let path = self.path(user, "tasks", task);
        let mut note: TaskNote = read(&path).await?.unwrap_or_default();
        change(&mut note);
        write(&path, &note).await?;
        if !note.context.is_empty() {
            write(&self.path(user, "contexts", &note.context), &note.project).await?;
        }
        Ok(note)
    }

    /// Returns the project of a client's context.
    pub(crate) async fn project_of(&self, user: &str, context: &str) -> io::Result<Option<String>> {
        read(&self.path(user, "contexts", context)).await
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
