//! A project in a database of its own, in a folder that goes away with it.

use qingyu_db::{Database, Settings};
use qingyu_store::{Change, ChangeKey, NewProject, Projects, Provenance, Save, Search, Stories, change};
use qingyu_story::{Document, Story};

use crate::passages::Passage;

pub(crate) struct Book {
    database: Database,
    stories: Stories,
    pub(crate) search: Search,
    pub(crate) project: String,
    saves: usize,
}

/// A database in a folder of its own.
pub(crate) async fn database(folder: &tempfile::TempDir) -> anyhow::Result<Database> {
    let database = Database::open(&folder.path().join("book.db"), Settings::default()).await?;
    qingyu_store::migrate(&database).await?;
    Ok(database)
}

impl Book {
    pub(crate) async fn new(database: &Database) -> anyhow::Result<Self> {
        let new = Projects::new(database, "local").create(NewProject::default(), jiff::Timestamp::now()).await?;
        let (stories, search) = (Stories::new(database, "local"), Search::new(database, "local"));
        Ok(Self { database: database.clone(), stories, search, project: new.id, saves: 0 })
    }

    /// Saves in one transaction.
    pub(crate) async fn save(&mut self, changes: Vec<Change>) -> anyhow::Result<()> {
        self.saves += 1;
        let save = Save {
            project: self.project.clone(),
            key: ChangeKey { run: "bench".into(), step: self.saves.to_string(), iteration: 0 },
            provenance: Provenance::default(),
            expected: None,
            changes,
        };
        self.stories.save(save, jiff::Timestamp::now()).await?;
        Ok(())
    }

    /// A search that remembers nothing of earlier queries.
    pub(crate) fn fresh_search(&self) -> Search {
        Search::new(&self.database, "local")
    }
}

/// What makes the whole of `story`.
pub(crate) fn all_of(story: &Story) -> Vec<Change> {
    change::difference(&Story::default(), story)
}

/// A document for each passage, called as the passage is, so that each is one chunk.
pub(crate) fn story(passages: &[Passage]) -> Story {
    let document = |passage: &Passage| Document {
        id: passage.id.clone(),
        title: passage.id.clone(),
        order: passage.chapter,
        version: 1,
        text: passage.text.clone(),
        ..Document::default()
    };
    Story { documents: passages.iter().map(document).collect(), ..Story::default() }
}
