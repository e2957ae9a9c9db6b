//! Keeps the mirrors of the settings up to date after each save, while a server or a command is at work.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use qingyu_store::{Project, ProjectStatus};
use tokio::time::{MissedTickBehavior, interval};

use super::folder::{MirrorFolder, MirrorIndex};
use super::outcome::MirrorCommit;
use crate::error::Error;
use crate::settings::values::MirrorSettings;
use crate::studio::Studio;

/// The interval of looks for new saves.
const LOOKS: Duration = Duration::from_secs(2);

/// State of the mirrors between two looks.
#[derive(Debug, Default)]
struct MirrorProgress {
    /// The folder of the mirrors.
    root: PathBuf,
    /// The mirrors in it.
    index: MirrorIndex,
    /// The version in the mirror of each project.
    mirrored: BTreeMap<String, u64>,
    /// The projects whose mirror is switched off, each with the state of its settings file at that look.
    off: BTreeMap<String, Option<SettingsStamp>>,
    /// The settings of all books at the last look.
    settings: MirrorSettings,
    /// The projects whose commits fail, which is logged once.
    uncommitted: BTreeSet<String>,
}

/// The size and the time of the last change of a settings file.
type SettingsStamp = (u64, SystemTime);

impl Studio {
    /// Keeps the mirrors of all books that the local user sees up to date while the settings name a folder for mirrors;
    /// never returns. A failure is logged, and retried after the next save.
    pub async fn keep_mirrors(&self) -> Infallible {
        let mut ticks = interval(LOOKS);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut progress = MirrorProgress::default();
        loop {
            ticks.tick().await;
            self.mirror_saves(&mut progress).await;
        }
    }

    /// Brings the mirrors of all books that the local user sees up to date once, if the settings name a folder for mirrors.
    pub async fn update_mirrors(&self) {
        self.mirror_saves(&mut MirrorProgress::default()).await;
    }

    /// Mirrors the books with a version other than the one in `progress`, or in their folder.
    async fn mirror_saves(&self, progress: &mut MirrorProgress) {
        // Read anew each time: the page of the settings changes it.
        let settings = match self.settings().effective(None) {
            Ok(effective) => effective.values.mirror.clone(),
            Err(error) => return tracing::warn!(%error, "failed to read the settings of the mirrors"),
        };
        let Some(root) = settings.folder.clone() else {
            *progress = MirrorProgress::default();
            return;
        };
        if progress.root != root {
            *progress = MirrorProgress { root, ..MirrorProgress::default() };
            if let Err(error) = self.index_mirrors(progress).await {
                progress.root = PathBuf::new();
                return tracing::warn!(%error, "failed to read the mirrors");
            }
            progress.mirrored = progress.index.versions();
        }
        if progress.settings != settings {
            progress.settings = settings;
            progress.off.clear();
        }
        let projects = match self.seen_projects().await {
            Ok(projects) => projects,
            Err(error) => return tracing::warn!(%error, "failed to list the books to mirror"),
        };
        let is_on_shelf = |project: &Project| project.status == ProjectStatus::Active;
        let is_new = |project: &Project| progress.mirrored.get(&project.id) != Some(&project.version);
        // The settings are read again only after a change: a book that stays switched off is no work.
        let is_off = |project: &Project| {
            progress.off.get(&project.id).is_some_and(|stamp| *stamp == self.settings_stamp(&project.id))
        };
        let saved: Vec<Project> = projects
            .into_iter()
            .filter(|project| is_on_shelf(project) && is_new(project) && !is_off(project))
            .collect();
        if saved.is_empty() {
            return;
        }
        // Once for all books that were saved: another process may have made their mirrors.
        if let Err(error) = self.index_mirrors(progress).await {
            return tracing::warn!(%error, "failed to read the mirrors");
        }
        for project in saved {
            let folder = progress.index.folder(&project.id).map(Path::to_owned);
            // Before the settings are read, so that a change meanwhile is seen at the next look.
            let stamp = self.settings_stamp(&project.id);
            match self.mirror_one(&project, &progress.root, folder).await {
                Ok(Some(commit)) => log_commit(&project.id, &commit, &mut progress.uncommitted),
                // Switched off: looked at again after a change of the settings.
                Ok(None) => {
                    progress.off.insert(project.id, stamp);
                    continue;
                }
                Err(error) => tracing::warn!(%error, project = %project.id, "failed to mirror a book"),
            }
            progress.mirrored.insert(project.id, project.version);
        }
    }

