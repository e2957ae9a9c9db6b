//! A provider in a list.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::models::model_keys::KeySource;

/// A provider in the list of models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelRow {
    /// The provider, such as `deepseek`.
    pub provider: String,
    /// The base URL of requests.
    pub base_url: String,
    /// The environment variable of the key; `None` if no key is needed.
    pub key_variable: Option<String>,
    /// Whether a key is present.
    pub key_present: bool,
    /// The source of the key; `None` without a key.
    pub key_source: Option<KeySource>,
    /// Whether a server on this machine responds; `None` for remote providers, which are not called.
    pub reachable: Option<bool>,
    /// The models, the usual model first; for servers on this machine, the served models.
    pub models: Vec<String>,
    /// Selected models past or near their retirement, as model → date.
    pub retiring: BTreeMap<String, String>,
    /// The roles served with the current settings, as role → model.
    pub roles: BTreeMap<String, String>,
}
