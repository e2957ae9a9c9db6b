//! The readable mirror of a book: a Markdown file for each chapter and each card, and both read back from their files.
//!
//! A chapter's file has the chapter's words as they are, a blank line between paragraphs; [`chapter_text`] restores the
//! separators of the book, so that a file without changes is the same text, byte for byte. The fields of a card are read
//! back by [`read_card`].

mod cards;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::Range;

use qingyu_story::chapters::Chapters;
use qingyu_story::{Document, Language, PieceKind, Story};

use crate::file_name::file_name;
use cards::CardField;
use words::one_line;

pub use cards::{CardEdit, CardReading, UnreadField, UnreadReason, card_file, read_card};

/// A file of a mirror.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorFile {
    /// The path below the folder of the book, with `/`; valid on every operating system.
    pub path: String,
    /// The content.
    pub content: String,
    /// The piece of the book in the file; `None` for the table of contents and for cards without an id, which are not read
    /// back.
    pub source: Option<MirrorSource>,
}

/// The piece of a book in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MirrorSource {
    /// A text.
    Text {
        /// The id of the text.
        document: String,
        /// Its version.
        version: u32,
    },
    /// A card.
    Card {
        /// Its kind.
        kind: PieceKind,
        /// The id of the piece.
        id: String,
    },
}

/// Returns the files of a book: the table of contents, the chapters in reading order, notes, people, places,
/// organisations and items.
pub fn mirror(story: &Story, title: &str) -> Vec<MirrorFile> {
    let language = story.language;
    let mut files = MirrorFiles::default();
    let chapters = Chapters::of(story);
    let width = chapters.all().len().to_string().len().max(2);
    let mut contents = vec![format!("# {}", one_line(title))];
    if !story.premise.trim().is_empty() {
        contents.push(story.premise.trim().to_owned());
    }
    let mut list = String::new();
    for chapter in chapters.all() {
        let title = one_line(&chapter.title);
        let name = format!("{:0width$} {}", chapter.place, file_name(&title));
        let documents = chapter.documents.iter().map(|document| &story.documents[*document]);
        let paths: Vec<String> =
            documents.map(|document| files.text(folder(language, "chapters"), &name, document)).collect();
        match paths.first() {
            Some(path) => list.push_str(&format!("- [{title}](<{path}>)\n")),
            None => list.push_str(&format!("- {title}\n")),
        }
    }
    contents.push(list.trim_end().to_owned());
    for note in story.documents.iter().filter(|document| document.order == 0) {
        files.text(folder(language, "notes"), &file_name(&note.title), note);
    }
    for person in &story.characters {
        let source = card_source(PieceKind::Character, &person.id);
        files.card(language, "people", &person.name, &cards::person(person, language), source);
    }
    let world = story.worldview.as_ref();
    for place in world.map(|world| &world.locations).into_iter().flatten() {
        let source = card_source(PieceKind::Location, &place.id);
        files.card(language, "places", &place.name, &cards::place(place, language), source);
    }
    for organisation in world.map(|world| &world.organisations).into_iter().flatten() {
        let source = card_source(PieceKind::Organisation, &organisation.id);
        let fields = cards::organisation(organisation, language);
        files.card(language, "organisations", &organisation.name, &fields, source);
    }
    for item in world.map(|world| &world.items).into_iter().flatten() {
        let source = card_source(PieceKind::Item, &item.id);
        files.card(language, "items", &item.name, &cards::item(item, language), source);
    }
    let content = format!("{}\n", contents.join("\n\n").trim_end());
    files.files.insert(0, MirrorFile { path: "README.md".into(), content, source: None });
    files.files
}

fn card_source(kind: PieceKind, id: &str) -> Option<MirrorSource> {
    (!id.is_empty()).then(|| MirrorSource::Card { kind, id: id.to_owned() })
}

