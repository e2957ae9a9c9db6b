//! The node that takes the next chapter from the queue, or ends the run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use qingyu_graph::{Command, Context, END, NodeError};
use qingyu_llm::estimate;
use qingyu_story::chapters::ChapterLookupError;
use qingyu_story::{Config, Evidence, Finding, Levels, Prose, Severity, Story, findings, levels};

use crate::call::emit;
use crate::levels::summary::summary;
use crate::progress::{ChapterStep, Progress};
use crate::writing::accepted::AcceptedChapter;
use crate::writing::asking::{load, tell};
use crate::writing::book::{BaseDocument, ChapterInHand, NumberedBook};
use crate::writing::card;
use crate::writing::context_card::ContextCard;
use crate::writing::names::{
    ERROR_HANDLER, EXTRACT, GATE, NEXT_CHAPTER, PLAN_AHEAD, QUESTIONS, RAG_RETRIEVAL, REVIEW, TOOLS, UNDERSTAND,
};
use crate::writing::notice::WritingNotice;
use crate::writing::own_words;
use crate::writing::plan::{ChapterPlan, fallback};
use crate::writing::reading::ChapterInReading;
use crate::writing::resources::WritingResources;
use crate::writing::review::{ChapterFinding, HeldReason, TOLD_OTHERWISE};
use crate::writing::state::{OutputMetadata, WritingState, WritingStateUpdate};
use crate::writing::task::{Part, WritingTask};
use crate::writing::trouble::{Trouble, TroubleCode};

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let update = WritingState::update().current_step(NEXT_CHAPTER.into());
    let (story, _) = load(&room).await?;
    let book = NumberedBook::of(&story);
    if matches!(state.task, WritingTask::Plan { .. }) && state.queue.is_none() {
        return Ok(Command::update(update.queue(Some(Vec::new()))).goto([PLAN_AHEAD]));
    }
    let queue = match state.queue.clone().map_or_else(|| first(&state.task, &book), Ok) {
        Ok(queue) => queue,
        Err(trouble) => return Ok(Command::update(update.trouble(Some(trouble))).goto([ERROR_HANDLER])),
    };
    let (queue, to_read) = match (&state.queue, &state.task) {
        (Some(_), WritingTask::Read { .. }) => (Vec::new(), [state.to_read.as_slice(), &queue].concat()),
        (Some(_), _) => (queue, state.to_read.clone()),
        (None, _) => with_readings(&state, &book, queue),
    };
    let is_first = state.queue.is_none() && !to_read.is_empty();
    if is_first && !matches!(state.task, WritingTask::Read { .. }) {
        // Progress, and no warning of the run: at its end the chapters have been read.
        let message = WritingNotice::ReadFirst { chapters: &to_read }.text(state.language);
        emit(&context, &Progress::Warning { message });
    }
    let stable = card::stable(&story, &room.workshop.rules, &state.constraints, &state.preferences);
    if !to_read.is_empty() {
        return Ok(side_by_side(&state, &book, (&queue, &to_read), &stable, fresh(update)));
    }
    let levels = Levels::with(&story, book.names());
    if is_arc_written(&state, levels.as_ref()) {
        return Ok(Command::update(update.queue(Some(queue))).goto([PLAN_AHEAD]));
    }
    let Some((number, rest)) = queue.split_first() else { return Ok(ended(&room, &state, &story, &context, update)) };
    if let Some(reason) = super::gate::reached(&state, &story) {
        return Ok(Command::update(update.queue(Some(queue.clone())).gate(Some(reason))).goto([GATE]));
    }
    let is_ahead = matches!(state.task, WritingTask::Draft { .. }) && *number > book.len();
    if is_ahead && levels.as_ref().is_some_and(|levels| *number <= levels.length) {
        let update = update.queue(Some(queue.clone())).plan_wanted(Some(*number));
        return Ok(Command::update(update).goto([PLAN_AHEAD]));
    }
    let Some(chapter) = in_hand(&state, &book, *number, requested(&state.task)) else {
        // The outline changed during the run.
        let trouble = trouble(TroubleCode::UnknownChapter, *number);
        return Ok(Command::update(update.trouble(Some(trouble))).goto([ERROR_HANDLER]));
    };
    let part = match part_of(&state.task, &chapter.text) {
        Ok(part) => part.map(|part| (part.start, part.end)),
        Err(trouble) => return Ok(Command::update(update.trouble(Some(trouble))).goto([ERROR_HANDLER])),
    };
    let place = levels.map(|levels| levels.place(*number, state.language)).unwrap_or_default();
    // A chapter that is corrected again is not done yet.
    let accepted: BTreeSet<u32> = state.accepted.iter().map(|row| row.chapter).filter(|row| row != number).collect();
    let (done, task) = (accepted.len() + state.briefs.len(), state.task.kind().to_owned());
    tell(&context, *number, &chapter.title, ChapterStep::Started { task, done, of: done + queue.len(), place });
    let tokens = estimate::tokens(&stable);
    let update = fresh(update)
        .queue(Some(rest.to_vec()))
        .to_read(Vec::new())
        .plan(plan_of(&book, &chapter))
        .retrieved_context(ContextCard { stable, chapter: String::new(), tokens })
        .content_draft(chapter.text.clone())
        .max_retries(state.config.max_retries)
        .chapter(Some(ChapterInHand { part, ..chapter }));
    let next = match state.task {
        WritingTask::Draft { .. } => UNDERSTAND,
        WritingTask::Rewrite { .. } => RAG_RETRIEVAL,
        WritingTask::Correct { .. } | WritingTask::Read { .. } | WritingTask::Plan { .. } => REVIEW,
    };
    Ok(Command::update(update).goto([next]))
}

