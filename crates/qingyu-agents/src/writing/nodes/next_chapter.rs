//! Takes the next chapter from the queue, or ends the run.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use qingyu_graph::{Command, Context, END, NodeError};
use qingyu_llm::estimate;
use qingyu_story::Prose;
use qingyu_story::chapters::Unresolved;

use crate::call::emit;
use crate::progress::{ChapterStep, Progress};
use crate::writing::asking::{load, tell};
use crate::writing::book::{Base, Book, ChapterInHand};
use crate::writing::notice::Notice;
use crate::writing::plan::fallback;
use crate::writing::reading::ChapterInReading;
use crate::writing::state::{ContextCard, OutputMetadata, Trouble, TroubleCode, WritingStateUpdate};
use crate::writing::task::{Part, WritingTask};
use crate::writing::{
    ERROR_HANDLER, EXTRACT, NEXT_CHAPTER, QUESTIONS, RAG_RETRIEVAL, REVIEW, TOOLS, UNDERSTAND, WritingRoom,
    WritingState, card,
};

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let update = WritingState::update().current_step(NEXT_CHAPTER.into());
    let (story, _) = load(&room).await?;
    let book = Book::of(&story);
    let queue = match state.queue.clone().map_or_else(|| first(&state.task, &book), Ok) {
        Ok(queue) => queue,
        Err(trouble) => return Ok(Command::update(update.trouble(Some(trouble))).goto([ERROR_HANDLER])),
    };
    let (queue, to_read) = match (&state.queue, &state.task) {
        (Some(_), WritingTask::Read { .. }) => (Vec::new(), [state.to_read.as_slice(), &queue].concat()),
        (Some(_), _) => (queue, state.to_read.clone()),
        (None, _) => with_readings(&state, &book, queue),
    };
    let mut update = update;
    let is_first = state.queue.is_none() && !to_read.is_empty();
    if is_first && !matches!(state.task, WritingTask::Read { .. }) {
        let message = Notice::ReadFirst { chapters: &to_read }.text(state.language);
        emit(&context, &Progress::Warning { message: message.clone() });
        update = update.warnings(vec![message]);
    }
    let stable = card::stable(&story, &state.constraints, &state.preferences);
    if !to_read.is_empty() {
        return Ok(side_by_side(&state, &book, (&queue, &to_read), &stable, fresh(update)));
    }
    let Some((number, rest)) = queue.split_first() else { return Ok(ended(&state, update)) };
    let Some(chapter) = in_hand(&state, &book, *number) else {
        // The outline was changed while the run went on.
        let trouble = trouble(TroubleCode::UnknownChapter, *number);
        return Ok(Command::update(update.trouble(Some(trouble))).goto([ERROR_HANDLER]));
    };
    let part = match part_of(&state.task, &chapter.text) {
        Ok(part) => part.map(|part| (part.start, part.end)),
        Err(trouble) => return Ok(Command::update(update.trouble(Some(trouble))).goto([ERROR_HANDLER])),
    };
    let (done, task) = (state.accepted.len() + state.briefs.len(), state.task.kind().to_owned());
    tell(&context, *number, &chapter.title, ChapterStep::Started { task, done, of: done + queue.len() });
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
        WritingTask::Correct { .. } | WritingTask::Read { .. } => REVIEW,
    };
    Ok(Command::update(update).goto([next]))
}

/// Sends the next chapters that are read to their readers.
fn side_by_side(
    state: &WritingState,
    book: &Book<'_>,
    (queue, to_read): (&[u32], &[u32]),
    stable: &str,
    update: WritingStateUpdate,
) -> Command<WritingState> {
    let (now, later) = to_read.split_at(to_read.len().min(state.config.read_at_once.max(1)));
    let mut readings = BTreeMap::new();
    for number in now {
        let Some(chapter) = in_hand(state, book, *number) else {
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

/// The chapters of a new run.
fn first(task: &WritingTask, book: &Book<'_>) -> Result<Vec<u32>, Trouble> {
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
    let unknown = |message: String| Trouble { message, ..trouble(TroubleCode::UnknownChapter, 0) };
    let chapters = book.numbers(task.chapters()).map_err(|error| match error {
        Unresolved::Unknown { given } => unknown(given),
        error => unknown(error.to_string()),
    })?;
    match chapters.iter().find(|number| needs_text && !written.contains(number)) {
        Some(number) => Err(trouble(TroubleCode::UnknownChapter, *number)),
        None => Ok(chapters),
    }
}

/// The queue, and the chapters that a model reads first: all if only reading is asked for; otherwise what is corrected, and what the first
/// chapter that is written goes on from, where no model has read the current text.
fn with_readings(state: &WritingState, book: &Book<'_>, queue: Vec<u32>) -> (Vec<u32>, Vec<u32>) {
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
    }
}

fn trouble(code: TroubleCode, chapter: u32) -> Trouble {
    let message = if chapter == 0 { String::new() } else { chapter.to_string() };
    Trouble { node: NEXT_CHAPTER.into(), code, message }
}

/// The chapter as it is now.
fn in_hand(state: &WritingState, book: &Book<'_>, number: u32) -> Option<ChapterInHand> {
    let node = book.node(number)?;
    let document = book.document(number);
    let scenes: u32 = card::scenes(book, node).iter().filter_map(|scene| scene.words).sum();
    let planned = node.words.or((scenes > 0).then_some(scenes));
    Some(ChapterInHand {
        number,
        of: book.len(),
        node: node.id.clone(),
        title: book.title(number),
        words: state.constraints.words.or(planned).unwrap_or(state.config.words).max(1),
        base: document.map(|document| Base { document: document.id.clone(), version: document.version }),
        text: document.map(|document| document.text.clone()).unwrap_or_default(),
        is_read: document.is_some_and(|document| !document.read_state().is_open()),
        part: None,
        surroundings: card::surroundings(book, number),
        spent_before: (state.tokens_used, state.cost_micros),
        calls_before: state.messages.len(),
    })
}

fn plan_of(book: &Book<'_>, chapter: &ChapterInHand) -> crate::writing::ChapterPlan {
    let Some(node) = book.node(chapter.number) else { return crate::writing::ChapterPlan::default() };
    fallback(node, &card::scenes(book, node), chapter.words).bounded(chapter.words)
}

/// The bytes that are to be rewritten.
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

/// What belongs to one chapter, cleared.
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
        .read_by(None)
        .trouble(None)
        .overwrite_reasoning(Vec::new())
        .overwrite_tool_calls(Vec::new())
}

/// The end of the run.
fn ended(state: &WritingState, update: WritingStateUpdate) -> Command<WritingState> {
    let words = state.accepted.iter().map(|chapter| chapter.words).sum();
    let (chapters, questions) = (state.accepted.len() + state.briefs.len(), state.questions.len());
    let line = Notice::RunEnded { chapters, words, questions }.text(state.language);
    let update = update
        .chapter(None)
        .queue(Some(Vec::new()))
        .content_draft(String::new())
        .final_output(line)
        .output_metadata(OutputMetadata { tokens_used: state.tokens_used, ..OutputMetadata::default() });
    Command::update(fresh(update)).goto([if questions == 0 { END } else { QUESTIONS }])
}
