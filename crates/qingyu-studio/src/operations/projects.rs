//! Projects, their past, their branches and versions.

use qingyu_story::{Language, Story};
use qingyu_tools::workspace::NewProject;

use super::operations;
use crate::{
    BranchComparison, BranchRow, ChangeRow, CoverPicture, Differences, Error, Guide, Imported, Merged, ProjectRow,
    ProjectStatus, ProjectView, Restored, Side, StoryFile,
};

operations! {
    /// The projects, newest first: those on the shelf, or those in the archive or the bin.
    Read Get "/projects"
    ListProjects as "list_projects" {
        /// Where they are kept; on the shelf without it.
        #[serde(default)]
        status: ProjectStatus,
    } -> Vec<ProjectRow>
        = |studio, it| studio.projects_of(it.status).await;

    /// Gives a project another title, or puts it on the shelf, into the archive or into the bin. What is in the bin can be read
    /// and taken back; nothing is written to it.
    Write Patch "/projects/{project}"
    UpdateProject as "update_project" {
        /// The project.
        project: String,
        /// The new title.
        #[serde(default)]
        title: Option<String>,
        /// Where it is kept from now on.
        #[serde(default)]
        status: Option<ProjectStatus>,
    } -> ProjectRow
        = |studio, it| studio.update_project(&it.project, it.title.as_deref(), it.status).await;

    /// Deletes a project that is in the bin, with its branches, its past and its runs. There is no way back.
    Write Delete "/projects/{project}"
    DeleteProject as "delete_project" {
        /// The project.
        project: String,
    } -> ProjectRow
        = |studio, it| studio.delete_project(&it.project).await;

    /// The picture on the cover of a project.
    Read Get "/projects/{project}/cover"
    ReadCover as "read_cover" {
        /// The project.
        project: String,
    } -> CoverPicture
        = |studio, it| studio.cover(&it.project).await;

    /// Puts a picture on the cover of a project, or takes it away.
    Write Put "/projects/{project}/cover"
    SetCover as "set_cover" {
        /// The project.
        project: String,
        /// The picture, PNG, JPEG or WebP of at most 2 MB, in base64; an empty one takes away what is there.
        #[serde(default, with = "crate::encoded")]
        #[schemars(with = "String", extend("contentEncoding" = "base64"))]
        picture: Vec<u8>,
    } -> CoverPicture
        = |studio, it| studio.set_cover(&it.project, it.picture).await;

    /// How far a new author is: the model, the direction of a book, its material, its first chapter; and what comes next.
    Read Get "/guide"
    ReadGuide as "read_guide" {} -> Guide
        = |studio, _it| studio.guide().await;

    /// Begins a project without any piece.
    Write Post "/projects"
    BeginProject as "begin_project" {
        /// The title; made from the premise without it.
        #[serde(default)]
        title: Option<String>,
        /// The author's words for what the book is about. Either these or a title are needed.
        #[serde(default)]
        premise: String,
        /// The language of the book; that of its premise or title without it.
        #[serde(default)]
        language: Option<Language>,
    } -> ProjectRow
        = |studio, it| {
            let word = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            let (title, premise) = (it.title.and_then(word), word(it.premise).unwrap_or_default());
            let said = title.as_deref().filter(|_| premise.is_empty()).unwrap_or(&premise);
            if said.is_empty() {
                return Err(Error::BadRequest { path: "premise".into(), message: "a premise or a title is needed".into() });
            }
            let language = it.language.unwrap_or_else(|| Language::of(said));
            studio.begin_project(NewProject { title, language, premise }).await
        };

    /// Puts the sample book of a language on the shelf: a short novel with all that it was made with.
    Write Post "/samples"
    BeginSample as "begin_sample" {
        /// The language.
        #[serde(default)]
        language: Language,
    } -> ProjectRow
        = |studio, it| studio.begin_sample(it.language).await;

    /// The project that is named by its id, the beginning of it, or one of its runs.
    Read Get "/projects/{project}/summary"
    FindProject as "find_project" {
        /// The project.
        project: String,
    } -> ProjectRow
        = |studio, it| studio.project(&it.project).await;

    /// Everything about a project: its story, its runs, what it cost, who made each piece.
    Read Get "/projects/{project}/view"
    ShowProject as "show_project" {
        /// The project.
        project: String,
    } -> ProjectView
        = |studio, it| studio.show(&it.project).await;

    /// The story of a project as it was after a change, or as it is.
    Read Get "/projects/{project}/story"
    ReadStory as "read_story" {
        /// The project.
        project: String,
        /// The change; the newest without it.
        #[serde(default)]
        change: Option<u64>,
    } -> Story
        = |studio, it| studio.story_at(&it.project, it.change).await;

    /// Makes a project of a story.
    Write Post "/stories"
    ImportStory as "import_story" {
        /// The story, and the fields of its file that stories do not have.
        file: StoryFile,
        /// The title of the project; made from the premise without it.
        #[serde(default)]
        title: Option<String>,
    } -> Imported
        = |studio, it| studio.import(it.file, it.title).await;

    /// What was done to a project's story, oldest first.
    Read Get "/projects/{project}/changes"
    ListChanges as "list_changes" {
        /// The project.
        project: String,
    } -> Vec<ChangeRow>
        = |studio, it| studio.changes(&it.project).await;

    /// Takes a change back, as a change of its own.
    Write Post "/projects/{project}/changes/undo"
    UndoChange as "undo_change" {
        /// The project.
        project: String,
        /// The change; the newest without it.
        #[serde(default)]
        change: Option<u64>,
    } -> ChangeRow
        = |studio, it| studio.undo(&it.project, it.change).await;

    /// The branches of a project.
    Read Get "/projects/{project}/branches"
    ListBranches as "list_branches" {
        /// The project.
        project: String,
    } -> Vec<BranchRow>
        = |studio, it| studio.branches(&it.project).await;

    /// Begins a branch of a project, at a change or as it is.
    Write Post "/projects/{project}/branches"
    BeginBranch as "begin_branch" {
        /// The project.
        project: String,
        /// What the branch is called.
        name: String,
        /// The change it begins after; the newest without it.
        #[serde(default)]
        at: Option<u64>,
    } -> BranchRow
        = |studio, it| studio.begin_branch(&it.project, &it.name, it.at).await;

    /// Deletes a branch with all that was done on it.
    Write Delete "/projects/{project}/branches/{name}"
    DeleteBranch as "delete_branch" {
        /// The project.
        project: String,
        /// The branch.
        name: String,
    } -> BranchRow
        = |studio, it| studio.delete_branch(&it.project, &it.name).await;

    /// What a branch and its project have that the other has not.
    Read Get "/projects/{project}/branches/{name}/comparison"
    CompareBranch as "compare_branch" {
        /// The project.
        project: String,
        /// The branch.
        name: String,
    } -> BranchComparison
        = |studio, it| studio.compare_branch(&it.project, &it.name).await;

    /// Takes what was done on a branch into its project.
    Write Post "/projects/{project}/branches/{name}/merge"
    MergeBranch as "merge_branch" {
        /// The project.
        project: String,
        /// The branch.
        name: String,
        /// Which side is right where both have changed the same; a conflict without it.
        #[serde(default)]
        right: Option<Side>,
    } -> Merged
        = |studio, it| studio.merge_branch(&it.project, &it.name, it.right).await;

    /// Compares the texts of a project, or one of them, at two points of its past.
    Read Get "/projects/{project}/comparison"
    CompareTexts as "compare_texts" {
        /// The project.
        project: String,
        /// One document; all without it.
        #[serde(default)]
        document: Option<String>,
        /// The change or version it is compared from; the one before the newest without it.
        #[serde(default)]
        from: Option<u64>,
        /// And to; the newest without it.
        #[serde(default)]
        to: Option<u64>,
    } -> Differences
        = |studio, it| studio.compare(&it.project, it.document.as_deref(), it.from, it.to).await;

    /// Puts a version of a document back, as a new version.
    Write Post "/projects/{project}/documents/{document}/restore"
    RestoreVersion as "restore_version" {
        /// The project.
        project: String,
        /// The document.
        document: String,
        /// The version.
        version: u32,
    } -> Restored
        = |studio, it| studio.restore(&it.project, &it.document, it.version).await;
}
