//! Analysis and review of texts without a model.

use qingyu_agents::service::Yardstick;
use qingyu_story::{Language, Names, Prose};
use qingyu_text::compliance::{InspectedChapter, Inspector, PlatformRules, split_title};
use qingyu_text::figures::{Figures, Meter, MeterInput};
use qingyu_text::report::{Review, ReviewRequest, Reviewer, Verdict};
use qingyu_text::{ComparisonLibrary, Level, OriginalityRules, Scanner};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Noun};

/// An analyser and reviewer of texts with the author's lists, reusable for any number of texts.
#[derive(Debug, Clone)]
pub(crate) struct Examiner {
    pub(super) meter: Meter,
    reviewer: Reviewer,
    originality: OriginalityRules,
}

/// The analysis of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextAnalysis {
    /// The title of the text.
    pub title: String,
    /// The document ID, for a single chapter of a project.
    pub document: Option<String>,
    /// The figures. Spans are byte ranges of the text; for a whole project, of all chapters joined by an empty line.
    pub figures: Figures,
}

/// The review of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewedText {
    /// The title of the text.
    pub title: String,
    /// The document ID, for a chapter of a project.
    pub document: Option<String>,
    /// The findings. Spans are byte ranges of the text.
    pub review: Review,
}

/// The reviews of several texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewSummary {
    /// The worst of the verdicts.
    pub verdict: Verdict,
    /// The review of each text.
    pub reviews: Vec<ReviewedText>,
}

/// The options of a review.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewOptions {
    /// The strictness; by default the platform's level.
    pub level: Option<Level>,
    /// The platform's rules to apply.
    pub platform: PlatformChoice,
    /// Other texts, as title and words, to compare for copied passages.
    pub against: Vec<(String, String)>,
    /// The language of titles and advice.
    pub language: Language,
}

/// The rules of a review.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlatformChoice {
    /// The general rules.
    #[default]
    General,
    /// The rules of a known platform, by name.
    Named(String),
    /// Rules in the format of a platform file.
    Rules(String),
}

impl Examiner {
    /// Analyses a text outside any project.
    pub(crate) fn analyze(&self, title: &str, text: &str) -> TextAnalysis {
        self.measure(title.to_owned(), None, text, None)
    }

    /// Reviews a text outside any project. The first line is the title if it looks like a heading.
    ///
    /// Returns [`Error::Unknown`] if the platform has no rules, [`Error::BadMaterial`] if the given rules do
    /// not parse.
    pub(crate) fn review(&self, name: &str, text: &str, options: &ReviewOptions) -> Result<ReviewSummary, Error> {
        let examiner = self.clone().with(&options.platform)?;
        let library = examiner.library(&options.against);
        let (title, body, from) = split_title(text);
        let chapter = InspectedChapter { title, text: body, prose: &Prose::of(body) };
        let mut review = examiner.look(chapter, options, &library, &[])?;
        shift(&mut review, from);
        let title = title.unwrap_or(name).to_owned();
        Ok(ReviewSummary::of(vec![ReviewedText { title, document: None, review }]))
    }

    /// Returns the analysis and review tools for agents, consistent with the examiner's own findings.
    pub(crate) fn yardstick(&self) -> Yardstick {
        let Self { meter, reviewer, originality } = self.clone();
        Yardstick { meter, reviewer, originality }
    }

    pub(super) fn measure(
        &self,
        title: String,
        document: Option<String>,
        text: &str,
        names: Option<&Names>,
    ) -> TextAnalysis {
        let prose = Prose::of(text);
        let figures = self.meter.measure(&MeterInput { text, prose: &prose, names });
        TextAnalysis { title, document, figures }
    }

    pub(super) fn look(
        &self,
        chapter: InspectedChapter<'_>,
        options: &ReviewOptions,
        library: &ComparisonLibrary,
        except: &[&str],
    ) -> Result<Review, Error> {
        let platform = match &options.platform {
            PlatformChoice::General => None,
            PlatformChoice::Named(name) => Some(name.as_str()),
            PlatformChoice::Rules(_) => self.reviewer.inspector().platforms().last().map(|own| own.name.as_str()),
        };
        let (level, language) = (options.level, options.language);
        let request = ReviewRequest { chapter, level, platform, library: Some(library), except, language };
        self.reviewer.review(&request).map_err(failed)
    }

    /// Adds the user's rules, if any.
    pub(super) fn with(self, choice: &PlatformChoice) -> Result<Self, Error> {
        let PlatformChoice::Rules(rules) = choice else { return Ok(self) };
        let mut own = PlatformRules::parse(rules).map_err(failed)?;
        if own.name.trim().is_empty() {
            own.name = "own".into();
        }
        let inspector = self.reviewer.inspector().clone().with(own);
        Ok(Self { reviewer: Reviewer::new(self.reviewer.scanner().clone(), inspector), ..self })
    }

    pub(super) fn library(&self, against: &[(String, String)]) -> ComparisonLibrary {
        let mut library = ComparisonLibrary::new(self.originality.clone());
        against.iter().for_each(|(name, text)| library.insert(name, text));
        library
    }

    pub(crate) fn of(meter: Meter, scanner: Scanner, inspector: Inspector, originality: OriginalityRules) -> Self {
        Self { meter, reviewer: Reviewer::new(scanner, inspector), originality }
    }
}

impl ReviewSummary {
    pub(super) fn of(reviews: Vec<ReviewedText>) -> Self {
        let verdict = reviews.iter().map(|reviewed| reviewed.review.verdict).max().unwrap_or(Verdict::Clean);
        Self { verdict, reviews }
    }

    /// Returns whether any finding reaches the threshold of the level.
    pub fn must_be_mended(&self) -> bool {
        self.verdict == Verdict::Failed
    }
}

/// Shifts all spans by the length of the removed prefix.
fn shift(review: &mut Review, by: usize) {
    let hits = review.sensitive.iter_mut().map(|hit| &mut hit.span);
    let passages = review.originality.iter_mut().flat_map(|found| &mut found.passages).map(|passage| &mut passage.span);
    let findings = review.compliance.iter_mut().filter_map(|finding| finding.span.as_mut());
    for span in hits.chain(passages).chain(findings) {
        *span = span.start + by..span.end + by;
    }
}

fn failed(error: qingyu_text::Error) -> Error {
    match error {
        qingyu_text::Error::UnknownPlatform { given, known } => Error::Unknown { what: Noun::Platform, given, known },
        error => Error::BadMaterial { path: ".".into(), message: error.to_string() },
    }
}
