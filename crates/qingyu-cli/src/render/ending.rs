//! The end of a run: score, results, cost, pending decisions and the next commands.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use qingyu_studio::agents::AuthorQuestions;
use qingyu_studio::story::{Issue, Severity, Story};
use qingyu_studio::{HumanReview, Outcome, RunQuestion, RunStatus};

use super::numbers::elapsed;
use super::page::{CARE, FAINT, GOOD, PLAIN, STRONG, TextPage, WRONG};
use super::report;
use super::wrap::shorten;
use super::{chapters, directions, lists, production, tasks};

/// Maximum displayed length of the titles per kind of piece.
const TITLES: usize = 200;

/// Facts about a run not contained in the outcome.
pub(crate) struct EndingContext<'a> {
    pub(crate) data_folder: &'a Path,
    pub(crate) elapsed: Duration,
    /// Whether the book has no chapter left to write.
    pub(crate) is_complete: bool,
}

/// Draws the end of a run.
pub(crate) fn ending(page: &mut TextPage<'_>, outcome: &Outcome, around: &EndingContext<'_>) {
    let texts = page.texts();
    page.gap();
    page.line(&"─".repeat(page.width()));
    let (style, key) = match outcome.status {
        RunStatus::Done => (GOOD, "ending-done"),
        RunStatus::Waiting if outcome.question.as_ref().is_some_and(RunQuestion::is_breakpoint) => {
            (CARE, "ending-breakpoint")
        }
        RunStatus::Waiting => (CARE, "ending-waiting"),
        RunStatus::Interrupted => (CARE, "ending-interrupted"),
        RunStatus::Failed | RunStatus::Running => (WRONG, "ending-failed"),
    };
    page.paragraph(0, style.bold(), &texts.get(key));
    let made = outcome.story_made();
    if let Some(report) = made.and_then(|made| made.diagnostic_report.as_ref()) {
        report::score(page, report);
        report::wishes(page, &report.wishes);
    }
    if made.is_some_and(|made| made.is_approved) {
        page.say(2, CARE, "report-approved", &[]);
    }
    page.set_project(&outcome.project);
    page.labelled(2, "ending-project", &outcome.project);
    page.labelled(2, "ending-run", &outcome.run);
    if let Some(made) = made {
        page.labelled(2, "ending-rounds", &made.iteration_count.to_string());
        pieces(page, &made.story);
    }
    if let Some(made) = outcome.book_made() {
        chapters::made(page, made);
    }
    if let Some(made) = outcome.task_made() {
        tasks::made(page, made);
    }
    lists::usage(page, &outcome.usage);
    page.labelled(2, "ending-time", &elapsed(around.elapsed));
    // Remote callers are not shown the server's file paths.
    if !around.data_folder.as_os_str().is_empty() {
        page.labelled(2, "ending-kept", &around.data_folder.display().to_string());
    }
    for warning in &outcome.warnings {
        page.lead(2, "! ", CARE, PLAIN, warning);
    }
    match &outcome.question {
        Some(RunQuestion::Directions(asked)) => directions::offered(page, asked),
        Some(RunQuestion::HumanReview(review)) => decision(page, review),
        Some(RunQuestion::Chapters(asked)) => questions(page, asked),
        Some(RunQuestion::Writes(request)) => tasks::writes(page, request),
        Some(RunQuestion::Agents(request)) => request.undecided.iter().for_each(|part| tasks::undecided(page, part)),
        Some(RunQuestion::Turn { .. }) => production::turn(page, outcome),
        Some(RunQuestion::Breakpoint { before, after, next }) => breakpoint(page, before, after, next),
        None => {}
    }
    if let Some(approver) = &outcome.approver {
        page.labelled(2, "ending-approver", approver);
    }
    next(page, outcome, around.is_complete);
}

