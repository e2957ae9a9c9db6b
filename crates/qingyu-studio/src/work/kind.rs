//! The kinds of runs: what of each a run needs to be set to work, driven and shown.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_agents::service::Yardstick;
use qingyu_agents::{CallRecord, Workshop};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_llm::Models;
use qingyu_memory::learning::Lesson;
use qingyu_store::Run;
use qingyu_tools::{Engine, Workspace};
use qingyu_web::Web;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::config::RunConfig;
use super::look::Looking;
use crate::outcome::{Made, Question, Told};
use crate::studio::Studio;
use crate::{Error, HumanAnswer};

/// What a run does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// Makes the material of a story: outline, cast, plot.
    #[default]
    Create,
    /// Writes, corrects, rewrites or settles chapters.
    Write,
    /// Has agents of the service do a task.
    Task,
    /// Produces content in phases, with the user.
    Produce,
    /// Does nothing, for measuring the rest.
    #[cfg(feature = "bench")]
    #[schemars(skip)]
    Noop,
}

impl RunKind {
    /// Its name in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Write => "write",
            Self::Task => "task",
            Self::Produce => "produce",
            #[cfg(feature = "bench")]
            Self::Noop => "noop",
        }
    }
}

/// What a run works with. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Equipment {
    /// Models, prompts, rules and the archive.
    pub(crate) workshop: Workshop,
    /// The project, as tools see it.
    pub(crate) workspace: Arc<dyn Workspace>,
    /// The tools over it.
    pub(crate) engine: Arc<Engine>,
    /// What agents of the service count and review texts by.
    pub(crate) yardstick: Option<Arc<Yardstick>>,
    /// How the web is searched and read; only productions do.
    pub(crate) web: Option<Arc<Web>>,
}

/// One kind of run.
pub(crate) trait Kind: Send + Sync + 'static {
    /// What its graph's threads hold.
    type State: State;
    /// What a person answers it.
    type Answer: Serialize + Send;

    /// Which one it is.
    const KIND: RunKind;

    /// Its graph among those for looking.
    fn looking(looking: &Looking) -> &CompiledGraph<Self::State>;

    /// Its graph, for work.
    fn graph(equipment: Equipment) -> Result<CompiledGraph<Self::State>, qingyu_graph::Error>;

    /// What it is to do, given who serves.
    fn order(order: Value, _models: &Models) -> Value {
        order
    }

    /// How many supersteps it may take.
    fn recursion_limit(config: &RunConfig) -> u32;

    /// Its first input.
    fn input<'a>(
        studio: &'a Studio,
        run: &'a Run,
        config: &'a RunConfig,
    ) -> BoxFuture<'a, Result<<Self::State as State>::Update, Error>>;

    /// Every paid call that its state has on record.
    fn calls(state: &Self::State) -> &[CallRecord];

    /// What it has made so far, and what it has told.
    fn made(state: Self::State) -> (Made, Told);

    /// How a run that came to its end without doing all its work tries the rest again: a change of its state, and the node
    /// after which it goes on. None if there is nothing to try again.
    fn retry(_state: &Self::State) -> Option<(<Self::State as State>::Update, &'static str)> {
        None
    }

    /// The title that it has given the work, for a project that has none.
    fn title(_state: &Self::State) -> Option<&str> {
        None
    }

    /// What a person is asked, if one is.
    fn question(snapshot: &Snapshot<Self::State>) -> Option<Question>;

    /// A person's answer in its terms. Fails if it is none to this question.
    fn answer(run: &Run, snapshot: &Snapshot<Self::State>, answer: HumanAnswer) -> Result<Self::Answer, Error>;

    /// What the answer teaches.
    fn lessons(_run: &Run, _snapshot: &Snapshot<Self::State>, _answer: &Self::Answer) -> Vec<Lesson> {
        Vec::new()
    }
}