    async fn index_mirrors(&self, progress: &mut MirrorProgress) -> Result<(), Error> {
        let (root, mut index) = (progress.root.clone(), std::mem::take(&mut progress.index));
        let indexed = move || index.refresh(&root).map(|_| index);
        progress.index = self.in_turn(indexed).await?;
        Ok(())
    }

    /// Returns the size and the time of the settings file of a project; `None` without one.
    fn settings_stamp(&self, project: &str) -> Option<SettingsStamp> {
        let file = std::fs::metadata(self.settings().project_file(project)).ok()?;
        Some((file.len(), file.modified().ok()?))
    }

    /// Mirrors a book; `None` if its mirror is switched off. `folder` is its mirror below `of_all`, the folder of the
    /// settings of all books; a book with a folder of its own is looked for there.
    async fn mirror_one(
        &self,
        project: &Project,
        of_all: &Path,
        folder: Option<PathBuf>,
    ) -> Result<Option<MirrorCommit>, Error> {
        let MirrorSettings { folder: root, on, .. } = self.settings().values(Some(&project.id))?.mirror;
        let Some(root) = root.filter(|_| on) else { return Ok(None) };
        let (id, title, is_own) = (project.id.clone(), project.title.clone(), root != of_all);
        let open = move || match is_own {
            true => MirrorFolder::below(&root, &id, &title),
            false => MirrorFolder::known_below(&root, folder.as_deref(), &id, &title),
        };
        let mirror = self.in_turn(open).await?;
        Ok(Some(self.mirror(&project.id, &mirror.path, false).await?.commit))
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
    use qingyu_story::{Language, Story};

    use super::*;
    use crate::settings::change::SettingEdit;
    use crate::stories::import::StoryFile;
    use crate::{Environment, Settings};

    #[tokio::test]
    async fn a_mirror_that_is_off_is_no_work_until_the_settings_change() {
        let home = tempfile::tempdir().unwrap();
        let mirrors = home.path().join("mirrors");
        std::fs::write(home.path().join("config.toml"), format!("[mirror]\nfolder = {mirrors:?}\n")).unwrap();
        let place = ("QINGYU_HOME".to_owned(), home.path().to_str().unwrap().to_owned());
        let settings = Settings::load(Environment::new([place]), toml::Table::new()).unwrap();
        let studio = Studio::open(settings).await.unwrap();
        let file = StoryFile { story: Story { language: Language::Zh, ..Story::default() }, unknown: Vec::new() };
        let project = studio.import(file, Some("守灯人".to_owned())).await.unwrap().project.project;
        let switch = |on: bool| {
            let edit = SettingEdit::new("mirror.on", Some(serde_json::json!(on))).unwrap();
            studio.settings().write(Some(&project), &edit).unwrap();
        };
        switch(false);
        let mut progress = MirrorProgress::default();
        studio.mirror_saves(&mut progress).await;
        assert_eq!(progress.off.get(&project), Some(&studio.settings_stamp(&project)));
        assert!(progress.mirrored.is_empty() && !mirrors.join("守灯人").exists());
        switch(true);
        assert_ne!(progress.off.get(&project), Some(&studio.settings_stamp(&project)), "the file has another size");
        studio.mirror_saves(&mut progress).await;
        assert!(progress.mirrored.contains_key(&project) && mirrors.join("守灯人").exists());
    }

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
