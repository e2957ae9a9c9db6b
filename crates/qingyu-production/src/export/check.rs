//! The check before an export: content that is open, stale, too short or long, uncited, or not in the voice of its creator.

use std::collections::BTreeMap;

use qingyu_story::production::Field;
use qingyu_story::prose::{Prose, SlipKind, own_count};
use qingyu_story::{Language, Story, placeholders};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::citation::{CitedSource, named_in};
use crate::input::FieldInput;
use crate::text::markdown;
use crate::{FieldBoard, Status, notes, voice};

/// Something to mend before content is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportProblem {
    /// The field; empty for the whole content.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// What is the matter.
    pub(crate) kind: ExportProblemKind,
    /// The words in question: a placeholder, a forbidden word, the number of a source; empty if there are none.
    pub words: String,
    /// How long the text is, or how often the words occur.
    pub found: usize,
    /// How long the text is to be; 0 if length is not the matter.
    pub wanted: usize,
}

/// What is the matter with content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExportProblemKind {
    /// It has no value.
    Empty,
    /// It has a placeholder for something still to be written.
    Open,
    /// What it was made from has changed.
    Stale,
    /// It is shorter than it is to be.
    Short,
    /// It is longer than it is to be.
    Long,
    /// Findings of the research concern it, and it cites none.
    Uncited,
    /// It cites a source that does not exist.
    UnknownSource,
    /// It contains forbidden words, or words that the glossary replaces.
    Voice,
    /// The title is the beginning of the user's first words.
    Title,
}

/// The state of a project's fields at the export.
pub(super) struct FieldState<'a> {
    pub(super) board: &'a FieldBoard<'a>,
    /// The status of each field, by path.
    pub(super) statuses: &'a BTreeMap<&'a str, Status>,
    /// The sources of the project.
    pub(super) sources: &'a [CitedSource],
}

/// Returns the problems of `fields` and of the title, in order.
pub(super) fn check(story: &Story, title: &str, fields: &[&Field], state: &FieldState<'_>) -> Vec<ExportProblem> {
    let mut problems = Vec::new();
    if is_premise(title, &story.premise) {
        problems.push(ExportProblem {
            path: String::new(),
            title: title.to_owned(),
            kind: ExportProblemKind::Title,
            words: String::new(),
            found: 0,
            wanted: 0,
        });
    }
    for field in fields {
        let mut add = |kind, words: &str, found, wanted| {
            let (path, title) = (field.path.clone(), field.title.clone());
            problems.push(ExportProblem { path, title, kind, words: words.to_owned(), found, wanted });
        };
        let status = state.statuses.get(field.path.as_str()).copied().unwrap_or(Status::Empty);
        if status == Status::Empty {
            add(ExportProblemKind::Empty, "", 0, 0);
            continue;
        }
        if status == Status::Stale {
            add(ExportProblemKind::Stale, "", 0, 0);
        }
        let text = markdown(&field.value, &field.schema);
        let open = open(&text);
        if let Some(first) = open.first() {
            add(ExportProblemKind::Open, first, open.len(), 0);
        }
        if let (Some(limits), Value::String(text)) = (field.length, &field.value) {
            let length = own_count(text);
            if length < limits.least {
                add(ExportProblemKind::Short, "", length, limits.least);
            } else if length > limits.most {
                add(ExportProblemKind::Long, "", length, limits.most);
            }
        }
        if field.depends_on.iter().any(|input| FieldInput::parse(input).is_relevant) {
            let cited = named_in(&text);
            let is_known = |number: &u32| state.sources.iter().any(|source| source.number == *number as usize);
            if let Some(unknown) = cited.iter().find(|number| !is_known(number)) {
                let count = cited.iter().filter(|number| !is_known(number)).count();
                add(ExportProblemKind::UnknownSource, &unknown.to_string(), count, 0);
            }
            if !cited.iter().any(is_known) && !notes::concerning(state.board, field).findings.is_empty() {
                add(ExportProblemKind::Uncited, "", 0, 0);
            }
        }
        let voice = story.production.as_ref().map(|production| &production.voice);
        for problem in voice.into_iter().flat_map(|voice| voice::problems(voice, &text)) {
            add(ExportProblemKind::Voice, &problem.found, 1, 0);
        }
    }
    problems
}

