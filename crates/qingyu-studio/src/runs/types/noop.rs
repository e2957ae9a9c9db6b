//! No-op runs of ten steps, for measuring the server's overhead. Only with the feature `bench`.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::CallRecord;
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_store::Run;

use crate::error::Error;
use crate::runs::config::RunConfig;
use crate::runs::graphs::{RunEquipment, RunGraphs};
use crate::runs::kind::RunKind;
use crate::runs::noop_graph::{NODES, NoopState, noop_graph};
use crate::runs::output::{RunMessages, RunOutput};
use crate::runs::question::RunQuestion;
use crate::runs::requests::{NoopRequest, RunAnswer};
use crate::runs::run_type::RunType;
use crate::studio::Studio;

/// A no-op run.
pub(crate) struct NoopRun;

impl RunType for NoopRun {
    type State = NoopState;
    type Answer = ();

    const KIND: RunKind = RunKind::Noop;
    const CLOSED: &'static [&'static str] = &[];

    fn looking(looking: &RunGraphs) -> &CompiledGraph<NoopState> {
        &looking.noop
    }

    fn graph(_: RunEquipment) -> Result<CompiledGraph<NoopState>, qingyu_graph::Error> {
        noop_graph()
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
            let order: NoopRequest = config.order_of(run)?;
            Ok(NoopState::update().n(order.n).pause_millis(order.pause_millis))
        }
        .boxed()
    }

    fn calls(_: &NoopState) -> &[CallRecord] {
        &[]
    }

    fn made(state: NoopState) -> (RunOutput, RunMessages) {
        (RunOutput::Noop { n: state.n, log: state.log }, RunMessages::default())
    }

    fn question(_: &Snapshot<NoopState>) -> Option<RunQuestion> {
        None
    }

    fn answer(_: &Run, _: &Snapshot<NoopState>, _: RunAnswer) -> Result<(), Error> {
        Err(Error::BadMaterial { path: String::new(), message: "this run asks nothing".into() })
    }
}
