//! Changes of phases and fields by hand.

use jiff::Timestamp;
use qingyu_production::GoldenContext;
use qingyu_store::{StorySave, change as kept};
use qingyu_story::production::Production;
use qingyu_story::{ChangeKey, Story};

use crate::error::Error;
use crate::stories::saved::by_hand;
use crate::studio::Studio;

/// The step of manual field changes in the log.
const FIELDS: &str = "fields";

impl Studio {
    /// Returns the context passed to every model call for a project.
    pub(crate) async fn golden_context(&self, project: &str) -> Result<GoldenContext, Error> {
        Ok(GoldenContext::of(&self.kept_story(project).await?.1.story))
    }

    /// Changes a project's phases and fields by hand, in a single change revertible by undo.
    pub(crate) async fn change_fields<T>(
        &self,
        project: &str,
        change: impl FnOnce(&mut Story) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (id, before) = self.kept_story(project).await?;
        produced(&before.story)?;
        let mut after = before.story.clone();
        let value = change(&mut after)?;
        self.save_by_hand(&id, &before.story, &after, before.version).await?;
        Ok(value)
    }

    /// Saves the difference between `before` and `after` as a change by hand; nothing if they are equal.
    ///
    /// Fails with a conflict if the project is not at `version`.
    pub(crate) async fn save_by_hand(
        &self,
        project: &str,
        before: &Story,
        after: &Story,
        version: u64,
    ) -> Result<(), Error> {
        let changes = kept::difference(before, after);
        if changes.is_empty() {
            return Ok(());
        }
        let key = ChangeKey { run: uuid::Uuid::now_v7().to_string(), step: FIELDS.into(), iteration: 0 };
        let save =
            StorySave { project: project.to_owned(), key, provenance: by_hand(), expected: Some(version), changes };
        let saved = self.stories_table().save(save, Timestamp::now()).await;
        saved.map(drop).map_err(|error| self.place("").store(error))
    }
}

pub(crate) fn produced(story: &Story) -> Result<&Production, Error> {
    story.production.as_ref().ok_or(Error::Production { source: qingyu_production::Error::NoProduction })
}
