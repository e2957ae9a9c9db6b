//! The cached model lists of providers, stored in the data folder until the next refresh.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::record::FailureRecord;
use crate::storage::written::write_whole;

/// The file in the data folder.
const FILE: &str = "models.json";

/// The lists by provider.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Listings(BTreeMap<String, Listing>);

/// The model list of a provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Listing {
    /// The time of the request.
    at: Timestamp,
    /// The models, in the provider's order.
    models: Vec<String>,
}

/// The result of fetching a provider's models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelListing {
    /// The provider.
    pub provider: String,
    /// The models available to the key, in the provider's order; empty after a failure.
    pub models: Vec<String>,
    /// The failure, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureRecord>,
}

impl Listings {
    /// Parses the file; returns an empty cache if the file is missing or invalid.
    pub(crate) fn read(home: &Path) -> Self {
        let text = std::fs::read_to_string(path(home)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Returns the cached models of a provider; `None` for an empty or missing list.
    pub(crate) fn of(&self, provider: &str) -> Option<&[String]> {
        self.0.get(provider).map(|listing| listing.models.as_slice()).filter(|models| !models.is_empty())
    }

    /// Inserts a provider's list with the current time.
    pub(crate) fn insert(&mut self, provider: &str, models: Vec<String>) {
        self.0.insert(provider.to_owned(), Listing { at: Timestamp::now(), models });
    }

    /// Writes the file.
    pub(crate) fn write(&self, home: &Path) -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::other)?;
        write_whole(&path(home), &text)
    }
}

fn path(home: &Path) -> PathBuf {
    home.join(FILE)
}
