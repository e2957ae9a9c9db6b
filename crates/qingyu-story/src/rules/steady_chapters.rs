//! Settled chapters in which no years pass.

use std::collections::BTreeMap;

use super::RuleMaterial;
use crate::Document;
use crate::settlement::looks_back;

/// How far the text of each chapter lets years pass, by position in reading order.
pub(super) struct SteadyChapters(BTreeMap<u32, ChapterYears>);

/// What is known of the years of a chapter.
#[derive(Debug, Clone, Copy)]
struct ChapterYears {
    /// The chapter was settled, and no words in it let years pass or go back.
    is_steady: bool,
    /// The chapter was settled, and no words in it let years pass; some may look back.
    is_of_one_year: bool,
}

impl SteadyChapters {
    pub(super) fn of(material: &RuleMaterial<'_>) -> Self {
        let timeline = &material.truth().timeline;
        let mut chapters = BTreeMap::new();
        for document in material.story.documents.iter().filter(|document| document.order > 0) {
            let node = document.outline_node.as_deref().and_then(|name| timeline.order_of_node(name));
            let read = ChapterYears::of(document);
            let whole = chapters.entry(node.unwrap_or(document.order)).or_insert(read);
            whole.is_steady &= read.is_steady;
            whole.is_of_one_year &= read.is_of_one_year;
        }
        Self(chapters)
    }

    /// Returns whether the chapter was settled and mentions no passing or past years.
    pub(super) fn is_steady(&self, order: u32) -> bool {
        self.0.get(&order).is_some_and(|chapter| chapter.is_steady)
    }

    /// Returns the position of the first chapter with a text.
    pub(super) fn first(&self) -> Option<u32> {
        self.0.keys().next().copied()
    }

    /// Returns whether all chapters between the two certainly take place within about a year. In a chapter that looks back,
    /// a statement may be about a past year, so that neither end may look back; those between may.
    pub(super) fn are_one_year(&self, early: u32, late: u32) -> bool {
        let has_ends = [early, late].iter().all(|order| self.is_steady(*order));
        has_ends && self.0.range(early..=late).all(|(_, chapter)| chapter.is_of_one_year)
    }
}

impl ChapterYears {
    fn of(document: &Document) -> Self {
        let Some(settled) = &document.settled else { return Self { is_steady: false, is_of_one_year: false } };
        Self {
            is_steady: settled.years.is_empty(),
            is_of_one_year: settled.years.iter().all(|words| looks_back(words)),
        }
    }
}
