//! The node that reviews the chapter: rules first, then one forced checklist.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use qingyu_graph::{Command, Context, NodeError};

use crate::Error;
use crate::context::ChapterReviewContext;
use crate::progress::ChapterStep;
use crate::prompts::PromptName;
use crate::writing::accepted::AcceptedChapter;
use crate::writing::answered::unanswered;
use crate::writing::asking::{ChapterCallSpec, ChapterWork, known_by, load, shown, trouble_of};
use crate::writing::clean::words;
use crate::writing::context_card::ContextCard;
use crate::writing::floor;
use crate::writing::names::{
    BELOW_FLOOR, CRITIC, ERROR_HANDLER, FINALIZE, NEXT_CHAPTER, REGENERATE, REVIEW, UNDERSTAND,
};
use crate::writing::nodes::retrieval;
use crate::writing::notice::WritingNotice;
use crate::writing::questions::of_held;
use crate::writing::resources::WritingResources;
use crate::writing::review::{ChapterFinding, ChapterReview, ReviewInput, Verdict, conclude, problems, unquoted};
use crate::writing::route::{ChapterRoute, EditScope, after_review};
use crate::writing::settling::{FindingFilter, check};
use crate::writing::state::WritingState;
use crate::writing::task::WritingTask;
use crate::writing::trial;
use crate::writing::trouble::{Trouble, TroubleCode};

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
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
    if let Some(verdict) = stands(&state, corrects) {
        return Ok(concluded(work, Verdict { round, ..verdict }, corrects));
    }
    let rules = rules(&work, "rules", draft).await?;
    let review = match corrects {
        // Places from an earlier reading are fixed together with places from the rules. A new reading verifies these
        // fixes; fixes for the rules alone are verified by the rules.
        true => match &state.review_result {
            None => state.reviews.get(&state.number()).cloned(),
            Some(earlier) if earlier.open().any(ChapterFinding::is_of_reviewer) => {
                let card = retrieval::gathered(&mut work).await?.card;
                let rules: Vec<ChapterFinding> =
                    rules.iter().filter(|rule| !rule.is_remark() && rule.held.is_none()).cloned().collect();
                ask(&mut work, &rules, &[], &card).await?
            }
            Some(_) => None,
        },
        false => {
            let remarks = remarks(&work, draft).await?;
            let own: Vec<ChapterFinding> = rules.iter().filter(|rule| !rule.is_remark()).cloned().collect();
            ask(&mut work, &own, &remarks, &state.retrieved_context).await?
        }
    };
    // Only the newest reading reports its findings.
    let rules = match &review {
        Some(_) => rules.into_iter().filter(|rule| !rule.is_remark()).collect(),
        None => rules,
    };
    let rules: Vec<ChapterFinding> =
        rules.into_iter().chain(floor::off_length(&state, work.chapter(), draft)).collect();
    let asked = work.asked_beside(&rules);
    let judged = ReviewInput {
        round,
        is_asked: !corrects || review.is_some(),
        rules,
        review,
        draft,
        earlier: state.review_result.as_ref().map(|verdict| (verdict, state.reviewed_draft.as_str())),
        pass: state.config.pass,
        asked: &asked,
        part: state.part.map(|(start, end)| start..end),
    };
    let (verdict, dropped) = conclude(judged);
    for (title, why) in &dropped {
        work.warn(&WritingNotice::IssueDropped { title, why: *why });
    }
    Ok(concluded(work, verdict, corrects))
}

/// Returns the verdict of the round before, if that round of a correction with findings of a reviewer changed nothing: a
/// reading of the same text would cost and say the same.
fn stands(state: &WritingState, corrects: bool) -> Option<Verdict> {
    let earlier = state.review_result.as_ref().filter(|_| corrects && state.content_draft == state.reviewed_draft)?;
    if !earlier.open().chain(earlier.held()).any(ChapterFinding::is_of_reviewer) {
        return None;
    }
    let passed = earlier.open().all(|finding| finding.severity < qingyu_story::Severity::Medium);
    Some(Verdict { passed, ..earlier.clone() })
}

/// Returns the verdict of rules and reviewer on a chapter that is only read, and the reviewer's answer; `None` for an
/// invalid answer.
///
/// The author's own text is never sent back; its shortfalls are reported.
pub(super) async fn read(work: &mut ChapterWork<'_>) -> Result<(Verdict, Option<ChapterReview>), NodeError> {
    let draft = work.state.content_draft.as_str();
    let shortfalls = floor::shortfalls_of_text(work, draft).await?;
    let rules = rules(work, "rules", draft).await?;
    let (remarks, rules): (Vec<ChapterFinding>, _) = rules.into_iter().partition(ChapterFinding::is_remark);
    let review = ask(work, &rules, &remarks, &work.state.retrieved_context).await?;
    let pass = work.state.config.pass;
    let (review_given, asked) = (review.clone(), work.asked_beside(&rules));
    let judged = ReviewInput {
        is_asked: true,
        rules,
        review: review_given,
        draft,
        pass,
        asked: &asked,
        ..ReviewInput::default()
    };
    let (mut verdict, dropped) = conclude(judged);
    let below = floor::verdict(0, shortfalls);
    verdict.findings.splice(0..0, below.findings);
    verdict.shortfalls = below.shortfalls;
    verdict.decide(pass, true);
    for (title, why) in &dropped {
        work.warn(&WritingNotice::IssueDropped { title, why: *why });
    }
    Ok((verdict, review))
}

