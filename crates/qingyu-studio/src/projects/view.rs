//! The full view of a project.

use jiff::Timestamp;
use qingyu_store::{KeptPiece, RunQuery, RunStatus, StoredKind};
use qingyu_story::{ChapterCoverage, DiagnosticReport, Provenance, Story, chapter_coverage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::projects::row::ProjectRow;
use crate::projects::row::project_row;
use crate::runs::outcome::RunState;
use crate::runs::output::RunOutput;
use crate::runs::question::RunQuestion;
use crate::runs::row::RunRow;
use crate::spending::calls;
use crate::spending::usage::UsageView;
use crate::studio::Studio;

/// The full view of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectView {
    /// The project.
    pub project: ProjectRow,
    /// The current story.
    pub story: Story,
    /// The chapters with text, and their reading state.
    pub chapters: Vec<ChapterCoverage>,
    /// The report of the last review.
    pub report: Option<DiagnosticReport>,
    /// The number of pieces that were changed after that review, texts included; the report is about the story before.
    #[serde(default)]
    pub changed_since_report: usize,
    /// The reasoning of the last run, oldest first.
    pub reasoning: Vec<String>,
    /// The run, agent, prompt and model behind each piece.
    pub provenance: Vec<PieceProvenance>,
    /// The cost of all runs.
    pub usage: UsageView,
    /// The runs, newest first.
    pub runs: Vec<RunRow>,
    /// The question of the newest run, if waiting.
    pub question: Option<RunQuestion>,
}

/// The change that last wrote a piece.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PieceProvenance {
    /// The kind of piece: `outline_node`, `character`, `relation`, `event`, `plot_node`, `worldview`, ….
    pub kind: String,
    /// The id of the piece.
    pub id: String,
    /// The name or title; empty for a piece without one.
    pub name: String,
    /// The author of the change; `tokens` counts the call together with the other pieces made by the same call.
    #[serde(flatten)]
    pub made: Provenance,
    /// The time of the change.
    pub at: Timestamp,
}

impl Studio {
    /// Returns the full view of a project, named by its ID, a prefix of the ID, or one of its runs.
    pub async fn show(&self, project: &str) -> Result<ProjectView, Error> {
        let project = self.find_project(project).await?;
        let id = project.id.clone();
        let bad = |error| self.place("").store(error);
        let story = self.stories_table().load(&id).await.map_err(bad)?.story;
        let pieces = self.stories_table().pieces(&id).await.map_err(bad)?;
        let usage = self.runs_table().usage_of_project(&id).await.map_err(bad)?;
        let runs = self.listed(RunQuery { project: Some(id), ..RunQuery::default() }).await?;
        let (mut newest, mut material) = (None, None);
        let mut changed_since_report = 0;
        for listed in &runs {
            let RunState { made, told, question, .. } = self.stand(&listed.run).await?;
            let is_asked = |asked: &RunQuestion| !asked.is_breakpoint() || listed.run.status == RunStatus::Waiting;
            newest.get_or_insert((told.reasoning, question.filter(is_asked)));
            if let RunOutput::Story(made) = made {
                if made.diagnostic_report.is_some() {
                    changed_since_report = changed_since(&pieces, &listed.run.id, listed.run.ended);
                }
                material = Some(made);
                break;
            }
        }
        let (reasoning, question) = newest.unwrap_or_default();
        let chapters = chapter_coverage(&story);
        let unread = chapters.iter().filter(|chapter| chapter.state.is_open()).count();
        Ok(ProjectView {
            project: ProjectRow { unread: u32::try_from(unread).ok(), ..project_row(project) },
            chapters,
            story,
            report: material.and_then(|made| made.diagnostic_report),
            changed_since_report,
            reasoning,
            provenance: pieces.into_iter().map(provenance).collect(),
            usage: calls::sum(&usage),
            runs: self.run_rows(runs).await?,
            question,
        })
    }
}

/// Returns the number of pieces of the story changed after the last change of `run`; for a run that changed none of them,
/// after its end.
fn changed_since(pieces: &[KeptPiece], run: &str, ended: Option<Timestamp>) -> usize {
    let of_story = || pieces.iter().filter(|kept| matches!(kept.piece.kind, StoredKind::Piece(_)));
    let is_own = |kept: &&KeptPiece| kept.provenance.run.as_deref() == Some(run);
    let last = of_story().filter(is_own).map(|kept| kept.change).max();
    let is_later = |kept: &&KeptPiece| match last {
        Some(last) => kept.change > last,
        None => ended.is_some_and(|ended| kept.at > ended),
    };
    of_story().filter(is_later).count()
}

fn provenance(kept: KeptPiece) -> PieceProvenance {
    let KeptPiece { piece, provenance, at, .. } = kept;
    PieceProvenance { name: piece.name(), kind: piece.kind.name().into(), id: piece.id, made: provenance, at }
}
