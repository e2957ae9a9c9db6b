//! Measures emotion with an editable lexicon, negation and degrees.
//!
//! A word of feeling weighs 1 to 3, multiplied by the preceding degrees in the clause. A negation removes the feeling
//! (`不高兴` has no joy) but reverses the polarity with a factor of -0.6.

use std::collections::BTreeMap;
use std::ops::Range;

use qingyu_story::{Language, Prose};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finder::{WordFinder, distance};
use super::ratio::rounded;
use super::segments::{Segment, spread};
use crate::Error;
use crate::error::{builtin, read};

/// The polarity factor under a negation.
const TURNED: f64 = -0.6;
/// The most words of feeling returned.
const WORDS: usize = 24;

/// A feeling. The first six are Ekman's; love is usual in lexicons of Chinese (乐 好 怒 哀 惧 恶 惊).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Feeling {
    /// 乐
    Joy,
    /// 好
    Love,
    /// 怒
    Anger,
    /// 哀
    Sadness,
    /// 惧
    Fear,
    /// 恶
    Disgust,
    /// 惊
    Surprise,
}

impl Feeling {
    /// All feelings.
    pub const ALL: [Self; 7] =
        [Self::Joy, Self::Love, Self::Anger, Self::Sadness, Self::Fear, Self::Disgust, Self::Surprise];
}

/// What is felt in a text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Emotion {
    /// From -1 (all bad) to 1 (all good); 0 where both are even or nothing is felt.
    pub polarity: f64,
    /// The weight of all feeling in 1,000 characters or words.
    pub intensity: f64,
    /// The weight of each feeling in 1,000 characters or words; what is not there is left out.
    pub feelings: BTreeMap<Feeling, f64>,
    /// The same along the text.
    pub curve: Vec<EmotionPoint>,
    /// The words that carry it, the heaviest first.
    pub words: Vec<FeltWord>,
}

/// What is felt in a part of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EmotionPoint {
    /// The part, in bytes.
    pub span: Range<usize>,
    /// From -1 to 1.
    pub polarity: f64,
    /// The weight of all feeling in 1,000 characters or words.
    pub intensity: f64,
    /// The weight of each feeling in 1,000 characters or words.
    pub feelings: BTreeMap<Feeling, f64>,
    /// The heaviest feeling, if there is one.
    pub leading: Option<Feeling>,
}

/// A word that carries feeling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FeltWord {
    /// The word as the text has it first.
    pub word: String,
    /// The feeling.
    pub feeling: Feeling,
    /// How often it is felt; where it is negated it is not.
    pub count: usize,
}

/// The words of feeling of a language, parsed from files like `data/emotion.zh.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmotionLexicon {
    /// The language.
    pub(crate) language: Language,
    /// The greatest distance of a negation or degree before a word of feeling, in characters or words.
    pub(crate) reach: usize,
    /// Neutral words which hide the shorter words within.
    #[serde(default)]
    pub(crate) neutral: Vec<String>,
    /// Negations.
    #[serde(default)]
    pub(crate) negations: Vec<String>,
    /// Words which strengthen or weaken a feeling.
    #[serde(default)]
    pub(crate) degrees: Vec<Degree>,
    /// The words of each feeling.
    #[serde(default)]
    pub(crate) feelings: BTreeMap<Feeling, FeelingWords>,
}

/// Words which multiply a feeling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Degree {
    /// The factor.
    pub(crate) factor: f64,
    /// The words.
    pub(crate) words: Vec<String>,
}

/// The words of a feeling, by weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeelingWords {
    /// The polarity, from -1 to 1.
    pub(crate) polarity: f64,
    /// Words of weight 1.
    #[serde(default)]
    pub(crate) mild: Vec<String>,
    /// Words of weight 2.
    #[serde(default)]
    pub(crate) plain: Vec<String>,
    /// Words of weight 3.
    #[serde(default)]
    pub(crate) strong: Vec<String>,
}

