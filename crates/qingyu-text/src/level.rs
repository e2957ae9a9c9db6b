//! Defines how strictly a text is validated.

use qingyu_story::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How strictly a text is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Only what no platform takes.
    Loose,
    /// What most platforms object to.
    #[default]
    Standard,
    /// Also what could be objected to.
    Strict,
}

impl Level {
    /// All levels, from the loosest.
    pub const ALL: [Self; 3] = [Self::Loose, Self::Standard, Self::Strict];

    /// Returns the least severity at which a text fails the level.
    pub fn threshold(self) -> Severity {
        match self {
            Self::Loose => Severity::Critical,
            Self::Standard => Severity::High,
            Self::Strict => Severity::Medium,
        }
    }

    /// Returns the severity of a hit reported from this level on.
    pub fn severity(self) -> Severity {
        match self {
            Self::Loose => Severity::Critical,
            Self::Standard => Severity::High,
            Self::Strict => Severity::Medium,
        }
    }

    /// Returns the name used in settings: `loose`, `standard` or `strict`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loose => "loose",
            Self::Standard => "standard",
            Self::Strict => "strict",
        }
    }
}
