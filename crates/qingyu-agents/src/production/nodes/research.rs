//! The node that searches and reads the web, and stores the report.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::GoldenContext;
use qingyu_production::research::{Report, trust};
use qingyu_story::production::{Field, PhaseKind};
use serde::Deserialize;
use serde_json::json;

use crate::production::desk::ProductionNode;
use crate::production::order::Order;
use crate::production::report;
use crate::production::research::{ResearchRequest, ResearchResult, research};
use crate::production::resources::ProductionResources;
use crate::production::state::ContentProductionState;
use crate::progress::FieldStep;

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = ProductionNode::new(&room, &state, &context);
    let (asked, most) = match &state.order {
        Some(Order::Research { question, max_sources }) => {
            (Some(question.clone()).filter(|question| !question.trim().is_empty()), *max_sources)
        }
        _ => (None, None),
    };
    // The default question is the production itself.
    let (question, premise, rules, field) = desk
        .see(|story| {
            let (intent, rules) = (GoldenContext::of(story).intent, trust::rules_of(story));
            match &asked {
                Some(asked) => {
                    let usual = report::field_of(story, PhaseKind::Research);
                    match section(&usual, asked) {
                        Some((earlier, number)) => {
                            let question = &earlier.questions[number as usize - 1].question;
                            (format!("{question}\n{asked}"), intent, rules, usual)
                        }
                        None => {
                            let field = report::field_for_question(story, PhaseKind::Research, asked);
                            (asked.clone(), intent, rules, field)
                        }
                    }
                }
                None => (story.premise.clone(), intent, rules, report::field_of(story, PhaseKind::Research)),
            }
        })
        .await?;
    desk.tell(&field.path, &field.title, FieldStep::Started);
    let researching = ResearchRequest {
        question,
        premise,
        rules,
        language: state.language,
        max_queries: state.config.research_queries,
        max_sources: most.unwrap_or(state.config.research_sources),
    };
    let (story, _) = desk.load().await?;
    let ResearchResult { report, records, warnings } = research(&desk.seat(), &room.web, &story, &researching).await?;
    desk.note_warnings(warnings);
    // A follow-up on a question of the report goes into its section.
    let report = match asked.as_ref().and_then(|asked| section(&field, asked)) {
        Some((mut earlier, question)) => {
            earlier.deepen(question, report);
            earlier
        }
        None => report,
    };
    report::keep(desk, field, json!(report), records).await
}

/// Returns the report in a field with the number of its question that `asked` is about, if it is about one.
fn section(field: &Field, asked: &str) -> Option<(Report, u32)> {
    let report = Report::deserialize(&field.value).ok()?;
    let question = report.question_in(asked)?;
    Some((report, question))
}
