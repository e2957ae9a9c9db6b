//! The guide for a new author, from a model to the first chapter, derived from existing data.

use qingyu_store::{Project, Standing, StoredKind};
use qingyu_story::PieceKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::models::roster::ModelRoster;
use crate::models::selection::chosen_from;
use crate::projects::samples;
use crate::runs::question::RunQuestion;
use crate::runs::status::RunStatus;
use crate::studio::Studio;

/// A step of the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuideStep {
    /// Set up a model for prose, or continue with the offline model.
    Model,
    /// Choose the direction of a book, or describe the book in the author's words.
    Direction,
    /// Create the material: world, outline, cast, plot.
    Material,
    /// Write the first chapter.
    Chapter,
}

impl GuideStep {
    /// All steps, in order.
    pub const ALL: [Self; 4] = [Self::Model, Self::Direction, Self::Material, Self::Chapter];
}

/// The progress of a new author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guide {
    /// The finished steps, in order. With the offline model the first step stays open and may be skipped.
    pub done: Vec<GuideStep>,
    /// The next step; `None` after an accepted chapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<GuideStep>,
    /// The current default model.
    pub model: String,
    /// Whether the default model is the offline model, which plans by rules and writes no prose.
    pub is_offline: bool,
    /// The current book: the most recently changed project, except samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The title of the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The book's run if working, waiting for the author or stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The status of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RunStatus>,
}

impl Studio {
    /// Returns the progress of a new author and the next step, computed from existing data.
    pub async fn guide(&self) -> Result<Guide, Error> {
        let effective = self.settings().effective(None)?;
        let chosen = match self.given_models() {
            Some(models) => chosen_from(models),
            None => ModelRoster::new(&effective, self.settings())?.choose().await?,
        };
        let model = chosen.default.model;
        let is_offline = model == qingyu_offline::NAME;
        let mut guide = Guide {
            done: if is_offline { Vec::new() } else { vec![GuideStep::Model] },
            next: None,
            model,
            is_offline,
            project: None,
            title: None,
            run: None,
            status: None,
        };
        let reached = self.reached(&mut guide).await?;
        let steps = GuideStep::ALL.into_iter().skip(1);
        guide.done.extend(steps.clone().take(reached));
        let first = (is_offline && guide.project.is_none()).then_some(GuideStep::Model);
        guide.next = first.or_else(|| steps.clone().nth(reached));
        Ok(guide)
    }

    /// Returns the number of finished steps after the first, of the most advanced book, and fills `guide` with the
    /// newest book.
    async fn reached(&self, guide: &mut Guide) -> Result<usize, Error> {
        let bad = |error| self.place("").store(error);
        let mut books = self.seen_projects().await?;
        books.retain(|book: &Project| {
            let is_open = book.status == qingyu_store::ProjectStatus::Active && book.branch.is_none();
            is_open && !samples::is_sample(&book.premise)
        });
        books.sort_by_key(|book| std::cmp::Reverse(book.updated));
        for book in &books {
            if self.projects_table().has(&book.id, StoredKind::Piece(PieceKind::Document)).await.map_err(bad)? {
                return Ok(3);
            }
        }
        for book in books {
            if self.projects_table().has(&book.id, StoredKind::Production).await.map_err(bad)? {
                continue;
            }
            let has_outline =
                self.projects_table().has(&book.id, StoredKind::Piece(PieceKind::OutlineNode)).await.map_err(bad)?;
            let newest = self.runs_of_project(&book.id, Standing::Any, Some(1)).await?.pop();
            let mut is_directed = has_outline;
            if let Some(run) = newest {
                let status = self.status_of(&run).await?;
                is_directed |= !matches!(self.stand(&run).await?.question, Some(RunQuestion::Directions(_)));
                if status != RunStatus::Done {
                    (guide.run, guide.status) = (Some(run.id), Some(status));
                }
            }
            (guide.project, guide.title) = (Some(book.id), Some(book.title));
            let is_planned = has_outline && guide.run.is_none();
            return Ok(usize::from(is_directed) + usize::from(is_directed && is_planned));
        }
        Ok(0)
    }
}
