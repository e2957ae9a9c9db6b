//! `qingyu tools` and `qingyu tool`.

use qingyu_studio::operations as op;
use serde_json::Value;

use super::requirement;
use crate::args::{Tool, Tools};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::tools as draw;
use crate::screen::Screen;

pub(super) async fn tools(desk: &Desk, screen: &Screen, arguments: &Tools) -> Result<Exit, Error> {
    let all = desk.call(op::ListTools { name: arguments.name.clone() }).await?;
    let Some(name) = &arguments.name else {
        return screen.show(&all, |page| draw::tools(page, &all)).map(|()| Exit::Done);
    };
    let found = all.first().ok_or_else(|| Error::UnknownTool { name: name.clone() })?;
    screen.show(found, |page| draw::tool(page, found)).map(|()| Exit::Done)
}

pub(super) async fn tool(desk: &Desk, screen: &Screen, arguments: Tool) -> Result<Exit, Error> {
    let Tool { project, tool, arguments } = arguments;
    let text = requirement(&arguments)?;
    let given: Value = serde_json::from_str(&text)
        .map_err(|error| Error::BadArguments { tool: tool.clone(), message: error.to_string() })?;
    let language = screen.texts().language();
    let outcome = desk.call(op::CallTool { project, tool, arguments: given, language }).await?;
    screen.print_json(&outcome)?;
    Ok(if outcome["ok"] == true { Exit::Done } else { Exit::Failed })
}
