//! Reports: what research, simulated consumers and judges say, kept in a field.

use qingyu_graph::{Command, NodeError};
use qingyu_production::content::Content;
use qingyu_production::{Board, change};
use qingyu_story::Story;
use qingyu_story::production::{Field, PhaseKind};
use serde_json::{Value, json};

use super::ContentProductionState;
use super::carry_out::{after, refuse, stale, titles};
use super::desk::{Desk, Kept};
use super::notice::Notice;
use crate::call::CallRecord;
use crate::progress::FieldStep;

/// The field that holds the report of a kind of phase: the first of its fields, or one that is put in with the report.
pub(super) fn field_of(story: &Story, kind: PhaseKind) -> Field {
    let production = story.production.clone().unwrap_or_default();
    let phase = production.phases.iter().find(|phase| phase.kind == kind);
    let name = phase.map_or_else(|| production.current_phase.clone(), |phase| phase.name.clone());
    let known = story.fields.iter().find(|field| field.phase == name && !field.is_pattern());
    known.cloned().unwrap_or_else(|| Field {
        path: format!("{name}/report"),
        title: phase.map_or(name.clone(), |phase| phase.title.clone()),
        schema: json!({"type": "object"}),
        phase: name,
        ..Field::default()
    })
}

/// The same for a question of its own: a new field beside the usual one.
pub(super) fn field_for_question(story: &Story, kind: PhaseKind, question: &str) -> Field {
    /// Most characters of a question that becomes a title.
    const TITLE: usize = 40;
    let usual = field_of(story, kind);
    let board = Board::new(&story.fields);
    let path = |number: u32| format!("{}/question_{number}", usual.phase);
    let number = (1..).find(|number| board.get(&path(*number)).is_none()).unwrap_or(1);
    Field {
        path: path(number),
        title: question.chars().take(TITLE).collect(),
        schema: usual.schema,
        guidance: question.to_owned(),
        phase: usual.phase,
        ..Field::default()
    }
}

/// The field with what was read: when that changes, what was said of it is stale. Chapters of a book are no fields.
pub(super) fn about(field: Field, story: &Story, contents: &[Content]) -> Field {
    let board = Board::new(&story.fields);
    let fields = contents.iter().filter(|content| board.get(&content.path).is_some());
    Field { depends_on: fields.map(|content| content.path.clone()).collect(), ..field }
}

/// Keeps a report in its field, and goes on. What the field says it is made from is what it depends on from then on.
pub(super) async fn keep(
    mut desk: Desk<'_>,
    field: Field,
    value: Value,
    records: Vec<CallRecord>,
) -> Result<Command<ContentProductionState>, NodeError> {
    let record = records.last().cloned();
    let maker = desk.maker(record.as_ref());
    desk.count(records);
    let put = |story: &mut Story| -> Kept<u32> {
        match story.fields.iter_mut().find(|known| known.path == field.path) {
            Some(known) => known.depends_on.clone_from(&field.depends_on),
            None => {
                let of_phase = story.fields.iter().rposition(|known| known.phase == field.phase);
                let place = of_phase.map_or(story.fields.len(), |place| place + 1);
                story.fields.insert(place, Field { value: Value::Null, version: 0, ..field.clone() });
            }
        }
        Ok(change::put(story, &field.path, value.clone(), maker.clone())?.version)
    };
    match desk.save(record.as_ref(), put).await? {
        Ok(version) => {
            desk.tell(&field.path, &field.title, FieldStep::Made { version });
            let path = field.path.clone();
            desk.write(|update| update.made(vec![path]));
            let (story, _) = desk.load().await?;
            let stale = titles(&stale(&story).1);
            Ok(after(desk, &Notice::Made { titles: &[field.title], stale: &stale }))
        }
        Err(error) => {
            desk.tell(&field.path, &field.title, FieldStep::Failed { message: error.to_string() });
            Ok(refuse(desk, &error))
        }
    }
}
