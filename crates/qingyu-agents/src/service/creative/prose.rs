//! What a model is asked for, and what it answers.

use qingyu_story::{Language, Prose};
use qingyu_text::{Candidate, Floor, ShortfallKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{About, BEFORE, Gathered, PASSAGE, spans};
use crate::call::Written;
use crate::service::work::Asking;
use crate::service::{Check, Course, Done, Failure, Halt, Work};
use crate::writing::clean::{clean, notices};

/// Purposes `creative.continue`, `creative.dialogue`, `creative.scene`, `creative.character`, `creative.general`: prose;
/// fills the file of that name in `prompts/creative`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Writing {
    /// What is asked for.
    pub description: String,
    /// The language of the text.
    pub language: Language,
    /// Which kind.
    pub kind: String,
    /// The chapter.
    pub title: String,
    /// How the text before ends.
    pub before: String,
    /// What is known around it, section by section.
    pub material: String,
    /// Cards of those who take part, a line each.
    pub cards: Vec<String>,
    /// What ties them, a line each.
    pub relations: Vec<String>,
    /// What is to happen, in order.
    pub beats: Vec<String>,
    /// Where and when it is.
    pub setting: String,
    /// Who takes part.
    pub characters: Vec<String>,
    /// What must hold, a line each.
    pub requirements: Vec<String>,
    /// How long it is to be.
    pub words: Option<u32>,
    /// What earlier tasks came to.
    pub earlier: Vec<String>,
}

/// Purpose `creative.plot`: what happens next; the same as for [`Writing`].
pub type Sketching = Writing;

/// What is to happen.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Sketch {
    /// What happens, in order.
    pub beats: Vec<String>,
    /// Who takes part.
    #[serde(default)]
    pub participants: Vec<String>,
    /// Why so.
    #[serde(default)]
    pub reasoning: Vec<String>,
}

/// Purposes `creative.rewrite` and `creative.mend`: places of a text are changed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Rewriting {
    /// What is asked for.
    pub description: String,
    /// The language of the text.
    pub language: Language,
    /// The chapter.
    pub title: String,
    /// What may be changed.
    pub passage: String,
    /// What is known around it, section by section.
    pub material: String,
    /// What must hold, a line each.
    pub requirements: Vec<String>,
    /// What earlier tasks came to.
    pub earlier: Vec<String>,
    /// What is wrong, a line each; for mending.
    pub problems: Vec<String>,
}

/// Changes of a text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Fixes {
    /// Each at its place.
    pub fixes: Vec<Fix>,
    /// Why so.
    #[serde(default)]
    pub reasoning: Vec<String>,
}

/// A change at one place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Fix {
    /// The words that stand there, letter by letter; they must stand there once.
    pub find: String,
    /// The words that are to stand there.
    pub with: String,
    /// Why.
    #[serde(default)]
    pub why: String,
}

/// What a prompt of prose is filled from.
pub(super) fn writing(about: &About, course: &Course) -> Writing {
    let task = &course.task;
    let gathered = |action: &str| Gathered::deserialize(course.data(action)).unwrap_or_default();
    let sketch = Sketch::deserialize(course.data("generate_plot")).unwrap_or_default();
    let before = task.context.previous_content.as_deref().unwrap_or(&about.target.text);
    let skipped = before.chars().count().saturating_sub(BEFORE);
    Writing {
        description: task.description.clone(),
        language: task.language,
        kind: about.kind.clone(),
        title: about.target.title.clone(),
        before: before.chars().skip(skipped).collect(),
        material: [gathered("retrieve_context").material, gathered("retrieve_characters").material].concat(),
        cards: gathered("retrieve_characters").cards,
        relations: gathered("analyze_relationship").relations,
        beats: sketch.beats,
        setting: task.context.setting.clone().unwrap_or_default(),
        characters: about.characters.clone(),
        requirements: task.context.requirements.clone(),
        words: task.context.words,
        earlier: earlier(course),
    }
}

fn earlier(course: &Course) -> Vec<String> {
    course.task.context.earlier.iter().map(|(name, told)| format!("{name}: {told}")).collect()
}

/// Thinks out what happens. Without it the text is written all the same.
pub(super) async fn sketch(about: &About, course: &Course, work: &Work<'_>) -> Result<Done, Halt> {
    let sketching = writing(about, course);
    let check = |sketch: &Sketch| {
        let count = sketch.beats.iter().filter(|beat| !beat.trim().is_empty()).count();
        match count == sketch.beats.len() && (1..=10).contains(&count) {
            true => Vec::new(),
            false => vec![format!("beats: 1 to 10 that say something, not {count}")],
        }
    };
    let asking = Asking { temperature: Some(0.7), ..Asking::once("plot") };
    match work.ask(asking, &sketching, &check).await? {
        Ok(sketch) => Ok(Done { reasoning: sketch.reasoning.clone(), ..Done::with(&sketch) }),
        Err(failure @ Failure::Unsupported { .. }) => Err(failure.into()),
        Err(failure) => {
            let why = failure.text(course.language());
            work.warn(match course.language() {
                Language::Zh => format!("没有得到情节构思，直接写作：{why}"),
                Language::En => format!("there is no sketch of the plot; writing without one: {why}"),
            });
            Ok(Done::default())
        }
    }
}

