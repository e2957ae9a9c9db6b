//! The Agent2Agent door: the studio as an agent for other agents, over JSON-RPC, HTTP+JSON and gRPC.
//!
//! A task is a run, and has its id; a context is a project, or whatever the client calls it; a tenant is a project. What a
//! message wants stands in its data parts (`skill`, `project`, `options`), its words are its text parts. All three bindings
//! call the same operations, and every update is a pure function of the run's events.
//!
//! ```no_run
//! # fn example() -> Result<(), qingyu_studio::web::Error> {
//! use std::sync::Arc;
//!
//! use qingyu_a2a::{A2a, FileNotes, Options};
//!
//! let notes = Arc::new(FileNotes::new("/var/lib/qingyu/a2a"));
//! let A2a { card, http, grpc } = qingyu_a2a::a2a(Options::new(notes))?;
//! let grpc = tonic::service::Routes::new(grpc).prepare().into_axum_router();
//! // Behind a layer that puts the caller's `Studio` among the extensions of each request; the card is for anybody.
//! let server = http.fallback_service(grpc).merge(card);
//! # let _: axum::Router = server;
//! # Ok(())
//! # }
//! ```
//!
//! The map:
//!
//! - [`options`]: what whoever mounts the door decides
//! - [`notes`]: what is kept of tasks beyond their runs
//! - `agent`: the operations, for one caller; `wish` reads messages, `question` what they answer
//! - `task`, `frames`: a run as a task, its events as updates
//! - `card`, `skill`: what the agent says of itself
//! - `http`, [`grpc`]: the bindings; `operation` is what those over HTTP share
//! - `error`: failures, mapped in one place
//!
//! The feature `conformance` adds what the official compatibility kit wants of the agent that it tries.

mod agent;
mod card;
#[cfg(feature = "conformance")]
mod conformance;
mod door;
mod error;
mod frames;
pub mod grpc;
mod http;
pub mod notes;
mod operation;
pub mod options;
mod parameters;
mod question;
mod skill;
mod task;
mod texts;
mod wish;

use std::sync::Arc;

use a2a_pb::proto::a2a_service_server::A2aServiceServer;

pub use grpc::Grpc;
pub use notes::{FileNotes, Note, Notes};
pub use options::Options;

use crate::door::Door;

/// The most bytes of a gRPC request.
const LARGEST: usize = 4 * 1024 * 1024;

/// The door: what is mounted on a server's one port.
#[derive(Debug)]
pub struct A2a {
    /// The card, which needs no key.
    pub card: axum::Router,
    /// JSON-RPC and HTTP+JSON.
    pub http: axum::Router,
    /// gRPC.
    pub grpc: A2aServiceServer<Grpc>,
}

/// Makes the door.
///
/// Fails if one of the webhooks that are allowed is not `host:port`.
pub fn a2a(options: Options) -> Result<A2a, qingyu_studio::web::Error> {
    let door = Arc::new(Door::new(options)?);
    let (card, http) = (http::card(&door), http::router(&door));
    let grpc = A2aServiceServer::new(Grpc { door }).max_decoding_message_size(LARGEST);
    Ok(A2a { card, http, grpc })
}
