//! The properties of an office document: its title, author and language.

use super::Ingested;
use super::archive::Archive;
use super::xml::{Kind, Node, walk};
use crate::{Error, Limits};

/// Reads the properties in the entry `place`, which names its author in the element `author`; an archive may lack the entry.
pub(super) fn properties(
    archive: &mut Archive<'_>,
    place: &str,
    author: &str,
    ingested: &mut Ingested,
    limits: &Limits,
) -> Result<(), Error> {
    let Some(bytes) = archive.read(place)? else { return Ok(()) };
    let mut text = String::new();
    walk(place, &bytes, Kind::Strict, limits, |node| {
        match node {
            Node::Open { .. } => text.clear(),
            Node::Text(more) => text.push_str(&more),
            Node::Close { name } => {
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
