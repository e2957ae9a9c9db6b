//! What is felt, by an editable lexicon with negation and degree.
//!
//! A word of feeling weighs 1 to 3, times the degrees before it in its clause. Under a negation the feeling is not there
//! (`不高兴` has no joy), but what the reader takes from it turns round, weaker: -0.6 times the polarity.

use std::collections::BTreeMap;
use std::ops::Range;

use qingyu_story::{Language, Prose};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finder::{Finder, distance};
use super::rounded;
use super::segments::{Segment, spread};
use crate::Error;
use crate::error::{builtin, read};

/// What is left of the polarity of a word when a negation turns it round.
const TURNED: f64 = -0.6;
/// How many words of feeling are listed.
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

/// The words of feeling of one language: the shape of `data/emotion.zh.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lexicon {
    /// The language.
    pub language: Language,
    /// How many characters or words before a word of feeling a negation or degree may stand.
    pub reach: usize,
    /// Words that hide the shorter words in them.
    #[serde(default)]
    pub neutral: Vec<String>,
    /// Words that take a feeling back.
    #[serde(default)]
    pub negations: Vec<String>,
    /// Words that make a feeling stronger or weaker.
    #[serde(default)]
    pub degrees: Vec<Degree>,
    /// The words of each feeling.
    #[serde(default)]
    pub feelings: BTreeMap<Feeling, FeelingWords>,
}

/// Words that multiply a feeling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Degree {
    /// By how much.
    pub factor: f64,
    /// The words.
    pub words: Vec<String>,
}

/// The words of a feeling, by weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeelingWords {
    /// From -1 to 1.
    pub polarity: f64,
    /// They weigh 1.
    #[serde(default)]
    pub mild: Vec<String>,
    /// They weigh 2.
    #[serde(default)]
    pub plain: Vec<String>,
    /// They weigh 3.
    #[serde(default)]
    pub strong: Vec<String>,
}

impl Lexicon {
    /// The built-in lexicon of `language`.
    pub fn builtin(language: Language) -> Self {
        match language {
            Language::Zh => builtin(include_str!("../../data/emotion.zh.toml")),
            Language::En => builtin(include_str!("../../data/emotion.en.toml")),
        }
    }

    /// Reads a lexicon of the user's.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("emotion", toml)
    }

    /// This lexicon with the words of `other`; where both have a word, that of `other` counts.
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

    /// How many words of feeling it has.
    pub fn len(&self) -> usize {
        self.feelings.values().map(|words| words.mild.len() + words.plain.len() + words.strong.len()).sum()
    }

    /// Whether it has no word of feeling.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a word of the lexicon does.
#[derive(Debug, Clone, Copy)]
enum Mark {
    Neutral,
    Negation,
    Degree(f64),
    Feeling { feeling: Feeling, polarity: f64, weight: f64 },
}

/// A feeling at a place.
#[derive(Debug, Clone)]
pub(super) struct Felt {
    feeling: Feeling,
    /// How much of the feeling is there; nothing under a negation.
    weight: f64,
    /// What it adds to the good or, below nothing, to the bad.
    pub(super) signed: f64,
}

impl Felt {
    /// How strongly it moves a reader, whichever way.
    pub(super) fn strength(&self) -> f64 {
        self.weight.max(self.signed.abs())
    }
}

/// Finds feelings in texts of one language.
#[derive(Debug, Clone)]
pub(super) struct Sense {
    finder: Finder<Mark>,
    reach: usize,
}

impl Sense {
    pub(super) fn new(lexicon: &Lexicon) -> Self {
        let all = |words: &[String], mark| words.iter().cloned().map(move |word| (word, mark)).collect::<Vec<_>>();
        let mut words = all(&lexicon.neutral, Mark::Neutral);
        words.extend(all(&lexicon.negations, Mark::Negation));
        words.extend(lexicon.degrees.iter().flat_map(|degree| all(&degree.words, Mark::Degree(degree.factor))));
        for (feeling, list) in &lexicon.feelings {
            for (weight, list_words) in [(1.0, &list.mild), (2.0, &list.plain), (3.0, &list.strong)] {
                let mark = Mark::Feeling { feeling: *feeling, polarity: list.polarity.clamp(-1.0, 1.0), weight };
                words.extend(all(list_words, mark));
            }
        }
        // Of two readings of one word the last of these counts: a feeling before a degree before a negation.
        let words: BTreeMap<String, Mark> = words.into_iter().collect();
        Self { finder: Finder::new(words), reach: lexicon.reach }
    }

    /// The feelings of `text`, in order.
    pub(super) fn feel(&self, text: &str) -> Vec<(Range<usize>, Felt)> {
        let mut felt = Vec::new();
        // What stands before in the clause: where it ends, and what it does.
        let mut before: Vec<(usize, Mark)> = Vec::new();
        for (range, mark) in self.finder.find(text) {
            match *mark {
                Mark::Neutral => {}
                Mark::Negation | Mark::Degree(_) => {
                    if before.last().is_some_and(|(end, _)| !self.reaches(&text[*end..range.start])) {
                        before.clear();
                    }
                    before.push((range.end, *mark));
                }
                Mark::Feeling { feeling, polarity, weight } => {
                    let mut weight = weight;
                    let mut negated = false;
                    if before.last().is_some_and(|(end, _)| self.reaches(&text[*end..range.start])) {
                        for (_, modifier) in &before {
                            match modifier {
                                Mark::Negation => negated = !negated,
                                Mark::Degree(factor) => weight *= factor,
                                Mark::Neutral | Mark::Feeling { .. } => {}
                            }
                        }
                    }
                    before.clear();
                    let turn = if negated { TURNED } else { 1.0 };
                    let signed = weight * polarity * turn;
                    felt.push((range, Felt { feeling, weight: if negated { 0.0 } else { weight }, signed }));
                }
            }
        }
        felt
    }

    fn reaches(&self, between: &str) -> bool {
        // What is longer than this many bytes is longer than the reach, whatever stands in it.
        const LONGEST: usize = 160;
        if between.len() > LONGEST {
            return false;
        }
        let (count, breaks) = distance(between);
        !breaks && count <= self.reach
    }
}

/// The figures of what is felt.
pub(super) fn figures(text: &str, prose: &Prose, segments: &[Segment], felt: &[(Range<usize>, Felt)]) -> Emotion {
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

fn point(span: Range<usize>, felt: &[(Range<usize>, Felt)], length: usize) -> EmotionPoint {
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

fn words(text: &str, felt: &[(Range<usize>, Felt)]) -> Vec<FeltWord> {
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
