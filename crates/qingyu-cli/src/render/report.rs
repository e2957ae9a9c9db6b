//! A diagnostic report: the score, each issue with evidence, and the instructions.

use anstyle::Style;
use qingyu_studio::story::check::EvidencePlace;
use qingyu_studio::story::wish::{Wish, WishKind, WishState};
use qingyu_studio::story::{CorrectionInstruction, DiagnosticReport, Issue, Severity, Source, Story, Strategy};

use super::basis::basis;
use super::numbers::bar;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, WRONG, paint};
use crate::texts::LocalizedTexts;

/// Width of the score bar in columns, if the page is wide enough.
const BAR_WIDTH: usize = 25;

/// Draws a report on `story` under `title`, with at most `quotes` pieces of evidence for each issue.
pub(crate) fn report(page: &mut TextPage<'_>, title: &str, report: &DiagnosticReport, story: &Story, quotes: usize) {
    page.heading(title);
    score(page, report);
    if !report.wishes.is_empty() {
        wishes(page, &report.wishes);
    }
    for (number, issue) in report.issues.iter().enumerate() {
        page.gap();
        self::issue(page, number + 1, issue, story, quotes);
        for instruction in report.correction_instructions.iter().filter(|instruction| instruction.issue_id == issue.id)
        {
            fix(page, 4, instruction);
        }
    }
    list(page, "report-reasoning", &report.reasoning_chain);
    list(page, "report-suggestions", &report.suggestions_for_improvement);
}

/// Draws the score bar, whether the material passed, and the number of issues by severity.
pub(crate) fn score(page: &mut TextPage<'_>, report: &DiagnosticReport) {
    let texts = page.texts();
    let (style, verdict) = match report.passed {
        true => (GOOD, "report-passed"),
        false => (CARE, "report-not-passed"),
    };
    if let Some(score) = report.score() {
        let figure = paint(score_style(score), &bar(score, BAR_WIDTH.min(page.width() / 3)));
        page.line(&format!("  {figure} {score} / 100  {}", paint(style, &texts.get(verdict))));
        page.paragraph(2, PLAIN, &counts(texts, report));
    }
    basis(page, 2, &report.basis);
    page.labelled(2, "report-strategy", &texts.word("strategy", report.correction_strategy));
}

/// Returns a report without the issues that the author has waived since.
pub(crate) fn without_waived(report: &DiagnosticReport, story: &Story) -> DiagnosticReport {
    let mut open = report.clone();
    open.issues.retain(|issue| !story.waivers.iter().any(|waiver| waiver.covers(issue)));
    if open.issues.is_empty() && !report.issues.is_empty() {
        open.correction_strategy = Strategy::None;
    }
    open
}

/// Draws that the report is about an earlier state of the story, if `changed` pieces were changed since.
pub(crate) fn age(page: &mut TextPage<'_>, changed: usize) {
    if changed > 0 {
        page.say(2, CARE, "report-earlier", &[("count", changed.into())]);
    }
}

/// Draws the fulfilment of the person's requirements, listing unmet and uncheckable ones, and lengths with their numbers.
pub(crate) fn wishes(page: &mut TextPage<'_>, wishes: &[Wish]) {
    let texts = page.texts();
    let count = |state| wishes.iter().filter(|wish| wish.state == state).count();
    let states = [WishState::Met, WishState::Unmet, WishState::NotCheckable];
    let counted = states.into_iter().filter(|state| count(*state) > 0);
    let counted = counted.map(|state| format!("{} {}", texts.word("wish-state", state), count(state)));
    let counted = counted.collect::<Vec<_>>().join(&texts.get("list-comma"));
    let none = texts.get("report-wishes-none");
    page.labelled(2, "report-wishes", if wishes.is_empty() { &none } else { &counted });
    for wish in wishes.iter().filter(|wish| wish.state != WishState::Met || wish.kind == WishKind::Length) {
        let style = match wish.state {
            WishState::Met => GOOD,
            WishState::Unmet => WRONG,
            WishState::NotCheckable => FAINT,
        };
        page.lead(4, &format!("{}  ", texts.word("wish-state", wish.state)), style, PLAIN, &wish.text);
        page.paragraph(6, FAINT, &wish.reason);
        if wish.kind == WishKind::Length {
            wish.evidence.iter().for_each(|evidence| page.paragraph(6, FAINT, &evidence.quote));
        }
    }
}

/// Draws an instruction to an agent, prefixed with the agent and the kind of change.
pub(crate) fn fix(page: &mut TextPage<'_>, indent: usize, instruction: &CorrectionInstruction) {
    let texts = page.texts();
    let lead = texts.fill(
        "report-fix",
        &[
            ("agent", texts.word("agent", instruction.target_agent).into()),
            ("action", texts.word("action", instruction.action).into()),
        ],
    );
    page.lead(indent, &lead, GOOD, PLAIN, &instruction.specific_instruction);
}

