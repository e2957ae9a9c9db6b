//! All doors behind one router.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, StatusCode, header};
use axum::routing::get;
use axum::{Router, middleware};
use qingyu_a2a::FileNotes;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::{Door, Problem, State, events, files, guard, health, openapi, operations, streams};
use crate::{agui, langgraph, mcp, openai, pages, workspace};

/// Where what other agents are to be told is kept, in the data folder.
const NOTES: &str = "a2a";

/// How long a client may pause while it sends the body of a request.
const BODY_PAUSE: Duration = Duration::from_secs(20);

/// How much larger than others the request with a manuscript may be, or with all chapters that a change touches.
const MANUSCRIPTS: usize = 64;

/// The router of all doors.
#[derive(Debug)]
pub struct App;

impl App {
    /// Every door over `state`'s studio.
    ///
    /// Fails if what the settings say of webhooks cannot be used.
    pub fn router(state: &State, door: &Door) -> Result<Router, qingyu_studio::web::Error> {
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
        let agents = qingyu_a2a::a2a(qingyu_a2a::Options {
            public_url: state.settings().public_url.clone(),
            needs_key: !door.is_local(),
            webhooks: state.settings().webhooks.clone(),
            heartbeat: state.heartbeat(),
            stop: state.stop().clone(),
            ..qingyu_a2a::Options::new(Arc::new(FileNotes::new(state.studio().home().join(NOTES))))
        })?;
        let grpc = qingyu_grpc::grpc(&qingyu_grpc::Options { stop: state.stop().clone() })
            .expect("the description is compiled in, and tested");
        let agents_grpc = tonic::service::Routes::new(agents.grpc).prepare().into_axum_router();
        let guarded = Router::new()
            .nest("/api/v1", api)
            .merge(health::metrics_route().with_state(state.clone()))
            .merge(protocols)
            .merge(agui::router())
            .merge(openai::router())
            .merge(langgraph::router())
            .merge(agents.http)
            .merge(grpc.services)
            .merge(agents_grpc)
            .layer(middleware::from_fn_with_state(state.clone(), streams::mind))
            .layer(middleware::from_fn_with_state((state.clone(), door.clone()), guard::authenticate));
        let open =
            Router::new().merge(health::routes()).route("/openapi.json", get(openapi::serve)).with_state(state.clone());
        Ok(guarded
            .merge(open)
            .merge(agents.card)
            .merge(grpc.health)
            .fallback_service(get(pages::serve).fallback(pages::serve).with_state(door.clone()))
            .method_not_allowed_fallback(|| async {
                Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this is asked for in another way")
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

/// A bug is told as a problem without what the panic said, which stands in the log.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn panicked(cause: Box<dyn std::any::Any + Send + 'static>) -> axum::response::Response {
    let message = cause.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("of an unknown kind");
    tracing::error!(message, "a request panicked");
    let problem = Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the server made a mistake");
    axum::response::IntoResponse::into_response(problem)
}
