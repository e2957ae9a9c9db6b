//! Has simulated consumers read, and keeps what they made of it.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::content::contents;
use qingyu_production::simulation::{personas_of, points_of};
use qingyu_story::production::PhaseKind;
use serde_json::json;

use crate::production::carry_out::{refuse, refuse_because};
use crate::production::consumers::{Simulating, simulate};
use crate::production::desk::Desk;
use crate::production::notice::Notice;
use crate::production::order::Order;
use crate::production::report;
use crate::production::{ContentProductionState, ProductionRoom};
use crate::progress::FieldStep;

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = Desk::new(&room, &state, &context);
    let (given, interactions, readers) = match &state.order {
        Some(Order::Simulate { contents, interactions, personas }) => {
            (contents.clone(), interactions.clone(), personas.clone())
        }
        _ => (Vec::new(), Vec::new(), Vec::new()),
    };
    // What is asked for and does not exist is found out before anything is kept.
    let (story, _) = desk.load().await?;
    match contents(&story, &given) {
        Err(error) => return Ok(refuse(desk, &error)),
        // A phase that comes to it by itself keeps an empty report, and goes on.
        Ok(found) if found.is_empty() && matches!(state.order, Some(Order::Simulate { .. })) => {
            return Ok(refuse_because(desk, &Notice::NothingToRead));
        }
        Ok(_) => {}
    }
    let (wanted, field) = desk
        .see(|story| {
            let names: Vec<&str> = readers.iter().map(|persona| persona.name.as_str()).collect();
            let field = match names.as_slice() {
                [] => report::field_of(story, PhaseKind::Simulate),
                names => report::field_for_question(story, PhaseKind::Simulate, &names.join(" · ")),
            };
            let wanted = Simulating {
                language: state.language,
                premise: story.premise.clone(),
                contents: contents(story, &given).unwrap_or_default(),
                personas: if readers.is_empty() { personas_of(story) } else { readers },
                interactions,
                points: points_of(story),
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
