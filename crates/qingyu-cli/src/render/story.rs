//! A project's story: the checker's findings, facts, the impact of a change, and the log of changes.

use std::collections::BTreeSet;

use qingyu_studio::knowledge::graph::vocabulary;
use qingyu_studio::knowledge::telling::Telling;
use qingyu_studio::story::check::plan_may_follow;
use qingyu_studio::story::impact::Touched;
use qingyu_studio::story::truth::{Answer, KnownBy};
use qingyu_studio::story::{Judge, Mode, Severity, Source, predicate, with_unit};
use qingyu_studio::{ChangeRow, PieceName, StoryCheck, StoryFixes, StoryImport};
use serde_json::Value;

use super::basis::basis;
use super::changes::{called, source};
use super::lists::moment;
use super::numbers::bar;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, paint};
use super::report::{fix, issue, kind_of, score_style};
use super::series;
use super::values::plain;

/// Maximum pieces of evidence per finding: both sides of a contradiction and the steps leading there.
const QUOTES: usize = 6;
/// Maximum number of pieces named per change.
const NAMED: usize = 6;

/// Draws the findings of a check.
pub(crate) fn checkup(page: &mut TextPage<'_>, checkup: &StoryCheck) {
    let (waived, open): (Vec<_>, Vec<_>) = checkup.findings.iter().partition(|finding| finding.issue.waived.is_some());
    for (number, finding) in open.iter().enumerate() {
        page.gap();
        issue(page, number + 1, &finding.issue, &checkup.story, QUOTES);
        page.labelled(4, "finding-id", &finding.issue.id);
        finding.instructions.iter().for_each(|instruction| fix(page, 4, instruction));
        if plan_may_follow(finding) {
            page.plan_follows(4, &finding.issue.id);
        }
    }
    for finding in &waived {
        page.gap();
        let Some(waiver) = &finding.issue.waived else { continue };
        page.lead(2, &format!("– {}  ", finding.issue.id), FAINT, FAINT, &finding.issue.title);
        let by = [("owner", waiver.owner.as_str().into()), ("reason", waiver.reason.as_str().into())];
        page.say(4, FAINT, "finding-waived", &by);
        if let Some(due) = &waiver.due {
            page.say(4, FAINT, "finding-waived-until", &[("chapter", due.as_str().into())]);
        }
    }
    page.gap();
    if let Some(score) = checkup.score {
        let figure = paint(score_style(score), &bar(score, 25.min(page.width() / 3)));
        page.line(&format!("{figure} {score} / 100"));
    }
    let count = |severity: Severity| open.iter().filter(|finding| finding.issue.severity == severity).count();
    let texts = page.texts();
    let counts = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low]
        .into_iter()
        .filter(|severity| count(*severity) > 0)
        .map(|severity| format!("{} {}", texts.word("severity", severity), count(severity)));
    match open.len() {
        0 if checkup.score.is_none() => {}
        0 => page.say(0, GOOD, "check-clean", &[]),
        total => {
            let severities = counts.collect::<Vec<_>>().join(&texts.get("list-comma"));
            page.say(0, STRONG, "check-found", &[("total", total.into()), ("severities", severities.into())]);
        }
    }
    basis(page, 0, &checkup.basis);
    if checkup.basis.judge == Judge::Rules && open.iter().any(|finding| finding.issue.source == Source::Model) {
        page.say(0, FAINT, "basis-earlier-model", &[]);
    }
    for (missing, style, key) in [(false, FAINT, "check-series"), (true, CARE, "check-series-missing")] {
        let rows = checkup.earlier.iter().filter(|row| row.missing == missing);
        let titles = rows.map(|row| series::title(row, texts)).collect::<Vec<_>>().join(&texts.get("list-comma"));
        if !titles.is_empty() {
            page.say(0, style, key, &[("titles", titles.into())]);
        }
    }
    if !checkup.mendable.is_empty() {
        // Files are not fixed in place.
        let how = if checkup.version > 0 { "check-fix-how" } else { "check-fix-file" };
        page.say(0, FAINT, how, &[("count", checkup.mendable.len().into())]);
    }
}

/// Draws the result of fixing.
pub(crate) fn mended(page: &mut TextPage<'_>, mended: &StoryFixes) {
    checkup(page, &mended.checkup);
    page.gap();
    match mended.change {
        None => page.say(0, FAINT, "mended-nothing", &[]),
        Some(change) => {
            page.say(
                0,
                GOOD,
                "mended",
                &[("count", mended.mended.len().into()), ("change", change.to_string().into())],
            );
        }
    }
    for finding in &mended.mended {
        page.lead(2, "✓ ", GOOD, PLAIN, finding);
    }
    for piece in &mended.removed {
        page.say(2, CARE, "mended-removed", &[("piece", piece.as_str().into())]);
    }
    for change in &mended.changed {
        page.say(2, PLAIN, "mended-changed", &[("change", change.as_str().into())]);
    }
    for (finding, why) in mended.left.iter().filter(|(_, why)| !matches!(why.as_str(), "not_certain" | "waived")) {
        page.lead(2, "– ", FAINT, FAINT, &format!("{finding}  {}", page.texts().word("left", why)));
    }
}

