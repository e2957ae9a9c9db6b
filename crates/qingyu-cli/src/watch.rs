//! Following a run to its end, asking the person at the terminal where it asks one.

mod ask;

pub(crate) use ask::run_editor;

use qingyu_studio::operations::{ResumeRequest, Start};
use qingyu_studio::{HumanAnswer, Outcome, Question, RunHandle, RunStatus};

use crate::args::Watch;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::progress::Narrator;
use crate::render::ending::{self, Circumstances};
use crate::render::failure::Worded;
use crate::screen::Screen;
use crate::signals::Signals;

/// Follows `handle` until the run is done, waits for somebody who is not here, failed or was stopped.
pub(crate) async fn follow(screen: &Screen, desk: &Desk, handle: RunHandle, watch: &Watch) -> Result<Exit, Error> {
    let (outcome, narrator, exit) = outcome(screen, desk, handle, watch).await?;
    end(screen, &narrator, &outcome, watch)?;
    Ok(exit)
}

/// Does the same, and leaves it to others to tell what the run came to.
pub(crate) async fn outcome<'s>(
    screen: &'s Screen,
    desk: &Desk,
    handle: RunHandle,
    watch: &Watch,
) -> Result<(Outcome, Narrator<'s>, Exit), Error> {
    narrated(screen, desk, handle, watch, || Narrator::new(screen, watch)).await
}

/// Does the same for a turn of a conversation, which does not begin as a run does.
pub(crate) async fn turn<'s>(
    screen: &'s Screen,
    desk: &Desk,
    handle: RunHandle,
    watch: &Watch,
) -> Result<(Outcome, Narrator<'s>), Error> {
    let narrator = || Narrator::new(screen, watch).within_talk();
    let (outcome, narrator, _) = narrated(screen, desk, handle, watch, narrator).await?;
    Ok((outcome, narrator))
}

async fn narrated<'s>(
    screen: &'s Screen,
    desk: &Desk,
    mut handle: RunHandle,
    watch: &Watch,
    narrator: impl Fn() -> Narrator<'s>,
) -> Result<(Outcome, Narrator<'s>, Exit), Error> {
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
                Question::Directions(offered) => ask::choose(screen, &mut signals, offered).await,
                Question::HumanReview(review) => {
                    ask::answer(screen, &mut signals, &outcome, review, desk.home()).await?
                }
                Question::Chapters(questions) => ask::decide(screen, &mut signals, questions).await,
                Question::Writes(request) => ask::agree(screen, &mut signals, request).await,
                // What is to be done next is asked by the conversation.
                Question::Turn { .. } => ask::Decision::Later,
            };
            match decided {
                ask::Decision::Answer(answer) => {
                    handle = desk.start(resumed(&outcome, Some(answer), toml::Table::new())).await?;
                    continue;
                }
                ask::Decision::Later => {}
                ask::Decision::Stop => {
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

/// Tells every event of the run. The first signal stops the run, the second one this process.
async fn tell_all(
    narrator: &mut Narrator<'_>,
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

/// Tells what the run came to: failures on standard error, the rest on standard output.
fn end(screen: &Screen, narrator: &Narrator<'_>, outcome: &Outcome, watch: &Watch) -> Result<(), Error> {
    if screen.json() {
        return screen.print_json(&outcome.document());
    }
    failures(screen, outcome);
    if watch.events {
        return Ok(());
    }
    let around = Circumstances { data_folder: &narrator.data_folder, elapsed: narrator.elapsed() };
    let mut page = screen.page();
    ending::ending(&mut page, outcome, &around);
    screen.print(&page.finish())
}

/// Tells on standard error what failed.
pub(crate) fn failures(screen: &Screen, outcome: &Outcome) {
    for failure in &outcome.errors {
        let mut failure = failure.clone();
        for (name, id) in [("project", &outcome.project), ("run", &outcome.run)] {
            failure.data.entry(name.to_owned()).or_insert_with(|| id.as_str().into());
        }
        let mut page = screen.page();
        Worded::of(screen.texts(), &failure).draw(&mut page);
        screen.note(&page.finish());
    }
}

/// What the answers of `resume` mean.
pub(crate) fn edited(text: &str) -> Result<HumanAnswer, qingyu_studio::Error> {
    serde_json::from_str(text).map(|material| HumanAnswer::Edit { material }).map_err(|error| {
        qingyu_studio::Error::BadMaterial {
            path: format!("{}:{}", error.line(), error.column()),
            message: error.to_string(),
        }
    })
}

/// A run that goes on.
fn resumed(outcome: &Outcome, answer: Option<HumanAnswer>, overrides: toml::Table) -> Start {
    let question = answer.as_ref().and(outcome.question_id.clone());
    Start::Resume(ResumeRequest { run: outcome.run.clone(), answer, question, overrides })
}