/// Draws the number of pieces of each kind, with their names.
pub(crate) fn pieces(page: &mut TextPage<'_>, story: &Story) {
    let comma = page.texts().get("list-comma");
    let kinds: [(&str, Vec<&str>); 5] = [
        ("outline", story.outline_nodes.iter().map(|node| node.name.as_str()).collect()),
        ("characters", story.characters.iter().map(|character| character.name.as_str()).collect()),
        ("timeline", story.timeline_events.iter().map(|event| event.title.as_str()).collect()),
        ("plot", story.plot_nodes.iter().map(|node| node.title.as_str()).collect()),
        ("world", story.worldview.iter().flat_map(|world| &world.locations).map(|place| place.name.as_str()).collect()),
    ];
    for (kind, names) in kinds.iter().filter(|(_, names)| !names.is_empty()) {
        let names_text = shorten(&names.join(&comma), TITLES);
        let text = page.texts().fill("made-count", &[("count", names.len().into()), ("names", names_text.into())]);
        page.labelled(2, &format!("made-{kind}"), &text);
    }
    if !story.character_relations.is_empty() {
        page.labelled(2, "made-relations", &story.character_relations.len().to_string());
    }
}

/// Draws a pending decision and its reason.
fn decision(page: &mut TextPage<'_>, review: &HumanReview) {
    let texts = page.texts();
    page.gap();
    page.paragraph(0, CARE.bold(), &texts.get("decision-title"));
    page.paragraph(2, PLAIN, &texts.word("review-reason", &review.reason));
    let worst = review.report.issues.iter().take(3);
    for issue in worst {
        let lead = format!("{} ", texts.word("severity", issue.severity));
        page.lead(2, &lead, CARE, PLAIN, &issue.title);
    }
}

/// Draws the breakpoint at which the run stopped.
fn breakpoint(page: &mut TextPage<'_>, before: &[String], after: &[String], next: &[String]) {
    let comma = page.texts().get("list-comma");
    page.gap();
    page.paragraph(0, CARE.bold(), &page.texts().get("breakpoint-title"));
    for (key, nodes) in [("breakpoint-after", after), ("breakpoint-before", before), ("checkpoint-next", next)] {
        page.labelled(2, key, &nodes.join(&comma));
    }
}

/// Draws the questions to the author about chapters.
fn questions(page: &mut TextPage<'_>, asked: &AuthorQuestions) {
    page.gap();
    page.paragraph(0, CARE.bold(), &page.texts().get("decision-title"));
    for (number, question) in asked.questions.iter().enumerate() {
        chapters::question(page, number + 1, question);
    }
}

/// Returns the open issues of high severity in the report on a planned story.
///
/// A report passes by its score; a passed one may have such issues.
fn severe(outcome: &Outcome) -> Vec<&Issue> {
    let report = outcome.story_made().and_then(|made| made.diagnostic_report.as_ref());
    let issues = report.into_iter().flat_map(|report| &report.issues);
    issues.filter(|issue| issue.severity >= Severity::High && issue.waived.is_none()).collect()
}

