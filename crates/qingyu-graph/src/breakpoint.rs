//! Breakpoints set for the runs of a thread, in addition to the breakpoints of the graph.

use std::collections::BTreeSet;

use crate::superstep::Checkpoint;

/// The nodes before and after which a run stops.
#[derive(Debug, Clone, Default)]
pub(crate) struct Breakpoints {
    pub(crate) before: BTreeSet<String>,
    pub(crate) after: BTreeSet<String>,
}

impl Breakpoints {
    /// Makes a new checkpoint of the graph a breakpoint if one of the due nodes, or one of the nodes in `ran`, is named.
    pub(crate) fn mark<'a>(&self, checkpoint: &mut Checkpoint, ran: impl IntoIterator<Item = &'a str>) {
        let is_due = checkpoint.next.iter().any(|task| self.before.contains(&*task.node));
        let has_run = ran.into_iter().any(|node| self.after.contains(node));
        checkpoint.is_breakpoint |= !checkpoint.next.is_empty() && (is_due || has_run);
    }
}
