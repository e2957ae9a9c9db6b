//! Clocks, and what is made of several readings.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// What a stretch of work took.
#[derive(Debug, Clone, Copy)]
pub struct Spent {
    pub wall: Duration,
    /// User and system time of all threads of this process.
    pub cpu: Duration,
}

/// Does `work` and tells what it took.
pub async fn spent<T, E>(work: impl Future<Output = Result<T, E>>) -> Result<(T, Spent), E> {
    let (began, cpu) = (Instant::now(), cpu_time());
    let done = work.await?;
    Ok((done, Spent { wall: began.elapsed(), cpu: cpu_time() - cpu }))
}

/// The processor time that this process has used.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// The most memory that this process has had at once, in MiB.
pub fn peak_memory() -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib / 1024.0)
}

/// The least disturbed reading: other programs can only add to it. In microseconds.
pub fn least(readings: impl IntoIterator<Item = Duration>) -> f64 {
    microseconds(readings.into_iter().min().unwrap_or_default())
}

/// The reading in the middle, where the disk decides and is now faster, now slower. In microseconds.
pub fn median(readings: impl IntoIterator<Item = Duration>) -> f64 {
    let mut readings = Vec::from_iter(readings);
    readings.sort_unstable();
    readings.get(readings.len() / 2).copied().map(microseconds).unwrap_or_default()
}

/// How many times as long the work took as its floor did, in the middle of all rounds. Each round is divided by its own
/// floor, which was measured right after it: the speed of the disk swings.
pub fn ratio(rounds: &[Duration], floors: &[Duration]) -> f64 {
    let mut ratios: Vec<_> = rounds.iter().zip(floors).map(|(round, floor)| round.div_duration_f64(*floor)).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}

pub fn microseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e9).round() / 1e3
}
