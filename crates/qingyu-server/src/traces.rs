//! What runs do, as OpenTelemetry traces.
//!
//! Traces are a view of the runs' events, like everything else that is told of a run: one trace for each run, whichever
//! servers work on it, and in it one span for each attempt, the agents at work in it, their model calls and tools. Names and
//! attributes follow the semantic conventions for generative AI. They are sent by OTLP over HTTP, as JSON, to where
//! `OTEL_EXPORTER_OTLP_ENDPOINT` says; without that variable nothing is sent.

mod export;
mod otlp;
mod spans;

use std::sync::{Arc, Mutex, PoisonError};

use qingyu_studio::{Observer, StudioEvent};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio_util::sync::CancellationToken;

pub use export::{Error, Target};
use otlp::Span;
use spans::Traces;

/// How many spans may wait to be sent; more are lost, and counted in the log.
const WAITING: usize = 8192;

/// Makes spans of what runs tell, and hands them to who sends them.
#[derive(Debug)]
struct Tracer {
    traces: Mutex<Traces>,
    spans: mpsc::Sender<Span>,
}

impl Observer for Tracer {
    fn event(&self, event: &StudioEvent) {
        let spans = self.traces.lock().unwrap_or_else(PoisonError::into_inner).told(event);
        for span in spans {
            if let Err(TrySendError::Full(_)) = self.spans.try_send(span) {
                tracing::warn!(run = event.run, "a span was lost: the collector of traces is too slow");
            }
        }
    }
}

/// An observer that makes traces of what runs tell, and what sends them to `target` until `stop`, the last ones included.
/// `server` names this process among those that work on the same runs.
///
/// Fails with [`Error`] if no request can be made to the target.
pub fn start(
    target: Target,
    server: &str,
    stop: CancellationToken,
) -> Result<(Arc<dyn Observer>, impl Future<Output = ()> + Send + use<>), Error> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let sending = export::Exporter::new(target, server)?.run(receiver, stop);
    Ok((Arc::new(Tracer { traces: Mutex::default(), spans: sender }), sending))
}
