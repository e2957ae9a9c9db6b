//! Asks the author, once, what settlement could not decide, and does what they say.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::Story;
use qingyu_story::settlement::Extraction;
use qingyu_tools::workspace::Provenance;

use crate::Error;
use crate::writing::asking::{Change, Work, save};
use crate::writing::book::{Base, Book, ChapterInHand};
use crate::writing::notice::Notice;
use crate::writing::questions::{About, AuthorAnswers, AuthorQuestion, AuthorQuestions, Decision, answered};
use crate::writing::settling::{completed, place, settle_in};
use crate::writing::{QUESTIONS, WritingRoom, WritingState};

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let questions = AuthorQuestions { questions: state.questions.clone() };
    let answers = context.ask::<AuthorAnswers>("settlement", &questions).await?;
    let mut work = Work::new(&room, &state, &context);
    let accepted: Vec<&AuthorQuestion> = state
        .questions
        .iter()
        .filter(|question| answers.answers.get(&question.id) == Some(&Decision::Accept))
        .collect();
    let chapters: BTreeSet<u32> = accepted.iter().map(|question| question.chapter).collect();
    for chapter in chapters {
        let of_chapter: Vec<&AuthorQuestion> =
            accepted.iter().copied().filter(|question| question.chapter == chapter).collect();
        let extraction = state.extractions.get(&chapter).cloned().unwrap_or_default();
        if let Err(error) = carry_out(&room, &state, &of_chapter, &answers.choices, extraction).await? {
            let label = of_chapter[0].title.clone();
            work.warn(&Notice::AnswerLost { label: &label, error: &error.to_string() });
        }
    }
    let is_later = |question: &&AuthorQuestion| {
        !matches!(answers.answers.get(&question.id), Some(Decision::Accept | Decision::Reject))
    };
    let later: Vec<AuthorQuestion> = state.questions.iter().filter(is_later).cloned().collect();
    let kept = |chapter: &u32| later.iter().any(|question| question.chapter == *chapter);
    let extractions = state.extractions.clone().into_iter().filter(|(chapter, _)| kept(chapter)).collect();
    Ok(Command::update(work.update.overwrite_questions(later).overwrite_extractions(extractions)))
}

/// Puts what the author accepted of a chapter into the story, in one change.
///
/// An answer that does not fit the story any more is given back; a project that cannot be reached fails.
async fn carry_out(
    room: &WritingRoom,
    state: &WritingState,
    accepted: &[&AuthorQuestion],
    choices: &BTreeMap<String, String>,
    mut extraction: Extraction,
) -> Result<Result<(), qingyu_story::edit::Error>, Error> {
    for question in accepted {
        answered(&mut extraction, &question.about, choices.get(&question.id).map(String::as_str));
    }
    let Some(number) = accepted.first().map(|question| question.chapter) else { return Ok(Ok(())) };
    let mut misfit = None;
    let saved = save(room, |story| {
        let after = match settled(story, number, accepted, &extraction) {
            Ok(after) => after,
            Err(error) => {
                misfit = Some(error);
                return Ok(None);
            }
        };
        let provenance = Provenance {
            agent: "person".into(),
            tool: QUESTIONS.into(),
            run: Some(state.run_id.clone()).filter(|run| !run.is_empty()),
            ..Provenance::default()
        };
        let key = format!("{}/answers/{number}", state.run_id);
        Ok(Some(Change { after, key, provenance, made: () }))
    });
    saved.await?;
    Ok(misfit.map_or(Ok(()), Err))
}

/// The story with what was accepted of a chapter.
fn settled(
    story: &Story,
    number: u32,
    accepted: &[&AuthorQuestion],
    extraction: &Extraction,
) -> Result<Story, qingyu_story::edit::Error> {
    let book = Book::of(story);
    let document = book.document(number);
    let draft = accepted.iter().find_map(|question| match &question.about {
        About::DraftKept { text, .. } => Some(text),
        About::BelowFloor { .. } | About::Settlement { .. } => None,
    });
    let mut after = story.clone();
    let id = match (draft, document) {
        (Some(draft), _) => {
            let chapter = ChapterInHand {
                number,
                node: book.node(number).map(|node| node.id.clone()).unwrap_or_default(),
                title: book.title(number),
                base: document.map(|document| Base { document: document.id.clone(), version: document.version }),
                ..ChapterInHand::default()
            };
            let placed = place(story, &chapter, draft)?;
            after = placed.story;
            placed.document
        }
        (None, Some(document)) => document.id.clone(),
        (None, None) => return Ok(after),
    };
    let extraction = completed(&after, &id, extraction)?;
    settle_in(&mut after, &id, &extraction)?;
    Ok(after)
}
