//! A manuscript as plain paragraphs with their origins, whatever its format.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::encoding::Encoding;
use crate::spaces::is_blank;

/// A format in which a manuscript comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Plain text.
    Txt,
    /// Markdown.
    Md,
    /// Office Open XML, as Word and LibreOffice write it.
    Docx,
    /// A book for reading devices.
    Epub,
    /// OpenDocument, as LibreOffice writes it.
    Odt,
    /// Rich Text Format, as Word, TextEdit and Scrivener write it.
    Rtf,
    /// A web page.
    Html,
    /// A project folder of Scrivener 2 or 3.
    Scrivener,
    /// A project folder of novelWriter.
    NovelWriter,
}

impl Format {
    /// Returns the format by file name; `None` if the extension is unknown.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "txt" | "text" => Some(Self::Txt),
            "md" | "markdown" => Some(Self::Md),
            "docx" => Some(Self::Docx),
            "epub" => Some(Self::Epub),
            "odt" => Some(Self::Odt),
            "rtf" => Some(Self::Rtf),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "scrivx" => Some(Self::Scrivener),
            "nwx" => Some(Self::NovelWriter),
            _ => None,
        }
    }
}

/// A manuscript as plain text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ingested {
    /// The format of the file.
    pub format: Format,
    /// The encoding used; only for plain text and Markdown.
    pub encoding: Option<Encoding>,
    /// The title, if the file has the metadata.
    pub title: Option<String>,
    /// The author, if the file has the metadata.
    pub author: Option<String>,
    /// The language, such as `zh-CN`, if the file has the metadata.
    pub language: Option<String>,
    /// The text; each paragraph ends with a line feed.
    #[serde(skip)]
    pub text: String,
    /// The paragraphs in order; joined with line feeds they are the text.
    #[serde(skip)]
    pub paragraphs: Vec<SourceParagraph>,
    /// Omitted content such as pictures, counted by kind.
    pub left_out: Vec<LeftOut>,
    /// Truncations of the manuscript, by file; empty for a complete manuscript.
    pub(crate) truncated: Vec<Truncation>,
}

/// The point at which a truncated file breaks off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Truncation {
    /// The entry of an archive, or the file among several; `None` for the only file.
    pub(crate) place: Option<String>,
    /// Number of non-blank characters read before the end.
    pub(crate) characters: usize,
    /// The last words read.
    pub(crate) last: String,
}

impl Truncation {
    /// Returns the truncation after `text`, the text read of the file or entry.
    pub(crate) fn after(place: Option<&str>, text: &str) -> Self {
        const SHOWN: usize = 24;
        let characters = text.chars().filter(|c| !is_blank(*c)).count();
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        let skipped = line.chars().count().saturating_sub(SHOWN);
        Self { place: place.map(str::to_owned), characters, last: line.chars().skip(skipped).collect() }
    }
}

/// A paragraph of a manuscript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceParagraph {
    /// Byte range in [`Ingested::text`], without the line feed.
    pub range: Range<usize>,
    /// The place of the paragraph in the file.
    pub origin: Origin,
    /// The role given by markup.
    pub role: ParagraphRole,
    /// Whether only a line break separates the paragraph from the previous paragraph, possibly inserted for the page
    /// width.
    pub continues: bool,
    /// The paragraph with the marks of its emphasis, as [`emphasis`](qingyu_story::prose::emphasis()) reads them; `None`
    /// without bold and italic, and for all other roles than text.
    pub marked: Option<String>,
}

/// Where a paragraph came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A line of a text, counted from 1.
    Line(usize),
    /// A paragraph of an entry of an archive, counted from 1.
    Entry {
        /// The entry.
        name: String,
        /// Which paragraph.
        paragraph: usize,
    },
}

/// The role of a paragraph according to its markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParagraphRole {
    /// Text, or unmarked.
    Text,
    /// The title of the book.
    Title,
    /// A heading of a level; 1 is the highest.
    Heading(u8),
    /// A line of a table of contents.
    Contents,
    /// A line of a cover, a title page or an imprint.
    Front,
    /// A rule between paragraphs, without text.
    Rule,
    /// The title of a volume in a project, followed as it is.
    Volume,
    /// The title of a chapter in a project, followed as it is.
    Chapter {
        /// Whether the chapter belongs to the volume above.
        in_volume: bool,
    },
}

/// Something that is not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// What.
    pub what: Extra,
    /// How many.
    pub count: usize,
    /// The titles of documents that are left out, the first [`LeftOut::NAMES`] of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

impl LeftOut {
    /// Maximum number of titles.
    pub const NAMES: usize = 50;
}

/// What a manuscript can have besides text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extra {
    /// Pictures.
    Pictures,
    /// Footnotes and endnotes.
    Notes,
    /// Comments.
    Comments,
    /// Readings beside characters.
    Readings,
    /// Stretches in a face that is not kept: underlined or struck out, and bold or italic that no mark expresses. Their
    /// words are taken.
    Emphasis,
    /// Hidden text.
    Hidden,
    /// Text that was deleted under revision.
    Deletions,
    /// Signs of a symbol font.
    Symbols,
    /// Documents of a project outside its manuscript, such as research and characters.
    Research,
    /// Documents in the trash of a project.
    Trash,
    /// Documents that their project leaves out of the book.
    Excluded,
    /// Note documents of a project.
    NoteDocuments,
    /// Notes beside the documents of a project.
    DocumentNotes,
    /// Synopses of the documents of a project.
    Synopses,
    /// Labels of the documents of a project.
    Labels,
    /// Tags and references, such as `@pov: Jane`.
    Tags,
    /// Titles of scenes within chapters.
    SceneTitles,
    /// Documents that a project names and that have no file.
    Missing,
}
