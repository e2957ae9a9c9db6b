//! The output modes of providers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a provider is told the shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OutputMode {
    /// It takes the schema and keeps to it.
    JsonSchema,
    /// It promises JSON; the schema stands in the prompt.
    JsonObject,
    /// It is made to call a tool whose arguments are the answer.
    Tool,
    /// It promises nothing; the schema stands in the prompt.
    Text,
}
