//! The commands `qingyu import`, `export`, `diff`, `restore` and `branch`.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use qingyu_studio::formats::{FileLimits, Format, HeadingRule, file_name};
use qingyu_studio::operations as op;
use qingyu_studio::story::Language;
use qingyu_studio::story::chapters::ChapterName;
use qingyu_studio::{BookExportRequest, BookFile, BookForm, ImportRequest, ManuscriptFile, ManuscriptRole, MergeSide};
use tempfile::NamedTempFile;

use super::project_folders::ProjectFolder;
use super::waiting::spinner;
use crate::args::{
    BookCommand, BranchAction, BranchArgs, BranchSide, DiffArgs, ExportArgs, ExportFormat, ImportArgs, ImportRole,
    PlatformArg, RestoreArgs,
};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::books as draw;
use crate::screen::Screen;

/// The file name meaning standard output.
pub(super) const STANDARD_OUTPUT: &str = "-";
/// Delay before long work shows a spinner.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) async fn run(desk: &Desk, screen: &Screen, command: BookCommand) -> Result<Exit, Error> {
    match command {
        BookCommand::Import(arguments) => import(desk, screen, arguments).await,
        BookCommand::Export(arguments) => export(desk, screen, arguments).await,
        BookCommand::Diff(DiffArgs { project, chapter, from, to }) => {
            let compared = desk.call(op::CompareTexts { project, document: chapter, from, to }).await?;
            screen.show(&compared, |page| draw::differences(page, &compared)).map(|()| Exit::Done)
        }
        BookCommand::Restore(RestoreArgs { project, chapter, number }) => {
            let restored = desk.call(op::RestoreVersion { project, document: chapter, version: number }).await?;
            screen.show(&restored, |page| draw::restored(page, &restored)).map(|()| Exit::Done)
        }
        BookCommand::Branch(arguments) => branch(desk, screen, arguments).await,
    }
}

async fn import(desk: &Desk, screen: &Screen, arguments: ImportArgs) -> Result<Exit, Error> {
    let ImportArgs { files, role, project, title, lang, encoding, cut, heading, no_split, replace, dry_run } =
        arguments;
    let ManuscriptUpload { name, bytes, files } = manuscript(&files)?;
    let request = ImportRequest {
        name,
        bytes,
        files,
        role: match role {
            ImportRole::Book => ManuscriptRole::Book,
            ImportRole::Reference => ManuscriptRole::Reference,
        },
        project,
        title,
        language: lang.map(Language::from),
        encoding,
        cut,
        headings: match heading {
            Some(pattern) => HeadingRule::Pattern(pattern),
            None if no_split => HeadingRule::Off,
            None => HeadingRule::Learnt,
        },
        replace,
        dry_run,
    };
    let brought = patiently(screen, "import-working", desk.call(op::ImportManuscript { request })).await?;
    screen.show(&brought, |page| draw::brought(page, &brought)).map(|()| Exit::Done)
}

/// A manuscript to upload: a single file, or several files.
pub(super) struct ManuscriptUpload {
    pub(super) name: String,
    pub(super) bytes: Arc<[u8]>,
    pub(super) files: Vec<ManuscriptFile>,
}

/// Reads a file, several files, the project of a writing program, or the supported files of a folder.
pub(super) fn manuscript(paths: &[PathBuf]) -> Result<ManuscriptUpload, Error> {
    if let [path] = paths
        && let Some(project) = ProjectFolder::at(path)
    {
        return of_project(&project);
    }
    if let [path] = paths
        && !path.is_dir()
    {
        return Ok(ManuscriptUpload { name: named(path), bytes: contents(path)?.into(), files: Vec::new() });
    }
    let is_manuscript = |name: &str| Format::of_name(name).is_some();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            gather(path, path, &is_manuscript, &mut files)?;
        } else {
            files.push(ManuscriptFile { name: named(path), bytes: contents(path)?.into() });
        }
    }
    let first = paths.first().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()));
    let folder =
        first.map(|path| if path.is_dir() { named(&path) } else { path.parent().map(named).unwrap_or_default() });
    if files.is_empty() {
        let path = paths.first().cloned().unwrap_or_default();
        return Err(Error::NoManuscripts { path });
    }
    Ok(ManuscriptUpload { name: folder.unwrap_or_default(), bytes: Arc::from([]), files })
}

