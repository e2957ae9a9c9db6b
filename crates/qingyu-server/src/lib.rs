//! Server for other programs: all protocols on one port.
//!
//! - [`serve`]: the server, from listening to shutdown
//! - [`http`]: the API, and the layers shared by all protocols over HTTP
//! - [`mcp`]: the Model Context Protocol
//! - `pages`: the studio in a browser
//! - `workspace`: the routes of a workspace, for remote tools
//! - `meters`: metrics for Prometheus; [`traces`]: OpenTelemetry traces of runs
//! - [`agui`]: chat kits; [`openai`]: chat completions; [`langgraph`]: the LangGraph server API; `chat`: their shared parts

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
