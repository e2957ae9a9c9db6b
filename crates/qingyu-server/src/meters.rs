//! Metrics for Prometheus.
//!
//! `GET /metrics` returns the text format of Prometheus. Metrics of runs are derived from their events, so each run is
//! counted by the server working on the run; requests and connections are counted on arrival.

mod labels;
mod process;
mod runs;

use std::sync::OnceLock;

use prometheus::core::Collector;
use prometheus::{
    Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
    TextEncoder,
};
use qingyu_studio::Studio;

use labels::LabelValues;
use process::ProcessMeters;

/// Upper bounds of histogram buckets, in seconds: of responses, model calls and runs.
const ANSWERS: &[f64] = &[0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
const CALLS: &[f64] = &[0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0];
const RUNS: &[f64] = &[1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0];

/// The description of a meter.
struct MeterSpec {
    name: &'static str,
    labels: &'static [&'static str],
    /// Bucket bounds of a histogram.
    buckets: &'static [f64],
    about: &'static str,
}

impl MeterSpec {
    const fn new(name: &'static str, labels: &'static [&'static str], about: &'static str) -> Self {
        Self { name, labels, buckets: &[], about }
    }

    const fn with_buckets(self, buckets: &'static [f64]) -> Self {
        Self { buckets, ..self }
    }
}

/// Declares [`Meters`] with a field per meter, of the given type, name, labels and buckets.
macro_rules! meters {
    ($($field:ident: $family:ident = $name:literal $labels:tt $(in $buckets:ident)?, $about:literal;)+) => {
        /// The meters of a process.
        pub(crate) struct Meters {
            $(#[doc = $about] pub(crate) $field: $family,)+
            models: LabelValues,
            agents: LabelValues,
            tools: LabelValues,
            process: ProcessMeters,
            registry: Registry,
        }

        impl Meters {
            /// Registers the meters. Fails if a name is invalid or a duplicate.
            fn register() -> prometheus::Result<Self> {
                let registry = Registry::new();
                Ok(Self {
                    $($field: register(&registry, &MeterSpec::new($name, &$labels, $about)$(.with_buckets($buckets))?)?,)+
                    models: LabelValues::default(),
                    agents: LabelValues::default(),
                    tools: LabelValues::default(),
                    process: ProcessMeters::new(),
                    registry,
                })
            }
        }

        /// All meters with their types.
        #[cfg(test)]
        const ALL: &[(&str, MeterSpec)] =
            &[$((stringify!($family), MeterSpec::new($name, &$labels, $about)$(.with_buckets($buckets))?)),+];
    };
}

meters! {
    build: IntGaugeVec = "qingyu_build_info" ["version"], "1, with the version of the server.";
    requests: IntCounterVec = "qingyu_http_requests_total" ["door", "method", "status"], "Requests by door, method and status.";
    answer_seconds: HistogramVec = "qingyu_http_answer_seconds" ["door"] in ANSWERS, "Until the answer to a request begins, by door.";
    connections: IntGauge = "qingyu_http_connections" [], "Open connections.";
    connections_refused: IntCounter = "qingyu_http_connections_refused_total" [], "Connections that were refused, since as many were open as may.";
    streams: IntGauge = "qingyu_http_streams" [], "Open streams of events.";
    runs_at_work: IntGauge = "qingyu_runs_at_work" [], "Runs that this server works on.";
    runs_most: IntGauge = "qingyu_runs_most" [], "As many runs may this server work on at once.";
    runs_started: IntCounterVec = "qingyu_runs_started_total" ["resumed"], "Runs that were begun, or gone on with (resumed).";
    runs_ended: IntCounterVec = "qingyu_runs_ended_total" ["status"], "Runs that ended, or wait, by status.";
    run_seconds: Histogram = "qingyu_run_seconds" [] in RUNS, "How long completed runs have worked, all attempts together.";
    notices: IntCounterVec = "qingyu_notices_total" ["notice"], "Runs taken over from dead servers, runs refused, events lost.";
    events: IntCounter = "qingyu_events_total" [], "Events of runs that were kept.";
    model_calls: IntCounterVec = "qingyu_model_calls_total" ["model", "agent"], "Model calls that were paid for, by model and agent.";
    model_seconds: HistogramVec = "qingyu_model_call_seconds" ["model"] in CALLS, "How long model calls took, by model.";
    model_tokens: IntCounterVec = "qingyu_model_tokens_total" ["model", "direction"], "Tokens of model calls, by model and direction.";
    model_cost: IntCounterVec = "qingyu_model_cost_micros_total" ["model"], "What model calls cost, in millionths of the currency of the model's price.";
    model_reasks: IntCounterVec = "qingyu_model_reasks_total" ["model"], "How often a model was asked again, since its answer did not fit.";
    tool_calls: IntCounterVec = "qingyu_tool_calls_total" ["tool", "success"], "Calls of tools by agents, by tool and success.";
    reviews: IntCounterVec = "qingyu_reviews_total" ["passed"], "Reviews, by whether the text passed.";
}

impl Meters {
    /// Returns the meters of the process, created by the first call and shared by all servers of the process.
    pub(crate) fn of_process() -> &'static Self {
        static METERS: OnceLock<Meters> = OnceLock::new();
        METERS.get_or_init(|| {
            let meters = Self::register().expect("the names are valid and differ, which a test checks");
            meters.build.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1);
            meters
        })
    }

