//! What the protocol knows of tasks beyond their runs: contexts of clients, their messages, who wants to be notified.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

use a2a::{Message, TaskPushNotificationConfig};
use futures::future::BoxFuture;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;

/// What is known of a task beyond its run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Note {
    /// The project.
    pub project: String,
    /// The context, as the client named it.
    pub context: String,
    /// What the client said, oldest first.
    pub said: Vec<Said>,
    /// When a client gave the task up while it waited.
    pub canceled: Option<Timestamp>,
    /// Who wants to be notified, by the id of the wish.
    pub webhooks: BTreeMap<String, TaskPushNotificationConfig>,
    /// The place in the run's log up to which they were.
    pub notified: u64,
}

/// A message, and when it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// When.
    pub at: Timestamp,
    /// What.
    pub message: Message,
}

/// A change of a note. It may be called for a note that is new.
pub type Change<'a> = Box<dyn FnOnce(&mut Note) + Send + 'a>;

/// Keeps notes, each user's apart. A note is whole or absent; changes of one note come one after the other.
pub trait Notes: Send + Sync + Debug {
    /// The note of a task, if there is one.
    fn get<'a>(&'a self, user: &'a str, task: &'a str) -> BoxFuture<'a, io::Result<Option<Note>>>;

    /// Changes the note of a task, making it if there is none; gives it as it is then.
    fn change<'a>(&'a self, user: &'a str, task: &'a str, change: Change<'a>) -> BoxFuture<'a, io::Result<Note>>;

    /// The project that a context of a client stands for.
    fn project_of<'a>(&'a self, user: &'a str, context: &'a str) -> BoxFuture<'a, io::Result<Option<String>>>;
}

/// Notes as files of a folder. For one machine: several servers need a folder that all of them see.
#[derive(Debug)]
pub struct FileNotes {
    folder: PathBuf,
    turn: Mutex<()>,
}

impl FileNotes {
    /// Notes in `folder`, which is made when something is kept.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), turn: Mutex::new(()) }
    }

    /// Names are the users' and clients' own and may be anything; their digests are names of files.
    fn path(&self, user: &str, kind: &str, name: &str) -> PathBuf {
        self.folder.join(digest(user)).join(kind).join(format!("{}.json", digest(name)))
    }
}

impl Notes for FileNotes {
    fn get<'a>(&'a self, user: &'a str, task: &'a str) -> BoxFuture<'a, io::Result<Option<Note>>> {
        Box::pin(async move { read(&self.path(user, "tasks", task)).await })
    }

    fn change<'a>(&'a self, user: &'a str, task: &'a str, change: Change<'a>) -> BoxFuture<'a, io::Result<Note>> {
        Box::pin(async move {
            let _turn = self.turn.lock().await;
            let path = self.path(user, "tasks", task);
            let mut note: Note = read(&path).await?.unwrap_or_default();
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

async fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    match tokio::fs::read(path).await {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Written beside and renamed, so that nobody ever reads half a file.
async fn write<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        tokio::fs::create_dir_all(folder).await?;
    }
    let beside = path.with_extension("new");
    tokio::fs::write(&beside, serde_json::to_vec(value)?).await?;
    tokio::fs::rename(&beside, path).await
}

fn digest(name: &str) -> String {
    use std::fmt::Write;
    Sha256::digest(name).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn notes_are_kept_and_each_users_own() {
        let folder = tempfile::tempdir().unwrap();
        let notes = FileNotes::new(folder.path());
        let change = |note: &mut Note| (note.project, note.context) = ("p".into(), "../../c".into());
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
