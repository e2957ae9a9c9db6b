//! Analysis and review of texts without a model, import and export of books.

use qingyu_story::bounded::at_most;
use qingyu_text::Statistics;

use crate::chapters::book::{BookExportRequest, BookFile};
use crate::manuscripts::{ImportRequest, ManuscriptImport};
use crate::operations::operation::operations;
use crate::productions::export::{ContentFiles, ContentForm};
use crate::texts::examiner::{ReviewOptions, ReviewSummary, TextAnalysis};
use crate::texts::progress::WritingProgress;
use crate::texts::teardown::{Teardown, TeardownRequest};

operations! {
    /// Analyses a project's texts, or a single chapter.
    Read Get "/projects/{project}/analysis"
    AnalyzeProject as "analyze_project" {
        /// The project.
        project: String,
        /// A single chapter; all chapters by default.
        #[serde(default)]
        chapter: Option<String>,
    } -> TextAnalysis
        = |studio, it| studio.analyze(&it.project, it.chapter.as_deref()).await;

    /// Reviews a project's texts, or a single chapter: sensitive words, copied passages, rules of a platform.
    Read Post "/projects/{project}/review"
    ReviewProject as "review_project" {
        /// The project.
        project: String,
        /// A single chapter; all chapters by default.
        #[serde(default)]
        chapter: Option<String>,
        /// The options.
        #[serde(default)]
        options: ReviewOptions,
    } -> ReviewSummary
        = |studio, it| studio.review(&it.project, it.chapter.as_deref(), &it.options).await;

    /// Returns statistics of a project: characters, dialogue, appearances, progress.
    Read Get "/projects/{project}/figures"
    ReadStatistics as "read_statistics" {
        /// The project.
        project: String,
    } -> Statistics
        = |studio, it| studio.statistics(&it.project).await;

    /// Returns the goals of a project, the length of its chapters, and the words of each day in the last 53 weeks.
    Read Get "/projects/{project}/progress"
    ReadProgress as "read_progress" {
        /// The project.
        project: String,
        /// The caller's time zone in minutes east of UTC, which decides where days begin; UTC by default.
        #[serde(default)]
        utc_offset: Option<i32>,
    } -> WritingProgress
        = |studio, it| studio.writing_progress(&it.project, it.utc_offset.unwrap_or(0)).await;

    /// Analyses a text.
    Read Post "/texts/analysis"
    AnalyzeText as "analyze_text" {
        /// The title of the text.
        title: String,
        /// The text.
        text: String,
    } -> TextAnalysis
        = |studio, it| studio.analyze_text(&it.title, &it.text);

    /// Reviews a text.
    Read Post "/texts/review"
    ReviewText as "review_text" {
        /// The title of the text.
        name: String,
        /// The text.
        text: String,
        /// The options.
        #[serde(default)]
        options: ReviewOptions,
    } -> ReviewSummary
        = |studio, it| studio.review_text(&it.name, &it.text, &it.options);

    /// Takes a reference apart into its structure (lengths, dialogue, people on stage, openings, ends, turns, tension, arcs,
    /// cadence), without its sentences and without a model. Saves nothing; the genre made from it is saved by
    /// `save_genre`.
    Write Post "/texts/structure"
    TearDown as "tear_down" {
        /// The reference and how it is read.
        request: TeardownRequest,
    } -> Teardown
        = |studio, it| studio.tear_down(it.request).await;

    /// Imports a manuscript: as chapters of a book, or as a reference.
    Write Post "/manuscripts"
    ImportManuscript as "import_manuscript" {
        /// The manuscript and the options of the import.
        request: ImportRequest,
    } -> ManuscriptImport
        = |studio, it| studio.import_manuscript(it.request).await;

    /// Exports the chapters of a project as a file. The sibling route `/book` returns the bytes alone.
    Read Get "/projects/{project}/exports/book"
    ExportBook as "export_book" {
        /// The project.
        project: String,
        /// The chapters and the format.
        #[serde(flatten)]
        request: BookExportRequest,
    } -> BookFile
        = |studio, it| studio.book_file(&it.project, &it.request).await;

    /// Exports the content of a production as files. The sibling route `/content` returns the bytes of a file.
    Read Post "/projects/{project}/exports/content"
    ExportContent as "export_content" {
        /// The project.
        project: String,
        /// The format.
        #[serde(default)]
        format: ContentForm,
        /// Restricts to fields and their descendants; all fields by default.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        paths: Vec<String>,
        /// Whether content goes out that is open, stale, too short or uncited; it is refused by default.
        #[serde(default)]
        draft: bool,
    } -> ContentFiles
        = |studio, it| studio.content_files(&it.project, &it.format, &it.paths, it.draft).await;
}
