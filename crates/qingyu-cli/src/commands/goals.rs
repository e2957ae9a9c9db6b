//! The command `qingyu goals`.

use jiff::Zoned;
use qingyu_studio::operations as op;

use crate::args::GoalsArgs;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::goals;
use crate::screen::Screen;

pub(super) async fn goals(desk: &Desk, screen: &Screen, arguments: GoalsArgs) -> Result<Exit, Error> {
    let GoalsArgs { project, day, book } = arguments;
    for (key, goal) in [("goals.day", day), ("goals.book", book)] {
        let (key, of) = (key.to_owned(), Some(project.clone()));
        match goal {
            None => {}
            Some(0) => drop(desk.call(op::UnsetSetting { key, project: of }).await?),
            Some(goal) => drop(desk.call(op::SetSetting { key, value: goal.into(), project: of }).await?),
        }
    }
    let utc_offset = Some(Zoned::now().offset().seconds() / 60);
    let progress = desk.call(op::ReadProgress { project, utc_offset }).await?;
    screen.show(&progress, |page| goals::progress(page, &progress)).map(|()| Exit::Done)
}
