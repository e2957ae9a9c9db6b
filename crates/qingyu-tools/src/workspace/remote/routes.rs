//! Server routes of a project's pieces, below `/api/v1/projects/{project}/`.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use qingyu_story::PieceKind;

/// Route of the whole story.
pub const PIECES: &str = "pieces";
/// Route of several changes at once.
pub const BATCH: &str = "batch";
/// Route of the waivers: findings accepted by the author.
pub const WAIVERS: &str = "waivers";
/// Route of the production setup: phases, criteria and channels.
pub const PHASES: &str = "production/phases";
/// Route of the production's fields.
pub const FIELDS: &str = "production/fields";

/// Escaped characters of a segment. Dots too, because `..` would leave the project.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'~');

/// Returns the route of all pieces of a kind.
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
        PieceKind::Ladder => "ladders",
        PieceKind::Document => "documents",
        // Questions are posted to `facts`.
        PieceKind::Fact => "statements",
        PieceKind::Promise => "promises",
        PieceKind::Worldview => "worldview",
        PieceKind::Style => "style",
    }
}

/// Returns the route for new pieces of a kind.
pub fn create(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Event => "timeline/events",
        other => list(other),
    }
}

/// Returns the route of a piece, for reading, changing and deleting. A singleton has no id in its route.
pub fn piece(kind: PieceKind, id: &str) -> String {
    match kind {
        PieceKind::OutlineNode => format!("nodes/{}", escaped(id)),
        PieceKind::Worldview | PieceKind::Style => list(kind).to_owned(),
        other => format!("{}/{}", create(other), escaped(id)),
    }
}

/// Returns the route of a field of the production.
pub fn field(path: &str) -> String {
    format!("{FIELDS}/{}", escaped(path))
}

/// Returns `text` escaped as a path segment.
pub fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// Returns the unescaped text of a path segment; invalid UTF-8 is replaced.
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
