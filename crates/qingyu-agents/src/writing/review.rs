//! The review of a chapter: one forced checklist for the reviewer, beside the findings of the rules.

#[cfg(test)]
mod tests;

use std::ops::Range;

use qingyu_story::check::score_of;
use qingyu_story::digest::sha256;
use qingyu_story::settlement::UnsupportedPassage;
use qingyu_story::{AuthorInstruction, Dispute, InstructionKind, Language, Remark, Severity, marks};
use qingyu_text::Shortfall;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::own_words;
use crate::labels::worded;

/// What the reviewer says of a chapter: the answer of `chapter.review`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct ChapterReview {
    /// From 0 to 100.
    pub(crate) score: u8,
    /// A verdict for every dimension.
    pub(crate) verdicts: Vec<DimensionVerdict>,
    /// What is wrong, worst first; each quotes the chapter.
    pub(crate) issues: Vec<ChapterIssue>,
    /// What would make it better beyond the issues.
    pub(crate) suggestions: Vec<String>,
    /// In a sentence.
    pub(crate) summary: String,
}

/// What is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// Whether it does what was asked.
    #[default]
    Task,
    /// Whether it keeps to the world.
    Setting,
    /// Whether times fit.
    Timeline,
    /// Whether it goes on from what came before.
    Continuity,
    /// Whether people act and speak as they are.
    Character,
    /// Whether cause and effect hold.
    Logic,
    /// Whether it is told as the style guide says.
    Style,
}

impl Dimension {
    /// All dimensions.
    pub const ALL: [Self; 7] =
        [Self::Task, Self::Setting, Self::Timeline, Self::Continuity, Self::Character, Self::Logic, Self::Style];

    /// Returns the name used in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Setting => "setting",
            Self::Timeline => "timeline",
            Self::Continuity => "continuity",
            Self::Character => "character",
            Self::Logic => "logic",
            Self::Style => "style",
        }
    }
}

/// Whether the chapter holds in one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DimensionVerdict {
    /// Which.
    pub dimension: Dimension,
    /// Whether it holds.
    pub verdict: Holds,
    /// Why, in a sentence.
    pub note: String,
}

/// Whether something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// It does.
    Holds,
    /// It does not.
    Broken,
    /// The material does not say.
    #[default]
    Unclear,
}

/// Something that is wrong in a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct ChapterIssue {
    /// How bad it is.
    pub(crate) severity: Severity,
    /// In which dimension.
    pub(crate) dimension: Dimension,
    /// In a line.
    pub(crate) title: String,
    /// The words of the chapter that show it.
    pub(crate) quote: String,
    /// Why it is wrong.
    pub(crate) why: String,
    /// What would mend it.
    pub(crate) fix: String,
    /// The number of what the author asked for that mending it would undo; 0 for none.
    pub(crate) asked: u32,
}

/// A finding about a chapter, of a rule or of the reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChapterFinding {
    /// The same for the same thing in later reviews: of the rule, or of the dimension and the words that show it.
    pub id: String,
    /// The rule's code, if a rule found it.
    pub code: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// The dimension, if the reviewer found it.
    pub dimension: Option<Dimension>,
    /// In a line.
    pub title: String,
    /// The words of the chapter that show it; empty if they cannot be shown.
    pub quote: String,
    /// The other side of a contradiction: words that stand elsewhere.
    pub against: Vec<String>,
    /// Why it is wrong.
    pub why: String,
    /// What would mend it.
    pub fix: String,
    /// Why it is reported and not mended; none if it may be mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldReason>,
}

/// Why a finding is reported and not mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum HeldReason {
    /// Mending it would undo what the author asked for; the author decides.
    Instruction {
        /// The author's words.
        instruction: String,
        /// The beginning of the passage that they are about; empty for the whole chapter.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        passage: String,
        /// Whether the author asked for it in words, or wrote the passage.
        #[serde(default, skip_serializing_if = "InstructionKind::is_request")]
        kind: InstructionKind,
    },
    /// It is outside of the part that is rewritten.
    OutsidePart,
    /// The text tells it otherwise than planned; the author decides which of the two is to change.
    ToldOtherwise,
    /// The agent that was to mend it holds it to be wrong; the author decides.
    Disputed {
        /// Why it is wrong, in the agent's words.
        why: String,
    },
}

