//! Secrets of the story with the outline node before which readers must not learn them, and where chapters tell them.

use std::cell::LazyCell;
use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use super::RuleMaterial;
use crate::piece::PieceKind;
use crate::settlement::Revealed;
use crate::{Character, Document, OutlineNode, says_something};

/// Maximum characters of a secret in a finding.
const SHOWN: usize = 40;
/// Maximum number of levels above a scene.
const LEVELS: usize = 8;

/// A secret that is kept until an outline node.
pub(super) struct KeptSecret<'s> {
    /// The character whose secret it is; `None` for the truth of the book.
    pub(super) of: Option<&'s Character>,
    /// The beginning of the secret.
    pub(super) text: String,
    /// The node as the secret names it.
    pub(super) until: &'s str,
    /// The name of the node.
    pub(super) node: &'s str,
    /// The places of the node among the parts of the outline, in reading order.
    pub(super) place: RangeInclusive<usize>,
}

impl KeptSecret<'_> {
    /// Returns the places at which the chapter's current text tells the secret.
    pub(super) fn told<'d>(&self, document: &'d Document) -> impl Iterator<Item = &'d Revealed> {
        let holder = self.of.map(|card| [card.id.trim().to_owned(), card.name.trim().to_owned()]);
        let is_it = move |told: &&Revealed| match &holder {
            Some(names) => !told.of.trim().is_empty() && names.iter().any(|name| name == told.of.trim()),
            None => told.of.trim().is_empty(),
        };
        document.reveals().filter(is_it)
    }
}

/// Returns the secrets with a known node.
pub(super) fn kept_secrets<'s>(material: &RuleMaterial<'s>) -> Vec<KeptSecret<'s>> {
    let places = LazyCell::new(|| outline_places(material));
    let kept = |of: Option<&'s Character>, text: &str, until: Option<&'s str>| {
        let (text, until) = (text.trim(), until.map(str::trim).filter(|until| !until.is_empty())?);
        let node = material.outline_node(until)?;
        let place = places.get(&std::ptr::from_ref(node))?.clone();
        let text: String = text.chars().take(SHOWN).collect();
        let node = if node.name.trim().is_empty() { until } else { node.name.trim() };
        (!text.is_empty()).then_some(KeptSecret { of, text, until, node, place })
    };
    let world = material.story.worldview.as_ref();
    let truth = world.and_then(|world| kept(None, &world.truth, world.truth_until.as_deref()));
    let cards = material.story.characters.iter();
    truth
        .into_iter()
        .chain(cards.filter_map(|card| kept(Some(card), &card.secret, card.secret_until.as_deref())))
        .collect()
}

/// Returns the written chapters of the book with their places among the parts of the outline.
pub(super) fn placed_chapters<'s>(material: &RuleMaterial<'s>) -> Vec<(&'s Document, RangeInclusive<usize>)> {
    let places = outline_places(material);
    let written = material.story.documents.iter().filter(|text| text.order > 0 && says_something(&text.text));
    let placed = |document: &'s Document| {
        let node = material.outline_node(document.outline_node.as_deref()?)?;
        Some((document, places.get(&std::ptr::from_ref(node))?.clone()))
    };
    written.filter_map(placed).collect()
}

/// Returns the places of each node of the outline: its own in reading order, or those of all parts below it.
fn outline_places<'s>(material: &RuleMaterial<'s>) -> FxHashMap<*const OutlineNode, RangeInclusive<usize>> {
    let mut places: FxHashMap<*const OutlineNode, RangeInclusive<usize>> = FxHashMap::default();
    let above = |node: &&'s OutlineNode| material.outline_node(node.parent.as_deref()?);
    for (place, part) in material.reading_order().into_iter().enumerate() {
        for node in std::iter::successors(Some(part), above).take(LEVELS) {
            let known = places.entry(std::ptr::from_ref(node)).or_insert(place..=place);
            *known = *known.start()..=place;
        }
    }
    places
}

/// Returns the kind of the piece with the secret.
pub(super) fn kind(secret: &KeptSecret<'_>) -> PieceKind {
    if secret.of.is_some() { PieceKind::Character } else { PieceKind::Worldview }
}
