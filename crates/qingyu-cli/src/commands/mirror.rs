//! The command `qingyu mirror`.

use std::path::PathBuf;

use qingyu_studio::MirrorReading;
use qingyu_studio::formats::file_name;

use crate::args::MirrorArgs;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::mirror as draw;
use crate::screen::Screen;

pub(super) async fn mirror(desk: &Desk, screen: &Screen, arguments: MirrorArgs) -> Result<Exit, Error> {
    let MirrorArgs { project, to, git, read } = arguments;
    let studio = desk.studio("mirror")?;
    let row = studio.project(&project).await?;
    let folder = match to {
        Some(folder) => folder,
        None => studio.mirror_folder(&row.project).await?.unwrap_or_else(|| PathBuf::from(file_name(&row.title))),
    };
    let read = match read {
        true => Some(studio.read_mirror(&row.project, &folder).await?),
        false => None,
    };
    let update = studio.mirror(&row.project, &folder, git).await?;
    let is_waiting = read.as_ref().is_some_and(MirrorReading::is_waiting);
    let mirrored = draw::MirroredBook { read, update };
    screen.show(&mirrored, |page| draw::mirrored(page, &mirrored))?;
    Ok(if is_waiting { Exit::Waiting } else { Exit::Done })
}
