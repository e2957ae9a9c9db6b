//! The state of a production.

use qingyu_production::{FieldBoard, GoldenContext, Row, Status};
use qingyu_story::production::Phase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::productions::saving::produced;
use crate::runs::question::RunQuestion;
use crate::runs::status::RunStatus;
use crate::studio::Studio;

/// The state of a production.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProductionView {
    /// The project.
    pub project: String,
    /// The title.
    pub title: String,
    /// The template.
    pub template: String,
    /// The current phase; empty once all phases are done.
    pub current_phase: String,
    /// The phases, in order.
    pub phases: Vec<PhaseRow>,
    /// The fields, in order.
    pub fields: Vec<Row>,
    /// The context passed to every model call.
    pub golden_context: GoldenContext,
    /// The newest run, if any, and its status.
    pub run: Option<(String, RunStatus)>,
    /// The question to the user, if the run is waiting.
    pub turn: Option<qingyu_agents::production::Turn>,
}

/// A phase in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseRow {
    /// The phase.
    #[serde(flatten)]
    pub phase: Phase,
    /// The number of empty fields.
    pub empty: usize,
    /// The number of draft fields.
    pub draft: usize,
    /// The number of confirmed fields.
    pub confirmed: usize,
    /// The number of stale fields.
    pub stale: usize,
}

impl Studio {
    /// Returns the state of a project's production, or [`Error::Production`] if the project has no production.
    pub async fn production(&self, project: &str) -> Result<ProductionView, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let row = self.project(&id).await?;
        let production = produced(&kept.story)?;
        let board = FieldBoard::new(&kept.story.fields);
        let fields = board.rows();
        let count = |phase: &Phase, status: Status| {
            fields.iter().filter(|row| row.phase == phase.name && row.status == status).count()
        };
        let phase = |phase: &Phase| PhaseRow {
            empty: count(phase, Status::Empty),
            draft: count(phase, Status::Draft),
            confirmed: count(phase, Status::Confirmed),
            stale: count(phase, Status::Stale),
            phase: phase.clone(),
        };
        let (run, turn) = match self.production_run(&id).await? {
            Some(run) => {
                let turn = match self.stand(&run).await?.question {
                    Some(RunQuestion::Turn { turn }) => Some(turn),
                    _ => None,
                };
                (Some((run.id.clone(), self.status_of(&run).await?)), turn)
            }
            None => (None, None),
        };
        Ok(ProductionView {
            project: id,
            title: row.title,
            template: production.template.clone(),
            current_phase: production.current_phase.clone(),
            phases: production.phases.iter().map(phase).collect(),
            golden_context: GoldenContext::of(&kept.story),
            fields,
            run,
            turn,
        })
    }
}
