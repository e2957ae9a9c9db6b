//! The command `qingyu members`.

use qingyu_studio::MemberRequest;
use qingyu_studio::operations as op;

use crate::args::MembersCommand;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::members as draw;
use crate::screen::Screen;

pub(super) async fn members(desk: &Desk, screen: &Screen, command: MembersCommand) -> Result<Exit, Error> {
    let row = match command {
        MembersCommand::List { book } => {
            let rows = desk.call(op::ListMembers { project: book }).await?;
            return screen.show(&rows, |page| draw::members(page, &rows)).map(|()| Exit::Done);
        }
        MembersCommand::Add { book, person, role, expires } => {
            let request = MemberRequest { name: person, role: role.into(), expires };
            let added = desk.call(op::AddMember { project: book, request }).await?;
            return screen.show(&added, |page| draw::added(page, &added)).map(|()| Exit::Done);
        }
        MembersCommand::Change { book, person, role } => {
            desk.call(op::ChangeMember { project: book, member: person, role: role.into() }).await?
        }
        MembersCommand::Remove { book, person } => {
            let row = desk.call(op::RemoveMember { project: book, member: person }).await?;
            return screen.show(&row, |page| draw::removed(page, &row)).map(|()| Exit::Done);
        }
    };
    screen.show(&row, |page| draw::members(page, std::slice::from_ref(&row))).map(|()| Exit::Done)
}
