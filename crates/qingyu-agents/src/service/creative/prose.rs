//! Requests for prose, and checks of the answers.

use qingyu_story::Language;
use qingyu_story::prose::editors_count;
use qingyu_text::{ChapterCandidate, Floor, ShortfallKind};
use serde::Deserialize;
use serde_json::json;

use super::context::{Fixes, ProseContext, RewriteContext, Sketch};
use super::spans;
use super::subject::{BEFORE, PASSAGE, WritingMaterial, WritingSubject};
use crate::call::WrittenProse;
use crate::labels::worded;
use crate::service::agent::{Done, TaskProgress};
use crate::service::failure::{AgentHalt, Failure};
use crate::service::task::Check;
use crate::service::work::{AgentWork, ModelQuestion};
use crate::writing::clean::{clean, notices};

/// Returns the context of a prose request.
pub(super) fn writing(about: &WritingSubject, course: &TaskProgress) -> ProseContext {
    let task = &course.task;
    let gathered = |action: &str| WritingMaterial::deserialize(course.data(action)).unwrap_or_default();
    let sketch = Sketch::deserialize(course.data("generate_plot")).unwrap_or_default();
    let before = task.context.previous_content.as_deref().unwrap_or(&about.target.text);
    let skipped = before.chars().count().saturating_sub(BEFORE);
    ProseContext {
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

fn earlier(course: &TaskProgress) -> Vec<String> {
    course.task.context.earlier.iter().map(|(name, told)| format!("{name}: {told}")).collect()
}

/// Sketches the next events. After an unusable answer the text is written without a sketch.
pub(super) async fn sketch(
    about: &WritingSubject,
    course: &TaskProgress,
    work: &AgentWork<'_>,
) -> Result<Done, AgentHalt> {
    let sketching = writing(about, course);
    let check = |sketch: &Sketch| {
        let count = sketch.beats.iter().filter(|beat| !beat.trim().is_empty()).count();
        match count == sketch.beats.len() && (1..=10).contains(&count) {
            true => Vec::new(),
            false => vec![worded(
                sketching.language,
                format!("beats 要有 1～10 条，每条都要有内容，现在是 {count} 条"),
                format!("beats: 1 to 10 that say something, not {count}"),
            )],
        }
    };
    let asking = ModelQuestion { temperature: Some(0.7), ..ModelQuestion::once("plot") };
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

pub(super) async fn write(
    about: &WritingSubject,
    course: &TaskProgress,
    work: &AgentWork<'_>,
) -> Result<Done, AgentHalt> {
    let writing = writing(about, course);
    let act = match about.kind.as_str() {
        "continue" => "continue",
        "dialogue" => "dialogue",
        "scene" => "scene",
        _ => "character",
    };
    let asking = ModelQuestion { temperature: Some(0.8), ..ModelQuestion::once(act) };
    let written = written(asking, &writing, work).await?;
    let mut checks = vec![Check::one("whole", !written.is_cut)];
    if written.is_cut {
        work.warn(match course.language() {
            Language::Zh => "模型在写完之前停下了，结尾可能不完整",
            Language::En => "the model stopped before the end; the last sentence may not be whole",
        });
    }
    if let Some(words) = writing.words {
        let length = editors_count(&written.text, course.language()) as f64;
        checks.push(Check::one("length", (length - f64::from(words)).abs() <= f64::from(words) * 0.4));
    }
    Ok(Done { checks, ..Done::with(&json!({"text": written.text})) })
}

/// Returns a description of how an answer refuses or discusses the task instead of doing it; `None` for prose. Works
/// for any length, form and language.
pub(super) fn refusal(text: &str, language: Language) -> Option<String> {
    let ignore = ShortfallKind::ALL.into_iter().filter(|kind| *kind != ShortfallKind::Refusal).collect();
    let floor = Floor { ignore, ..Floor::default() };
    let candidate = ChapterCandidate { text, language, words: None, is_whole: false };
    floor.examine(&candidate, []).into_iter().next().map(|shortfall| shortfall.title)
}

/// Returns the prose without the model's chatter; retried once if the answer is not prose.
async fn written(
    asking: ModelQuestion<'_>,
    writing: &ProseContext,
    work: &AgentWork<'_>,
) -> Result<WrittenProse, AgentHalt> {
    let mut requirements = writing.requirements.clone();
    let mut part = "";
    loop {
        let request = ProseContext { requirements: requirements.clone(), ..writing.clone() };
        let answer = work.write(ModelQuestion { part, ..asking }, &request).await?.map_err(AgentHalt::Failed)?;
        let cleaned = clean(&answer.text, &writing.title);
        let text = if cleaned.text.is_empty() { answer.text } else { cleaned.text.clone() };
        let candidate = ChapterCandidate { text: &text, language: writing.language, words: None, is_whole: false };
        let shortfalls = Floor::default().examine(&candidate, []);
        if shortfalls.is_empty() {
            for notice in notices(&cleaned, writing.language) {
                work.warn(notice);
            }
            return Ok(WrittenProse { text, is_cut: answer.is_cut });
        }
        let told: Vec<String> = shortfalls.into_iter().map(|one| format!("{}: {}", one.title, one.advice)).collect();
        if !part.is_empty() {
            return Err(AgentHalt::Failed(Failure::Model { message: told.join("; ") }));
        }
        part = "again";
        requirements.extend(told);
    }
}

pub(super) async fn rewrite(
    about: &WritingSubject,
    course: &TaskProgress,
    work: &AgentWork<'_>,
) -> Result<Done, AgentHalt> {
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
    let gathered = WritingMaterial::deserialize(course.data("retrieve_context")).unwrap_or_default();
    let rewriting = RewriteContext {
        description: course.task.description.clone(),
        language: course.language(),
        title: about.target.title.clone(),
        passage: passage.to_owned(),
        material: gathered.material,
        requirements: course.task.context.requirements.clone(),
        earlier: earlier(course),
        problems: Vec::new(),
    };
    let check = |fixes: &Fixes| spans::problems(&fixes.fixes, &rewriting.passage, rewriting.language);
    let asking = ModelQuestion { temperature: Some(0.7), ..ModelQuestion::once("rewrite") };
    let fixes = work.ask(asking, &rewriting, &check).await?.map_err(AgentHalt::Failed)?;
    let spans = spans::of(&fixes.fixes, text, place.start..place.start + passage.len());
    let checks = vec![Check::all("changes", spans.len())];
    Ok(Done { reasoning: fixes.reasoning, checks, ..Done::with(&json!({"spans": spans})) })
}
