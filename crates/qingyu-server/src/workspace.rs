//! The routes of a workspace: a project's pieces, read and changed one by one or together, for tools that work at a
//! distance and for programs without tools of their own.
//!
//! The wire is that of [`qingyu_tools::workspace::remote`]; the addresses and the names of what is sent are those by which
//! writing tools have always asked for stories. A write with `X-Provenance` comes from a tool that has worked out all that
//! follows from its change, and is made exactly as it says; any other is made as the tool of that name makes it, with what
//! follows from it.
//!
//! - [`reading`]: pieces, lists, versions, who made what
//! - [`edits`]: what tools make of a change; what they work out
//! - [`exact`]: changes as they are given, one or several in one transaction
//! - [`asked`]: what a request says; [`to_wire`]: answers and problems
//! - [`openapi`]: what stands of all this in the document of the API

mod asked;
mod edits;
mod exact;
mod openapi;
mod reading;
mod to_wire;

use axum::Router;
use axum::routing::{MethodRouter, get, post};
use qingyu_story::PieceKind;
use qingyu_tools::workspace::remote::routes;

use crate::http::State;
use asked::{Asked, Change};

pub(crate) use openapi::{TAG, paths};

/// The routes below `/api/v1`.
pub(crate) fn routes() -> Router<State> {
    let router = Router::new()
        .route("/projects/{project}", get(reading::head))
        .route(&at(routes::PIECES), get(reading::whole))
        .route(&at(routes::BATCH), post(exact::batch))
        .route(&at(routes::WAIVERS), get(reading::waivers).put(exact::one))
        .route(&at(routes::PHASES), get(reading::phases).put(exact::one).delete(exact::one))
        .route(&at(routes::FIELDS), get(reading::fields))
        .route(&at("production/fields/{path}"), axum::routing::put(exact::one).delete(exact::one))
        .route(&at("provenance/{kind}/{id}"), get(reading::provenance))
        .route(&at("documents/{document}/versions"), get(reading::versions).post(edits::keep_version))
        .route(&at("timeline-events"), get(reading::events))
        .route(&at("timeline/check-conflicts"), post(edits::check_conflicts))
        .route(&at("outline/generate"), post(edits::generate_outline))
        .route(&at("characters/{id}/analyze-arc"), post(edits::analyze_arc))
        .route(&at("relationships/graph"), get(edits::show_graph))
        .route(&at("relationships/analyze"), post(edits::analyze_relationships));
    PieceKind::ALL.into_iter().fold(router, |router, kind| {
        let list = get(move |asked: Asked| reading::list(kind, asked));
        let one = get(move |asked: Asked| reading::one(kind, asked));
        let change = move |change: Change| edits::put(kind, change);
        if kind.is_single() {
            return router.route(&at(routes::list(kind)), one.put(change).delete(change));
        }
        let new: MethodRouter<State> = post(move |change: Change| edits::create(kind, change));
        let list = if kind == PieceKind::OutlineNode { list.put(edits::replace_outline) } else { list };
        let router = if routes::create(kind) == routes::list(kind) {
            router.route(&at(routes::list(kind)), list.merge(new))
        } else {
            router.route(&at(routes::list(kind)), list).route(&at(routes::create(kind)), new)
        };
        router.route(&at(&of_one(kind)), one.put(change).delete(change))
    })
}

/// A path of a project.
fn at(path: &str) -> String {
    format!("/projects/{{project}}/{path}")
}

/// Where one piece of a kind is, with its id in braces.
fn of_one(kind: PieceKind) -> String {
    let name = if kind == PieceKind::Document { "{document}" } else { "{id}" };
    format!("{}{name}", routes::piece(kind, ""))
}
