//! Has content judged, and keeps the verdict beside the one before it.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::content::contents;
use qingyu_production::evaluation::{Evaluation, compare};
use qingyu_story::production::PhaseKind;
use serde::Deserialize;
use serde_json::json;

use crate::production::carry_out::{refuse, refuse_because};
use crate::production::desk::Desk;
use crate::production::judging::{Evaluating, evaluate};
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
    let (given, runs, asked) = match &state.order {
        Some(Order::Evaluate { contents, runs, criteria }) => (contents.clone(), *runs, criteria.clone()),
        _ => (Vec::new(), None, Vec::new()),
    };
    let (story, _) = desk.load().await?;
    match contents(&story, &given) {
        Err(error) => return Ok(refuse(desk, &error)),
        // A phase that comes to it by itself keeps an empty report, and goes on.
        Ok(found) if found.is_empty() && matches!(state.order, Some(Order::Evaluate { .. })) => {
            return Ok(refuse_because(desk, &Notice::NothingToRead));
        }
        Ok(_) => {}
    }
    let (wanted, field) = desk
        .see(|story| {
            let production = story.production.clone().unwrap_or_default();
            let names: Vec<&str> = asked.iter().map(|criterion| criterion.title.as_str()).collect();
            let field = match names.as_slice() {
                [] => report::field_of(story, PhaseKind::Evaluate),
                names => report::field_for_question(story, PhaseKind::Evaluate, &names.join(" · ")),
            };
            let wanted = Evaluating {
                language: state.language,
                contents: contents(story, &given).unwrap_or_default(),
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
    // What was said of an earlier version shows whether it has become better, beside the noise of the judges.
    if let Some(before) = Evaluation::deserialize(&field.value).ok().filter(|before| !before.criteria.is_empty()) {
        value["compared"] = json!(compare(&before, &evaluation));
    }
    report::keep(desk, field, value, records).await
}
