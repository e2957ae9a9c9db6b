//! The doors through which other programs enter.
//!
//! The map:
//!
//! - [`mcp`]: the Model Context Protocol, over standard input and output or any other pair of streams
//!
//! Nothing here prints: standard output belongs to the protocol, and what there is to tell goes to `tracing`.

pub mod mcp;
