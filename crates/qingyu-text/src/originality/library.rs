//! Holds texts for comparison.

use qingyu_story::Severity;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::passages::{CommonPassage, PassageLimits, ShinglePositions, common};
use super::result::{Originality, Passage, SourceShare};
use super::signature::{ASKED, KEPT, each_band};
use super::tokens::TextTokens;
use crate::Error;
use crate::error::{builtin, read};
use crate::figures::share;

/// The most texts compared word for word, ordered by shared bands.
const COMPARED: usize = 200;
/// The most passages returned, the longest first.
const TOLD: usize = 500;

/// The thresholds and exceptions for copied text, parsed from `data/originality.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OriginalityRules {
    /// The thresholds of the copied share by severity.
    pub(crate) shares: ShareThresholds,
    /// The least length of a passage.
    pub(crate) least: LeastPassageLength,
    /// Common formulas.
    #[serde(default)]
    pub(crate) formulas: Formulas,
}

/// The thresholds of the copied share by severity, from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShareThresholds {
    /// A little.
    pub(crate) low: f64,
    /// Should be fixed.
    pub(crate) medium: f64,
    /// Must be fixed.
    pub(crate) high: f64,
    /// Unacceptable.
    pub(crate) critical: f64,
}

/// The least length of a passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeastPassageLength {
    /// In Chinese characters.
    pub(crate) zh: usize,
    /// In English words.
    pub(crate) en: usize,
}

/// Common formulas, which do not count as copies.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Formulas {
    /// The formulas.
    pub(crate) texts: Vec<String>,
}

impl OriginalityRules {
    /// Returns the built-in rules.
    pub fn builtin() -> Self {
        builtin(include_str!("../../data/originality.toml"))
    }

    /// Parses user-supplied rules.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("originality", toml)
    }

    /// Returns the rules with the formulas of `other` appended; the numbers of `other` override.
    pub fn extended(self, mut other: Self) -> Self {
        other.formulas.texts.extend(self.formulas.texts);
        other
    }

    /// Returns the severity of a copied share, or `None` below all thresholds.
    pub fn severity(&self, share: f64) -> Option<Severity> {
        let steps = [
            (self.shares.critical, Severity::Critical),
            (self.shares.high, Severity::High),
            (self.shares.medium, Severity::Medium),
            (self.shares.low, Severity::Low),
        ];
        steps.into_iter().find(|(from, _)| share >= *from && share > 0.0).map(|(_, severity)| severity)
    }

    fn measure(&self, is_han: bool) -> PassageLimits {
        match is_han {
            true => PassageLimits { shingle: 6, least: self.least.zh.max(6), gap: 6 },
            false => PassageLimits { shingle: 5, least: self.least.en.max(5), gap: 4 },
        }
    }
}

/// An incremental library of texts for comparison, by id.
#[derive(Debug, Clone)]
pub struct ComparisonLibrary {
    rules: OriginalityRules,
    /// The shingles of the formulas, in both sizes.
    formulas: FxHashSet<u64>,
    texts: Vec<Option<LibraryText>>,
    numbers: FxHashMap<String, u32>,
    bands: Bands,
}

#[derive(Debug, Clone)]
struct LibraryText {
    id: String,
    text: String,
}

/// An index from bands to texts. Nearly every band belongs to a single text.
#[derive(Debug, Clone, Default)]
struct Bands {
    first: FxHashMap<u32, u32>,
    more: FxHashMap<u32, Vec<u32>>,
}

impl Bands {
    fn add(&mut self, band: u32, text: u32) {
        let first = *self.first.entry(band).or_insert(text);
        if first != text {
            let more = self.more.entry(band).or_default();
            if more.last() != Some(&text) {
                more.push(text);
            }
        }
    }

    fn of(&self, band: u32) -> impl Iterator<Item = u32> {
        let more = self.more.get(&band).map(Vec::as_slice).unwrap_or_default();
        self.first.get(&band).into_iter().chain(more).copied()
    }
}

impl ComparisonLibrary {
    /// Returns an empty library with the given rules.
    pub fn new(rules: OriginalityRules) -> Self {
        let mut formulas = FxHashSet::default();
        for formula in &rules.formulas.texts {
            let tokens = TextTokens::of(formula);
            formulas.extend(tokens.shingles(rules.measure(tokens.is_han).shingle));
        }
        Self { rules, formulas, texts: Vec::new(), numbers: FxHashMap::default(), bands: Bands::default() }
    }

    /// Inserts a text, replacing a text with the same id.
    pub fn insert(&mut self, id: &str, text: &str) {
        self.remove(id);
        let number = self.texts.len() as u32;
        self.index(number, text);
        self.texts.push(Some(LibraryText { id: id.to_owned(), text: text.to_owned() }));
        self.numbers.insert(id.to_owned(), number);
    }

