//! The command `qingyu resume`.

use qingyu_studio::RunAnswer;
use qingyu_studio::operations::{self as op, StartRequest};
use toml::Table;

use super::create::{assign_all, requirement, set_breakpoints};
use crate::args::ResumeArgs;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::screen::Screen;
use crate::watch;

pub(super) async fn resume(desk: &Desk, screen: &Screen, arguments: ResumeArgs) -> Result<Exit, Error> {
    let answer = answer(&arguments)?;
    let mut overrides = Table::new();
    set_breakpoints(&mut overrides, &arguments.breakpoints);
    assign_all(&mut overrides, &arguments.set)?;
    let request = op::ResumeRequest { run: arguments.run.clone(), answer, overrides, ..op::ResumeRequest::default() };
    let handle = desk.start(StartRequest::Resume(request)).await?;
    watch::follow(screen, desk, handle, &arguments.watch).await
}

/// Returns the answer given by the flags, of which at most one is set.
fn answer(arguments: &ResumeArgs) -> Result<Option<RunAnswer>, Error> {
    if arguments.approve {
        return Ok(Some(RunAnswer::Approve));
    }
    if let Some(feedback) = &arguments.reject {
        return Ok(Some(RunAnswer::Reject { feedback: feedback.clone() }));
    }
    if let Some(words) = &arguments.direction {
        return Ok(Some(RunAnswer::to_directions(words)));
    }
    if !arguments.agents.is_empty() {
        return Ok(Some(RunAnswer::to_agents(&arguments.agents.join(","))));
    }
    let Some(file) = &arguments.edit else { return Ok(None) };
    let source = if file.as_os_str() == "-" { "-".to_owned() } else { format!("@{}", file.display()) };
    Ok(Some(watch::edited(&requirement(&source)?)?))
}
