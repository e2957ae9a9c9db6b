//! The commands `qingyu search`, `ask` and `index`.

use qingyu_studio::operations as op;
use qingyu_studio::{AskRequest, EmbeddingProgress, SearchRequest};

use super::create::requirement;
use super::waiting::{progress_bar, spinner};
use crate::args::{AskArgs, IndexArgs, SearchArgs};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::questions as draw;
use crate::screen::Screen;

pub(super) async fn search(desk: &Desk, screen: &Screen, arguments: SearchArgs) -> Result<Exit, Error> {
    let SearchArgs { project, text, kinds, condition, before, at, limit, rerank, series, explain } = arguments;
    let text = requirement(&text)?;
    let request = SearchRequest {
        text,
        kinds,
        condition,
        before: before.map(Into::into),
        at: at.map(Into::into),
        limit: limit.into(),
        rerank,
        series,
    };
    let searched = desk.call(op::SearchProject { project, request }).await?;
    screen.show(&searched, |page| draw::searched(page, &searched, explain)).map(|()| Exit::Done)
}

pub(super) async fn ask(desk: &Desk, screen: &Screen, arguments: AskArgs) -> Result<Exit, Error> {
    let AskArgs { project, question, before, budget, session, series, explain } = arguments;
    let desk = desk.in_session(session.as_deref())?;
    let question = requirement(&question)?;
    let request = AskRequest { question, before: before.map(Into::into), budget, series };
    let waiting = spinner(screen, "ask-working");
    let answered = desk.call(op::AskProject { project, request }).await;
    waiting.finish_and_clear();
    let answered = answered?;
    screen.show(&answered, |page| draw::answered(page, &answered, explain)).map(|()| Exit::Done)
}

pub(super) async fn index(desk: &Desk, screen: &Screen, arguments: &IndexArgs) -> Result<Exit, Error> {
    let bar = progress_bar(screen);
    let tell = |embedded: &EmbeddingProgress| {
        bar.set_length(embedded.passages as u64);
        bar.set_position(embedded.having as u64);
    };
    let (project, rebuild) = (arguments.project.clone(), arguments.rebuild);
    let embedded = match (desk.of_here(), rebuild) {
        (Some(studio), true) => studio.rebuild_index(&project, tell).await,
        (Some(studio), false) => studio.embed(&project, tell).await,
        (None, _) => desk.call(op::BuildIndex { project, rebuild }).await,
    };
    bar.finish_and_clear();
    let embedded = embedded?;
    screen.show(&embedded, |page| draw::embedded(page, &embedded)).map(|()| Exit::Done)
}
