//! The stored story of a project, and changes by hand.

use jiff::Timestamp;
use qingyu_store::{SavedStory, StoredStory, StorySave, change};
use qingyu_story::{ChangeKey, Provenance, Story};

use crate::error::Error;
use crate::studio::Studio;

/// The agent name of changes by command.
pub(crate) const PERSON: &str = "person";

impl Studio {
    pub(crate) async fn kept_story(&self, project: &str) -> Result<(String, StoredStory), Error> {
        let id = self.find_project(project).await?.id;
        let kept = self.stories_table().load(&id).await.map_err(|error| self.place("").store(error))?;
        Ok((id, kept))
    }

    /// Saves the difference between the stored story and `after`, if any; returns the new version.
    ///
    /// Returns [`Error::Conflict`] after a concurrent change of the project.
    pub(crate) async fn put(&self, project: &str, what: &str, kept: &StoredStory, after: &Story) -> Result<u64, Error> {
        let changes = change::difference(&kept.story, after);
        if changes.is_empty() {
            return Ok(kept.version);
        }
        let key = ChangeKey { iteration: u32::try_from(kept.version).unwrap_or(u32::MAX), ..key(what) };
        let save =
            StorySave { project: project.into(), key, provenance: by_hand(), expected: Some(kept.version), changes };
        let saved = self.stories_table().save(save, Timestamp::now()).await;
        match saved.map_err(|error| self.place("").store(error))? {
            SavedStory { fresh: true, version, .. } => Ok(version),
            // A concurrent caller saved the same kind of change on the same version first.
            _ => Err(Error::Conflict { project: project.into() }),
        }
    }
}

pub(crate) fn key(what: &str) -> ChangeKey {
    ChangeKey { run: what.into(), step: String::new(), iteration: 0 }
}

pub(crate) fn by_hand() -> Provenance {
    Provenance { agent: PERSON.into(), ..Provenance::default() }
}