/// Returns whether the run has just written the last chapter of an arc, and the later plans are not yet held against it.
fn is_arc_written(state: &WritingState, levels: Option<&Levels>) -> bool {
    let is_draft = matches!(state.task, WritingTask::Draft { .. });
    let last =
        state.accepted.last().map(|chapter| chapter.chapter).filter(|last| is_draft && *last > state.plan_looked);
    last.zip(levels).and_then(|(last, levels)| levels.arc_of(last)).is_some_and(|(_, arc)| Some(arc.last) == last)
}

/// Starts concurrent readings of the next chapters.
fn side_by_side(
    state: &WritingState,
    book: &NumberedBook<'_>,
    (queue, to_read): (&[u32], &[u32]),
    stable: &str,
    update: WritingStateUpdate,
) -> Command<WritingState> {
    let (now, later) = to_read.split_at(to_read.len().min(state.config.read_at_once.max(1)));
    let mut readings = BTreeMap::new();
    for number in now {
        let Some(chapter) = in_hand(state, book, *number, "") else {
            let trouble = trouble(TroubleCode::UnknownChapter, *number);
            return Command::update(update.trouble(Some(trouble))).goto([ERROR_HANDLER]);
        };
        let plan = plan_of(book, &chapter);
        let reading = ChapterInReading { chapter, plan, stable: stable.to_owned(), ..ChapterInReading::default() };
        readings.insert(*number, reading);
    }
    let update = update.chapter(None).queue(Some(queue.to_vec())).to_read(later.to_vec()).overwrite_readings(readings);
    now.iter().fold(Command::update(update), |command, number| command.send(EXTRACT, number))
}

/// Returns the chapters of a new run.
fn first(task: &WritingTask, book: &NumberedBook<'_>) -> Result<Vec<u32>, Trouble> {
    if book.is_empty() {
        return Err(trouble(TroubleCode::NoOutline, 0));
    }
    let (written, unwritten) = book.written();
    let needs_text = !matches!(task, WritingTask::Draft { .. });
    if task.chapters().is_empty() {
        return Ok(match task {
            WritingTask::Read { .. } => book.unread(written),
            _ if needs_text => written,
            _ => unwritten,
        });
    }
    if let Some(ahead) = book.ahead(task.chapters()).filter(|_| !needs_text) {
        return Ok(ahead);
    }
    let unknown = |message: String| Trouble { message, ..trouble(TroubleCode::UnknownChapter, 0) };
    let chapters = book.numbers(task.chapters()).map_err(|error| match error {
        ChapterLookupError::Unknown { given } => unknown(given),
        error => unknown(error.to_string()),
    })?;
    match chapters.iter().find(|number| needs_text && !written.contains(number)) {
        Some(number) => Err(trouble(TroubleCode::UnknownChapter, *number)),
        None => Ok(chapters),
    }
}

/// Returns the queue, and the chapters to be read first: all for a reading task; otherwise unread chapters to correct,
/// or unread chapters before the first one to write.
fn with_readings(state: &WritingState, book: &NumberedBook<'_>, queue: Vec<u32>) -> (Vec<u32>, Vec<u32>) {
    let Some(first) = queue.first().copied().filter(|_| !state.config.brief_only) else { return (queue, Vec::new()) };
    match state.task {
        WritingTask::Correct { .. } => {
            let unread = book.unread(queue.iter().copied());
            (queue, unread)
        }
        WritingTask::Draft { .. } | WritingTask::Rewrite { .. } => {
            let unread = book.unread(first.saturating_sub(state.config.read_before).max(1)..first);
            (queue, unread)
        }
        WritingTask::Read { .. } => (Vec::new(), queue),
        WritingTask::Plan { .. } => (queue, Vec::new()),
    }
}

