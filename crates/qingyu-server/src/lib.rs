//! The doors for other programs, on one port.
//!
//! - [`serve`]: the server, from its listener to its end
//! - [`http`]: the API, and what stands before all doors over HTTP
//! - [`mcp`]: the Model Context Protocol
//! - `pages`: the studio in a browser
//! - [`client`]: the other side, for who asks a server
//! - [`traces`]: what runs do, for OpenTelemetry
//! - [`agui`]: chat kits; [`openai`]: chat completions; [`langgraph`]: the LangGraph server API
//!
//! The feature `testing` opens what reads the wire to tests that feed it with anything.

pub mod agui;
mod chat;
pub mod client;
pub mod http;
pub mod langgraph;
pub mod mcp;
mod meters;
pub mod openai;
mod pages;
pub mod serve;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod traces;
mod workspace;

pub use client::Client;
pub use serve::Server;
