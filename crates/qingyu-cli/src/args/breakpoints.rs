//! Arguments setting breakpoints.

use clap::Args;

/// The nodes before and after which a run stops.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct BreakpointArgs {
    /// Stop before the given node, and wait for `qingyu resume`; may be repeated.
    #[arg(long, value_name = "NODE")]
    pub(crate) stop_before: Vec<String>,
    /// Stop after the given node, and wait for `qingyu resume`; may be repeated.
    #[arg(long, value_name = "NODE")]
    pub(crate) stop_after: Vec<String>,
}
