//! The node that plans the levels of the book, and the chapters of its next arcs, one model call at a time.
//!
//! Every answer is saved in the project before the next call, so that an interrupted plan resumes where the outline
//! ends. The story decides the next step; existing nodes stay as they are.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_llm::catalogue::Catalogue;
use qingyu_story::{Agent, Config, Document, Judge, Levels, PieceKind, Provenance, Story, book_length};
use qingyu_tools::workspace::Made;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::call::{CallRecord, emit};
use crate::context::{LaterContext, LevelContext, LevelMaterial};
use crate::levels::asking::{self, ATTEMPTS};
use crate::levels::later::{LaterProposal, OwnPlan, proposals};
use crate::levels::material::{self, LevelRequest};
use crate::levels::step::{LENGTH_MOST, LevelStep, PlanTarget, last_chapter, next_chapters, next_level};
use crate::levels::summary::{stopped, summary};
use crate::progress::Progress;
use crate::writing::answered::is_plan_answered;
use crate::writing::asking::{ChapterWork, ProjectChange, load, save};
use crate::writing::book::NumberedBook;
use crate::writing::names::{ERROR_HANDLER, NEXT_CHAPTER, PLAN_AHEAD, QUESTIONS};
use crate::writing::notice::WritingNotice;
use crate::writing::questions::{About, AuthorQuestion};
use crate::writing::resources::WritingResources;
use crate::writing::state::WritingState;
use crate::writing::task::WritingTask;
use crate::writing::trouble::{Trouble, TroubleCode};

/// Number of later plans after which a look ends; those beyond are named as not looked at.
const LOOK_MOST: usize = 100;