/// Returns the text of a chapter in its file, as edited outside. `base` is the text for which the file was written: its
/// separators and indentation hold wherever its paragraphs are still there.
pub fn chapter_text(base: &str, file: &str) -> String {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let mut lines = file.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).peekable();
    // The heading of a text without a title has lost its space.
    if lines.peek().is_some_and(|line| *line == "#" || line.starts_with("# ")) {
        lines.next();
    }
    let lines: Vec<&str> = lines.collect();
    let ranges = paragraphs(base);
    let old: Vec<&str> = ranges.iter().map(|range| &base[range.clone()]).collect();
    if lines == old {
        return base.to_owned();
    }
    let gaps: Vec<&str> = ranges.windows(2).map(|pair| &base[pair[0].end..pair[1].start]).collect();
    let usual = usual(&gaps);
    let mut known: HashMap<&str, VecDeque<&str>> = HashMap::new();
    for (line, gap) in old.iter().zip(&gaps) {
        known.entry(*line).or_default().push_back(*gap);
    }
    let mut text = ranges.first().map_or("", |first| &base[..first.start]).to_owned();
    for (place, line) in lines.iter().enumerate() {
        text.push_str(line);
        let gap = known.get_mut(line).and_then(VecDeque::pop_front).unwrap_or(usual);
        if place + 1 < lines.len() {
            text.push_str(gap);
        }
    }
    text.push_str(ranges.last().map_or("", |last| &base[last.end..]));
    text
}

/// Returns the title in the file of a chapter; `None` without a heading.
pub fn chapter_title(file: &str) -> Option<String> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let first = file.lines().find(|line| !line.trim().is_empty())?;
    Some(one_line(first.strip_prefix("# ")?)).filter(|title| !title.is_empty())
}

/// The files so far, with their paths in lower case: some file systems do not distinguish case.
#[derive(Default)]
struct MirrorFiles {
    files: Vec<MirrorFile>,
    taken: BTreeSet<String>,
}

impl MirrorFiles {
    /// Adds a text; returns its path.
    fn text(&mut self, folder: &str, name: &str, document: &Document) -> String {
        let paragraphs: Vec<&str> = paragraphs(&document.text).into_iter().map(|range| &document.text[range]).collect();
        let mut content = format!("# {}\n", one_line(&document.title));
        for paragraph in paragraphs {
            content.push('\n');
            content.push_str(paragraph);
            content.push('\n');
        }
        let source = MirrorSource::Text { document: document.id.clone(), version: document.version };
        self.add(folder, name, content, Some(source))
    }

    /// Adds a card.
    fn card(&mut self, language: Language, kind: &str, name: &str, fields: &[CardField], source: Option<MirrorSource>) {
        self.add(folder(language, kind), &file_name(name), cards::rendered(name, fields, language), source);
    }

    fn add(&mut self, folder: &str, name: &str, content: String, source: Option<MirrorSource>) -> String {
        let numbered = (2..).map(|number| format!("{folder}/{name} ({number}).md"));
        let mut paths = std::iter::once(format!("{folder}/{name}.md")).chain(numbered);
        let path = paths.find(|path| self.taken.insert(path.to_lowercase())).unwrap_or_default();
        self.files.push(MirrorFile { path: path.clone(), content, source });
        path
    }
}

/// Returns the byte ranges of the lines that are not blank, without trailing white space.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_end();
        if !words.is_empty() {
            ranges.push(start..start + words.len());
        }
        start += line.len();
    }
    ranges
}

/// Returns the most frequent separator; a line break by default.
fn usual<'t>(gaps: &[&'t str]) -> &'t str {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for gap in gaps {
        *counts.entry(*gap).or_default() += 1;
    }
    let most = gaps.iter().max_by_key(|gap| (counts[*gap], std::cmp::Reverse(gap.len())));
    most.copied().unwrap_or("\n")
}

/// Returns the folder of a kind of file, in the language of the book.
fn folder(language: Language, kind: &str) -> &'static str {
    let (zh, en) = match kind {
        "chapters" => ("章节", "chapters"),
        "notes" => ("笔记", "notes"),
        "people" => ("人物", "people"),
        "places" => ("地点", "places"),
        "organisations" => ("组织", "organisations"),
        _ => ("物件", "items"),
    };
    if language == Language::Zh { zh } else { en }
}
