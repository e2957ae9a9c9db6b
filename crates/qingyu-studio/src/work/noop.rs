//! Runs that do nothing in ten steps, so that what is measured is the server around a run. Only with the feature `bench`.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::CallRecord;
use qingyu_agents::progress::Progress;
use qingyu_graph::{CompiledGraph, Context, END, Graph, NodeError, START, Snapshot, State};
use qingyu_store::Run;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Beginning;
use super::config::RunConfig;
use super::kind::{Equipment, Kind, RunKind};
use super::look::Looking;
use crate::outcome::{Made, NoopMade, Question, Told};
use crate::studio::Studio;
use crate::{Error, HumanAnswer, RunHandle};

/// How many nodes there are, one after the other.
const NODES: u32 = 10;

/// A run that does nothing.
pub(crate) struct Noop;

/// Asks for nothing to be done.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NoopRequest {
    /// The project; a new one when absent.
    pub project: Option<String>,
    /// The number that each node adds one to.
    pub n: u32,
    /// How long each node waits, in milliseconds.
    pub pause_millis: u64,
}

/// What the nodes share.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub(crate) struct NoopState {
    n: u32,
    pause_millis: u64,
    #[channel(append)]
    log: Vec<u32>,
}

impl Studio {
    /// Begins a run that does nothing. Fails as [`create`](Self::create) does.
    pub async fn noop(&self, request: NoopRequest) -> Result<RunHandle, Error> {
        let project = match &request.project {
            Some(given) => Some(self.find_project(given).await?),
            None => None,
        };
        self.begin_as::<Noop>(Beginning {
            requirement: "noop".into(),
            order: serde_json::json!(NoopRequest { project: None, ..request }),
            project,
            title: None,
            language: Some(Language::En),
            overrides: toml::Table::new(),
        })
        .await
    }
}

impl Kind for Noop {
    type State = NoopState;
    type Answer = ();

    const KIND: RunKind = RunKind::Noop;

    fn looking(looking: &Looking) -> &CompiledGraph<NoopState> {
        &looking.noop
    }

    fn graph(_: Equipment) -> Result<CompiledGraph<NoopState>, qingyu_graph::Error> {
        let name = |place: u32| format!("step_{place}");
        let mut graph = Graph::<NoopState>::new("noop").edge(START, name(0)).edge(name(NODES - 1), END);
        for place in 0..NODES {
            graph = graph.node(name(place), move |state, context| step(place, state, context));
            if place > 0 {
                graph = graph.edge(name(place - 1), name(place));
            }
        }
        graph.compile()
    }

    fn recursion_limit(_: &RunConfig) -> u32 {
        NODES + 1
    }

    fn input<'a>(
        _: &'a Studio,
        run: &'a Run,
        config: &'a RunConfig,
    ) -> BoxFuture<'a, Result<<NoopState as State>::Update, Error>> {
        async move {
            let order = NoopRequest::deserialize(&config.order)
                .map_err(|error| Error::Internal { message: format!("the order of run {}: {error}", run.id) })?;
            Ok(NoopState::update().n(order.n).pause_millis(order.pause_millis))
        }
        .boxed()
    }

    fn calls(_: &NoopState) -> &[CallRecord] {
        &[]
    }

    fn made(state: NoopState) -> (Made, Told) {
        (Made::Noop(NoopMade { n: state.n, log: state.log }), Told::default())
    }

    fn question(_: &Snapshot<NoopState>) -> Option<Question> {
        None
    }

    fn answer(_: &Run, _: &Snapshot<NoopState>, _: HumanAnswer) -> Result<(), Error> {
        Err(Error::BadMaterial { path: String::new(), message: "this run asks nothing".into() })
    }
}

/// Adds one, and tells so.
async fn step(place: u32, state: Arc<NoopState>, context: Context) -> Result<NoopStateUpdate, NodeError> {
    if state.pause_millis > 0 {
        tokio::time::sleep(Duration::from_millis(state.pause_millis)).await;
    }
    let (agent, summary) = (context.node().into(), String::new());
    let told = Progress::AgentFinished { agent, summary, pieces: Vec::new(), reasoning: Vec::new() };
    context.emit(serde_json::to_value(told).expect("progress is plain data"));
    Ok(NoopState::update().n(state.n + 1).log(vec![place]))
}
