//! The doors for other programs, on one port.
//!
//! - [`serve`]: the server, from its listener to its end
//! - [`http`]: the API, and what stands before all doors over HTTP
//! - [`mcp`]: the Model Context Protocol
//! - `pages`: the studio in a browser
//! - [`traces`]: what runs do, for OpenTelemetry
//! - [`agui`]: chat kits; [`openai`]: chat completions; [`langgraph`]: the LangGraph server API

pub mod agui;
mod chat;
pub mod http;
pub mod langgraph;
pub mod mcp;
mod meters;
pub mod openai;
mod pages;
pub mod serve;
pub mod traces;
mod workspace;

pub use serve::Server;
