//! QS011: a long sentence occurs twice, in one chapter or in two.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::prose::SentenceVoice;
use crate::prose::sketch::least_length;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs011_repeated_sentence.toml");
    Rule::new("QS011", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let is_long = |place: chapters::SentencePosition, length: usize| {
        length >= least_length(material.chapters[place.chapter].prose.language)
    };
    // A caption quotes the text, and verse contains repetitions.
    let prose = material.sentences().filter(|(_, sentence)| sentence.voice != SentenceVoice::Apart);
    let long = prose.filter(|(place, sentence)| is_long(*place, sentence.length)).map(|(place, _)| place);
    let groups = chapters::same(material, long).into_iter();
    // People may repeat themselves, and letters and verse are quoted again.
    let is_spoken = |place: &chapters::SentencePosition| material.sentence(*place).voice == SentenceVoice::Spoken;
    let is_formula = |place: &chapters::SentencePosition| {
        let chapter = &material.chapters[place.chapter];
        chapters::is_formula(chapter.words(&material.sentence(*place).range))
    };
    let groups = groups
        .filter(|places| places.len() > 2 || !places.iter().any(is_spoken))
        .filter(|places| !material.are_ends(places) && !is_formula(&places[0]))
        .collect();
    chapters::drafts_of_groups(material, "same", &passages(groups))
}

/// Removes groups merely continuing another group: a duplicate passage is one finding, at its beginning.
fn passages(mut groups: Vec<Vec<chapters::SentencePosition>>) -> Vec<Vec<chapters::SentencePosition>> {
    /// The maximum number of differing or short sentences within a passage.
    const GAP: usize = 30;
    groups.sort();
    let mut kept: Vec<Vec<chapters::SentencePosition>> = Vec::new();
    let mut last: Option<Vec<chapters::SentencePosition>> = None;
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
