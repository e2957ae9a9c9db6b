//! Scrivener 2 and 3: the binder in `X.scrivx`, the documents in `Files/Data/<UUID>/` or `Files/Docs/`.
//!
//! The draft folder is the manuscript. A folder in it is a volume or a chapter by what it holds: see [`Shape`].

use super::{Assembly, Folder, placed};
use crate::headings;
use crate::read::{Truncation, XmlEvent, XmlStrictness, walk};
use crate::spaces::tidy;
use crate::{Error, Extra, Format, Ingested, ParagraphRole, ReadOptions};

/// Titles that Scrivener or an author gives to documents without a title.
const UNTITLED: &[&str] = &[
    "",
    "untitled",
    "untitled document",
    "new document",
    "new text",
    "scene",
    "text",
    "场景",
    "未命名",
    "未命名文稿",
    "无标题",
    "新建文稿",
    "新文档",
];

/// Returns whether a file is part of a document: its text, its synopsis or its notes.
pub(super) fn is_content(path: &str) -> bool {
    let is_document = path.starts_with("Files/Data/") || path.starts_with("Files/Docs/");
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    is_document && (ending.eq_ignore_ascii_case("rtf") || ending.eq_ignore_ascii_case("txt"))
}

pub(super) fn read(folder: &Folder<'_>, reading: &ReadOptions) -> Result<Ingested, Error> {
    let Binder { items, title, author } = binder(folder, reading)?;
    let draft = items.iter().find(|item| item.kind == "DraftFolder");
    let draft = draft.ok_or_else(|| Error::damaged(folder.index, "it names no draft folder"))?;
    let mut compiler = DraftCompiler {
        folder,
        reading,
        assembly: Assembly::new(reading),
        has_exclusions: draft.any(&|item: &BinderItem| item.is_included),
    };
    for item in &draft.children {
        compiler.part(item, None)?;
    }
    for item in items.iter().filter(|item| item.kind != "DraftFolder") {
        let what = if item.kind == "TrashFolder" { Extra::Trash } else { Extra::Research };
        compiler.leave_out(item, what);
    }
    let stem = folder.index.rsplit_once('.').map_or(folder.index, |(stem, _)| stem);
    let title = if title.is_empty() { stem } else { title.as_str() };
    compiler.assembly.finish(Format::Scrivener, title, &author)
}

/// The binder of a project, and the properties of the project.
#[derive(Debug, Default)]
struct Binder {
    items: Vec<BinderItem>,
    title: String,
    author: String,
}

/// A document or folder of the binder.
#[derive(Debug, Default)]
struct BinderItem {
    /// The UUID of Scrivener 3, or the number of Scrivener 2.
    id: String,
    kind: String,
    title: String,
    is_included: bool,
    has_label: bool,
    children: Vec<BinderItem>,
}

impl BinderItem {
    fn is_document(&self) -> bool {
        self.children.is_empty() && self.kind != "Folder"
    }

    fn is_titled(&self) -> bool {
        let title = tidy(&self.title).to_lowercase();
        let words = title.trim_end_matches(|c: char| c.is_numeric() || matches!(c, ' ' | '#' | '-' | '.'));
        // A bare number is the title of a chapter.
        !UNTITLED.contains(&words) || (words.is_empty() && !title.is_empty())
    }

    /// Returns whether the title is the heading of a chapter, such as `第一章 来客`.
    fn reads_as_chapter(&self) -> bool {
        let generic = matches!(tidy(&self.title).to_lowercase().as_str(), "chapter" | "章" | "章节");
        let heading = headings::read(&self.title);
        generic || heading.is_some_and(|heading| heading.chapter.is_some() && heading.volume.is_none())
    }

    fn any(&self, is: &dyn Fn(&BinderItem) -> bool) -> bool {
        is(self) || self.children.iter().any(|child| child.any(is))
    }
}

/// The role of a folder of the draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Its documents are chapters.
    Volume,
    /// Its documents are scenes.
    Chapter,
}

impl Shape {
    fn of(folder: &BinderItem, in_volume: bool) -> Self {
        let any = |is: fn(&BinderItem) -> bool| folder.children.iter().any(is);
        match () {
            () if folder.reads_as_chapter() => Self::Chapter,
            () if any(BinderItem::reads_as_chapter) || any(|child| !child.is_document()) => Self::Volume,
            () if in_volume => Self::Chapter,
            () if any(BinderItem::is_titled) => Self::Volume,
            () => Self::Chapter,
        }
    }
}

/// Appends the documents of the draft in order.
struct DraftCompiler<'f> {
    folder: &'f Folder<'f>,
    reading: &'f ReadOptions,
    assembly: Assembly,
    /// Whether the project says which documents belong to the book.
    has_exclusions: bool,
}

