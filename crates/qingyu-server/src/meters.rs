//! What is counted, and how Prometheus is told.
//!
//! `GET /metrics` answers in the text format of Prometheus. What runs do is counted from their events, so that a run is
//! counted by the server that works on it; requests and connections are counted where they come in.

mod runs;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use metrics::{describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use qingyu_studio::Studio;

use runs::CountedRuns;

/// How often counted values are put into their buckets, asked for or not, so that they do not pile up.
const UPKEEP: Duration = Duration::from_secs(5);

/// The borders of buckets, in seconds: of answers, of model calls, of runs.
const ANSWERS: [f64; 10] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
const CALLS: [f64; 9] = [0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0];
const RUNS: [f64; 9] = [1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0];

/// One thing that is counted.
struct Meter {
    name: &'static str,
    kind: Kind,
    about: &'static str,
}

enum Kind {
    Counter,
    Gauge,
    /// With the upper borders of its buckets.
    Histogram(&'static [f64]),
}

macro_rules! meters {
    ($($constant:ident = $name:literal $kind:expr, $about:literal;)+) => {
        $(#[doc = $about] pub(crate) const $constant: &str = $name;)+
        const ALL: &[Meter] = &[$(Meter { name: $name, kind: $kind, about: $about }),+];
    };
}

meters! {
    BUILD = "qingyu_build_info" Kind::Gauge, "1, with the version of the server.";
    REQUESTS = "qingyu_http_requests_total" Kind::Counter, "Requests by door, method and status.";
    ANSWER_SECONDS = "qingyu_http_answer_seconds" Kind::Histogram(&ANSWERS), "Until the answer to a request begins, by door.";
    CONNECTIONS = "qingyu_http_connections" Kind::Gauge, "Open connections.";
    CONNECTIONS_REFUSED = "qingyu_http_connections_refused_total" Kind::Counter, "Connections that were refused, since as many were open as may.";
    STREAMS = "qingyu_http_streams" Kind::Gauge, "Open streams of events.";
    RUNS_AT_WORK = "qingyu_runs_at_work" Kind::Gauge, "Runs that this server works on.";
    RUNS_MOST = "qingyu_runs_most" Kind::Gauge, "As many runs may this server work on at once.";
    RUNS_STARTED = "qingyu_runs_started_total" Kind::Counter, "Runs that were begun, or gone on with (resumed).";
    RUNS_ENDED = "qingyu_runs_ended_total" Kind::Counter, "Runs that ended, or wait, by status.";
    RUN_SECONDS = "qingyu_run_seconds" Kind::Histogram(&RUNS), "How long completed runs have worked, all attempts together.";
    NOTICES = "qingyu_notices_total" Kind::Counter, "Runs taken over from dead servers, runs refused, events lost.";
    EVENTS = "qingyu_events_total" Kind::Counter, "Events of runs that were kept.";
    MODEL_CALLS = "qingyu_model_calls_total" Kind::Counter, "Model calls that were paid for, by model and agent.";
    MODEL_SECONDS = "qingyu_model_call_seconds" Kind::Histogram(&CALLS), "How long model calls took, by model.";
    MODEL_TOKENS = "qingyu_model_tokens_total" Kind::Counter, "Tokens of model calls, by model and direction.";
    MODEL_COST = "qingyu_model_cost_micros_total" Kind::Counter, "What model calls cost, in millionths of the currency of the model's price.";
    MODEL_REASKS = "qingyu_model_reasks_total" Kind::Counter, "How often a model was asked again, since its answer did not fit.";
    TOOL_CALLS = "qingyu_tool_calls_total" Kind::Counter, "Calls of tools by agents, by tool and success.";
    REVIEWS = "qingyu_reviews_total" Kind::Counter, "Reviews, by whether the text passed.";
}

/// The meters of a process.
#[derive(Debug, Clone)]
pub(crate) struct Meters {
    handle: PrometheusHandle,
    process: Collector,
}

impl Meters {
    /// The meters of this process, which count from now on.
    pub(crate) fn of_process() -> Self {
        static METERS: OnceLock<Meters> = OnceLock::new();
        METERS.get_or_init(Self::install).clone()
    }

    fn install() -> Self {
        let recorder = builder().build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("this process counts already, for somebody else: `/metrics` stays empty");
        }
        for Meter { name, kind, about } in ALL {
            match kind {
                Kind::Counter => describe_counter!(*name, *about),
                Kind::Gauge => describe_gauge!(*name, *about),
                Kind::Histogram(_) => describe_histogram!(*name, *about),
            }
        }
        let process = Collector::default();
        process.describe();
        gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        Self { handle, process }
    }

    /// Counts what runs of `studio` do.
    pub(crate) fn count_runs_of(studio: &Studio) {
        studio.observe(Arc::new(CountedRuns));
    }

    /// All meters in the text format of Prometheus.
    pub(crate) fn render(&self, studio: &Studio) -> String {
        gauge!(RUNS_AT_WORK).set(studio.runs_at_work() as f64);
        gauge!(RUNS_MOST).set(studio.server_settings().runs as f64);
        self.process.collect();
        self.handle.render()
    }

    /// Keeps what is counted small, for ever.
    pub(crate) async fn tend(&self) {
        loop {
            tokio::time::sleep(UPKEEP).await;
            self.handle.run_upkeep();
        }
    }
}

fn builder() -> PrometheusBuilder {
    ALL.iter().fold(PrometheusBuilder::new(), |builder, meter| match meter.kind {
        Kind::Histogram(borders) => {
            let matcher = Matcher::Full(meter.name.to_owned());
            builder.set_buckets_for_metric(matcher, borders).expect("there are borders")
        }
        Kind::Counter | Kind::Gauge => builder,
    })
}

/// One of those that are there now; it is counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Present(&'static str);

impl Present {
    /// Counts one more in the gauge of this name.
    pub(crate) fn enter(name: &'static str) -> Self {
        gauge!(name).increment(1.0);
        Self(name)
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        gauge!(self.0).decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The names of our meters in a text.
    fn names(text: &str) -> BTreeSet<&str> {
        let is_of_name = |c: char| c.is_ascii_lowercase() || c == '_';
        text.split(|c| !is_of_name(c)).filter(|word| word.starts_with("qingyu_")).collect()
    }

    #[test]
    fn the_dashboard_shows_every_meter_and_no_other() {
        let dashboard = include_str!("../../../deploy/grafana/qingyu.json");
        let dashboard: serde_json::Value = serde_json::from_str(dashboard).unwrap();
        let mut shown = BTreeSet::new();
        for panel in dashboard["panels"].as_array().unwrap() {
            for target in panel["targets"].as_array().into_iter().flatten() {
                let expression = target["expr"].as_str().unwrap();
                shown.extend(names(expression).into_iter().map(|name| name.trim_end_matches("_bucket").to_owned()));
            }
        }
        let ours: BTreeSet<String> = ALL.iter().map(|meter| meter.name.to_owned()).collect();
        assert_eq!(shown, ours);
    }

    #[test]
    fn the_page_on_running_a_server_names_every_meter() {
        let page = include_str!("../../../docs/deploy.md");
        let told = names(page);
        for meter in ALL {
            assert!(told.contains(meter.name), "{} is not in docs/deploy.md", meter.name);
        }
        assert_eq!(told.len(), ALL.len(), "{told:?}");
    }

    #[test]
    fn names_follow_the_rules_of_prometheus() {
        for meter in ALL {
            assert_eq!(matches!(meter.kind, Kind::Counter), meter.name.ends_with("_total"), "{}", meter.name);
            assert_eq!(matches!(meter.kind, Kind::Histogram(_)), meter.name.ends_with("_seconds"), "{}", meter.name);
            assert!(meter.about.ends_with('.'), "{}", meter.about);
        }
    }
}
