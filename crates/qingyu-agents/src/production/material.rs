//! Prompt contexts built from a project.

use qingyu_llm::estimate;
use qingyu_production::golden::as_text;
use qingyu_production::input::FieldInput;
use qingyu_production::{Error, FieldBoard, notes, sizes};
use qingyu_story::production::{Field, PhaseKind, Voice};
use qingyu_story::{Story, excerpt};

use super::context::{ConversationLine, FieldContext, FieldLine, FieldSource, WantedField, Who};
use crate::production::state::ContentProductionState;

/// Returns the name of the template, such as `course`.
pub(super) fn template(story: &Story) -> String {
    story.production.as_ref().map(|production| production.template.clone()).unwrap_or_default()
}

/// Returns all fields as a list.
pub(super) fn field_lines(story: &Story) -> Vec<FieldLine> {
    let board = FieldBoard::new(&story.fields);
    let line = |row: qingyu_production::Row| FieldLine { path: row.path, title: row.title, status: row.status };
    board.rows().into_iter().map(line).collect()
}

/// Returns the fields of a phase still to be made.
pub(super) fn wanted(story: &Story, phase: &str) -> Vec<WantedField> {
    let open = FieldBoard::new(&story.fields).open(phase, true);
    let fields = story.fields.iter().filter(|field| open.contains(&field.path));
    let wanted = |field: &Field| WantedField {
        path: field.path.clone(),
        title: field.title.clone(),
        guidance: field.guidance.clone(),
    };
    fields.map(wanted).collect()
}

/// Maximum characters of the end of the item before, as an input of the next item.
const TAIL: usize = 1_500;
/// Maximum lines of the user shown to a model that makes a field outside the interview.
const SAID: usize = 4;

/// Returns the fields of `paths` that have a value, within `tokens`.
pub(super) fn sources<'p>(story: &Story, paths: impl IntoIterator<Item = &'p str>, tokens: u64) -> Vec<FieldSource> {
    let board = FieldBoard::new(&story.fields);
    let nobody = Field::default();
    within(paths.into_iter().filter_map(|path| source(&board, &nobody, path)).collect(), tokens)
}

/// Returns what a model is shown to make `field`: its declared inputs that have a value, except the entry of its list,
/// within `tokens`.
pub fn inputs(story: &Story, field: &Field, tokens: u64) -> Vec<FieldSource> {
    inputs_of(&FieldBoard::new(&story.fields), field, tokens)
}

fn inputs_of(board: &FieldBoard<'_>, field: &Field, tokens: u64) -> Vec<FieldSource> {
    let of_entry = field.item.as_ref().and(field.depends_on.last());
    let others = field.depends_on.iter().filter(|dependency| Some(*dependency) != of_entry);
    within(others.filter_map(|dependency| source(board, field, dependency)).collect(), tokens)
}

/// Returns an input of `field`; `None` without a value.
fn source(board: &FieldBoard<'_>, field: &Field, dependency: &str) -> Option<FieldSource> {
    let input = FieldInput::parse(dependency);
    let of = board.get(input.path)?;
    if input.is_relevant {
        let (value, text) = notes::findings_for(board, field)?;
        return Some(FieldSource { path: dependency.to_owned(), title: of.title.clone(), value, text });
    }
    let value = board.value(dependency).filter(|value| !value.is_null())?;
    let text = match is_before(of, field) {
        true => condensed(&as_text(&value)),
        false => as_text(&value),
    };
    let title = if input.pointer.is_empty() { of.title.clone() } else { format!("{} {}", of.title, input.pointer) };
    Some(FieldSource { path: dependency.to_owned(), title, value, text })
}

/// Returns whether `of` is the item before `field` in the same list.
pub(super) fn is_before(of: &Field, field: &Field) -> bool {
    match (&of.item, &field.item) {
        (Some(before), Some(item)) => before.of == item.of && before.index + 1 == item.index,
        _ => false,
    }
}

/// Returns the headings and the end of a text: enough to continue from it.
fn condensed(text: &str) -> String {
    let length = text.chars().count();
    if length <= TAIL {
        return text.to_owned();
    }
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let tail: String = text.chars().skip(length - TAIL).collect();
    let tail = tail.split_once('\n').map_or(tail.as_str(), |(_, whole)| whole);
    headings.chain(["…", tail]).collect::<Vec<_>>().join("\n")
}

/// Cuts the longest sources, so that all together have at most `tokens`; shorter ones stay whole.
fn within(mut sources: Vec<FieldSource>, tokens: u64) -> Vec<FieldSource> {
    let mut lengths: Vec<u64> = sources.iter().map(|source| estimate::tokens(&source.text)).collect();
    if lengths.iter().sum::<u64>() <= tokens {
        return sources;
    }
    lengths.sort_unstable();
    let (mut left, mut share) = (tokens, 0);
    for (at, length) in lengths.iter().enumerate() {
        share = left / (lengths.len() - at) as u64;
        left -= (*length).min(share);
    }
    for source in sources.iter_mut().filter(|source| estimate::tokens(&source.text) > share) {
        source.text = estimate::cut(&source.text, share);
    }
    sources
}

/// Returns the voice with the beginnings of its first samples: enough to hear the tone.
fn voice(voice: &Voice) -> Voice {
    /// Maximum number of samples, and of their characters.
    const SAMPLES: (usize, usize) = (3, 1_000);
    let samples = voice.samples.iter().take(SAMPLES.0).map(|sample| excerpt::beginning(sample, SAMPLES.1));
    Voice { samples: samples.collect(), ..voice.clone() }
}

/// Returns the user's last words in the current phase: the interview is summarised in fields, and the agent's own words
/// say nothing new.
fn recent_user_lines(state: &ContentProductionState) -> Vec<ConversationLine> {
    let lines = state.lines_of(&state.current_phase);
    let mut lines: Vec<_> = lines.into_iter().filter(|line| line.who == Who::User).collect();
    lines.split_off(lines.len().saturating_sub(SAID))
}

/// Returns the context to make the field at `path`; `board` is that of the story's fields.
pub(super) fn making(
    state: &ContentProductionState,
    story: &Story,
    board: &FieldBoard<'_>,
    path: &str,
) -> Result<FieldContext, Error> {
    let field = board.find(path)?;
    let production = story.production.as_ref().ok_or(Error::NoProduction)?;
    let is_interview =
        production.phases.iter().any(|phase| phase.name == field.phase && phase.kind == PhaseKind::Interview);
    let conversation = if is_interview { state.lines_of(&field.phase) } else { recent_user_lines(state) };
    let of_entry = field.item.as_ref().and(field.depends_on.last());
    let sources = inputs_of(board, field, state.config.source_tokens);
    Ok(FieldContext {
        language: state.language,
        template: production.template.clone(),
        premise: story.premise.clone(),
        path: field.path.clone(),
        title: field.title.clone(),
        guidance: field.guidance.clone(),
        is_text: field.is_text(),
        schema: field.schema.clone(),
        cites: field.is_content && sources.iter().any(|source| FieldInput::parse(&source.path).is_relevant),
        lists: sizes::lists(&field.schema).into_iter().filter(|list| list.most > 0).collect(),
        length: field.length,
        voice: Some(voice(&production.voice)).filter(|voice| field.is_content && !voice.is_empty()),
        sources,
        entry: of_entry.and_then(|dependency| board.value(dependency)),
        conversation,
        before: Some(field.value.clone()).filter(|value| state.work.is_change && !value.is_null()),
        instruction: state.work.instruction.clone(),
    })
}