/// Returns the words of a text that stand for something still to be written: placeholders, and what writers leave behind,
/// as `TODO` or `[insert a quote here]`.
fn open(text: &str) -> Vec<&str> {
    let mut open = placeholders(text);
    let slips = Prose::of(text).slips;
    for slip in slips.into_iter().filter(|slip| slip.kind == SlipKind::Placeholder) {
        let line = text[slip.range.start..].lines().next().unwrap_or_default();
        let is_bracket = line.starts_with(['[', '（', '【']);
        let end = line
            .find([']', '）', '】'])
            .filter(|_| is_bracket)
            .and_then(|end| Some(end + line[end..].chars().next()?.len_utf8()));
        let range = slip.range.start..end.map_or(slip.range.end, |end| slip.range.start + end);
        if !open.iter().any(|known| known.start < range.end && range.start < known.end) {
            open.push(range);
        }
    }
    open.sort_by_key(|range| range.start);
    open.into_iter().map(|range| &text[range]).collect()
}

/// Returns whether a title is only the beginning of the premise.
fn is_premise(title: &str, premise: &str) -> bool {
    /// Minimum characters of a title that can be recognised as a beginning.
    const SHORTEST: usize = 12;
    let bare = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase();
    let (title, premise) = (bare(title), bare(premise));
    title.chars().count() >= SHORTEST && premise.len() > title.len() && premise.starts_with(&title)
}

impl ExportProblem {
    /// Returns the problem in words.
    pub fn text(&self, language: Language) -> String {
        let Self { title, words, found, wanted, .. } = self;
        match language {
            Language::Zh => match self.kind {
                ExportProblemKind::Empty => format!("「{title}」还是空的"),
                ExportProblemKind::Open => format!("「{title}」有 {found} 处待写，如“{words}”"),
                ExportProblemKind::Stale => format!("「{title}」已过期"),
                ExportProblemKind::Short => format!("「{title}」只有 {found} 字，要求至少 {wanted} 字"),
                ExportProblemKind::Long => format!("「{title}」有 {found} 字，要求至多 {wanted} 字"),
                ExportProblemKind::Uncited => format!("「{title}」没有引用与它有关的调研结论"),
                ExportProblemKind::UnknownSource => format!("「{title}」引用了不存在的来源 [{words}]"),
                ExportProblemKind::Voice => format!("「{title}」里有不该用的“{words}”"),
                ExportProblemKind::Title => format!("标题「{title}」只是您第一句话的开头，请另起标题"),
            },
            Language::En => match self.kind {
                ExportProblemKind::Empty => format!("\"{title}\" is empty"),
                ExportProblemKind::Open => format!("\"{title}\" has {found} open places, such as \"{words}\""),
                ExportProblemKind::Stale => format!("\"{title}\" is stale"),
                ExportProblemKind::Short => format!("\"{title}\" has {found} words; at least {wanted} are wanted"),
                ExportProblemKind::Long => format!("\"{title}\" has {found} words; at most {wanted} are wanted"),
                ExportProblemKind::Uncited => {
                    format!("\"{title}\" cites none of the research findings that concern it")
                }
                ExportProblemKind::UnknownSource => {
                    format!("\"{title}\" cites the source [{words}], which does not exist")
                }
                ExportProblemKind::Voice => format!("\"{title}\" contains \"{words}\", which is not to be used"),
                ExportProblemKind::Title => {
                    format!("the title \"{title}\" is only the beginning of your first words; give it one")
                }
            },
        }
    }
}
