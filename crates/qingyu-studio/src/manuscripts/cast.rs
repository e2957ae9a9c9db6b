//! Proposals for the cast of an imported book, without a model.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::settlement::extraction::{Introduced, IntroducedKind};
use qingyu_story::{Document, Names, PieceKind, Story, chapters};
use qingyu_text::Meter;
use qingyu_text::cast::{ProposedCharacter, propose_cast};

/// The confidence threshold: the value for a name speaking and acting repeatedly.
const SURE: f32 = 0.9;

/// Returns the proposed cast of the fresh chapters without existing cards, most active first.
pub(crate) fn proposals(story: &Story, fresh: &BTreeSet<String>) -> Vec<ProposedCharacter> {
    let names = Names::of(story);
    let texts: Vec<&str> = in_order(story, fresh).map(|document| document.text.as_str()).collect();
    let is_known = |one: &ProposedCharacter| {
        std::iter::once(&one.name).chain(&one.alias).any(|name| !names.find(PieceKind::Character, name).is_empty())
    };
    propose_cast(&texts, &Meter::default()).into_iter().filter(|one| !is_known(one)).collect()
}

/// Returns the certain proposals, by the ID of the document of first mention.
pub(crate) fn introductions(
    story: &Story,
    fresh: &BTreeSet<String>,
    proposed: &[ProposedCharacter],
) -> BTreeMap<String, Vec<Introduced>> {
    let documents: Vec<&Document> = in_order(story, fresh).collect();
    let mut introduced: BTreeMap<String, Vec<Introduced>> = BTreeMap::new();
    for one in proposed.iter().filter(|one| one.is_sure) {
        let Some(document) = documents.get(one.first) else { continue };
        introduced.entry(document.id.clone()).or_default().push(Introduced {
            kind: IntroducedKind::Character,
            name: one.name.clone(),
            alias: one.alias.clone(),
            quote: one.quote.clone(),
            confidence: SURE,
            ..Introduced::default()
        });
    }
    introduced
}

fn in_order<'s>(story: &'s Story, fresh: &BTreeSet<String>) -> impl Iterator<Item = &'s Document> {
    let documents = chapters::texts(story).into_iter().map(move |position| &story.documents[position]);
    documents.filter(move |document| fresh.contains(&document.id))
}
