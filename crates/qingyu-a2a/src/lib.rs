//! Agent2Agent server: the studio as an agent for other agents, over JSON-RPC, HTTP+JSON and gRPC.
//!
//! A task is a run with the same id; a context is a project, or a name chosen by the client; a tenant is a project. A
//! message's request is in its data parts (`skill`, `project`, `options`), its words are in its text parts. All three
//! bindings call the same operations, and every update is a pure function of the run's events.
//!
//! ```no_run
//! # fn example() -> Result<(), qingyu_studio::web::Error> {
//! use std::sync::Arc;
//!
//! use qingyu_a2a::{A2a, FileNotes, A2aOptions};
//!
//! let notes = Arc::new(FileNotes::new("/var/lib/qingyu/a2a"));
//! let A2a { card, http, grpc } = qingyu_a2a::a2a(A2aOptions::new(notes))?;
//! let grpc = tonic::service::Routes::new(grpc).prepare().into_axum_router();
//! // Behind a layer that puts the caller's `Studio` among the extensions of each request; the card is for anybody.
//! let server = http.fallback_service(grpc).merge(card);
//! # let _: axum::Router = server;
//! # Ok(())
//! # }
//! ```
//!
//! The modules:
//!
//! - [`options`]: the options of the server
//! - `notes`: data of tasks stored in addition to their runs; `note_files`: the same as JSON files
//! - `agent`: the operations, for one caller; `wish` parses messages, `question` parses answers
//! - `task`, `frames`: a run as a task, its events as updates
//! - `card`, `skill`: the agent's description
//! - `http`, [`grpc`]: the bindings; `operation` is shared by the HTTP bindings
//! - `door`: shared state of all requests; `parameters`: the protocol version of a request
//! - `error`: all error mappings; `texts`: texts for people, in Chinese and English
//!
//! The feature `conformance` adds the behaviour required by the official compatibility kit.

mod agent;
mod card;
#[cfg(feature = "conformance")]
mod conformance;
mod door;
mod error;
mod frames;
pub mod grpc;
mod http;
pub mod note_files;
mod notes;
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

pub use grpc::A2aGrpcService;
pub use notes::FileNotes;
pub use options::A2aOptions;

use crate::door::A2aState;

/// Maximum size of a gRPC request, in bytes.
const LARGEST: usize = 4 * 1024 * 1024;

/// The routers and services to mount on a server's port.
#[derive(Debug)]
pub struct A2a {
    /// The card, available without a key.
    pub card: axum::Router,
    /// JSON-RPC and HTTP+JSON.
    pub http: axum::Router,
    /// gRPC.
    pub grpc: A2aServiceServer<A2aGrpcService>,
}

/// Creates the server's parts.
///
/// Fails if an allowed webhook is not `host:port`.
pub fn a2a(options: A2aOptions) -> Result<A2a, qingyu_studio::web::Error> {
    let door = Arc::new(A2aState::new(options)?);
    let (card, http) = (http::card(&door), http::router(&door));
    let grpc = A2aServiceServer::new(A2aGrpcService { door }).max_decoding_message_size(LARGEST);
    Ok(A2a { card, http, grpc })
}
