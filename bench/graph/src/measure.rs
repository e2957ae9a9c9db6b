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

/// Runs from a beginning.
#[derive(Debug)]
pub struct Clock {
    began: Instant,
    cpu: Duration,
}

impl Clock {
    pub fn start() -> Self {
        Self { began: Instant::now(), cpu: cpu_time() }
    }

    pub fn stop(self) -> Spent {
        Spent { wall: self.began.elapsed(), cpu: cpu_time() - self.cpu }
    }
}

/// Does `work` and tells what it took.
pub async fn spent<T, E>(work: impl Future<Output = Result<T, E>>) -> Result<(T, Spent), E> {
    let clock = Clock::start();
    let done = work.await?;
    Ok((done, clock.stop()))
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

/// The processor time of the least disturbed reading, in microseconds: other programs can only add to it.
pub fn least_cpu(readings: &[Spent]) -> f64 {
    microseconds(readings.iter().map(|reading| reading.cpu).min().unwrap_or_default())
}

/// The wall time of the least disturbed reading, in microseconds.
pub fn least_wall(readings: &[Spent]) -> f64 {
    microseconds(readings.iter().map(|reading| reading.wall).min().unwrap_or_default())
}

/// The processor time of the reading in the middle, in microseconds.
pub fn median_cpu(readings: &[Spent]) -> f64 {
    median(readings.iter().map(|reading| reading.cpu))
}

/// The wall time of the reading in the middle, in microseconds: where the disk decides, it is now faster, now slower.
pub fn median_wall(readings: &[Spent]) -> f64 {
    median(readings.iter().map(|reading| reading.wall))
}

fn median(readings: impl Iterator<Item = Duration>) -> f64 {
    let mut readings = Vec::from_iter(readings);
    readings.sort_unstable();
    readings.get(readings.len() / 2).copied().map(microseconds).unwrap_or_default()
}

/// How many times as long the work took as its floor did, in the middle of all rounds. Each round is divided by its own
/// floor, which was measured right after it: the speed of the disk swings.
pub fn ratio(rounds: &[Spent], floors: &[Spent]) -> f64 {
    let rounds = rounds.iter().zip(floors);
    let mut ratios: Vec<_> = rounds.map(|(round, floor)| round.wall.div_duration_f64(floor.wall)).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}

pub fn microseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e9).round() / 1e3
}
