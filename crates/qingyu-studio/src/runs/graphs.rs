//! The graphs of all kinds of runs, built from their resources.
//!
//! The studio holds the graphs for reading threads, so nothing here knows the studio.

use std::sync::Arc;

use qingyu_agents::pipeline::{PipelineState, pipeline};
use qingyu_agents::production::{ContentProductionState, ProductionResources, production};
use qingyu_agents::service::Yardstick;
use qingyu_agents::{AgentService, PipelineResources, TaskState, WritingResources, WritingState, task_graph, writing};
use qingyu_graph::{CompiledGraph, GraphDrawing};
use qingyu_llm::ModelRoutes;
use qingyu_story::Story;
use qingyu_tools::workspace::MemoryWorkspace;
use qingyu_tools::{Engine, Toolbox, Workspace, workspace};
use qingyu_web::Web;

use crate::error::Error;
use crate::runs::kind::RunKind;
#[cfg(feature = "bench")]
use crate::runs::noop_graph::{NoopState, noop_graph};

/// The resources of a run. Cheap to clone.
#[derive(Clone)]
pub(crate) struct RunEquipment {
    /// Models, prompts, rules and the archive.
    pub(crate) workshop: PipelineResources,
    /// The project's workspace for tools.
    pub(crate) workspace: Arc<dyn Workspace>,
    /// The tool engine over the workspace.
    pub(crate) engine: Arc<Engine>,
    /// The analysis and review tools of service agents.
    pub(crate) yardstick: Option<Arc<Yardstick>>,
    /// The web access; for productions only.
    pub(crate) web: Option<Arc<Web>>,
}

/// The graphs of all kinds of runs, for reading threads only.
pub(crate) struct RunGraphs {
    pub(crate) create: CompiledGraph<PipelineState>,
    pub(crate) write: CompiledGraph<WritingState>,
    pub(crate) task: CompiledGraph<TaskState>,
    pub(crate) produce: CompiledGraph<ContentProductionState>,
    #[cfg(feature = "bench")]
    pub(crate) noop: CompiledGraph<NoopState>,
}

/// Returns placeholder resources for graphs never executed.
fn idle() -> RunEquipment {
    let workshop = PipelineResources::new(ModelRoutes::new(Arc::new(qingyu_offline::model())));
    let workspace = Arc::new(MemoryWorkspace::new("", Story::default()));
    let engine = Arc::new(Engine::new(Toolbox::writing(), workspace::only(Arc::clone(&workspace))));
    RunEquipment { workshop, workspace, engine, yardstick: None, web: None }
}

impl RunGraphs {
    pub(crate) fn new() -> Result<Self, Error> {
        let idle = idle();
        let failed = |error: qingyu_graph::Error| Error::Internal { message: error.to_string() };
        Ok(Self {
            create: create_graph(idle.clone()).map_err(failed)?,
            write: write_graph(idle.clone()).map_err(failed)?,
            task: task_run_graph(idle.clone()).map_err(failed)?,
            produce: produce_graph(idle).map_err(failed)?,
            #[cfg(feature = "bench")]
            noop: noop_graph().map_err(failed)?,
        })
    }

    /// Returns the drawing of the graph of a kind of runs.
    pub(crate) fn drawing(&self, kind: RunKind) -> &GraphDrawing {
        match kind {
            RunKind::Create => self.create.drawing(),
            RunKind::Write => self.write.drawing(),
            RunKind::Task => self.task.drawing(),
            RunKind::Produce => self.produce.drawing(),
            #[cfg(feature = "bench")]
            RunKind::Noop => self.noop.drawing(),
        }
    }

    /// Returns the drawings of the graphs.
    pub(crate) fn drawings(&self) -> [&GraphDrawing; 4] {
        [self.create.drawing(), self.write.drawing(), self.task.drawing(), self.produce.drawing()]
    }
}

/// Builds the graph creating the material of a story.
pub(crate) fn create_graph(equipment: RunEquipment) -> Result<CompiledGraph<PipelineState>, qingyu_graph::Error> {
    let RunEquipment { workshop, engine, .. } = equipment;
    pipeline(PipelineResources { tools: Some(engine), ..workshop })
}

/// Builds the graph writing the book.
pub(crate) fn write_graph(equipment: RunEquipment) -> Result<CompiledGraph<WritingState>, qingyu_graph::Error> {
    let RunEquipment { workshop, workspace, engine, .. } = equipment;
    writing(WritingResources { workshop, workspace, tools: engine })
}

/// Builds the graph performing a task.
pub(crate) fn task_run_graph(equipment: RunEquipment) -> Result<CompiledGraph<TaskState>, qingyu_graph::Error> {
    let RunEquipment { workshop, engine, yardstick, .. } = equipment;
    task_graph(AgentService { yardstick, ..AgentService::new(workshop, engine) })
}

/// Builds the graph producing content in phases.
pub(crate) fn produce_graph(
    equipment: RunEquipment,
) -> Result<CompiledGraph<ContentProductionState>, qingyu_graph::Error> {
    let RunEquipment { workshop, workspace, web, .. } = equipment;
    let web = web.unwrap_or_else(|| Arc::new(Web::closed()));
    production(ProductionResources { workshop, workspace, web })
}
