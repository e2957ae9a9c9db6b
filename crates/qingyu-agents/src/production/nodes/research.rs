//! Searches and reads the web, and keeps the report.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::GoldenContext;
use qingyu_story::production::PhaseKind;
use serde_json::json;

use crate::production::desk::Desk;
use crate::production::order::Order;
use crate::production::report;
use crate::production::research::{Researched, Researching, research};
use crate::production::{ContentProductionState, ProductionRoom};
use crate::progress::FieldStep;

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = Desk::new(&room, &state, &context);
    let (asked, most) = match &state.order {
        Some(Order::Research { question, max_sources }) => {
            (Some(question.clone()).filter(|question| !question.trim().is_empty()), *max_sources)
        }
        _ => (None, None),
    };
    // Without a question of the user's the production itself is one.
    let (question, premise, field) = desk
        .see(|story| {
            let intent = GoldenContext::of(story).intent;
            match &asked {
                Some(asked) => (asked.clone(), intent, report::field_for_question(story, PhaseKind::Research, asked)),
                None => (story.premise.clone(), intent, report::field_of(story, PhaseKind::Research)),
            }
        })
        .await?;
    desk.tell(&field.path, &field.title, FieldStep::Started);
    let researching = Researching {
        question,
        premise,
        language: state.language,
        max_queries: state.config.research_queries,
        max_sources: most.unwrap_or(state.config.research_sources),
    };
    let Researched { report, records, warnings } = research(&desk.seat(), &room.web, &researching).await?;
    desk.note_warnings(warnings);
    report::keep(desk, field, json!(report), records).await
}