pub(super) async fn write(about: &About, course: &Course, work: &Work<'_>) -> Result<Done, Halt> {
    let writing = writing(about, course);
    let act = match about.kind.as_str() {
        "continue" => "continue",
        "dialogue" => "dialogue",
        "scene" => "scene",
        _ => "character",
    };
    let asking = Asking { temperature: Some(0.8), ..Asking::once(act) };
    let written = written(asking, &writing, work).await?;
    let mut checks = vec![Check::one("whole", !written.is_cut)];
    if written.is_cut {
        work.warn(match course.language() {
            Language::Zh => "模型在写完之前停下了，结尾可能不完整",
            Language::En => "the model stopped before the end; the last sentence may not be whole",
        });
    }
    if let Some(words) = writing.words {
        let length = Prose::of(&written.text).length as f64;
        checks.push(Check::one("length", (length - f64::from(words)).abs() <= f64::from(words) * 0.4));
    }
    Ok(Done { checks, ..Done::with(&json!({"text": written.text})) })
}

/// Returns in which words an answer refuses the task or speaks of it instead of doing it, if it does. It may be of any
/// length, form and language.
pub(super) fn refusal(text: &str, language: Language) -> Option<String> {
    let ignore = ShortfallKind::ALL.into_iter().filter(|kind| *kind != ShortfallKind::Refusal).collect();
    let floor = Floor { ignore, ..Floor::default() };
    let candidate = Candidate { text, language, words: None, is_whole: false };
    floor.examine(&candidate, []).into_iter().next().map(|shortfall| shortfall.title)
}

/// The prose, without what a model says around it; asked for once more if it is none.
async fn written(asking: Asking<'_>, writing: &Writing, work: &Work<'_>) -> Result<Written, Halt> {
    let mut requirements = writing.requirements.clone();
    let mut part = "";
    loop {
        let request = Writing { requirements: requirements.clone(), ..writing.clone() };
        let answer = work.write(Asking { part, ..asking }, &request).await?.map_err(Halt::Failed)?;
        let cleaned = clean(&answer.text, &writing.title);
        let text = if cleaned.text.is_empty() { answer.text } else { cleaned.text.clone() };
        let candidate = Candidate { text: &text, language: writing.language, words: None, is_whole: false };
        let shortfalls = Floor::default().examine(&candidate, []);
        if shortfalls.is_empty() {
            for notice in notices(&cleaned, writing.language) {
                work.warn(notice);
            }
            return Ok(Written { text, is_cut: answer.is_cut });
        }
        let told: Vec<String> = shortfalls.into_iter().map(|one| format!("{}: {}", one.title, one.advice)).collect();
        if !part.is_empty() {
            return Err(Halt::Failed(Failure::Model { message: told.join("; ") }));
        }
        part = "again";
        requirements.extend(told);
    }
}

pub(super) async fn rewrite(about: &About, course: &Course, work: &Work<'_>) -> Result<Done, Halt> {
    let text = &about.target.text;
    let place = spans::place(text, course.task.context.range).ok_or(Failure::EmptyText)?;
    let whole = &text[place.clone()];
    let passage = spans::bounded(whole, PASSAGE);
    if passage.len() < whole.len() {
        work.warn(match course.language() {
            Language::Zh => format!("文本太长，只改写前 {} 个字符", passage.chars().count()),
            Language::En => {
                format!("the text is too long; only its first {} characters are changed", passage.chars().count())
            }
        });
    }
    let gathered = Gathered::deserialize(course.data("retrieve_context")).unwrap_or_default();
    let rewriting = Rewriting {
        description: course.task.description.clone(),
        language: course.language(),
        title: about.target.title.clone(),
        passage: passage.to_owned(),
        material: gathered.material,
        requirements: course.task.context.requirements.clone(),
        earlier: earlier(course),
        problems: Vec::new(),
    };
    let check = |fixes: &Fixes| spans::problems(&fixes.fixes, &rewriting.passage);
    let asking = Asking { temperature: Some(0.7), ..Asking::once("rewrite") };
    let fixes = work.ask(asking, &rewriting, &check).await?.map_err(Halt::Failed)?;
    let spans = spans::of(&fixes.fixes, text, place.start..place.start + passage.len());
    let checks = vec![Check::all("changes", spans.len())];
    Ok(Done { reasoning: fixes.reasoning, checks, ..Done::with(&json!({"spans": spans})) })
}
