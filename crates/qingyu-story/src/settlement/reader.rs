//! Reading of consecutive chapters by the rules.

use std::sync::Arc;

use super::extraction::{Extraction, Introduced, IntroducedKind};
use super::names_cache::NamesCache;
use super::recall::recall;
use super::rules::{self, KnownCast};
use super::settle::find;
use crate::edit::Error;
use crate::{Character, Story};

/// Reads the chapters of a book one after another; keeps the index of names from chapter to chapter.
#[derive(Debug, Default)]
pub struct BookReader {
    names: NamesCache,
}

impl BookReader {
    /// Same as [`recall`].
    ///
    /// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] unless exactly one document has the given id or title.
    pub fn recall(&mut self, story: &Story, document: &str) -> Result<Extraction, Error> {
        let position = find(story, document)?;
        let chapter = &story.documents[position];
        if chapter.settled.is_some() {
            return recall(story, document);
        }
        let cast = KnownCast::with(story, self.names.of_entities(story), &[]);
        Ok(rules::read(&cast, &chapter.text, |_| true))
    }

    /// Returns the statements found by the rules in a document, treating `introduced` people without cards as known.
    ///
    /// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] unless exactly one document has the given id or title.
    pub fn extract_with(
        &mut self,
        story: &Story,
        document: &str,
        introduced: &[Introduced],
    ) -> Result<Extraction, Error> {
        let position = find(story, document)?;
        let people = introduced.iter().filter(|one| one.kind == IntroducedKind::Character);
        let people: Vec<Character> = people
            .map(|one| Character { name: one.name.clone(), alias: one.alias.clone(), ..Character::default() })
            .collect();
        let names = Arc::new(self.names.of_entities(story).with_characters(&people));
        let cast = KnownCast::with(story, names, &people);
        let found = rules::read(&cast, &story.documents[position].text, |_| true);
        Ok(Extraction { entities: introduced.to_vec(), ..found })
    }
}
