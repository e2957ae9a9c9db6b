//! Following a run to its end, with questions asked at the terminal.

mod ask;
mod editor;

pub(crate) use editor::{edited, run_editor};

use qingyu_studio::operations::{self as op, ResumeRequest, StartRequest};
use qingyu_studio::story::Levels;
use qingyu_studio::{Outcome, RunAnswer, RunHandle, RunQuestion, RunStatus};

use crate::args::WatchArgs;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::progress::RunReporter;
use crate::render::ending::{self, EndingContext};
use crate::render::failure::FailureText;
use crate::screen::Screen;
use crate::signals::Signals;

/// Follows `handle` until the run is done, fails, is stopped, or waits for an absent person.
pub(crate) async fn follow(screen: &Screen, desk: &Desk, handle: RunHandle, watch: &WatchArgs) -> Result<Exit, Error> {
    let (outcome, narrator, exit) = outcome(screen, desk, handle, watch).await?;
    // The other outputs have no next steps, for which the story would be fetched.
    let has_next_steps = !screen.json() && !watch.events;
    let is_complete = has_next_steps && is_complete(desk, &outcome).await;
    end(screen, &narrator, &outcome, watch, is_complete)?;
    Ok(exit)
}

/// Does the same and returns the outcome for the caller to report.
pub(crate) async fn outcome<'s>(
    screen: &'s Screen,
    desk: &Desk,
    handle: RunHandle,
    watch: &WatchArgs,
) -> Result<(Outcome, RunReporter<'s>, Exit), Error> {
    narrated(screen, desk, handle, watch, || RunReporter::new(screen, watch)).await
}

/// Does the same for a turn of a conversation, which starts without the announcement of a run.
pub(crate) async fn turn<'s>(
    screen: &'s Screen,
    desk: &Desk,
    handle: RunHandle,
    watch: &WatchArgs,
) -> Result<(Outcome, RunReporter<'s>), Error> {
    let narrator = || RunReporter::new(screen, watch).within_talk();
    let (outcome, narrator, _) = narrated(screen, desk, handle, watch, narrator).await?;
    Ok((outcome, narrator))
}

async fn narrated<'s>(
    screen: &'s Screen,
    desk: &Desk,
    mut handle: RunHandle,
    watch: &WatchArgs,
    narrator: impl Fn() -> RunReporter<'s>,
) -> Result<(Outcome, RunReporter<'s>, Exit), Error> {
    let mut signals = Signals::listen().map_err(Error::Signals)?;
    let may_ask = screen.can_ask() && !watch.yes && !watch.events;
    loop {
        let mut narrator = narrator();
        tell_all(&mut narrator, desk, &mut handle, &mut signals).await?;
        narrator.pause();
        let outcome = handle.finish().await;
        let asked = outcome.status == RunStatus::Waiting && may_ask;
        if let (true, Some(question)) = (asked, &outcome.question) {
            let decided = match question {
                RunQuestion::Directions(offered) => ask::choose(screen, &mut signals, offered).await,
                RunQuestion::HumanReview(review) => {
                    ask::answer(screen, &mut signals, &outcome, review, desk.home()).await?
                }
                RunQuestion::Chapters(questions) => ask::decide(screen, &mut signals, questions).await,
                RunQuestion::Writes(request) => ask::agree(screen, &mut signals, request).await,
                RunQuestion::Agents(request) => ask::assign(screen, &mut signals, request).await,
                // The conversation asks for the next step; at a breakpoint the person looks around first.
                RunQuestion::Turn { .. } | RunQuestion::Breakpoint { .. } => ask::PromptOutcome::Later,
            };
            match decided {
                ask::PromptOutcome::Answer(answer) => {
                    handle = desk.start(resumed(&outcome, Some(answer), toml::Table::new())).await?;
                    continue;
                }
                ask::PromptOutcome::Later => {}
                ask::PromptOutcome::Stop => {
                    return Ok((outcome, narrator, Exit::Interrupted));
                }
            }
        }
        let over_budget = outcome.errors.iter().rfind(|failure| failure.code == "budget");
        if let Some(failure) = over_budget.filter(|_| may_ask && outcome.status == RunStatus::Failed)
            && let Some(raised) = ask::raise(screen, &mut signals, failure).await?
        {
            handle = desk.start(resumed(&outcome, None, raised)).await?;
            continue;
        }
        let exit = outcome.status.into();
        return Ok((outcome, narrator, exit));
    }
}

/// Reports every event of the run. The first signal stops the run, the second signal ends the process.
async fn tell_all(
    narrator: &mut RunReporter<'_>,
    desk: &Desk,
    handle: &mut RunHandle,
    signals: &mut Signals,
) -> Result<(), Error> {
    let mut stopping = false;
    loop {
        tokio::select! {
            event = handle.next() => match event {
                Some(event) => {
                    narrator.estimate(desk, &event).await;
                    narrator.tell(&event)?;
                }
                None => return Ok(()),
            },
            () = signals.next() => {
                if stopping {
                    narrator.pause();
                    std::process::exit(Exit::Interrupted as i32);
                }
                stopping = true;
                narrator.remark("stopping");
                handle.cancel();
            }
        }
    }
}

/// Returns whether the run wrote chapters of a book that has no chapter left to write.
async fn is_complete(desk: &Desk, outcome: &Outcome) -> bool {
    if outcome.status != RunStatus::Done || outcome.book_made().is_none() {
        return false;
    }
    let project = &outcome.project;
    let Ok(listed) = desk.call(op::ListChapters { project: project.clone() }).await else { return false };
    if listed.chapters.is_empty() || listed.chapters.iter().any(|chapter| chapter.documents.is_empty()) {
        return false;
    }
    let Ok(story) = desk.call(op::ReadStory { project: project.clone(), change: None }).await else { return false };
    let planned = Levels::of(&story).map_or(0, |levels| levels.length);
    listed.chapters.len() >= usize::try_from(planned).unwrap_or(usize::MAX)
}

/// Reports the outcome of the run: failures on standard error, the rest on standard output.
fn end(
    screen: &Screen,
    narrator: &RunReporter<'_>,
    outcome: &Outcome,
    watch: &WatchArgs,
    is_complete: bool,
) -> Result<(), Error> {
    if screen.json() {
        return screen.print_json(&outcome.document());
    }
    failures(screen, outcome);
    if watch.events {
        return Ok(());
    }
    let (data_folder, elapsed) = (&narrator.data_folder, narrator.elapsed());
    let around = EndingContext { data_folder, elapsed, is_complete };
    let mut page = screen.page();
    ending::ending(&mut page, outcome, &around);
    screen.print(&page.finish())
}

/// Reports failures on standard error.
pub(crate) fn failures(screen: &Screen, outcome: &Outcome) {
    for failure in &outcome.errors {
        let mut failure = failure.clone();
        for (name, id) in [("project", &outcome.project), ("run", &outcome.run)] {
            failure.data.entry(name.to_owned()).or_insert_with(|| id.as_str().into());
        }
        screen.note_page(|page| FailureText::of(screen.texts(), &failure).draw(page));
    }
}

/// Returns the request to resume a run.
fn resumed(outcome: &Outcome, answer: Option<RunAnswer>, overrides: toml::Table) -> StartRequest {
    let question = answer.as_ref().and(outcome.question_id.clone());
    StartRequest::Resume(ResumeRequest { run: outcome.run.clone(), answer, question, overrides })
}
