//! The commands for a project's story: `check`, `waive`, `ask-facts`, `impact`, `import-story`, `export-story`, `log`
//! and `undo`.

use std::path::Path;

use qingyu_studio::operations as op;
use qingyu_studio::story::Severity;
use qingyu_studio::story::truth::Question;
use qingyu_studio::{StoryCheck, read_story};

use super::texts::read_bounded;
use crate::args::{AskFacts, CheckArgs, ExportStory, ImpactArgs, ImportStory, LogArgs, UndoArgs, WaiveArgs};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::story;
use crate::screen::Screen;

pub(super) async fn check(desk: &Desk, screen: &Screen, arguments: &CheckArgs) -> Result<Exit, Error> {
    let CheckArgs { project, rule, fix, sarif: as_sarif } = arguments;
    let file = Path::new(project);
    let is_file = file.extension().is_some_and(|extension| extension == "json");
    if *fix {
        if is_file {
            return Err(Error::FixOfFile { path: file.to_path_buf() });
        }
        let mended = desk.call(op::MendStory { project: project.clone(), only: rule.clone() }).await?;
        screen.show(&mended, |page| {
            page.set_project(project);
            story::mended(page, &mended);
        })?;
        return Ok(exit(&mended.checkup));
    }
    let (checkup, unknown) = if is_file {
        let read = read_story(&read_bounded(file)?)?;
        (desk.call(op::CheckFile { story: read.story, only: rule.clone() }).await?, read.unknown)
    } else {
        (desk.call(op::CheckStory { project: project.clone(), only: rule.clone() }).await?, Vec::new())
    };
    match *as_sarif {
        true => screen.print_json(&checkup.sarif())?,
        false => screen.show(&checkup, |page| {
            if !is_file {
                page.set_project(project);
            }
            story::unknown_fields(page, &unknown);
            story::checkup(page, &checkup);
        })?,
    }
    Ok(exit(&checkup))
}

fn exit(checkup: &StoryCheck) -> Exit {
    let must_be_mended = checkup
        .findings
        .iter()
        .any(|finding| finding.issue.waived.is_none() && finding.issue.severity >= Severity::High);
    if must_be_mended { Exit::Findings } else { Exit::Done }
}

pub(super) async fn waive(desk: &Desk, screen: &Screen, arguments: &WaiveArgs) -> Result<Exit, Error> {
    let WaiveArgs { project, finding, reason, owner, until } = arguments;
    let checkup = desk
        .call(op::WaiveFinding {
            project: project.clone(),
            finding: finding.clone(),
            reason: reason.clone(),
            owner: owner.clone(),
            until: until.clone(),
        })
        .await?;
    screen.show(&checkup, |page| story::waived(page, finding, &checkup)).map(|()| Exit::Done)
}

pub(super) async fn ask_facts(desk: &Desk, screen: &Screen, arguments: AskFacts) -> Result<Exit, Error> {
    let AskFacts { project, about, predicate, as_of } = arguments;
    let answers = desk.call(op::AskFacts { project, question: Question { about, predicate, as_of } }).await?;
    screen.show(&answers, |page| story::facts(page, &answers)).map(|()| Exit::Done)
}

pub(super) async fn impact(desk: &Desk, screen: &Screen, arguments: &ImpactArgs) -> Result<Exit, Error> {
    let touched = desk
        .call(op::ReadImpact {
            project: arguments.project.clone(),
            piece: arguments.piece.clone(),
            limit: arguments.steps,
        })
        .await?;
    screen.show(&touched, |page| story::impact(page, &touched)).map(|()| Exit::Done)
}

pub(super) async fn import(desk: &Desk, screen: &Screen, arguments: ImportStory) -> Result<Exit, Error> {
    let file = read_story(&read_bounded(&arguments.file)?)?;
    // A story without a premise takes the file's name as its title.
    let stem = arguments.file.file_stem().filter(|stem| *stem != "-" && file.story.premise.trim().is_empty());
    let title = arguments.title.or_else(|| stem.map(|stem| stem.to_string_lossy().into_owned()));
    let imported = desk.call(op::ImportStory { file, title }).await?;
    screen.show(&imported, |page| story::imported(page, &imported)).map(|()| Exit::Done)
}

pub(super) async fn export(desk: &Desk, screen: &Screen, arguments: &ExportStory) -> Result<Exit, Error> {
    screen
        .print_json(&desk.call(op::ReadStory { project: arguments.project.clone(), change: arguments.at }).await?)
        .map(|()| Exit::Done)
}

pub(super) async fn log(desk: &Desk, screen: &Screen, arguments: &LogArgs) -> Result<Exit, Error> {
    let rows = desk.call(op::ListChanges { project: arguments.project.clone() }).await?;
    screen.show(&rows, |page| story::changes(page, &rows)).map(|()| Exit::Done)
}

pub(super) async fn undo(desk: &Desk, screen: &Screen, arguments: &UndoArgs) -> Result<Exit, Error> {
    let row = desk.call(op::UndoChange { project: arguments.project.clone(), change: arguments.change }).await?;
    screen.show(&row, |page| story::changes(page, std::slice::from_ref(&row))).map(|()| Exit::Done)
}
