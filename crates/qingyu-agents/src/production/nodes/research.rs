//! Searches and reads the web, and keeps the report.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::GoldenContext;
use qingyu_story::Story;
use qingyu_story::production::PhaseKind;
use serde_json::json;

use crate::production::desk::Desk;
use crate::production::order::Order;
use crate::production::report;
use crate::production::research::{Researched, Researching, research};
use crate::production::{ContentProductionState, ProductionRoom};
use crate::progress::FieldStep;

/// Most characters of a question that is made of the intent.
const QUESTION: usize = 600;

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = Desk::new(&room, &state, &context);
    let asked = match &state.order {
        Some(Order::Research { question }) if !question.trim().is_empty() => Some(question.clone()),
        _ => None,
    };
    let (question, premise, field) = desk
        .see(|story| match &asked {
            Some(asked) => {
                let field = report::field_for_question(story, PhaseKind::Research, asked);
                (asked.clone(), story.premise.clone(), field)
            }
            None => (question_of(story), story.premise.clone(), report::field_of(story, PhaseKind::Research)),
        })
        .await?;
    desk.tell(&field.path, &field.title, FieldStep::Started);
    let researching = Researching {
        question,
        premise,
        language: state.language,
        max_queries: state.config.research_queries,
        max_sources: state.config.research_sources,
    };
    let Researched { report, records, warnings } = research(&desk.seat(), &room.web, &researching).await?;
    desk.note_warnings(warnings);
    report::keep(desk, field, json!(report), records).await
}

/// What a production wants to know: its intent.
fn question_of(story: &Story) -> String {
    let intent = GoldenContext::of(story).intent;
    let question =
        if intent.trim().is_empty() { story.premise.clone() } else { format!("{}\n{intent}", story.premise) };
    question.trim().chars().take(QUESTION).collect()
}
