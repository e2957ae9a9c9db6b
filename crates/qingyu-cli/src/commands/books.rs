//! `qingyu import`, `export`, `diff`, `restore` and `branch`.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use qingyu_studio::formats::write::Sink;
use qingyu_studio::formats::{Form, Layout, Limits, file_name};
use qingyu_studio::story::Language;
use qingyu_studio::{ExportRequest, ImportRequest, ManuscriptRole, Side, Studio};

use crate::args::{
    BookCommand, Branch, BranchAction, BranchSide, Diff, Export, ExportFormat, Import, ImportRole, Platform, Restore,
};
use crate::error::{Error, Exit};
use crate::render::books as draw;
use crate::screen::Screen;

/// Work that takes longer than this shows how far it is.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) async fn run(studio: &Studio, screen: &Screen, command: BookCommand) -> Result<Exit, Error> {
    match command {
        BookCommand::Import(arguments) => import(studio, screen, arguments).await,
        BookCommand::Export(arguments) => export(studio, screen, arguments).await,
        BookCommand::Diff(Diff { project, chapter, from, to }) => {
            let compared = studio.compare(&project, chapter.as_deref(), from, to).await?;
            screen.show(&compared, |page| draw::differences(page, &compared)).map(|()| Exit::Done)
        }
        BookCommand::Restore(Restore { project, chapter, number }) => {
            let restored = studio.restore(&project, &chapter, number).await?;
            screen.show(&restored, |page| draw::restored(page, &restored)).map(|()| Exit::Done)
        }
        BookCommand::Branch(arguments) => branch(studio, screen, arguments).await,
    }
}

async fn import(studio: &Studio, screen: &Screen, arguments: Import) -> Result<Exit, Error> {
    let Import { file, role, project, title, lang, encoding, cut, replace, dry_run } = arguments;
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let request = ImportRequest {
        name,
        bytes: contents(&file)?.into(),
        role: match role {
            ImportRole::Book => ManuscriptRole::Book,
            ImportRole::Reference => ManuscriptRole::Reference,
        },
        project,
        title,
        language: lang.map(Language::from),
        encoding,
        cut,
        replace,
        dry_run,
    };
    let brought = patiently(screen, "import-working", studio.import_manuscript(request)).await?;
    screen.show(&brought, |page| draw::brought(page, &brought)).map(|()| Exit::Done)
}

/// The file, or as much of it as is enough to see that it is too large.
fn contents(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(Limits::default().file + 1).read_to_end(&mut bytes));
    read.map_err(|error| Error::Unreadable { path: path.to_path_buf(), message: error.to_string() })?;
    Ok(bytes)
}

/// Waits for work, and shows that it goes on if it takes its time.
async fn patiently<T>(screen: &Screen, key: &str, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        done = &mut work => return done,
        () = tokio::time::sleep(PATIENCE) => {}
    }
    let spinner = ProgressBar::with_draw_target(None, target(screen));
    spinner.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("the template is constant"));
    spinner.set_message(screen.texts().get(key));
    spinner.enable_steady_tick(Duration::from_millis(120));
    let done = work.await;
    spinner.finish_and_clear();
    done
}

fn target(screen: &Screen) -> ProgressDrawTarget {
    let is_seen = !screen.json() && std::io::stderr().is_terminal();
    if is_seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}

async fn export(studio: &Studio, screen: &Screen, arguments: Export) -> Result<Exit, Error> {
    let Export { project, format, output, platform, chapters, author, force } = arguments;
    let format = chosen(format, output.as_deref(), platform)?;
    let language = studio.project(&project).await?.language;
    let request =
        ExportRequest { form: form(format, platform, language), chapters: range(chapters.as_deref())?, author };
    let ready = studio.book(&project, &request).await?;
    let path = output.unwrap_or_else(|| PathBuf::from(format!("{}.{}", file_name(&ready.book.title), ending(format))));
    if !force && path.exists() {
        return Err(Error::FileExists { path });
    }
    let bar = ProgressBar::with_draw_target(Some(ready.chapters() as u64), ProgressDrawTarget::hidden());
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len}").expect("the template is constant"));
    let since = Instant::now();
    let tell = |done: usize| {
        if bar.is_hidden() && since.elapsed() > PATIENCE {
            bar.set_draw_target(target(screen));
        }
        bar.set_position(done as u64);
    };
    let exported = put_whole(&path, force, |sink| Ok(ready.write(sink, tell)?));
    bar.finish_and_clear();
    let exported = exported?;
    let shown = draw::Written { path: path.display().to_string(), exported };
    screen.show(&shown, |page| draw::written(page, &shown)).map(|()| Exit::Done)
}

/// Writes a file beside its place and puts it there when it is whole; otherwise there is none.
pub(super) fn put_whole<T>(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Sink) -> Result<T, Error>,
) -> Result<T, Error> {
    let failed = |message: String| Error::Unwritable { path: path.to_path_buf(), message };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = builder().tempfile_in(folder).map_err(|error| failed(error.to_string()))?;
    let mut buffer = BufWriter::new(file);
    let written = write(&mut buffer).map_err(|error| match error {
        Error::Studio(qingyu_studio::Error::Unwritten { message }) => failed(message),
        other => other,
    })?;
    let file = buffer.into_inner().map_err(|error| failed(error.to_string()))?;
    file.as_file().sync_all().map_err(|error| failed(error.to_string()))?;
    let put = if force { file.persist(path) } else { file.persist_noclobber(path) };
    match put {
        Ok(_) => Ok(written),
        Err(refused) if refused.error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(Error::FileExists { path: path.to_path_buf() })
        }
        Err(refused) => Err(failed(refused.error.to_string())),
    }
}

