//! Parser for untrusted XML: no declarations in a document type, only predefined entities, bounded depth.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::{resolve_html5_entity, resolve_xml_entity, unescape_with};
use quick_xml::events::{BytesStart, Event};

use crate::{Error, FileLimits};

/// The damage of a document with elements still open at its end.
pub(crate) const TRUNCATED: &str = "it ends in the middle";

/// The strictness of parsing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum XmlStrictness {
    /// XML written by a program: a document type is an error.
    Strict,
    /// A web page: may have a document type and HTML entities; minor errors are ignored.
    Page,
}

/// An event of a document, in order. An empty element is opened and closed.
pub(crate) enum XmlEvent<'x> {
    Open { name: &'x str, attributes: Attributes<'x> },
    Close { name: &'x str },
    Text(Cow<'x, str>),
}

/// The attributes of an element.
pub(crate) struct Attributes<'x>(&'x BytesStart<'x>, XmlStrictness);

impl Attributes<'_> {
    /// Returns the value of an attribute, by name without prefix.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        let found = attributes.with_checks(false).flatten().find(|one| one.key.local_name().as_ref() == name)?;
        let text: &str = &found.value;
        Some(unescape_with(text, |entity| resolve(entity, self.1)).map_or_else(|_| text.to_owned(), Cow::into_owned))
    }
}

/// Parses the document in `bytes` and calls `visit` for each node; `place` is the name in errors.
pub(crate) fn walk(
    place: &str,
    bytes: &[u8],
    kind: XmlStrictness,
    limits: &FileLimits,
    mut visit: impl FnMut(XmlEvent<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let text = decode(bytes);
    let mut reader = Reader::from_str(&text);
    if kind == XmlStrictness::Page {
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
    }
    let mut depth = 0_usize;
    loop {
        let at = reader.buffer_position();
        let event = reader.read_event().map_err(|error| Error::damaged(place, format!("{error}, at byte {at}")))?;
        match event {
            Event::Start(start) => {
                depth += usize::from(is_nested(start.local_name().as_ref(), kind));
                if depth > limits.depth {
                    return Err(Error::TooLarge { place: place.into(), limit: limits.depth as u64, unit: "levels" });
                }
                let name = start.local_name();
                visit(XmlEvent::Open { name: name.as_ref(), attributes: Attributes(&start, kind) })?;
            }
            Event::Empty(start) => {
                let name = start.local_name();
                visit(XmlEvent::Open { name: name.as_ref(), attributes: Attributes(&start, kind) })?;
                visit(XmlEvent::Close { name: name.as_ref() })?;
            }
            Event::End(end) => {
                depth = depth.saturating_sub(usize::from(is_nested(end.local_name().as_ref(), kind)));
                visit(XmlEvent::Close { name: end.local_name().as_ref() })?;
            }
            Event::Text(text) => visit(XmlEvent::Text(text.into_inner()))?,
            Event::CData(data) => visit(XmlEvent::Text(data.into_inner()))?,
            Event::GeneralRef(reference) => {
                let known = match reference.resolve_char_ref() {
                    Ok(Some(character)) => Some(Cow::Owned(character.to_string())),
                    Ok(None) => resolve(&reference, kind).map(Cow::Borrowed),
                    Err(_) => None,
                };
                let known =
                    known.or_else(|| (kind == XmlStrictness::Page).then(|| Cow::Owned(format!("&{};", &*reference))));
                let unknown = || Error::refused(place, format!("it has the entity '{}' of its own", &*reference));
                visit(XmlEvent::Text(known.ok_or_else(unknown)?))?;
            }
            Event::DocType(declared) if kind == XmlStrictness::Strict || declared.contains('[') => {
                return Err(Error::refused(place, "it declares a document type of its own"));
            }
            // The parser itself accepts a document whose elements are still open.
            Event::Eof if kind == XmlStrictness::Strict && depth > 0 => return Err(Error::damaged(place, TRUNCATED)),
            Event::Eof => return Ok(()),
            Event::DocType(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

/// Returns whether an element counts as a level: in a web page some are never closed, or need not be.
fn is_nested(name: &str, kind: XmlStrictness) -> bool {
    const OPEN: &[&str] = &[
        "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
        "source", "td", "th", "tr", "wbr",
    ];
    kind == XmlStrictness::Strict || !OPEN.contains(&name)
}

fn resolve(entity: &str, kind: XmlStrictness) -> Option<&'static str> {
    let known = resolve_xml_entity(entity);
    if kind == XmlStrictness::Page { known.or_else(|| resolve_html5_entity(entity)) } else { known }
}

/// Decodes the document: by its byte order mark, its declared encoding, or as UTF-8 by default.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let declared = head.split_once("encoding=").map(|(_, rest)| rest.trim_start_matches(['"', '\'']));
    let label = declared.and_then(|rest| rest.split(['"', '\'']).next());
    let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    encoding.unwrap_or(encoding_rs::UTF_8).decode(bytes).0
}
