//! Measures whether a plan runs as fast as its critical path: every model call takes the same time, so the expected
//! wall time is the length of the longest chain times the latency.
//!
//! Run with `cargo run --release -p qingyu-offline --example parallelism [milliseconds]`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use qingyu_agents::plan::ExecutionPlan;
use qingyu_agents::progress::Progress;
use qingyu_agents::{PipelineConfig, PipelineResources, PipelineState, pipeline};
use qingyu_graph::EventKind;
use qingyu_graph::store::MemoryStore;
use qingyu_llm::{ChatModel, ChatRequest, Error, EventStream, ModelRoutes};
use qingyu_story::Language;

const REQUIREMENTS: [&str; 4] = [
    "创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术",
    "一部十二章的仙侠小说，主角是被逐出师门的炼丹师",
    "A locked-room mystery on a generation ship; the detective is the ship's gardener",
    "A heist novel in a drowned city, twelve chapters, led by a retired cartographer",
];

/// The offline model with a fixed latency for each response.
#[derive(Debug)]
struct SlowModel {
    model: Arc<dyn ChatModel>,
    latency: Duration,
}

impl ChatModel for SlowModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            tokio::time::sleep(self.latency).await;
            self.model.stream(request).await
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let millis = std::env::args().nth(1).map_or(Ok(1000), |text| text.parse())?;
    let latency = Duration::from_millis(millis);
    println!("latency of a model call: {millis} ms");
    println!(
        "{:>6} {:>9} {:>10} {:>12} {:>10} {:>7}",
        "steps", "longest", "wall ms", "critical ms", "one by one", "ratio"
    );
    for requirement in REQUIREMENTS {
        let (plan, wall) = run(requirement, latency).await?;
        let longest = longest_chain(&plan);
        let critical = latency * u32::try_from(longest)?;
        let serial = latency * u32::try_from(plan.steps.len())?;
        println!(
            "{:>6} {longest:>9} {:>10} {:>12} {:>10} {:>7.3}",
            plan.steps.len(),
            wall.as_millis(),
            critical.as_millis(),
            serial.as_millis(),
            wall.as_secs_f64() / critical.as_secs_f64(),
        );
    }
    Ok(())
}

/// Runs the pipeline; returns the plan and the time from the plan to the first report.
async fn run(requirement: &str, latency: Duration) -> Result<(ExecutionPlan, Duration), Box<dyn std::error::Error>> {
    let model = Arc::new(SlowModel { model: Arc::new(qingyu_offline::model()), latency });
    let graph = pipeline(PipelineResources::new(ModelRoutes::new(model)))?;
    let config = PipelineConfig::default();
    let limit = config.supersteps();
    let thread = graph.thread(Arc::new(MemoryStore::default()), "measured").recursion_limit(limit);
    let mut run = thread.start(PipelineState::input(requirement, Language::of(requirement), config)).await?;
    let mut planned = None;
    while let Some(event) = run.next().await {
        let EventKind::Custom(value) = event.kind else { continue };
        match serde_json::from_value(value)? {
            Progress::Planned { plan, .. } => planned = Some((plan.execution_plan, Instant::now())),
            Progress::Reviewed { .. } => {
                let (plan, since) = planned.ok_or("a review came before the plan")?;
                return Ok((plan, since.elapsed()));
            }
            _ => {}
        }
    }
    Err("the run ended without a review".into())
}

/// Returns the number of steps in the longest chain of dependencies.
fn longest_chain(plan: &ExecutionPlan) -> usize {
    fn depth(plan: &ExecutionPlan, id: u32) -> usize {
        let step = plan.steps.iter().find(|step| step.step_id == id);
        step.map_or(0, |step| 1 + step.dependencies.iter().map(|&before| depth(plan, before)).max().unwrap_or(0))
    }
    plan.steps.iter().map(|step| depth(plan, step.step_id)).max().unwrap_or(0)
}
