//! Arguments of the commands about tools.

use clap::{Args, ValueEnum};

/// Arguments of `tools`.
#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    /// The name of a tool, such as character_tool.
    pub(crate) name: Option<String>,
}

/// Arguments of `tool`.
#[derive(Debug, Args)]
pub(crate) struct ToolArgs {
    /// The project.
    pub(crate) project: String,
    /// The tool, such as character_tool.
    pub(crate) tool: String,
    /// The arguments as JSON; `-` reads standard input, `@FILE` a file.
    #[arg(default_value = "{}")]
    pub(crate) arguments: String,
}

/// Arguments of `mcp`.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// The default project of calls.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// The permissions of the client.
    #[arg(long, value_name = "WHAT", default_value = "write")]
    pub(crate) allow: ClientPermission,
}

/// The permissions of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClientPermission {
    /// Read only.
    Read,
    /// Change projects.
    Write,
    /// Use the tools of other servers as well.
    Admin,
}
