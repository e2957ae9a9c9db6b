//! OpenTelemetry traces of runs.
//!
//! Traces are derived from run events: one trace per run, across all servers working on the run, with a span for each
//! attempt and nested spans for agents, model calls and tools. Names and attributes follow the semantic conventions for
//! generative AI. Traces are sent by OTLP over HTTP, as JSON, to `OTEL_EXPORTER_OTLP_ENDPOINT`; without the variable
//! nothing is sent.

mod export;
mod otlp;
mod spans;

use std::sync::{Arc, Mutex, PoisonError};

use qingyu_studio::{Observer, StudioEvent};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio_util::sync::CancellationToken;

pub use export::{Error, TraceTarget};
use otlp::OtlpSpan;
use spans::OpenTraces;

/// Maximum number of buffered spans; further spans are dropped and counted in the log.
const WAITING: usize = 8192;

/// An observer converting run events to spans for the exporter.
#[derive(Debug)]
struct RunTracer {
    traces: Mutex<OpenTraces>,
    spans: mpsc::Sender<OtlpSpan>,
}

impl Observer for RunTracer {
    fn event(&self, event: &StudioEvent) {
        let spans = self.traces.lock().unwrap_or_else(PoisonError::into_inner).told(event);
        for span in spans {
            if let Err(TrySendError::Full(_)) = self.spans.try_send(span) {
                tracing::warn!(run = event.run, "a span was lost: the collector of traces is too slow");
            }
        }
    }
}

/// Returns an observer converting run events to spans, and the exporter sending them to `target` until `stop`,
/// including buffered spans. `server` identifies the process among the servers working on the same runs.
///
/// Fails with [`Error`] if no HTTP client can be created for the target.
pub fn start(
    target: TraceTarget,
    server: &str,
    stop: CancellationToken,
) -> Result<(Arc<dyn Observer>, impl Future<Output = ()> + Send + use<>), Error> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let sending = export::Exporter::new(target, server)?.run(receiver, stop);
    Ok((Arc::new(RunTracer { traces: Mutex::default(), spans: sender }), sending))
}
