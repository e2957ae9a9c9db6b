//! The node that has content scored, and stores the result beside the previous one.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::content::{contents, given_text};
use qingyu_production::evaluation::{Evaluation, compare};
use qingyu_story::Story;
use qingyu_story::production::PhaseKind;
use serde::Deserialize;
use serde_json::json;

use crate::production::carry_out::{refuse, refuse_because};
use crate::production::desk::ProductionNode;
use crate::production::judging::{EvaluationRequest, evaluate};
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
    let (given, own, runs, asked) = match &state.order {
        Some(Order::Evaluate { contents, text, runs, criteria }) => {
            (contents.clone(), text.clone(), *runs, criteria.clone())
        }
        _ => (Vec::new(), None, None, Vec::new()),
    };
    let own = own.map(|text| given_text(&text, state.language));
    let content_of = |story: &Story| match &own {
        Some(own) => Ok(vec![own.clone()]),
        None => contents(story, &given),
    };
    let (story, _) = desk.load().await?;
    match content_of(&story) {
        Err(error) => return Ok(refuse(desk, &error)),
        // Only an explicit order is refused; a phase reaching this point by itself stores an empty report and
        // continues.
        Ok(found) if found.is_empty() && matches!(state.order, Some(Order::Evaluate { .. })) => {
            return Ok(refuse_because(desk, &ProductionNotice::NothingToRead));
        }
        Ok(_) => {}
    }
    let (wanted, field) = desk
        .see(|story| {
            let production = story.production.clone().unwrap_or_default();
            let names: Vec<&str> = asked.iter().map(|criterion| criterion.title.as_str()).collect();
            let field = report::field_on(story, PhaseKind::Evaluate, &names, own.as_ref());
            let wanted = EvaluationRequest {
                language: state.language,
                contents: content_of(story).unwrap_or_default(),
                criteria: if asked.is_empty() { production.criteria } else { asked },
                runs: runs.unwrap_or(state.config.evaluation_runs),
                budget: state.config.reading_characters,
            };
            let field = report::about(field, story, &wanted.contents);
            (wanted, field)
        })
        .await?;
    desk.tell(&field.path, &field.title, FieldStep::Started);
    let (evaluation, records, warnings) = evaluate(&desk.seat(), &wanted).await?;
    desk.note_warnings(warnings);
    let mut value = json!(evaluation);
    // The scores of the previous version show real improvement, apart from the judges' noise.
    if let Some(before) = Evaluation::deserialize(&field.value).ok().filter(Evaluation::has_criteria) {
        value["compared"] = json!(compare(&before, &evaluation));
    }
    report::keep(desk, field, value, records).await
}
