//! The gRPC door: services over one studio, health and reflection.
//!
//! - `runs`, `projects`, `knowledge`, `operations`: one service each, of `proto/qingyu/v1`;
//! - `from_wire`, `to_wire`, `value`: between messages and the studio's own types;
//! - `status`: failures, with details that programs can read;
//! - `deadline`: calls end when their caller stops waiting.
//!
//! The layer in front puts the [`Studio`](qingyu_studio::Studio) of whoever asks among the extensions of a request;
//! without one a call is unauthenticated. Whoever goes away leaves a run at work.
//!
//! ```no_run
//! # async fn example(studio: qingyu_studio::Studio) -> Result<(), Box<dyn std::error::Error>> {
//! let grpc = qingyu_grpc::grpc(&qingyu_grpc::Options::default())?;
//! let app = grpc.services.layer(axum::Extension(studio)).merge(grpc.health);
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! axum::serve(listener, app).await?;
//! # Ok(())
//! # }
//! ```
//!
//! The feature `client` adds the other side of each service to [`proto`].

mod deadline;
mod from_wire;
mod knowledge;
mod operations;
mod projects;
mod runs;
mod status;
mod to_wire;
mod value;

use std::convert::Infallible;

use axum::response::IntoResponse;
use axum::{Router, middleware};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic_health::server::HealthReporter;
use tower::{Service, ServiceExt};

use crate::knowledge::Knowledge;
use crate::operations::Operations;
use crate::projects::Projects;
use crate::proto::knowledge_service_server::KnowledgeServiceServer;
use crate::proto::operation_service_server::OperationServiceServer;
use crate::proto::project_service_server::ProjectServiceServer;
use crate::proto::run_service_server::RunServiceServer;
use crate::runs::Runs;

/// Messages and services, made of `proto/qingyu/v1`; what they mean is written there.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, reason = "it is generated")]
pub mod proto {
    tonic::include_proto!("qingyu.v1");
}

/// The description of all messages and services, for clients that ask for it.
pub const DESCRIPTOR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptor.bin"));

/// The largest request, in bytes.
const LARGEST_REQUEST: usize = 4 * 1024 * 1024;

/// What the door is told.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Ends streams, and makes health say that nothing is served any more.
    pub stop: CancellationToken,
}

/// The door. Both routers have no fallback, so that they merge with any other.
#[derive(Debug)]
pub struct Grpc {
    /// The services and reflection, for whoever the layer in front lets in.
    pub services: Router,
    /// Health (`grpc.health.v1`), for everybody: it tells nothing but whether there is a server.
    pub health: Router,
}

/// The door with these options. Has to be called where tokio runs, since health waits for the end.
///
/// Fails only if the description that was compiled in is damaged.
pub fn grpc(options: &Options) -> Result<Grpc, tonic_reflection::server::Error> {
    let reflection = || tonic_reflection::server::Builder::configure().register_encoded_file_descriptor_set(DESCRIPTOR);
    let runs = RunServiceServer::new(Runs { stop: options.stop.clone() });
    let services = Router::new();
    let services = add(services, runs.max_decoding_message_size(LARGEST_REQUEST));
    let services = add(services, ProjectServiceServer::new(Projects).max_decoding_message_size(LARGEST_REQUEST));
    let services = add(services, KnowledgeServiceServer::new(Knowledge).max_decoding_message_size(LARGEST_REQUEST));
    let services =
        add(services, OperationServiceServer::new(Operations::new()).max_decoding_message_size(LARGEST_REQUEST));
    let services = add(services, reflection().build_v1()?);
    let services = add(services, reflection().build_v1alpha()?);
    let (reporter, health) = tonic_health::server::health_reporter();
    tokio::spawn(report(reporter, options.stop.clone()));
    Ok(Grpc { services: services.layer(middleware::from_fn(deadline::keep)), health: add(Router::new(), health) })
}

/// Tells that everything is served, until it is not.
async fn report(reporter: HealthReporter, stop: CancellationToken) {
    reporter.set_serving::<RunServiceServer<Runs>>().await;
    reporter.set_serving::<ProjectServiceServer<Projects>>().await;
    reporter.set_serving::<KnowledgeServiceServer<Knowledge>>().await;
    reporter.set_serving::<OperationServiceServer<Operations>>().await;
    stop.cancelled().await;
    reporter.set_service_status("", tonic_health::ServingStatus::NotServing).await;
    reporter.set_not_serving::<RunServiceServer<Runs>>().await;
    reporter.set_not_serving::<ProjectServiceServer<Projects>>().await;
    reporter.set_not_serving::<KnowledgeServiceServer<Knowledge>>().await;
    reporter.set_not_serving::<OperationServiceServer<Operations>>().await;
}

/// A service at its place. `tonic::service::Routes` would bring a fallback, of which a merged router may have only one.
fn add<S>(router: Router, service: S) -> Router
where
    S: Service<http::Request<Body>, Error = Infallible> + NamedService + Clone + Send + Sync + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
{
    let service = service.map_request(|request: http::Request<axum::body::Body>| request.map(Body::new));
    router.route_service(&format!("/{}/{{*method}}", S::NAME), service)
}
