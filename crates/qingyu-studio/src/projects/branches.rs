//! Branches of a project: creation, comparison, merging, deletion.

use jiff::Timestamp;
use qingyu_store::{ProjectBranch, StoredChange, StoredKind, StoredStory, StorySave, ThreeWayMerge, branches};
use qingyu_story::{ChangeKey, PieceKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chapters::versions::{TextDifference, differences};
use crate::error::Error;
use crate::projects::row::{ProjectRow, project_row};
use crate::stories::saved::by_hand;
use crate::studio::Studio;

/// A branch in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchRow {
    /// The name of the branch.
    pub name: String,
    /// The project holding the branch.
    #[serde(flatten)]
    pub project: ProjectRow,
    /// The last change in the branch's log known to both sides: the base of comparison and merge.
    pub base: u64,
}

/// A comparison of a branch with its project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchComparison {
    /// The branch.
    pub branch: BranchRow,
    /// The pieces changed on either side.
    pub pieces: Vec<BranchPiece>,
    /// The text differences from the project to the branch.
    pub texts: Vec<TextDifference>,
}

/// A piece changed in the project or the branch since their common base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BranchPiece {
    /// The kind of the piece.
    pub kind: String,
    /// The ID of the piece.
    pub id: String,
    /// The name or title.
    pub name: String,
    /// The change in the project.
    pub project: SideChange,
    /// The change in the branch.
    pub branch: SideChange,
    /// Whether the two changes conflict.
    pub conflict: bool,
}

/// The change of a piece on one side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideChange {
    /// Unchanged.
    Same,
    /// Added.
    Added,
    /// Changed.
    Changed,
    /// Removed.
    Removed,
}

/// The side winning a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MergeSide {
    /// The project.
    Project,
    /// The branch.
    Branch,
}

/// The result of a merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchMerge {
    /// The number of the merge's change in the project; `None` if nothing changed.
    pub change: Option<u64>,
    /// The pieces taken from the branch.
    pub taken: Vec<BranchPiece>,
    /// The pieces with a resolved conflict.
    pub settled: Vec<BranchPiece>,
}

impl Studio {
    /// Creates a branch of a project in its current state, or after a given change.
    ///
    /// Returns [`Error::BadBranch`] if the name is invalid or a duplicate.
    pub(crate) async fn begin_branch(&self, project: &str, name: &str, at: Option<u64>) -> Result<BranchRow, Error> {
        const LONGEST: usize = 60;
        let id = self.find_project(project).await?.id;
        let name = name.trim();
        let unfit = name.is_empty() || name.chars().count() > LONGEST || name.chars().any(char::is_control);
        if unfit {
            return Err(Error::BadBranch { project: id, name: name.into(), reason: "unfit".into() });
        }
        let made = self.stories_table().branch(&id, name, at, Timestamp::now()).await;
        branch_row(made.map_err(|error| self.place("").store(error))?)
    }

    /// Returns the branches of a project, sorted by name.
    pub async fn branches(&self, project: &str) -> Result<Vec<BranchRow>, Error> {
        let id = self.find_project(project).await?.id;
        let all = self.projects_table().branches(&id).await.map_err(|error| self.place("").store(error))?;
        all.into_iter().map(branch_row).collect()
    }

    /// Deletes a branch with its log, irreversibly.
    pub(crate) async fn delete_branch(&self, project: &str, name: &str) -> Result<BranchRow, Error> {
        let (id, branch) = self.branch_of(project, name).await?;
        self.stories_table().forget_branch(&id, &branch.name).await.map_err(|error| self.place("").store(error))?;
        Ok(branch)
    }

    /// Compares a branch with its project, piece by piece.
    pub(crate) async fn compare_branch(&self, project: &str, name: &str) -> Result<BranchComparison, Error> {
        let (id, branch) = self.branch_of(project, name).await?;
        let (ours, theirs, pieces) = self.threefold(&id, &branch).await?;
        let texts = differences(&ours.story, &theirs.story, ours.version, theirs.version);
        Ok(BranchComparison { branch, pieces: pieces.iter().map(branch_piece).collect(), texts })
    }

