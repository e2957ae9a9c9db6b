//! Places of the plan that a chapter tells by name and that have no card yet.

use std::collections::BTreeMap;

use super::{PlannedPiece, Reconciler, card, reference, told_piece};
use crate::Location;
use crate::names::{fold, without_article};
use crate::part::ENTITIES;
use crate::piece::PieceKind;
use crate::settlement::Extraction;
use crate::settlement::cast::NameLookup;
use crate::settlement::extraction::{Introduced, IntroducedKind};

impl Reconciler<'_> {
    /// Introduces the places that the outline and its events name, where the reading tells something of them: a place of the
    /// plan is nothing unknown.
    pub(super) fn introduce_planned_places(&mut self, extraction: &Extraction) {
        let events = extraction.events.iter().filter_map(|event| {
            let name = event.location.as_deref()?;
            Some((name, event.quote.as_str(), event.confidence))
        });
        let facts = extraction.facts.iter().flat_map(|fact| {
            let names = [Some(fact.subject.as_str()), fact.object.as_deref()];
            names.into_iter().flatten().map(|name| (name, fact.quote.as_str(), fact.confidence))
        });
        let told: Vec<(&str, &str, f32)> = events.chain(facts).filter(|(name, ..)| self.lacks_card(name)).collect();
        if told.is_empty() {
            return;
        }
        let planned = self.planned_places();
        for (name, quote, confidence) in told {
            let Some(name) = planned.get(&key(name)) else { continue };
            self.introduce_place(name, quote, confidence);
        }
    }

    /// Returns whether the name is of no card, or only of a place that the document made before.
    fn lacks_card(&self, name: &str) -> bool {
        let is_known = || !matches!(self.cast.find_exactly(name, ENTITIES), NameLookup::Nobody(_));
        !name.trim().is_empty() && (self.own_place(name).is_some() || !is_known())
    }

    /// Returns the place with the name that the document made before.
    fn own_place(&self, name: &str) -> Option<&Location> {
        let position = self.cast.names().resolve(PieceKind::Location, name)?.position;
        self.cast.is_own(PieceKind::Location, position).then(|| &self.story.locations()[position])
    }

    /// Returns the names of the places of outline and events, by their keys.
    fn planned_places(&self) -> BTreeMap<String, String> {
        let nodes = self.story.outline_nodes.iter().filter_map(|node| node.location.as_deref());
        let events = self.story.timeline_events.iter().filter_map(|event| event.location.as_deref());
        nodes.chain(events).map(|name| (key(name), name.trim().to_owned())).collect()
    }

    /// Introduces a place with the words of a statement about it, unless the statement is in doubt or the name is like
    /// another one.
    fn introduce_place(&mut self, name: &str, quote: &str, confidence: f32) {
        let of_place = self.cast.find_other(name, &[PieceKind::Location, PieceKind::Organisation]);
        let of_other = self.cast.find_other(name, &[PieceKind::Character, PieceKind::Item]);
        let is_new = matches!(&of_place, NameLookup::Nobody(alike) if alike.is_empty());
        if !is_new
            || !matches!(of_other, NameLookup::Nobody(_))
            || confidence.is_nan()
            || confidence < self.config.accept
        {
            return;
        }
        let told = told_piece(PieceKind::Location, name, quote, confidence);
        let id = reference(self.document);
        let Some(quotation) = self.text.citation(id, self.document.version, &told.quote) else { return };
        let own = self.own_place(name).map(|place| (place.alias.clone(), place.description.clone()));
        let (alias, description) = own.unwrap_or_default();
        let one = Introduced {
            kind: IntroducedKind::Location,
            name: name.to_owned(),
            alias,
            description,
            quote: told.quote.clone(),
            confidence,
            ..Introduced::default()
        };
        self.cast.introduce(&one);
        self.plan.wanted.push(PlannedPiece { piece: card(&one), quote: quotation, told });
    }
}

/// Returns the name for comparison: without an article, in small letters.
fn key(name: &str) -> String {
    without_article(&fold(name)).to_owned()
}
