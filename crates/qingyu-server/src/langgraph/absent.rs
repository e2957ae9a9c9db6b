//! Routes of LangGraph servers that are not there, with the reason and what to do instead.

use axum::Router;
use axum::routing::any;

use super::error::LangGraphError;

/// The routes, and why they are not there.
const ABSENT: [(&str, &str); 9] = [
    ("/runs/batch", "runs are started one by one: send a request for each"),
    ("/runs/cancel", "runs are cancelled one by one: cancel each on its thread"),
    ("/runs/crons", CRONS),
    ("/runs/crons/{*rest}", CRONS),
    ("/threads/{thread}/runs/crons", CRONS),
    ("/threads/{thread}/stream", "a stream shows one run: join the runs of the thread with `runs.join_stream`"),
    ("/store/items", STORE),
    ("/store/items/{*rest}", STORE),
    ("/store/namespaces", STORE),
];

const CRONS: &str = "there is no schedule: start runs from a schedule of your own";
const STORE: &str = "there is no store: keep data in the metadata of threads, or in the project at /api/v1";

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    ABSENT.into_iter().fold(Router::new(), |router, (path, reason)| {
        router.route(path, any(move || async move { LangGraphError::missing(reason) }))
    })
}
