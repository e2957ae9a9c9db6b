//! The places of the evidence of a finding.

use std::ops::Range;

use crate::{Document, Piece, PieceKind, Story};

/// The place of a piece of evidence, as a reader finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidencePlace {
    /// The kind of the piece.
    pub kind: PieceKind,
    /// The title or name of the piece, or its id if the story does not have it; empty for a whole list, the world and the
    /// style.
    pub name: String,
    /// The paragraph of a text in which the words begin, from 1.
    pub paragraph: Option<usize>,
}

impl EvidencePlace {
    /// Parses an anchor, such as `characters/c-1/age` or `documents/d-3/text@120-168`. Returns `None` if it names no list
    /// of a story.
    pub fn of(anchor: &str, story: &Story) -> Option<Self> {
        if let Some((document, _, range)) = text_of(anchor, story) {
            let (name, paragraph) = (document.title.trim().to_owned(), document.paragraph_at(range.start));
            return Some(Self { kind: PieceKind::Document, name, paragraph });
        }
        let behind = |kind: PieceKind| {
            let rest = anchor.strip_prefix(kind.list())?;
            (rest.is_empty() || rest.starts_with('/')).then(|| (kind, rest.trim_start_matches('/')))
        };
        // The lists of the world begin like the world.
        let (kind, rest) = PieceKind::ALL.into_iter().filter_map(behind).min_by_key(|(_, rest)| rest.len())?;
        let handle = rest.rsplit_once('/').map_or(rest, |(handle, _)| handle);
        let name = match kind.is_single() {
            true => String::new(),
            false => called(story, kind, handle).unwrap_or_else(|| handle.to_owned()),
        };
        Some(Self { kind, name, paragraph: None })
    }
}

/// Returns the name of the piece with the id or name `handle`.
fn called(story: &Story, kind: PieceKind, handle: &str) -> Option<String> {
    if kind == PieceKind::Document {
        return document_of(story, handle).map(|document| document.title.trim().to_owned());
    }
    let is_meant =
        |piece: &Piece| if piece.id().trim().is_empty() { piece.name() == handle } else { piece.id() == handle };
    story.pieces_of(kind).find(is_meant).map(|piece| piece.label())
}

/// Returns the document of an anchor in a text, its id or title, and the byte range.
pub(super) fn text_of<'s, 'a>(anchor: &'a str, story: &'s Story) -> Option<(&'s Document, &'a str, Range<usize>)> {
    let (handle, range) = anchor.strip_prefix("documents/")?.rsplit_once("/text@")?;
    let (start, end) = range.split_once('-')?;
    let range = start.parse().ok()?..end.parse().ok()?;
    let document = document_of(story, handle)?;
    document.text.get(range.clone())?;
    Some((document, handle, range))
}

fn document_of<'s>(story: &'s Story, handle: &str) -> Option<&'s Document> {
    story.documents.iter().find(|document| match document.id.trim() {
        "" => document.title.trim() == handle,
        id => id == handle,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_placed_by_names_and_paragraphs() {
        let story: Story = serde_json::from_str(
            r#"{"characters": [{"id": "c-1", "name": "林青"}],
                "documents": [{"id": "d-3", "title": "第三章 灯", "order": 3, "text": "雨。\n\n门开了。"}]}"#,
        )
        .unwrap();
        let place = |anchor: &str| {
            let EvidencePlace { kind, name, paragraph } = EvidencePlace::of(anchor, &story)?;
            Some((kind, name, paragraph))
        };
        let is = |kind, name: &str, paragraph| Some((kind, name.to_owned(), paragraph));
        assert_eq!(place("documents/d-3/text@8-14"), is(PieceKind::Document, "第三章 灯", Some(2)));
        assert_eq!(place("documents/d-9/text@8-14"), is(PieceKind::Document, "d-9", None));
        assert_eq!(place("characters/c-1/age"), is(PieceKind::Character, "林青", None));
        assert_eq!(place("characters"), is(PieceKind::Character, "", None));
        assert_eq!(place("worldview/locations/l-1/name"), is(PieceKind::Location, "l-1", None));
        assert_eq!(place("worldview/truth"), is(PieceKind::Worldview, "", None));
        assert_eq!(place("nothing/x"), None);
    }
}