impl EmotionLexicon {
    /// Returns the built-in lexicon of `language`.
    pub fn builtin(language: Language) -> Self {
        match language {
            Language::Zh => builtin(include_str!("../../data/emotion.zh.toml")),
            Language::En => builtin(include_str!("../../data/emotion.en.toml")),
        }
    }

    /// Parses a user-supplied lexicon.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("emotion", toml)
    }

    /// Returns the lexicon extended by `other`, which overrides duplicate words.
    pub fn extended(mut self, other: Self) -> Self {
        self.neutral.extend(other.neutral);
        self.negations.extend(other.negations);
        self.degrees.extend(other.degrees);
        let is_new = |word: &String| {
            let lists = other.feelings.values().flat_map(|words| [&words.mild, &words.plain, &words.strong]);
            !lists.flatten().any(|other| other == word)
        };
        for words in self.feelings.values_mut() {
            for list in [&mut words.mild, &mut words.plain, &mut words.strong] {
                list.retain(is_new);
            }
        }
        for (feeling, words) in other.feelings {
            match self.feelings.get_mut(&feeling) {
                Some(mine) => {
                    mine.polarity = words.polarity;
                    mine.mild.extend(words.mild);
                    mine.plain.extend(words.plain);
                    mine.strong.extend(words.strong);
                }
                None => drop(self.feelings.insert(feeling, words)),
            }
        }
        self
    }

    /// Returns the number of words of feeling.
    pub fn len(&self) -> usize {
        self.feelings.values().map(|words| words.mild.len() + words.plain.len() + words.strong.len()).sum()
    }

    /// Returns whether the lexicon has no words of feeling.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The effect of a lexicon word.
#[derive(Debug, Clone, Copy)]
enum LexiconMark {
    Neutral,
    Negation,
    Degree(f64),
    Feeling { feeling: Feeling, polarity: f64, weight: f64 },
}

/// A feeling found at a position.
#[derive(Debug, Clone)]
pub(super) struct FeelingHit {
    feeling: Feeling,
    /// The weight of the feeling; 0 under a negation.
    weight: f64,
    /// The contribution to the polarity, negative for bad.
    pub(super) signed: f64,
}

impl FeelingHit {
    /// Returns the strength of the effect on a reader, in either direction.
    pub(super) fn strength(&self) -> f64 {
        self.weight.max(self.signed.abs())
    }
}

/// A scanner for feelings in texts of a language.
#[derive(Debug, Clone)]
pub(super) struct EmotionScanner {
    finder: WordFinder<LexiconMark>,
    reach: usize,
}

impl EmotionScanner {
    pub(super) fn new(lexicon: &EmotionLexicon) -> Self {
        let all = |words: &[String], mark| words.iter().cloned().map(move |word| (word, mark)).collect::<Vec<_>>();
        let mut words = all(&lexicon.neutral, LexiconMark::Neutral);
        words.extend(all(&lexicon.negations, LexiconMark::Negation));
        words.extend(lexicon.degrees.iter().flat_map(|degree| all(&degree.words, LexiconMark::Degree(degree.factor))));
        for (feeling, list) in &lexicon.feelings {
            for (weight, list_words) in [(1.0, &list.mild), (2.0, &list.plain), (3.0, &list.strong)] {
                let mark = LexiconMark::Feeling { feeling: *feeling, polarity: list.polarity.clamp(-1.0, 1.0), weight };
                words.extend(all(list_words, mark));
            }
        }
        // For duplicate words the last insert wins: a feeling overrides a degree, a degree overrides a negation.
        let words: BTreeMap<String, LexiconMark> = words.into_iter().collect();
        Self { finder: WordFinder::new(words), reach: lexicon.reach }
    }

