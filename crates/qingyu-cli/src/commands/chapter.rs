//! The command `qingyu chapter`.

use qingyu_studio::operations as op;
use qingyu_studio::story::chapters::{ChapterEdit, ChapterName};

use super::texts::text_of;
use crate::args::ChapterCommand;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::chapter_list;
use crate::screen::Screen;

pub(super) async fn chapter(desk: &Desk, screen: &Screen, command: ChapterCommand) -> Result<Exit, Error> {
    let name = |name: String| ChapterName::from(name);
    let (project, edit) = match command {
        ChapterCommand::Show { project } => (project, None),
        ChapterCommand::Rename { project, chapter, title } => {
            (project, Some(ChapterEdit::Rename { chapter: name(chapter), title }))
        }
        ChapterCommand::Move { project, chapter, after, into } => {
            (project, Some(ChapterEdit::Move { chapter: name(chapter), after: after.map(name), into }))
        }
        ChapterCommand::Insert { project, title, after, file } => {
            let text = file.as_deref().map(text_of).transpose()?.unwrap_or_default();
            (project, Some(ChapterEdit::Insert { after: after.map(name), title, text }))
        }
        ChapterCommand::Split { project, chapter, at, title } => {
            (project, Some(ChapterEdit::Split { chapter: name(chapter), at, title }))
        }
        ChapterCommand::Join { project, chapter } => (project, Some(ChapterEdit::Join { chapter: name(chapter) })),
        ChapterCommand::Delete { project, chapter } => (project, Some(ChapterEdit::Delete { chapter: name(chapter) })),
    };
    let list = match edit {
        Some(edit) => desk.call(op::EditChapters { project: project.clone(), edit }).await?,
        None => desk.call(op::ListChapters { project: project.clone() }).await?,
    };
    screen.show(&list, |page| chapter_list::list(page, &project, &list)).map(|()| Exit::Done)
}
