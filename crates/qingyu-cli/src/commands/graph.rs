//! `qingyu graph`.

use std::path::Path;

use qingyu_studio::Studio;
use qingyu_studio::drawing::{Captions, Drawing};
use serde_json::json;

use crate::args::{Graph, GraphFormat};
use crate::error::{Error, Exit};
use crate::render::lists;
use crate::render::page::PLAIN;
use crate::screen::Screen;
use crate::texts::Texts;

pub(super) fn graph(screen: &Screen, arguments: &Graph) -> Result<Exit, Error> {
    let Some(name) = &arguments.name else {
        let graphs = Studio::graphs()?;
        screen.show(&graphs, |page| lists::graphs(page, &graphs))?;
        return Ok(Exit::Done);
    };
    let graph = Studio::graph(name)?;
    match &arguments.output {
        Some(file) => {
            write(file, &draw(&graph, arguments.format, screen.texts()))?;
            let path = file.display().to_string();
            screen.show(&json!({"graph": graph.name, "path": path}), |page| {
                page.say(0, PLAIN, "graph-written", &[("path", path.as_str().into())]);
            })?;
        }
        None if screen.json() => screen.print_json(&graph)?,
        None => screen.print(&draw(&graph, arguments.format, screen.texts()))?,
    }
    Ok(Exit::Done)
}

fn draw(graph: &Drawing, format: GraphFormat, texts: &Texts) -> String {
    match format {
        GraphFormat::Mermaid => graph.mermaid(),
        GraphFormat::Svg => graph.svg_with(&Captions {
            edge: texts.get("graph-line-edge"),
            join: texts.get("graph-line-join"),
            route: texts.get("graph-line-route"),
            command: texts.get("graph-line-command"),
            error: texts.get("graph-line-error"),
            deferred: texts.get("graph-line-deferred"),
        }),
    }
}

fn write(file: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(file, text).map_err(|error| Error::Unwritable { path: file.to_owned(), message: error.to_string() })
}
