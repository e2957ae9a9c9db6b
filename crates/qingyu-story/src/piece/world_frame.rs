//! The world's own fields, as a piece.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OwnRelationKind;
use crate::bounded::at_most;
use crate::world::Worldview;

/// The world's own fields, without the rules, places, organisations, things and ladders in it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WorldFrame {
    /// The world in a paragraph.
    pub summary: String,
    /// The genre, in a word or two.
    pub genre: String,
    /// When it plays.
    pub era: String,
    /// What has really happened, where the story leads its reader to believe something else.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub truth: String,
    /// The outline node before which the reader must not learn it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth_until: Option<String>,
    /// The author's own kinds of relation; at most 40. Models are not asked for them.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "at_most::<40, _, _>")]
    #[schemars(skip)]
    pub relation_kinds: Vec<OwnRelationKind>,
}

impl Worldview {
    /// Returns the world's own fields.
    pub fn frame(&self) -> WorldFrame {
        WorldFrame {
            summary: self.summary.clone(),
            genre: self.genre.clone(),
            era: self.era.clone(),
            truth: self.truth.clone(),
            truth_until: self.truth_until.clone(),
            relation_kinds: self.relation_kinds.clone(),
        }
    }

    /// Returns whether the world has no rule, place, organisation, thing or ladder.
    pub fn is_bare(&self) -> bool {
        let Self { rules, locations, organisations, items, ladders, .. } = self;
        rules.is_empty() && locations.is_empty() && organisations.is_empty() && items.is_empty() && ladders.is_empty()
    }

    pub(super) fn set_frame(&mut self, frame: WorldFrame) {
        let WorldFrame { summary, genre, era, truth, truth_until, relation_kinds } = frame;
        (self.summary, self.genre, self.era) = (summary, genre, era);
        (self.truth, self.truth_until, self.relation_kinds) = (truth, truth_until, relation_kinds);
    }
}