    /// Returns all meters in the text format of Prometheus.
    pub(crate) fn render(&self, studio: &Studio) -> String {
        self.runs_at_work.set(studio.runs_at_work() as i64);
        self.runs_most.set(studio.server_settings().runs as i64);
        let mut families = self.registry.gather();
        families.extend(self.process.gather());
        TextEncoder::new().encode_to_string(&families).expect("no family is empty")
    }
}

/// A type of meter.
trait MeterKind: Collector + Clone + 'static {
    fn from_meter(meter: &MeterSpec) -> prometheus::Result<Self>;
}

impl MeterKind for IntCounter {
    fn from_meter(meter: &MeterSpec) -> prometheus::Result<Self> {
        Self::new(meter.name, meter.about)
    }
}

impl MeterKind for IntCounterVec {
    fn from_meter(meter: &MeterSpec) -> prometheus::Result<Self> {
        Self::new(Opts::new(meter.name, meter.about), meter.labels)
    }
}

impl MeterKind for IntGauge {
    fn from_meter(meter: &MeterSpec) -> prometheus::Result<Self> {
        Self::new(meter.name, meter.about)
    }
}

impl MeterKind for IntGaugeVec {
    fn from_meter(meter: &MeterSpec) -> prometheus::Result<Self> {
        Self::new(Opts::new(meter.name, meter.about), meter.labels)
    }
}

impl MeterKind for Histogram {
    fn from_meter(meter: &MeterSpec) -> prometheus::Result<Self> {
        Self::with_opts(HistogramOpts::new(meter.name, meter.about).buckets(meter.buckets.to_vec()))
    }
}

impl MeterKind for HistogramVec {
    fn from_meter(meter: &MeterSpec) -> prometheus::Result<Self> {
        Self::new(HistogramOpts::new(meter.name, meter.about).buckets(meter.buckets.to_vec()), meter.labels)
    }
}

fn register<F: MeterKind>(registry: &Registry, meter: &MeterSpec) -> prometheus::Result<F> {
    let family = F::from_meter(meter)?;
    registry.register(Box::new(family.clone()))?;
    Ok(family)
}

/// A guard counting one item in a gauge until dropped.
#[derive(Debug)]
pub(crate) struct GaugeGuard(IntGauge);

