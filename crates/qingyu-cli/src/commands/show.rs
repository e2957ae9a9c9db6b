//! The command `qingyu show`.

use qingyu_studio::ProjectView;
use qingyu_studio::operations as op;
use serde_json::{Value, json};

use crate::args::{ShowArgs, ShowView};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::page::{FAINT, TextPage};
use crate::render::{cast, ladders, lists, outline, overview, report, timeline, world};
use crate::screen::Screen;

pub(super) async fn show(desk: &Desk, screen: &Screen, arguments: &ShowArgs) -> Result<Exit, Error> {
    if arguments.view == Some(ShowView::Panel) {
        let ShowArgs { project, who, at, .. } = arguments;
        let panels = desk.call(op::ReadPanels { project: project.clone(), who: who.clone(), at: at.clone() }).await?;
        screen.show(&panels, |page| ladders::panels(page, &panels))?;
        return Ok(Exit::Done);
    }
    let view = desk.call(op::ShowProject { project: arguments.project.clone() }).await?;
    match arguments.view {
        None => screen.show(&view, |page| overview::overview(page, &view))?,
        Some(part) => screen.show(&value(part, &view), |page| draw(page, part, &view))?,
    }
    Ok(Exit::Done)
}

/// Returns the part of the project's document shown by a view.
fn value(part: ShowView, view: &ProjectView) -> Value {
    let story = &view.story;
    match part {
        ShowView::Outline => json!(story.outline_nodes),
        ShowView::Characters => json!(story.characters),
        ShowView::Relations => json!(story.character_relations),
        ShowView::Timeline => json!(story.timeline_events),
        ShowView::World => json!(story.worldview),
        ShowView::Ladder => json!(story.ladders()),
        // Panels are read by an operation of their own.
        ShowView::Panel => Value::Null,
        ShowView::Plot => json!(story.plot_nodes),
        ShowView::Style => json!(story.style),
        ShowView::Report => view.report.as_ref().map_or(Value::Null, |report| {
            let mut report = json!(report);
            report["changed_since"] = view.changed_since_report.into();
            report
        }),
        ShowView::Reasoning => json!(view.reasoning),
        ShowView::Provenance => json!(view.provenance),
    }
}

fn draw(page: &mut TextPage<'_>, part: ShowView, view: &ProjectView) {
    let story = &view.story;
    let nothing = value(part, view).as_array().is_some_and(Vec::is_empty);
    match part {
        _ if nothing => page.say(0, FAINT, "nothing-yet", &[]),
        ShowView::Outline => outline::outline(page, &story.outline_nodes),
        ShowView::Characters => cast::characters(page, &story.characters),
        ShowView::Relations => cast::relations(page, story),
        ShowView::Timeline => timeline::timeline(page, story),
        ShowView::World => world::world(page, story.worldview.as_ref()),
        ShowView::Ladder => ladders::ladders(page, story.ladders()),
        ShowView::Panel => {}
        ShowView::Plot => timeline::plot(page, &story.plot_nodes, &story.timeline_events, &story.outline_nodes),
        ShowView::Style => world::style(page, story.style.as_ref()),
        ShowView::Report => match &view.report {
            Some(found) => {
                report::report(page, &page.texts().get("report-title"), found, story, usize::MAX);
                report::age(page, view.changed_since_report);
            }
            None => page.say(0, FAINT, "nothing-yet", &[]),
        },
        ShowView::Reasoning => lists::reasoning(page, &view.reasoning),
        ShowView::Provenance => lists::provenance(page, &view.provenance),
    }
}
