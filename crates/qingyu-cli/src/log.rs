//! Logging to standard error: off by default, except for the log of a server.

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

use crate::args::{Command, GlobalArgs, LogFormat};

/// Initializes the logging of a command.
pub(crate) fn start(global: &GlobalArgs, command: &Command) {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (is_server, format) = match command {
        Command::Serve(serve) => (true, serve.log_format),
        _ => (false, None),
    };
    let filter = match (variable("QINGYU_LOG"), global.verbose, is_server) {
        (Some(directives), ..) => EnvFilter::new(directives),
        (None, 0, false) => return,
        (None, 0, true) | (None, 1, _) => EnvFilter::new("warn,qingyu=info"),
        (None, ..) => EnvFilter::new("info,qingyu=debug"),
    };
    let told = || variable("QINGYU_LOG_FORMAT").and_then(|name| LogFormat::from_str(&name, true).ok());
    let is_colored = AutoStream::choice(&std::io::stderr()) != ColorChoice::Never;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(is_colored);
    match format.or_else(told).unwrap_or_default() {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).with_current_span(false).init(),
    }
}
