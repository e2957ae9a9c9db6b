//! The commands `qingyu task`, `continue`, `dialogue` and `scene`.

use qingyu_studio::TaskRequest;
use qingyu_studio::agents::service::Given;
use qingyu_studio::agents::{Task as Order, TaskOptions, Writes};
use qingyu_studio::operations::{self as op, StartRequest};

use super::create::{overrides, requirement};
use super::texts::told_text;
use crate::args::{ContinueArgs, DialogueArgs, ProseArgs, RunControlArgs, SceneArgs, TaskArgs};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::screen::Screen;
use crate::texts::LocalizedTexts;
use crate::watch;

/// The agent writing prose.
const WRITER: &str = "creative";

pub(super) async fn task(desk: &Desk, screen: &Screen, arguments: TaskArgs) -> Result<Exit, Error> {
    let TaskArgs { project, task, agent, agents, chapter, text, timeout, save, dry, session, working } = arguments;
    let desk = &desk.in_session(session.as_deref())?;
    let text = text.map(|path| told_text(screen, &path));
    let (text, words) = (text.transpose()?, requirement(&task)?);
    let order = Order { agent, agent_sequence: agents, chapter, text, timeout, ..Order::new("", words) };
    let writes = match (save, dry) {
        (true, _) => Writes::Allowed,
        (false, true) => Writes::Never,
        (false, false) => Writes::Ask,
    };
    work(desk, screen, TaskRequest { project, task: order, ..allowing(writes) }, working).await
}

pub(super) async fn go_on(desk: &Desk, screen: &Screen, arguments: ContinueArgs) -> Result<Exit, Error> {
    let ContinueArgs { project, chapter, with, piece } = arguments;
    let described = match (&with, &chapter) {
        (Some(with), _) => requirement(with)?,
        (None, Some(chapter)) => {
            let texts = book_texts(desk, &project).await?;
            texts.fill("task-continue-chapter", &[("chapter", chapter.as_str().into())])
        }
        (None, None) => book_texts(desk, &project).await?.get("task-continue"),
    };
    write(desk, screen, ProseRequest { project, kind: "continue", described, chapter, setting: None }, piece).await
}

pub(super) async fn dialogue(desk: &Desk, screen: &Screen, arguments: DialogueArgs) -> Result<Exit, Error> {
    let DialogueArgs { project, about, chapter, piece } = arguments;
    let described = requirement(&about)?;
    write(desk, screen, ProseRequest { project, kind: "dialogue", described, chapter, setting: None }, piece).await
}

pub(super) async fn scene(desk: &Desk, screen: &Screen, arguments: SceneArgs) -> Result<Exit, Error> {
    let SceneArgs { project, about, chapter, setting, piece } = arguments;
    let described = requirement(&about)?;
    write(desk, screen, ProseRequest { project, kind: "scene", described, chapter, setting }, piece).await
}

/// A request for a piece of prose.
struct ProseRequest {
    project: String,
    kind: &'static str,
    described: String,
    chapter: Option<String>,
    setting: Option<String>,
}

async fn write(desk: &Desk, screen: &Screen, prose: ProseRequest, piece: ProseArgs) -> Result<Exit, Error> {
    let ProseArgs { characters, words, save, working } = piece;
    let context = Given {
        kind: Some(prose.kind.into()),
        characters,
        setting: prose.setting,
        words,
        change: save,
        ..Given::default()
    };
    let agent = Some(WRITER.to_owned());
    let task = Order { agent, chapter: prose.chapter, context, ..Order::new("", prose.described) };
    let writes = if save { Writes::Allowed } else { Writes::Never };
    work(desk, screen, TaskRequest { project: prose.project, task, ..allowing(writes) }, working).await
}

/// Returns the texts in the language of a book: a task without the author's own words is worded like the book, which its
/// agents write, whatever language the command speaks.
pub(super) async fn book_texts(desk: &Desk, project: &str) -> Result<LocalizedTexts, Error> {
    let book = desk.call(op::FindProject { project: project.to_owned() }).await?;
    Ok(LocalizedTexts::new(book.language))
}

fn allowing(writes: Writes) -> TaskRequest {
    TaskRequest { options: TaskOptions { writes, ..TaskOptions::default() }, ..TaskRequest::default() }
}

async fn work(desk: &Desk, screen: &Screen, request: TaskRequest, working: RunControlArgs) -> Result<Exit, Error> {
    let (overrides, RunControlArgs { model, watch, .. }) = (overrides(&working)?, working);
    let handle = desk.start(StartRequest::Task(Box::new(TaskRequest { model, overrides, ..request }))).await?;
    watch::follow(screen, desk, handle, &watch).await
}
