//! Arguments of `serve`.

use std::net::IpAddr;

use clap::Args;

use crate::log::LogFormat;

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The address that is listened at; beyond this machine a key is demanded of everybody.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<IpAddr>,
    /// The port; 0 takes any that is free.
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// The address that others are told.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// Opens the studio in the browser.
    #[arg(long)]
    pub(crate) open: bool,
    /// How the log on standard error is written (else QINGYU_LOG_FORMAT, else text).
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
}
