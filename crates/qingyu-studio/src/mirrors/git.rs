//! The history of a mirror as a git repository, by the program `git`.

use std::io;
use std::path::Path;
use std::process::Stdio;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use super::folder::STATE;

/// What became of the commit of a mirror.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "commit", rename_all = "snake_case")]
pub enum MirrorCommit {
    /// No repository was wanted.
    #[default]
    Off,
    /// Nothing has changed since the last commit.
    Unchanged,
    /// The changes were committed.
    Committed,
    /// The program `git` is not installed.
    Missing,
    /// `git` failed.
    Failed {
        /// Its message.
        message: String,
    },
}

/// Commits the files of `folder`, which becomes a repository if it is none.
pub(super) async fn commit(folder: &Path, message: &str) -> MirrorCommit {
    match commit_or_fail(folder, message).await {
        Ok(commit) => commit,
        Err(error) if error.kind() == io::ErrorKind::NotFound => MirrorCommit::Missing,
        Err(error) => MirrorCommit::Failed { message: error.to_string() },
    }
}

async fn commit_or_fail(folder: &Path, message: &str) -> io::Result<MirrorCommit> {
    if !folder.join(".git").exists() {
        git(folder, &["init", "--quiet"]).await?;
        let excluded = folder.join(".git").join("info");
        tokio::fs::create_dir_all(&excluded).await?;
        tokio::fs::write(excluded.join("exclude"), format!("{STATE}\n")).await?;
    }
    git(folder, &["add", "--all"]).await?;
    if git(folder, &["status", "--porcelain"]).await?.trim().is_empty() {
        return Ok(MirrorCommit::Unchanged);
    }
    // The author's own name, if git knows it.
    let has_name = git(folder, &["config", "user.email"]).await.is_ok();
    let name: &[&str] = if has_name { &[] } else { &["-c", "user.name=Qingyu", "-c", "user.email=qingyu@localhost"] };
    let commit = ["-c", "commit.gpgsign=false", "commit", "--quiet", "--message", message];
    git(folder, &[name, &commit].concat()).await?;
    Ok(MirrorCommit::Committed)
}

/// Runs `git` in `folder` and returns its output; its message as an error if it fails.
async fn git(folder: &Path, arguments: &[&str]) -> io::Result<String> {
    let mut command = Command::new("git");
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).kill_on_drop(true);
    let output = command.output().await?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(io::Error::other(if message.is_empty() { output.status.to_string() } else { message }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_change_is_a_commit() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("1.md"), "一").unwrap();
        std::fs::write(home.path().join(STATE), "{}").unwrap();
        let first = commit(home.path(), "雨夜: 1").await;
        if first == MirrorCommit::Missing {
            return;
        }
        assert_eq!(first, MirrorCommit::Committed);
        assert_eq!(commit(home.path(), "雨夜: 1").await, MirrorCommit::Unchanged);
        std::fs::write(home.path().join("1.md"), "二").unwrap();
        assert_eq!(commit(home.path(), "雨夜: 2").await, MirrorCommit::Committed);
        let log = git(home.path(), &["log", "--format=%s"]).await.unwrap();
        assert_eq!(log.lines().collect::<Vec<_>>(), ["雨夜: 2", "雨夜: 1"]);
        let files = git(home.path(), &["ls-files"]).await.unwrap();
        assert_eq!(files.trim(), "1.md", "what the mirror notes for itself is no part of the book");
    }
}
