//! Reviews a text: words, originality and platform rules, with a single verdict.

use std::collections::BTreeMap;

use qingyu_story::prose::editors_count;
use qingyu_story::{Language, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compliance::{Finding, InspectedChapter, Inspector};
use crate::originality::{ComparisonLibrary, Originality};
use crate::sensitive::{Hit, Scanner};
use crate::{Error, Level};

/// What a review found in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// How strictly it was looked at.
    pub level: Level,
    /// The platform whose rules were applied, by its name.
    pub platform: String,
    /// What people call the platform.
    pub platform_title: String,
    /// The length, as editors count.
    pub length: usize,
    /// What comes of it.
    pub verdict: Verdict,
    /// How many things of which severity were found.
    pub counts: BTreeMap<Severity, usize>,
    /// Words that the level reports.
    pub sensitive: Vec<Hit>,
    /// What stands elsewhere; none if there was nothing to compare with.
    pub originality: Option<Originality>,
    /// Rules of the platform that are not kept.
    pub compliance: Vec<Finding>,
}

/// What comes of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing was found.
    Clean,
    /// What was found may stand on this level.
    Passed,
    /// Something must be mended first.
    Failed,
}

/// A request for a review.
#[derive(Clone, Copy)]
pub struct ReviewRequest<'r> {
    /// The text, with the title if known.
    pub chapter: InspectedChapter<'r>,
    /// The strictness; defaults to the platform's level.
    pub level: Option<Level>,
    /// The name of the platform; defaults to the general rules.
    pub platform: Option<&'r str>,
    /// The texts for comparison, if any.
    pub library: Option<&'r ComparisonLibrary>,
    /// The ids of library texts to ignore, such as the chapter's own.
    pub except: &'r [&'r str],
    /// The language of titles and advice.
    pub language: Language,
}

/// A reviewer of texts. Create once and reuse.
#[derive(Debug, Clone)]
pub struct Reviewer {
    scanner: Scanner,
    inspector: Inspector,
}

impl Reviewer {
    /// Returns a reviewer with the given lists and rules.
    pub fn new(scanner: Scanner, inspector: Inspector) -> Self {
        Self { scanner, inspector }
    }

    /// Returns the inspector with the known platforms.
    pub fn inspector(&self) -> &Inspector {
        &self.inspector
    }

    /// Returns the word scanner.
    pub fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// Reviews a text and returns the result.
    ///
    /// Fails with [`Error::UnknownPlatform`] if no rules of the requested name exist.
    pub fn review(&self, request: &ReviewRequest<'_>) -> Result<Review, Error> {
        let ReviewRequest { chapter, level, platform, library, except, language } = *request;
        let platform = self.inspector.platform(platform)?;
        let level = level.unwrap_or(platform.level);
        let sensitive = self.scanner.scan(chapter.text, level);
        let originality =
            library.filter(|library| !library.is_empty()).map(|library| library.check_except(chapter.text, except));
        let compliance = self.inspector.check(&chapter, platform, language);
        let mut counts = BTreeMap::new();
        let copied = originality.as_ref().and_then(|originality| originality.severity);
        let found = sensitive.iter().map(Hit::severity).chain(copied);
        for severity in found.chain(compliance.iter().map(|finding| finding.severity)) {
            *counts.entry(severity).or_insert(0) += 1;
        }
        Ok(Review {
            level,
            platform: platform.name.clone(),
            platform_title: platform.title(language).to_owned(),
            length: editors_count(chapter.text, chapter.prose.language),
            verdict: verdict(&counts, level),
            counts,
            sensitive,
            originality,
            compliance,
        })
    }
}

impl Default for Reviewer {
    fn default() -> Self {
        Self::new(Scanner::builtin(), Inspector::default())
    }
}

impl Review {
    /// Returns whether a finding reaches the threshold of the level.
    pub fn must_be_mended(&self) -> bool {
        self.verdict == Verdict::Failed
    }
}

fn verdict(counts: &BTreeMap<Severity, usize>, level: Level) -> Verdict {
    match counts.keys().next_back() {
        None => Verdict::Clean,
        Some(worst) if *worst >= level.threshold() => Verdict::Failed,
        Some(_) => Verdict::Passed,
    }
}
