//! Picks sentences which illustrate the figures.

use std::ops::Range;

use qingyu_story::Prose;
use qingyu_story::prose::ProseSentence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::emotion::FeelingHit;
use super::pace::Pace;
use super::ratio::rounded;
use super::segments::Segment;

/// The most emotional sentences quoted.
const EMOTIONAL: usize = 5;

/// A place of the text that shows a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quote {
    /// What it shows.
    pub shows: Shown,
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// The words.
    pub text: String,
    /// The figure: a length, a strength of feeling, or a pace.
    pub value: f64,
}

/// What a quote shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The longest sentence.
    LongestSentence,
    /// The longest paragraph, by its first sentence.
    LongestParagraph,
    /// The sentence with the most good feeling.
    MostPositive,
    /// The sentence with the most bad feeling.
    MostNegative,
    /// A sentence with much feeling of any kind.
    Emotional,
    /// The first sentence of the quickest part.
    Quickest,
    /// The first sentence of the slowest part.
    Slowest,
}

/// Returns the sentences illustrating the figures, by figure.
pub(super) fn pick(
    text: &str,
    prose: &Prose,
    segments: &[Segment],
    felt: &[(Range<usize>, FeelingHit)],
    pace: &Pace,
) -> Vec<Quote> {
    let mut quotes = Vec::new();
    let mut quote = |shows, span: &Range<usize>, value: f64| {
        quotes.push(Quote { shows, span: span.clone(), text: text[span.clone()].to_owned(), value: rounded(value) });
    };
    if let Some(longest) = first_most(prose.sentences.iter(), |sentence| sentence.length as f64) {
        quote(Shown::LongestSentence, &longest.range, longest.length as f64);
    }
    if let Some(longest) = first_most(prose.paragraphs.iter(), |paragraph| paragraph.length as f64)
        && let Some(first) = prose.sentences.get(longest.sentences.start)
    {
        quote(Shown::LongestParagraph, &first.range, longest.length as f64);
    }
    let (signed, strength) = by_sentence(prose, felt);
    let weighed = || prose.sentences.iter().zip(&signed).zip(&strength);
    let best = first_most(weighed(), |((_, signed), _)| **signed).filter(|((_, signed), _)| **signed > 0.0);
    if let Some(((sentence, signed), _)) = best {
        quote(Shown::MostPositive, &sentence.range, *signed);
    }
    let worst = first_most(weighed(), |((_, signed), _)| -**signed).filter(|((_, signed), _)| **signed < 0.0);
    if let Some(((sentence, signed), _)) = worst {
        quote(Shown::MostNegative, &sentence.range, *signed);
    }
    let mut emotional: Vec<(&ProseSentence, f64)> = weighed()
        .map(|((sentence, _), strength)| (sentence, *strength))
        .filter(|(_, strength)| *strength > 0.0)
        .collect();
    emotional.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (sentence, strength) in emotional.into_iter().take(EMOTIONAL) {
        quote(Shown::Emotional, &sentence.range, strength);
    }
    if segments.len() > 1 {
        let parts = || segments.iter().zip(&pace.curve);
        let sides = [
            (Shown::Quickest, first_most(parts(), |(_, point)| point.pace)),
            (Shown::Slowest, first_most(parts(), |(_, point)| -point.pace)),
        ];
        for (shows, part) in sides {
            if let Some((segment, point)) = part
                && let Some(first) = prose.sentences.get(segment.sentences.start)
            {
                quote(shows, &first.range, point.pace);
            }
        }
    }
    quotes
}

/// Returns the polarity and the emotional strength of each sentence.
fn by_sentence(prose: &Prose, felt: &[(Range<usize>, FeelingHit)]) -> (Vec<f64>, Vec<f64>) {
    let mut signed = vec![0.0; prose.sentences.len()];
    let mut strength = signed.clone();
    let mut at = 0;
    for (range, felt) in felt {
        while prose.sentences.get(at).is_some_and(|sentence| sentence.range.end <= range.start) {
            at += 1;
        }
        if prose.sentences.get(at).is_some_and(|sentence| sentence.range.contains(&range.start)) {
            signed[at] += felt.signed;
            strength[at] += felt.strength();
        }
    }
    (signed, strength)
}

/// Returns the first item with the greatest value.
fn first_most<T>(all: impl Iterator<Item = T>, value: impl Fn(&T) -> f64) -> Option<T> {
    all.reduce(|most, next| if value(&next) > value(&most) { next } else { most })
}
