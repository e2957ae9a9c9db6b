//! Arguments of `serve`.

use std::net::IpAddr;

use clap::{Args, ValueEnum};

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The address to listen on; beyond localhost every request must authenticate with a key.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<IpAddr>,
    /// The port; 0 selects a free port.
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// The public address of the server.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// Open the studio in the browser.
    #[arg(long)]
    pub(crate) open: bool,
    /// The format of the log on standard error (default: QINGYU_LOG_FORMAT, then text).
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
}

/// The format of the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object per line, for machines.
    Json,
}
