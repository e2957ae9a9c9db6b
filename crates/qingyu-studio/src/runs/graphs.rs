//! The graphs of all kinds of runs, built from their resources.
//!
//! The studio holds the graphs for reading threads, so nothing here knows the studio.

use std::sync::{Arc, LazyLock};

use qingyu_agents::pipeline::{PipelineState, pipeline};
use qingyu_agents::production::{ContentProductionState, ProductionResources, production};
use qingyu_agents::service::Yardstick;
use qingyu_agents::{AgentService, PipelineResources, TaskState, WritingResources, WritingState, task_graph, writing};
use qingyu_graph::{CompiledGraph, GraphDrawing, State};
use qingyu_llm::ModelRoutes;
use qingyu_story::Story;
use qingyu_tools::workspace::MemoryWorkspace;
use qingyu_tools::{Engine, Toolbox, Workspace, workspace};
use qingyu_web::Web;

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
///
/// Each is built on its first use: most commands read no thread, and the tools and prompts of a graph take longer to parse
/// than such a command takes.
pub(crate) struct RunGraphs {
    pub(crate) create: LazyLock<CompiledGraph<PipelineState>>,
    pub(crate) write: LazyLock<CompiledGraph<WritingState>>,
    pub(crate) task: LazyLock<CompiledGraph<TaskState>>,
    pub(crate) produce: LazyLock<CompiledGraph<ContentProductionState>>,
    #[cfg(feature = "bench")]
    pub(crate) noop: LazyLock<CompiledGraph<NoopState>>,
}

/// Returns placeholder resources for graphs never executed.
fn idle() -> RunEquipment {
    let workshop = PipelineResources::new(ModelRoutes::new(Arc::new(qingyu_offline::model())));
    let workspace = Arc::new(MemoryWorkspace::new("", Story::default()));
    let engine = Arc::new(Engine::new(Toolbox::writing(), workspace::only(Arc::clone(&workspace))));
    RunEquipment { workshop, workspace, engine, yardstick: None, web: None }
}

/// Builds a graph that is never executed.
fn build_idle<S: State>(
    build: impl FnOnce(RunEquipment) -> Result<CompiledGraph<S>, qingyu_graph::Error>,
) -> CompiledGraph<S> {
    build(idle()).expect("the graphs compiled in are tested")
}

impl RunGraphs {
    pub(crate) fn new() -> Self {
        Self {
            create: LazyLock::new(|| build_idle(create_graph)),
            write: LazyLock::new(|| build_idle(write_graph)),
            task: LazyLock::new(|| build_idle(task_run_graph)),
            produce: LazyLock::new(|| build_idle(produce_graph)),
            #[cfg(feature = "bench")]
            noop: LazyLock::new(|| build_idle(|_| noop_graph())),
        }
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
