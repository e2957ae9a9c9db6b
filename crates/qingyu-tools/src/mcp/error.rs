//! Errors of mounting.

use crate::error::ToolError;
use crate::toolbox;

/// The error of mounting a server or tool.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// Invalid settings.
    #[error("the settings of the server '{server}' are invalid: {message}")]
    Settings {
        /// The server.
        server: String,
        /// Description of the error.
        message: String,
    },
    /// The server cannot be started or reached, or does not list its tools.
    #[error("the server '{server}' cannot be had: {source}")]
    Server {
        /// The server.
        server: String,
        /// The cause.
        source: ToolError,
    },
    /// A tool cannot be registered. The server's other tools are.
    #[error("a tool of the server '{server}' cannot be mounted: {source}")]
    Tool {
        /// The server.
        server: String,
        /// The cause.
        source: toolbox::Error,
    },
    /// The server lacks an allowed tool.
    #[error("the server '{server}' has no tool '{tool}'")]
    NoSuchTool {
        /// The server.
        server: String,
        /// The allowed tool.
        tool: String,
    },
    /// The build does not support mounting.
    #[error("this build was made without the feature `mcp`, which mounts the server '{server}'")]
    NotInBuild {
        /// The server.
        server: String,
    },
}

impl Error {
    /// Returns the name of the server.
    pub fn server(&self) -> &str {
        match self {
            Self::Settings { server, .. }
            | Self::Server { server, .. }
            | Self::Tool { server, .. }
            | Self::NoSuchTool { server, .. }
            | Self::NotInBuild { server } => server,
        }
    }
}