/// Returns the last part of a path; empty if there is none.
fn named(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Reads the files of a project that an import needs.
fn of_project(project: &ProjectFolder) -> Result<ManuscriptUpload, Error> {
    let mut files = Vec::new();
    gather(&project.path, &project.path, &|name: &str| project.needs(name), &mut files)?;
    let path = project.path.canonicalize().unwrap_or_else(|_| project.path.clone());
    let name = named(&path);
    let name = name.strip_suffix(".scriv").unwrap_or(&name).to_owned();
    Ok(ManuscriptUpload { name, bytes: Arc::from([]), files })
}

/// Appends the files of a folder and its subfolders to `files` if their names relative to `root` are wanted.
fn gather(
    root: &Path,
    folder: &Path,
    is_wanted: &dyn Fn(&str) -> bool,
    files: &mut Vec<ManuscriptFile>,
) -> Result<(), Error> {
    let unreadable = |path: &Path, error: &std::io::Error| Error::Unreadable {
        path: path.to_path_buf(),
        message: error.to_string(),
    };
    for entry in std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if is_hidden {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            gather(root, &path, is_wanted, files)?;
        } else if path.is_file() && is_wanted(&name) {
            files.push(ManuscriptFile { name, bytes: contents(&path)?.into() });
        }
    }
    Ok(())
}

/// Reads a file, stopping as soon as the size limit is exceeded.
pub(super) fn contents(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FileLimits::default().file + 1).read_to_end(&mut bytes));
    read.map_err(|error| Error::Unreadable { path: path.to_path_buf(), message: error.to_string() })?;
    Ok(bytes)
}

/// Awaits `work`, showing a spinner after a delay.
pub(super) async fn patiently<T>(screen: &Screen, key: &str, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        done = &mut work => return done,
        () = tokio::time::sleep(PATIENCE) => {}
    }
    let spinner = spinner(screen, key);
    let done = work.await;
    spinner.finish_and_clear();
    done
}

async fn export(desk: &Desk, screen: &Screen, arguments: ExportArgs) -> Result<Exit, Error> {
    let ExportArgs { project, format, output, platform, chapters, author, force } = arguments;
    let format = form(chosen(format, output.as_deref(), platform)?, platform);
    let request = BookExportRequest { format, chapters: chapters.map(ChapterName::from), author };
    let to_output = output.as_deref().is_some_and(|path| path == Path::new(STANDARD_OUTPUT));
    if let Some(path) = output.as_ref().filter(|path| !to_output && !force && path.exists()) {
        return Err(Error::FileExists { path: path.clone() });
    }
    let book = patiently(screen, "export-working", desk.call(op::ExportBook { project, request })).await?;
    let BookFile { exported, extension, bytes } = book;
    if to_output {
        return screen.print_bytes(&bytes).map(|()| Exit::Done);
    }
    let path = output.unwrap_or_else(|| PathBuf::from(format!("{}.{extension}", file_name(&exported.title))));
    put_whole(&path, force, &bytes)?;
    let shown = draw::ExportedFile { path: path.display().to_string(), exported };
    screen.show(&shown, |page| draw::written(page, &shown)).map(|()| Exit::Done)
}

/// Writes a file atomically, by renaming a temporary file in the same folder; on failure the target is unchanged.
pub(super) fn put_whole(path: &Path, force: bool, bytes: &[u8]) -> Result<(), Error> {
    put(path, force, |file| file.write_all(bytes).and_then(|()| file.as_file().sync_all()))
}

fn put(path: &Path, force: bool, write: impl FnOnce(&mut NamedTempFile) -> std::io::Result<()>) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::Unwritable { path: path.to_path_buf(), message: error.to_string() };
    if !force && path.symlink_metadata().is_ok() {
        return Err(Error::FileExists { path: path.to_path_buf() });
    }
    let path = &replaceable(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = builder().tempfile_in(folder).map_err(failed)?;
    write(&mut file).map_err(failed)?;
    let put = if force { file.persist(path) } else { file.persist_noclobber(path) };
    match put {
        Ok(_) => Ok(()),
        Err(refused) if refused.error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(Error::FileExists { path: path.to_path_buf() })
        }
        Err(refused) => Err(failed(refused.error)),
    }
}

/// Returns the file to replace, following symbolic links. Fails if the target is not a regular file or is not writable.
fn replaceable(path: &Path) -> Result<PathBuf, Error> {
    let failed = |error: std::io::Error| Error::Unwritable { path: path.to_path_buf(), message: error.to_string() };
    let found = match path.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(path.to_path_buf()),
        found => found.map_err(failed)?,
    };
    let target = if found.is_symlink() { path.canonicalize().map_err(failed)? } else { path.to_path_buf() };
    let found = target.metadata().map_err(failed)?;
    match found.is_file() && !found.permissions().readonly() {
        true => Ok(target),
        false => Err(Error::NotReplaceable { path: path.to_path_buf() }),
    }
}

