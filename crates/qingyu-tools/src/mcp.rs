//! Tools of other servers, mounted over the Model Context Protocol.
//!
//! - [`McpServers`]: the servers and their permissions
//! - [`mount`]: fetches the servers' tools and registers them in a toolbox
//!
//! Output of a foreign tool is passed on up to 64 KiB and marked as untrusted; prompts fence such output. A server that
//! is missing, hangs or dies is an error of its own calls only, and restarted at the next call.

#[cfg(feature = "mcp")]
mod child;
#[cfg(feature = "mcp")]
mod connection;
mod error;
#[cfg(feature = "mcp")]
mod material;
#[cfg(feature = "mcp")]
mod mounting;
mod settings;
#[cfg(feature = "mcp")]
mod tool;

#[cfg(not(feature = "mcp"))]
use std::collections::BTreeMap;

#[cfg(not(feature = "mcp"))]
use crate::Toolbox;

pub use error::Error;
#[cfg(feature = "mcp")]
pub use mounting::mount;
pub use settings::{McpServer, McpServers};

/// Mounts nothing: returns an [`Error::NotInBuild`] for each server.
#[cfg(not(feature = "mcp"))]
pub async fn mount(servers: &McpServers, _: &BTreeMap<String, String>, _: &mut Toolbox) -> Vec<Error> {
    servers.0.keys().map(|server| Error::NotInBuild { server: server.clone() }).collect()
}
