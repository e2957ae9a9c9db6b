//! Looking at the threads of runs, without working.

use std::sync::Arc;

use qingyu_agents::notice::Notice;
use qingyu_agents::production::ContentProductionState;
use qingyu_agents::{PipelineState, TaskState, Workshop, WritingState};
use qingyu_graph::{CompiledGraph, Drawing, Snapshot};
use qingyu_llm::Models;
use qingyu_store::Run;
use qingyu_story::Story;
use qingyu_tools::workspace::{self, MemoryWorkspace};
use qingyu_tools::{Engine, Toolbox};

use super::config::RunConfig;
use super::create::Create;
use super::kind::{Equipment, Kind, RunKind};
#[cfg(feature = "bench")]
use super::noop::{Noop, NoopState};
use super::produce::Produce;
use super::task::TaskRun;
use super::write::Write;
use crate::outcome::Stand;
use crate::studio::Studio;
use crate::{Error, calls};

/// The graphs of all kinds of runs, for looking at threads; they never work.
pub(crate) struct Looking {
    pub(super) create: CompiledGraph<PipelineState>,
    pub(super) write: CompiledGraph<WritingState>,
    pub(super) task: CompiledGraph<TaskState>,
    pub(super) produce: CompiledGraph<ContentProductionState>,
    #[cfg(feature = "bench")]
    pub(super) noop: CompiledGraph<NoopState>,
}

impl Looking {
    pub(crate) fn new() -> Result<Self, Error> {
        let idle = idle();
        Ok(Self {
            create: graph::<Create>(&idle)?,
            write: graph::<Write>(&idle)?,
            task: graph::<TaskRun>(&idle)?,
            produce: graph::<Produce>(&idle)?,
            #[cfg(feature = "bench")]
            noop: graph::<Noop>(&idle)?,
        })
    }

    /// The pictures of the graphs.
    pub(crate) fn drawings(&self) -> Vec<Drawing> {
        vec![
            self.create.drawing().clone(),
            self.write.drawing().clone(),
            self.task.drawing().clone(),
            self.produce.drawing().clone(),
        ]
    }
}

/// Equipment for nodes that never work.
fn idle() -> Equipment {
    let workshop = Workshop::new(Models::new(Arc::new(qingyu_offline::model())));
    let workspace = Arc::new(MemoryWorkspace::new("", Story::default()));
    let engine = Arc::new(Engine::new(Toolbox::writing(), workspace::only(Arc::clone(&workspace))));
    Equipment { workshop, workspace, engine, yardstick: None, web: None }
}

fn graph<K: Kind>(equipment: &Equipment) -> Result<CompiledGraph<K::State>, Error> {
    K::graph(equipment.clone()).map_err(|error| Error::Internal { message: error.to_string() })
}

impl Studio {
    /// How a run stands in the engine and in the books.
    pub(crate) async fn stand(&self, run: &Run) -> Result<Stand, Error> {
        match self.kind_of(run)? {
            RunKind::Create => self.stand_as::<Create>(run).await,
            RunKind::Write => self.stand_as::<Write>(run).await,
            RunKind::Task => self.stand_as::<TaskRun>(run).await,
            RunKind::Produce => self.stand_as::<Produce>(run).await,
            #[cfg(feature = "bench")]
            RunKind::Noop => self.stand_as::<Noop>(run).await,
        }
    }

    async fn stand_as<K: Kind>(&self, run: &Run) -> Result<Stand, Error> {
        let snapshot = self.snapshot::<K>(&run.id).await?;
        self.stand_of::<K>(run, snapshot).await
    }

    /// How a run stands whose thread stands like this.
    pub(super) async fn stand_of<K: Kind>(
        &self,
        run: &Run,
        snapshot: Option<Snapshot<K::State>>,
    ) -> Result<Stand, Error> {
        let usage = self.runs_table().usage(&run.id).await.map_err(|error| self.place(&run.id).store(error))?;
        let usage = calls::sum(&usage);
        Ok(match snapshot {
            Some(snapshot) => {
                let question = K::question(&snapshot);
                let question_id = snapshot.questions.first().filter(|_| question.is_some());
                let question_id = question_id.map(|question| question.id.clone());
                let RunConfig { language, limits_kept, .. } = RunConfig::kept(run)?;
                let substitutions = Notice::of_substitutions(K::calls(&snapshot.state));
                let (made, mut told) = K::made(snapshot.state);
                told.warnings
                    .splice(0..0, limits_kept.iter().chain(&substitutions).map(|notice| notice.text(language)));
                Stand { made, told, question, question_id, usage }
            }
            None => Stand { usage, ..Stand::default() },
        })
    }

    /// Whether the run's thread waits for an answer.
    pub(crate) async fn is_asking(&self, run: &Run) -> Result<bool, Error> {
        match self.kind_of(run)? {
            RunKind::Create => self.is_asking_as::<Create>(run).await,
            RunKind::Write => self.is_asking_as::<Write>(run).await,
            RunKind::Task => self.is_asking_as::<TaskRun>(run).await,
            RunKind::Produce => self.is_asking_as::<Produce>(run).await,
            #[cfg(feature = "bench")]
            RunKind::Noop => self.is_asking_as::<Noop>(run).await,
        }
    }

    async fn is_asking_as<K: Kind>(&self, run: &Run) -> Result<bool, Error> {
        let snapshot = self.snapshot::<K>(&run.id).await?;
        Ok(snapshot.is_some_and(|snapshot| !snapshot.questions.is_empty()))
    }

    /// The run's thread as it stands; `None` if it never got its first input.
    pub(super) async fn snapshot<K: Kind>(&self, run: &str) -> Result<Option<Snapshot<K::State>>, Error> {
        let thread = K::looking(self.looking()).thread(Arc::clone(self.threads()), run);
        thread.snapshot().await.map_err(|error| self.place(run).graph(&error))
    }

    fn kind_of(&self, run: &Run) -> Result<RunKind, Error> {
        Ok(RunConfig::kept(run)?.kind)
    }
}
