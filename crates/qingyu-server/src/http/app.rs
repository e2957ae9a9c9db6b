//! The router of all protocols.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, StatusCode, header};
use axum::routing::get;
use axum::{Router, middleware};
use qingyu_a2a::{A2a, A2aOptions, FileNotes, a2a};
use qingyu_grpc::{GrpcOptions, GrpcRouters, grpc};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::{AccessPolicy, HttpProblem, ServerState, events, files, guard, health, openapi, operations, streams};
use crate::{agui, langgraph, mcp, openai, pages, workspace};

/// The folder of A2A task notes, in the data folder.
const NOTES: &str = "a2a";

/// Timeout between two parts of a request body.
const BODY_PAUSE: Duration = Duration::from_secs(20);

/// Factor for the size limit of requests with a manuscript or with all chapters touched by a change.
const MANUSCRIPTS: usize = 64;

/// The router of all protocols.
#[derive(Debug)]
pub(crate) struct App;

impl App {
    /// Returns all routes over `state`'s studio.
    ///
    /// Fails if the webhook settings are invalid.
    pub(crate) fn router(state: &ServerState, door: &AccessPolicy) -> Result<Router, qingyu_studio::web::Error> {
        let body = state.settings().body_bytes;
        let api = operations::routes(state)
            .merge(events::routes())
            .merge(files::routes())
            .layer(DefaultBodyLimit::max(body))
            .merge(
                operations::manuscripts(state)
                    .merge(workspace::routes())
                    .layer(DefaultBodyLimit::max(body.saturating_mul(MANUSCRIPTS))),
            )
            .with_state(state.clone());
        let protocols = mcp::http::routes(mcp::http::Settings {
            keep_alive: state.heartbeat(),
            stop: state.stop().clone(),
            ..mcp::http::Settings::default()
        });
        let A2a { card, http, grpc: agents } = a2a(A2aOptions {
            public_url: state.settings().public_url.clone(),
            needs_key: !door.is_local(),
            webhooks: state.settings().webhooks.clone(),
            heartbeat: state.heartbeat(),
            stop: state.stop().clone(),
            ..A2aOptions::new(Arc::new(FileNotes::new(state.studio().home().join(NOTES))))
        })?;
        let GrpcRouters { services, health } =
            grpc(&GrpcOptions { stop: state.stop().clone() }).expect("the description is compiled in, and tested");
        let agents = tonic::service::Routes::new(agents).prepare().into_axum_router();
        let guarded = Router::new()
            .nest("/api/v1", api)
            .merge(health::metrics_route().with_state(state.clone()))
            .merge(protocols)
            .merge(agui::router())
            .merge(openai::router())
            .merge(langgraph::router())
            .merge(http)
            .merge(services)
            .merge(agents)
            .layer(middleware::from_fn_with_state(state.clone(), streams::mind))
            .layer(middleware::from_fn_with_state((state.clone(), door.clone()), guard::authenticate));
        let open =
            Router::new().merge(health::routes()).route("/openapi.json", get(openapi::serve)).with_state(state.clone());
        Ok(guarded
            .merge(open)
            .merge(card)
            .merge(health)
            .fallback_service(get(pages::serve).fallback(pages::serve).with_state(door.clone()))
            .method_not_allowed_fallback(|| async {
                HttpProblem::new(
                    StatusCode::METHOD_NOT_ALLOWED,
                    "method_not_allowed",
                    "this is asked for in another way",
                )
            })
            .layer(RequestBodyTimeoutLayer::new(BODY_PAUSE))
            .layer(middleware::from_fn_with_state(door.clone(), guard::check_names))
            .layer(middleware::from_fn(guard::identify))
            .layer(CatchPanicLayer::custom(panicked))
            .layer(SetResponseHeaderLayer::if_not_present(
                header::X_CONTENT_TYPE_OPTIONS,
                HeaderValue::from_static("nosniff"),
            ))
            .layer(SetResponseHeaderLayer::if_not_present(
                header::CONTENT_SECURITY_POLICY,
                HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
            ))
            .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))))
    }
}

/// Responds to a panic with a problem; the panic message is only logged.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn panicked(cause: Box<dyn std::any::Any + Send + 'static>) -> axum::response::Response {
    let message = cause.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("of an unknown kind");
    tracing::error!(message, "a request panicked");
    let problem = HttpProblem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the server made a mistake");
    axum::response::IntoResponse::into_response(problem)
}
