//! Who knows what, since when.

use super::{Entity, GroundTruth, PointId};
use crate::piece::PieceKind;
use crate::rules::anchor;
use crate::{Evidence, Knower};

/// That somebody knows a fact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Knowledge {
    pub(crate) who: Entity,
    /// The position of the fact.
    pub(crate) fact: usize,
    pub(crate) since: Option<PointId>,
    pub(crate) told_by: Option<Entity>,
    pub(crate) basis: Acquaintance,
}

/// Where it is said that somebody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acquaintance {
    /// In the fact's `known_by`, at that index.
    Listed { index: usize },
    /// By another fact, at that position: as news, or as something that is known.
    Stated { position: usize, is_news: bool },
}

impl Knowledge {
    /// The entry of the fact's `known_by`, if it is one.
    pub(crate) fn entry<'s>(&self, truth: &GroundTruth<'s>) -> Option<&'s Knower> {
        match self.basis {
            Acquaintance::Listed { index } => Some(&truth.story.facts[self.fact].known_by[index]),
            Acquaintance::Stated { .. } => None,
        }
    }

    /// Since when, as it is written.
    pub(crate) fn since_words<'s>(&self, truth: &GroundTruth<'s>) -> &'s str {
        match self.basis {
            Acquaintance::Listed { index } => truth.story.facts[self.fact].known_by[index].since.trim(),
            Acquaintance::Stated { position, .. } => truth.story.facts[position].from.trim(),
        }
    }

    /// The sentence or entry that says so.
    pub(crate) fn evidence(&self, truth: &GroundTruth<'_>) -> Evidence {
        match self.basis {
            Acquaintance::Listed { index } => {
                let fact = &truth.story.facts[self.fact];
                let Knower { who, since, how, .. } = &fact.known_by[index];
                let quote = [who.trim(), since.trim(), how.trim()].map(str::to_owned);
                let quote = quote.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
                Evidence { anchor: anchor(PieceKind::Fact, fact, "known_by"), quote }
            }
            Acquaintance::Stated { position, .. } => truth.of_fact(position).evidence(truth),
        }
    }
}
