//! `qingyu show`.

use qingyu_studio::ProjectView;
use qingyu_studio::operations as op;
use serde_json::{Value, json};

use crate::args::{Show, View};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::page::{FAINT, Page};
use crate::render::{cast, lists, outline, overview, report, timeline, world};
use crate::screen::Screen;

pub(super) async fn show(desk: &Desk, screen: &Screen, arguments: &Show) -> Result<Exit, Error> {
    let view = desk.call(op::ShowProject { project: arguments.project.clone() }).await?;
    match arguments.view {
        None => screen.show(&view, |page| overview::overview(page, &view))?,
        Some(part) => screen.show(&value(part, &view), |page| draw(page, part, &view))?,
    }
    Ok(Exit::Done)
}

/// The part of a project that a view shows, as it stands in the project's document.
fn value(part: View, view: &ProjectView) -> Value {
    let story = &view.story;
    match part {
        View::Outline => json!(story.outline_nodes),
        View::Characters => json!(story.characters),
        View::Relations => json!(story.character_relations),
        View::Timeline => json!(story.timeline_events),
        View::World => json!(story.worldview),
        View::Plot => json!(story.plot_nodes),
        View::Style => json!(story.style),
        View::Report => json!(view.report),
        View::Reasoning => json!(view.reasoning),
        View::Provenance => json!(view.provenance),
    }
}

fn draw(page: &mut Page<'_>, part: View, view: &ProjectView) {
    let story = &view.story;
    let nothing = value(part, view).as_array().is_some_and(Vec::is_empty);
    match part {
        _ if nothing => page.say(0, FAINT, "nothing-yet", &[]),
        View::Outline => outline::outline(page, &story.outline_nodes),
        View::Characters => cast::characters(page, &story.characters),
        View::Relations => cast::relations(page, &story.character_relations),
        View::Timeline => timeline::timeline(page, &story.timeline_events, &story.outline_nodes),
        View::World => world::world(page, story.worldview.as_ref()),
        View::Plot => timeline::plot(page, &story.plot_nodes, &story.timeline_events, &story.outline_nodes),
        View::Style => world::style(page, story.style.as_ref()),
        View::Report => match &view.report {
            Some(found) => report::report(page, &page.texts().get("report-title"), found, usize::MAX),
            None => page.say(0, FAINT, "nothing-yet", &[]),
        },
        View::Reasoning => lists::reasoning(page, &view.reasoning),
        View::Provenance => lists::provenance(page, &view.provenance),
    }
}
