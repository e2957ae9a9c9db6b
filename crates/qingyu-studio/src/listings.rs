//! What the providers said that a key can use: their lists of models, kept in the data folder until they are asked again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::written::write_whole;

/// The file in the data folder.
const FILE: &str = "models.json";

/// The lists by provider.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Listings(BTreeMap<String, Listing>);

/// The list of one provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Listing {
    /// When it was asked.
    at: Timestamp,
    /// The models, in its order.
    models: Vec<String>,
}

/// What came of asking a provider for its models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelListing {
    /// The provider.
    pub provider: String,
    /// The models that the key can use, as the provider lists them; empty if it failed.
    pub models: Vec<String>,
    /// Why it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

impl Listings {
    /// Reads the file. One that is not there or cannot be read says nothing: it can be made again.
    pub(crate) fn read(home: &Path) -> Self {
        let text = std::fs::read_to_string(path(home)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// The models of a provider, if it was asked and listed any.
    pub(crate) fn of(&self, provider: &str) -> Option<&[String]> {
        self.0.get(provider).map(|listing| listing.models.as_slice()).filter(|models| !models.is_empty())
    }

    /// Keeps what a provider has listed just now.
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
