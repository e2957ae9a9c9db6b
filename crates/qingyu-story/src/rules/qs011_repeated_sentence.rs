//! QS011: a long sentence stands twice, in one chapter or in two.

use super::{Draft, Material, Rule, chapters};
use crate::prose::Voice;
use crate::prose::sketch::least_length;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs011_repeated_sentence.toml");
    Rule::new("QS011", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let is_long = |place: chapters::Place, length: usize| {
        length >= least_length(material.chapters[place.chapter].prose.language)
    };
    // A caption quotes the text, and a verse repeats itself.
    let prose = material.sentences().filter(|(_, sentence)| sentence.voice != Voice::Apart);
    let long = prose.filter(|(place, sentence)| is_long(*place, sentence.length)).map(|(place, _)| place);
    let groups = chapters::same(material, long).into_iter();
    // People may say a thing twice, and letters and verses are quoted again.
    let is_spoken = |place: &chapters::Place| material.sentence(*place).voice == Voice::Spoken;
    let is_formula = |place: &chapters::Place| {
        let chapter = &material.chapters[place.chapter];
        chapters::is_formula(chapter.words(&material.sentence(*place).range))
    };
    let groups = groups
        .filter(|places| places.len() > 2 || !places.iter().any(is_spoken))
        .filter(|places| !material.are_ends(places) && !is_formula(&places[0]))
        .collect();
    passages(groups).iter().map(|places| chapters::draft_of_places(material, "same", places)).collect()
}

/// The groups but for those that only go on with another: a passage that stands twice is one finding, at its beginning.
fn passages(mut groups: Vec<Vec<chapters::Place>>) -> Vec<Vec<chapters::Place>> {
    /// So many sentences that are not the same, or too short, may stand between.
    const GAP: usize = 30;
    groups.sort();
    let mut kept: Vec<Vec<chapters::Place>> = Vec::new();
    let mut last: Option<Vec<chapters::Place>> = None;
    for places in groups {
        let goes_on = last.as_ref().is_some_and(|last| {
            last.len() == places.len()
                && last.iter().zip(&places).all(|(before, now)| {
                    before.chapter == now.chapter && (1..=GAP).contains(&now.sentence.saturating_sub(before.sentence))
                })
        });
        if !goes_on {
            kept.push(places.clone());
        }
        last = Some(places);
    }
    kept
}
