//! Meters derived from run events.

use std::sync::Arc;

use qingyu_studio::agents::progress::Progress;
use qingyu_studio::{Observer, ProcessNotice, Studio, StudioEvent, StudioEventKind};

use super::Meters;

impl Meters {
    /// Subscribes the meters to the runs of `studio`.
    pub(crate) fn count_runs_of(studio: &Studio) {
        studio.observe(Arc::new(CountedRuns));
    }
}

/// An observer counting the run events of a process.
#[derive(Debug)]
struct CountedRuns;

impl Observer for CountedRuns {
    fn event(&self, event: &StudioEvent) {
        let meters = Meters::of_process();
        meters.events.inc();
        let ended = |status: &str| meters.runs_ended.with_label_values(&[status]).inc();
        match &event.kind {
            StudioEventKind::RunStarted { resumed, .. } => {
                meters.runs_started.with_label_values(&[truth(*resumed)]).inc();
            }
            StudioEventKind::Completed { summary } => {
                ended("done");
                meters.run_seconds.observe(seconds(summary.millis));
            }
            StudioEventKind::Waiting { .. } => ended("waiting"),
            StudioEventKind::Failed { .. } => ended("failed"),
            StudioEventKind::Interrupted => ended("interrupted"),
            StudioEventKind::Progress(progress) => of_progress(meters, progress),
            StudioEventKind::Saved { .. } => {}
        }
    }

    fn notice(&self, notice: ProcessNotice) {
        Meters::of_process().notices.with_label_values(&[notice.name()]).inc();
    }
}

fn of_progress(meters: &Meters, progress: &Progress) {
    match progress {
        Progress::Called { reused: true, .. } | Progress::Called { replayed: true, .. } => {}
        Progress::Called { agent, model, usage, cost_micros, attempts, millis, .. } => {
            let (model, agent) = (meters.models.limit(model), meters.agents.limit(agent));
            meters.model_calls.with_label_values(&[model, agent]).inc();
            meters.model_seconds.with_label_values(&[model]).observe(seconds(*millis));
            for (direction, tokens) in [("input", usage.input), ("cached", usage.cached), ("output", usage.output)] {
                meters.model_tokens.with_label_values(&[model, direction]).inc_by(tokens);
            }
            if let Some(micros) = cost_micros {
                meters.model_cost.with_label_values(&[model]).inc_by(*micros);
            }
            if *attempts > 1 {
                meters.model_reasks.with_label_values(&[model]).inc_by(u64::from(attempts - 1));
            }
        }
        Progress::ToolCalled { tool, success, .. } => {
            meters.tool_calls.with_label_values(&[meters.tools.limit(tool), truth(*success)]).inc();
        }
        Progress::Reviewed { report, .. } => meters.reviews.with_label_values(&[truth(report.passed)]).inc(),
        _ => {}
    }
}

fn truth(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

fn seconds(millis: u64) -> f64 {
    millis as f64 / 1000.0
}