fn counts(texts: &LocalizedTexts, report: &DiagnosticReport) -> String {
    let by_severity = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low].map(|severity| {
        let count = report.issues.iter().filter(|issue| issue.severity == severity).count();
        (count > 0).then(|| format!("{} {count}", texts.word("severity", severity)))
    });
    let by_source = [Source::Rule, Source::Model, Source::Human].map(|source| {
        let count = report.issues.iter().filter(|issue| issue.source == source).count();
        (count > 0).then(|| format!("{} {count}", texts.word("source", source)))
    });
    let comma = texts.get("list-comma");
    let join = |parts: &[Option<String>]| parts.iter().flatten().cloned().collect::<Vec<_>>().join(&comma);
    match report.issues.len() {
        0 => texts.get("report-no-issues"),
        total => texts.fill(
            "report-issues",
            &[("total", total.into()), ("severities", join(&by_severity).into()), ("sources", join(&by_source).into())],
        ),
    }
}

pub(crate) fn issue(page: &mut TextPage<'_>, number: usize, issue: &Issue, story: &Story, quotes: usize) {
    let texts = page.texts();
    let severity = texts.word("severity", issue.severity);
    let code = issue.code.as_deref().map(|code| format!(" {code}")).unwrap_or_default();
    let origin = [
        texts.word("source", issue.source),
        texts.word("work", &issue.sub_category),
        texts.word("category", issue.category),
    ];
    let origin = origin.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    let lead = format!("{number}. {severity}{code}  ");
    page.lead(2, &lead, severity_style(issue.severity), FAINT, &origin);
    page.paragraph(4, STRONG, &issue.title);
    page.labelled(4, "report-cause", &issue.root_cause);
    page.labelled(4, "report-impact", &issue.impact);
    page.labelled(4, "report-affected", &issue.affected_entities.join(&texts.get("list-comma")));
    for evidence in issue.evidence.iter().take(quotes) {
        let quote = texts.fill("quote", &[("text", evidence.quote.as_str().into())]);
        page.lead(4, "▸ ", NAME, PLAIN, &format!("{quote}  {}", place(texts, &evidence.anchor, story)));
    }
    if let Some(why) = &issue.disputed {
        disputed(page, 4, why);
    }
    let more = issue.evidence.len().saturating_sub(quotes);
    if more > 0 {
        page.say(6, FAINT, "report-more-evidence", &[("count", more.into())]);
    }
}

/// Draws the writer's reason against a finding, as a sentence, with what the author can do.
pub(crate) fn disputed(page: &mut TextPage<'_>, indent: usize, why: &str) {
    let why = why.trim();
    let bare = why.trim_end_matches(['”', '’', '"', '\'', '」', '』', '）', ')']);
    let is_ended = bare.ends_with(['。', '.', '！', '!', '？', '?', '…']);
    let stop = if is_ended { String::new() } else { page.texts().get("full-stop") };
    page.say(indent, FAINT, "finding-disputed", &[("why", format!("{why}{stop}").into())]);
}

/// Returns the place of an anchor in `story`: the title and paragraph of a text, or the kind and name of a piece.
fn place(texts: &LocalizedTexts, anchor: &str, story: &Story) -> String {
    match EvidencePlace::of(anchor, story) {
        Some(EvidencePlace { name, paragraph: Some(paragraph), .. }) => {
            texts.fill("evidence-text", &[("title", name.into()), ("paragraph", paragraph.into())])
        }
        Some(EvidencePlace { kind, name, .. }) => format!("{} {name}", texts.word("piece", kind)).trim_end().to_owned(),
        None => anchor.to_owned(),
    }
}

/// Returns the kind of the piece that an anchor names, for a page without its story; empty for an unknown list.
pub(crate) fn kind_of(texts: &LocalizedTexts, anchor: &str) -> String {
    EvidencePlace::of(anchor, &Story::default()).map(|place| texts.word("piece", place.kind)).unwrap_or_default()
}

fn list(page: &mut TextPage<'_>, key: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    page.gap();
    page.paragraph(2, STRONG, &page.texts().get(key));
    for (number, line) in lines.iter().enumerate() {
        page.lead(2, &format!("{}. ", number + 1), FAINT, PLAIN, line);
    }
}

/// Returns the colour of a severity.
pub(crate) fn severity_style(severity: Severity) -> Style {
    match severity {
        Severity::Critical => WRONG.bold().invert(),
        Severity::High => WRONG,
        Severity::Medium => CARE,
        Severity::Low => FAINT,
    }
}

/// Returns the colour of a score, by the thresholds for completing, correcting or restarting a run.
pub(crate) fn score_style(score: u8) -> Style {
    match score {
        80.. => GOOD,
        60..80 => CARE,
        _ => WRONG,
    }
}
