//! Arguments of the commands listing runs and reading, editing and forking one.

use clap::{Args, Subcommand};

use super::runs::WatchArgs;

/// Arguments of `runs`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct RunsArgs {
    /// A command for the checkpoints of one run.
    #[command(subcommand)]
    pub(crate) command: Option<RunsCommand>,
    /// Only the runs of the given project.
    pub(crate) project: Option<String>,
    /// Only runs in progress or waiting for you.
    #[arg(long)]
    pub(crate) open: bool,
    /// Maximum number of runs.
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) limit: u32,
    /// Only runs listed after the given run.
    #[arg(long, value_name = "RUN")]
    pub(crate) after: Option<String>,
}

/// A command for the checkpoints of a run.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List the checkpoints of a run, newest first.
    History(RunHistoryArgs),
    /// Show the state of a run at a checkpoint, or the prompts of a node.
    State(RunStateArgs),
    /// Edit the state of a stopped run.
    Edit(RunEditArgs),
    /// Continue from a checkpoint in a new run; the old run stays as it is.
    Fork(RunForkArgs),
    /// Show, name or remove the only person who may answer a run.
    Approver(RunApproverArgs),
}

/// Arguments of `runs approver`.
#[derive(Debug, Args)]
pub(crate) struct RunApproverArgs {
    /// The run, or a project for its newest run; an id prefix is enough.
    pub(crate) run: String,
    /// The approver: the name of a member with the role approve, or the user id of the project's owner (local on this
    /// machine).
    pub(crate) name: Option<String>,
    /// Let everybody answer who may write.
    #[arg(long, conflicts_with = "name")]
    pub(crate) nobody: bool,
}

/// Arguments of `runs history`.
#[derive(Debug, Args)]
pub(crate) struct RunHistoryArgs {
    /// The run, or a project for its newest run; an id prefix is enough.
    pub(crate) run: String,
    /// Only checkpoints before the given checkpoint.
    #[arg(long, value_name = "CHECKPOINT")]
    pub(crate) before: Option<u64>,
    /// Maximum number of checkpoints.
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) limit: u32,
}

/// Arguments of `runs state`.
#[derive(Debug, Args)]
pub(crate) struct RunStateArgs {
    /// The run, or a project for its newest run; an id prefix is enough.
    pub(crate) run: String,
    /// The checkpoint, from `qingyu runs history` (default: the newest).
    #[arg(long, value_name = "CHECKPOINT")]
    pub(crate) at: Option<u64>,
    /// Show what the given node asked its models instead, with its correction prompt.
    #[arg(long, value_name = "NODE")]
    pub(crate) prompt: Option<String>,
}

/// Arguments of `runs edit`.
#[derive(Debug, Args)]
pub(crate) struct RunEditArgs {
    /// The run, or a project for its newest run; an id prefix is enough.
    pub(crate) run: String,
    /// The checkpoint (default: the newest); an edit of an earlier checkpoint becomes a new run.
    #[arg(long, value_name = "CHECKPOINT")]
    pub(crate) at: Option<u64>,
    /// The new value of a field, as JSON or text; @FILE reads a file; may be repeated.
    #[arg(long, value_name = "FIELD=VALUE", required = true)]
    pub(crate) set: Vec<String>,
    /// Count the edit as the work of the given node, and continue after the node.
    #[arg(long = "as", value_name = "NODE")]
    pub(crate) as_node: Option<String>,
}

/// Arguments of `runs fork`.
#[derive(Debug, Args)]
pub(crate) struct RunForkArgs {
    /// The run, or a project for its newest run; an id prefix is enough.
    pub(crate) run: String,
    /// The checkpoint, from `qingyu runs history`.
    #[arg(long, value_name = "CHECKPOINT")]
    pub(crate) at: u64,
    /// Ask the models again instead of reusing the answers of the old run.
    #[arg(long)]
    pub(crate) afresh: bool,
    /// Start the new run at once.
    #[arg(long)]
    pub(crate) resume: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}