    /// Merges the changes of a branch into its project, in a single change; undo reverts the merge. Cards without a picture
    /// get that of the branch, which undo leaves.
    ///
    /// Returns [`Error::BranchConflict`] if both sides changed the same pieces differently, unless `right` names the
    /// winning side; [`Error::Conflict`] if either side changes concurrently.
    pub(crate) async fn merge_branch(
        &self,
        project: &str,
        name: &str,
        right: Option<MergeSide>,
    ) -> Result<BranchMerge, Error> {
        let (id, branch) = self.branch_of(project, name).await?;
        let (ours, theirs, pieces) = self.threefold(&id, &branch).await?;
        let (conflicts, others): (Vec<_>, Vec<_>) = pieces.iter().partition(|piece| piece.is_conflict());
        if !conflicts.is_empty() && right.is_none() {
            let named = conflicts.iter().map(|piece| format!("{} ({})", piece.name(), piece.id)).collect();
            return Err(Error::BranchConflict { branch: branch.name, pieces: named });
        }
        let wanted = others.into_iter().filter(|piece| piece.in_branch());
        let given = conflicts.iter().copied().filter(|_| right == Some(MergeSide::Branch));
        let (mut changes, mut taken) = (Vec::new(), Vec::new());
        for piece in wanted.chain(given) {
            if let Some(change) = piece.take_branch() {
                changes.push(above(change, piece));
                taken.push(branch_piece(piece));
            }
        }
        let iteration = u32::try_from(ours.version).unwrap_or(u32::MAX);
        let key = ChangeKey {
            run: "merge".into(),
            step: format!("{} {}", branch.project.project, theirs.version),
            iteration,
        };
        let save = StorySave { project: id, key, provenance: by_hand(), expected: Some(ours.version), changes };
        let saved = self.stories_table().merge(&branch.project.project, theirs.version, save, Timestamp::now()).await;
        let saved = saved.map_err(|error| self.place("").store(error))?;
        Ok(BranchMerge {
            change: saved.map(|saved| saved.version),
            taken,
            settled: conflicts.into_iter().map(branch_piece).collect(),
        })
    }

    /// Returns the project's full ID and its branch with the given name.
    async fn branch_of(&self, project: &str, name: &str) -> Result<(String, BranchRow), Error> {
        let id = self.find_project(project).await?.id;
        let found = self.branches(&id).await?.into_iter().find(|branch| branch.name == name.trim());
        let unknown = || Error::UnknownBranch { project: id.clone(), given: name.to_owned() };
        let found = found.ok_or_else(unknown)?;
        Ok((id, found))
    }

    /// Loads both sides and their changes since the common base.
    async fn threefold(
        &self,
        project: &str,
        branch: &BranchRow,
    ) -> Result<(StoredStory, StoredStory, Vec<ThreeWayMerge>), Error> {
        let bad = |error| self.place("").store(error);
        let stories = self.stories_table();
        let base = stories.at(&branch.project.project, branch.base).await.map_err(bad)?;
        let theirs = stories.load(&branch.project.project).await.map_err(bad)?;
        let ours = stories.load(project).await.map_err(bad)?;
        let pieces = branches::compare(&base.story, &ours.story, &theirs.story);
        Ok((ours, theirs, pieces))
    }
}

/// Renumbers a text taken from the branch as the next version of the project's text.
fn above(change: StoredChange, piece: &ThreeWayMerge) -> StoredChange {
    let StoredChange::Put(mut put) = change else { return change };
    let version = |side: &Option<qingyu_store::StoredPiece>| side.as_ref()?.body.get("version")?.as_u64();
    if piece.kind == StoredKind::Piece(PieceKind::Document)
        && let Some(ours) = version(&piece.project)
        && version(&piece.branch).is_none_or(|theirs| theirs <= ours)
    {
        put.body["version"] = (ours + 1).into();
    }
    StoredChange::Put(put)
}

fn branch_row(project: qingyu_store::Project) -> Result<BranchRow, Error> {
    let Some(ProjectBranch { name, base, .. }) = project.branch.clone() else {
        return Err(Error::Internal { message: format!("{} is no branch", project.id) });
    };
    Ok(BranchRow { name, base, project: project_row(project) })
}

fn branch_piece(piece: &ThreeWayMerge) -> BranchPiece {
    let fate = |changed: bool, now: bool| match (changed, piece.base.is_some(), now) {
        (false, ..) => SideChange::Same,
        (true, false, _) => SideChange::Added,
        (true, true, true) => SideChange::Changed,
        (true, true, false) => SideChange::Removed,
    };
    BranchPiece {
        kind: piece.kind.name().into(),
        id: piece.id.clone(),
        name: piece.name(),
        project: fate(piece.in_project(), piece.project.is_some()),
        branch: fate(piece.in_branch(), piece.branch.is_some()),
        conflict: piece.is_conflict(),
    }
}
