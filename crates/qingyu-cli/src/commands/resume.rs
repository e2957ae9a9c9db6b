//! `qingyu resume`.

use qingyu_studio::HumanAnswer;
use qingyu_studio::operations::{self as op, Start};
use toml::Table;

use super::create::{assign_all, requirement};
use crate::args::Resume;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::screen::Screen;
use crate::watch;

pub(super) async fn resume(desk: &Desk, screen: &Screen, arguments: Resume) -> Result<Exit, Error> {
    let answer = answer(&arguments)?;
    let mut overrides = Table::new();
    assign_all(&mut overrides, &arguments.set)?;
    let request = op::ResumeRequest { run: arguments.run.clone(), answer, overrides, ..op::ResumeRequest::default() };
    let handle = desk.start(Start::Resume(request)).await?;
    watch::follow(screen, desk, handle, &arguments.watch).await
}

/// What the flags answer, if they do; at most one is given.
fn answer(arguments: &Resume) -> Result<Option<HumanAnswer>, Error> {
    if arguments.approve {
        return Ok(Some(HumanAnswer::Approve));
    }
    if let Some(feedback) = &arguments.reject {
        return Ok(Some(HumanAnswer::Reject { feedback: feedback.clone() }));
    }
    if let Some(words) = &arguments.direction {
        return Ok(Some(HumanAnswer::to_directions(words)));
    }
    let Some(file) = &arguments.edit else { return Ok(None) };
    let source = if file.as_os_str() == "-" { "-".to_owned() } else { format!("@{}", file.display()) };
    Ok(Some(watch::edited(&requirement(&source)?)?))
}
