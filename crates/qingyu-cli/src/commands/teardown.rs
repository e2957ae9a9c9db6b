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
    let saved = match &torn.genre {
        Some(genre) => {
            let save = op::SaveGenre { genre: genre.id.clone(), content: genre.clone(), replace };
            desk.call(save).await.map(drop).map_err(Error::from)
        }
        None => Ok(()),
    };
    if screen.json() && saved.is_err() {
        return saved.map(|()| Exit::Done);
    }
    // A failed save does not lose a structure that may have taken minutes.
    screen.show(&torn, |page| structure::torn(page, &torn, saved.is_ok()))?;
    saved.map(|()| Exit::Done)
}
