//! The arguments that tools for runs share.

use std::fmt::Debug;

use qingyu_studio::Studio;
use qingyu_tools::{Permission, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The arguments of a tool for runs.
pub(super) trait RunToolArgs: DeserializeOwned + JsonSchema + Debug + Send + Sync + 'static {
    const NAME: &'static str;
    const PERMISSION: Permission;

    /// Runs the tool and returns its result.
    fn carry_out(self, studio: &Studio) -> impl Future<Output = Result<Value, ToolError>> + Send;
}

// The timeout of a call waiting for a run, handled around the tools. Not a doc comment, because schema descriptions are
// shown to models.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct WaitArgs {
    /// Seconds to wait for the run to end or ask a question, with progress notifications (default: return at once).
    #[schemars(range(max = 3600))]
    pub(super) wait_seconds: Option<u32>,
}

// The same for calls starting or resuming a run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct CancellableWaitArgs {
    #[serde(flatten)]
    pub(super) patience: WaitArgs,
    /// Whether cancelling the waiting call stops the run (default: the run continues).
    pub(super) cancel_with_call: bool,
}
