//! The node that writes prose: a chapter at once, scene by scene, or a rewritten part.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::excerpt::{beginning, ending};
use qingyu_story::{AuthorInstruction, marks};

use crate::call::CallResult;
use crate::context::{ChapterProseContext, ChapterSeamsContext};
use crate::labels::worded;
use crate::progress::ChapterStep;
use crate::prompts::PromptName;
use crate::writing::asking::{ChapterCallSpec, ChapterWork, shown, trouble_of};
use crate::writing::book::ChapterInHand;
use crate::writing::card::ENDING;
use crate::writing::clean::{clean, notices, words};
use crate::writing::fix::{mend, moved};
use crate::writing::names::{ERROR_HANDLER, GENERATION, REVIEW, WRITER};
use crate::writing::notice::WritingNotice;
use crate::writing::resources::WritingResources;
use crate::writing::review::{ChapterFinding, Verdict};
use crate::writing::seams::{SeamVerdicts, fixes, seams};
use crate::writing::state::WritingState;
use crate::writing::task::WritingTask;
use crate::writing::trouble::{Trouble, TroubleCode};

/// Maximum number of continuations of a cut text.
const CONTINUATIONS: u32 = 2;

/// The reason for missing prose.
enum GenerationStop {
    /// A trouble that waiting cannot fix.
    Trouble(Trouble),
    /// The run stops and can be resumed.
    Failed(NodeError),
}

impl From<crate::Error> for GenerationStop {
    fn from(error: crate::Error) -> Self {
        Self::Failed(error.into())
    }
}

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
    let written = match &state.task {
        WritingTask::Rewrite { instruction, .. } => rewritten(&mut work, instruction).await,
        _ => drafted(&mut work).await,
    };
    let GeneratedProse { generated, text, starts, part } = match written {
        Ok(prose) => prose,
        Err(GenerationStop::Failed(error)) => return Err(error),
        Err(GenerationStop::Trouble(trouble)) => {
            return Ok(Command::update(work.update.trouble(Some(trouble))).goto([ERROR_HANDLER]));
        }
    };
    work.reason(&WritingNotice::Written { words: words(&text, state.language) });
    let update = work.update.generated_content(generated).content_draft(text).scene_starts(starts).part(part);
    Ok(Command::update(update.scenes_again(Vec::new())).goto([REVIEW]))
}

/// The written prose.
struct GeneratedProse {
    /// Text as returned by the models.
    generated: String,
    /// Text with fixed seams.
    text: String,
    /// Byte offsets of the scenes.
    starts: Vec<usize>,
    /// Byte range of the rewritten part.
    part: Option<(usize, usize)>,
}

/// Returns the fields shared by all prompts of a chapter.
fn prompt(work: &ChapterWork<'_>) -> ChapterProseContext {
    let (state, chapter) = (work.state, work.chapter());
    let findings = state.review_result.iter().flat_map(Verdict::open).cloned();
    ChapterProseContext {
        chapter: chapter.told_number(),
        kind: state.task.kind().into(),
        language: state.language,
        title: chapter.title.clone(),
        words: chapter.words,
        card: state.retrieved_context.clone(),
        plan: work.shown_plan(&state.retrieved_context),
        before: chapter.surroundings.ending.clone(),
        sample: unseen(&chapter.surroundings.sample, &state.retrieved_context.chapter).to_owned(),
        images: chapter.surroundings.images.clone(),
        asked: shown(&chapter.instructions, &chapter.text),
        findings: findings.collect(),
        ..ChapterProseContext::default()
    }
}

/// Number of characters from which a paragraph is not likely to stand in two places.
const OWN_WORDS: usize = 10;

/// Returns the sample up to the paragraph that the chapter's material begins to show as well.
fn unseen<'s>(sample: &'s str, shown: &str) -> &'s str {
    let mut at = 0;
    for line in sample.split_inclusive('\n') {
        if line.trim().chars().count() >= OWN_WORDS && shown.contains(line.trim()) {
            break;
        }
        at += line.len();
    }
    sample[..at].trim_end()
}