/// What a review came to: what follows from the rules and the reviewer together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Verdict {
    /// Which review of this chapter it is, from 0.
    pub round: u32,
    /// From 0 to 100.
    pub score: u8,
    /// Whether the chapter passes: nothing that should be mended is open.
    pub passed: bool,
    /// Whether the chapter may be taken without another draft: what is open in it is not severe.
    pub usable: bool,
    /// Whether the reviewer's answer could be read; one that could not never passes. Nobody reviews what is below the
    /// floor.
    pub read: bool,
    /// How the chapter falls short of being one; it does not pass with any.
    pub shortfalls: Vec<Shortfall>,
    /// The reviewer's verdicts.
    pub verdicts: Vec<DimensionVerdict>,
    /// What is wrong, worst first.
    pub findings: Vec<ChapterFinding>,
    /// What would make it better beyond that.
    pub suggestions: Vec<String>,
    /// In a sentence.
    pub summary: String,
}

impl Verdict {
    /// Decides whether the chapter passes and whether it is usable, in every command alike.
    ///
    /// It passes with the score `pass` or more, if no finding of medium severity or worse is open and the reviewer found no
    /// dimension broken by an open finding. Findings that are held decide nothing: another round would find them again.
    /// If no reviewer was asked, the rules decide without the score.
    pub(crate) fn decide(&mut self, pass: u8, is_asked: bool) {
        let is_open = |least: Severity| self.open().any(|finding| finding.severity >= least);
        let is_broken = |verdict: &DimensionVerdict| {
            verdict.verdict == Holds::Broken && self.open().any(|finding| finding.dimension == Some(verdict.dimension))
        };
        let is_settled = !is_open(Severity::Medium) && (!is_asked || self.held().next().is_some());
        let usable = self.read && self.shortfalls.is_empty() && !is_open(Severity::High);
        let usable = usable && (self.score >= pass || is_settled);
        let passed = usable && !is_open(Severity::Medium) && !self.verdicts.iter().any(is_broken);
        (self.usable, self.passed) = (usable, passed);
    }

    /// Returns whether the chapter may be taken without another draft; verdicts of earlier releases say only that it
    /// passed.
    pub(crate) fn is_usable(&self) -> bool {
        self.usable || self.passed
    }

    /// Returns whether any finding has an exact quote, a remedy, and enough severity to be fixed.
    pub(crate) fn has_mendable(&self) -> bool {
        self.open().any(ChapterFinding::is_mendable)
    }

    /// Returns the verdict with the contradictions that the facts of the draft show, and whether any of them is new and can
    /// be mended; the chapter does not pass with such a one.
    pub(crate) fn with_contradictions(
        mut self,
        found: &[ChapterFinding],
        draft: &str,
        asked: &[AuthorInstruction],
        part: Option<&Range<usize>>,
    ) -> (Self, bool) {
        let mut is_any_mendable = false;
        for finding in found {
            if self.findings.iter().any(|known| known.id == finding.id) {
                continue;
            }
            let mut finding = finding.clone();
            finding.held = finding.held.take().or_else(|| held_for_author(&finding.quote, draft, asked, part));
            is_any_mendable |= finding.held.is_none() && finding.is_mendable();
            self.findings.push(finding);
        }
        if is_any_mendable {
            (self.usable, self.passed) = (self.is_usable(), false);
        }
        (self, is_any_mendable)
    }

    /// Returns the findings that are reported and not mended.
    pub(crate) fn held(&self) -> impl Iterator<Item = &ChapterFinding> {
        self.findings.iter().filter(|finding| finding.held.is_some())
    }

    /// Returns the findings that the run may mend.
    pub(crate) fn open(&self) -> impl Iterator<Item = &ChapterFinding> {
        self.findings.iter().filter(|finding| finding.held.is_none())
    }

    /// Returns the reviewer's findings still present in the text.
    pub fn remarks(&self, text: &str) -> Vec<Remark> {
        let own = self.findings.iter().filter(|finding| finding.is_of_reviewer());
        let stands = |finding: &&ChapterFinding| !finding.quote.trim().is_empty() && text.contains(&finding.quote);
        let remark = |finding: &ChapterFinding| Remark {
            severity: finding.severity,
            title: finding.title.clone(),
            quote: finding.quote.clone(),
            why: finding.why.clone(),
            fix: finding.fix.clone(),
            dimension: finding.dimension.map(|dimension| dimension.name().to_owned()).unwrap_or_default(),
        };
        own.filter(stands).map(remark).collect()
    }

