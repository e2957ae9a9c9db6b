//! Reviews the chapter: rules first, then one forced checklist.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use qingyu_graph::{Command, Context, NodeError};

use crate::Error;
use crate::context::ChapterReading;
use crate::progress::ChapterStep;
use crate::prompts::Name;
use crate::writing::asking::{Asked, Work, known_by, load, trouble_of};
use crate::writing::clean::words;
use crate::writing::floor;
use crate::writing::nodes::retrieval;
use crate::writing::notice::Notice;
use crate::writing::review::{ChapterFinding, ChapterReview, Judged, Verdict, conclude, problems, unquoted};
use crate::writing::route::{Freedom, Way, after_review};
use crate::writing::settling::{Which, check};
use crate::writing::state::{AcceptedChapter, ContextCard, Trouble, TroubleCode};
use crate::writing::task::WritingTask;
use crate::writing::{
    BELOW_FLOOR, CRITIC, ERROR_HANDLER, FINALIZE, NEXT_CHAPTER, REGENERATE, REVIEW, UNDERSTAND, WritingRoom,
    WritingState,
};

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = Work::new(&room, &state, &context);
    let draft = &state.content_draft;
    let corrects = matches!(state.task, WritingTask::Correct { .. });
    let round = state.review_result.as_ref().map_or(0, |verdict| verdict.round + 1);
    let shortfalls = floor::shortfalls(&work, draft).await?;
    if corrects {
        let brought_in = floor::brought_in(&state, work.chapter(), &shortfalls);
        if let Some(shortfall) = brought_in.first() {
            return Ok(left_alone(work, &shortfall.title));
        }
    } else if !shortfalls.is_empty() {
        return Ok(concluded(work, floor::verdict(round, shortfalls), corrects));
    }
    let rules = rules(&work, "rules", draft).await?;
    let review = match corrects {
        // The places that a reading has found are mended with those of the rules. Whether they are mended, another
        // reading says; where only the rules found something, the rules look again.
        true => match &state.review_result {
            None => state.reviews.get(&state.number()).cloned(),
            Some(earlier) if earlier.findings.iter().any(|one| one.code.is_none() || one.is_remark()) => {
                let card = retrieval::gathered(&mut work).await?.card;
                let rules: Vec<ChapterFinding> = rules.iter().filter(|rule| !rule.is_remark()).cloned().collect();
                ask(&mut work, &rules, &card).await?
            }
            Some(_) => None,
        },
        // What passed is read again for what was mended in it; what it was written from held already.
        false if state.review_result.as_ref().is_some_and(|verdict| verdict.passed) => {
            ask(&mut work, &rules, &ContextCard::default()).await?
        }
        false => ask(&mut work, &rules, &state.retrieved_context).await?,
    };
    // What a reading found is told once, by the newest one.
    let rules = match &review {
        Some(_) => rules.into_iter().filter(|rule| !rule.is_remark()).collect(),
        None => rules,
    };
    let judged = Judged {
        round,
        asked: !corrects || review.is_some(),
        rules,
        review,
        draft,
        earlier: state.review_result.as_ref().map(|verdict| (verdict, state.reviewed_draft.as_str())),
        pass: state.config.pass,
    };
    let (mut verdict, dropped) = conclude(judged);
    if corrects {
        // What the author wants mended is mended as long as it can be.
        verdict.passed = !verdict.findings.iter().any(|finding| finding.severity >= qingyu_story::Severity::Medium);
    }
    for (title, why) in &dropped {
        work.warn(&Notice::IssueDropped { title, why: *why });
    }
    Ok(concluded(work, verdict, corrects))
}

/// What the rules and a reviewer say of a text that is only read, and the review by itself; none if there is none.
///
/// The author's own text is never sent back; what it lacks is reported.
pub(super) async fn read(work: &mut Work<'_>) -> Result<(Verdict, Option<ChapterReview>), NodeError> {
    let draft = work.state.content_draft.as_str();
    let shortfalls = floor::shortfalls_of_text(work, draft).await?;
    let rules = rules(work, "rules", draft).await?;
    let rules: Vec<ChapterFinding> = rules.into_iter().filter(|rule| !rule.is_remark()).collect();
    let review = ask(work, &rules, &work.state.retrieved_context).await?;
    let pass = work.state.config.pass;
    let judged = Judged { asked: true, rules, review: review.clone(), draft, pass, ..Judged::default() };
    let (mut verdict, dropped) = conclude(judged);
    verdict.findings.splice(0..0, floor::verdict(0, shortfalls).findings);
    for (title, why) in &dropped {
        work.warn(&Notice::IssueDropped { title, why: *why });
    }
    Ok((verdict, review))
}

/// Tells the verdict, and goes where it leads.
fn concluded(mut work: Work<'_>, verdict: Verdict, corrects: bool) -> Command<WritingState> {
    work.reason(&Notice::Reviewed { passed: verdict.passed, score: verdict.score, findings: verdict.findings.len() });
    work.tell(ChapterStep::Reviewed { verdict: Box::new(verdict.clone()) });
    routed(work, verdict, corrects)
}

