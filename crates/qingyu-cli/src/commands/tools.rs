//! `qingyu tools` and `qingyu tool`.

use qingyu_studio::Studio;
use qingyu_studio::tools::toolbox::Filter;
use qingyu_studio::tools::{Caller, Permission};
use serde_json::Value;

use super::requirement;
use crate::args::{Tool, Tools};
use crate::error::{Error, Exit};
use crate::render::tools as draw;
use crate::screen::Screen;

/// Who calls tools from the command line.
const PERSON: &str = "person";

pub(super) fn tools(studio: &Studio, screen: &Screen, arguments: &Tools) -> Result<Exit, Error> {
    let engine = studio.engine(None);
    let toolbox = engine.toolbox();
    let Some(name) = &arguments.name else {
        let all: Vec<_> = toolbox.list(Filter::default()).collect();
        return screen.show(&all, |page| draw::tools(page, &all)).map(|()| Exit::Done);
    };
    let found = toolbox.find(name).ok_or_else(|| Error::UnknownTool { name: name.clone() })?.metadata();
    screen.show(found, |page| draw::tool(page, found)).map(|()| Exit::Done)
}

pub(super) async fn tool(studio: &Studio, screen: &Screen, arguments: Tool) -> Result<Exit, Error> {
    let Tool { project, tool, arguments } = arguments;
    let text = requirement(&arguments)?;
    let given: Value = serde_json::from_str(&text)
        .map_err(|error| Error::BadArguments { tool: tool.clone(), message: error.to_string() })?;
    let engine = studio.engine(Some(project));
    let caller = Caller { language: screen.texts().language(), ..Caller::new(PERSON, Permission::Admin) };
    let outcome = engine.call(&tool, given, &caller).await;
    screen.print_json(&outcome.to_json())?;
    Ok(if outcome.result.is_ok() { Exit::Done } else { Exit::Failed })
}
