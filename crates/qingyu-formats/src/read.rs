//! A manuscript becomes plain paragraphs, each with where it came from.
//!
//! - `archive`, `xml`: files from strangers, under [`Limits`]
//! - `properties`: title, author and language of an office document
//! - `plain`, `markdown`, `docx`, `epub`, `odt`, `rtf`: one format each

mod archive;
mod docx;
mod epub;
mod markdown;
mod odt;
mod pages;
mod plain;
mod properties;
mod rtf;
mod xml;

use std::io::Read;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::encoding::{Decoded, Encoding, decode};
use crate::{Error, Limits};

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
}

impl Format {
    /// The format that files of that name have; `None` if the name does not tell.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "txt" | "text" => Some(Self::Txt),
            "md" | "markdown" => Some(Self::Md),
            "docx" => Some(Self::Docx),
            "epub" => Some(Self::Epub),
            "odt" => Some(Self::Odt),
            "rtf" => Some(Self::Rtf),
            _ => None,
        }
    }
}

/// How a manuscript is read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// What its name says it is; the bytes decide whether it is an archive.
    pub format: Option<Format>,
    /// The encoding of a plain text, such as `gbk`; found out if there is none.
    pub encoding: Option<String>,
    /// How much is read at most.
    pub limits: Limits,
}

/// A manuscript as plain text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ingested {
    /// What it was.
    pub format: Format,
    /// As what its bytes were taken; of plain text and Markdown only.
    pub encoding: Option<Encoding>,
    /// The title, if the file says so.
    pub title: Option<String>,
    /// The author, if the file says so.
    pub author: Option<String>,
    /// The language, if the file says so, such as `zh-CN`.
    pub language: Option<String>,
    /// The text: each paragraph ends with a line feed.
    #[serde(skip)]
    pub text: String,
    /// The paragraphs in order; together with their line feeds they are the text.
    #[serde(skip)]
    pub paragraphs: Vec<Paragraph>,
    /// What was not taken over, such as pictures, and how many of it.
    pub left_out: Vec<LeftOut>,
}

/// A paragraph of a manuscript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    /// Its bytes in [`Ingested::text`], without the line feed.
    pub range: Range<usize>,
    /// Where it came from.
    pub origin: Origin,
    /// What it is by its markup.
    pub role: Role,
    /// Whether only a line break parts it from the one before, which may have been made for the width of a page.
    pub continues: bool,
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

/// What a paragraph is by its markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Text, or unmarked.
    Text,
    /// The title of the book.
    Title,
    /// A heading; 1 is the highest.
    Heading(u8),
    /// A line of a table of contents.
    Contents,
    /// A line of a cover, a title page or an imprint.
    Front,
    /// A line drawn between paragraphs; without text.
    Rule,
}

/// Something that is not taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// What.
    pub what: Extra,
    /// How many.
    pub count: usize,
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
    /// Stretches in italics, bold or another face; their words are taken, their face is not.
    Emphasis,
    /// Hidden text.
    Hidden,
    /// Text that was deleted under revision.
    Deletions,
    /// Signs of a symbol font.
    Symbols,
}