/// Draws the confirmation of a waiver.
pub(crate) fn waived(page: &mut TextPage<'_>, finding: &str, checkup: &StoryCheck) {
    let open = checkup.findings.iter().filter(|finding| finding.issue.waived.is_none()).count();
    page.say(0, GOOD, "waived", &[("finding", finding.into()), ("open", open.into())]);
}

/// Draws the facts matching a query.
pub(crate) fn facts(page: &mut TextPage<'_>, answers: &[Answer]) {
    if answers.is_empty() {
        return page.say(0, FAINT, "facts-none", &[]);
    }
    if answers.iter().all(|answer| answer.over_since.is_some()) {
        page.say(0, FAINT, "facts-over", &[]);
    }
    for answer in answers.iter().filter(|answer| !is_told_beside(answer, answers)) {
        let texts = page.texts();
        let word = texts.word("predicate", &answer.predicate);
        // A word without a text of its own may be a relation's, or the story's own.
        let word = if word == answer.predicate { vocabulary::shown(&word, texts.language()) } else { word };
        let (word, value) = match &answer.value {
            Value::Null => (word, String::new()),
            Value::Bool(is_so) => (predicate::whether(&word, *is_so, texts.language()), String::new()),
            value => (word, plain(texts, value)),
        };
        let value = with_unit(&value, &answer.unit);
        let other = [answer.object.as_deref().unwrap_or_default(), &value];
        let other = other.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let mut notes = Vec::new();
        if answer.mode != Mode::Narrated {
            notes.push(match &answer.by {
                Some(by) => format!("{} ({by})", texts.word("mode", answer.mode)),
                None => texts.word("mode", answer.mode),
            });
        }
        if answer.telling == Telling::Planned && answer.mode != Mode::Planned {
            notes.push(texts.get("fact-planned"));
        }
        if answer.planned_time && answer.telling != Telling::Planned {
            notes.push(texts.get("fact-planned-time"));
        }
        match answer.over_since.as_deref() {
            Some("") => notes.push(texts.get("fact-over")),
            Some(until) => notes.push(texts.fill("fact-over-since", &[("time", until.into())])),
            None => {}
        }
        if !answer.certain {
            notes.push(texts.get("fact-uncertain"));
        }
        let notes = notes.join(&texts.get("list-comma"));
        page.lead(0, &format!("{}  ", answer.subject), NAME, PLAIN, &format!("{word} {other}"));
        page.paragraph(4, CARE, &notes);
        let known = answer.known_by.iter().map(|KnownBy { who, since, .. }| match since.is_empty() {
            true => who.clone(),
            false => format!("{who} ({since})"),
        });
        let known: Vec<String> = known.collect();
        page.labelled(4, "fact-known", &known.join(&texts.get("list-comma")));
        // Facts without a source sentence are stated by the piece itself, in the vocabulary's words.
        let stated = format!("{} {}", answer.subject, answer.predicate);
        for source in std::iter::once(&answer.says).chain(&answer.also) {
            let said = match source.quote.strip_prefix(&stated) {
                Some(rest) => format!("{} {word}{rest}", answer.subject),
                None => source.quote.clone(),
            };
            // Only the sentence of a fact is prose, in quotation marks; other words are those of a piece.
            let is_quoted = source.anchor.ends_with("/source");
            let said = if is_quoted { texts.fill("quote", &[("text", said.into())]) } else { said };
            let teller = match answer.telling {
                Telling::Told { chapter } if is_quoted && *source == answer.says => {
                    texts.fill("fact-told", &[("chapter", u64::from(chapter).into())])
                }
                _ => kind_of(texts, &source.anchor),
            };
            page.lead(4, "▸ ", NAME, FAINT, format!("{said}  {teller}").trim_end());
        }
    }
}