fn trouble(code: TroubleCode, chapter: u32) -> Trouble {
    let message = if chapter == 0 { String::new() } else { chapter.to_string() };
    Trouble { node: NEXT_CHAPTER.into(), code, message }
}

/// Returns what the author asks of the chapter to rewrite; empty for other tasks.
fn requested(task: &WritingTask) -> &str {
    match task {
        WritingTask::Rewrite { instruction, .. } => instruction,
        _ => "",
    }
}

/// Returns the current state of a chapter; `asked` is what the author asks for in it, if anything.
fn in_hand(state: &WritingState, book: &NumberedBook<'_>, number: u32, asked: &str) -> Option<ChapterInHand> {
    let node = book.node(number)?;
    let document = book.document(number);
    let levels = Levels::with(book.story, book.names());
    let scenes: u32 = card::scenes(book, node).iter().filter_map(|scene| scene.words).sum();
    let planned = node.words.or((scenes > 0).then_some(scenes));
    Some(ChapterInHand {
        number,
        of: levels.as_ref().map_or(book.len(), |levels| levels.length.max(book.len())),
        node: node.id.clone(),
        title: book.title(number),
        words: state.constraints.words.or(planned).unwrap_or(state.config.words).max(1),
        base: document.map(|document| BaseDocument { document: document.id.clone(), version: document.version }),
        text: document.map(|document| document.text.clone()).unwrap_or_default(),
        is_read: document.is_some_and(|document| !document.read_state().is_open()),
        instructions: document.map(|document| own_words::instructions(document, state.language)).unwrap_or_default(),
        answers: document.map(|document| document.answers.clone()).unwrap_or_default(),
        part: None,
        surroundings: card::surroundings(book, number, asked),
        spent_before: (state.tokens_used, state.cost_micros),
        calls_before: state.messages.len(),
    })
}

fn plan_of(book: &NumberedBook<'_>, chapter: &ChapterInHand) -> ChapterPlan {
    let Some(node) = book.node(chapter.number) else { return ChapterPlan::default() };
    fallback(node, &card::scenes(book, node), chapter.words).bounded(chapter.words)
}

/// Returns the byte range to rewrite.
fn part_of(task: &WritingTask, text: &str) -> Result<Option<Range<usize>>, Trouble> {
    let WritingTask::Rewrite { part, chapter, .. } = task else { return Ok(None) };
    let none = || Trouble { message: chapter.to_string(), ..trouble(TroubleCode::UnknownPart, 0) };
    let range = match *part {
        Part::Whole => 0..text.len(),
        Part::Paragraphs { from, to } => {
            let paragraphs = Prose::of(text).paragraphs;
            let first = from.checked_sub(1).and_then(|first| paragraphs.get(first)).ok_or_else(none)?;
            let last = to.checked_sub(1).and_then(|last| paragraphs.get(last)).ok_or_else(none)?;
            first.range.start..last.range.end
        }
        Part::Characters { from, to } => {
            let mut places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            let start = places.clone().nth(from).ok_or_else(none)?;
            start..places.nth(to).ok_or_else(none)?
        }
    };
    if range.start < range.end { Ok(Some(range)) } else { Err(none()) }
}

/// Clears the fields of one chapter.
fn fresh(update: WritingStateUpdate) -> WritingStateUpdate {
    update
        .plan_fallback(None)
        .tools_to_use(TOOLS.map(str::to_owned).to_vec())
        .rag_results(Vec::new())
        .generated_content(String::new())
        .scene_starts(Vec::new())
        .scenes_again(Vec::new())
        .part(None)
        .reviewed_draft(String::new())
        .review_result(None)
        .review_passed(false)
        .unread_reviews(0)
        .retry_count(0)
        .extraction(qingyu_story::settlement::Extraction::default())
        .extracted_from(String::new())
        .read_by(None)
        .contradictions(Vec::new())
        .trouble(None)
        .overwrite_reasoning(Vec::new())
        .overwrite_tool_calls(Vec::new())
}

/// Returns the command that ends the run.
fn ended(
    room: &WritingResources,
    state: &WritingState,
    story: &Story,
    context: &Context,
    mut update: WritingStateUpdate,
) -> Command<WritingState> {
    let planned = summary(story);
    let is_open = levels::is_open(story) && matches!(state.task, WritingTask::Plan { .. } | WritingTask::Draft { .. });
    if let Some(planned) = planned.as_deref().filter(|_| is_open) {
        let message = WritingNotice::PlanOpen { summary: planned }.text(state.language);
        emit(context, &Progress::Warning { message: message.clone() });
        update = update.warnings(vec![message]);
    }
    let questions = state.questions.len();
    let line = closing_line(state, story, &room.workshop.rules, questions);
    let update = update
        .chapter(None)
        .queue(Some(Vec::new()))
        .content_draft(String::new())
        .final_output(line)
        .output_metadata(OutputMetadata { tokens_used: state.tokens_used, ..OutputMetadata::default() });
    Command::update(fresh(update)).goto([if questions == 0 { END } else { QUESTIONS }])
}

