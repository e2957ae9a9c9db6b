//! The parts of a story that the rules need to read a chapter.

use std::sync::Arc;

use crate::names::Names;
use crate::{Character, Ladder, RoleType, Story};

/// The names, the ladders and the lead of a story.
pub(in crate::settlement) struct KnownCast<'s> {
    pub(super) names: Arc<Names>,
    pub(super) ladders: &'s [Ladder],
    /// The only protagonist, or the only character: the owner of a panel without a name.
    pub(super) lead: Option<&'s str>,
}

impl<'s> KnownCast<'s> {
    pub(in crate::settlement) fn of(story: &'s Story) -> Self {
        Self::with(story, Arc::new(Names::of_entities(story)), &[])
    }

    /// Returns the cast of a story with further people; `names` are those of all.
    pub(in crate::settlement) fn with(story: &'s Story, names: Arc<Names>, further: &'s [Character]) -> Self {
        let all = || story.characters.iter().chain(further);
        let leads: Vec<&Character> = all().filter(|character| character.role_type == RoleType::Protagonist).collect();
        let lead = match leads.as_slice() {
            [lead] => Some(lead.name.as_str()),
            [] => all().next().filter(|_| all().count() == 1).map(|only| only.name.as_str()),
            _ => None,
        };
        Self { names, ladders: story.ladders(), lead }
    }
}