/// Writes a chapter from its plan.
async fn drafted(work: &mut ChapterWork<'_>) -> Result<GeneratedProse, GenerationStop> {
    let (state, chapter) = (work.state, work.chapter());
    let scenes = &state.plan.scenes;
    if chapter.words <= state.config.scene_limit || scenes.len() < 2 {
        let text = text(work, "whole", PromptName::CHAPTER_GENERATE, prompt(work)).await?;
        work.tell(ChapterStep::Written { scene: None, words: words(&text, work.language()) });
        return Ok(GeneratedProse { generated: text.clone(), text, starts: vec![0], part: None });
    }
    let (mut whole, mut starts) = (String::new(), Vec::new());
    for (index, scene) in scenes.iter().enumerate() {
        let before = if whole.is_empty() { chapter.surroundings.ending.as_str() } else { ending(&whole, ENDING) };
        let text = match kept_scene(state, index) {
            Some(text) => text.to_owned(),
            None => {
                let prompt = ChapterProseContext {
                    words: scene.words,
                    scene: index + 1,
                    scene_plan: scene.clone(),
                    before: before.to_owned(),
                    ..prompt(work)
                };
                text(work, &format!("scene-{}", index + 1), PromptName::CHAPTER_GENERATE, prompt).await?
            }
        };
        if !whole.is_empty() {
            whole.push('\n');
        }
        starts.push(whole.len());
        whole.push_str(&text);
        work.tell(ChapterStep::Written { scene: Some(index + 1), words: words(&whole, work.language()) });
    }
    let (text, starts) = joined(work, &whole, starts).await?;
    Ok(GeneratedProse { generated: whole, text, starts, part: None })
}

/// Returns the current text of the scene, if only other scenes are to be written again.
fn kept_scene(state: &WritingState, index: usize) -> Option<&str> {
    let again = &state.scenes_again;
    if again.is_empty() || again.contains(&index) || state.scene_starts.len() != state.plan.scenes.len() {
        return None;
    }
    let end = state.scene_starts.get(index + 1).copied().unwrap_or(state.content_draft.len());
    state.content_draft.get(state.scene_starts[index]..end).map(str::trim_end)
}

/// Checks the seams once and fixes broken ones; returns the text and its scene offsets.
async fn joined(
    work: &mut ChapterWork<'_>,
    text: &str,
    starts: Vec<usize>,
) -> Result<(String, Vec<usize>), GenerationStop> {
    let state = work.state;
    let story = qingyu_story::Story { language: state.language, ..qingyu_story::Story::default() };
    let seams = seams(text, &starts, &story);
    let asked = ChapterCallSpec {
        agent: WRITER,
        purpose: "chapter.seams",
        part: String::new(),
        names: [PromptName::CHAPTER_SYSTEM, PromptName::CHAPTER_SEAMS],
        temperature: 0.0,
    };
    let prompt = ChapterSeamsContext {
        chapter: state.chapter.as_ref().map_or(0, ChapterInHand::told_number),
        kind: state.task.kind().into(),
        language: state.language,
        seams: seams.clone(),
    };
    let (count, language) = (seams.len(), state.language);
    let check = move |verdicts: &SeamVerdicts| -> Vec<String> {
        let missing = (1..=count)
            .filter(|number| !verdicts.seams.iter().any(|verdict| usize::try_from(verdict.number) == Ok(*number)));
        let problem = |number: usize| {
            let english = format!("seams has no verdict for number {number}");
            worded(language, format!("seams 缺少编号 {number} 的判断"), english)
        };
        missing.map(problem).collect()
    };
    let (verdicts, error) = match work.call(asked, &prompt)?.ask(Some(&check)).await {
        Ok(called) => {
            work.count(&called.record);
            let error = called.error();
            (called.value, error)
        }
        Err(error) => (None, trouble_of(error, GENERATION).map_err(GenerationStop::Failed)?.message),
    };
    let Some(verdicts) = verdicts else {
        work.warn(&WritingNotice::SeamsUnread { error: &error });
        return Ok((text.to_owned(), starts));
    };
    let (fixes, findings) = fixes(&seams, verdicts);
    let mended = mend(text, &fixes, &findings, None);
    if !fixes.is_empty() {
        let (fixed, refused) = (mended.done.len(), mended.refused.len());
        work.reason(&WritingNotice::Mended { fixed, refused });
        work.tell(ChapterStep::Fixed { retry: 0, fixed, refused });
    }
    let starts = starts.iter().map(|start| moved(*start, &mended.places)).collect();
    Ok((mended.text, starts))
}

