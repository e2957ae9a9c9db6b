//! Reports of research, simulated consumers and judges, stored in fields.

use qingyu_graph::{Command, NodeError};
use qingyu_production::content::Content;
use qingyu_production::{FieldBoard, change};
use qingyu_story::Story;
use qingyu_story::production::{Field, PhaseKind};
use serde_json::{Value, json};

use super::carry_out::{after, refuse, stale_by, titles};
use super::desk::{ProductionNode, ProductionResult};
use super::notice::ProductionNotice;
use crate::call::CallRecord;
use crate::production::state::ContentProductionState;
use crate::progress::FieldStep;

/// Returns the field for reports of `kind`: the phase's first field, or a new field inserted with the report.
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

/// Returns a new field for the report on a separate question, beside the default field.
pub(super) fn field_for_question(story: &Story, kind: PhaseKind, question: &str) -> Field {
    /// Maximum characters of a question used as title.
    const TITLE: usize = 40;
    let usual = field_of(story, kind);
    let board = FieldBoard::new(&story.fields);
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

/// Returns the field for a report on content: a new field for the readers or criteria `names` of an order, or for a text
/// `given` with it, which is no content of the project; else the default field.
pub(super) fn field_on(story: &Story, kind: PhaseKind, names: &[&str], given: Option<&Content>) -> Field {
    match (names, given) {
        ([], None) => field_of(story, kind),
        ([], Some(given)) => field_for_question(story, kind, &given.title),
        (names, _) => field_for_question(story, kind, &names.join(" · ")),
    }
}

/// Sets the field's dependencies to the fields read, so that a change of one makes the report stale. Chapters of a book
/// are no fields.
pub(super) fn about(field: Field, story: &Story, contents: &[Content]) -> Field {
    let board = FieldBoard::new(&story.fields);
    let fields = contents.iter().filter(|content| board.get(&content.path).is_some());
    Field { depends_on: fields.map(|content| content.path.clone()).collect(), ..field }
}

/// Saves a report in its field, and continues. The sources listed in the field become its dependencies.
pub(super) async fn keep(
    mut desk: ProductionNode<'_>,
    field: Field,
    value: Value,
    records: Vec<CallRecord>,
) -> Result<Command<ContentProductionState>, NodeError> {
    let record = records.last().cloned();
    let maker = desk.maker(record.as_ref());
    desk.count(records);
    let put = |story: &mut Story| -> ProductionResult<u32> {
        match story.fields.iter_mut().find(|known| known.path == field.path) {
            Some(known) => {
                known.depends_on.clone_from(&field.depends_on);
                // A production of an older release has a schema without the newer members of a report.
                if change::check(known, &value).is_err() {
                    known.schema = json!({"type": "object"});
                }
            }
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
            let made = [field.path.clone()];
            let stale = titles(&stale_by(&story, &made));
            Ok(after(desk, &ProductionNotice::Made { titles: &[field.title], stale: &stale }, made.to_vec()))
        }
        Err(error) => {
            desk.tell(&field.path, &field.title, FieldStep::Failed { message: error.to_string() });
            Ok(refuse(desk, &error))
        }
    }
}