/// The next action of the node, stored as a step: a resumed node sends the same prompt.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "next", rename_all = "snake_case")]
enum Prepared {
    /// Asks for a step.
    Ask { step: LevelStep, shown: Box<LevelMaterial>, to: Option<u32> },
    /// Asks which later plans still hold.
    Later { shown: Box<LaterContext>, to: Option<u32> },
    /// Nothing is to be planned, and the later plans have been held against the text up to this chapter.
    Looked { written: u32 },
    /// Everything wanted is planned.
    Done { summary: String },
    /// Nothing can be planned.
    Trouble { code: TroubleCode, message: String },
}

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
    let (story, _) = load(&room).await?;
    let prepare = || async {
        let is_known = is_looked_at(&room, &state, &story).await?;
        Ok::<_, Error>(prepared(&state, &story, &room.workshop.rules, is_known))
    };
    let prepared = context.step("prepare", &state.plan_attempt, prepare).await?;
    let seat = work.seat();
    let (step, shown, to) = match prepared {
        Prepared::Ask { step, shown, to } => (step, shown, to),
        Prepared::Later { shown, to } => {
            let (answer, record) = asking::ask_later(seat, &shown).await?;
            work.count(&record);
            let Some(answer) = answer else {
                work.warn(&WritingNotice::LaterUnread { error: &record.error.clone().unwrap_or_default() });
                work.write(|update| update.plan_looked(shown.written).plan_seen(Vec::new()).plan_to(to));
                return Ok(Command::update(work.update).goto([PLAN_AHEAD]));
            };
            let mut changes = proposals(&story, &shown, &answer);
            for proposal in changes.iter_mut().filter(|proposal| proposal.own.is_none()) {
                proposal.own = is_by_hand(&room, &proposal.node).await?.then_some(OwnPlan::ByHand);
            }
            let questions: Vec<AuthorQuestion> = changes
                .into_iter()
                .map(|proposal| AuthorQuestion {
                    id: proposal.id(),
                    chapter: shown.written,
                    title: proposal.name.clone(),
                    about: About::LaterPlan(proposal),
                })
                .filter(|question| state.questions.iter().all(|known| known.id != question.id))
                .filter(|question| !is_plan_answered(&story, &question.about))
                .collect();
            let seen: Vec<String> =
                state.plan_seen.iter().cloned().chain(shown.plans.iter().map(|plan| plan.id.clone())).collect();
            let is_whole = shown.left == 0 || seen.len() >= LOOK_MOST;
            if is_whole {
                let of_look = state.questions.iter().filter(|question| question.chapter == shown.written);
                let proposed: Vec<&LaterProposal> = of_look.chain(&questions).filter_map(later_plan).collect();
                let is_of_rules = Catalogue::built_in().works_by_rules(&record.model);
                let judge = if is_of_rules { Judge::Rules } else { Judge::Model };
                let notice = WritingNotice::LaterRead { proposed: &proposed, left: shown.left, judge };
                work.reason(&notice);
                // What is left to the author outlasts the run's reasoning.
                if shown.left > 0 || proposed.iter().any(|proposal| proposal.own.is_some()) {
                    work.warn(&notice);
                } else {
                    emit(&context, &finished(notice.text(state.language)));
                }
            }
            let looked = if is_whole { shown.written } else { state.plan_looked };
            let seen = if is_whole { Vec::new() } else { seen };
            work.write(|update| update.plan_looked(looked).plan_seen(seen).plan_to(to).questions(questions));
            return Ok(Command::update(work.update).goto([PLAN_AHEAD]));
        }
        Prepared::Looked { written } => {
            work.write(|update| update.plan_looked(written));
            return Ok(Command::update(work.update).goto([NEXT_CHAPTER]));
        }
        Prepared::Done { summary } => {
            emit(&context, &finished(summary.clone()));
            work.write(|update| update.plan_to(None).plan_wanted(None).plan_attempt(0).reasoning(vec![summary]));
            return Ok(Command::update(work.update).goto([NEXT_CHAPTER]));
        }
        Prepared::Trouble { code, message } => return Ok(trouble(work, code, message)),
    };
    let level = LevelContext {
        story: material::by_rules(&story),
        genres: material::named(&story, &room.workshop.rules.genres),
        shown: LevelMaterial { feedback: state.plan_feedback.clone(), ..*shown },
    };
    let (answer, record) = asking::ask(seat, &story, &step, &level, state.plan_attempt).await?;
    work.count(&record);
    let saved = match &answer {
        Some(answer) => {
            save(&room, |story| {
                let accepted = answer.accept(story, &step);
                if accepted.taken == 0 {
                    return Ok(None);
                }
                let key = format!("{}/plan/{}/{}", state.run_id, context.superstep(), step.name());
                let made = (accepted.taken, accepted.refused);
                Ok(Some(ProjectChange {
                    after: accepted.story,
                    key,
                    provenance: provenance(&state, &step, &record),
                    made,
                }))
            })
            .await?
        }
        None => None,
    };
    let (taken, refused) = saved.map_or((0, answer.as_ref().map_or(0, asking::LevelAnswer::len)), |(_, made)| made);
    let feedback = asking::feedback(state.language, taken, refused);
    let attempt = if taken > 0 { 0 } else { state.plan_attempt + 1 };
    if attempt >= ATTEMPTS {
        let error = record.error.clone().unwrap_or_default();
        let message = stopped(step.range().0, &error, state.language);
        return Ok(trouble(work, TroubleCode::PlanStopped, message));
    }
    if taken > 0 {
        let notice = WritingNotice::Planned { step: &step.text(state.language), items: taken };
        work.reason(&notice);
        emit(&context, &finished(notice.text(state.language)));
    }
    work.write(|update| update.plan_attempt(attempt).plan_feedback(feedback).plan_to(to));
    Ok(Command::update(work.update).goto([PLAN_AHEAD]))
}

/// Returns the progress of a finished step.
fn finished(summary: String) -> Progress {
    Progress::AgentFinished { agent: Agent::Outline.name().into(), summary, pieces: Vec::new(), reasoning: Vec::new() }
}

/// Returns the proposed change that a question is about.
fn later_plan(question: &AuthorQuestion) -> Option<&LaterProposal> {
    match &question.about {
        About::LaterPlan(proposal) => Some(proposal),
        _ => None,
    }
}

/// Returns the ids of the written texts, and of the outline node of the last planned chapter.
fn written_and_last_planned(story: &Story) -> Option<(Vec<String>, String)> {
    let book = NumberedBook::of(story);
    let is_written = |document: &&Document| document.order > 0 && !document.text.trim().is_empty();
    let texts: Vec<String> = story.documents.iter().filter(is_written).map(|document| document.id.clone()).collect();
    if texts.is_empty() {
        return None;
    }
    Some((texts, book.node(book.len())?.id.clone()))
}

/// Returns whether an earlier run has held the later plans against the written text: whether it planned the last planned
/// chapter after all texts had their present content. A chapter that was rewritten since is looked at.
async fn is_looked_at(room: &WritingResources, state: &WritingState, story: &Story) -> Result<bool, Error> {
    if state.plan_looked > 0 || !state.plan_seen.is_empty() {
        return Ok(false);
    }
    let Some((texts, node)) = written_and_last_planned(story) else { return Ok(false) };
    let planned = room.workspace.provenance(PieceKind::OutlineNode, &node).await?;
    let is_by_plan = |made: &Made| [PLAN_AHEAD, QUESTIONS].contains(&made.provenance.tool.as_str());
    let Some(planned) = planned.filter(is_by_plan) else { return Ok(false) };
    let written = room.workspace.newest(PieceKind::Document, &texts).await?;
    Ok(written.is_none_or(|written| written < planned.version))
}

