//! Texts counted and reviewed without any model, books brought in.

use qingyu_story::bounded::at_most;
use qingyu_text::Statistics;

use super::operations;
use crate::{
    Analysed, BookFile, Brought, ContentFiles, ContentForm, ExportRequest, ImportRequest, ReviewOptions, Reviews,
};

operations! {
    /// Counts what can be counted in a project's texts, or in one chapter.
    Read Get "/projects/{project}/analysis"
    AnalyzeProject as "analyze_project" {
        /// The project.
        project: String,
        /// One chapter; all without it.
        #[serde(default)]
        chapter: Option<String>,
    } -> Analysed
        = |studio, it| studio.analyze(&it.project, it.chapter.as_deref()).await;

    /// Reviews a project's texts, or one chapter: sensitive words, copies, rules of a platform.
    Read Post "/projects/{project}/review"
    ReviewProject as "review_project" {
        /// The project.
        project: String,
        /// One chapter; all without it.
        #[serde(default)]
        chapter: Option<String>,
        /// How.
        #[serde(default)]
        options: ReviewOptions,
    } -> Reviews
        = |studio, it| studio.review(&it.project, it.chapter.as_deref(), &it.options).await;

    /// Figures of a project: characters, dialogue, appearances, progress.
    Read Get "/projects/{project}/figures"
    ReadStatistics as "read_statistics" {
        /// The project.
        project: String,
    } -> Statistics
        = |studio, it| studio.statistics(&it.project).await;

    /// Counts what can be counted in a text.
    Read Post "/texts/analysis"
    AnalyzeText as "analyze_text" {
        /// What it is called.
        title: String,
        /// The text.
        text: String,
    } -> Analysed
        = |studio, it| Ok(studio.examiner()?.analyze(&it.title, &it.text));

    /// Reviews a text.
    Read Post "/texts/review"
    ReviewText as "review_text" {
        /// What it is called.
        name: String,
        /// The text.
        text: String,
        /// How.
        #[serde(default)]
        options: ReviewOptions,
    } -> Reviews
        = |studio, it| studio.examiner()?.review(&it.name, &it.text, &it.options);

    /// Brings a manuscript in: as chapters of a book, or as a reference beside it.
    Write Post "/manuscripts"
    ImportManuscript as "import_manuscript" {
        /// The manuscript, and what is to become of it.
        request: ImportRequest,
    } -> Brought
        = |studio, it| studio.import_manuscript(it.request).await;

    /// The chapters of a project as a file. `/book` beside it gives the bytes alone.
    Read Get "/projects/{project}/exports/book"
    ExportBook as "export_book" {
        /// The project.
        project: String,
        /// Which chapters, and as what.
        #[serde(flatten)]
        request: ExportRequest,
    } -> BookFile
        = |studio, it| studio.book_file(&it.project, &it.request).await;

    /// What a production has made, as files. `/content` beside it gives the bytes of one.
    Read Post "/projects/{project}/exports/content"
    ExportContent as "export_content" {
        /// The project.
        project: String,
        /// As what.
        #[serde(default)]
        format: ContentForm,
        /// Only these fields and what is below them; all if none is named.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        paths: Vec<String>,
    } -> ContentFiles
        = |studio, it| studio.content_files(&it.project, &it.format, &it.paths).await;
}
