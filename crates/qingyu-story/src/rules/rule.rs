//! A rule: its code, its texts and its entry point.

use serde::Serialize;

use super::draft::FindingDraft;
use super::material::RuleMaterial;
use super::needs;
use super::scope::RuleScope;
use super::texts::{ExampleStory, RuleText, RuleTexts};
use crate::check::{Config, Finding};
use crate::{Category, Language, PieceKind, Severity, Story};

/// A rule of the checker.
#[derive(Debug, Serialize)]
pub struct Rule {
    /// The code, such as `QY101`; never reused.
    pub code: &'static str,
    /// The subject area.
    pub family: RuleFamily,
    /// The default severity of the findings, unless overridden in the settings.
    pub severity: Severity,
    /// The category of the findings.
    pub category: Category,
    /// The responsible area: `outline`, `character`, `relation`, `plot`, `timeline`, `worldview`, `style`.
    pub sub_category: &'static str,
    #[serde(skip)]
    texts: RuleTexts,
    #[serde(skip)]
    run: RuleRunner,
}

/// The entry point of a rule.
#[derive(Debug)]
enum RuleRunner {
    OnStory(fn(&RuleMaterial<'_>) -> Vec<FindingDraft>),
    /// Runs after all other rules, on their findings.
    OnFindings(fn(&CheckedStory<'_>) -> Vec<FindingDraft>),
}

/// A story and its findings.
#[derive(Debug)]
pub(crate) struct CheckedStory<'c> {
    pub(crate) story: &'c Story,
    pub(crate) config: &'c Config,
    /// All rules, switched off or not.
    pub(crate) rules: &'static [Rule],
    pub(crate) findings: &'c [&'c Finding],
}

/// The subject area of a rule; the prefix of its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleFamily {
    /// `QSxxx`: prose style, regardless of author or tool.
    Prose,
    /// `QY0xx`: the checker itself.
    Checker,
    /// `QY1xx`: names and references.
    Names,
    /// `QY2xx`: presence, and life and death.
    Presence,
    /// `QY3xx`: time.
    Time,
    /// `QY4xx`: things and numbers.
    Items,
    /// `QY5xx`: knowledge of characters.
    Knowledge,
    /// `QY6xx`: relations.
    Relations,
    /// `QY7xx`: promises, plants and payoffs.
    Promises,
    /// `QY8xx`: the rules of the world.
    World,
    /// `QY9xx`: structure of outline and plot.
    Structure,
}

impl RuleFamily {
    pub(super) fn of(code: &str) -> Self {
        match code.as_bytes().get(2) {
            _ if code.starts_with("QS") => Self::Prose,
            Some(b'0') => Self::Checker,
            Some(b'1') => Self::Names,
            Some(b'2') => Self::Presence,
            Some(b'3') => Self::Time,
            Some(b'4') => Self::Items,
            Some(b'5') => Self::Knowledge,
            Some(b'6') => Self::Relations,
            Some(b'7') => Self::Promises,
            Some(b'8') => Self::World,
            _ => Self::Structure,
        }
    }
}

impl Rule {
    pub(super) fn new(
        code: &'static str,
        kind: (Severity, Category, &'static str),
        texts: &'static str,
        run: fn(&RuleMaterial<'_>) -> Vec<FindingDraft>,
    ) -> Self {
        Self::run_by(code, kind, texts, RuleRunner::OnStory(run))
    }

    pub(super) fn on_findings(
        code: &'static str,
        kind: (Severity, Category, &'static str),
        texts: &'static str,
        run: fn(&CheckedStory<'_>) -> Vec<FindingDraft>,
    ) -> Self {
        Self::run_by(code, kind, texts, RuleRunner::OnFindings(run))
    }

    fn run_by(
        code: &'static str,
        (severity, category, sub_category): (Severity, Category, &'static str),
        texts: &'static str,
        run: RuleRunner,
    ) -> Self {
        Self {
            code,
            family: RuleFamily::of(code),
            severity,
            category,
            sub_category,
            texts: RuleTexts::parse(code, texts),
            run,
        }
    }

    /// Returns what the rule finds in one line, with dots for the values of a finding.
    pub fn name(&self, language: Language) -> String {
        self.text(language).name()
    }

    /// Returns the manner of writing that the rule minds, as a noun phrase; `None` if the rule is no matter of taste, such as
    /// one about facts, time or the plan.
    pub fn habit(&self, language: Language) -> Option<&str> {
        Some(self.text(language).habit.as_str()).filter(|habit| !habit.is_empty())
    }

    /// Returns the explanation for users in `language`: checks, exceptions and reasons.
    pub fn page(&self, language: Language) -> &str {
        &self.text(language).page
    }

    /// Returns all texts of the rule in `language`.
    pub(crate) fn text(&self, language: Language) -> &RuleText {
        self.texts.of(language)
    }

    /// Returns an example story violating the rule.
    pub fn fires(&self) -> &ExampleStory {
        &self.texts.fires
    }

    /// Returns an example story close to a violation, but valid.
    pub fn spares(&self) -> &ExampleStory {
        &self.texts.spares
    }

    /// Returns the input scope of the rule.
    pub(crate) fn scope(&self) -> RuleScope {
        RuleScope::of(self.code)
    }

    /// Returns the kinds of pieces required by the rule.
    pub(crate) fn needs(&self) -> &'static [PieceKind] {
        needs::of(self.code)
    }

    /// Returns whether the rule compares the story with earlier books.
    pub(crate) fn is_about_earlier_books(&self) -> bool {
        matches!(self.code, "QY208" | "QY318" | "QY609")
    }

    /// Returns whether the rule has the earlier books that it compares with, if it compares with any.
    pub fn has_books(&self, config: &Config) -> bool {
        !self.is_about_earlier_books() || !config.earlier.is_empty()
    }

    /// Returns whether the rule reads the other rules' findings instead of the story.
    pub(crate) fn is_about_findings(&self) -> bool {
        matches!(self.run, RuleRunner::OnFindings(_))
    }

    /// Returns the rule's drafts for a story.
    pub(crate) fn look(&self, material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
        match self.run {
            RuleRunner::OnStory(run) => run(material),
            RuleRunner::OnFindings(_) => Vec::new(),
        }
    }

    /// Returns the rule's drafts for the other rules' findings.
    pub(crate) fn look_at_findings(&self, checked: &CheckedStory<'_>) -> Vec<FindingDraft> {
        match self.run {
            RuleRunner::OnStory(_) => Vec::new(),
            RuleRunner::OnFindings(run) => run(checked),
        }
    }
}
