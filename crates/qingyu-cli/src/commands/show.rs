//! The command `qingyu show`.

use qingyu_studio::ProjectView;
use qingyu_studio::operations as op;
use qingyu_studio::story::{Character, Names, PieceKind, RelationKind, Story};
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
        ShowView::Characters => cards(story),
        ShowView::Relations => json!(story.character_relations),
        ShowView::Timeline => timeline::events(story),
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

/// Returns the cards, each with its relatives (`kin`): the name of each, and what this character is to them.
fn cards(story: &Story) -> Value {
    let names = Names::of(story);
    let position = |name: &str| names.resolve(PieceKind::Character, name).map(|named| named.position);
    let related = story.character_relations.iter().filter(|relation| relation.kind.is_kinship());
    let related = related.filter_map(|one| Some((position(&one.from)?, position(&one.to)?, one.kind)));
    let related: Vec<(usize, usize, RelationKind)> = related.collect();
    let card = |(at, card): (usize, &Character)| {
        let kin = related.iter().filter_map(|(from, to, kind)| {
            let (other, kind) = if *from == at {
                (*to, *kind)
            } else if *to == at {
                (*from, kind.inverse())
            } else {
                return None;
            };
            Some(json!({ "name": story.characters[other].name, "type": kind }))
        });
        let kin: Vec<Value> = kin.collect();
        let mut shown = json!(card);
        if !kin.is_empty() {
            shown["kin"] = kin.into();
        }
        shown
    };
    story.characters.iter().enumerate().map(card).collect()
}

/// Returns whether the list shown by a view has no entries; false for a view of another kind.
fn is_empty(part: ShowView, view: &ProjectView) -> bool {
    let story = &view.story;
    match part {
        ShowView::Outline => story.outline_nodes.is_empty(),
        ShowView::Characters => story.characters.is_empty(),
        ShowView::Relations => story.character_relations.is_empty(),
        ShowView::Timeline => story.timeline_events.is_empty(),
        ShowView::Ladder => story.ladders().is_empty(),
        ShowView::Plot => story.plot_nodes.is_empty(),
        ShowView::Reasoning => view.reasoning.is_empty(),
        ShowView::Provenance => view.provenance.is_empty(),
        ShowView::World | ShowView::Panel | ShowView::Style | ShowView::Report => false,
    }
}

fn draw(page: &mut TextPage<'_>, part: ShowView, view: &ProjectView) {
    let story = &view.story;
    match part {
        _ if is_empty(part, view) => page.say(0, FAINT, "nothing-yet", &[]),
        ShowView::Outline => outline::outline(page, &story.outline_nodes),
        ShowView::Characters => cast::characters(page, story),
        ShowView::Relations => cast::relations(page, story),
        ShowView::Timeline => timeline::timeline(page, story),
        ShowView::World => world::world(page, story),
        ShowView::Ladder => ladders::ladders(page, story.ladders()),
        ShowView::Panel => {}
        ShowView::Plot => timeline::plot(page, &story.plot_nodes, &story.timeline_events, &story.outline_nodes),
        ShowView::Style => world::style(page, story.style.as_ref()),
        ShowView::Report => match &view.report {
            Some(found) => {
                let open = report::without_waived(found, story);
                report::report(page, &page.texts().get("report-title"), &open, story, usize::MAX);
                report::age(page, view.changed_since_report);
            }
            None => page.say(0, FAINT, "nothing-yet", &[]),
        },
        ShowView::Reasoning => lists::reasoning(page, &view.reasoning),
        ShowView::Provenance => lists::provenance(page, &view.provenance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cast_says_how_old_people_are_and_who_is_kin_to_whom() {
        let story: Story = serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": "林深", "age": 31}, {"id": "c-2", "name": "林远"}, {"id": "c-3", "name": "Mara"}],
            "character_relations": [
                {"from": "林远", "to": "c-1", "type": "parent_of"}, {"from": "林深", "to": "Mara", "type": "rival"}
            ]
        }))
        .unwrap();
        let cards = cards(&story);
        assert_eq!((&cards[0]["age"], &cards[0]["kin"]), (&json!(31), &json!([{"name": "林远", "type": "child_of"}])));
        assert_eq!(cards[1]["kin"], json!([{"name": "林深", "type": "parent_of"}]));
        assert_eq!(cards[2].get("kin"), None, "a rival is no relative");
    }
}
