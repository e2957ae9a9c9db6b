//! Meters as a function of what runs tell.

use metrics::{counter, histogram};
use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{EventKind, Notice, Observer, StudioEvent};

use super::{
    EVENTS, MODEL_CALLS, MODEL_COST, MODEL_REASKS, MODEL_SECONDS, MODEL_TOKENS, NOTICES, REVIEWS, RUN_SECONDS,
    RUNS_ENDED, RUNS_STARTED, TOOL_CALLS,
};

/// Counts what the runs of a process tell.
#[derive(Debug)]
pub(super) struct CountedRuns;

impl Observer for CountedRuns {
    fn event(&self, event: &StudioEvent) {
        counter!(EVENTS).increment(1);
        let ended = |status: &'static str| counter!(RUNS_ENDED, "status" => status).increment(1);
        match &event.kind {
            EventKind::RunStarted { resumed, .. } => {
                counter!(RUNS_STARTED, "resumed" => truth(*resumed)).increment(1);
            }
            EventKind::Completed { summary } => {
                ended("done");
                histogram!(RUN_SECONDS).record(seconds(summary.millis));
            }
            EventKind::Waiting { .. } => ended("waiting"),
            EventKind::Failed { .. } => ended("failed"),
            EventKind::Interrupted => ended("interrupted"),
            EventKind::Progress(progress) => of_progress(progress),
            EventKind::Saved { .. } => {}
        }
    }

    fn notice(&self, notice: Notice) {
        counter!(NOTICES, "notice" => notice.name()).increment(1);
    }
}

fn of_progress(progress: &Progress) {
    match progress {
        Progress::Called { reused: true, .. } | Progress::Called { replayed: true, .. } => {}
        Progress::Called { agent, model, usage, cost_micros, attempts, millis, .. } => {
            let model = || model.clone();
            counter!(MODEL_CALLS, "model" => model(), "agent" => agent.clone()).increment(1);
            histogram!(MODEL_SECONDS, "model" => model()).record(seconds(*millis));
            for (direction, tokens) in [("input", usage.input), ("cached", usage.cached), ("output", usage.output)] {
                counter!(MODEL_TOKENS, "model" => model(), "direction" => direction).increment(tokens);
            }
            if let Some(micros) = cost_micros {
                counter!(MODEL_COST, "model" => model()).increment(*micros);
            }
            if *attempts > 1 {
                counter!(MODEL_REASKS, "model" => model()).increment(u64::from(attempts - 1));
            }
        }
        Progress::ToolCalled { tool, success, .. } => {
            counter!(TOOL_CALLS, "tool" => tool.clone(), "success" => truth(*success)).increment(1);
        }
        Progress::Reviewed { report, .. } => counter!(REVIEWS, "passed" => truth(report.passed)).increment(1),
        _ => {}
    }
}

fn truth(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

fn seconds(millis: u64) -> f64 {
    millis as f64 / 1000.0
}
