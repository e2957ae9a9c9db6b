//! The books before a book in its series, and its canon.

use qingyu_store::{EarlierProject, Project};
use qingyu_story::digest::fnv;
use qingyu_story::rules::earlier_book;
use qingyu_story::{EarlierBook, EarlierBooks, EarlierKind, Names};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Noun};
use crate::studio::Studio;

/// Maximum number of books before a book.
const MAX_BOOKS: usize = 50;
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
    /// The project; of a book not accessible to the caller, a name that says nothing of it, which `set_series` takes.
    pub project: String,
    /// The title; of a deleted book, the title when it was added; empty for a book not accessible to the caller.
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
            let missing = end.is_none();
            let (project, title) = match end {
                Some((project, _)) => (row.project, project.title),
                None if self.scope().sees(&row.project) => (row.project, row.title),
                None => (closed_name(&row.project), String::new()),
            };
            rows.push(EarlierRow { project, title, kind: row.kind, gap: row.gap, missing, shared });
        }
        Ok(rows)
    }

    /// Replaces the books before a project. A missing book that is already in the list may stay.
    ///
    /// Returns [`Error::Unknown`] for a project that does not exist, [`Error::BadRequest`] for a book that is named twice, for
    /// more than 50 books, and for a stretch of time of more than 40 characters or several lines, [`Error::SeriesCircle`] for
    /// a book that is the project itself or has it as an earlier book, and [`Error::Conflict`] if the books are not
    /// `expected`, as named by [`series`](Self::series), or change meanwhile.
    pub(crate) async fn set_series(
        &self,
        project: &str,
        books: Vec<EarlierRequest>,
        expected: Option<&[String]>,
    ) -> Result<Vec<EarlierRow>, Error> {
        let id = self.find_project(project).await?.id;
        let bad = |path: String, message: &str| Error::BadRequest { path, message: message.to_owned() };
        if books.len() > MAX_BOOKS {
            return Err(bad("books".into(), &format!("a book has at most {MAX_BOOKS} earlier books")));
        }
        let known = self.earlier_projects(&id).await?;
        let is_known = |expected: &[String]| {
            let names = known.iter().map(|row| self.shown_name(row));
            names.eq(expected.iter().cloned())
        };
        if expected.is_some_and(|expected| !is_known(expected)) {
            return Err(Error::Conflict { project: id });
        }
        let mut earlier: Vec<EarlierProject> = Vec::new();
        for (position, book) in books.into_iter().enumerate() {
            let path = |field: &str| format!("books/{position}/{field}");
            let (given, gap) = (book.project.trim(), book.gap.trim());
            if gap.chars().count() > GAP_LIMIT || gap.chars().any(char::is_control) {
                return Err(bad(path("gap"), &format!("one line of at most {GAP_LIMIT} characters")));
            }
            let is_named = |row: &&EarlierProject| row.project == given || closed_name(&row.project) == given;
            let kept = known.iter().find(is_named).map(|row| (row.project.clone(), row.title.clone()));
            let (project, title) = match (self.find_project(given).await, kept) {
                (Ok(Project { id, title, .. }), _) => (id, title),
                (Err(Error::Unknown { what: Noun::Project, .. }), Some(kept)) => kept,
                (Err(error), _) => return Err(error),
            };
            if earlier.iter().any(|row| row.project == project) {
                return Err(bad(path("project"), "the book is named twice"));
            }
            earlier.push(EarlierProject { project, title, kind: book.kind, gap: gap.to_owned() });
        }
        let set = self.projects_table().set_earlier(&id, &earlier, &known).await;
        set.map_err(|error| self.place("").store(error))?;
        self.series(&id).await
    }

    /// Returns the ends of the books before a project that are accessible to the caller, and their projects; in a replay,
    /// the ends as recorded, and no projects.
    pub(crate) async fn earlier_books(&self, project: &str) -> Result<(EarlierBooks, Vec<String>), Error> {
        if let Some(props) = self.props() {
            return Ok((props.earlier.clone(), Vec::new()));
        }
        let (mut books, mut projects) = (Vec::new(), Vec::new());
        for row in self.earlier_projects(project).await? {
            if let Some((project, book)) = self.end_of(&row).await? {
                books.push(book);
                projects.push(project.id);
            }
        }
        Ok((books.into(), projects))
    }

    /// Returns the books before a project that the caller may read, in order, each with whether it ends before the project
    /// begins.
    pub(crate) async fn readable_books(&self, project: &str) -> Result<Vec<(Project, bool)>, Error> {
        let mut books = Vec::new();
        for row in self.earlier_projects(project).await? {
            if let Some(project) = self.readable(&row).await? {
                books.push((project, row.kind.is_past(&row.gap)));
            }
        }
        Ok(books)
    }

    async fn earlier_projects(&self, project: &str) -> Result<Vec<EarlierProject>, Error> {
        self.projects_table().earlier(project).await.map_err(|error| self.place("").store(error))
    }

    /// Returns the name of an earlier book for the caller. An ID begins with words of the title.
    fn shown_name(&self, row: &EarlierProject) -> String {
        if self.scope().sees(&row.project) { row.project.clone() } else { closed_name(&row.project) }
    }

    /// Returns the project of an earlier book; `None` if it is deleted, or not accessible.
    async fn readable(&self, row: &EarlierProject) -> Result<Option<Project>, Error> {
        match self.projects_table().get(&row.project).await {
            Ok(project) => Ok(self.scope().sees(&project.id).then_some(project)),
            Err(qingyu_store::Error::UnknownProject { .. }) => Ok(None),
            Err(error) => Err(self.place("").store(error)),
        }
    }

    /// Returns the project and the end of an earlier book; `None` if the project is deleted, or not accessible.
    async fn end_of(&self, row: &EarlierProject) -> Result<Option<(Project, EarlierBook)>, Error> {
        let bad = |error| self.place("").store(error);
        let Some(project) = self.readable(row).await? else { return Ok(None) };
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
}

/// Returns the name of a book for a caller who may not see it.
fn closed_name(project: &str) -> String {
    format!("closed-{:016x}", fnv(project.bytes()))
}
