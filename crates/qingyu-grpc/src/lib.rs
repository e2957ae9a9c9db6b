//! gRPC server: services over one studio, health and reflection.
//!
//! - `server`: the routers;
//! - `runs`, `projects`, `knowledge`, `operations`: the services of `proto/qingyu/v1`;
//! - `from_wire`, `to_wire`, `value`: conversion between messages and the studio's own types;
//! - `status`: errors, with machine-readable details;
//! - `deadline`: deadlines set by the caller.
//!
//! A layer in front inserts the caller's [`Studio`](qingyu_studio::Studio) into the extensions of a request; without
//! the studio a call is unauthenticated. A run continues after its caller disconnects.
//!
//! ```no_run
//! # async fn example(studio: qingyu_studio::Studio) -> Result<(), Box<dyn std::error::Error>> {
//! let grpc = qingyu_grpc::grpc(&qingyu_grpc::GrpcOptions::default())?;
//! let app = grpc.services.layer(axum::Extension(studio)).merge(grpc.health);
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! axum::serve(listener, app).await?;
//! # Ok(())
//! # }
//! ```
//!
//! The feature `client` adds clients for the services of [`proto`].

mod deadline;
mod from_wire;
mod knowledge;
mod operations;
mod projects;
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, reason = "it is generated")]
pub mod proto;
mod runs;
mod server;
mod status;
mod to_wire;
mod value;

pub use server::{DESCRIPTOR, GrpcOptions, GrpcRouters, grpc};
