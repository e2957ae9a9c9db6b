//! The command `qingyu teardown`.

use qingyu_studio::TeardownRequest;
use qingyu_studio::formats::HeadingRule;
use qingyu_studio::operations as op;

use super::books::{ManuscriptUpload, manuscript, patiently};
use crate::args::TeardownArgs;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::structure;
use crate::screen::Screen;

pub(super) async fn teardown(desk: &Desk, screen: &Screen, arguments: TeardownArgs) -> Result<Exit, Error> {
    let TeardownArgs { files, genre, replace, encoding, cut, heading } = arguments;
    let ManuscriptUpload { name, bytes, files } = manuscript(&files)?;
    let headings = heading.map_or(HeadingRule::Learnt, HeadingRule::Pattern);
    let request = TeardownRequest { name, bytes, files, encoding, cut, headings, genre };
    let torn = patiently(screen, "teardown-working", desk.call(op::TearDown { request })).await?;
    if let Some(genre) = &torn.genre {
        desk.call(op::SaveGenre { genre: genre.id.clone(), content: genre.clone(), replace }).await?;
    }
    screen.show(&torn, |page| structure::torn(page, &torn)).map(|()| Exit::Done)
}
