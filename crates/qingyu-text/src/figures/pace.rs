//! Measures the pace along a text.

use std::ops::Range;

use qingyu_story::{Language, Prose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finder::{WordFinder, distance};
use super::ratio::{rounded, share};
use super::segments::{Segment, spread};
use crate::Error;
use crate::error::{builtin, read};

/// How quick a text is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Pace {
    /// The pace of the whole, from 0 (slow) to 1 (quick).
    pub mean: f64,
    /// Words of action in 1,000 characters or words.
    pub actions: f64,
    /// The same along the text.
    pub curve: Vec<PacePoint>,
}

/// How quick a part of a text is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PacePoint {
    /// The part, in bytes.
    pub span: Range<usize>,
    /// The mean length of its sentences.
    pub sentence: f64,
    /// What of it is spoken, from 0 to 1.
    pub dialogue: f64,
    /// Words of action in 1,000 characters or words.
    pub actions: f64,
    /// From 0 to 1, as `data/pace.toml` weighs.
    pub pace: f64,
}

/// The lists and weights for the pace, parsed from `data/pace.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaceWords {
    /// The weights.
    pub(crate) weights: PaceWeights,
    /// The Chinese lists.
    pub(crate) zh: LanguagePace,
    /// The English lists.
    pub(crate) en: LanguagePace,
}

/// The weights of the parts of the pace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaceWeights {
    /// The weight of short sentences.
    pub(crate) sentences: f64,
    /// The weight of dialogue.
    pub(crate) dialogue: f64,
    /// The weight of action words.
    pub(crate) actions: f64,
}

/// The pace lists and norms of a language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LanguagePace {
    /// The typical length of a sentence, in characters or words.
    pub(crate) typical_sentence: f64,
    /// The typical number of action words per 1,000.
    pub(crate) typical_actions: f64,
    /// Action words.
    pub(crate) actions: Vec<String>,
    /// Neutral words which hide the shorter words within.
    #[serde(default)]
    pub(crate) still: Vec<String>,
}

impl PaceWords {
    /// Returns the built-in lists.
    pub fn builtin() -> Self {
        builtin(include_str!("../../data/pace.toml"))
    }

    /// Parses user-supplied lists.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("pace", toml)
    }

    /// Returns the lists with the lists of `other` appended; the numbers of `other` override.
    pub fn extended(self, other: Self) -> Self {
        let join = |mine: LanguagePace, mut others: LanguagePace| {
            others.actions.extend(mine.actions);
            others.still.extend(mine.still);
            others
        };
        Self { weights: other.weights, zh: join(self.zh, other.zh), en: join(self.en, other.en) }
    }
}

/// A meter for the pace of texts in a language.
#[derive(Debug, Clone)]
pub(super) struct PaceMeter {
    /// A matcher; the value is true for action words.
    finder: WordFinder<bool>,
    weights: PaceWeights,
    typical_sentence: f64,
    typical_actions: f64,
}

impl PaceMeter {
    pub(super) fn new(words: &PaceWords, language: Language) -> Self {
        let quick = match language {
            Language::Zh => &words.zh,
            Language::En => &words.en,
        };
        let sought = quick.actions.iter().map(|word| (word.clone(), true));
        let hiding = quick.still.iter().map(|word| (word.clone(), false));
        Self {
            finder: WordFinder::new(sought.chain(hiding)),
            weights: words.weights.clone(),
            typical_sentence: quick.typical_sentence.max(1.0),
            typical_actions: quick.typical_actions.max(1.0),
        }
    }

    pub(super) fn measure(&self, text: &str, prose: &Prose, segments: &[Segment]) -> Pace {
        let mut actions = self.finder.find(text);
        actions.retain(|(_, is_action)| **is_action);
        let mut spoken = vec![0; segments.len()];
        for speech in &prose.speeches {
            let at = segments.partition_point(|segment| segment.span.end <= speech.range.start);
            spread_over(text, &speech.range, segments, at, &mut spoken);
        }
        let parts = spread(segments, &actions).into_iter().zip(segments).zip(&spoken);
        let curve: Vec<PacePoint> = parts
            .map(|((found, segment), spoken)| {
                self.point(segment.span.clone(), segment.length, segment.sentences.len(), *spoken, found.len())
            })
            .collect();
        let length = segments.iter().map(|segment| segment.length).sum();
        let whole = self.point(0..text.len(), length, prose.sentences.len(), spoken.iter().sum(), actions.len());
        Pace { mean: whole.pace, actions: whole.actions, curve }
    }

    fn point(&self, span: Range<usize>, length: usize, sentences: usize, spoken: usize, actions: usize) -> PacePoint {
        if length == 0 || sentences == 0 {
            return PacePoint { span, sentence: 0.0, dialogue: 0.0, actions: 0.0, pace: 0.0 };
        }
        let sentence = length as f64 / sentences as f64;
        let dialogue = share(spoken, length).min(1.0);
        let actions = actions as f64 * 1000.0 / length as f64;
        let PaceWeights { sentences: by_sentences, dialogue: by_dialogue, actions: by_actions } = self.weights;
        let all = (by_sentences + by_dialogue + by_actions).max(f64::MIN_POSITIVE);
        let pace = by_sentences * self.typical_sentence / (self.typical_sentence + sentence)
            + by_dialogue * dialogue
            + by_actions * actions / (actions + self.typical_actions);
        PacePoint { span, sentence: rounded(sentence), dialogue, actions: rounded(actions), pace: rounded(pace / all) }
    }
}

/// Adds the length of a speech to the overlapping parts, beginning with the part at `at`.
fn spread_over(text: &str, speech: &Range<usize>, segments: &[Segment], at: usize, spoken: &mut [usize]) {
    for (segment, spoken) in segments.iter().zip(spoken).skip(at) {
        let (from, to) = (speech.start.max(segment.span.start), speech.end.min(segment.span.end));
        if from >= to {
            break;
        }
        *spoken += distance(&text[from..to]).0;
    }
}
