//! The routes of a workspace: reading and changing a project's pieces, individually or in a transaction, for remote
//! tools and for programs without tools of their own.
//!
//! The wire format is defined by [`qingyu_tools::workspace::remote`]; paths and field names follow the conventions of
//! writing tools. A write with `X-Provenance` comes from a tool that has already computed all consequences of its
//! change, and is applied exactly as sent; any other write goes through the tool of the same name, which computes the
//! consequences.
//!
//! - [`reading`]: pieces, lists, versions, provenance
//! - [`edits`]: changes through tools, and computed results
//! - [`exact`]: changes applied exactly, singly or several in a transaction
//! - [`address`]: paths below a project
//! - [`asked`]: the parsed request; [`to_wire`]: responses and problems
//! - [`openapi`]: the workspace part of the OpenAPI document

mod address;
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

use crate::http::ServerState;
use address::{at, of_one};
use asked::{WorkspaceChange, WorkspaceRequest};

pub(crate) use openapi::{TAG, paths};

/// Returns the routes below `/api/v1`.
pub(crate) fn routes() -> Router<ServerState> {
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
        let list = get(move |asked: WorkspaceRequest| reading::list(kind, asked));
        let one = get(move |asked: WorkspaceRequest| reading::one(kind, asked));
        let change = move |change: WorkspaceChange| edits::put(kind, change);
        if kind.is_single() {
            return router.route(&at(routes::list(kind)), one.put(change).delete(change));
        }
        let new: MethodRouter<ServerState> = post(move |change: WorkspaceChange| edits::create(kind, change));
        let list = if kind == PieceKind::OutlineNode { list.put(edits::replace_outline) } else { list };
        let router = if routes::create(kind) == routes::list(kind) {
            router.route(&at(routes::list(kind)), list.merge(new))
        } else {
            router.route(&at(routes::list(kind)), list).route(&at(routes::create(kind)), new)
        };
        router.route(&at(&of_one(kind)), one.put(change).delete(change))
    })
}