impl DraftCompiler<'_> {
    /// Appends an item of the draft, or of the volume `volume`.
    fn part(&mut self, item: &BinderItem, volume: Option<&str>) -> Result<(), Error> {
        if item.is_document() {
            return match item.is_titled() || !self.assembly.has_chapter {
                true => self.chapter(item, volume.is_some()),
                false => self.scene(item),
            };
        }
        if Shape::of(item, volume.is_some()) == Shape::Chapter {
            self.chapter(item, volume.is_some())?;
            return item.children.iter().try_for_each(|child| self.scene(child));
        }
        let title = tidy(&item.title);
        let title = volume.map_or_else(|| title.clone(), |volume| format!("{volume} · {title}"));
        self.assembly.volume(&title, &item.title);
        self.count(item);
        self.text(item, None)?;
        item.children.iter().try_for_each(|child| self.part(child, Some(&title)))
    }

    /// Appends a document, or the own text of a folder, as a chapter.
    fn chapter(&mut self, item: &BinderItem, in_volume: bool) -> Result<(), Error> {
        if self.is_excluded(item) {
            return Ok(());
        }
        self.count(item);
        self.text(item, Some(in_volume))
    }

    /// Appends the text of an item and all below as scenes of the chapter above.
    fn scene(&mut self, item: &BinderItem) -> Result<(), Error> {
        if !self.is_excluded(item) {
            if item.is_titled() {
                self.assembly.leave_out(Extra::SceneTitles);
            }
            self.count(item);
            self.assembly.gap(&item.title);
            self.text(item, None)?;
        }
        item.children.iter().try_for_each(|child| self.scene(child))
    }

    /// Returns whether the project leaves a document out of the book; counts it.
    fn is_excluded(&mut self, item: &BinderItem) -> bool {
        let is_text = matches!(item.kind.as_str(), "Text" | "Folder");
        let is_excluded = item.is_document() && (!is_text || self.has_exclusions && !item.is_included);
        if is_excluded {
            let what = if is_text { Extra::Excluded } else { Extra::Research };
            self.assembly.collector.leave_out_document(what, &item.title);
        }
        is_excluded
    }

    /// Counts the label, the synopsis and the notes of an item.
    fn count(&mut self, item: &BinderItem) {
        let id = &item.id;
        let has = |paths: [String; 2]| {
            paths.iter().any(|path| self.folder.file(path).is_some_and(|bytes| !bytes.trim_ascii().is_empty()))
        };
        let has_synopsis = has([format!("Files/Data/{id}/synopsis.txt"), format!("Files/Docs/{id}_synopsis.txt")]);
        let has_notes = has([format!("Files/Data/{id}/notes.rtf"), format!("Files/Docs/{id}_notes.rtf")]);
        let found =
            [(has_synopsis, Extra::Synopses), (has_notes, Extra::DocumentNotes), (item.has_label, Extra::Labels)];
        found.into_iter().filter(|(is, _)| *is).for_each(|(_, what)| self.assembly.leave_out(what));
    }

    /// Lists the documents of a folder that is left out.
    fn leave_out(&mut self, item: &BinderItem, what: Extra) {
        if item.is_document() {
            self.assembly.collector.leave_out_document(what, &item.title);
        }
        item.children.iter().for_each(|child| self.leave_out(child, what));
    }

    /// Appends the text of an item; with `chapter`, below the title of a chapter, which can be in a volume.
    ///
    /// If the text begins with its own heading, such as `第一章 来客` for the title `来客`, that line is the title.
    fn text(&mut self, item: &BinderItem, chapter: Option<bool>) -> Result<(), Error> {
        let text = self.read(item)?;
        let own = text.as_ref().filter(|_| chapter.is_some()).and_then(|text| own_heading(text, &item.title));
        if let Some(in_volume) = chapter.filter(|_| own.is_none()) {
            match item.is_titled() {
                true => self.assembly.chapter(&item.title, in_volume, &item.title, 0),
                false => self.assembly.gap(&item.title),
            }
        }
        let Some(text) = text else { return Ok(()) };
        for left_out in &text.left_out {
            (0..left_out.count).for_each(|_| self.assembly.leave_out(left_out.what));
        }
        let truncated = text.truncated.into_iter();
        let place = Some(item.title.clone());
        self.assembly.collector.truncated.extend(truncated.map(|one| Truncation { place: place.clone(), ..one }));
        for (index, paragraph) in text.paragraphs.iter().enumerate() {
            let (line, marks) = without_marks(&text.text[paragraph.range.clone()]);
            (0..marks).for_each(|_| self.assembly.leave_out(Extra::Emphasis));
            match (chapter, paragraph.role) {
                (Some(in_volume), _) if own == Some(index) => {
                    self.assembly.chapter(&line, in_volume, &item.title, index + 1);
                }
                (_, ParagraphRole::Rule) => self.assembly.line("", ParagraphRole::Rule, &item.title, index + 1),
                _ => {
                    let marked = paragraph.marked.as_deref().map(|marked| without_marks(marked).0);
                    self.assembly.text(&line, marked, &item.title, index + 1);
                }
            }
        }
        Ok(())
    }

    /// Reads the file of an item; `None` for an item without text.
    fn read(&self, item: &BinderItem) -> Result<Option<Ingested>, Error> {
        let id = &item.id;
        let paths = [
            format!("Files/Data/{id}/content.rtf"),
            format!("Files/Data/{id}/content.txt"),
            format!("Files/Docs/{id}.rtf"),
            format!("Files/Docs/{id}.txt"),
            format!("Files/Docs/{id}.rtfd/TXT.rtf"),
        ];
        let found = paths.iter().find_map(|path| Some((path, self.folder.file(path)?)));
        let Some((path, mut bytes)) = found.filter(|(_, bytes)| !bytes.trim_ascii().is_empty()) else {
            return Ok(None);
        };
        let reading = ReadOptions { format: Format::of_name(path), ..self.reading.clone() };
        match crate::read(&mut bytes, &reading) {
            Ok(ingested) => Ok(Some(ingested)),
            Err(Error::Empty) => Ok(None),
            Err(error) => Err(placed(error, path)),
        }
    }
}

