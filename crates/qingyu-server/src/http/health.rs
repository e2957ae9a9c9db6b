//! Liveness, readiness, version and metrics.

use axum::extract;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use qingyu_studio::access::Right;
use serde_json::{Value, json};

use super::{HttpCaller, HttpProblem, ServerState};
use crate::meters::Meters;

pub(super) fn routes() -> Router<ServerState> {
    Router::new().route("/livez", get(live)).route("/readyz", get(ready)).route("/version", get(version))
}

/// Returns the metrics route, for administrators.
pub(super) fn metrics_route() -> Router<ServerState> {
    Router::new().route("/metrics", get(metrics))
}

/// Responds while the process is alive.
async fn live() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

/// Responds with 200 if the database is available and new work is accepted.
async fn ready(extract::State(state): extract::State<ServerState>) -> (StatusCode, Json<Value>) {
    let database = state.studio().is_reachable().await;
    let is_ready = state.is_ready() && database.is_ok();
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let checks = json!({
        "database": database.map_or_else(|error| error.code().to_owned(), |()| "ok".to_owned()),
        "taking_work": state.is_ready(),
        "runs_at_work": state.studio().runs_at_work(),
    });
    (status, Json(json!({"status": if is_ready { "ok" } else { "unavailable" }, "checks": checks})))
}

async fn version() -> Json<Value> {
    Json(json!({"name": "qingyu", "version": env!("CARGO_PKG_VERSION"), "api": "v1"}))
}

/// Returns the metrics in the text format of Prometheus.
async fn metrics(
    caller: HttpCaller,
    extract::State(state): extract::State<ServerState>,
) -> Result<Response, HttpProblem> {
    caller.demand(Right::Admin)?;
    let text = Meters::of_process().render(state.studio());
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}