/// Rewrites a part of a chapter by the author's instruction.
async fn rewritten(work: &mut ChapterWork<'_>, instruction: &str) -> Result<GeneratedProse, GenerationStop> {
    let chapter = work.chapter();
    let (start, end) = chapter.part.unwrap_or((0, chapter.text.len()));
    let (before, original, after) = (&chapter.text[..start], &chapter.text[start..end], &chapter.text[end..]);
    // The beginning of the chapter continues the end of the previous one.
    let starts_chapter = before.trim().is_empty();
    let before = if starts_chapter { chapter.surroundings.ending.as_str() } else { before };
    let is_part = start > 0 || end < chapter.text.len();
    // An instruction that is given once more is not an earlier one as well.
    let is_repeated = |one: &AuthorInstruction| {
        let passage = one.passage.trim();
        let is_here = if is_part { !passage.is_empty() && original.contains(passage) } else { passage.is_empty() };
        is_here && one.text.trim() == instruction.trim()
    };
    let earlier: Vec<AuthorInstruction> =
        chapter.instructions.iter().filter(|one| !is_repeated(one)).cloned().collect();
    let prompt = ChapterProseContext {
        words: work.state.constraints.words.unwrap_or_else(|| words(original, work.language()).max(1)),
        before: ending(before, ENDING).to_owned(),
        after: beginning(after, ENDING),
        original: original.to_owned(),
        is_part,
        starts_chapter,
        instruction: instruction.to_owned(),
        asked: shown(&earlier, &chapter.text),
        ..prompt(work)
    };
    let new = text(work, "part", PromptName::CHAPTER_REWRITE, prompt).await?;
    let whole = format!("{}{new}{after}", &chapter.text[..start]);
    work.tell(ChapterStep::Written { scene: None, words: words(&whole, work.language()) });
    Ok(GeneratedProse { generated: new.clone(), part: Some((start, start + new.len())), text: whole, starts: vec![0] })
}

/// Returns a text of about the target length: continued if cut, retried once if far too short.
async fn text(
    work: &mut ChapterWork<'_>,
    part: &str,
    name: PromptName,
    prompt: ChapterProseContext,
) -> Result<String, GenerationStop> {
    let wanted = prompt.words;
    let mut text = whole(work, part, name, &prompt).await?;
    if words(&text, work.language()) < wanted / 2 {
        let again = ChapterProseContext { last_words: words(&text, work.language()), ..prompt };
        let longer = whole(work, &format!("{part}/longer"), name, &again).await?;
        if words(&longer, work.language()) > words(&text, work.language()) {
            text = longer;
        }
    }
    let has = words(&text, work.language());
    if has < wanted / 2 {
        work.warn(&WritingNotice::TooShort { words: has, wanted });
    } else if has > wanted.saturating_mul(2) {
        work.warn(&WritingNotice::TooLong { words: has, wanted });
    }
    Ok(text)
}

/// Returns one text, continued up to a limit while it is cut.
async fn whole(
    work: &mut ChapterWork<'_>,
    part: &str,
    name: PromptName,
    prompt: &ChapterProseContext,
) -> Result<String, GenerationStop> {
    let first = piece(work, part.to_owned(), name, prompt).await?;
    // An answer without prose is kept as it is: the floor rejects it, and triggers a retry.
    let mut text = if first.text.is_empty() { first.answer } else { first.text };
    let mut is_cut = first.is_cut;
    for more in 1..=CONTINUATIONS {
        if !is_cut {
            return Ok(text);
        }
        let rest = prompt.words.saturating_sub(words(&text, work.language())).max(100);
        let going_on = ChapterProseContext { before: ending(&text, ENDING).to_owned(), words: rest, ..prompt.clone() };
        let piece = piece(work, format!("{part}/more-{more}"), PromptName::CHAPTER_CONTINUE, &going_on).await?;
        text = continued(&text, &piece.text);
        is_cut = piece.is_cut;
    }
    if is_cut {
        work.warn(&WritingNotice::StillCut);
        text.truncate(last_sentence(&text).unwrap_or(text.len()));
    }
    Ok(text)
}

/// The result of one call.
struct ProseAnswer {
    /// The prose; empty if the answer has none.
    text: String,
    /// The original answer.
    answer: String,
    /// Whether the answer was cut at the length limit.
    is_cut: bool,
}

