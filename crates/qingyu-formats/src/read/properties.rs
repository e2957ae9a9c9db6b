//! Parser of the properties of an office document: title, author and language.

use super::archive::ZipReader;
use super::manuscript::Ingested;
use super::xml::{XmlEvent, XmlStrictness, walk};
use crate::{Error, FileLimits};

/// Parses the properties in the entry `place`, with the author in the element `author`; the entry is optional.
pub(super) fn properties(
    archive: &mut ZipReader<'_>,
    place: &str,
    author: &str,
    ingested: &mut Ingested,
    limits: &FileLimits,
) -> Result<(), Error> {
    let Some(bytes) = archive.read(place)? else { return Ok(()) };
    let mut text = String::new();
    walk(place, &bytes, XmlStrictness::Strict, limits, |node| {
        match node {
            XmlEvent::Open { .. } => text.clear(),
            XmlEvent::Text(more) => text.push_str(&more),
            XmlEvent::Close { name } => {
                let value = Some(std::mem::take(&mut text).trim().to_owned()).filter(|value| !value.is_empty());
                match name {
                    "title" => ingested.title = value,
                    "language" => ingested.language = value,
                    name if name == author => ingested.author = value.filter(|value| !is_program(value)),
                    _ => {}
                }
            }
        }
        Ok(())
    })
}

/// Returns whether the author of a document is the program that wrote it, or the account of a computer without a name.
fn is_program(author: &str) -> bool {
    const NAMES: &[&str] = &[
        "python-docx",
        "apache poi",
        "docx4j",
        "pandoc",
        "calibre",
        "openoffice",
        "libreoffice",
        "un-named",
        "unknown",
        "user",
        "windows user",
        "microsoft office user",
        "microsoft",
        "administrator",
        "admin",
    ];
    NAMES.contains(&author.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_no_authors() {
        assert!(["python-docx", "Apache POI", "Microsoft Office User"].into_iter().all(is_program));
        assert!(!["沈舟", "A. Nobody", "Admiral User"].into_iter().any(is_program));
    }
}