    /// Returns the agent's objections to findings, to be kept with the text.
    pub(crate) fn disputes(&self) -> impl Iterator<Item = Dispute> {
        self.findings.iter().filter_map(|finding| {
            let Some(HeldReason::Disputed { why }) = &finding.held else { return None };
            let id = if finding.is_of_reviewer() { String::new() } else { finding.id.clone() };
            Some(Dispute { finding: id, quote: finding.quote.clone(), reason: why.clone() })
        })
    }
}

/// Returns the finding about a sentence of a later chapter that rests on words which this one no longer has.
pub(crate) fn of_passage(passage: &UnsupportedPassage, language: Language) -> ChapterFinding {
    let Remark { severity, title, quote, why, fix, .. } = passage.remark(language);
    ChapterFinding {
        id: id_of(Dimension::Continuity, &format!("{} {quote}", passage.document)),
        code: Some(REMARK.into()),
        severity,
        dimension: None,
        title,
        quote,
        against: vec![passage.gone.clone()],
        why,
        fix,
        held: None,
    }
}

/// Code of the rule that reports findings of an earlier reading.
pub(crate) const REMARK: &str = "QY002";

/// Code of the rule that reports what a text tells otherwise than planned; the author decides which is right.
pub(crate) const TOLD_OTHERWISE: &str = "QY316";

/// The beginnings of the codes of the rules about contradictions: lives and places, times, things and values, knowledge,
/// relations.
const CONTRADICTIONS: [&str; 5] = ["QY2", "QY3", "QY4", "QY5", "QY6"];

/// Returns whether the rule with the code reports contradictions.
pub(crate) fn is_about_contradictions(code: &str) -> bool {
    CONTRADICTIONS.iter().any(|family| code.starts_with(family))
}

impl ChapterFinding {
    /// Returns whether the finding comes from an earlier reading, repeated by the rules.
    pub(crate) fn is_remark(&self) -> bool {
        self.code.as_deref() == Some(REMARK)
    }

    /// Returns whether it says that text and plan differ, so that the author decides which of the two is to change.
    pub fn is_choice(&self) -> bool {
        self.code.as_deref() == Some(TOLD_OTHERWISE)
    }

    /// Returns whether a rule says that the text contradicts the story; not where text and plan differ.
    pub(crate) fn is_contradiction(&self) -> bool {
        let code = self.code.as_deref().unwrap_or_default();
        is_about_contradictions(code) && !self.is_choice() && self.severity >= Severity::Medium
    }

    /// Returns whether it has an exact quote, a remedy, and enough severity to be fixed.
    pub(crate) fn is_mendable(&self) -> bool {
        self.severity >= Severity::Medium && !self.quote.trim().is_empty() && !self.fix.trim().is_empty()
    }

    /// Returns whether a reviewer found it, in this reading or an earlier one.
    pub(crate) fn is_of_reviewer(&self) -> bool {
        self.code.is_none() || self.is_remark()
    }
}

/// Maximum number of findings in a review; the least severe are removed.
pub(crate) const MAX_FINDINGS: usize = 20;

/// The input of a verdict.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReviewInput<'a> {
    /// Number of the review for this chapter, from 0.
    pub(crate) round: u32,
    /// Findings of the rules.
    pub(crate) rules: Vec<ChapterFinding>,
    /// The reviewer's answer; `None` if invalid or not requested.
    pub(crate) review: Option<ChapterReview>,
    /// Whether the reviewer was called.
    pub(crate) is_asked: bool,
    /// Text of the chapter.
    pub(crate) draft: &'a str,
    /// The previous review, with the text at that time.
    pub(crate) earlier: Option<(&'a Verdict, &'a str)>,
    /// Minimum score to pass.
    pub(crate) pass: u8,
    /// The author's instructions, in the order shown to the reviewer.
    pub(crate) asked: &'a [AuthorInstruction],
    /// The part that is rewritten; `None` for the whole chapter.
    pub(crate) part: Option<Range<usize>>,
}

