//! Settled chapters in which no years pass.

use std::collections::BTreeMap;

use super::RuleMaterial;

/// Whether each chapter was settled and mentions no passing years, by position in reading order.
pub(super) struct SteadyChapters(BTreeMap<u32, bool>);

impl SteadyChapters {
    pub(super) fn of(material: &RuleMaterial<'_>) -> Self {
        let timeline = &material.truth().timeline;
        let mut is_steady = BTreeMap::new();
        for document in material.story.documents.iter().filter(|document| document.order > 0) {
            let node = document.outline_node.as_deref().and_then(|name| timeline.order_of_node(name));
            let steady = document.settled.as_ref().is_some_and(|settled| settled.years.is_empty());
            *is_steady.entry(node.unwrap_or(document.order)).or_insert(true) &= steady;
        }
        Self(is_steady)
    }

    /// Returns whether the chapter was settled and mentions no passing years.
    pub(super) fn is_steady(&self, order: u32) -> bool {
        self.0.get(&order).copied().unwrap_or(false)
    }

    /// Returns the position of the first chapter with a text.
    pub(super) fn first(&self) -> Option<u32> {
        self.0.keys().next().copied()
    }

    /// Returns whether all chapters between the two certainly take place within about a year.
    pub(super) fn are_one_year(&self, early: u32, late: u32) -> bool {
        let has_ends = [early, late].iter().all(|order| self.0.contains_key(order));
        has_ends && self.0.range(early..=late).all(|(_, is_steady)| *is_steady)
    }
}
