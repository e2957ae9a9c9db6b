//! Where a server keeps the pieces of a project, below `/api/v1/projects/{project}/`.

use qingyu_story::PieceKind;

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
        PieceKind::Fact => "facts",
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

/// `text` as one segment of a path.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => escaped.push(char::from(byte)),
            // A dot is escaped too: `..` would lead out of the project.
            other => escaped.push_str(&format!("%{other:02X}")),
        }
    }
    escaped
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
        ] {
            assert_eq!(route, expected);
        }
        let lists: BTreeSet<&str> = PieceKind::ALL.into_iter().map(list).collect();
        assert_eq!(lists.len(), PieceKind::ALL.len(), "every kind has a list of its own");
    }
}