/// Returns the verdict, and titles of the reviewer's dropped issues with reasons.
pub(crate) fn conclude(judged: ReviewInput<'_>) -> (Verdict, Vec<(String, DropReason)>) {
    let ReviewInput { round, rules, review, is_asked, draft, earlier, pass, asked, part } = judged;
    let read = review.is_some() || !is_asked;
    let mut dropped = Vec::new();
    // Without a new reading, what the author is to decide stays.
    let is_kept = |finding: &&ChapterFinding| finding.code.is_none() && finding.held.is_some();
    let kept = earlier.filter(|_| review.is_none() && !is_asked).map(|(verdict, _)| &verdict.findings);
    let kept: Vec<ChapterFinding> = kept.into_iter().flatten().filter(is_kept).cloned().collect();
    let review =
        review.unwrap_or_else(|| ChapterReview { score: if is_asked { 0 } else { 100 }, ..Default::default() });
    let mut suggestions = review.suggestions;
    let mut findings = rules;
    findings.extend(kept);
    for issue in review.issues {
        let Some(quote) = locate(draft, &issue.quote) else {
            dropped.push((issue.title, DropReason::QuotesNothing));
            continue;
        };
        let quote = &draft[quote];
        if earlier.is_some_and(|(verdict, then)| is_settled(&issue, quote, verdict, then)) {
            suggestions.push(issue.title.clone());
            dropped.push((issue.title, DropReason::PassedBefore));
            continue;
        }
        findings.push(ChapterFinding {
            id: id_of(issue.dimension, quote),
            code: None,
            severity: issue.severity,
            dimension: Some(issue.dimension),
            title: issue.title,
            quote: quote.to_owned(),
            against: Vec::new(),
            why: issue.why,
            fix: issue.fix,
            held: instruction_of(asked, issue.asked),
        });
    }
    for finding in &mut findings {
        let known = earlier.and_then(|(verdict, _)| verdict.findings.iter().find(|known| known.id == finding.id));
        let held = finding.held.take().or_else(|| known.and_then(|known| known.held.clone()));
        finding.held = held.or_else(|| held_for_author(&finding.quote, draft, asked, part.as_ref()));
    }
    findings.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.code.is_none()));
    let mut seen = std::collections::BTreeSet::new();
    findings.retain(|finding| seen.insert(finding.id.clone()));
    findings.truncate(MAX_FINDINGS);
    let is_counted = |finding: &&ChapterFinding| finding.held != Some(HeldReason::OutsidePart);
    let of_rules = findings.iter().filter(|finding| finding.code.is_some()).filter(is_counted);
    let by_rules = score_of(of_rules.map(|finding| (finding.code.as_deref(), finding.severity)));
    let score = review.score.min(by_rules);
    let (verdicts, summary) = (review.verdicts, review.summary);
    let mut verdict = Verdict { round, score, read, verdicts, findings, suggestions, summary, ..Verdict::default() };
    verdict.decide(pass, is_asked);
    (verdict, dropped)
}

/// Returns the reason to hold an issue whose remedy would undo the instruction with the number, from 1.
pub(crate) fn instruction_of(asked: &[AuthorInstruction], number: u32) -> Option<HeldReason> {
    asked.get(usize::try_from(number).ok()?.checked_sub(1)?).map(held_by)
}

/// Returns the reason to hold an issue whose remedy would undo the instruction.
fn held_by(instruction: &AuthorInstruction) -> HeldReason {
    HeldReason::Instruction {
        instruction: instruction.text.clone(),
        passage: instruction.passage.clone(),
        kind: instruction.kind,
    }
}

/// Returns why words of the draft may not be changed: the author wrote them by hand, or they are outside of the part.
fn held_for_author(
    quote: &str,
    draft: &str,
    asked: &[AuthorInstruction],
    part: Option<&Range<usize>>,
) -> Option<HeldReason> {
    let kept = own_words::keeping(asked, draft, quote).map(held_by);
    let is_outside = || part.is_some_and(|part| is_outside(draft, quote, part));
    kept.or_else(|| is_outside().then_some(HeldReason::OutsidePart))
}

/// Returns whether all places of the quote are outside of the part; false for words that cannot be shown.
fn is_outside(draft: &str, quote: &str, part: &Range<usize>) -> bool {
    if quote.trim().is_empty() {
        return false;
    }
    let mut places = draft.match_indices(quote).map(|(at, words)| at..at + words.len()).peekable();
    places.peek().is_some() && places.all(|place| place.end <= part.start || part.end <= place.start)
}

