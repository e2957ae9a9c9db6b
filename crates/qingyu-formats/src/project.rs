//! Projects of writing programs: a folder with an index, read in the order of the index.
//!
//! - `scrivener`: Scrivener 2 and 3; `novelwriter`: novelWriter
//! - [`of_index`], [`needs`]: which folders are projects, and which of their files an import needs
//!
//! Volumes and chapters are declared by the index and never guessed. Research, notes and the trash are left out, and
//! listed with their titles.

mod novelwriter;
mod scrivener;

use std::collections::BTreeMap;

use crate::read::Collector;
use crate::spaces::tidy;
use crate::{Error, Extra, Format, Ingested, Origin, ParagraphRole, ReadOptions};

/// A file of a project folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectFile<'f> {
    /// The path within the uploaded folder, with `/` between names.
    pub path: &'f str,
    /// The content.
    pub bytes: &'f [u8],
}

/// Returns the program whose project folders have an index file of this name; `None` for any other file.
pub fn of_index(name: &str) -> Option<Format> {
    let name = name.to_ascii_lowercase();
    match name.rsplit_once('.') {
        Some((stem, "scrivx")) if !stem.is_empty() => Some(Format::Scrivener),
        _ if name == novelwriter::INDEX => Some(Format::NovelWriter),
        _ => None,
    }
}

/// Returns whether an import needs the file of a project; `path` is relative to the project folder.
///
/// The other files of a project, such as pictures, settings and snapshots, need not be uploaded.
pub fn needs(program: Format, path: &str) -> bool {
    match program {
        Format::Scrivener => of_index(path).is_some() || scrivener::is_content(path),
        Format::NovelWriter => of_index(path).is_some() || path.ends_with(novelwriter::ENDING),
        _ => false,
    }
}

/// Reads the manuscript of a project; `None` if the files are no project.
///
/// The files are a project if an index is beside or above all of them. Fails with the errors of
/// [`read`](crate::read()) for a file of the manuscript, and with [`Error::Damaged`] if the index is damaged or names
/// no manuscript.
pub fn read_project(files: &[ProjectFile<'_>], reading: &ReadOptions) -> Result<Option<Ingested>, Error> {
    let Some(folder) = Folder::of(files) else { return Ok(None) };
    folder.check_limits(reading)?;
    let manuscript = match folder.program {
        Format::Scrivener => scrivener::read(&folder, reading)?,
        _ => novelwriter::read(&folder, reading)?,
    };
    if manuscript.text.trim().is_empty() { Err(Error::Empty) } else { Ok(Some(manuscript)) }
}

/// The files of a project by path, relative to the folder of the index.
struct Folder<'f> {
    program: Format,
    /// The path of the index.
    index: &'f str,
    files: BTreeMap<&'f str, &'f [u8]>,
}

impl<'f> Folder<'f> {
    fn of(files: &[ProjectFile<'f>]) -> Option<Self> {
        let indexes = files.iter().filter_map(|file| Some((file, of_index(name_of(file.path))?)));
        let (index, program) = indexes.min_by_key(|(file, _)| (file.path.matches('/').count(), file.path))?;
        let root = &index.path[..index.path.len() - name_of(index.path).len()];
        let inside = |file: &ProjectFile<'f>| Some((file.path.strip_prefix(root)?, file.bytes));
        let files: Option<BTreeMap<&str, &[u8]>> = files.iter().map(inside).collect();
        Some(Self { program, index: name_of(index.path), files: files? })
    }

    fn file(&self, path: &str) -> Option<&'f [u8]> {
        self.files.get(path).copied()
    }

    fn check_limits(&self, reading: &ReadOptions) -> Result<(), Error> {
        let limits = &reading.limits;
        let too_large = |limit: u64, unit| Err(Error::TooLarge { place: "the project".into(), limit, unit });
        if self.files.len() > limits.entries {
            return too_large(limits.entries as u64, "entries");
        }
        if self.files.values().map(|bytes| bytes.len() as u64).sum::<u64>() > limits.unpacked {
            return too_large(limits.unpacked, "bytes");
        }
        Ok(())
    }

    fn index_bytes(&self) -> &'f [u8] {
        self.file(self.index).unwrap_or_default()
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The manuscript while its documents are collected.
struct Assembly {
    collector: Collector,
    /// Whether a chapter has begun.
    has_chapter: bool,
}

impl Assembly {
    fn new(reading: &ReadOptions) -> Self {
        Self { collector: Collector::new(&reading.limits), has_chapter: false }
    }

    /// Appends the title of a volume; the text below belongs to the volume until its first chapter.
    fn volume(&mut self, title: &str, place: &str) {
        self.line(&tidy(title), ParagraphRole::Volume, place, 0);
    }

    /// Appends the title of a chapter.
    fn chapter(&mut self, title: &str, in_volume: bool, place: &str, paragraph: usize) {
        self.has_chapter = true;
        self.line(&tidy(title), ParagraphRole::Chapter { in_volume }, place, paragraph);
    }

    /// Separates the text below from the text above, as between scenes.
    fn gap(&mut self, place: &str) {
        self.line("", ParagraphRole::Rule, place, 0);
    }

    fn line(&mut self, line: &str, role: ParagraphRole, place: &str, paragraph: usize) {
        let origin = Origin::Entry { name: place.to_owned(), paragraph };
        self.collector.push(line, role, origin, false);
    }

    /// Appends a line of text; `marked` is the line with the marks of its emphasis.
    fn text(&mut self, line: &str, marked: Option<String>, place: &str, paragraph: usize) {
        self.line(line, ParagraphRole::Text, place, paragraph);
        if let Some(last) = self.collector.paragraphs.last_mut() {
            last.marked = marked;
        }
    }

    fn leave_out(&mut self, what: Extra) {
        self.collector.leave_out(what);
    }

    fn finish(self, format: Format, title: &str, author: &str) -> Result<Ingested, Error> {
        let given = |words: &str| Some(tidy(words)).filter(|words| !words.is_empty());
        Ok(Ingested { title: given(title), author: given(author), ..self.collector.finish(format)? })
    }
}

/// Names the document in an error of a file that is read by itself.
fn placed(error: Error, path: &str) -> Error {
    match error {
        Error::Damaged { place, message } if place == "the file" => Error::Damaged { place: path.into(), message },
        Error::TooLarge { place, limit, unit } if place == "the file" => {
            Error::TooLarge { place: path.into(), limit, unit }
        }
        other => other,
    }
}
