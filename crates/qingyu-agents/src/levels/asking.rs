//! The model calls of a plan, one for each step, each paid for once and stored.

use qingyu_graph::NodeError;
use qingyu_story::{Agent, Language, Story};

use super::accept::{self, Accepted};
use super::step::LevelStep;
use crate::call::{CallContext, CallRecord, CallSpec};
use crate::context::{LaterContext, LevelContext};
use crate::output::{ArcsPlan, BookPlan, ChaptersPlan, LaterPlans};
use crate::prompts::PromptName;

/// Maximum number of consecutive requests for a step without a usable item.
pub(crate) const ATTEMPTS: u32 = 4;

/// An answer, by level.
#[derive(Debug)]
pub(crate) enum LevelAnswer {
    Book(BookPlan),
    Arcs(ArcsPlan),
    Chapters(ChaptersPlan),
}

impl LevelAnswer {
    /// Inserts the usable part of the answer into `story`.
    pub(crate) fn accept(&self, story: &Story, step: &LevelStep) -> Accepted {
        match self {
            Self::Book(answer) => accept::book(story, step, answer),
            Self::Arcs(answer) => accept::arcs(story, step, answer),
            Self::Chapters(answer) => accept::chapters(story, step, answer),
        }
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Book(answer) => answer.volumes.len(),
            Self::Arcs(answer) => answer.arcs.len(),
            Self::Chapters(answer) => answer.chapters.len(),
        }
    }
}

/// Returns what the next request says about an answer; empty if all of it was taken.
pub(crate) fn feedback(language: Language, taken: usize, refused: usize) -> String {
    match (language, taken, refused) {
        (Language::Zh, 0, 0) => "上一次的回答没有写完，读不出来。这次写短一些。".into(),
        (Language::En, 0, 0) => "The last answer was cut and could not be read. Write less in each item.".into(),
        (_, _, 0) => String::new(),
        (Language::Zh, ..) => {
            format!("上一次的回答里有 {refused} 项没有采用：号码重复、缺号、超出范围，或者没有内容。")
        }
        (Language::En, ..) => format!(
            "{refused} items of the last answer were not taken: their numbers repeat, leave a gap or are out of range, \
             or they say nothing."
        ),
    }
}

/// Asks for one step. An answer of which nothing can be taken is asked for again at once; without a usable one, none is
/// returned.
pub(crate) async fn ask(
    seat: CallContext<'_>,
    story: &Story,
    step: &LevelStep,
    context: &LevelContext,
    attempt: u32,
) -> Result<(Option<LevelAnswer>, CallRecord), NodeError> {
    let (purpose, prompt) = match step {
        LevelStep::Book { .. } => ("outline.book", PromptName::LEVELS_BOOK),
        LevelStep::Arcs { .. } => ("outline.arcs", PromptName::LEVELS_ARCS),
        LevelStep::Chapters { .. } => ("outline.chapters", PromptName::LEVELS_CHAPTERS),
    };
    let part = format!("{}/{attempt}", step.name());
    let names = [PromptName::LEVELS_SYSTEM, prompt];
    let spec = CallSpec::of(Agent::Outline.name(), purpose.into(), part, names, 0.7);
    let call = seat.call(spec, &context.shown, context)?;
    let language = seat.language;
    Ok(match step {
        LevelStep::Book { .. } => {
            let size = Some(context.shown.sizes.volume_limits()).filter(|_| context.shown.sizes.volume.is_said);
            let check = |answer: &BookPlan| unusable(accept::book(story, step, answer).taken, language, size);
            let called = call.ask(Some(&check)).await?;
            (called.value.map(LevelAnswer::Book), called.record)
        }
        LevelStep::Arcs { .. } => {
            let check = |answer: &ArcsPlan| {
                unusable(accept::arcs(story, step, answer).taken, language, Some(context.shown.sizes.arc_limits()))
            };
            let called = call.ask(Some(&check)).await?;
            (called.value.map(LevelAnswer::Arcs), called.record)
        }
        LevelStep::Chapters { .. } => {
            let check = |answer: &ChaptersPlan| unusable(accept::chapters(story, step, answer).taken, language, None);
            let called = call.ask(Some(&check)).await?;
            (called.value.map(LevelAnswer::Chapters), called.record)
        }
    })
}

/// Asks which of the shown later plans still hold.
pub(crate) async fn ask_later(
    seat: CallContext<'_>,
    context: &LaterContext,
) -> Result<(Option<LaterPlans>, CallRecord), NodeError> {
    let names = [PromptName::LEVELS_SYSTEM, PromptName::LEVELS_LATER];
    let first = context.plans.first().map(|plan| plan.id.as_str()).unwrap_or_default();
    let part = format!("{}/{first}", context.written);
    let spec = CallSpec::of(Agent::Outline.name(), "outline.later".into(), part, names, 0.2);
    let called = seat.call(spec, context, context)?.ask::<LaterPlans>(None).await?;
    Ok((called.value, called.record))
}

/// Returns why an answer without a usable item is refused, empty if it has one; `size`: minimum and maximum chapters of a
/// part.
fn unusable(taken: usize, language: Language, size: Option<(u32, u32)>) -> Vec<String> {
    if taken > 0 {
        return Vec::new();
    }
    let size = size.map(|(least, most)| match language {
        Language::Zh if least == most => format!("；一段 {least} 章，最后一段可以短些"),
        Language::En if least == most => format!("; a part has {least} chapters, the last may be shorter"),
        Language::Zh => format!("；每一段 {least} 到 {most} 章，最后一段可以短些"),
        Language::En => format!("; a part has {least} to {most} chapters, the last may be shorter"),
    });
    let wrong = match language {
        Language::Zh => "没有一项可用：从要求的第一个号码写起，号码相连，名字和内容都要写",
        Language::En => {
            "no item can be used: begin at the first number asked for, leave no gap, and give each item a name and a \
             description"
        }
    };
    vec![format!("{wrong}{}", size.unwrap_or_default())]
}