/// The reason an issue of the reviewer was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DropReason {
    /// The quote was not found in the chapter.
    QuotesNothing,
    /// An earlier review passed this place, and the text has not changed since.
    PassedBefore,
}

/// Returns whether an earlier review has passed the dimension for a text containing these words.
fn is_settled(issue: &ChapterIssue, quote: &str, earlier: &Verdict, then: &str) -> bool {
    let held =
        earlier.verdicts.iter().any(|verdict| verdict.dimension == issue.dimension && verdict.verdict == Holds::Holds);
    let known = earlier.findings.iter().any(|finding| finding.id == id_of(issue.dimension, quote));
    earlier.read && held && !known && then.contains(quote)
}

/// Returns the id of an issue from its dimension and quote, independent of the reviewer's title.
pub(crate) fn id_of(dimension: Dimension, quote: &str) -> String {
    let letters: String = quote.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let digest = sha256(format!("{} {letters}", dimension.name()).as_bytes());
    format!("{}-{}", dimension.name(), &digest[..6])
}

/// Validates the form of a review; returns problems as text for the reviewer's retry.
pub(crate) fn problems(review: &ChapterReview, draft: &str, language: Language) -> Vec<String> {
    let mut problems = Vec::new();
    let mut add = |chinese: String, english: String| problems.push(worded(language, chinese, english));
    if review.score > 100 {
        let score = review.score;
        add(format!("score 是 {score}，最多 100"), format!("score is {score}, at most 100"));
    }
    for dimension in Dimension::ALL {
        let verdicts = review.verdicts.iter().filter(|verdict| verdict.dimension == dimension);
        let name = dimension.name();
        match verdicts.collect::<Vec<_>>().as_slice() {
            [] => add(format!("verdicts 里没有 `{name}`"), format!("verdicts has none for `{name}`")),
            [one] if one.verdict == Holds::Broken => {
                if !review.issues.iter().any(|issue| issue.dimension == dimension) {
                    add(
                        format!("`{name}` 判为 broken，却没有指出问题"),
                        format!("`{name}` is broken, but no issue shows it"),
                    );
                }
            }
            [_] => {}
            _ => add(format!("verdicts 里 `{name}` 不止一项"), format!("verdicts has several for `{name}`")),
        }
    }
    problems.extend(unquoted(review, draft, language));
    problems
}

/// Returns the issues whose quotes are not found in the chapter.
pub(crate) fn unquoted(review: &ChapterReview, draft: &str, language: Language) -> Vec<String> {
    let issues = review.issues.iter().enumerate();
    let unquoted = issues.filter(|(_, issue)| locate(draft, &issue.quote).is_none());
    let line = |(index, issue): (usize, &ChapterIssue)| {
        let quote = shortened(&issue.quote);
        worded(
            language,
            format!("issues[{index}].quote 不是这一章里的原文：{quote:?}"),
            format!("issues[{index}].quote does not stand in the chapter: {quote:?}"),
        )
    };
    unquoted.map(line).collect()
}

/// Returns the range of `words` in the text: exact, or with other marks and spaces in between.
pub(crate) fn locate(text: &str, words: &str) -> Option<Range<usize>> {
    let words = words.trim();
    if words.is_empty() {
        return None;
    }
    if let Some(at) = text.find(words) {
        return Some(at..at + words.len());
    }
    let letters =
        |text: &str| -> Vec<(usize, char)> { text.char_indices().filter(|(_, c)| c.is_alphanumeric()).collect() };
    let (text_letters, words) = (letters(text), letters(words));
    // A few letters may occur anywhere.
    if words.len() < 6 {
        return None;
    }
    let is_here = |window: &&[(usize, char)]| window.iter().zip(&words).all(|((_, a), (_, b))| a == b);
    let window = text_letters.windows(words.len()).find(is_here)?;
    let (start, (last, letter)) = (window.first()?.0, *window.last()?);
    let mut end = last + letter.len_utf8();
    // Marks closing the sentence belong to the range.
    for c in text[end..].chars() {
        if !marks::may_end_sentence(c) && !marks::may_close_quote(c) {
            break;
        }
        end += c.len_utf8();
    }
    Some(start..end)
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
