//! The command `qingyu graph`.

use std::path::Path;

use qingyu_studio::drawing::{Captions, GraphDrawing};
use qingyu_studio::knowledge::graph::vocabulary;
use qingyu_studio::operations::ReadGraph;
use qingyu_studio::{GraphRequest, GraphView, Studio};
use serde_json::json;

use crate::args::{Graph, GraphFormat};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::lists;
use crate::render::page::PLAIN;
use crate::render::questions::replaced;
use crate::screen::Screen;
use crate::texts::LocalizedTexts;

/// Returns whether a graph executed by runs, or the list of these graphs, is meant; no project is needed then.
pub(super) fn is_of_runs(arguments: &Graph) -> bool {
    arguments.name.as_deref().is_none_or(|name| Studio::graph(name).is_ok())
}

/// Shows the graphs executed by runs.
pub(super) fn of_runs(screen: &Screen, arguments: &Graph) -> Result<Exit, Error> {
    refuse_png(arguments)?;
    let Some(name) = &arguments.name else {
        let graphs = Studio::graphs();
        screen.show(&graphs, |page| lists::graphs(page, &graphs))?;
        return Ok(Exit::Done);
    };
    let graph = Studio::graph(name)?;
    let draw = |format| match format {
        GraphFormat::Mermaid => graph.mermaid(),
        GraphFormat::Svg => svg(&graph, screen.texts()),
        GraphFormat::Json | GraphFormat::Png => pretty(&graph),
    };
    give(screen, arguments, &graph.name, draw)
}

/// Shows the graph of a project's story.
pub(super) async fn of_story(desk: &Desk, screen: &Screen, arguments: Graph) -> Result<Exit, Error> {
    refuse_png(&arguments)?;
    let project = arguments.name.clone().unwrap_or_default();
    let request =
        GraphRequest { as_of: arguments.as_of.clone(), pattern: arguments.pattern.clone(), most: arguments.most };
    let GraphView { graph, drawing, engines } = desk.call(ReadGraph { project: project.clone(), request }).await?;
    let texts = screen.texts();
    // The drawing takes standard output.
    for line in engines.iter().filter_map(|engine| replaced(texts, engine)) {
        screen.note(&line);
    }
    let mut drawing = drawing.worded(|word| vocabulary::shown(word, texts.language()));
    if drawing.left_out > 0 {
        drawing.caption = texts.fill("graph-left-out", &[("count", drawing.left_out.into())]);
    }
    let draw = |format| match format {
        GraphFormat::Mermaid => drawing.to_mermaid(),
        GraphFormat::Svg => drawing.to_svg(),
        GraphFormat::Json | GraphFormat::Png => pretty(&graph),
    };
    give(screen, &arguments, &project, draw)
}

/// Fails if a PNG is wanted, by the format or the name of the output file: no rasteriser is in the program.
fn refuse_png(arguments: &Graph) -> Result<(), Error> {
    let is_png = |file: &Path| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    match arguments.format == GraphFormat::Png || arguments.output.as_deref().is_some_and(is_png) {
        true => Err(Error::PictureFormat),
        false => Ok(()),
    }
}

/// Writes a graph to the output file, or to standard output.
fn give(screen: &Screen, arguments: &Graph, name: &str, draw: impl Fn(GraphFormat) -> String) -> Result<Exit, Error> {
    match &arguments.output {
        Some(file) => {
            write(file, &draw(arguments.format))?;
            let path = file.display().to_string();
            screen.show(&json!({"graph": name, "path": path}), |page| {
                page.say(0, PLAIN, "graph-written", &[("path", path.as_str().into())]);
            })?;
        }
        None if screen.json() => screen.print(&draw(GraphFormat::Json))?,
        None => screen.print(&draw(arguments.format))?,
    }
    Ok(Exit::Done)
}

fn pretty(graph: &impl serde::Serialize) -> String {
    format!("{}\n", serde_json::to_string_pretty(graph).expect("graphs serialise"))
}

fn svg(graph: &GraphDrawing, texts: &LocalizedTexts) -> String {
    graph.svg_with(&Captions {
        edge: texts.get("graph-line-edge"),
        join: texts.get("graph-line-join"),
        route: texts.get("graph-line-route"),
        command: texts.get("graph-line-command"),
        error: texts.get("graph-line-error"),
        deferred: texts.get("graph-line-deferred"),
    })
}

fn write(file: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(file, text).map_err(|error| Error::Unwritable { path: file.to_owned(), message: error.to_string() })
}