/// Returns whether the author made or last changed an outline node by hand. A change accepted in a question is not one.
async fn is_by_hand(room: &WritingResources, node: &str) -> Result<bool, Error> {
    let made = room.workspace.provenance(PieceKind::OutlineNode, node).await?;
    Ok(made.is_some_and(|made| made.provenance.agent == "person" && made.provenance.tool != QUESTIONS))
}

fn trouble(work: ChapterWork<'_>, code: TroubleCode, message: String) -> Command<WritingState> {
    let trouble = Trouble { node: PLAN_AHEAD.into(), code, message };
    let update = work.update.trouble(Some(trouble)).plan_attempt(0);
    Command::update(update).goto([ERROR_HANDLER])
}

/// Returns the next action for the present outline. `is_looked_at`: an earlier run has held the later plans against the
/// written text.
fn prepared(state: &WritingState, story: &Story, rules: &Config, is_looked_at: bool) -> Prepared {
    let written = NumberedBook::of(story).written().0.last().copied().unwrap_or_default();
    let is_due = written > 0 && written != state.plan_looked && !is_looked_at;
    let look = |to: Option<u32>| {
        let shown = if is_due { material::later(story, rules, &state.plan_seen) } else { None };
        shown.map(|shown| Prepared::Later { shown: Box::new(shown), to })
    };
    if !matches!(state.task, WritingTask::Plan { .. }) && state.plan_wanted.is_none() {
        let last = state.accepted.last().map_or(0, |chapter| chapter.chapter);
        return look(None).unwrap_or(Prepared::Looked { written: written.max(last) });
    }
    let target = match (&state.task, state.plan_wanted) {
        (WritingTask::Plan { until }, _) => *until,
        (_, Some(number)) => PlanTarget::Chapter { number },
        (_, None) => PlanTarget::Next,
    };
    let levels = Levels::of(story);
    let known = levels.as_ref().map_or(0, |levels| levels.length);
    let said = book_length(&story.premise, story.language).chapters.unwrap_or_default();
    let wanted = match target {
        PlanTarget::Chapter { number } => number,
        PlanTarget::Next | PlanTarget::Arc { .. } => 0,
    };
    let length = known.max(if levels.is_none() { said } else { 0 }).max(wanted).min(LENGTH_MOST);
    let trouble = |code, message: String| Prepared::Trouble { code, message };
    if length == 0 {
        return trouble(TroubleCode::NoLength, String::new());
    }
    let request = LevelRequest {
        requirement: &story.premise,
        length,
        preferences: &state.preferences,
        rules: rules.clone(),
        feedback: String::new(),
    };
    let ask = |step: LevelStep, to| {
        let shown = Box::new(material::context(story, &step, &request).shown);
        Prepared::Ask { step, shown, to }
    };
    if let Some(step) = next_level(story, length) {
        return ask(step, None);
    }
    if levels.is_none() {
        // The outline is short and complete: no planned length says how many chapters follow.
        return trouble(TroubleCode::NoLength, String::new());
    }
    let done = || match state.plan_wanted {
        Some(number) if NumberedBook::of(story).node(number).is_none() => {
            trouble(TroubleCode::UnknownChapter, number.to_string())
        }
        _ => Prepared::Done { summary: summary(story).unwrap_or_default() },
    };
    let Some(to) = state.plan_to.or_else(|| last_chapter(story, target)) else {
        return match target {
            PlanTarget::Arc { number } => trouble(TroubleCode::UnknownArc, number.to_string()),
            PlanTarget::Next | PlanTarget::Chapter { .. } => look(None).unwrap_or_else(done),
        };
    };
    // Before anything is planned from the written text, the later plans are held against it.
    if let Some(later) = look(Some(to)) {
        return later;
    }
    match next_chapters(story, to) {
        Some(step) => ask(step, Some(to)),
        None => done(),
    }
}

fn provenance(state: &WritingState, step: &LevelStep, record: &CallRecord) -> Provenance {
    Provenance {
        agent: Agent::Outline.name().into(),
        tool: PLAN_AHEAD.into(),
        run: Some(state.run_id.clone()).filter(|run| !run.is_empty()),
        prompt_hash: Some(record.prompt_hash.clone()),
        model: Some(record.model.clone()),
        tokens: record.tokens(),
        note: step.name(),
    }
}
