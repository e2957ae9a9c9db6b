//! Runs producing content in phases, with the user.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::production::{ContentProductionState, Order};
use qingyu_agents::{CallRecord, production as agents};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_production::{GoldenContext, SaidLine};
use qingyu_store::Run;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::runs::config::RunConfig;
use crate::runs::graphs::{RunEquipment, RunGraphs, produce_graph};
use crate::runs::kind::RunKind;
use crate::runs::output::{ContentOutput, RunMessages, RunOutput};
use crate::runs::question::{RunQuestion, pending_question};
use crate::runs::requests::RunAnswer;
use crate::runs::run_type::RunType;
use crate::studio::Studio;

/// A run of a production.
pub(crate) struct ProduceRun;

/// The stored input of a production's run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ProductionOrder {
    pub(crate) order: Option<agents::Order>,
    /// The conversation of the previous run.
    pub(crate) messages: Vec<agents::Spoken>,
    /// Earlier turns of the caller's session, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) said: Vec<SaidLine>,
}

impl RunType for ProduceRun {
    type State = ContentProductionState;
    type Answer = Order;

    const KIND: RunKind = RunKind::Produce;
    const CALLS: &'static str = "calls";
    const CLOSED: &'static [&'static str] = &["config"];

    fn looking(looking: &RunGraphs) -> &CompiledGraph<ContentProductionState> {
        &looking.produce
    }

    fn graph(equipment: RunEquipment) -> Result<CompiledGraph<ContentProductionState>, qingyu_graph::Error> {
        produce_graph(equipment)
    }

    fn recursion_limit(_: &RunConfig) -> u32 {
        SUPERSTEPS
    }

    fn input<'a>(
        studio: &'a Studio,
        run: &'a Run,
        config: &'a RunConfig,
    ) -> BoxFuture<'a, Result<<ContentProductionState as State>::Update, Error>> {
        async move {
            let ProductionOrder { order, messages, said } = config.order_of(run)?;
            let preferences = studio.preferences(&run.project, config).await?;
            Ok(ContentProductionState::input(config.language, config.production.clone())
                .golden_context(GoldenContext { preferences, said, ..GoldenContext::default() })
                .order(order)
                .messages(messages)
                .user_id(studio.scope().user().into())
                .project_id(run.project.clone())
                .run_id(run.id.clone()))
        }
        .boxed()
    }

    fn calls(state: &ContentProductionState) -> &[CallRecord] {
        &state.calls
    }

    fn made(state: ContentProductionState) -> (RunOutput, RunMessages) {
        // Errors already reported with their turn are not reported again.
        let errors = state.errors.into_iter().skip(state.errors_told).collect();
        let made = ContentOutput {
            current_phase: state.current_phase,
            autonomy_settings: state.autonomy_settings,
            golden_context: state.golden_context,
            messages: state.messages,
            made: state.made,
            turn: state.turn,
        };
        let told = RunMessages { reasoning: state.reasoning, warnings: state.warnings, errors };
        (RunOutput::Content(Box::new(made)), told)
    }

    fn question(snapshot: &Snapshot<ContentProductionState>) -> Option<RunQuestion> {
        pending_question(snapshot).map(|turn| RunQuestion::Turn { turn })
    }

    fn answer(_: &Run, _: &Snapshot<ContentProductionState>, answer: RunAnswer) -> Result<Order, Error> {
        match answer {
            RunAnswer::Order { order } => Ok(order),
            RunAnswer::Approve => Ok(Order::Advance),
            RunAnswer::Reject { feedback } => Ok(Order::Say { text: feedback }),
            RunAnswer::Edit { .. } | RunAnswer::Decide { .. } | RunAnswer::Direct { .. } => {
                let message = "this run asks what to do next: say so in words, or approve".into();
                Err(Error::BadMaterial { path: String::new(), message })
            }
        }
    }
}

/// The maximum number of supersteps per turn: more than the dependency levels of the longest production.
const SUPERSTEPS: u32 = 1_000;
