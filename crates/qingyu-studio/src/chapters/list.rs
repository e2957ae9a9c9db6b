//! Listing and editing of chapters: rename, move, insert, split, join, delete, each with the outline node and the
//! texts.

use qingyu_story::chapters::{
    ChapterEdit, ChapterEditError, ChapterRow, Chapters, SameNumber, edit_chapters, rows, same_numbers,
};
use qingyu_story::settlement::follow_all;
use qingyu_story::{Story, edit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{ChapterEditRefusal, Error};
use crate::studio::Studio;

/// The chapters of a book, after an optional edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterList {
    /// The number of the change; `None` if nothing changed.
    pub change: Option<u64>,
    /// The chapters in reading order.
    pub chapters: Vec<ChapterRow>,
    /// Duplicate chapter numbers within a volume.
    pub same_numbers: Vec<SameNumber>,
}

impl ChapterList {
    fn of(change: Option<u64>, story: &Story) -> Self {
        let chapters = Chapters::of(story);
        Self { change, chapters: rows(story, &chapters), same_numbers: same_numbers(&chapters) }
    }
}

impl Studio {
    /// Returns the chapters of a project in reading order, including planned chapters.
    pub async fn chapters(&self, project: &str) -> Result<ChapterList, Error> {
        let (_, kept) = self.kept_story(project).await?;
        Ok(ChapterList::of(None, &kept.story))
    }

    /// Edits the chapters of a project in a single change, revertible by undo. Settled data follow the texts.
    ///
    /// Returns [`Error::Unknown`] or [`Error::AmbiguousChapter`] if a name does not match exactly one chapter,
    /// and [`Error::BadChapterEdit`] if the edit is invalid.
    pub async fn edit_chapters(&self, project: &str, edit: &ChapterEdit) -> Result<ChapterList, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let mut story = kept.story.clone();
        edit_chapters(&mut story, edit).map_err(refused)?;
        follow_all(&kept.story, &mut story);
        let version = self.put(&id, "chapters", &kept, &story).await?;
        Ok(ChapterList::of((version > kept.version).then_some(version), &story))
    }
}

fn refused(error: ChapterEditError) -> Error {
    let message = error.to_string();
    let (reason, given) = match error {
        ChapterEditError::Unresolved(unresolved) => return unresolved.into(),
        ChapterEditError::NoTitle => (ChapterEditRefusal::NoTitle, String::new()),
        ChapterEditError::NotOnce { at, .. } => (ChapterEditRefusal::NotOnce, at),
        ChapterEditError::NoNext { title } => (ChapterEditRefusal::NoNext, title),
        ChapterEditError::Edit(edit::Error::NameTaken { name, .. }) => (ChapterEditRefusal::NameTaken, name),
        ChapterEditError::Edit(_) => (ChapterEditRefusal::Other, String::new()),
    };
    Error::BadChapterEdit { reason, given, message }
}
