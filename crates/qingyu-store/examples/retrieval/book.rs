//! A project in its own database, in a temporary folder.

use qingyu_db::{Database, Settings};
use qingyu_store::{ProjectDraft, Projects, Search, StoredChange, Stories, StorySave, change};
use qingyu_story::{ChangeKey, Document, Provenance, Story};

use crate::passages::SamplePassage;

pub(crate) struct SampleBook {
    database: Database,
    stories: Stories,
    pub(crate) search: Search,
    pub(crate) project: String,
    saves: usize,
}

/// Returns a database in a temporary folder.
pub(crate) async fn database(folder: &tempfile::TempDir) -> anyhow::Result<Database> {
    let database = Database::open(&folder.path().join("book.db"), Settings::default()).await?;
    qingyu_store::migrate(&database).await?;
    Ok(database)
}

impl SampleBook {
    pub(crate) async fn new(database: &Database) -> anyhow::Result<Self> {
        let new = Projects::new(database, "local").create(ProjectDraft::default(), jiff::Timestamp::now()).await?;
        let (stories, search) = (Stories::new(database, "local"), Search::new(database, "local"));
        Ok(Self { database: database.clone(), stories, search, project: new.id, saves: 0 })
    }

    /// Saves in a single transaction.
    pub(crate) async fn save(&mut self, changes: Vec<StoredChange>) -> anyhow::Result<()> {
        self.saves += 1;
        let save = StorySave {
            project: self.project.clone(),
            key: ChangeKey { run: "bench".into(), step: self.saves.to_string(), iteration: 0 },
            provenance: Provenance::default(),
            expected: None,
            changes,
        };
        self.stories.save(save, jiff::Timestamp::now()).await?;
        Ok(())
    }

    /// Returns a search with empty caches.
    pub(crate) fn fresh_search(&self) -> Search {
        Search::new(&self.database, "local")
    }
}

/// Returns the changes which insert the whole `story`.
pub(crate) fn all_of(story: &Story) -> Vec<StoredChange> {
    change::difference(&Story::default(), story)
}

/// Returns a story with a document for each passage, named by the passage id, so that each is a single chunk.
pub(crate) fn story(passages: &[SamplePassage]) -> Story {
    let document = |passage: &SamplePassage| Document {
        id: passage.id.clone(),
        title: passage.id.clone(),
        order: passage.chapter,
        version: 1,
        text: passage.text.clone(),
        ..Document::default()
    };
    Story { documents: passages.iter().map(document).collect(), ..Story::default() }
}
