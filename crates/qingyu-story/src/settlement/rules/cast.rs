//! The parts of a story that the rules need to read a chapter.

use crate::names::Names;
use crate::{Ladder, RoleType, Story};

/// The names, the ladders and the lead of a story.
pub(in crate::settlement) struct KnownCast<'s> {
    pub(super) names: Names,
    pub(super) ladders: &'s [Ladder],
    /// The only protagonist, or the only character: the owner of a panel without a name.
    pub(super) lead: Option<&'s str>,
}

impl<'s> KnownCast<'s> {
    pub(in crate::settlement) fn of(story: &'s Story) -> Self {
        let leads: Vec<_> =
            story.characters.iter().filter(|character| character.role_type == RoleType::Protagonist).collect();
        let lead = match (leads.as_slice(), story.characters.as_slice()) {
            ([lead], _) => Some(lead.name.as_str()),
            ([], [only]) => Some(only.name.as_str()),
            _ => None,
        };
        Self { names: Names::of_entities(story), ladders: story.ladders(), lead }
    }
}