    /// Returns the feelings of `text`, in order.
    pub(super) fn feel(&self, text: &str) -> Vec<(Range<usize>, FeelingHit)> {
        let mut felt = Vec::new();
        // The preceding marks in the clause: their end and their effect.
        let mut before: Vec<(usize, LexiconMark)> = Vec::new();
        for (range, mark) in self.finder.find(text) {
            match *mark {
                LexiconMark::Neutral => {}
                LexiconMark::Negation | LexiconMark::Degree(_) => {
                    if before.last().is_some_and(|(end, _)| !self.reaches(&text[*end..range.start])) {
                        before.clear();
                    }
                    before.push((range.end, *mark));
                }
                LexiconMark::Feeling { feeling, polarity, weight } => {
                    let mut weight = weight;
                    let mut negated = false;
                    if before.last().is_some_and(|(end, _)| self.reaches(&text[*end..range.start])) {
                        for (_, modifier) in &before {
                            match modifier {
                                LexiconMark::Negation => negated = !negated,
                                LexiconMark::Degree(factor) => weight *= factor,
                                LexiconMark::Neutral | LexiconMark::Feeling { .. } => {}
                            }
                        }
                    }
                    before.clear();
                    let turn = if negated { TURNED } else { 1.0 };
                    let signed = weight * polarity * turn;
                    felt.push((range, FeelingHit { feeling, weight: if negated { 0.0 } else { weight }, signed }));
                }
            }
        }
        felt
    }

    fn reaches(&self, between: &str) -> bool {
        // A gap of more bytes always exceeds the reach.
        const LONGEST: usize = 160;
        if between.len() > LONGEST {
            return false;
        }
        let (count, breaks) = distance(between);
        !breaks && count <= self.reach
    }
}

/// Returns the emotion figures.
pub(super) fn figures(text: &str, prose: &Prose, segments: &[Segment], felt: &[(Range<usize>, FeelingHit)]) -> Emotion {
    let whole = point(0..text.len(), felt, prose.length);
    let parts = spread(segments, felt).into_iter().zip(segments);
    let curve = parts.map(|(part, segment)| point(segment.span.clone(), &felt[part], segment.length)).collect();
    Emotion {
        polarity: whole.polarity,
        intensity: whole.intensity,
        feelings: whole.feelings,
        curve,
        words: words(text, felt),
    }
}

fn point(span: Range<usize>, felt: &[(Range<usize>, FeelingHit)], length: usize) -> EmotionPoint {
    let (mut good, mut bad, mut all) = (0.0, 0.0, 0.0);
    let mut feelings: BTreeMap<Feeling, f64> = BTreeMap::new();
    for (_, felt) in felt {
        good += felt.signed.max(0.0);
        bad += (-felt.signed).max(0.0);
        all += felt.strength();
        if felt.weight > 0.0 {
            *feelings.entry(felt.feeling).or_default() += felt.weight;
        }
    }
    let per_thousand = |weight: f64| if length == 0 { 0.0 } else { rounded(weight * 1000.0 / length as f64) };
    let leading = feelings.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0))).map(|(feeling, _)| *feeling);
    EmotionPoint {
        span,
        polarity: if good + bad > 0.0 { rounded((good - bad) / (good + bad)) } else { 0.0 },
        intensity: per_thousand(all),
        feelings: feelings.into_iter().map(|(feeling, weight)| (feeling, per_thousand(weight))).collect(),
        leading,
    }
}

fn words(text: &str, felt: &[(Range<usize>, FeelingHit)]) -> Vec<FeltWord> {
    let mut counts: FxHashMap<String, (usize, f64, usize, Feeling)> = FxHashMap::default();
    for (range, felt) in felt.iter().filter(|(_, felt)| felt.weight > 0.0) {
        let word = text[range.clone()].to_lowercase();
        let (count, weight, ..) = counts.entry(word).or_insert((0, 0.0, range.start, felt.feeling));
        *count += 1;
        *weight += felt.weight;
    }
    let mut words: Vec<_> = counts.into_iter().collect();
    words.sort_by(|(_, (_, a, at, _)), (_, (_, b, other, _))| b.total_cmp(a).then(at.cmp(other)));
    words.truncate(WORDS);
    words.into_iter().map(|(word, (count, _, _, feeling))| FeltWord { word, feeling, count }).collect()
}