/// Returns whether a card or a relation only says what a text tells as well.
fn is_told_beside(answer: &Answer, answers: &[Answer]) -> bool {
    let is_same = |other: &Answer| {
        let value = match (answer.value.as_f64(), other.value.as_f64()) {
            (Some(number), Some(other_number)) => {
                number.total_cmp(&other_number).is_eq() && (answer.unit == other.unit || answer.predicate == "age")
            }
            _ => answer.value == other.value,
        };
        let about = (&answer.subject, &answer.predicate, &answer.object, answer.mode);
        value && about == (&other.subject, &other.predicate, &other.object, other.mode)
    };
    let is_told = |other: &Answer| matches!(other.telling, Telling::Told { .. });
    answer.telling == Telling::Noted && answers.iter().any(|other| is_told(other) && is_same(other))
}

/// Draws the pieces affected by a change, nearest first.
pub(crate) fn impact(page: &mut TextPage<'_>, touched: &[Touched]) {
    if touched.is_empty() {
        return page.say(0, FAINT, "impact-none", &[]);
    }
    let mut distance = 0;
    for one in touched {
        let texts = page.texts();
        if one.distance != distance {
            distance = one.distance;
            page.gap();
            page.say(0, STRONG, "impact-steps", &[("steps", distance.into())]);
        }
        let called = |label: &str, piece: &str| match label.trim() {
            "" => piece.to_owned(),
            label => label.to_owned(),
        };
        let because = one.path.last().map(|link| {
            let (how, kind) = (texts.word("because", link.because), texts.word("piece", link.kind));
            format!("{how} {kind} {}", called(&link.label, &link.piece))
        });
        let kind = texts.word("piece", one.kind);
        page.lead(2, &format!("{kind}  "), NAME, PLAIN, &called(&one.label, &one.piece));
        page.paragraph(4, FAINT, &because.unwrap_or_default());
        for sentence in &one.sentences {
            let quote = texts.fill("quote", &[("text", sentence.quote.as_str().into())]);
            page.lead(4, "▸ ", NAME, FAINT, &quote);
        }
    }
    page.gap();
    page.say(0, FAINT, "impact-total", &[("count", touched.len().into())]);
}

/// Draws the result of importing a story.
pub(crate) fn imported(page: &mut TextPage<'_>, imported: &StoryImport) {
    unknown_fields(page, &imported.unknown);
    let texts = page.texts();
    let project = &imported.project;
    let values = [("title", project.title.as_str().into()), ("project", project.project.as_str().into())];
    page.say(0, GOOD, "imported", &values);
    let kinds = imported.pieces.iter().map(|(kind, count)| format!("{} {count}", texts.word("piece", kind)));
    page.paragraph(2, FAINT, &kinds.collect::<Vec<_>>().join(&texts.get("list-comma")));
    page.command(2, &format!("check {}", project.project));
}

/// Draws the unknown fields of a story file.
pub(crate) fn unknown_fields(page: &mut TextPage<'_>, unknown: &[String]) {
    if !unknown.is_empty() {
        let fields = unknown.join(&page.texts().get("list-comma"));
        page.say(0, CARE, "unknown-fields", &[("fields", fields.into())]);
    }
}

/// Draws the log, oldest first.
pub(crate) fn changes(page: &mut TextPage<'_>, rows: &[ChangeRow]) {
    if rows.is_empty() {
        return page.say(0, FAINT, "log-none", &[]);
    }
    // A piece that an earlier change put there is changed, not new.
    let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
    for row in rows {
        let texts = page.texts();
        let head = format!("{}  {}  {}", moment(row.at), texts.word("agent", &row.agent), source(texts, &row.run));
        page.lead(0, &format!("{}  ", row.change), STRONG, PLAIN, &head);
        if let Some(undone) = row.undoes {
            page.say(4, CARE, "log-undoes", &[("change", undone.to_string().into())]);
        }
        // A single row has no earlier changes to look in, and the pieces put back by an undo are not new.
        let is_undo = row.undoes.is_some() && rows.len() == 1;
        let is_known = |piece: &PieceName| is_undo || known.contains(&(piece.kind.as_str(), piece.id.as_str()));
        let (changed, new): (Vec<PieceName>, Vec<PieceName>) = row.put.iter().cloned().partition(is_known);
        names(page, "+ ", &new);
        names(page, "~ ", &changed);
        names(page, "- ", &row.removed);
        known.extend(row.put.iter().map(|piece| (piece.kind.as_str(), piece.id.as_str())));
        row.removed.iter().for_each(|piece| {
            known.remove(&(piece.kind.as_str(), piece.id.as_str()));
        });
    }
}

fn names(page: &mut TextPage<'_>, lead: &str, pieces: &[PieceName]) {
    if pieces.is_empty() {
        return;
    }
    let texts = page.texts();
    let pieces: Vec<(&str, &str)> = pieces.iter().map(|piece| (piece.kind.as_str(), piece.name.as_str())).collect();
    page.lead(4, lead, FAINT, PLAIN, &called(texts, &pieces, NAMED));
}