/// Returns a builder of temporary files with the default permissions of new files instead of private ones.
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
    platform: Option<PlatformArg>,
) -> Result<ExportFormat, Error> {
    let told = output.and_then(Path::extension).and_then(|ending| match ending.to_str()? {
        "md" | "markdown" => Some(ExportFormat::Md),
        "txt" => Some(ExportFormat::Txt),
        "epub" => Some(ExportFormat::Epub),
        "docx" => Some(ExportFormat::Docx),
        _ => None,
    });
    let platform = platform.map(|platform| match platform {
        PlatformArg::Qidian | PlatformArg::Fanqie => ExportFormat::Txt,
        PlatformArg::Kdp => ExportFormat::Epub,
        PlatformArg::Manuscript => ExportFormat::Docx,
    });
    match (format.or(told), platform) {
        (Some(format), Some(wanted)) if format != wanted => Err(Error::PlatformFormat { wanted: wanted.extension() }),
        (format, platform) => Ok(format.or(platform).unwrap_or(ExportFormat::Md)),
    }
}

fn form(format: ExportFormat, platform: Option<PlatformArg>) -> BookForm {
    match (platform, format) {
        (Some(PlatformArg::Qidian), _) => BookForm::Qidian,
        (Some(PlatformArg::Fanqie), _) => BookForm::Fanqie,
        (Some(PlatformArg::Kdp), _) => BookForm::Kdp,
        (Some(PlatformArg::Manuscript), _) => BookForm::Manuscript,
        (None, ExportFormat::Md) => BookForm::Markdown,
        (None, ExportFormat::Txt) => BookForm::Txt,
        (None, ExportFormat::Epub) => BookForm::Epub,
        (None, ExportFormat::Docx) => BookForm::Docx,
    }
}

async fn branch(desk: &Desk, screen: &Screen, arguments: BranchArgs) -> Result<Exit, Error> {
    let BranchArgs { project, action, name, at, take, unasked } = arguments;
    if action == BranchAction::List {
        let rows = desk.call(op::ListBranches { project }).await?;
        return screen.show(&rows, |page| draw::branches(page, &rows)).map(|()| Exit::Done);
    }
    let Some(name) = name else { return Err(Error::NoBranchName { project }) };
    match action {
        BranchAction::Create => {
            let row = desk.call(op::BeginBranch { project, name, at }).await?;
            screen.show(&row, |page| draw::branch_begun(page, &row))?;
        }
        BranchAction::Compare => {
            let compared = desk.call(op::CompareBranch { project, name }).await?;
            screen.show(&compared, |page| draw::branch_compared(page, &compared))?;
        }
        BranchAction::Merge => {
            let right = take.map(|side| match side {
                BranchSide::Project => MergeSide::Project,
                BranchSide::Branch => MergeSide::Branch,
            });
            let merged = desk.call(op::MergeBranch { project, name, right }).await?;
            screen.show(&merged, |page| draw::merged(page, &merged))?;
        }
        BranchAction::Delete if !unasked => return Err(Error::BranchUnconfirmed { name }),
        BranchAction::Delete | BranchAction::List => {
            let row = desk.call(op::DeleteBranch { project, name }).await?;
            screen.show(&row, |page| draw::branch_deleted(page, &row))?;
        }
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.txt");
        let full = |file: &mut NamedTempFile| {
            file.write_all(&[b'x'; 100_000]).unwrap();
            Err(std::io::Error::other("no space left"))
        };
        let failed = put(&path, false, full);
        assert!(matches!(failed, Err(Error::Unwritable { message, .. }) if message == "no space left"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        // An existing file is never overwritten, even if created during the export.
        let late = |file: &mut NamedTempFile| {
            std::fs::write(&path, "mine").unwrap();
            file.write_all(b"yours")
        };
        assert!(matches!(put(&path, false, late), Err(Error::FileExists { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        put_whole(&path, true, b"yours").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "yours");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_replaced_and_links_are_followed() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("real.md"), "old").unwrap();
        symlink(at("real.md"), at("link.md")).unwrap();
        symlink(at("nothing.md"), at("dangling.md")).unwrap();
        std::fs::write(at("kept.md"), "mine").unwrap();
        std::fs::set_permissions(at("kept.md"), std::fs::Permissions::from_mode(0o444)).unwrap();
        std::fs::create_dir(at("folder.md")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket.md")).unwrap();

        put_whole(&at("link.md"), true, b"new").unwrap();
        assert!(at("link.md").symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(at("real.md")).unwrap(), "new");
        assert!(matches!(put_whole(&at("dangling.md"), false, b"new"), Err(Error::FileExists { .. })));
        assert!(matches!(put_whole(&at("dangling.md"), true, b"new"), Err(Error::Unwritable { .. })));
        for name in ["kept.md", "folder.md", "socket.md"] {
            assert!(matches!(put_whole(&at(name), true, b"new"), Err(Error::NotReplaceable { .. })), "{name}");
        }
        assert_eq!(std::fs::read_to_string(at("kept.md")).unwrap(), "mine");
        assert!(at("socket.md").metadata().unwrap().file_type().is_socket());
    }
}
