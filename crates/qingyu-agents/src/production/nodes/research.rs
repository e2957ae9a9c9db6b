//! Searches and reads the web, and puts the report into a field.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::{Board, GoldenContext, change};
use qingyu_story::Story;
use qingyu_story::production::{Field, PhaseKind};
use serde_json::json;

use crate::production::carry_out::{after, refuse};
use crate::production::desk::{Desk, Kept};
use crate::production::notice::Notice;
use crate::production::order::Order;
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
        .see(|story| {
            let question = asked.clone().unwrap_or_else(|| question_of(story));
            (question, story.premise.clone(), target(story, asked.as_deref()))
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
    for warning in warnings {
        desk.warn_in_words(warning);
    }
    let value = json!(report);
    let maker = desk.maker(records.last());
    let record = records.last().cloned();
    desk.count(records);
    let kept = desk.save(record.as_ref(), |story| put(story, &field, &value, &maker)).await?;
    match kept {
        Ok(version) => {
            desk.tell(&field.path, &field.title, FieldStep::Made { version });
            let path = field.path.clone();
            desk.write(|update| update.made(vec![path]));
            let (story, _) = desk.load().await?;
            let stale: Vec<String> =
                Board::new(&story.fields).stale().into_iter().map(|field| field.title.clone()).collect();
            Ok(after(desk, &Notice::Made { titles: &[field.title], stale: &stale }))
        }
        Err(error) => Ok(refuse(desk, &error)),
    }
}

/// What a production wants to know: its intent.
fn question_of(story: &Story) -> String {
    let intent = GoldenContext::of(story).intent;
    let question =
        if intent.trim().is_empty() { story.premise.clone() } else { format!("{}\n{intent}", story.premise) };
    question.trim().chars().take(QUESTION).collect()
}

/// The field that holds the report: that of the research phase, or a new one for a question of its own.
fn target(story: &Story, asked: Option<&str>) -> Field {
    let production = story.production.clone().unwrap_or_default();
    let phase = production.phases.iter().find(|phase| phase.kind == PhaseKind::Research);
    let phase = phase.map_or_else(|| production.current_phase.clone(), |phase| phase.name.clone());
    let usual = story.fields.iter().find(|field| field.phase == phase && !field.is_pattern());
    match (usual, asked) {
        (Some(field), None) => Field { value: serde_json::Value::Null, ..field.clone() },
        (usual, asked) => {
            let board = Board::new(&story.fields);
            let number = (1..).find(|number| board.get(&format!("{phase}/question_{number}")).is_none()).unwrap_or(1);
            Field {
                path: format!("{phase}/question_{number}"),
                title: asked.unwrap_or(&phase).chars().take(40).collect(),
                schema: usual.map_or_else(|| json!({"type": "object"}), |field| field.schema.clone()),
                guidance: asked.unwrap_or_default().to_owned(),
                phase,
                ..Field::default()
            }
        }
    }
}

fn put(
    story: &mut Story,
    field: &Field,
    value: &serde_json::Value,
    maker: &qingyu_story::production::Maker,
) -> Kept<u32> {
    if Board::new(&story.fields).get(&field.path).is_none() {
        let of_phase = story.fields.iter().rposition(|known| known.phase == field.phase);
        story.fields.insert(of_phase.map_or(story.fields.len(), |place| place + 1), field.clone());
    }
    Ok(change::put(story, &field.path, value.clone(), maker.clone())?.version)
}