/// Returns the paragraph with the heading of a document: the first, if it is the title or a heading with the title.
fn own_heading(text: &Ingested, title: &str) -> Option<usize> {
    let title = tidy(title);
    let line = |index: usize| tidy(&without_marks(&text.text[text.paragraphs[index].range.clone()]).0);
    let first = (0..text.paragraphs.len()).find(|index| !line(*index).is_empty())?;
    let line = line(first);
    let is_heading = || headings::read(&line).is_some_and(|heading| heading.chapter.is_some());
    (!title.is_empty() && (line == title || line.ends_with(&title) && is_heading())).then_some(first)
}

/// Removes the marks of Scrivener's styles, such as `<$Scr_Ps::0>` and `<!$Scr_Ps::0>`; returns their number.
fn without_marks(line: &str) -> (String, usize) {
    let mut text = String::new();
    let mut rest = line;
    let mut count = 0;
    while let Some(at) = rest.find("<$Scr_").into_iter().chain(rest.find("<!$Scr_")).min() {
        let Some(length) = rest[at..].find('>') else { break };
        count += usize::from(rest[at..].starts_with("<$"));
        text.push_str(&rest[..at]);
        rest = &rest[at + length + 1..];
    }
    text.push_str(rest);
    (text, count)
}

fn binder(folder: &Folder<'_>, reading: &ReadOptions) -> Result<Binder, Error> {
    let (mut title, mut author) = (String::new(), String::new());
    // The open items; the first is the binder itself.
    let mut open = vec![BinderItem::default()];
    let mut said = String::new();
    walk(folder.index, folder.index_bytes(), XmlStrictness::Strict, &reading.limits, |node| {
        match node {
            XmlEvent::Open { name: "BinderItem", attributes } => {
                let id = attributes.get("UUID").or_else(|| attributes.get("ID")).unwrap_or_default();
                let kind = attributes.get("Type").unwrap_or_default();
                open.push(BinderItem { id, kind, ..BinderItem::default() });
            }
            XmlEvent::Close { name: "BinderItem" } => {
                if let Some(item) = open.pop()
                    && let Some(parent) = open.last_mut()
                {
                    parent.children.push(item);
                }
            }
            XmlEvent::Open { .. } => said.clear(),
            XmlEvent::Text(text) => said.push_str(&text),
            XmlEvent::Close { name } => {
                let said = std::mem::take(&mut said);
                let said = said.trim();
                let is_item = open.len() > 1;
                let Some(item) = open.last_mut() else { return Ok(()) };
                match name {
                    "Title" if is_item => item.title = said.to_owned(),
                    "IncludeInCompile" if is_item => item.is_included = said.eq_ignore_ascii_case("yes"),
                    "LabelID" if is_item => item.has_label = !matches!(said, "" | "-1" | "0"),
                    "ProjectTitle" if !is_item => title = said.to_owned(),
                    "FullName" if !is_item => author = said.to_owned(),
                    _ => {}
                }
            }
        }
        Ok(())
    })?;
    let items = open.pop().unwrap_or_default().children;
    Ok(Binder { items, title, author })
}
