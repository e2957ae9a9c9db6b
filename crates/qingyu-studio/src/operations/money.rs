//! What was spent, what will be, and who serves.

use qingyu_agents::plan::ExecutionPlan;
use qingyu_llm::Prices;

use super::operations;
use crate::{
    Estimate, Forecast, ForecastRequest, ModelKeyRow, ModelListing, ModelRow, ModelTrial, SpendingBy, SpendingReport,
};

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

    /// Asks every provider with a key which models the key can use. Preferences such as `deepseek/best` are resolved against
    /// what is listed.
    Admin Post "/models/refresh"
    RefreshModels as "refresh_models" {} -> Vec<ModelListing>
        = |studio, _it| studio.refresh_models().await;

    /// Asks a model for a few words and a small JSON value, and tells what came back. Costs a few tokens.
    Admin Post "/models/try"
    TryModel as "try_model" {
        /// The model, such as `deepseek/usual`; the one that serves by default without it.
        #[serde(default)]
        model: Option<String>,
    } -> ModelTrial
        = |studio, it| studio.try_model(it.model.as_deref()).await;

    /// Keeps the key of a provider in a file of the data folder. It counts at once, and is never returned.
    Admin Put "/models/{provider}/key"
    KeepModelKey as "keep_model_key" {
        /// The provider, such as `deepseek`.
        provider: String,
        /// The key.
        secret: String,
    } -> ModelKeyRow
        = |studio, it| studio.keep_model_key(&it.provider, Some(&it.secret));

    /// Takes the key of a provider out of the file.
    Admin Delete "/models/{provider}/key"
    ForgetModelKey as "forget_model_key" {
        /// The provider, such as `deepseek`.
        provider: String,
    } -> ModelKeyRow
        = |studio, it| studio.keep_model_key(&it.provider, None);

    /// What models cost, by name; a name with a trailing `*` stands for any ending.
    Read Get "/prices"
    ListPrices as "list_prices" {} -> Prices
        = |studio, _it| studio.prices();
}
