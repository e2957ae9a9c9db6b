//! HTTP server: one port for all protocols.
//!
//! - `App`: the router of all protocols; [`listen`]: a listener serving the router, `connections`: the connection
//!   limit, `tracked`: tracking of read bodies
//! - `guard`: host and origin checks and authentication before every route; `dialects`: errors in the formats of other
//!   protocols
//! - `operations`: the routes of the API; [`openapi`]: the OpenAPI document
//! - `events`: the events of a run as a stream; `files`: books and content as downloads
//! - `streams`: shared handling of event streams
//! - `health`: liveness, readiness and metrics
//! - `HttpCaller`, `HttpProblem`: the authenticated caller, and error responses; `media`: the declared type of a body

mod app;
mod audit;
mod caller;
mod connections;
mod dialects;
mod events;
mod files;
mod guard;
mod health;
pub mod listen;
mod media;
pub mod openapi;
pub(crate) mod operations;
mod problem;
mod state;
mod streams;
mod tracked;

pub(crate) use app::App;
pub(crate) use caller::HttpCaller;
pub(crate) use guard::AccessPolicy;
pub(crate) use media::is_json;
pub(crate) use problem::HttpProblem;
pub use problem::status;
pub(crate) use state::ServerState;
