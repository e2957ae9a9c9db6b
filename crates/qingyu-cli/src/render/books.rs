//! Imported and exported books, versions of texts, branches.

use qingyu_studio::formats::{Apart, BadPlace, Coverage, Encoding, LeftOut, Origin, Proof, Warning};
use qingyu_studio::text::cast::ProposedCharacter;
use qingyu_studio::{
    BookExportSummary, BranchComparison, BranchMerge, BranchPiece, BranchRow, ChapterState, DiffSpan, Hunk,
    ImportedChapter, ManuscriptImport, RestoredVersion, SettledBook, SideChange, SpanChange, TextComparison,
    TextDifference, VersionComparison, VersionRow,
};
use serde::Serialize;

use super::lists::moment;
use super::numbers::grouped;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, WRONG, paint};
use crate::texts::{LocalizedTexts, TextArgument};

/// Maximum number of listed chapters and warnings.
const LISTED: usize = 12;

/// Draws the result of an import.
pub(crate) fn brought(page: &mut TextPage<'_>, brought: &ManuscriptImport) {
    let texts = page.texts();
    let values = [("title", brought.title.as_str().into())];
    match (&brought.project, brought.dry_run, brought.change) {
        (_, true, _) => page.say(0, STRONG, "import-dry", &values),
        (Some(project), _, Some(change)) => {
            let values = [
                ("title", brought.title.as_str().into()),
                ("project", project.project.as_str().into()),
                ("change", change.to_string().into()),
            ];
            page.say(0, GOOD, "import-done", &values);
        }
        (Some(project), _, None) => {
            page.say(0, GOOD, "import-nothing", &[("project", project.project.as_str().into())]);
        }
        (None, ..) => {}
    }
    if let Some(encoding) = &brought.encoding {
        decoded(page, encoding);
    }
    page.paragraph(2, PLAIN, &covered(texts, &brought.coverage));
    brought.left_out.iter().for_each(|kind| left_out(page, kind));
    brought.apart.iter().for_each(|kind| apart(page, kind));
    for form in &brought.headings {
        let values = [("count", form.count.into()), ("example", form.example.as_str().into())];
        page.say(2, FAINT, "import-heading", &values);
    }
    page.gap();
    let mut volume = None;
    let shown = if brought.chapters.len() > LISTED + 2 { LISTED } else { brought.chapters.len() };
    for chapter in &brought.chapters[..shown] {
        if chapter.volume != volume {
            volume.clone_from(&chapter.volume);
            page.paragraph(2, STRONG, volume.as_deref().unwrap_or_default());
        }
        self::chapter(page, chapter);
    }
    if shown < brought.chapters.len() {
        page.say(4, FAINT, "list-more", &[("count", (brought.chapters.len() - shown).into())]);
    }
    let is_settled = brought.settled.chapters > 0;
    if is_settled {
        page.gap();
        settled(page, &brought.settled);
    }
    if !brought.warnings.is_empty() {
        page.gap();
    }
    for warning in brought.warnings.iter().take(LISTED) {
        page.lead(2, "! ", CARE, PLAIN, &warned(texts, warning));
    }
    if brought.warnings.len() > LISTED {
        page.say(4, FAINT, "list-more", &[("count", (brought.warnings.len() - LISTED).into())]);
    }
    if let (Some(project), Some(_)) = (&brought.project, brought.change) {
        page.gap();
        page.command(2, &format!("show {}", project.project));
        if is_settled {
            page.command(2, &format!("read {}", project.project));
        }
    }
}

