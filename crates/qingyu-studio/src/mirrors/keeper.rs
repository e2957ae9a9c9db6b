//! Keeps the mirrors of the settings up to date after each save, while a server or a command is at work.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;
use std::time::Duration;

use qingyu_store::{Project, ProjectStatus};
use tokio::time::{MissedTickBehavior, interval};

use super::folder::mirrors_below;
use super::mirror::in_turn;
use crate::error::Error;
use crate::studio::Studio;

/// The interval of looks for new saves.
const LOOKS: Duration = Duration::from_secs(2);

impl Studio {
    /// Keeps the mirrors of all books up to date, if the settings name a folder for mirrors; never returns. A failure is
    /// logged, and tried again after the next save.
    pub async fn keep_mirrors(&self) -> Infallible {
        let Some(root) = self.values_at_start().mirror.folder.clone() else { return std::future::pending().await };
        let mut ticks = interval(LOOKS);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut mirrored = BTreeMap::new();
        loop {
            ticks.tick().await;
            self.mirror_saves(&root, &mut mirrored).await;
        }
    }

    /// Brings the mirrors of all books up to date once, if the settings name a folder for mirrors.
    pub async fn update_mirrors(&self) {
        if let Some(root) = self.values_at_start().mirror.folder.clone() {
            self.mirror_saves(&root, &mut BTreeMap::new()).await;
        }
    }

    /// Mirrors the books with a version other than the one in `mirrored`, or in their folder.
    async fn mirror_saves(&self, root: &Path, mirrored: &mut BTreeMap<String, u64>) {
        if mirrored.is_empty() {
            let root = root.to_owned();
            match in_turn(move || mirrors_below(&root)).await {
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
            if let Err(error) = self.mirror_one(&project.id).await {
                tracing::warn!(%error, project = %project.id, "failed to mirror a book");
            }
            mirrored.insert(project.id, project.version);
        }
    }

    async fn mirror_one(&self, project: &str) -> Result<(), Error> {
        match self.mirror_folder(project).await? {
            Some(folder) => self.mirror(project, &folder, false).await.map(drop),
            None => Ok(()),
        }
    }
}