/// Files that others may read as they may read what the user makes otherwise.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".qingyu-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

fn chosen(
    format: Option<ExportFormat>,
    output: Option<&Path>,
    platform: Option<Platform>,
) -> Result<ExportFormat, Error> {
    let told = output.and_then(Path::extension).and_then(|ending| match ending.to_str()? {
        "md" | "markdown" => Some(ExportFormat::Md),
        "txt" => Some(ExportFormat::Txt),
        "epub" => Some(ExportFormat::Epub),
        "docx" => Some(ExportFormat::Docx),
        _ => None,
    });
    let platform = platform.map(|_| ExportFormat::Txt);
    match (format.or(told), platform) {
        (Some(format), Some(text)) if format != text => Err(Error::PlatformOfText),
        (format, platform) => Ok(format.or(platform).unwrap_or(ExportFormat::Md)),
    }
}

fn form(format: ExportFormat, platform: Option<Platform>, language: Language) -> Form {
    match (format, platform) {
        (ExportFormat::Md, _) => Form::Markdown,
        (ExportFormat::Epub, _) => Form::Epub,
        (ExportFormat::Docx, _) => Form::Docx,
        (ExportFormat::Txt, None) => Form::Txt(Layout::plain(language)),
        (ExportFormat::Txt, Some(Platform::Qidian)) => Form::Txt(Layout::qidian()),
        (ExportFormat::Txt, Some(Platform::Fanqie)) => Form::Txt(Layout::fanqie()),
    }
}

fn ending(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Md => "md",
        ExportFormat::Txt => "txt",
        ExportFormat::Epub => "epub",
        ExportFormat::Docx => "docx",
    }
}

/// `1-12`, `7`, `5-` or `-3`, counted from 1.
fn range(given: Option<&str>) -> Result<Option<RangeInclusive<usize>>, Error> {
    let Some(given) = given else { return Ok(None) };
    let bad = || Error::BadRange { given: given.into() };
    let number = |text: &str, open: usize| match text.trim() {
        "" => Ok(open),
        text => text.parse().map_err(|_| bad()),
    };
    let (first, last) = match given.split_once('-') {
        Some((first, last)) if !(first.trim().is_empty() && last.trim().is_empty()) => {
            (number(first, 1)?, number(last, usize::MAX)?)
        }
        Some(_) => return Err(bad()),
        None => {
            let only = given.trim().parse().map_err(|_| bad())?;
            (only, only)
        }
    };
    if first == 0 || first > last { Err(bad()) } else { Ok(Some(first..=last)) }
}

async fn branch(studio: &Studio, screen: &Screen, arguments: Branch) -> Result<Exit, Error> {
    let Branch { project, action, name, at, take, unasked } = arguments;
    if action == BranchAction::List {
        let rows = studio.branches(&project).await?;
        return screen.show(&rows, |page| draw::branches(page, &rows)).map(|()| Exit::Done);
    }
    let name = name.ok_or(Error::NoBranchName)?;
    match action {
        BranchAction::Create => {
            let row = studio.begin_branch(&project, &name, at).await?;
            screen.show(&row, |page| draw::branch_begun(page, &row))?;
        }
        BranchAction::Compare => {
            let compared = studio.compare_branch(&project, &name).await?;
            screen.show(&compared, |page| draw::branch_compared(page, &compared))?;
        }
        BranchAction::Merge => {
            let right = take.map(|side| match side {
                BranchSide::Project => Side::Project,
                BranchSide::Branch => Side::Branch,
            });
            let merged = studio.merge_branch(&project, &name, right).await?;
            screen.show(&merged, |page| draw::merged(page, &merged))?;
        }
        BranchAction::Delete if !unasked => return Err(Error::BranchUnconfirmed { name }),
        BranchAction::Delete | BranchAction::List => {
            let row = studio.delete_branch(&project, &name).await?;
            screen.show(&row, |page| draw::branch_deleted(page, &row))?;
        }
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let of = |given| range(Some(given)).ok().flatten().map(|range| (*range.start(), *range.end()));
        assert_eq!(of("1-12"), Some((1, 12)));
        assert_eq!(of("7"), Some((7, 7)));
        assert_eq!(of("5-"), Some((5, usize::MAX)));
        assert_eq!(of("-3"), Some((1, 3)));
        for bad in ["", "-", "0", "0-3", "5-2", "a", "1-2-3"] {
            assert!(range(Some(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_full_disk_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.txt");
        let full = |sink: &mut dyn Sink| -> Result<(), Error> {
            sink.write_all(&[b'x'; 100_000]).unwrap();
            Err(qingyu_studio::Error::Unwritten { message: "no space left".into() }.into())
        };
        let failed = put_whole(&path, false, full);
        assert!(matches!(failed, Err(Error::Unwritable { message, .. }) if message == "no space left"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        // What is there stays as it is, even if it came while the book was written.
        let late = |sink: &mut dyn Sink| {
            std::fs::write(&path, "mine").unwrap();
            sink.write_all(b"yours").unwrap();
            Ok(())
        };
        assert!(matches!(put_whole(&path, false, late), Err(Error::FileExists { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        let other = |sink: &mut dyn Sink| {
            sink.write_all(b"yours").unwrap();
            Ok(())
        };
        put_whole(&path, true, other).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "yours");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
