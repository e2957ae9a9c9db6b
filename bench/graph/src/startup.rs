//! From nothing to the first supersteps: `run.py` takes the time from the birth of the process to its line.

use serde_json::{Value, json};

use crate::measure::{cpu_time, microseconds, peak_memory};
use crate::works::{chain, small};

pub async fn measure() -> anyhow::Result<Value> {
    chain()?.run(small()).await?;
    Ok(json!({ "cpu_us": microseconds(cpu_time()), "memory_mib": peak_memory()? }))
}