/// Returns what the run has made in a line, with `questions` that the author has not answered.
pub(super) fn closing_line(state: &WritingState, story: &Story, rules: &Config, questions: usize) -> String {
    let is_plan = matches!(state.task, WritingTask::Plan { .. });
    summary(story).filter(|_| is_plan).unwrap_or_else(|| {
        let rows = AcceptedChapter::latest(state.accepted.clone());
        let words = rows.iter().map(|chapter| chapter.words).sum();
        let chapters = rows.len() + state.briefs.len();
        let found = || rows.iter().flat_map(|chapter| &chapter.findings);
        let undecided = undecided(state, story, rules) + found().filter(|finding| is_disputed(finding)).count();
        let contradictions = found().filter(|finding| finding.is_contradiction()).count();
        WritingNotice::RunEnded { chapters, words, questions, undecided, contradictions }.text(state.language)
    })
}

/// Returns whether the writer holds a finding to be wrong; differences from the plan are counted in any case.
fn is_disputed(finding: &ChapterFinding) -> bool {
    matches!(finding.held, Some(HeldReason::Disputed { .. })) && !finding.is_choice()
}

/// Returns the number of plans that the accepted chapters tell otherwise.
fn undecided(state: &WritingState, story: &Story, rules: &Config) -> usize {
    let Some(severity) = rules.severity(TOLD_OTHERWISE, Severity::Medium) else { return 0 };
    let found = findings(story, &Config::only(TOLD_OTHERWISE, severity));
    let is_own = |evidence: &Evidence| {
        let document = evidence.anchor.strip_prefix("documents/").and_then(|rest| rest.split('/').next());
        document.is_some_and(|document| state.accepted.iter().any(|chapter| chapter.document == document))
    };
    let is_open = |one: &&Finding| one.issue.waived.is_none() && one.issue.evidence.iter().any(is_own);
    found.iter().filter(is_open).count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_disputed_finding_is_for_the_author_to_decide() {
        let finding = |code: Option<&str>, held: Option<HeldReason>| ChapterFinding {
            code: code.map(str::to_owned),
            held,
            ..ChapterFinding::default()
        };
        let disputed = || Some(HeldReason::Disputed { why: "他生在闰年".into() });
        let findings =
            vec![finding(None, disputed()), finding(Some(TOLD_OTHERWISE), disputed()), finding(Some("QY314"), None)];
        let accepted = vec![AcceptedChapter { chapter: 1, findings, ..AcceptedChapter::default() }];
        let state = WritingState { accepted, ..WritingState::default() };
        let line = closing_line(&state, &Story::default(), &Config::default(), 0);
        assert!(line.contains("待作者决定的 1 处") || line.contains("author to decide: 1"), "{line}");
    }

    #[test]
    fn what_only_the_author_can_decide_is_counted() {
        let text = "三月初五，辰时，秦岳接了货。午时，秦岳答应了。";
        let differs = |event: &str, hour: &str| {
            let told = format!("万历二十年三月初五 {hour}");
            json!({ "event": event, "field": "timestamp", "told": told, "quote": "三月初五，辰时，秦岳接了货。" })
        };
        let document = |id: &str, differs: Vec<serde_json::Value>| json!({ "id": id, "title": id, "order": 1, "text": text, "settled": { "differs": differs } });
        let story: Story = serde_json::from_value(json!({
            "timeline_events": [
                { "id": "e-1", "title": "接货", "timestamp": "万历二十年三月初三 辰时" },
                { "id": "e-2", "title": "许诺", "timestamp": "万历二十年三月初三 午时" },
            ],
            "documents": [document("d-1", vec![differs("e-1", "辰时"), differs("e-2", "午时")]), document("d-2", vec![])],
        }))
        .unwrap();
        let count = |document: &str, rules: &Config| {
            let accepted = vec![AcceptedChapter { document: document.into(), ..AcceptedChapter::default() }];
            undecided(&WritingState { accepted, ..WritingState::default() }, &story, rules)
        };
        assert_eq!(count("d-1", &Config::default()), 1, "one date is one question");
        assert_eq!(count("d-2", &Config::default()), 0);
        let off = Config { severities: [(TOLD_OTHERWISE.to_owned(), None)].into(), ..Config::default() };
        assert_eq!(count("d-1", &off), 0);
    }
}
