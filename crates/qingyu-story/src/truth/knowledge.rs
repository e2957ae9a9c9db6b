//! Indexes knowledge of facts by character and time.

use super::entity::Entity;
use super::timeline::PointId;

/// A record of a character knowing a fact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownFact {
    pub(crate) who: Entity,
    /// The position of the fact.
    pub(crate) fact: usize,
    pub(crate) since: Option<PointId>,
    pub(crate) told_by: Option<Entity>,
    pub(crate) basis: KnowledgeSource,
}

/// The source of the knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KnowledgeSource {
    /// The entry at `index` of the fact's `known_by`.
    Listed { index: usize },
    /// Another fact at `position`: as news, or as something known.
    Stated { position: usize, is_news: bool },
}