/// Draws the encoding of a manuscript, with the places that are invalid in it and the evidence for it.
fn decoded(page: &mut TextPage<'_>, encoding: &Encoding) {
    let by = page.texts().word("taken-by", encoding.by);
    page.say(2, FAINT, "import-encoding", &[("encoding", encoding.name.as_str().into()), ("by", by.into())]);
    if encoding.bad > 0 {
        page.say(2, CARE, "import-bad", &[("count", encoding.bad.into())]);
    }
    for BadPlace { line, excerpt } in &encoding.places {
        let values = [("line", line.to_string().into()), ("excerpt", excerpt.as_str().into())];
        page.say(4, CARE, "import-bad-place", &values);
    }
    if let Some(proof) = encoding.proof {
        page.say(4, FAINT, "import-proof", &proven(proof));
    }
    for candidate in &encoding.candidates {
        let values = [("encoding", candidate.name.as_str().into()), ("sample", candidate.sample.as_str().into())];
        page.say(4, FAINT, "import-candidate", &values);
    }
}

/// Draws a kind of content that is not imported.
fn left_out(page: &mut TextPage<'_>, left_out: &LeftOut) {
    let texts = page.texts();
    let named = named(texts, &left_out.names, left_out.count);
    let key = if named.is_empty() { "import-left-out" } else { "import-left-out-named" };
    let values = [
        ("what", texts.word("extra", left_out.what).into()),
        ("count", left_out.count.into()),
        ("names", named.into()),
    ];
    page.say(2, CARE, key, &values);
}

/// Draws a kind of content outside the book.
fn apart(page: &mut TextPage<'_>, apart: &Apart) {
    let values = [
        ("what", page.texts().word("apart", apart.kind).into()),
        ("count", apart.lines.into()),
        ("sample", apart.sample.as_str().into()),
    ];
    page.say(2, CARE, "import-apart", &values);
}

fn chapter(page: &mut TextPage<'_>, chapter: &ImportedChapter) {
    let (style, sign) = match chapter.state {
        ChapterState::New => (GOOD, "+ "),
        ChapterState::Present => (FAINT, "= "),
        ChapterState::Replaced => (CARE, "~ "),
        ChapterState::Differs => (WRONG, "! "),
    };
    let state = page.texts().word("chapter-state", chapter.state);
    let rest = format!("{}  {}  {state}", chapter.title, grouped(chapter.characters as u64));
    page.lead(2, sign, style, PLAIN, &rest);
}

/// Draws what the rules found in the chapters.
fn settled(page: &mut TextPage<'_>, settled: &SettledBook) {
    let values = [
        ("facts", settled.facts.into()),
        ("cards", settled.cards.into()),
        ("questions", settled.questions.len().into()),
    ];
    page.say(2, PLAIN, "import-settled", &values);
    cast(page, &settled.cast);
    page.say(2, CARE, "import-unread", &[]);
}

/// Joins the first titles of documents that are left out; empty without titles.
fn named(texts: &LocalizedTexts, names: &[String], count: usize) -> String {
    let shown = names.iter().take(LISTED).cloned();
    let more = count - count.min(names.len().min(LISTED));
    let rest = (more > 0 && !names.is_empty()).then(|| texts.fill("list-more", &[("count", more.into())]));
    shown.chain(rest).collect::<Vec<_>>().join(&texts.get("list-comma"))
}

/// Draws the proposed characters, with their number of speeches and actions.
fn cast(page: &mut TextPage<'_>, proposed: &[ProposedCharacter]) {
    const PEOPLE: usize = 12;
    for (title, is_sure) in [("import-cast", true), ("import-cast-unsure", false)] {
        let people: Vec<&ProposedCharacter> = proposed.iter().filter(|one| one.is_sure == is_sure).collect();
        if people.is_empty() {
            continue;
        }
        page.say(2, PLAIN, title, &[("count", people.len().into())]);
        for one in people.iter().take(PEOPLE) {
            let called = match one.alias.as_slice() {
                [] => one.name.clone(),
                alias => format!("{} ({})", one.name, alias.join(", ")),
            };
            let values = [("name", called.into()), ("speaks", one.speaks.into()), ("acts", one.acts.into())];
            page.say(4, FAINT, "import-cast-one", &values);
        }
        if people.len() > PEOPLE {
            page.say(4, FAINT, "list-more", &[("count", (people.len() - PEOPLE).into())]);
        }
    }
}

