//! `qingyu analyze`, `review` and `stats`.

use std::path::Path;

use qingyu_studio::{PlatformChoice, ReviewOptions, Studio};

use super::read_bounded;
use crate::args::{Analyze, Aspect, Review, Stats};
use crate::error::{Error, Exit};
use crate::render::{figures, review, statistics};
use crate::screen::Screen;

pub(super) async fn analyze(studio: &Studio, screen: &Screen, arguments: Analyze) -> Result<Exit, Error> {
    let Analyze { subject, chapter, aspect } = arguments;
    let analysed = match file(&subject, chapter.as_deref())? {
        Some((name, text)) => studio.examiner()?.analyze(&name, &text),
        None => studio.analyze(&subject, chapter.as_deref()).await?,
    };
    let all = [Aspect::Style, Aspect::Emotion, Aspect::Pace, Aspect::Quality];
    let aspects = if aspect.is_empty() { all.to_vec() } else { aspect };
    screen.show(&analysed, |page| figures::analysed(page, &analysed, &aspects)).map(|()| Exit::Done)
}

pub(super) async fn review(studio: &Studio, screen: &Screen, arguments: Review) -> Result<Exit, Error> {
    let Review { subject, chapter, level, platform, against } = arguments;
    let platform = match platform {
        None => PlatformChoice::General,
        Some(name) if name.ends_with(".toml") => PlatformChoice::Rules(text(Path::new(&name))?),
        Some(name) => PlatformChoice::Named(name),
    };
    let read = |path: std::path::PathBuf| Ok::<_, Error>((path.display().to_string(), text(&path)?));
    let against = against.into_iter().map(read).collect::<Result<_, _>>()?;
    let level = level.map(Into::into);
    let options = ReviewOptions { level, platform, against, language: screen.texts().language() };
    let reviews = match file(&subject, chapter.as_deref())? {
        Some((name, text)) => studio.examiner()?.review(&name, &text, &options)?,
        None => studio.review(&subject, chapter.as_deref(), &options).await?,
    };
    screen.show(&reviews, |page| review::reviews(page, &reviews))?;
    Ok(if reviews.must_be_mended() { Exit::Findings } else { Exit::Done })
}

pub(super) async fn stats(studio: &Studio, screen: &Screen, arguments: &Stats) -> Result<Exit, Error> {
    let statistics = studio.statistics(&arguments.project).await?;
    screen.show(&statistics, |page| statistics::statistics(page, &statistics)).map(|()| Exit::Done)
}

/// The name and text of the file that `subject` means. What names a chapter, or no file that is there, means a project.
fn file(subject: &str, chapter: Option<&str>) -> Result<Option<(String, String)>, Error> {
    let path = Path::new(subject);
    if chapter.is_some() || !(subject == "-" || path.is_file()) {
        return Ok(None);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Some((name, text(path)?)))
}

fn text(path: &Path) -> Result<String, Error> {
    let text = String::from_utf8(read_bounded(path)?).map_err(|_| Error::NotText { path: path.to_path_buf() })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
