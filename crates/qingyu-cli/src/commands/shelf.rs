//! The commands `qingyu projects`, `qingyu project` and `qingyu picture`.

use qingyu_studio::operations as op;
use qingyu_studio::{ProjectRow, ProjectStatus};

use super::books::contents;
use crate::args::{PictureArgs, ProjectAction, ProjectArgs, Projects};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::page::GOOD;
use crate::render::{lists, pictures};
use crate::screen::Screen;

pub(super) async fn projects(desk: &Desk, screen: &Screen, arguments: &Projects) -> Result<Exit, Error> {
    let status = match arguments {
        Projects { archived: true, .. } => ProjectStatus::Archived,
        Projects { bin: true, .. } => ProjectStatus::Binned,
        Projects { .. } => ProjectStatus::Active,
    };
    let rows = desk.call(op::ListProjects { status }).await?;
    screen.show(&rows, |page| lists::projects(page, &rows, status)).map(|()| Exit::Done)
}

pub(super) async fn project(desk: &Desk, screen: &Screen, arguments: ProjectArgs) -> Result<Exit, Error> {
    match arguments.action {
        ProjectAction::Rename { project, title } => {
            let row = desk.call(op::UpdateProject { project, title: Some(title), status: None }).await?;
            say(screen, &row, "project-renamed")
        }
        ProjectAction::Archive { project } => {
            let row = desk.call(moved(project, ProjectStatus::Archived)).await?;
            say(screen, &row, "project-archived")
        }
        ProjectAction::Restore { project } => {
            let row = desk.call(moved(project, ProjectStatus::Active)).await?;
            say(screen, &row, "project-restored")
        }
        ProjectAction::Delete { project, forever: false, .. } => {
            let row = desk.call(moved(project, ProjectStatus::Binned)).await?;
            say(screen, &row, "project-binned")
        }
        ProjectAction::Delete { project, unasked: false, .. } => Err(Error::ProjectUnconfirmed { project }),
        ProjectAction::Delete { project, .. } => {
            let row = desk.call(op::DeleteProject { project }).await?;
            say(screen, &row, "project-deleted")
        }
        ProjectAction::Cover { project, picture, remove } => {
            let cover = match picture {
                None if !remove => desk.call(op::ReadCover { project }).await?,
                None => desk.call(op::SetCover { project, picture: Vec::new() }).await?,
                Some(path) => {
                    let picture = contents(&path)?;
                    if picture.is_empty() {
                        return Err(qingyu_studio::Error::BadPicture { reason: "format".into() }.into());
                    }
                    desk.call(op::SetCover { project, picture }).await?
                }
            };
            screen.show(&cover, |page| lists::cover(page, &cover)).map(|()| Exit::Done)
        }
    }
}

pub(super) async fn picture(desk: &Desk, screen: &Screen, arguments: PictureArgs) -> Result<Exit, Error> {
    let PictureArgs { project, card, picture, alt, remove } = arguments;
    let Some(card) = card else {
        let rows = desk.call(op::ListPictures { project }).await?;
        return screen.show(&rows, |page| pictures::list(page, &rows)).map(|()| Exit::Done);
    };
    let picture = picture.map(|path| contents(&path)).transpose()?;
    let found = match picture.is_some() || alt.is_some() || remove {
        true => desk.call(op::SetPicture { project, card, picture, alt, remove }).await?,
        false => desk.call(op::ReadPicture { project, card }).await?,
    };
    screen.show(&found, |page| pictures::card(page, &found)).map(|()| Exit::Done)
}

fn moved(project: String, status: ProjectStatus) -> op::UpdateProject {
    op::UpdateProject { project, title: None, status: Some(status) }
}

fn say(screen: &Screen, row: &ProjectRow, key: &str) -> Result<Exit, Error> {
    let values = [("title", row.title.as_str().into()), ("project", row.project.as_str().into())];
    screen.show(row, |page| page.say(0, GOOD, key, &values)).map(|()| Exit::Done)
}
