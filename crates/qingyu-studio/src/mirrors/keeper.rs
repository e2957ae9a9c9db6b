//! Keeps the mirrors of the settings up to date after each save, while a server or a command is at work.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::Path;
use std::time::Duration;

use qingyu_store::{Project, ProjectStatus};
use tokio::time::{MissedTickBehavior, interval};

use super::folder::mirrors_below;
use super::git::MirrorCommit;
use crate::error::Error;
use crate::studio::Studio;

/// The interval of looks for new saves.
const LOOKS: Duration = Duration::from_secs(2);

/// State of the mirrors between two looks.
#[derive(Debug, Default)]
struct MirrorProgress {
    /// The version in the mirror of each project.
    mirrored: BTreeMap<String, u64>,
    /// The projects whose commits fail, which is logged once.
    uncommitted: BTreeSet<String>,
}

impl Studio {
    /// Keeps the mirrors of all books that the local user sees up to date, if the settings name a folder for mirrors;
    /// never returns. A failure is logged, and retried after the next save.
    pub async fn keep_mirrors(&self) -> Infallible {
        let Some(root) = self.values_at_start().mirror.folder.clone() else { return std::future::pending().await };
        let mut ticks = interval(LOOKS);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut progress = MirrorProgress::default();
        loop {
            ticks.tick().await;
            self.mirror_saves(&root, &mut progress).await;
        }
    }

    /// Brings the mirrors of all books that the local user sees up to date once, if the settings name a folder for mirrors.
    pub async fn update_mirrors(&self) {
        if let Some(root) = self.values_at_start().mirror.folder.clone() {
            self.mirror_saves(&root, &mut MirrorProgress::default()).await;
        }
    }

    /// Mirrors the books with a version other than the one in `progress`, or in their folder.
    async fn mirror_saves(&self, root: &Path, progress: &mut MirrorProgress) {
        let MirrorProgress { mirrored, uncommitted } = progress;
        if mirrored.is_empty() {
            let root = root.to_owned();
            match self.in_turn(move || mirrors_below(&root)).await {
                Ok(found) => {
                    mirrored.extend(found.into_iter().map(|mirror| (mirror.state.project, mirror.state.version)));
                }
                Err(error) => return tracing::warn!(%error, "failed to read the mirrors"),
            }
        }
        let projects = match self.seen_projects().await {
            Ok(projects) => projects,
            Err(error) => return tracing::warn!(%error, "failed to list the books to mirror"),
        };
        let is_on_shelf = |project: &Project| project.status == ProjectStatus::Active;
        for project in projects.into_iter().filter(is_on_shelf) {
            if mirrored.get(&project.id) == Some(&project.version) {
                continue;
            }
            match self.mirror_one(&project.id).await {
                Ok(commit) => log_commit(&project.id, &commit, uncommitted),
                Err(error) => tracing::warn!(%error, project = %project.id, "failed to mirror a book"),
            }
            mirrored.insert(project.id, project.version);
        }
    }

    async fn mirror_one(&self, project: &str) -> Result<MirrorCommit, Error> {
        match self.mirror_folder(project).await? {
            Some(folder) => Ok(self.mirror(project, &folder, false).await?.commit),
            None => Ok(MirrorCommit::Off),
        }
    }
}

/// Logs a commit that failed, unless the one before it failed as well.
fn log_commit(project: &str, commit: &MirrorCommit, uncommitted: &mut BTreeSet<String>) {
    let reason = match commit {
        MirrorCommit::Off | MirrorCommit::Unchanged | MirrorCommit::Committed => {
            uncommitted.remove(project);
            return;
        }
        MirrorCommit::Missing => "the program git is not installed",
        MirrorCommit::Failed { message } => message.as_str(),
    };
    if uncommitted.insert(project.to_owned()) {
        tracing::warn!(%project, reason, "failed to commit a mirror");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_commit_is_logged_once_until_it_works() {
        let mut uncommitted = BTreeSet::new();
        log_commit("p-1", &MirrorCommit::Missing, &mut uncommitted);
        log_commit("p-1", &MirrorCommit::Failed { message: "locked".into() }, &mut uncommitted);
        assert_eq!(uncommitted.len(), 1);
        log_commit("p-1", &MirrorCommit::Committed, &mut uncommitted);
        assert!(uncommitted.is_empty());
    }
}
