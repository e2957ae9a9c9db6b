//! `qingyu task`, `continue`, `dialogue` and `scene`.

use qingyu_studio::TaskRequest;
use qingyu_studio::agents::service::Given;
use qingyu_studio::agents::{Task as Order, TaskOptions, Writes};
use qingyu_studio::operations::Start;
use toml::Table;

use super::create::{assign_all, requirement};
use super::texts::told_text;
use crate::args::{Continue, Dialogue, PieceOfProse, Scene, Task, Working};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::screen::Screen;
use crate::watch;

/// The agent that writes prose.
const WRITER: &str = "creative";

pub(super) async fn task(desk: &Desk, screen: &Screen, arguments: Task) -> Result<Exit, Error> {
    let Task { project, task, agent, chapter, text, timeout, save, dry, working } = arguments;
    let text = text.map(|path| told_text(screen, &path));
    let order = Order { agent, chapter, text: text.transpose()?, timeout, ..Order::new("", requirement(&task)?) };
    let writes = match (save, dry) {
        (true, _) => Writes::Allowed,
        (false, true) => Writes::Never,
        (false, false) => Writes::Ask,
    };
    work(desk, screen, TaskRequest { project, task: order, ..allowing(writes) }, working).await
}

pub(super) async fn go_on(desk: &Desk, screen: &Screen, arguments: Continue) -> Result<Exit, Error> {
    let Continue { project, chapter, with, piece } = arguments;
    let described = match (&with, &chapter) {
        (Some(with), _) => requirement(with)?,
        (None, Some(chapter)) => screen.texts().fill("task-continue-chapter", &[("chapter", chapter.as_str().into())]),
        (None, None) => screen.texts().get("task-continue"),
    };
    write(desk, screen, Prose { project, kind: "continue", described, chapter, setting: None }, piece).await
}

pub(super) async fn dialogue(desk: &Desk, screen: &Screen, arguments: Dialogue) -> Result<Exit, Error> {
    let Dialogue { project, about, chapter, piece } = arguments;
    let described = requirement(&about)?;
    write(desk, screen, Prose { project, kind: "dialogue", described, chapter, setting: None }, piece).await
}

pub(super) async fn scene(desk: &Desk, screen: &Screen, arguments: Scene) -> Result<Exit, Error> {
    let Scene { project, about, chapter, setting, piece } = arguments;
    let described = requirement(&about)?;
    write(desk, screen, Prose { project, kind: "scene", described, chapter, setting }, piece).await
}

/// A piece of prose that is wanted.
struct Prose {
    project: String,
    kind: &'static str,
    described: String,
    chapter: Option<String>,
    setting: Option<String>,
}

async fn write(desk: &Desk, screen: &Screen, prose: Prose, piece: PieceOfProse) -> Result<Exit, Error> {
    let PieceOfProse { characters, words, save, working } = piece;
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

fn allowing(writes: Writes) -> TaskRequest {
    TaskRequest { options: TaskOptions { writes, ..TaskOptions::default() }, ..TaskRequest::default() }
}

async fn work(desk: &Desk, screen: &Screen, request: TaskRequest, working: Working) -> Result<Exit, Error> {
    let Working { model, set, watch } = working;
    let mut overrides = Table::new();
    assign_all(&mut overrides, &set)?;
    let handle = desk.start(Start::Task(Box::new(TaskRequest { model, overrides, ..request }))).await?;
    watch::follow(screen, desk, handle, &watch).await
}