/// Drops the mends of the author's text that made it fall short.
fn left_alone(mut work: Work<'_>, why: &str) -> Command<WritingState> {
    work.warn(&Notice::MendsDropped { why });
    let row = untouched(&work);
    let text = work.chapter().text.clone();
    Command::update(work.update.accepted(vec![row]).content_draft(text)).goto([NEXT_CHAPTER])
}

/// What the rules find, as a stored step: a resumed run must not see what the author changed meanwhile.
pub(super) async fn rules(work: &Work<'_>, key: &str, draft: &str) -> Result<Vec<ChapterFinding>, NodeError> {
    let (room, chapter) = (work.room, work.chapter());
    let is_there = work.reads || matches!(work.state.task, WritingTask::Correct { .. });
    let which = if is_there { Which::All } else { Which::New };
    let find = || async move {
        let (story, _) = load(room).await?;
        let found = check(&story, chapter, draft, &room.workshop.rules, which);
        found.map_err(|source| Error::Unfit { chapter: chapter.number, source })
    };
    work.context.step(key, &(chapter.number, known_by(draft)), find).await
}

/// What the reviewer says; none if it cannot be read.
async fn ask(
    work: &mut Work<'_>,
    rules: &[ChapterFinding],
    card: &ContextCard,
) -> Result<Option<ChapterReview>, NodeError> {
    let (state, chapter) = (work.state, work.chapter());
    let draft = state.content_draft.as_str();
    let instruction = match &state.task {
        WritingTask::Rewrite { instruction, .. } => instruction.clone(),
        _ => String::new(),
    };
    let reading = ChapterReading {
        chapter: chapter.told_number(),
        kind: state.task.kind().into(),
        language: state.language,
        title: chapter.title.clone(),
        words: chapter.words,
        has: words(draft),
        card: card.clone(),
        before: chapter.surroundings.ending.clone(),
        plan: state.plan.clone(),
        instruction,
        draft: draft.to_owned(),
        findings: rules.to_vec(),
        earlier: state.review_result.clone().filter(|verdict| verdict.read),
    };
    let asked = Asked {
        agent: CRITIC,
        purpose: "chapter.review",
        part: String::new(),
        names: [Name::CRITIC_SYSTEM, Name::CRITIC_REVIEW],
        temperature: 0.0,
    };
    let told = AtomicBool::new(false);
    let check = move |review: &ChapterReview| {
        let mut problems = problems(review, draft);
        // Whoever still quotes what is not there has been told so: those issues are left out, the rest counts.
        if told.swap(true, Ordering::Relaxed) {
            let quotes = unquoted(review, draft);
            problems.retain(|problem| !quotes.contains(problem));
        }
        problems
    };
    match work.call(asked, &reading)?.ask(Some(&check)).await {
        Ok(called) => {
            work.count(&called.record);
            if called.value.is_none() {
                work.warn(&Notice::ReviewUnread { error: &called.error() });
            }
            Ok(called.value)
        }
        Err(error) => {
            let trouble = trouble_of(error, REVIEW)?;
            work.warn(&Notice::ReviewUnread { error: &trouble.message });
            Ok(None)
        }
    }
}

fn routed(mut work: Work<'_>, verdict: Verdict, corrects: bool) -> Command<WritingState> {
    let state = work.state;
    let freedom = if corrects { Freedom::PlacesOnly } else { Freedom::All };
    let is_clean = corrects && verdict.passed && state.content_draft == work.chapter().text;
    let way = after_review(&verdict, (state.retry_count, state.max_retries), freedom, &state.config);
    let rewrites = matches!(state.task, WritingTask::Rewrite { .. });
    let next = match way {
        Way::Finalize if is_clean => {
            let row = untouched(&work);
            work.write(|update| update.accepted(vec![row]));
            NEXT_CHAPTER
        }
        Way::Finalize | Way::Force => FINALIZE,
        Way::AskAuthor => BELOW_FLOOR,
        Way::Mend | Way::Rewrite => REGENERATE,
        Way::Restart if rewrites => REGENERATE,
        Way::Restart => {
            work.write(|update| update.retry_count(state.retry_count + 1));
            UNDERSTAND
        }
        Way::Unread => {
            let trouble = Trouble { node: REVIEW.into(), code: TroubleCode::NoReview, message: String::new() };
            work.write(|update| update.trouble(Some(trouble)).unread_reviews(state.unread_reviews + 1));
            ERROR_HANDLER
        }
    };
    let update = work.update.review_passed(verdict.passed).reviewed_draft(state.content_draft.clone());
    Command::update(update.review_result(Some(verdict))).goto([next])
}

/// The row of a chapter in which nothing was to be mended.
fn untouched(work: &Work<'_>) -> AcceptedChapter {
    let chapter = work.chapter();
    AcceptedChapter {
        chapter: chapter.number,
        title: chapter.title.clone(),
        node: chapter.node.clone(),
        document: chapter.base.as_ref().map(|base| base.document.clone()).unwrap_or_default(),
        words: words(&chapter.text),
        read: chapter.is_read,
        ..AcceptedChapter::default()
    }
}