/// Reports the verdict and returns the next node's command.
fn concluded(mut work: ChapterWork<'_>, verdict: Verdict, corrects: bool) -> Command<WritingState> {
    work.reason(&WritingNotice::Reviewed {
        passed: verdict.passed,
        score: verdict.score,
        findings: verdict.findings.len(),
    });
    work.tell(ChapterStep::Reviewed { verdict: Box::new(verdict.clone()) });
    routed(work, verdict, corrects)
}

/// Reverts fixes that brought the author's text below the floor.
fn left_alone(mut work: ChapterWork<'_>, why: &str) -> Command<WritingState> {
    work.warn(&WritingNotice::MendsDropped { why });
    let row = untouched(&work);
    let text = work.chapter().text.clone();
    Command::update(work.update.accepted(vec![row]).content_draft(text)).goto([NEXT_CHAPTER])
}

/// Returns the rules' findings, as a stored step, so that a resumed run ignores concurrent edits.
pub(super) async fn rules(work: &ChapterWork<'_>, key: &str, draft: &str) -> Result<Vec<ChapterFinding>, NodeError> {
    let (room, chapter) = (work.room, work.chapter());
    // Reviewer and writer are shown the same findings about the text as a check shows.
    let which = match work.state.task {
        WritingTask::Correct { .. } | WritingTask::Read { .. } => FindingFilter::All,
        WritingTask::Rewrite { .. } => FindingFilter::NewOrQuoted,
        _ => FindingFilter::New,
    };
    // The last extraction, of the draft before its fixes, has facts that the rules do not read.
    let extraction = work.state.read_by.as_ref().map(|_| &work.state.extraction);
    let find = || async move {
        let (story, _) = load(room).await?;
        let config = &room.workshop.rules;
        let mut found = check(&story, chapter, draft, config, which);
        if let Some(extraction) = extraction {
            found = found.and_then(|found| trial::unexplained(&story, (chapter, draft), extraction, config, found));
        }
        found.map_err(|source| Error::Unfit { chapter: chapter.number, source })
    };
    work.context.step(key, &(chapter.number, known_by(draft)), find).await
}

/// Returns the open remarks of earlier runs whose words are still in a draft based on an existing text, as a stored
/// step.
async fn remarks(work: &ChapterWork<'_>, draft: &str) -> Result<Vec<ChapterFinding>, NodeError> {
    let (room, chapter) = (work.room, work.chapter());
    if chapter.base.is_none() {
        return Ok(Vec::new());
    }
    let find = || async move {
        let (story, _) = load(room).await?;
        let found = check(&story, chapter, draft, &room.workshop.rules, FindingFilter::All);
        let found = found.map_err(|source| Error::Unfit { chapter: chapter.number, source })?;
        Ok::<Vec<ChapterFinding>, Error>(found.into_iter().filter(ChapterFinding::is_remark).collect())
    };
    work.context.step("remarks", &(chapter.number, known_by(draft)), find).await
}

