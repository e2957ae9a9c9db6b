//! The guide of a new author: from a model to the first chapter, by what is really there.

use qingyu_store::{Kind, Project, Standing};
use qingyu_story::PieceKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::outcome::Question;
use crate::roster::Roster;
use crate::work::chosen_from;
use crate::{Error, RunStatus, Studio, samples};

/// A step of the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuideStep {
    /// A model that writes, or the offline one.
    Model,
    /// The direction of a book, or the author's own words for it.
    Direction,
    /// Its material: world, outline, cast, plot.
    Material,
    /// Its first chapter.
    Chapter,
}

impl GuideStep {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Model, Self::Direction, Self::Material, Self::Chapter];
}

/// How far a new author is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guide {
    /// The steps that are done, in order. Without a model of its own a studio works with the offline one, and the first step is
    /// open; it can be skipped.
    pub done: Vec<GuideStep>,
    /// What comes next; none once a chapter was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<GuideStep>,
    /// The model that would work now.
    pub model: String,
    /// Whether that is the offline one, which plans by rules and writes no prose.
    pub is_offline: bool,
    /// The book that is begun: the one that was changed last, samples aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its run that works, or waits for the author, or was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// How that run stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RunStatus>,
}

impl Studio {
    /// How far a new author is, and what comes next. Reads what is there; nothing is kept for it.
    pub async fn guide(&self) -> Result<Guide, Error> {
        let effective = self.settings().effective(None)?;
        let chosen = match self.given_models() {
            Some(models) => chosen_from(models),
            None => Roster::new(&effective, self.settings())?.choose().await?,
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

    /// How many steps after the first are done, of the book that is furthest; says of the newest which it is.
    async fn reached(&self, guide: &mut Guide) -> Result<usize, Error> {
        let bad = |error| self.place("").store(error);
        let mut books = self.seen_projects().await?;
        books.retain(|book: &Project| {
            let is_open = book.status == qingyu_store::ProjectStatus::Active && book.branch.is_none();
            is_open && !samples::is_sample(&book.premise)
        });
        books.sort_by_key(|book| std::cmp::Reverse(book.updated));
        for book in &books {
            if self.projects_table().has(&book.id, Kind::Piece(PieceKind::Document)).await.map_err(bad)? {
                return Ok(3);
            }
        }
        for book in books {
            if self.projects_table().has(&book.id, Kind::Production).await.map_err(bad)? {
                continue;
            }
            let has_outline =
                self.projects_table().has(&book.id, Kind::Piece(PieceKind::OutlineNode)).await.map_err(bad)?;
            let newest = self.runs_of_project(&book.id, Standing::Any, Some(1)).await?.pop();
            let mut is_directed = has_outline;
            if let Some(run) = newest {
                let status = self.status_of(&run).await?;
                is_directed |= !matches!(self.stand(&run).await?.question, Some(Question::Directions(_)));
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
