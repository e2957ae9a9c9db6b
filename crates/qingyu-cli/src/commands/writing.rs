//! The commands `qingyu write`, `read`, `correct` and `rewrite`.

use qingyu_studio::agents::WritingTask;
use qingyu_studio::agents::levels::PlanTarget;
use qingyu_studio::agents::writing::Part;
use qingyu_studio::operations::{self as op, StartRequest};
use qingyu_studio::story::chapters::ChapterName;
use qingyu_studio::{ChapterWriteRequest, ForecastRequest};

use super::create::{overrides, requirement};
use super::texts::text_of;
use crate::args::{ChapterSelection, CorrectArgs, PlanArgs, ReadArgs, RewriteArgs, RunControlArgs, WriteArgs};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::cost;
use crate::render::page::GOOD;
use crate::screen::Screen;
use crate::watch;

pub(super) async fn write(desk: &Desk, screen: &Screen, arguments: WriteArgs) -> Result<Exit, Error> {
    let WriteArgs { project, chapters, words, style_from, brief, gate, mut working } = arguments;
    if !gate.is_empty() {
        let gates: Vec<String> = gate.iter().map(|gate| format!("\"{gate}\"")).collect();
        working.set.push(format!("writing.gates=[{}]", gates.join(", ")));
    }
    let request = ChapterWriteRequest {
        project,
        task: WritingTask::Draft { chapters: named(chapters) },
        words,
        style_sample: style_from.as_deref().map(text_of).transpose()?.unwrap_or_default(),
        brief_only: brief,
        ..ChapterWriteRequest::default()
    };
    work(desk, screen, request, working).await
}

/// Plans a long book up to an arc.
pub(super) async fn plan(desk: &Desk, screen: &Screen, arguments: PlanArgs) -> Result<Exit, Error> {
    let PlanArgs { project, next, arc, chapters, to, working } = arguments;
    let last = chapters.map(|range| u32::try_from(range.to).unwrap_or(u32::MAX));
    let until = match (arc, last.or(to)) {
        (Some(number), _) if !next => PlanTarget::Arc { number },
        (None, Some(number)) if !next => PlanTarget::Chapter { number },
        _ => PlanTarget::Next,
    };
    let task = WritingTask::Plan { until };
    work(desk, screen, ChapterWriteRequest { project, task, ..ChapterWriteRequest::default() }, working).await
}

/// Reads chapters with a model, after showing the estimated cost.
pub(super) async fn read(desk: &Desk, screen: &Screen, arguments: ReadArgs) -> Result<Exit, Error> {
    let ReadArgs { project, chapters, working } = arguments;
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
    work(desk, screen, ChapterWriteRequest { project, task, ..ChapterWriteRequest::default() }, working).await
}

pub(super) async fn correct(desk: &Desk, screen: &Screen, arguments: CorrectArgs) -> Result<Exit, Error> {
    let CorrectArgs { project, chapters, working } = arguments;
    let task = WritingTask::Correct { chapters: named(chapters) };
    work(desk, screen, ChapterWriteRequest { project, task, ..ChapterWriteRequest::default() }, working).await
}

pub(super) async fn rewrite(desk: &Desk, screen: &Screen, arguments: RewriteArgs) -> Result<Exit, Error> {
    let RewriteArgs { project, chapter, instruction, range, paragraphs, working } = arguments;
    let part = match (range, paragraphs) {
        (Some(span), _) => Part::Characters { from: span.from, to: span.to },
        (None, Some(span)) => Part::Paragraphs { from: span.from, to: span.to },
        (None, None) => Part::Whole,
    };
    let task = WritingTask::Rewrite { chapter: chapter.into(), part, instruction: requirement(&instruction)? };
    work(desk, screen, ChapterWriteRequest { project, task, ..ChapterWriteRequest::default() }, working).await
}

async fn work(
    desk: &Desk,
    screen: &Screen,
    request: ChapterWriteRequest,
    working: RunControlArgs,
) -> Result<Exit, Error> {
    let (overrides, RunControlArgs { model, watch, .. }) = (overrides(&working)?, working);
    let handle = desk.start(StartRequest::Write(ChapterWriteRequest { model, overrides, ..request })).await?;
    watch::follow(screen, desk, handle, &watch).await
}

fn named(chapters: Option<ChapterSelection>) -> Vec<ChapterName> {
    chapters.map(|chapters| chapters.0).unwrap_or_default()
}