/// Asks the reviewer; returns `None` for an invalid answer. In the first round, `remarks` of earlier runs stand for the
/// review before: the reviewer judges whether they are mended.
async fn ask(
    work: &mut ChapterWork<'_>,
    rules: &[ChapterFinding],
    remarks: &[ChapterFinding],
    card: &ContextCard,
) -> Result<Option<ChapterReview>, NodeError> {
    let (state, chapter) = (work.state, work.chapter());
    let draft = state.content_draft.as_str();
    let reading = ChapterReviewContext {
        chapter: chapter.told_number(),
        kind: state.task.kind().into(),
        language: state.language,
        title: chapter.title.clone(),
        words: chapter.words,
        has: words(draft, state.language),
        card: card.clone(),
        before: chapter.surroundings.ending.clone(),
        plan: work.shown_plan(card),
        asked: shown(&work.asked_beside(rules), draft),
        draft: draft.to_owned(),
        findings: rules.to_vec(),
        earlier: match &state.review_result {
            Some(verdict) => Some(without(verdict, rules)).filter(|verdict| verdict.read),
            None if remarks.is_empty() => None,
            None => Some(Verdict { read: true, findings: remarks.to_vec(), ..Verdict::default() }),
        },
    };
    let asked = ChapterCallSpec {
        agent: CRITIC,
        purpose: "chapter.review",
        part: String::new(),
        names: [PromptName::CRITIC_SYSTEM, PromptName::CRITIC_REVIEW],
        temperature: 0.0,
    };
    let (told, language) = (AtomicBool::new(false), state.language);
    let check = move |review: &ChapterReview| {
        let mut problems = problems(review, draft, language);
        // After one retry, issues with false quotes are dropped, and the rest counts.
        if told.swap(true, Ordering::Relaxed) {
            let quotes = unquoted(review, draft, language);
            problems.retain(|problem| !quotes.contains(problem));
        }
        problems
    };
    match work.call(asked, &reading)?.ask(Some(&check)).await {
        Ok(called) => {
            work.count(&called.record);
            if called.value.is_none() {
                work.warn(&WritingNotice::ReviewUnread { error: &called.error() });
            }
            Ok(called.value)
        }
        Err(error) => {
            let trouble = trouble_of(error, REVIEW)?;
            work.warn(&WritingNotice::ReviewUnread { error: &trouble.message });
            Ok(None)
        }
    }
}

/// Returns the verdict without the findings that the rules still report.
fn without(verdict: &Verdict, rules: &[ChapterFinding]) -> Verdict {
    let mut verdict = verdict.clone();
    verdict.findings.retain(|finding| !rules.iter().any(|rule| rule.id == finding.id));
    verdict
}

fn routed(mut work: ChapterWork<'_>, verdict: Verdict, corrects: bool) -> Command<WritingState> {
    let state = work.state;
    let freedom = EditScope::of(&state.task);
    let is_same = corrects && state.content_draft == work.chapter().text;
    let is_clean = is_same && verdict.passed;
    let way = after_review(&verdict, (state.retry_count, state.max_retries), freedom, &state.config);
    let rewrites = matches!(state.task, WritingTask::Rewrite { .. });
    let next = match way {
        ChapterRoute::Finalize if is_clean => {
            let (findings, score) = (verdict.held().cloned().collect(), Some(verdict.score));
            let row = AcceptedChapter { findings, score, ..untouched(&work) };
            let held = of_held(&verdict.findings, (row.chapter, &row.title), &row.document);
            let questions = unanswered(held, &work.chapter().answers, &state.content_draft);
            work.write(|update| update.accepted(vec![row]).questions(questions));
            NEXT_CHAPTER
        }
        // What a model has read already is not read once more.
        ChapterRoute::Force if is_same && work.chapter().is_read => {
            unmended(&mut work, &verdict);
            NEXT_CHAPTER
        }
        ChapterRoute::Finalize | ChapterRoute::Force => FINALIZE,
        ChapterRoute::AskAuthor => BELOW_FLOOR,
        ChapterRoute::Mend | ChapterRoute::Rewrite => REGENERATE,
        ChapterRoute::Restart if rewrites => REGENERATE,
        ChapterRoute::Restart => {
            work.write(|update| update.retry_count(state.retry_count + 1));
            UNDERSTAND
        }
        ChapterRoute::Unread => {
            let trouble = Trouble { node: REVIEW.into(), code: TroubleCode::NoReview, message: String::new() };
            work.write(|update| update.trouble(Some(trouble)).unread_reviews(state.unread_reviews + 1));
            ERROR_HANDLER
        }
    };
    let update = work.update.review_passed(verdict.passed).reviewed_draft(state.content_draft.clone());
    Command::update(update.review_result(Some(verdict))).goto([next])
}

/// Takes a chapter as it is, because no fix fitted.
fn unmended(work: &mut ChapterWork<'_>, verdict: &Verdict) {
    let state = work.state;
    let row = AcceptedChapter {
        forced: true,
        retries: state.retry_count,
        score: Some(verdict.score).filter(|_| verdict.read),
        findings: verdict.held().cloned().collect(),
        ..untouched(work)
    };
    work.warn(&WritingNotice::Forced { score: verdict.score, retries: state.retry_count });
    work.tell(ChapterStep::Accepted { words: row.words, score: None, forced: true });
    work.write(|update| update.accepted(vec![row]));
}

/// Returns the row of a chapter that stays as it is, with its costs.
fn untouched(work: &ChapterWork<'_>) -> AcceptedChapter {
    let chapter = work.chapter();
    AcceptedChapter {
        chapter: chapter.number,
        title: chapter.title.clone(),
        node: chapter.node.clone(),
        document: chapter.base.as_ref().map(|base| base.document.clone()).unwrap_or_default(),
        words: words(&chapter.text, work.language()),
        read: chapter.is_read,
        ..work.costs()
    }
}
