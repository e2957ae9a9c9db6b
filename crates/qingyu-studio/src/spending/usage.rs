//! The usage of calls.

use std::collections::BTreeMap;

use qingyu_llm::Cost;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The usage of all calls of a run or project.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct UsageView {
    /// Request tokens, including cached tokens.
    pub input: u64,
    /// Request tokens read from the providers' caches.
    pub cached: u64,
    /// Answer tokens.
    pub output: u64,
    /// The sum of `input` and `output`.
    pub total: u64,
    /// The number of paid calls.
    pub calls: u64,
    /// Whether some numbers are estimates because a provider returned no usage.
    pub estimated: bool,
    /// The price; `None` if the price of any call is unknown.
    pub cost: Option<Cost>,
    /// The tokens (`input` plus `output`) of each agent.
    pub by_agent: BTreeMap<String, u64>,
}
