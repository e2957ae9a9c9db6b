//! Where a server keeps the pieces of a project, below `/api/v1/projects/{project}/`.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use qingyu_story::PieceKind;

/// The whole story in one answer.
pub const PIECES: &str = "pieces";
/// Where several changes are posted at once.
pub const BATCH: &str = "batch";
/// The findings that the author lets stand.
pub const WAIVERS: &str = "waivers";
/// How content is produced: its phases, criteria and channels.
pub const PHASES: &str = "production/phases";
/// The fields of the production.
pub const FIELDS: &str = "production/fields";

/// What is escaped in a segment. A dot is, too: `..` would lead out of the project.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'~');

/// Where all pieces of a kind are read.
pub fn list(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Character => "characters",
        PieceKind::Relation => "relationships",
        PieceKind::OutlineNode => "outline",
        PieceKind::Event => "timeline",
        PieceKind::PlotNode => "plot-nodes",
        PieceKind::Location => "locations",
        PieceKind::Organisation => "organisations",
        PieceKind::Item => "items",
        PieceKind::WorldRule => "world-rules",
        PieceKind::Document => "documents",
        // At `facts` questions are posted.
        PieceKind::Fact => "statements",
        PieceKind::Promise => "promises",
        PieceKind::Worldview => "worldview",
        PieceKind::Style => "style",
    }
}

/// Where a new piece of a kind is posted.
pub fn create(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Event => "timeline/events",
        other => list(other),
    }
}

/// Where one piece is put, read and deleted. What there is only one of has no id in its address.
pub fn piece(kind: PieceKind, id: &str) -> String {
    match kind {
        PieceKind::OutlineNode => format!("nodes/{}", escaped(id)),
        PieceKind::Worldview | PieceKind::Style => list(kind).to_owned(),
        other => format!("{}/{}", create(other), escaped(id)),
    }
}

/// Where one field of the production is put and deleted.
pub fn field(path: &str) -> String {
    format!("{FIELDS}/{}", escaped(path))
}

/// `text` as one segment of a path.
pub fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// The text that is one segment of a path; what is no UTF-8 is replaced.
pub(super) fn unescaped(segment: &str) -> Cow<'_, str> {
    percent_decode_str(segment).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_routes_are_those_of_the_studio_s_api() {
        for (route, expected) in [
            (list(PieceKind::OutlineNode).to_owned(), "outline"),
            (piece(PieceKind::OutlineNode, "o-3"), "nodes/o-3"),
            (create(PieceKind::Event).to_owned(), "timeline/events"),
            (piece(PieceKind::Event, "e-1"), "timeline/events/e-1"),
            (piece(PieceKind::Relation, "r-1"), "relationships/r-1"),
            (piece(PieceKind::Document, "../x y"), "documents/%2E%2E%2Fx%20y"),
            (piece(PieceKind::Style, "style"), "style"),
            (field("plan/目标"), "production/fields/plan%2F%E7%9B%AE%E6%A0%87"),
        ] {
            assert_eq!(route, expected);
        }
        assert_eq!(unescaped(&escaped("../目标 %2F")), "../目标 %2F");
        let lists: BTreeSet<&str> = PieceKind::ALL.into_iter().map(list).collect();
        assert_eq!(lists.len(), PieceKind::ALL.len(), "every kind has a list of its own");
    }
}
