//! `qingyu write`, `read`, `correct` and `rewrite`.

use qingyu_studio::agents::WritingTask;
use qingyu_studio::agents::writing::Part;
use qingyu_studio::operations::{self as op, Start};
use qingyu_studio::story::chapters::ChapterName;
use qingyu_studio::{ForecastRequest, WriteRequest};
use toml::Table;

use super::create::{assign_all, requirement};
use super::texts::text_of;
use crate::args::{Chapters, Correct, Read, Rewrite, Working, Write};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::cost;
use crate::render::page::GOOD;
use crate::screen::Screen;
use crate::watch;

pub(super) async fn write(desk: &Desk, screen: &Screen, arguments: Write) -> Result<Exit, Error> {
    let Write { project, chapters, words, style_from, brief, working } = arguments;
    let request = WriteRequest {
        project,
        task: WritingTask::Draft { chapters: named(chapters) },
        words,
        style_sample: style_from.as_deref().map(text_of).transpose()?.unwrap_or_default(),
        brief_only: brief,
        ..WriteRequest::default()
    };
    work(desk, screen, request, working).await
}

/// Reads chapters with a model, after showing what that will cost.
pub(super) async fn read(desk: &Desk, screen: &Screen, arguments: Read) -> Result<Exit, Error> {
    let Read { project, chapters, working } = arguments;
    let chapters = named(chapters);
    let request = ForecastRequest::Read { project: project.clone(), chapters: chapters.clone() };
    let forecast = desk.call(op::ForecastCost { request }).await?;
    if forecast.chapters.is_empty() {
        let nothing = serde_json::json!({"project": project, "chapters": []});
        return screen.show(&nothing, |page| page.say(0, GOOD, "reading-none", &[])).map(|()| Exit::Done);
    }
    if !screen.json() && !working.watch.quiet && !working.watch.events {
        let mut page = screen.page();
        cost::forecast(&mut page, &forecast);
        screen.print(&page.finish())?;
    }
    let task = WritingTask::Read { chapters };
    work(desk, screen, WriteRequest { project, task, ..WriteRequest::default() }, working).await
}

pub(super) async fn correct(desk: &Desk, screen: &Screen, arguments: Correct) -> Result<Exit, Error> {
    let Correct { project, chapters, working } = arguments;
    let task = WritingTask::Correct { chapters: named(chapters) };
    work(desk, screen, WriteRequest { project, task, ..WriteRequest::default() }, working).await
}

pub(super) async fn rewrite(desk: &Desk, screen: &Screen, arguments: Rewrite) -> Result<Exit, Error> {
    let Rewrite { project, chapter, instruction, range, paragraphs, working } = arguments;
    let part = match (range, paragraphs) {
        (Some(span), _) => Part::Characters { from: span.from, to: span.to },
        (None, Some(span)) => Part::Paragraphs { from: span.from, to: span.to },
        (None, None) => Part::Whole,
    };
    let task = WritingTask::Rewrite { chapter: chapter.into(), part, instruction: requirement(&instruction)? };
    work(desk, screen, WriteRequest { project, task, ..WriteRequest::default() }, working).await
}

async fn work(desk: &Desk, screen: &Screen, request: WriteRequest, working: Working) -> Result<Exit, Error> {
    let Working { model, set, watch } = working;
    let mut overrides = Table::new();
    assign_all(&mut overrides, &set)?;
    let handle = desk.start(Start::Write(WriteRequest { model, overrides, ..request })).await?;
    watch::follow(screen, desk, handle, &watch).await
}

fn named(chapters: Option<Chapters>) -> Vec<ChapterName> {
    chapters.map(|chapters| chapters.0).unwrap_or_default()
}
