//! The commands `qingyu analyze`, `review` and `stats`.

use std::path::Path;

use clap::ValueEnum;
use qingyu_studio::agents::service::Given;
use qingyu_studio::operations as op;
use qingyu_studio::{PlatformChoice, ReviewOptions};
use serde_json::Value;

use super::judging::{self, JudgementRequest};
use super::texts::{text_of, told_text};
use crate::args::{AnalyzeArgs, Aspect, JudgeArgs, ReviewArgs, StatsArgs};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::page::TextPage;
use crate::render::{figures, judgement, review, statistics};
use crate::screen::Screen;

pub(super) async fn analyze(desk: &Desk, screen: &Screen, arguments: AnalyzeArgs) -> Result<Exit, Error> {
    let AnalyzeArgs { subject, chapter, aspect, judging } = arguments;
    may_judge(&judging, &subject, chapter.as_deref())?;
    let analysed = match file(screen, &subject, chapter.as_deref())? {
        Some((name, text)) => desk.call(op::AnalyzeText { title: name, text }).await?,
        None => desk.call(op::AnalyzeProject { project: subject.clone(), chapter }).await?,
    };
    let all = [Aspect::Style, Aspect::Emotion, Aspect::Pace, Aspect::Quality];
    let aspects = if aspect.is_empty() { all.to_vec() } else { aspect };
    let draw = |page: &mut TextPage<'_>| figures::analysed(page, &analysed, &aspects);
    if !judging.judge {
        return screen.show(&analysed, draw).map(|()| Exit::Done);
    }
    let names = aspects.iter().filter_map(|aspect| Some(aspect.to_possible_value()?.get_name().to_owned()));
    let context = Given { aspects: names.collect(), ..Given::default() };
    let chapter = analysed.document.clone();
    let wanted = JudgementRequest { agent: "analysis", described: "task-analyze", project: subject, chapter, context };
    let judged = judging::judged(desk, screen, wanted, &judging).await?;
    judged.show(screen, &analysed, draw, judgement::analysis, &judging)?;
    Ok(judged.exit)
}

pub(super) async fn review(desk: &Desk, screen: &Screen, arguments: ReviewArgs) -> Result<Exit, Error> {
    let ReviewArgs { subject, chapter, level, platform, against, judging } = arguments;
    may_judge(&judging, &subject, chapter.as_deref())?;
    let platform = match platform {
        None => PlatformChoice::General,
        Some(name) if name.ends_with(".toml") => PlatformChoice::Rules(text_of(Path::new(&name))?),
        Some(name) => PlatformChoice::Named(name),
    };
    let named = match &platform {
        PlatformChoice::Named(name) => Some(name.clone()),
        PlatformChoice::General | PlatformChoice::Rules(_) => None,
    };
    let read = |path: std::path::PathBuf| Ok::<_, Error>((path.display().to_string(), told_text(screen, &path)?));
    let against = against.into_iter().map(read).collect::<Result<_, _>>()?;
    let level = level.map(Into::into);
    let options = ReviewOptions { level, platform, against, language: screen.texts().language() };
    let reviews = match file(screen, &subject, chapter.as_deref())? {
        Some((name, text)) => desk.call(op::ReviewText { name, text, options }).await?,
        None => desk.call(op::ReviewProject { project: subject.clone(), chapter, options }).await?,
    };
    let exit = if reviews.must_be_mended() { Exit::Findings } else { Exit::Done };
    let draw = |page: &mut TextPage<'_>| review::reviews(page, &reviews);
    let (true, Some(reviewed)) = (judging.judge, reviews.reviews.first()) else {
        return screen.show(&reviews, draw).map(|()| exit);
    };
    // The level actually used is passed on, so that the agent and the computed review find the same words.
    let level = Some(reviewed.review.level.name().to_owned());
    let platform = named.map(|name| ("platform".to_owned(), name.into()));
    let context = Given { level, more: platform.into_iter().collect(), ..Given::default() };
    let chapter = reviewed.document.clone();
    let wanted =
        JudgementRequest { agent: "text_review", described: "task-review", project: subject, chapter, context };
    let judged = judging::judged(desk, screen, wanted, &judging).await?;
    let draw_judgement = |page: &mut TextPage<'_>, data: &Value| judgement::review(page, &reviewed.review, data);
    judged.show(screen, &reviews, draw, draw_judgement, &judging)?;
    Ok(if judged.exit == Exit::Done { exit } else { judged.exit })
}

pub(super) async fn stats(desk: &Desk, screen: &Screen, arguments: &StatsArgs) -> Result<Exit, Error> {
    let statistics = desk.call(op::ReadStatistics { project: arguments.project.clone() }).await?;
    screen.show(&statistics, |page| statistics::statistics(page, &statistics)).map(|()| Exit::Done)
}

/// Fails if a judgement is requested without a chapter: a run belongs to a project, and a prompt fits about a chapter.
fn may_judge(judging: &JudgeArgs, subject: &str, chapter: Option<&str>) -> Result<(), Error> {
    if judging.judge && chapter.is_none() {
        return Err(Error::NothingToJudge { subject: subject.to_owned() });
    }
    Ok(())
}

/// Returns the name and text of the file `subject`; `None` if a chapter is given or no such file exists, so that
/// `subject` is a project.
fn file(screen: &Screen, subject: &str, chapter: Option<&str>) -> Result<Option<(String, String)>, Error> {
    let path = Path::new(subject);
    if chapter.is_some() || !(subject == "-" || path.is_file()) {
        return Ok(None);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Some((name, told_text(screen, path)?)))
}