/// Makes one call.
async fn piece(
    work: &mut ChapterWork<'_>,
    part: String,
    name: PromptName,
    prompt: &ChapterProseContext,
) -> Result<ProseAnswer, GenerationStop> {
    let asked = ChapterCallSpec {
        agent: WRITER,
        purpose: "chapter.generate",
        part,
        names: [PromptName::CHAPTER_SYSTEM, name],
        temperature: 0.8,
    };
    let called: CallResult<_> = match work.call(asked, prompt)?.write().await {
        Ok(called) => called,
        Err(error) => {
            return Err(match trouble_of(error, GENERATION) {
                Ok(trouble) => GenerationStop::Trouble(trouble),
                Err(error) => GenerationStop::Failed(error),
            });
        }
    };
    work.count(&called.record);
    let refused =
        |message| GenerationStop::Trouble(Trouble { node: GENERATION.into(), code: TroubleCode::Refused, message });
    let error = called.error();
    let Some(written) = called.value else { return Err(refused(error)) };
    let cleaned = clean(&written.text, &prompt.title);
    for notice in notices(&cleaned, work.language()) {
        work.warn_of(notice);
    }
    let text = unrepeated(&prompt.before, &cleaned.text);
    Ok(ProseAnswer { text, answer: written.text, is_cut: written.is_cut })
}

/// Removes paragraphs at the beginning that repeat the end of the preceding text.
fn unrepeated(before: &str, text: &str) -> String {
    let mut text = text;
    while let Some(line) = text.lines().next() {
        if line.chars().count() < 8 || !before.trim_end().ends_with(line) || line.len() == text.len() {
            break;
        }
        text = text[line.len()..].trim_start();
    }
    text.to_owned()
}

/// Joins a cut text with its continuation, on the same line unless the text ends with a sentence.
fn continued(text: &str, more: &str) -> String {
    if more.is_empty() {
        return text.to_owned();
    }
    let text = text.trim_end();
    let is_whole = last_sentence(text) == Some(text.len());
    let letters = text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == ',')
        && more.starts_with(|c: char| c.is_ascii_alphanumeric());
    let between = if is_whole {
        "\n"
    } else if letters {
        " "
    } else {
        ""
    };
    format!("{text}{between}{more}")
}

/// Returns the end of the last complete sentence.
fn last_sentence(text: &str) -> Option<usize> {
    let is_end =
        |c: char| marks::may_end_sentence(c) || (marks::is_double_quote(c) && marks::may_close_quote(c)) || c == '\n';
    text.char_indices().rev().find(|(_, c)| is_end(*c)).map(|(at, c)| at + c.len_utf8())
}

/// Returns the scenes with findings; empty if a finding has no place in the text, or if all scenes have findings.
pub(in crate::writing) fn scenes_of(findings: &[&ChapterFinding], state: &WritingState) -> Vec<usize> {
    let mut scenes = Vec::new();
    for finding in findings {
        let place = state.content_draft.find(&finding.quote).filter(|_| !finding.quote.is_empty());
        let Some(place) = place else { return Vec::new() };
        let scene = state.scene_starts.partition_point(|start| *start <= place).saturating_sub(1);
        if !scenes.contains(&scene) {
            scenes.push(scene);
        }
    }
    scenes.sort_unstable();
    if scenes.len() >= state.scene_starts.len() { Vec::new() } else { scenes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_goes_on() {
        assert_eq!(continued("他推开门，看见", "港口。"), "他推开门，看见港口。");
        assert_eq!(continued("他走了。", "天亮了。"), "他走了。\n天亮了。");
        assert_eq!(continued("He opened the", "door."), "He opened the door.");
        let text = "他走了。天亮";
        assert_eq!(&text[..last_sentence(text).unwrap()], "他走了。");
    }

    #[test]
    fn a_sample_ends_where_the_material_has_the_same_text() {
        let sample = "雨停了。\n林青在码头上等了整整一夜。\n天亮了。";
        assert_eq!(unseen(sample, "- 第一章：林青在码头上等了整整一夜。\n天亮了。"), "雨停了。");
        assert_eq!(unseen(sample, "- 第二章：雨停了。\n船开了。"), sample, "short sentences come again");
    }

    #[test]
    fn what_stood_before_is_not_said_again() {
        let before = "船不在了。林青在码头上等了一夜。";
        assert_eq!(unrepeated(before, "林青在码头上等了一夜。\n天亮了。"), "天亮了。");
        assert_eq!(unrepeated(before, "天亮了。"), "天亮了。");
        assert_eq!(unrepeated(before, "林青在码头上等了一夜。"), "林青在码头上等了一夜。", "something must remain");
    }
}