/// Reads a manuscript.
///
/// Fails with an error that says where and why if it is none, is broken, protected, or larger than the limits.
pub fn read(from: &mut dyn Read, reading: &Reading) -> Result<Ingested, Error> {
    let limits = &reading.limits;
    let mut bytes = Vec::new();
    from.take(limits.file + 1).read_to_end(&mut bytes).map_err(Error::Read)?;
    if bytes.len() as u64 > limits.file {
        return Err(Error::TooLarge { place: "the file".into(), limit: limits.file, unit: "bytes" });
    }
    let ingested = if bytes.starts_with(b"PK\x03\x04") {
        let mut archive = archive::Archive::open(&bytes, limits)?;
        if archive.has("META-INF/container.xml") {
            epub::read(&mut archive, limits)?
        } else if archive.has("[Content_Types].xml") {
            docx::read(&mut archive, limits)?
        } else if archive.read("mimetype")?.is_some_and(|kind| kind.starts_with(odt::MEDIA_TYPE.as_bytes())) {
            odt::read(&mut archive, limits)?
        } else {
            return Err(Error::UnknownFormat);
        }
    } else if bytes.starts_with(rtf::BEGINNING) {
        rtf::read(&bytes, limits)?
    } else {
        let format = match reading.format {
            // Older word processors name their own format so; nothing in it can be read as text.
            Some(Format::Docx | Format::Epub | Format::Odt) => {
                return Err(Error::damaged("the file", "it is no archive"));
            }
            Some(Format::Rtf) => return Err(Error::damaged("the file", "it does not begin as RTF does")),
            Some(format) => format,
            None if is_binary(&bytes) => return Err(Error::UnknownFormat),
            None => Format::Txt,
        };
        let Decoded { text, encoding } = decode(&bytes, reading.encoding.as_deref())?;
        if format == Format::Md && text.len() as u64 > limits.marked {
            return Err(Error::TooLarge { place: "the file".into(), limit: limits.marked, unit: "bytes of Markdown" });
        }
        let collector = Collector::new(limits);
        let collected =
            if format == Format::Md { markdown::read(collector, &text) } else { plain::read(collector, &text) };
        Ingested { encoding: Some(encoding), ..collected.finish(format)? }
    };
    if ingested.text.trim().is_empty() { Err(Error::Empty) } else { Ok(ingested) }
}

fn is_binary(bytes: &[u8]) -> bool {
    const KNOWN: &[&[u8]] = &[b"%PDF", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff", b"\x1f\x8b", b"Rar!"];
    KNOWN.iter().any(|known| bytes.starts_with(known))
}

/// Paragraphs as they are found.
#[derive(Debug)]
pub(crate) struct Collector {
    pub(crate) text: String,
    pub(crate) paragraphs: Vec<Paragraph>,
    left_out: Vec<LeftOut>,
    title: Option<String>,
    author: Option<String>,
    /// How many paragraphs there may be.
    most: usize,
    /// Whether there are more.
    is_over: bool,
}

impl Collector {
    pub(crate) fn new(limits: &Limits) -> Self {
        let (text, paragraphs, left_out) = (String::new(), Vec::new(), Vec::new());
        Self { text, paragraphs, left_out, title: None, author: None, most: limits.paragraphs, is_over: false }
    }

    /// Learns title and author from lines such as `title: 河灯`.
    pub(crate) fn tell(&mut self, metadata: &str) {
        for line in metadata.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim().trim_matches(['"', '\'']).to_owned();
            match key.trim().to_ascii_lowercase().as_str() {
                "title" if !value.is_empty() => self.title = Some(value),
                "author" if !value.is_empty() => self.author = Some(value),
                _ => {}
            }
        }
    }

    /// Adds a paragraph; `continues` as in [`Paragraph`]. What is beyond the limit is not kept, and shows at the end.
    pub(crate) fn push(&mut self, text: &str, role: Role, origin: Origin, continues: bool) {
        if self.paragraphs.len() >= self.most {
            self.is_over = true;
            return;
        }
        let from = self.text.len();
        self.text.push_str(text);
        self.paragraphs.push(Paragraph { range: from..self.text.len(), origin, role, continues });
        self.text.push('\n');
    }

    /// Counts something that is not taken over.
    pub(crate) fn leave_out(&mut self, what: Extra) {
        match self.left_out.iter_mut().find(|known| known.what == what) {
            Some(known) => known.count += 1,
            None => self.left_out.push(LeftOut { what, count: 1 }),
        }
    }

    /// The manuscript; fails if it has more paragraphs than the limit.
    pub(crate) fn finish(self, format: Format) -> Result<Ingested, Error> {
        if self.is_over {
            let limit = self.most as u64;
            return Err(Error::TooLarge { place: "the text".into(), limit, unit: "paragraphs" });
        }
        Ok(Ingested {
            format,
            encoding: None,
            title: self.title,
            author: self.author,
            language: None,
            text: self.text,
            paragraphs: self.paragraphs,
            left_out: self.left_out,
        })
    }
}
