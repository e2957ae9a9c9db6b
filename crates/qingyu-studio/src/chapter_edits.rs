//! Chapters are listed and edited: renamed, moved, added, split, joined, deleted, each with its node and its texts.

use qingyu_story::chapters::{
    ChapterEdit, ChapterEditError, ChapterRow, Chapters, SameNumber, edit_chapters, rows, same_numbers,
};
use qingyu_story::settlement::follow_all;
use qingyu_story::{Story, edit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Error, Studio};

/// The chapters of a book, after an edit if one was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterList {
    /// The change; none if nothing was changed.
    pub change: Option<u64>,
    /// The chapters in reading order.
    pub chapters: Vec<ChapterRow>,
    /// Numbers that several chapters of one volume have.
    pub same_numbers: Vec<SameNumber>,
}

impl ChapterList {
    fn of(change: Option<u64>, story: &Story) -> Self {
        let chapters = Chapters::of(story);
        Self { change, chapters: rows(story, &chapters), same_numbers: same_numbers(&chapters) }
    }
}

impl Studio {
    /// The chapters of a project in reading order, planned ones among them.
    pub async fn chapters(&self, project: &str) -> Result<ChapterList, Error> {
        let (_, kept) = self.kept_story(project).await?;
        Ok(ChapterList::of(None, &kept.story))
    }

    /// Edits the chapters of a project in one change, which can be taken back. What was settled from texts follows them.
    ///
    /// Fails with [`Error::UnknownDocument`] or [`Error::AmbiguousChapter`] if a name means no one chapter, and with
    /// [`Error::BadChapterEdit`] if the chapters cannot be edited so.
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
        ChapterEditError::NoTitle => ("no_title", String::new()),
        ChapterEditError::NotOnce { at, .. } => ("not_once", at),
        ChapterEditError::NoNext { title } => ("no_next", title),
        ChapterEditError::Edit(edit::Error::NameTaken { name, .. }) => ("name_taken", name),
        ChapterEditError::Edit(_) => ("other", String::new()),
    };
    Error::BadChapterEdit { reason: reason.into(), given, message }
}