/// Returns the evidence for an encoding as text arguments.
fn proven(proof: Proof) -> Vec<TextArgument<'static>> {
    match proof {
        Proof::Sequences { valid, broken } => {
            vec![("proof", "sequences".into()), ("valid", valid.into()), ("broken", broken.into())]
        }
        Proof::CommonCharacters { percent } => vec![("proof", "common_characters".into()), ("percent", percent.into())],
        Proof::MarkedLetters { percent } => vec![("proof", "marked_letters".into()), ("percent", percent.into())],
        Proof::Script => vec![("proof", "script".into())],
    }
}

/// Formats the coverage of an import: `24,310 characters: 24,010 in 12 chapters, 120 in headings, 180 blank`.
fn covered(texts: &LocalizedTexts, coverage: &Coverage) -> String {
    let number = |count: usize| grouped(count as u64);
    let parts = [
        ("coverage-headings", coverage.headings()),
        ("coverage-title", coverage.title()),
        ("coverage-front", coverage.front()),
        ("coverage-contents", coverage.contents()),
        ("coverage-apart", coverage.apart()),
        ("coverage-separators", coverage.separators()),
        ("coverage-blank", coverage.blank()),
    ];
    let chapters = [("count", number(coverage.text()).into()), ("chapters", coverage.chapters().into())];
    let others = parts.into_iter().filter(|(_, count)| *count > 0);
    let others = others.map(|(key, count)| texts.fill(key, &[("count", number(count).into())]));
    let parts: Vec<String> = [texts.fill("coverage-text", &chapters)].into_iter().chain(others).collect();
    let values =
        [("total", number(coverage.characters()).into()), ("parts", parts.join(&texts.get("list-comma")).into())];
    texts.fill("coverage", &values)
}

pub(super) fn warned(texts: &LocalizedTexts, warning: &Warning) -> String {
    let place = |origin: &Origin| match origin {
        Origin::Line(line) => texts.fill("origin-line", &[("line", line.to_string().into())]),
        Origin::Entry { name, paragraph } => {
            texts.fill("origin-entry", &[("name", name.as_str().into()), ("paragraph", paragraph.to_string().into())])
        }
    };
    let number = |number: &u32| number.to_string();
    match warning {
        Warning::Missing { from, until, before, origin } => {
            let numbers = if from == until { number(from) } else { format!("{from}–{until}") };
            let values =
                [("numbers", numbers.into()), ("title", before.as_str().into()), ("place", place(origin).into())];
            texts.fill("manuscript-missing", &values)
        }
        Warning::Twice { number: twice, title, origin } => {
            let values =
                [("number", number(twice).into()), ("title", title.as_str().into()), ("place", place(origin).into())];
            texts.fill("manuscript-twice", &values)
        }
        Warning::Backwards { number: low, after, title, origin } => {
            let values = [
                ("number", number(low).into()),
                ("after", number(after).into()),
                ("title", title.as_str().into()),
                ("place", place(origin).into()),
            ];
            texts.fill("manuscript-backwards", &values)
        }
        Warning::OneChapter { characters, suspects } => {
            let values = [("characters", grouped(*characters as u64).into())];
            let suspects =
                suspects.iter().map(|line| texts.fill("manuscript-suspect", &[("line", line.as_str().into())]));
            let lines: Vec<String> =
                std::iter::once(texts.fill("manuscript-one-chapter", &values)).chain(suspects).collect();
            lines.join("; ")
        }
        Warning::Guessed { count, example } => {
            let values = [("count", (*count).into()), ("example", example.as_str().into())];
            texts.fill("manuscript-guessed", &values)
        }
        Warning::Long { title, characters, origin } => {
            let values = [
                ("title", title.as_str().into()),
                ("characters", grouped(*characters as u64).into()),
                ("place", place(origin).into()),
            ];
            texts.fill("manuscript-long", &values)
        }
        Warning::Outside { characters, text } => {
            let values = [("characters", grouped(*characters as u64).into()), ("text", grouped(*text as u64).into())];
            texts.fill("manuscript-outside", &values)
        }
        Warning::Unread { count, example, origin } => {
            let values =
                [("count", (*count).into()), ("example", example.as_str().into()), ("place", place(origin).into())];
            texts.fill("manuscript-unread", &values)
        }
        Warning::NoText { title, origin } => {
            texts.fill("manuscript-no-text", &[("title", title.as_str().into()), ("place", place(origin).into())])
        }
        Warning::Misprinted { number: read, title, origin } => {
            let values =
                [("number", number(read).into()), ("title", title.as_str().into()), ("place", place(origin).into())];
            texts.fill("manuscript-misprinted", &values)
        }
        Warning::Unfound { entry, within, origin } => {
            let values =
                [("entry", entry.as_str().into()), ("title", within.as_str().into()), ("place", place(origin).into())];
            texts.fill("manuscript-unfound", &values)
        }
        Warning::Truncated { place, characters, last } => {
            let place = place.clone().unwrap_or_else(|| texts.get("place-the-file"));
            let values = [
                ("place", place.into()),
                ("characters", grouped(*characters as u64).into()),
                ("last", last.as_str().into()),
            ];
            texts.fill("manuscript-truncated", &values)
        }
    }
}

