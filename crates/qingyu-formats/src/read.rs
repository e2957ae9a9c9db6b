//! Parsing of manuscripts to plain paragraphs with their origins.
//!
//! - `manuscript`: the result; `collector`: the buffer for its paragraphs
//! - `archive`, `xml`: parsers for untrusted files, with [`FileLimits`]
//! - `faces`: bold and italic of a paragraph
//! - `properties`: title, author and language of an office document
//! - `plain`, `markdown`, `docx`, `epub`, `html`, `odt`, `rtf`: one parser per format; `pages`: web pages, for two of them

mod archive;
mod collector;
mod docx;
mod epub;
mod faces;
mod html;
mod manuscript;
mod markdown;
mod odt;
mod pages;
mod plain;
mod properties;
mod rtf;
mod xml;

use std::io::Read;

pub use manuscript::{Extra, Format, Ingested, LeftOut, Origin, ParagraphRole, SourceParagraph};

pub(crate) use collector::Collector;
pub(crate) use faces::{MarkedLine, within};
pub(crate) use manuscript::Truncation;
pub(crate) use xml::{XmlEvent, XmlStrictness, walk};

use crate::encoding::{DecodedText, decode};
use crate::{Error, FileLimits};

/// Options for reading a manuscript.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The format according to the file name; the bytes decide whether the file is an archive.
    pub format: Option<Format>,
    /// The encoding of plain text, such as `gbk`; detected by default.
    pub encoding: Option<String>,
    /// Size limits.
    pub limits: FileLimits,
}

/// Reads and parses a manuscript.
///
/// Returns an error with place and reason if the file is no manuscript, damaged, protected, or larger than the limits.
pub fn read(from: &mut dyn Read, reading: &ReadOptions) -> Result<Ingested, Error> {
    let limits = &reading.limits;
    let mut bytes = Vec::new();
    from.take(limits.file + 1).read_to_end(&mut bytes).map_err(Error::Read)?;
    if bytes.len() as u64 > limits.file {
        return Err(Error::TooLarge { place: "the file".into(), limit: limits.file, unit: "bytes" });
    }
    let ingested = if bytes.starts_with(b"PK\x03\x04") {
        let mut archive = archive::ZipReader::open(&bytes, limits)?;
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
            // Old word processors used the same extensions for their binary formats, which contain no readable text.
            Some(Format::Docx | Format::Epub | Format::Odt) => {
                return Err(Error::damaged("the file", "it is no archive"));
            }
            Some(Format::Rtf) => return Err(Error::damaged("the file", "it does not begin as RTF does")),
            Some(Format::Scrivener | Format::NovelWriter) => return Err(Error::ProjectIndex),
            Some(format) => format,
            None if is_binary(&bytes) => return Err(Error::UnknownFormat),
            None => Format::Txt,
        };
        let DecodedText { text, encoding } = decode(&bytes, reading.encoding.as_deref())?;
        if format == Format::Md && text.len() as u64 > limits.marked {
            return Err(Error::TooLarge { place: "the file".into(), limit: limits.marked, unit: "bytes of Markdown" });
        }
        let collector = Collector::new(limits);
        let collected = match format {
            Format::Md => markdown::read(collector, &text),
            Format::Html => html::read(collector, &text, limits)?,
            _ => plain::read(collector, &text),
        };
        Ingested { encoding: Some(encoding), ..collected.finish(format)? }
    };
    if ingested.text.trim().is_empty() { Err(Error::Empty) } else { Ok(ingested) }
}

fn is_binary(bytes: &[u8]) -> bool {
    const KNOWN: &[&[u8]] = &[b"%PDF", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff", b"\x1f\x8b", b"Rar!"];
    KNOWN.iter().any(|known| bytes.starts_with(known))
}
