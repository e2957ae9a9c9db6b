//! CPU time, unaffected by the load of other processes.

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// Returns the CPU time of all threads of the process so far, in milliseconds.
pub(crate) fn milliseconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Returns the median and the 99th percentile of the readings.
pub(crate) fn summary(mut readings: Vec<f64>) -> Value {
    readings.sort_by(f64::total_cmp);
    let at = |part: f64| readings[((readings.len() - 1) as f64 * part) as usize];
    json!({"p50_ms": at(0.5), "p99_ms": at(0.99)})
}
