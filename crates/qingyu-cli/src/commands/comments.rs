//! The command `qingyu comments`.

use qingyu_studio::operations as op;
use qingyu_studio::{CommentChange, CommentRequest};

use crate::args::CommentsCommand;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::comments;
use crate::screen::Screen;

pub(super) async fn comments(desk: &Desk, screen: &Screen, command: CommentsCommand) -> Result<Exit, Error> {
    let change = |project: String, comment: String, change: CommentChange| {
        desk.call(op::ChangeComment { project, comment, change })
    };
    let list = match command {
        CommentsCommand::List { book, chapter, all } => {
            let mut list = desk.call(op::ListComments { project: book, chapter }).await?;
            list.comments.retain(|comment| all || !comment.resolved);
            list
        }
        CommentsCommand::Add { book, chapter, quote, remark, before, after } => {
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            let comment = CommentRequest { chapter, quote, before, after, text: remark, replacement: None };
            desk.call(op::AddComment { project: book, comment }).await?
        }
        CommentsCommand::Suggest { book, chapter, quote, words, remark, before, after } => {
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            let (text, replacement) = (remark.unwrap_or_default(), Some(words));
            let comment = CommentRequest { chapter, quote, before, after, text, replacement };
            desk.call(op::AddComment { project: book, comment }).await?
        }
        CommentsCommand::Accept { book, comment } => change(book, comment, CommentChange::Accept).await?,
        CommentsCommand::Reply { book, comment, text } => change(book, comment, CommentChange::Reply { text }).await?,
        CommentsCommand::Resolve { book, comment, reopen } => {
            change(book, comment, if reopen { CommentChange::Reopen } else { CommentChange::Resolve }).await?
        }
        CommentsCommand::Remove { book, comment } => desk.call(op::DeleteComment { project: book, comment }).await?,
    };
    screen.show(&list, |page| comments::list(page, &list)).map(|()| Exit::Done)
}