    /// Removes a text; returns whether the id existed.
    pub fn remove(&mut self, id: &str) -> bool {
        let Some(number) = self.numbers.remove(id) else { return false };
        self.texts[number as usize] = None;
        if self.numbers.len() * 2 < self.texts.len() && self.texts.len() > 16 {
            self.make_anew();
        }
        true
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether the library is empty.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Returns the passages `text` shares with the library.
    pub fn check(&self, text: &str) -> Originality {
        self.check_except(text, &[])
    }

    /// Returns the passages `text` shares with the library, ignoring texts with the ids in `except`: a chapter is not
    /// copied from an earlier version of itself.
    pub(crate) fn check_except(&self, text: &str, except: &[&str]) -> Originality {
        let here = TextTokens::of(text);
        let measure = self.rules.measure(here.is_han);
        let shingles = here.shingles(measure.shingle);
        let places = ShinglePositions::of(&shingles);
        let said_by_all = self.formula_tokens(&shingles, here.hashes.len(), measure.shingle);
        let mut covered = vec![false; here.hashes.len()];
        let mut originality = Originality { length: here.hashes.len(), ..Originality::default() };
        for number in self.worth_comparing(&shingles, except) {
            let Some(kept) = &self.texts[number as usize] else { continue };
            originality.compared += 1;
            let there = TextTokens::of(&kept.text);
            let mut found = common(&here, &places, &there, measure);
            found.retain(|common| {
                let own = common.here.clone().filter(|token| !said_by_all[*token]).count();
                common.is_copied(own, measure.least)
            });
            if found.is_empty() {
                continue;
            }
            let mut copied = 0;
            let mut longest = 0;
            for common in &found {
                longest = longest.max(common.same);
                copied += common.here.len();
                covered[common.here.clone()].fill(true);
                originality.passages.push(passage(text, &here, kept, &there, common));
            }
            originality.sources.push(SourceShare {
                source: kept.id.clone(),
                share: share(copied, here.hashes.len()),
                passages: found.len(),
                longest,
            });
        }
        originality.copied = covered.iter().filter(|covered| **covered).count();
        originality.share = share(originality.copied, originality.length);
        originality.severity = self.rules.severity(originality.share);
        originality.passages.sort_by_key(|passage| std::cmp::Reverse(passage.same));
        originality.passages.truncate(TOLD);
        originality
            .passages
            .sort_by(|a, b| (a.span.start, a.span.end, &a.source).cmp(&(b.span.start, b.span.end, &b.source)));
        originality.sources.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.source.cmp(&b.source)));
        originality
    }

    fn index(&mut self, number: u32, text: &str) {
        let tokens = TextTokens::of(text);
        let shingles = tokens.shingles(self.rules.measure(tokens.is_han).shingle);
        each_band(&shingles, KEPT, |band| self.bands.add(band, number));
    }

    /// Rebuilds the index without the bands of removed texts.
    fn make_anew(&mut self) {
        let kept: Vec<LibraryText> = std::mem::take(&mut self.texts).into_iter().flatten().collect();
        self.bands = Bands::default();
        self.numbers.clear();
        for kept in kept {
            let number = self.texts.len() as u32;
            self.index(number, &kept.text);
            self.numbers.insert(kept.id.clone(), number);
            self.texts.push(Some(kept));
        }
    }

    /// Returns the texts sharing a band with the given shingles, ordered by the number of shared bands.
    fn worth_comparing(&self, shingles: &[u64], except: &[&str]) -> Vec<u32> {
        let mut shared: FxHashMap<u32, u32> = FxHashMap::default();
        let mut asked: FxHashSet<u32> = FxHashSet::default();
        each_band(shingles, ASKED, |band| {
            if asked.insert(band) {
                for text in self.bands.of(band) {
                    *shared.entry(text).or_default() += 1;
                }
            }
        });
        let is_there =
            |text: &u32| self.texts[*text as usize].as_ref().is_some_and(|kept| !except.contains(&kept.id.as_str()));
        let mut texts: Vec<(u32, u32)> = shared.into_iter().filter(|(text, _)| is_there(text)).collect();
        texts.sort_by_key(|(text, bands)| (std::cmp::Reverse(*bands), *text));
        texts.truncate(COMPARED);
        texts.into_iter().map(|(text, _)| text).collect()
    }

    /// Returns for each of `count` tokens whether the token belongs to a formula.
    fn formula_tokens(&self, shingles: &[u64], count: usize, size: usize) -> Vec<bool> {
        let mut formula = vec![false; count];
        for (at, shingle) in shingles.iter().enumerate() {
            if self.formulas.contains(shingle) {
                formula[at..at + size].fill(true);
            }
        }
        formula
    }
}

impl Default for ComparisonLibrary {
    fn default() -> Self {
        Self::new(OriginalityRules::builtin())
    }
}

fn passage(text: &str, here: &TextTokens, kept: &LibraryText, there: &TextTokens, common: &CommonPassage) -> Passage {
    let (span, source_span) = (here.span(&common.here), there.span(&common.there));
    Passage {
        text: text[span.clone()].to_owned(),
        source: kept.id.clone(),
        source_text: kept.text[source_span.clone()].to_owned(),
        same: common.same,
        verbatim: common.same == common.here.len() && common.same == common.there.len(),
        span,
        source_span,
    }
}
