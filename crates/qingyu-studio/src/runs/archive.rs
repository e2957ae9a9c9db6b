//! Saves the output of agents to the project immediately.

use std::error::Error as StdError;

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_agents::archive;
use qingyu_agents::archive::WorkArchive;
use qingyu_store::{Stories, StorySave};

use crate::runs::event::StudioEventKind;
use crate::runs::journal::RunJournal;

/// The archive of one run.
#[derive(Debug, Clone)]
pub(crate) struct StoryArchive {
    pub(crate) stories: Stories,
    pub(crate) journal: RunJournal,
}

impl WorkArchive for StoryArchive {
    fn save<'a>(&'a self, saved: archive::ArchivedWork) -> BoxFuture<'a, Result<(), Box<dyn StdError + Send + Sync>>> {
        async move {
            let agent = saved.provenance.agent.clone();
            let kept = self.stories.save(save(saved), Timestamp::now()).await?;
            if kept.fresh && kept.pieces > 0 {
                self.journal.tell(StudioEventKind::Saved { version: kept.version, pieces: kept.pieces, agent });
            }
            Ok(())
        }
        .boxed()
    }
}

/// Returns the save in the store's terms. Agents own the pieces they change, so no version is expected.
fn save(saved: archive::ArchivedWork) -> StorySave {
    let archive::ArchivedWork { project_id, changes, key, provenance, .. } = saved;
    let changes = changes.into_iter().map(Into::into).collect();
    StorySave { project: project_id, key, provenance, expected: None, changes }
}
