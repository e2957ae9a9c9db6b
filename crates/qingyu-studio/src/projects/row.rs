//! A project in a list.

use jiff::Timestamp;
use qingyu_store::{Project, ProjectStatus};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A project in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectRow {
    /// The ID.
    pub project: String,
    /// The title.
    pub title: String,
    /// The language of the work.
    pub language: Language,
    /// The original premise.
    pub premise: String,
    /// The time of creation.
    pub created: Timestamp,
    /// The time of the last change.
    pub updated: Timestamp,
    /// The version, increasing with each change.
    pub version: u64,
    /// The parent project, for a branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_of: Option<String>,
    /// The branch name, for a branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The location: shelf, archive or bin.
    #[serde(default)]
    pub status: ProjectStatus,
    /// Whether the title is a placeholder.
    #[serde(default)]
    pub untitled: bool,
    /// Whether the project has a cover picture.
    #[serde(default)]
    pub has_cover: bool,
    /// The number of chapters with a current text unread by any model; `None` if not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<u32>,
}

/// Returns the project as in lists, without a count of unread chapters.
pub(crate) fn project_row(project: Project) -> ProjectRow {
    let Project {
        id, title, language, premise, created, updated, version, branch, status, untitled, has_cover, ..
    } = project;
    let (branch_of, branch) = branch.map(|branch| (branch.of, branch.name)).unzip();
    ProjectRow {
        project: id,
        title,
        language,
        premise,
        created,
        updated,
        version,
        branch_of,
        branch,
        status,
        untitled,
        has_cover,
        unread: None,
    }
}
