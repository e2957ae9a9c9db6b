//! What was spent, what will be, and who serves.

use qingyu_agents::plan::ExecutionPlan;
use qingyu_llm::Prices;

use super::operations;
use crate::{Estimate, Forecast, ForecastRequest, ModelRow, SpendingBy, SpendingReport};

operations! {
    /// What was spent, of a project or run or of all.
    Read Get "/spending"
    ReadSpending as "read_spending" {
        /// The project or run; all without it.
        #[serde(default)]
        of: Option<String>,
        /// By what it is told apart.
        #[serde(default)]
        by: SpendingBy,
    } -> SpendingReport
        = |studio, it| studio.spending(it.of.as_deref(), it.by).await;

    /// Which calls a command will make, and what they will cost.
    Read Post "/forecast"
    ForecastCost as "forecast_cost" {
        /// What is to be estimated.
        request: ForecastRequest,
    } -> Forecast
        = |studio, it| studio.forecast(&it.request).await;

    /// What a plan will cost, without corrections.
    Read Post "/estimate"
    EstimatePlan as "estimate_plan" {
        /// The plan.
        plan: ExecutionPlan,
        /// What is wanted.
        requirement: String,
    } -> Estimate
        = |studio, it| studio.estimate(&it.plan, &it.requirement).await;

    /// The providers, what is set up, and who serves which role.
    Read Get "/models"
    ListModels as "list_models" {} -> Vec<ModelRow>
        = |studio, _it| studio.models().await;

    /// What models cost, by name; a name with a trailing `*` stands for any ending.
    Read Get "/prices"
    ListPrices as "list_prices" {} -> Prices
        = |studio, _it| studio.prices();
}