/// Draws the next commands to type; `is_complete` if no chapter is left to write.
fn next(page: &mut TextPage<'_>, outcome: &Outcome, is_complete: bool) {
    page.gap();
    let Outcome { project, run, .. } = outcome;
    let agents: Vec<&str> = match &outcome.question {
        Some(RunQuestion::Agents(asked)) => {
            asked.undecided.iter().filter_map(|part| Some(part.agents.first()?.name.as_str())).collect()
        }
        _ => Vec::new(),
    };
    let severe = severe(outcome);
    let lines: Vec<(String, &str)> = match outcome.status {
        RunStatus::Waiting if outcome.question.as_ref().is_some_and(RunQuestion::is_breakpoint) => vec![
            (format!("resume {run}"), "next-resume"),
            (format!("runs state {run}"), "next-state"),
            (format!("runs edit {run} --set FIELD=VALUE"), "next-edit-state"),
        ],
        RunStatus::Done if outcome.task_made().is_some() => vec![(format!("check {project}"), "next-check")],
        RunStatus::Waiting if !agents.is_empty() => vec![
            (format!("resume {run}"), "next-questions"),
            (format!("resume {run} --agents {}", agents.join(",")), "next-agents"),
            (format!("resume {run} --reject \"\""), "next-leave-parts"),
        ],
        RunStatus::Waiting if outcome.task_made().is_some() => vec![
            (format!("resume {run}"), "next-questions"),
            (format!("resume {run} --approve"), "next-write-changes"),
            (format!("resume {run} --reject \"…\""), "next-leave-texts"),
        ],
        RunStatus::Done | RunStatus::Waiting if outcome.content_made().is_some() => {
            vec![(format!("produce chat {project}"), "next-chat")]
        }
        RunStatus::Done if outcome.book_made().is_some() => {
            let mut chapters = outcome.book_made().into_iter().flat_map(|made| &made.chapters);
            let is_open = chapters.any(|chapter| !chapter.findings.is_empty());
            let correct = is_open.then(|| (format!("correct {project}"), "next-correct"));
            let others = [
                (format!("check {project}"), "next-check"),
                (format!("export {project} --format epub"), "next-export"),
            ];
            let write = (!is_complete).then(|| (format!("write {project}"), "next-write"));
            correct.into_iter().chain(others).chain(write).collect()
        }
        RunStatus::Waiting if outcome.book_made().is_some() => vec![
            (format!("resume {run}"), "next-questions"),
            (format!("resume {run} --approve"), "next-accept-all"),
            (format!("resume {run} --reject \"…\""), "next-refuse-all"),
        ],
        RunStatus::Done => {
            let mut lines = Vec::new();
            if severe.iter().any(|issue| issue.code.is_some()) {
                lines.push((format!("check {project}"), "next-check-findings"));
                lines.push((format!("check {project} --fix"), "next-fix-findings"));
            }
            if !severe.is_empty() {
                lines.push((format!("create --project {project} \"…\""), "next-mend"));
                lines.push((format!("write {project}"), "next-write-mended"));
            }
            let has_outline = outcome.story_made().is_some_and(|made| !made.story.outline_nodes.is_empty());
            if severe.is_empty() && has_outline {
                lines.push((format!("write {project}"), "next-write"));
            }
            lines.push((format!("show {project}"), "next-show"));
            lines.push((format!("show {project} outline"), "next-outline"));
            if severe.is_empty() {
                lines.push((format!("create --project {project} \"…\""), "next-extend"));
            }
            lines
        }
        RunStatus::Waiting if matches!(outcome.question, Some(RunQuestion::Directions(_))) => vec![
            (format!("resume {run} --direction 1"), "next-direction"),
            (format!("resume {run} --approve"), "next-no-direction"),
            (format!("resume {run} --reject \"…\""), "next-other-directions"),
        ],
        RunStatus::Waiting => vec![
            (format!("resume {run} --approve"), "next-approve"),
            (format!("resume {run} --reject \"…\""), "next-reject"),
            (format!("resume {run} --edit material.json"), "next-edit"),
            (format!("show {project}"), "next-show"),
        ],
        RunStatus::Failed | RunStatus::Interrupted | RunStatus::Running => {
            vec![(format!("resume {run}"), "next-resume")]
        }
    };
    page.paragraph(0, STRONG, &page.texts().get("next-title"));
    if outcome.status == RunStatus::Done && !severe.is_empty() {
        let texts = page.texts();
        let names: BTreeSet<&str> = severe.iter().map(|issue| issue.code.as_deref().unwrap_or(&issue.title)).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(&texts.get("list-comma"));
        page.say(2, CARE, "next-findings", &[("count", severe.len().into()), ("names", names.into())]);
    }
    for (command, key) in lines {
        page.command(2, &command);
        page.say(6, FAINT, key, &[]);
    }
}
