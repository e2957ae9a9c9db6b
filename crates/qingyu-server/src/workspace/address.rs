//! The paths below a project.

use qingyu_story::PieceKind;
use qingyu_tools::workspace::remote::routes;

/// Returns a path below a project.
pub(super) fn at(path: &str) -> String {
    format!("/projects/{{project}}/{path}")
}

/// Returns the path of a single piece of a kind, with the id as path parameter.
pub(super) fn of_one(kind: PieceKind) -> String {
    let name = if kind == PieceKind::Document { "{document}" } else { "{id}" };
    format!("{}{name}", routes::piece(kind, ""))
}
