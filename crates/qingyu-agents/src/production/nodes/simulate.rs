//! The node that runs simulated consumers, and stores their report.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::content::{contents, given_text};
use qingyu_production::simulation::{personas_of, points_of};
use qingyu_story::Story;
use qingyu_story::production::PhaseKind;
use serde_json::json;

use crate::production::carry_out::{refuse, refuse_because};
use crate::production::consumers::{SimulationRequest, simulate};
use crate::production::desk::ProductionNode;
use crate::production::expectations::expectations;
use crate::production::notice::ProductionNotice;
use crate::production::order::Order;
use crate::production::report;
use crate::production::resources::ProductionResources;
use crate::production::state::ContentProductionState;
use crate::progress::FieldStep;

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = ProductionNode::new(&room, &state, &context);
    let (given, own, interactions, readers) = match &state.order {
        Some(Order::Simulate { contents, text, interactions, personas }) => {
            (contents.clone(), text.clone(), interactions.clone(), personas.clone())
        }
        _ => (Vec::new(), None, Vec::new(), Vec::new()),
    };
    let own = own.map(|text| given_text(&text, state.language));
    let content_of = |story: &Story| match &own {
        Some(own) => Ok(vec![own.clone()]),
        None => contents(story, &given),
    };
    // Unknown names in the request are detected before anything is saved.
    let (story, _) = desk.load().await?;
    match content_of(&story) {
        Err(error) => return Ok(refuse(desk, &error)),
        // Only an explicit order is refused; a phase reaching this point by itself stores an empty report and
        // continues.
        Ok(found) if found.is_empty() && matches!(state.order, Some(Order::Simulate { .. })) => {
            return Ok(refuse_because(desk, &ProductionNotice::NothingToRead));
        }
        Ok(_) => {}
    }
    let (wanted, field) = desk
        .see(|story| {
            let names: Vec<&str> = readers.iter().map(|persona| persona.name.as_str()).collect();
            let found = content_of(story).unwrap_or_default();
            let field = report::field_on(story, PhaseKind::Simulate, &names, own.as_ref());
            let wanted = SimulationRequest {
                language: state.language,
                premise: story.premise.clone(),
                points: points_of(&found),
                expectations: expectations(story, &room.workshop.rules.genres, &found),
                contents: found,
                personas: if readers.is_empty() { personas_of(story) } else { readers },
                interactions,
                budget: state.config.reading_characters,
            };
            let field = report::about(field, story, &wanted.contents);
            (wanted, field)
        })
        .await?;
    desk.tell(&field.path, &field.title, FieldStep::Started);
    let (simulation, records, warnings) = simulate(&desk.seat(), &wanted).await?;
    desk.note_warnings(warnings);
    report::keep(desk, field, json!(simulation), records).await
}
