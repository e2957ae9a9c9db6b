//! The agents whose work can be corrected.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The agents whose work can be corrected, in the order in which they are restarted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Agent {
    /// The outline.
    #[default]
    #[serde(rename = "outline_agent", alias = "outline")]
    Outline,
    /// Characters and relations.
    #[serde(rename = "character_agent", alias = "character")]
    Character,
    /// Timeline and plot.
    #[serde(rename = "plot_agent", alias = "plot", alias = "timeline_agent")]
    Plot,
    /// The world.
    #[serde(rename = "worldview_agent", alias = "worldview")]
    Worldview,
    /// The style guide.
    #[serde(rename = "style_agent", alias = "style")]
    Style,
}

impl Agent {
    /// All agents, in restart order.
    pub const ALL: [Self; 5] = [Self::Outline, Self::Character, Self::Plot, Self::Worldview, Self::Style];

    /// Returns the name in plans, reports and graphs, such as `outline_agent`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outline => "outline_agent",
            Self::Character => "character_agent",
            Self::Plot => "plot_agent",
            Self::Worldview => "worldview_agent",
            Self::Style => "style_agent",
        }
    }

    /// Returns the `sub_category` of an issue about the agent's work as a whole.
    pub fn sub_category(self) -> &'static str {
        match self {
            Self::Outline => "outline",
            Self::Character => "character",
            Self::Plot => "plot",
            Self::Worldview => "worldview",
            Self::Style => "style",
        }
    }
}
