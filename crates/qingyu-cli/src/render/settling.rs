//! The effects of a manual edit, and the differences after settling chapters again.

use qingyu_studio::story::Story;
use qingyu_studio::story::settlement::{Doubt, Kept, Question, Stays};
use qingyu_studio::{DifferingPiece, EditedChapter, PieceName, RemovedPiece, StoryReconciliation};

use super::basis::readings;
use super::numbers::grouped;
use super::page::{CARE, FAINT, GOOD, PLAIN, STRONG, TextPage};
use super::report::{fix, issue};

/// Maximum number of pieces listed per group.
const LISTED: usize = 20;
/// Maximum number of pieces of evidence shown per finding.
const QUOTES: usize = 6;

/// Draws the result of editing a chapter.
pub(crate) fn edited(page: &mut TextPage<'_>, project: &str, edited: &EditedChapter, story: &Story) {
    let title = edited.title.as_str();
    match edited.change {
        None => page.say(0, FAINT, "edit-nothing", &[("title", title.into())]),
        Some(change) => {
            let (version, length) = (edited.version.to_string(), grouped(edited.length as u64));
            let told = [
                ("title", title.into()),
                ("version", version.into()),
                ("length", length.into()),
                ("change", change.to_string().into()),
            ];
            page.say(0, GOOD, "edit-done", &told);
        }
    }
    removed(page, "edit-gone", &edited.gone);
    pieces(page, "edit-back", "+ ", &edited.back);
    pieces(page, "edit-found", "+ ", &edited.found);
    kept_pieces(page, &edited.kept);
    pieces(page, "edit-waiting", "~ ", &edited.waiting);
    for (number, finding) in edited.findings.iter().enumerate() {
        page.gap();
        issue(page, number + 1, &finding.issue, story, QUOTES);
        page.labelled(4, "finding-id", &finding.issue.id);
        finding.instructions.iter().for_each(|instruction| fix(page, 4, instruction));
    }
    page.gap();
    match edited.findings.len() {
        0 => page.say(0, GOOD, "edit-clean", &[]),
        count => page.say(0, CARE, "edit-findings", &[("count", count.into())]),
    }
    if edited.reading.is_open() {
        page.say(0, CARE, "edit-unread", &[("project", project.into())]);
    }
}

/// Draws the result of settling a story again.
pub(crate) fn reconciled(page: &mut TextPage<'_>, project: &str, reconciled: &StoryReconciliation) {
    readings(page, 0, project, &reconciled.readings);
    pieces(page, "reconcile-created", "+ ", &reconciled.created);
    let changed: Vec<PieceName> = reconciled
        .changed
        .iter()
        .map(|DifferingPiece { piece, fields }| {
            let name = format!("{}  ({})", piece.name, fields.join(", "));
            PieceName { name, ..piece.clone() }
        })
        .collect();
    pieces(page, "reconcile-changed", "~ ", &changed);
    removed(page, "reconcile-removed", &reconciled.removed);
    kept_pieces(page, &reconciled.kept);
    if !reconciled.questions.is_empty() {
        page.gap();
        page.say(0, STRONG, "reconcile-questions", &[("count", reconciled.questions.len().into())]);
        reconciled.questions.iter().take(LISTED).for_each(|one| question(page, one));
    }
    page.gap();
    let count = [("count", reconciled.chapters.into())];
    match reconciled.change {
        Some(change) => page.say(0, GOOD, "reconcile-done", &[("change", change.to_string().into())]),
        None if reconciled.is_pending => page.say(0, CARE, "reconcile-pending", &count),
        None => page.say(0, GOOD, "reconcile-same", &count),
    }
}

/// Draws the removed pieces, each with its sentence.
fn removed(page: &mut TextPage<'_>, key: &str, removed: &[RemovedPiece]) {
    if removed.is_empty() {
        return;
    }
    page.gap();
    page.say(0, STRONG, key, &[("count", removed.len().into())]);
    for one in removed.iter().take(LISTED) {
        piece(page, "- ", &one.piece);
        if !one.quote.trim().is_empty() {
            page.paragraph(4, FAINT, one.quote.trim());
        }
    }
    more(page, removed.len());
}

fn pieces(page: &mut TextPage<'_>, key: &str, lead: &str, pieces: &[PieceName]) {
    if pieces.is_empty() {
        return;
    }
    page.gap();
    page.say(0, STRONG, key, &[("count", pieces.len().into())]);
    pieces.iter().take(LISTED).for_each(|one| piece(page, lead, one));
    more(page, pieces.len());
}

fn piece(page: &mut TextPage<'_>, lead: &str, piece: &PieceName) {
    let kind = page.texts().word("piece", &piece.kind);
    page.lead(2, lead, FAINT, PLAIN, &format!("{kind} {}  {}", piece.id, piece.name));
}

fn kept_pieces(page: &mut TextPage<'_>, kept: &[Kept]) {
    if kept.is_empty() {
        return;
    }
    page.gap();
    page.say(0, STRONG, "settle-kept", &[("count", kept.len().into())]);
    for one in kept.iter().take(LISTED) {
        let why = match &one.why {
            Stays::Changed => page.texts().get("stays-changed"),
            Stays::Referred { by } => page.texts().fill("stays-referred", &[("by", by.as_str().into())]),
            Stays::Retold { by } => page.texts().fill("stays-retold", &[("by", by.as_str().into())]),
        };
        page.lead(2, "= ", FAINT, PLAIN, &format!("{} {}  {why}", one.id, one.label));
    }
    more(page, kept.len());
}

fn more(page: &mut TextPage<'_>, count: usize) {
    if count > LISTED {
        page.say(2, FAINT, "log-more", &[("count", (count - LISTED).into())]);
    }
}

fn question(page: &mut TextPage<'_>, question: &Question) {
    let texts = page.texts();
    let names = |of: &[qingyu_studio::story::settlement::Candidate]| {
        of.iter().map(|one| format!("{} {}", one.id, one.name)).collect::<Vec<_>>().join(&texts.get("list-comma"))
    };
    let asked = match &question.doubt {
        Doubt::Unsure => texts.get("settle-unsure"),
        Doubt::Same { name, of } => {
            texts.fill("settle-same", &[("name", name.as_str().into()), ("of", names(of).into())])
        }
        Doubt::Which { name, of } => {
            texts.fill("settle-which", &[("name", name.as_str().into()), ("of", names(of).into())])
        }
        Doubt::WhichPromise { name } => texts.fill("settle-promise", &[("name", name.as_str().into())]),
    };
    page.lead(2, "? ", CARE, PLAIN, &format!("{}  {asked}", question.told.label));
    page.paragraph(4, FAINT, &question.told.quote);
}
