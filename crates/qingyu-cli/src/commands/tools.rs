//! The commands `qingyu tools` and `qingyu tool`.

use qingyu_studio::operations as op;
use qingyu_studio::tools::toolbox::ToolFilter;
use qingyu_studio::tools::{Category, Metadata};
use serde_json::Value;

use super::create::requirement;
use crate::args::{ToolArgs, ToolsArgs};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::tools as draw;
use crate::screen::Screen;

pub(super) async fn tools(desk: &Desk, screen: &Screen, arguments: &ToolsArgs) -> Result<Exit, Error> {
    let mut all = desk.call(op::ListTools { name: arguments.name.clone() }).await?;
    if all.is_empty() || arguments.name.is_none() {
        all.extend(foreign(desk, screen, arguments.name.as_deref()).await?);
    }
    let Some(name) = &arguments.name else {
        return screen.show(&all, |page| draw::tools(page, &all)).map(|()| Exit::Done);
    };
    let found = all.first().ok_or_else(|| Error::UnknownTool { name: name.clone() })?;
    screen.show(found, |page| draw::tool(page, found)).map(|()| Exit::Done)
}

/// Returns the tools of other servers configured on the local machine; notes unavailable servers on standard error.
async fn foreign(desk: &Desk, screen: &Screen, name: Option<&str>) -> Result<Vec<Metadata>, Error> {
    let Some(studio) = desk.of_here() else { return Ok(Vec::new()) };
    let (engine, missing) = studio.engine_with_servers().await?;
    for problem in &missing {
        let words = [("server", problem.server().into()), ("message", problem.to_string().into())];
        screen.note(&format!("{}\n", screen.texts().fill("tools-server-missing", &words)));
    }
    // Our own web search is marked as untrusted too, but is not mounted.
    let is_mounted = |tool: &Metadata| tool.category == Category::External;
    let is_meant = |tool: &&Metadata| is_mounted(tool) && name.is_none_or(|name| tool.name == name);
    Ok(engine.toolbox().list(ToolFilter::default()).filter(is_meant).cloned().collect())
}

pub(super) async fn tool(desk: &Desk, screen: &Screen, arguments: ToolArgs) -> Result<Exit, Error> {
    let ToolArgs { project, tool, arguments } = arguments;
    let text = requirement(&arguments)?;
    let given: Value = serde_json::from_str(&text).map_err(|error| Error::BadArguments {
        project: project.clone(),
        tool: tool.clone(),
        message: error.to_string(),
    })?;
    let language = screen.texts().language();
    let outcome = desk.call(op::CallTool { project, tool, arguments: given, language }).await?;
    screen.print_json(&outcome)?;
    Ok(if outcome["ok"] == true { Exit::Done } else { Exit::Failed })
}
