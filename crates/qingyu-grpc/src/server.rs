//! The routers of the server: services, reflection and health.

use std::convert::Infallible;

use axum::response::IntoResponse;
use axum::{Router, middleware};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic_health::server::HealthReporter;
use tower::{Service, ServiceExt};

use crate::deadline;
use crate::knowledge::KnowledgeRpc;
use crate::operations::OperationsRpc;
use crate::projects::ProjectsRpc;
use crate::proto::knowledge_service_server::KnowledgeServiceServer;
use crate::proto::operation_service_server::OperationServiceServer;
use crate::proto::project_service_server::ProjectServiceServer;
use crate::proto::run_service_server::RunServiceServer;
use crate::runs::RunsRpc;

/// The descriptor of all messages and services, for reflection.
pub const DESCRIPTOR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptor.bin"));

/// Maximum size of a request, in bytes.
const LARGEST_REQUEST: usize = 4 * 1024 * 1024;

/// The options of the server.
#[derive(Debug, Clone, Default)]
pub struct GrpcOptions {
    /// Shutdown token: ends streams and sets the health status to not serving.
    pub stop: CancellationToken,
}

/// The routers to mount. Both have no fallback, so they can be merged with any other.
#[derive(Debug)]
pub struct GrpcRouters {
    /// The services and reflection, for authenticated callers.
    pub services: Router,
    /// Health (`grpc.health.v1`), without authentication; only reports whether the server is serving.
    pub health: Router,
}

/// Creates the routers. Must be called inside a tokio runtime, since health waits for the shutdown.
///
/// Fails only if the compiled-in descriptor is damaged.
pub fn grpc(options: &GrpcOptions) -> Result<GrpcRouters, tonic_reflection::server::Error> {
    let reflection = || tonic_reflection::server::Builder::configure().register_encoded_file_descriptor_set(DESCRIPTOR);
    let runs = RunServiceServer::new(RunsRpc { stop: options.stop.clone() });
    let services = Router::new();
    let services = add(services, runs.max_decoding_message_size(LARGEST_REQUEST));
    let services = add(services, ProjectServiceServer::new(ProjectsRpc).max_decoding_message_size(LARGEST_REQUEST));
    let services = add(services, KnowledgeServiceServer::new(KnowledgeRpc).max_decoding_message_size(LARGEST_REQUEST));
    let services =
        add(services, OperationServiceServer::new(OperationsRpc::new()).max_decoding_message_size(LARGEST_REQUEST));
    let services = add(services, reflection().build_v1()?);
    let services = add(services, reflection().build_v1alpha()?);
    let (reporter, health) = tonic_health::server::health_reporter();
    tokio::spawn(report(reporter, options.stop.clone()));
    Ok(GrpcRouters {
        services: services.layer(middleware::from_fn(deadline::keep)),
        health: add(Router::new(), health),
    })
}

/// Reports all services as serving, until shutdown.
async fn report(reporter: HealthReporter, stop: CancellationToken) {
    reporter.set_serving::<RunServiceServer<RunsRpc>>().await;
    reporter.set_serving::<ProjectServiceServer<ProjectsRpc>>().await;
    reporter.set_serving::<KnowledgeServiceServer<KnowledgeRpc>>().await;
    reporter.set_serving::<OperationServiceServer<OperationsRpc>>().await;
    stop.cancelled().await;
    reporter.set_service_status("", tonic_health::ServingStatus::NotServing).await;
    reporter.set_not_serving::<RunServiceServer<RunsRpc>>().await;
    reporter.set_not_serving::<ProjectServiceServer<ProjectsRpc>>().await;
    reporter.set_not_serving::<KnowledgeServiceServer<KnowledgeRpc>>().await;
    reporter.set_not_serving::<OperationServiceServer<OperationsRpc>>().await;
}

/// Adds a service at its path. `tonic::service::Routes` would add a fallback, but merged routers can have only one.
fn add<S>(router: Router, service: S) -> Router
where
    S: Service<http::Request<Body>, Error = Infallible> + NamedService + Clone + Send + Sync + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
{
    let service = service.map_request(|request: http::Request<axum::body::Body>| request.map(Body::new));
    router.route_service(&format!("/{}/{{*method}}", S::NAME), service)
}
