//! Arguments of the commands about tools.

use clap::{Args, ValueEnum};

/// Arguments of `tools`.
#[derive(Debug, Args)]
pub(crate) struct Tools {
    /// The name of a tool, such as character_tool.
    pub(crate) name: Option<String>,
}

/// Arguments of `tool`.
#[derive(Debug, Args)]
pub(crate) struct Tool {
    /// The project.
    pub(crate) project: String,
    /// The tool, such as character_tool.
    pub(crate) tool: String,
    /// Its arguments as JSON; `-` reads standard input, `@FILE` a file.
    #[arg(default_value = "{}")]
    pub(crate) arguments: String,
}

/// Arguments of `mcp`.
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// The project that is meant where a call names none.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// What the client may do.
    #[arg(long, value_name = "WHAT", default_value = "write")]
    pub(crate) allow: Allow,
}

/// What a client may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allow {
    /// Look.
    Read,
    /// Change projects.
    Write,
    /// Use the tools of other servers as well.
    Admin,
}
