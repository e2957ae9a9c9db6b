//! Spending, cost estimates, and models.

use qingyu_agents::plan::ExecutionPlan;
use qingyu_llm::Prices;

use crate::models::listings::ModelListing;
use crate::models::model_keys::ModelKeyRow;
use crate::models::row::ModelRow;
use crate::models::trial::ModelTrial;
use crate::operations::operation::operations;
use crate::spending::estimate::PlanCostEstimate;
use crate::spending::forecast::{Forecast, ForecastRequest};
use crate::spending::report::{SpendingBy, SpendingReport};

operations! {
    /// Returns the spending of a project or run, or all spending.
    Read Get "/spending"
    ReadSpending as "read_spending" {
        /// The project or run; all spending by default.
        #[serde(default)]
        of: Option<String>,
        /// The grouping of the report.
        #[serde(default)]
        by: SpendingBy,
    } -> SpendingReport
        = |studio, it| studio.spending(it.of.as_deref(), it.by).await;

    /// Returns the estimated calls of a command and their cost.
    Read Post "/forecast"
    ForecastCost as "forecast_cost" {
        /// The command to estimate.
        request: ForecastRequest,
    } -> Forecast
        = |studio, it| studio.forecast(&it.request).await;

    /// Returns the estimated cost of a plan, without corrections.
    Read Post "/estimate"
    EstimatePlan as "estimate_plan" {
        /// The plan.
        plan: ExecutionPlan,
        /// The requirement.
        requirement: String,
    } -> PlanCostEstimate
        = |studio, it| studio.estimate(&it.plan, &it.requirement).await;

    /// Returns the providers, their configuration, and their roles.
    Read Get "/models"
    ListModels as "list_models" {} -> Vec<ModelRow>
        = |studio, _it| studio.models().await;

    /// Fetches the models available to the key of each provider. Preferences such as `deepseek/best` are resolved
    /// against the fetched lists.
    Admin Post "/models/refresh"
    RefreshModels as "refresh_models" {} -> Vec<ModelListing>
        = |studio, _it| studio.refresh_models().await;

    /// Asks a model for a few words and a small JSON value, and returns the answers. Costs a few tokens.
    Admin Post "/models/try"
    TryModel as "try_model" {
        /// The model, such as `deepseek/usual`; the default model by default.
        #[serde(default)]
        model: Option<String>,
    } -> ModelTrial
        = |studio, it| studio.try_model(it.model.as_deref()).await;

    /// Stores the key of a provider in a file of the data folder. Applies immediately; the key is never returned.
    Admin Put "/models/{provider}/key"
    KeepModelKey as "keep_model_key" {
        /// The provider, such as `deepseek`.
        provider: String,
        /// The key.
        secret: String,
    } -> ModelKeyRow
        = |studio, it| studio.keep_model_key(&it.provider, Some(&it.secret));

    /// Removes the key of a provider from the file.
    Admin Delete "/models/{provider}/key"
    ForgetModelKey as "forget_model_key" {
        /// The provider, such as `deepseek`.
        provider: String,
    } -> ModelKeyRow
        = |studio, it| studio.keep_model_key(&it.provider, None);

    /// Returns the prices of models, by name; a name with a trailing `*` is a prefix.
    Read Get "/prices"
    ListPrices as "list_prices" {} -> Prices
        = |studio, _it| studio.prices();
}
