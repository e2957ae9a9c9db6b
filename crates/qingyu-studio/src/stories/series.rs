//! The books before a book in its series, and its canon.

use std::collections::BTreeSet;

use qingyu_store::{EarlierProject, Project};
use qingyu_story::rules::earlier_book;
use qingyu_story::{EarlierBook, EarlierBooks, EarlierKind, Names};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Noun};
use crate::studio::Studio;

/// Maximum number of books before a book.
const MOST: usize = 50;
/// Maximum length of a stretch of story time, in characters.
const GAP_LIMIT: usize = 40;

/// A book to stand before another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EarlierRequest {
    /// The project.
    pub project: String,
    /// A volume of the same series, or a canon that the book must not contradict; a volume by default.
    #[serde(default)]
    pub kind: EarlierKind,
    /// The story time from its end to the beginning of the next book, such as `十年`; unknown by default.
    #[serde(default)]
    pub gap: String,
}

/// A book before another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierRow {
    /// The project.
    pub project: String,
    /// The title; of a missing book, the title when it was added.
    pub title: String,
    /// A volume of the same series, or a canon.
    pub kind: EarlierKind,
    /// The story time from its end to the beginning of the next book; empty if unknown.
    pub gap: String,
    /// Whether the project is deleted, or not accessible to the caller: nothing is compared with it.
    pub missing: bool,
    /// The characters of the book who are also in this earlier book, by the names of the later book.
    pub shared: Vec<String>,
}

impl Studio {
    /// Returns the books before a project, in order.
    pub async fn series(&self, project: &str) -> Result<Vec<EarlierRow>, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let names = Names::of(&kept.story);
        let mut rows = Vec::new();
        for row in self.earlier_projects(&id).await? {
            let end = self.end_of(&row).await?;
            let shared = end.as_ref().map(|(_, book)| book.shared(&names)).unwrap_or_default();
            let mut shared: Vec<usize> = shared.into_values().collect();
            shared.sort_unstable();
            shared.dedup();
            let shared = shared.into_iter().map(|at| kept.story.characters[at].name.trim().to_owned()).collect();
            let title = end.as_ref().map_or_else(|| row.title.clone(), |(project, _)| project.title.clone());
            let missing = end.is_none();
            rows.push(EarlierRow { project: row.project, title, kind: row.kind, gap: row.gap, missing, shared });
        }
        Ok(rows)
    }

    /// Replaces the books before a project. A missing book that is already in the list may stay.
    ///
    /// Returns [`Error::Unknown`] for a project that does not exist, and [`Error::BadRequest`] for a book that is named
    /// twice, that is the project itself or has it as an earlier book, for more than 50 books, and for a stretch of time of
    /// more than 40 characters or several lines.
    pub async fn set_series(&self, project: &str, books: Vec<EarlierRequest>) -> Result<Vec<EarlierRow>, Error> {
        let id = self.find_project(project).await?.id;
        let bad = |path: String, message: &str| Error::BadRequest { path, message: message.to_owned() };
        if books.len() > MOST {
            return Err(bad("books".into(), &format!("a book has at most {MOST} earlier books")));
        }
        let known = self.earlier_projects(&id).await?;
        let mut earlier: Vec<EarlierProject> = Vec::new();
        for (position, book) in books.into_iter().enumerate() {
            let path = |field: &str| format!("books/{position}/{field}");
            let (given, gap) = (book.project.trim(), book.gap.trim());
            if gap.chars().count() > GAP_LIMIT || gap.chars().any(char::is_control) {
                return Err(bad(path("gap"), &format!("one line of at most {GAP_LIMIT} characters")));
            }
            let kept = known.iter().find(|row| row.project == given).map(|row| row.title.clone());
            let (project, title) = match (self.find_project(given).await, kept) {
                (Ok(Project { id, title, .. }), _) => (id, title),
                (Err(Error::Unknown { what: Noun::Project, .. }), Some(title)) => (given.to_owned(), title),
                (Err(error), _) => return Err(error),
            };
            if earlier.iter().any(|row| row.project == project) {
                return Err(bad(path("project"), "the book is named twice"));
            }
            if project == id || self.comes_after(&project, &id).await? {
                return Err(bad(path("project"), "a book cannot come before itself"));
            }
            earlier.push(EarlierProject { project, title, kind: book.kind, gap: gap.to_owned() });
        }
        let set = self.projects_table().set_earlier(&id, &earlier).await;
        set.map_err(|error| self.place("").store(error))?;
        self.series(&id).await
    }

    /// Returns the ends of the books before a project that are accessible to the caller; in a replay, as recorded.
    pub(crate) async fn earlier_books(&self, project: &str) -> Result<EarlierBooks, Error> {
        if let Some(props) = self.props() {
            return Ok(props.earlier.clone());
        }
        let mut books = Vec::new();
        for row in self.earlier_projects(project).await? {
            books.extend(self.end_of(&row).await?.map(|(_, book)| book));
        }
        Ok(books.into())
    }

    async fn earlier_projects(&self, project: &str) -> Result<Vec<EarlierProject>, Error> {
        self.projects_table().earlier(project).await.map_err(|error| self.place("").store(error))
    }

    /// Returns the project and the end of an earlier book; `None` if the project is deleted, or not accessible.
    async fn end_of(&self, row: &EarlierProject) -> Result<Option<(Project, EarlierBook)>, Error> {
        let bad = |error| self.place("").store(error);
        let project = match self.projects_table().get(&row.project).await {
            Ok(project) if self.scope().sees(&project.id) => project,
            Ok(_) | Err(qingyu_store::Error::UnknownProject { .. }) => return Ok(None),
            Err(error) => return Err(bad(error)),
        };
        let known = self.ends().get(&project.id, project.version);
        let end = match known {
            Some(end) => end,
            None => {
                let kept = self.stories_table().load(&project.id).await.map_err(bad)?;
                let end = earlier_book(&project.title, row.kind, &row.gap, &kept.story);
                self.ends().put(&project.id, kept.version, end.clone());
                end
            }
        };
        // The place beside the later book, and the title, change without a new version.
        let (id, title) = (project.id.clone(), project.title.clone());
        let end = EarlierBook { id, title, kind: row.kind, gap: row.gap.clone(), ..end };
        Ok(Some((project, end)))
    }

    /// Returns whether `earlier` is before `project` in its series, directly or through other books.
    async fn comes_after(&self, project: &str, earlier: &str) -> Result<bool, Error> {
        let (mut open, mut seen) = (vec![project.to_owned()], BTreeSet::new());
        while let Some(project) = open.pop() {
            if project == earlier {
                return Ok(true);
            }
            if seen.insert(project.clone()) {
                match self.projects_table().earlier(&project).await {
                    Ok(rows) => open.extend(rows.into_iter().map(|row| row.project)),
                    Err(qingyu_store::Error::UnknownProject { .. }) => {}
                    Err(error) => return Err(self.place("").store(error)),
                }
            }
        }
        Ok(false)
    }
}
