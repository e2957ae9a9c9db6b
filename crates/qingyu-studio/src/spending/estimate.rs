//! Cost estimates of plans.

use qingyu_agents::estimate::{StepEstimate, estimate as agents_estimate};
use qingyu_agents::plan::ExecutionPlan;
use qingyu_llm::Usage;
use qingyu_store::AgentUsage;
use qingyu_story::{Language, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::models::roster::ModelRoster;
use crate::spending::calls;
use crate::spending::usage::UsageView;
use crate::studio::Studio;

/// The cost estimate of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanCostEstimate {
    /// The tokens, in total and by agent, and the price if known, with a single call per step.
    pub usage: UsageView,
    /// The number of steps on the longest chain.
    pub critical_path: usize,
}

impl Studio {
    /// Returns the estimated cost of a plan with the current settings, without corrections; accurate to about a third.
    pub async fn estimate(&self, plan: &ExecutionPlan, requirement: &str) -> Result<PlanCostEstimate, Error> {
        let effective = self.settings().effective(None)?;
        let roster = ModelRoster::new(&effective, self.settings())?;
        let chosen = roster.choose().await?;
        let prices = roster.prices(&chosen)?;
        let story = Story { language: Language::of(requirement), ..Story::default() };
        let estimated = agents_estimate(plan, requirement, &story, &self.prompts(&effective)?)
            .map_err(|error| effective.bad("prompts.folder", error.to_string()))?;
        let used = estimated.into_iter().map(|StepEstimate { agent, input, output }| {
            let usage = Usage { input, output, estimated: true, ..Usage::default() };
            let cost = prices.cost(chosen.of(agent.trim_end_matches("_agent")), usage);
            AgentUsage {
                agent,
                calls: 1,
                input: usage.input,
                cached: usage.cached,
                output: usage.output,
                estimated: usage.estimated,
                cost_micros: cost.as_ref().map(|cost| cost.micros),
                currency: cost.map(|cost| cost.currency),
            }
        });
        let usage = calls::sum(&used.collect::<Vec<_>>());
        Ok(PlanCostEstimate { usage, critical_path: plan.critical_path.len() })
    }
}