/// An exported book with its file.
#[derive(Debug, Serialize)]
pub(crate) struct ExportedFile {
    /// The path of the file.
    pub(crate) path: String,
    /// The exported book.
    #[serde(flatten)]
    pub(crate) exported: BookExportSummary,
}

/// Draws the result of an export.
pub(crate) fn written(page: &mut TextPage<'_>, written: &ExportedFile) {
    let ExportedFile { path, exported } = written;
    let values = [
        ("title", exported.title.as_str().into()),
        ("chapters", exported.chapters.into()),
        ("length", grouped(exported.length as u64).into()),
        ("path", path.as_str().into()),
    ];
    page.say(0, GOOD, "export-done", &values);
    for title in exported.empty.iter().take(LISTED) {
        page.lead(2, "! ", CARE, PLAIN, &page.texts().fill("export-empty", &[("title", title.as_str().into())]));
    }
}

/// Draws the differences between texts.
pub(crate) fn differences(page: &mut TextPage<'_>, differences: &VersionComparison) {
    differences.versions.iter().for_each(|row| version(page, row));
    differences.texts.iter().for_each(|text| difference(page, text));
    if differences.texts.iter().all(|text| text.comparison.hunks.is_empty()) {
        page.gap();
        page.say(0, FAINT, "diff-none", &[]);
    }
}

fn version(page: &mut TextPage<'_>, row: &VersionRow) {
    let at = row.at.map(moment).unwrap_or_default();
    let head = format!("{at}  {}  {}", page.texts().word("agent", &row.agent), grouped(row.length as u64));
    page.lead(2, &format!("v{}  ", row.version), NAME, FAINT, &head);
}

fn difference(page: &mut TextPage<'_>, text: &TextDifference) {
    if text.comparison.hunks.is_empty() {
        return;
    }
    let side = |side: Option<u64>| side.map_or_else(|| "–".to_owned(), |side| side.to_string());
    page.heading(&format!("{} ({})  {} → {}", text.title, text.document, side(text.from), side(text.to)));
    let TextComparison { hunks, added, removed } = &text.comparison;
    page.line(&format!("{} {}", paint(GOOD, &format!("+{added}")), paint(WRONG, &format!("-{removed}"))));
    hunks.iter().for_each(|hunk| self::hunk(page, hunk));
}

