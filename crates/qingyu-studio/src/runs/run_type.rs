//! The implementation of a kind of run: everything needed to start, drive and show it.

use futures::future::BoxFuture;
use qingyu_agents::CallRecord;
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_llm::ModelRoutes;
use qingyu_memory::learning::Lesson;
use qingyu_store::Run;
use serde::Serialize;
use serde_json::Value;

use crate::error::Error;
use crate::runs::config::RunConfig;
use crate::runs::graphs::{RunEquipment, RunGraphs};
use crate::runs::kind::RunKind;
use crate::runs::output::{RunMessages, RunOutput};
use crate::runs::question::RunQuestion;
use crate::runs::requests::RunAnswer;
use crate::studio::Studio;

/// The implementation of a kind of run.
pub(crate) trait RunType: Send + Sync + 'static {
    /// The state of the graph's threads.
    type State: State;
    /// The type of a person's answer.
    type Answer: Serialize + Send;

    /// The kind.
    const KIND: RunKind;
    /// The channel of the paid calls.
    const CALLS: &'static str = "messages";
    /// The channels with limits and permissions, closed to edits of a checkpoint.
    const CLOSED: &'static [&'static str];

    /// Returns the graph for reading threads.
    fn looking(looking: &RunGraphs) -> &CompiledGraph<Self::State>;

    /// Builds the graph for execution.
    fn graph(equipment: RunEquipment) -> Result<CompiledGraph<Self::State>, qingyu_graph::Error>;

    /// Adapts the input to the selected models; unchanged by default.
    fn order(order: Value, _models: &ModelRoutes) -> Value {
        order
    }

    /// Returns the maximum number of supersteps.
    fn recursion_limit(config: &RunConfig) -> u32;

    /// Returns the first input.
    fn input<'a>(
        studio: &'a Studio,
        run: &'a Run,
        config: &'a RunConfig,
    ) -> BoxFuture<'a, Result<<Self::State as State>::Update, Error>>;

    /// Returns all paid calls recorded in the state.
    fn calls(state: &Self::State) -> &[CallRecord];

    /// Returns the work and the messages so far.
    fn made(state: Self::State) -> (RunOutput, RunMessages);

    /// Returns the retry of the unfinished work of a finished run: a state update, and the node to continue after.
    /// `None` if there is nothing to retry.
    fn retry(_state: &Self::State) -> Option<(<Self::State as State>::Update, &'static str)> {
        None
    }

    /// Returns the title found by the run, for an untitled project.
    fn title(_state: &Self::State) -> Option<&str> {
        None
    }

    /// Returns the question for a person, if any.
    fn question(snapshot: &Snapshot<Self::State>) -> Option<RunQuestion>;

    /// Converts a person's answer. Returns an error if the answer does not fit the question.
    fn answer(run: &Run, snapshot: &Snapshot<Self::State>, answer: RunAnswer) -> Result<Self::Answer, Error>;

    /// Returns the lessons of an answer.
    fn lessons(_run: &Run, _snapshot: &Snapshot<Self::State>, _answer: &Self::Answer) -> Vec<Lesson> {
        Vec::new()
    }
}