impl GaugeGuard {
    /// Increments `gauge` until the returned guard is dropped.
    pub(crate) fn enter(gauge: &IntGauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the names of our meters occurring in a text.
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
        let ours: BTreeSet<String> = ALL.iter().map(|(_, meter)| meter.name.to_owned()).collect();
        assert_eq!(shown, ours);
    }

    #[test]
    fn the_page_on_running_a_server_names_every_meter() {
        let page = include_str!("../../../docs/deploy.md");
        let told = names(page);
        for (_, meter) in ALL {
            assert!(told.contains(meter.name), "{} is not in docs/deploy.md", meter.name);
        }
        assert_eq!(told.len(), ALL.len(), "{told:?}");
    }

    #[test]
    fn names_follow_the_rules_of_prometheus() {
        assert!(Meters::register().is_ok());
        for (family, meter) in ALL {
            assert_eq!(family.starts_with("IntCounter"), meter.name.ends_with("_total"), "{}", meter.name);
            assert_eq!(family.starts_with("Histogram"), meter.name.ends_with("_seconds"), "{}", meter.name);
            assert_eq!(family.starts_with("Histogram"), !meter.buckets.is_empty(), "{}", meter.name);
            assert_eq!(family.ends_with("Vec"), !meter.labels.is_empty(), "{}", meter.name);
            assert!(meter.about.ends_with('.'), "{}", meter.about);
        }
    }

    #[test]
    fn meters_are_rendered_as_prometheus_reads_them() {
        let meters = Meters::register().unwrap();
        meters.requests.with_label_values(&["api", "GET", "200"]).inc();
        meters.answer_seconds.with_label_values(&["api"]).observe(0.25);
        meters.model_calls.with_label_values(&["ollama/\"odd\"\n", "writer"]).inc_by(3);
        let text = TextEncoder::new().encode_to_string(&meters.registry.gather()).unwrap();
        for expected in [
            "# HELP qingyu_http_requests_total Requests by door, method and status.\n\
             # TYPE qingyu_http_requests_total counter\n\
             qingyu_http_requests_total{door=\"api\",method=\"GET\",status=\"200\"} 1\n",
            "# TYPE qingyu_http_answer_seconds histogram\n\
             qingyu_http_answer_seconds_bucket{door=\"api\",le=\"0.001\"} 0\n",
            "qingyu_http_answer_seconds_bucket{door=\"api\",le=\"0.25\"} 1\n\
             qingyu_http_answer_seconds_bucket{door=\"api\",le=\"1\"} 1\n",
            "qingyu_http_answer_seconds_bucket{door=\"api\",le=\"+Inf\"} 1\n\
             qingyu_http_answer_seconds_sum{door=\"api\"} 0.25\n\
             qingyu_http_answer_seconds_count{door=\"api\"} 1\n",
            "qingyu_model_calls_total{agent=\"writer\",model=\"ollama/\\\"odd\\\"\\n\"} 3\n",
            "# TYPE qingyu_http_connections gauge\nqingyu_http_connections 0\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }

    #[test]
    fn the_process_is_measured() {
        let families = ProcessMeters::new().gather();
        let value = |name: &str| {
            let family = families.iter().find(|family| family.name() == name)?;
            let metric = &family.get_metric()[0];
            Some(if name.ends_with("_total") {
                metric.get_counter().get_value()
            } else {
                metric.get_gauge().get_value()
            })
        };
        assert!(value("process_start_time_seconds").unwrap() > 1.7e9);
        if cfg!(unix) {
            assert!(value("process_cpu_seconds_total").unwrap() > 0.0);
            assert!(value("process_open_fds").unwrap() >= 3.0);
            assert!(value("process_max_fds").is_some() && value("process_virtual_memory_max_bytes").is_some());
        }
        if cfg!(target_os = "linux") {
            let resident = value("process_resident_memory_bytes").unwrap();
            assert!(resident > 1e6 && value("process_virtual_memory_bytes").unwrap() > resident);
            assert!(value("process_threads").unwrap() >= 1.0);
        }
    }
}
