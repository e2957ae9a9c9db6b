//! Projects, their history, branches and versions.

use qingyu_store::ProjectStatus;
use qingyu_story::{Language, Story};
use qingyu_tools::workspace::ProjectSeed;

use crate::chapters::versions::{RestoredVersion, VersionComparison};
use crate::error::Error;
use crate::operations::operation::operations;
use crate::projects::branches::{BranchComparison, BranchMerge, BranchRow, MergeSide};
use crate::projects::guide::Guide;
use crate::projects::pictures::{CardPicture, CoverPicture, PictureRow};
use crate::projects::row::ProjectRow;
use crate::projects::view::ProjectView;
use crate::stories::changes::ChangeRow;
use crate::stories::import::{StoryFile, StoryImport};

operations! {
    /// Returns the projects on the shelf, in the archive or in the bin, newest first.
    Read Get "/projects"
    ListProjects as "list_projects" {
        /// The location; the shelf by default.
        #[serde(default)]
        status: ProjectStatus,
    } -> Vec<ProjectRow>
        = |studio, it| studio.projects_of(it.status).await;

    /// Changes the title of a project, or moves the project to the shelf, the archive or the bin. A project in the bin
    /// is read-only and can be moved back.
    Write Patch "/projects/{project}"
    UpdateProject as "update_project" {
        /// The project.
        project: String,
        /// The new title.
        #[serde(default)]
        title: Option<String>,
        /// The new location.
        #[serde(default)]
        status: Option<ProjectStatus>,
    } -> ProjectRow
        = |studio, it| studio.update_project(&it.project, it.title.as_deref(), it.status).await;

    /// Deletes a project in the bin, irreversibly, with its branches, history and runs.
    Write Delete "/projects/{project}"
    DeleteProject as "delete_project" {
        /// The project.
        project: String,
    } -> ProjectRow
        = |studio, it| studio.delete_project(&it.project).await;

    /// Returns the cover picture of a project.
    Read Get "/projects/{project}/cover"
    ReadCover as "read_cover" {
        /// The project.
        project: String,
    } -> CoverPicture
        = |studio, it| studio.cover(&it.project).await;

    /// Sets or removes the cover picture of a project.
    Write Put "/projects/{project}/cover"
    SetCover as "set_cover" {
        /// The project.
        project: String,
        /// The picture in base64: PNG, JPEG or WebP of at most 2 MB; an empty picture removes the cover.
        #[serde(default, with = "crate::encoded")]
        #[schemars(with = "String", extend("contentEncoding" = "base64"))]
        picture: Vec<u8>,
    } -> CoverPicture
        = |studio, it| studio.set_cover(&it.project, it.picture).await;

    /// Returns the pictures of a project's cards, without their content.
    Read Get "/projects/{project}/pictures"
    ListPictures as "list_pictures" {
        /// The project.
        project: String,
    } -> Vec<PictureRow>
        = |studio, it| studio.pictures(&it.project).await;

    /// Returns the picture of a card: of a character, a place, an item or an organisation.
    Read Get "/projects/{project}/pictures/{card}"
    ReadPicture as "read_picture" {
        /// The project.
        project: String,
        /// The card, by ID or name.
        card: String,
    } -> CardPicture
        = |studio, it| studio.card_picture(&it.project, &it.card).await;

    /// Sets, describes or removes the picture of a card. What is not given stays as it is.
    Write Put "/projects/{project}/pictures/{card}"
    SetPicture as "set_picture" {
        /// The project.
        project: String,
        /// The card, by ID or name.
        card: String,
        /// The picture in base64: PNG, JPEG or WebP of at most 2 MB; without one the present picture stays.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::encoded::optional")]
        #[schemars(with = "Option<String>", extend("contentEncoding" = "base64"))]
        picture: Option<Vec<u8>>,
        /// The description for readers who do not see the picture, of at most 500 characters; without one the present
        /// description stays.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alt: Option<String>,
        /// Whether the picture is removed, with its description.
        #[serde(default)]
        remove: bool,
    } -> CardPicture
        = |studio, it| {
            studio.change_card_picture(&it.project, &it.card, it.picture, it.alt.as_deref(), it.remove).await
        };

    /// Returns the progress of a new author (model, direction of a book, material, first chapter) and the next step.
    Read Get "/guide"
    ReadGuide as "read_guide" {} -> Guide
        = |studio, _it| studio.guide().await;

    /// Creates an empty project.
    Write Post "/projects"
    BeginProject as "begin_project" {
        /// The title; derived from the premise by default.
        #[serde(default)]
        title: Option<String>,
        /// The author's description of the book. Either a premise or a title is required.
        #[serde(default)]
        premise: String,
        /// The language of the book; detected from the premise or title by default.
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
            studio.begin_project(ProjectSeed { title, language, premise }).await
        };

    /// Creates the sample book of a language: a short novel with all its material.
    Write Post "/samples"
    BeginSample as "begin_sample" {
        /// The language.
        #[serde(default)]
        language: Language,
    } -> ProjectRow
        = |studio, it| studio.begin_sample(it.language).await;

    /// Returns the project named by its ID, a prefix of the ID, or one of its runs.
    Read Get "/projects/{project}/summary"
    FindProject as "find_project" {
        /// The project.
        project: String,
    } -> ProjectRow
        = |studio, it| studio.project(&it.project).await;

    /// Returns the full view of a project: its story, runs, cost, and the origin of each piece.
    Read Get "/projects/{project}/view"
    ShowProject as "show_project" {
        /// The project.
        project: String,
    } -> ProjectView
        = |studio, it| studio.show(&it.project).await;

    /// Returns the current story of a project, or the story after a given change.
    Read Get "/projects/{project}/story"
    ReadStory as "read_story" {
        /// The project.
        project: String,
        /// The number of the change; the newest by default.
        #[serde(default)]
        change: Option<u64>,
    } -> Story
        = |studio, it| studio.story_at(&it.project, it.change).await;

    /// Creates a project from a story.
    Write Post "/stories"
    ImportStory as "import_story" {
        /// The story, and the unknown fields of its file.
        file: StoryFile,
        /// The title of the project; derived from the premise by default.
        #[serde(default)]
        title: Option<String>,
    } -> StoryImport
        = |studio, it| studio.import(it.file, it.title).await;

    /// Returns the changes of a project's story, oldest first.
    Read Get "/projects/{project}/changes"
    ListChanges as "list_changes" {
        /// The project.
        project: String,
    } -> Vec<ChangeRow>
        = |studio, it| studio.changes(&it.project).await;

    /// Undoes a change, by a new change.
    Write Post "/projects/{project}/changes/undo"
    UndoChange as "undo_change" {
        /// The project.
        project: String,
        /// The number of the change; the newest by default.
        #[serde(default)]
        change: Option<u64>,
    } -> ChangeRow
        = |studio, it| studio.undo(&it.project, it.change).await;

    /// Returns the branches of a project.
    Read Get "/projects/{project}/branches"
    ListBranches as "list_branches" {
        /// The project.
        project: String,
    } -> Vec<BranchRow>
        = |studio, it| studio.branches(&it.project).await;

    /// Creates a branch of a project, from the current state or after a given change.
    Write Post "/projects/{project}/branches"
    BeginBranch as "begin_branch" {
        /// The project.
        project: String,
        /// The name of the branch.
        name: String,
        /// The last change included in the branch; the newest by default.
        #[serde(default)]
        at: Option<u64>,
    } -> BranchRow
        = |studio, it| studio.begin_branch(&it.project, &it.name, it.at).await;

    /// Deletes a branch with all its changes.
    Write Delete "/projects/{project}/branches/{name}"
    DeleteBranch as "delete_branch" {
        /// The project.
        project: String,
        /// The branch.
        name: String,
    } -> BranchRow
        = |studio, it| studio.delete_branch(&it.project, &it.name).await;

    /// Returns the differences between a branch and its project.
    Read Get "/projects/{project}/branches/{name}/comparison"
    CompareBranch as "compare_branch" {
        /// The project.
        project: String,
        /// The branch.
        name: String,
    } -> BranchComparison
        = |studio, it| studio.compare_branch(&it.project, &it.name).await;

    /// Merges the changes of a branch into its project.
    Write Post "/projects/{project}/branches/{name}/merge"
    MergeBranch as "merge_branch" {
        /// The project.
        project: String,
        /// The branch.
        name: String,
        /// The winning side of conflicts; an error for any conflict by default.
        #[serde(default)]
        right: Option<MergeSide>,
    } -> BranchMerge
        = |studio, it| studio.merge_branch(&it.project, &it.name, it.right).await;

    /// Compares the texts of a project, or a single text, at two versions.
    Read Get "/projects/{project}/comparison"
    CompareTexts as "compare_texts" {
        /// The project.
        project: String,
        /// A single document; all documents by default.
        #[serde(default)]
        document: Option<String>,
        /// The older change or version; by default the version before `to`.
        #[serde(default)]
        from: Option<u64>,
        /// The newer change or version; the newest by default.
        #[serde(default)]
        to: Option<u64>,
    } -> VersionComparison
        = |studio, it| studio.compare(&it.project, it.document.as_deref(), it.from, it.to).await;

    /// Restores a version of a document, as a new version.
    Write Post "/projects/{project}/documents/{document}/restore"
    RestoreVersion as "restore_version" {
        /// The project.
        project: String,
        /// The document.
        document: String,
        /// The version to restore.
        version: u32,
    } -> RestoredVersion
        = |studio, it| studio.restore(&it.project, &it.document, it.version).await;
}
