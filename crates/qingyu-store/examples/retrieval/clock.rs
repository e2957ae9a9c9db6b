//! The time of the processor, which other programs do not lengthen.

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// Milliseconds that all threads of this process have taken so far.
pub(crate) fn milliseconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// What lies in the middle of the readings, and what only one of a hundred exceeds.
pub(crate) fn summary(mut readings: Vec<f64>) -> Value {
    readings.sort_by(f64::total_cmp);
    let at = |part: f64| readings[((readings.len() - 1) as f64 * part) as usize];
    json!({"p50_ms": at(0.5), "p99_ms": at(0.99)})
}
