//! A story told in two ways: branches of a project begun, compared, merged, taken away.

use jiff::Timestamp;
use qingyu_store::{Change, ChangeKey, KeptStory, Kind, Provenance, Save, Threefold, branches};
use qingyu_story::PieceKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stories::PERSON;
use crate::studio::project_row;
use crate::versions::differences;
use crate::{Error, ProjectRow, Studio, TextDifference};

/// A branch in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchRow {
    /// What it is called.
    pub name: String,
    /// The branch as a project of its own.
    #[serde(flatten)]
    pub project: ProjectRow,
    /// The change of its log up to which both sides know of each other.
    pub base: u64,
}

/// A branch and its project, side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchComparison {
    /// The branch.
    pub branch: BranchRow,
    /// The pieces that either side has changed.
    pub pieces: Vec<BranchPiece>,
    /// What is different in texts, from the project to the branch.
    pub texts: Vec<TextDifference>,
}

/// A piece that the project or the branch has changed since they parted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BranchPiece {
    /// What kind.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Its name or title.
    pub name: String,
    /// What the project has done to it.
    pub project: Fate,
    /// What the branch has done to it.
    pub branch: Fate,
    /// Whether the two do not agree.
    pub conflict: bool,
}

/// What a side has done to a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// Nothing.
    Same,
    /// It is new there.
    Added,
    /// It is another one there.
    Changed,
    /// It is gone there.
    Removed,
}

/// Which side is right where both have changed the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The project.
    Project,
    /// The branch.
    Branch,
}

/// A merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Merged {
    /// The change in the project that holds all of it; none if there was nothing to do.
    pub change: Option<u64>,
    /// The pieces that the project has from the branch now.
    pub taken: Vec<BranchPiece>,
    /// The pieces on which the two did not agree.
    pub settled: Vec<BranchPiece>,
}

impl Studio {
    /// Begins a branch of a project as it is, or as it was after a change.
    ///
    /// Fails with [`Error::BadBranch`] if it has one of that name, or the name is none.
    pub async fn begin_branch(&self, project: &str, name: &str, at: Option<u64>) -> Result<BranchRow, Error> {
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

    /// The branches of a project, by name.
    pub async fn branches(&self, project: &str) -> Result<Vec<BranchRow>, Error> {
        let id = self.find_project(project).await?.id;
        let all = self.projects_table().branches(&id).await.map_err(|error| self.place("").store(error))?;
        all.into_iter().map(branch_row).collect()
    }

    /// Takes a branch away, with its log. There is no way back.
    pub async fn delete_branch(&self, project: &str, name: &str) -> Result<BranchRow, Error> {
        let (id, branch) = self.branch_of(project, name).await?;
        self.stories_table().forget_branch(&id, &branch.name).await.map_err(|error| self.place("").store(error))?;
        Ok(branch)
    }

    /// Compares a branch with its project, piece by piece.
    pub async fn compare_branch(&self, project: &str, name: &str) -> Result<BranchComparison, Error> {
        let (id, branch) = self.branch_of(project, name).await?;
        let (ours, theirs, pieces) = self.threefold(&id, &branch).await?;
        let texts = differences(&ours.story, &theirs.story, ours.version, theirs.version);
        Ok(BranchComparison { branch, pieces: pieces.iter().map(branch_piece).collect(), texts })
    }

    /// Brings what a branch has changed into its project, in one change, which can be taken back.
    ///
    /// Fails with [`Error::BranchConflict`] if both have changed the same pieces and not in the same way, unless `right`
    /// says which side is right there; with [`Error::Conflict`] if either side is changed meanwhile.
    pub async fn merge_branch(&self, project: &str, name: &str, right: Option<Side>) -> Result<Merged, Error> {
        let (id, branch) = self.branch_of(project, name).await?;
        let (ours, theirs, pieces) = self.threefold(&id, &branch).await?;
        let (conflicts, others): (Vec<_>, Vec<_>) = pieces.iter().partition(|piece| piece.is_conflict());
        if !conflicts.is_empty() && right.is_none() {
            let named = conflicts.iter().map(|piece| format!("{} ({})", piece.name(), piece.id)).collect();
            return Err(Error::BranchConflict { branch: branch.name, pieces: named });
        }
        let wanted = others.into_iter().filter(|piece| piece.in_branch());
        let given = conflicts.iter().copied().filter(|_| right == Some(Side::Branch));
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
        let provenance = Provenance { agent: PERSON.into(), ..Provenance::default() };
        let save = Save { project: id, key, provenance, expected: Some(ours.version), changes };
        let saved = self.stories_table().merge(&branch.project.project, theirs.version, save, Timestamp::now()).await;
        let saved = saved.map_err(|error| self.place("").store(error))?;
        Ok(Merged {
            change: saved.map(|saved| saved.version),
            taken,
            settled: conflicts.into_iter().map(branch_piece).collect(),
        })
    }

    /// The project's whole id, and its branch of that name.
    async fn branch_of(&self, project: &str, name: &str) -> Result<(String, BranchRow), Error> {
        let id = self.find_project(project).await?.id;
        let found = self.branches(&id).await?.into_iter().find(|branch| branch.name == name.trim());
        let unknown = || Error::UnknownBranch { project: id.clone(), given: name.to_owned() };
        let found = found.ok_or_else(unknown)?;
        Ok((id, found))
    }

    /// Both sides, and what either has changed since they knew of each other last.
    async fn threefold(
        &self,
        project: &str,
        branch: &BranchRow,
    ) -> Result<(KeptStory, KeptStory, Vec<Threefold>), Error> {
        let bad = |error| self.place("").store(error);
        let stories = self.stories_table();
        let base = stories.at(&branch.project.project, branch.base).await.map_err(bad)?;
        let theirs = stories.load(&branch.project.project).await.map_err(bad)?;
        let ours = stories.load(project).await.map_err(bad)?;
        let pieces = branches::compare(&base.story, &ours.story, &theirs.story);
        Ok((ours, theirs, pieces))
    }
}

/// A text that comes from the branch is a new version of the project's: its number goes on from there.
fn above(change: Change, piece: &Threefold) -> Change {
    let Change::Put(mut put) = change else { return change };
    let version = |side: &Option<qingyu_store::Piece>| side.as_ref()?.body.get("version")?.as_u64();
    if piece.kind == Kind::Piece(PieceKind::Document)
        && let Some(ours) = version(&piece.project)
        && version(&piece.branch).is_none_or(|theirs| theirs <= ours)
    {
        put.body["version"] = (ours + 1).into();
    }
    Change::Put(put)
}

fn branch_row(project: qingyu_store::Project) -> Result<BranchRow, Error> {
    let branch = project.branch.clone();
    let branch = branch.ok_or_else(|| Error::Internal { message: format!("{} is no branch", project.id) })?;
    Ok(BranchRow { name: branch.name, base: branch.base, project: project_row(project) })
}

fn branch_piece(piece: &Threefold) -> BranchPiece {
    let fate = |changed: bool, now: bool| match (changed, piece.base.is_some(), now) {
        (false, ..) => Fate::Same,
        (true, false, _) => Fate::Added,
        (true, true, true) => Fate::Changed,
        (true, true, false) => Fate::Removed,
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