fn hunk(page: &mut TextPage<'_>, hunk: &Hunk) {
    page.line(&paint(FAINT, &format!("@@ {} → {}", hunk.old_line, hunk.new_line)));
    let mut line = String::new();
    for DiffSpan { op, text } in &hunk.spans {
        let (style, open, close) = match op {
            SpanChange::Same => (PLAIN, "", ""),
            SpanChange::Added => (GOOD, "{+", "+}"),
            SpanChange::Removed => (WRONG, "[-", "-]"),
        };
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                page.line(&format!("  {line}"));
                line.clear();
            }
            if !part.is_empty() {
                line.push_str(&paint(style, &format!("{open}{part}{close}")));
            }
        }
    }
    if !line.is_empty() {
        page.line(&format!("  {line}"));
    }
}

/// Draws the result of restoring a text.
pub(crate) fn restored(page: &mut TextPage<'_>, restored: &RestoredVersion) {
    let values = [
        ("title", restored.title.as_str().into()),
        ("restored", restored.restored.to_string().into()),
        ("version", restored.version.to_string().into()),
    ];
    match restored.change {
        Some(_) => page.say(0, GOOD, "restore-done", &values),
        None => page.say(0, FAINT, "restore-nothing", &values),
    }
}

/// Draws the branches of a project.
pub(crate) fn branches(page: &mut TextPage<'_>, rows: &[BranchRow]) {
    if rows.is_empty() {
        return page.say(0, FAINT, "branches-none", &[]);
    }
    for row in rows {
        let rest = format!("{}  {}", row.project.project, moment(row.project.updated));
        page.lead(0, &format!("{}  ", row.name), NAME, PLAIN, &rest);
    }
}

pub(crate) fn branch_begun(page: &mut TextPage<'_>, row: &BranchRow) {
    let values = [
        ("name", row.name.as_str().into()),
        ("project", row.project.project.as_str().into()),
        ("change", row.base.to_string().into()),
    ];
    page.say(0, GOOD, "branch-begun", &values);
}

pub(crate) fn branch_deleted(page: &mut TextPage<'_>, row: &BranchRow) {
    page.say(0, GOOD, "branch-deleted", &[("name", row.name.as_str().into())]);
}

/// Draws a branch and its project, side by side.
pub(crate) fn branch_compared(page: &mut TextPage<'_>, compared: &BranchComparison) {
    if compared.pieces.is_empty() {
        return page.say(0, FAINT, "branch-same", &[]);
    }
    compared.pieces.iter().for_each(|piece| side_by_side(page, piece));
    compared.texts.iter().for_each(|text| difference(page, text));
}

fn side_by_side(page: &mut TextPage<'_>, piece: &BranchPiece) {
    let texts = page.texts();
    let (style, sign) = if piece.conflict { (WRONG, "! ") } else { (GOOD, "  ") };
    let fates = [
        ("project", texts.word("branch-fate", piece.project).into()),
        ("branch", texts.word("branch-fate", piece.branch).into()),
    ];
    let name = format!("{} {} {}", texts.word("piece", &piece.kind), piece.id, piece.name);
    page.lead(0, sign, style, PLAIN, &format!("{}  {}", name.trim(), texts.fill("branch-fates", &fates)));
}

/// Draws the result of a merge.
pub(crate) fn merged(page: &mut TextPage<'_>, merged: &BranchMerge) {
    match merged.change {
        Some(change) => {
            let values = [("count", merged.taken.len().into()), ("change", change.to_string().into())];
            page.say(0, GOOD, "branch-merged", &values);
        }
        None => page.say(0, FAINT, "branch-merged-nothing", &[]),
    }
    for piece in &merged.taken {
        let sign = match piece.branch {
            SideChange::Removed => "- ",
            SideChange::Changed => "~ ",
            _ => "+ ",
        };
        let name = format!("{} {} {}", page.texts().word("piece", &piece.kind), piece.id, piece.name);
        page.lead(2, sign, GOOD, PLAIN, name.trim());
    }
    merged.settled.iter().for_each(|piece| side_by_side(page, piece));
}
