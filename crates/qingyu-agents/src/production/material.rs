//! What prompts are filled from, out of a project.

use qingyu_llm::estimate;
use qingyu_production::golden::as_text;
use qingyu_production::{Board, Error};
use qingyu_story::Story;
use qingyu_story::production::{Field, PhaseKind};

use super::ContentProductionState;
use super::context::{FieldLine, Making, Source, Wanted};

/// What is produced, such as `course`.
pub(super) fn template(story: &Story) -> String {
    story.production.as_ref().map(|production| production.template.clone()).unwrap_or_default()
}

/// The fields in a list.
pub(super) fn field_lines(story: &Story) -> Vec<FieldLine> {
    let board = Board::new(&story.fields);
    let line = |row: qingyu_production::Row| FieldLine { path: row.path, title: row.title, status: row.status };
    board.rows().into_iter().map(line).collect()
}

/// The fields of a phase that are yet to be made, in words.
pub(super) fn wanted(story: &Story, phase: &str) -> Vec<Wanted> {
    let open = Board::new(&story.fields).open(phase, true);
    let fields = story.fields.iter().filter(|field| open.contains(&field.path));
    let wanted = |field: &Field| Wanted {
        path: field.path.clone(),
        title: field.title.clone(),
        guidance: field.guidance.clone(),
    };
    fields.map(wanted).collect()
}

/// What fields are shown as: those of `paths` that have a value, each with its share of `tokens`.
pub(super) fn sources<'p>(story: &Story, paths: impl IntoIterator<Item = &'p str>, tokens: u64) -> Vec<Source> {
    let board = Board::new(&story.fields);
    let known = paths.into_iter().filter_map(|path| {
        let (whole, pointer) = path.split_once('#').unwrap_or((path, ""));
        let field = board.get(whole)?;
        let value = board.value(path).filter(|value| !value.is_null())?;
        let title = if pointer.is_empty() { field.title.clone() } else { format!("{} {pointer}", field.title) };
        let text = as_text(&value);
        Some(Source { path: path.to_owned(), title, value, text })
    });
    let mut known: Vec<Source> = known.collect();
    let all: u64 = known.iter().map(|source| estimate::tokens(&source.text)).sum();
    if all > tokens {
        let share = tokens / known.len().max(1) as u64;
        for source in &mut known {
            source.text = estimate::cut(&source.text, share);
        }
    }
    known
}

/// What a field is made from.
pub(super) fn making(state: &ContentProductionState, story: &Story, path: &str) -> Result<Making, Error> {
    let board = Board::new(&story.fields);
    let field = board.find(path)?;
    let production = story.production.as_ref().ok_or(Error::NoProduction)?;
    let is_interview =
        production.phases.iter().any(|phase| phase.name == field.phase && phase.kind == PhaseKind::Interview);
    let conversation =
        if is_interview { state.lines_of(&field.phase) } else { state.lines(state.config.conversation_lines) };
    let of_entry = field.item.as_ref().and(field.depends_on.last());
    let others = field.depends_on.iter().filter(|dependency| Some(*dependency) != of_entry).map(String::as_str);
    Ok(Making {
        language: state.language,
        template: production.template.clone(),
        premise: story.premise.clone(),
        path: field.path.clone(),
        title: field.title.clone(),
        guidance: field.guidance.clone(),
        is_text: field.is_text(),
        schema: field.schema.clone(),
        sources: sources(story, others, state.config.source_tokens),
        entry: of_entry.and_then(|dependency| board.value(dependency)),
        conversation,
        before: Some(field.value.clone()).filter(|value| state.work.is_change && !value.is_null()),
        instruction: state.work.instruction.clone(),
    })
}
