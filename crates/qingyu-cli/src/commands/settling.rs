//! The commands `qingyu edit` and `reconcile`.

use std::path::Path;

use qingyu_studio::operations as op;
use qingyu_studio::story::{Severity, Story};
use qingyu_studio::{ApplyMode, ChapterText, ReadingMode};

use super::texts::{text_of, told_text};
use crate::args::{EditArgs, ReconcileArgs};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::settling;
use crate::screen::Screen;
use crate::watch::run_editor;

pub(super) async fn edit(desk: &Desk, screen: &Screen, arguments: EditArgs) -> Result<Exit, Error> {
    let EditArgs { project, chapter, file, unasked } = arguments;
    let now = desk.call(op::ReadChapter { project: project.clone(), chapter }).await?;
    let project = desk.call(op::FindProject { project }).await?.project;
    let draft = file.is_none().then(|| desk.home().join(format!("edit-{project}-{}.md", now.id)));
    let is_written = !now.text.trim().is_empty();
    let text = match (file, &draft) {
        (Some(file), _) => told_text(screen, &file)?,
        (None, Some(draft)) if screen.can_ask() => in_editor(&now, draft)?,
        // An empty pipe does not mean an empty chapter.
        (None, _) => Some(text_of(Path::new("-"))?).filter(|text| !text.trim().is_empty()).unwrap_or(now.text),
    };
    if is_written && text.trim().is_empty() && !unasked {
        // An empty draft would be opened again.
        if let Some(draft) = draft {
            std::fs::remove_file(draft).ok();
        }
        return Err(Error::EmptyUnconfirmed { title: now.title });
    }
    let edited = desk
        .call(op::EditChapter { project: project.clone(), chapter: now.id, text, expected: Some(now.version) })
        .await?;
    if let Some(draft) = draft.filter(|draft| draft.exists()) {
        std::fs::remove_file(draft).ok();
    }
    // On a page the findings name pieces and later chapters.
    let story = if screen.json() || edited.findings.is_empty() {
        Story::default()
    } else {
        desk.call(op::ReadStory { project: project.clone(), change: None }).await?
    };
    screen.show(&edited, |page| settling::edited(page, &project, &edited, &story))?;
    let is_grave = edited.findings.iter().any(|finding| finding.issue.severity >= Severity::High);
    Ok(if is_grave { Exit::Findings } else { Exit::Done })
}

pub(super) async fn reconcile(desk: &Desk, screen: &Screen, arguments: ReconcileArgs) -> Result<Exit, Error> {
    let ReconcileArgs { project, chapters, apply, rules } = arguments;
    let chapters = chapters.map(|chapters| chapters.0).unwrap_or_default();
    let reading = if rules { ReadingMode::Rules } else { ReadingMode::Recalled };
    let apply = if apply { ApplyMode::Save } else { ApplyMode::Show };
    let reconciled = desk.call(op::Reconcile { project: project.clone(), chapters, reading, apply }).await?;
    screen.show(&reconciled, |page| settling::reconciled(page, &project, &reconciled)).map(|()| Exit::Done)
}

/// Opens the chapter in the editor and returns the edited text.
fn in_editor(chapter: &ChapterText, draft: &Path) -> Result<String, Error> {
    let text = left_in_editor(draft, &chapter.text)?;
    // Editors append a line break to the last line.
    let is_ended = chapter.text.ends_with('\n');
    Ok(if is_ended { text } else { text.strip_suffix('\n').map(str::to_owned).unwrap_or(text) })
}

/// Opens `text` in the editor and returns the edited text. A draft left by an earlier attempt is reopened; the caller
/// removes the draft after saving.
pub(super) fn left_in_editor(draft: &Path, text: &str) -> Result<String, Error> {
    if !draft.exists() {
        std::fs::write(draft, text)
            .map_err(|error| Error::Unwritable { path: draft.to_path_buf(), message: error.to_string() })?;
    }
    run_editor(draft)?;
    text_of(draft)
}
