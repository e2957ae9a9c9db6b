//! The world of the story.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OwnRelationKind;
use crate::bounded::at_most;
use crate::ladder::Ladder;

/// The world: its time, rules, places, organisations and things.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Worldview {
    /// The world in a paragraph.
    pub summary: String,
    /// The genre, in a word or two.
    pub genre: String,
    /// When it plays, in the story's calendar, such as `2077`; empty if it does not matter.
    pub era: String,
    /// What has really happened, where the story leads its reader to believe something else: the truth of a mystery.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub truth: String,
    /// The outline node before which the reader must not learn the truth; none if it may come out at any time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth_until: Option<String>,
    /// Rules that hold for all.
    pub rules: Vec<WorldRule>,
    /// Places.
    pub locations: Vec<Location>,
    /// Organisations and powers.
    pub organisations: Vec<Organisation>,
    /// Things that matter.
    pub items: Vec<Item>,
    /// Ladders of power or standing. Models are not asked for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub ladders: Vec<Ladder>,
    /// The author's own kinds of relation; at most 40. Models are not asked for them.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "at_most::<40, _, _>")]
    #[schemars(skip)]
    pub relation_kinds: Vec<OwnRelationKind>,
}

/// A rule of the world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WorldRule {
    /// Given by the studio, such as `w-3`; models may leave it empty.
    pub id: String,
    /// A short name.
    pub name: String,
    /// The rule in a sentence.
    pub statement: String,
    /// What it costs or forbids; empty if nothing.
    pub limit: String,
    /// What it forbids, so that facts and events can be checked. Models are not asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub forbids: Option<Clause>,
    /// What it demands. Models are not asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub demands: Option<Clause>,
}

/// What a world rule forbids or demands, word by word. What is left empty is not restricted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Clause {
    /// For whom: a name or id, an occupation, a trait, or an organisation for its members; empty for everybody.
    pub who: String,
    /// What they must (not) do or be: the predicate of facts. `is_at` and `dies` are read from events too; empty means
    /// to be at `place`.
    pub predicate: String,
    /// With or to what.
    pub object: Option<String>,
    /// Where: the name or id of a place; none for everywhere.
    pub place: Option<String>,
    /// Who or what is excepted: names, occupations, traits, organisations, places, or things that are held. Words that
    /// are none of these except what is told in these words.
    pub unless: Vec<String>,
}

/// A place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Location {
    /// Given by the studio, such as `l-3`; models may leave it empty.
    pub id: String,
    /// The name; unique among places.
    pub name: String,
    /// Other names.
    pub alias: Vec<String>,
    /// What it is like.
    pub description: String,
    /// How long it takes to other places. Models are not asked for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub travel: Vec<Travel>,
}

/// How long it takes from one place to another, and as long back unless the other place says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Travel {
    /// The name or id of the other place.
    pub to: String,
    /// The least time it takes, such as `2天` or `3 hours`.
    pub duration: String,
    /// By what means, such as `骑马`; empty for the fastest that the world has.
    pub by: String,
}

/// An organisation or power.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Organisation {
    /// Given by the studio, such as `g-3`; models may leave it empty.
    pub id: String,
    /// The name; unique among organisations.
    pub name: String,
    /// Other names.
    pub alias: Vec<String>,
    /// What it is and wants.
    pub description: String,
}

/// A thing that matters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Item {
    /// Given by the studio, such as `i-3`; models may leave it empty.
    pub id: String,
    /// The name; unique among things.
    pub name: String,
    /// Other names.
    pub alias: Vec<String>,
    /// What it is and can do.
    pub description: String,
    /// The name of the character who has it at the beginning.
    pub holder: Option<String>,
}
