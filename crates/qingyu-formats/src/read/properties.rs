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
                    name if name == author => ingested.author = value,
                    _ => {}
                }
            }
        }
        Ok(())
    })
}
