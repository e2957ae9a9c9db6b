//! Resource usage of the process, under the standard names of Prometheus clients.
//! <https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics>

use std::time::{SystemTime, UNIX_EPOCH};

use prometheus::core::Collector;
use prometheus::proto::MetricFamily;
use prometheus::{Counter, Gauge};

/// A reader of the process meters.
#[derive(Debug)]
pub(super) struct ProcessMeters {
    /// Seconds since the Unix epoch.
    started: Option<f64>,
}

impl ProcessMeters {
    /// If the system does not report the start time of the process, the current time is used.
    pub(super) fn new() -> Self {
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs_f64());
        Self { started: linux::start_seconds().or_else(now) }
    }

    /// Returns the current meters, omitting those not reported by the system.
    pub(super) fn gather(&self) -> Vec<MetricFamily> {
        let linux::ProcStat { threads, virtual_bytes, resident_bytes } = linux::stat();
        let most_virtual_bytes = unix::most_virtual_bytes();
        let gauges = [
            ("process_open_fds", "Number of open file descriptors.", unix::open_files()),
            ("process_max_fds", "Maximum number of open file descriptors.", unix::most_open_files()),
            ("process_virtual_memory_bytes", "Virtual memory size in bytes.", virtual_bytes),
            (
                "process_virtual_memory_max_bytes",
                "Maximum amount of virtual memory available in bytes.",
                most_virtual_bytes,
            ),
            ("process_resident_memory_bytes", "Resident memory size in bytes.", resident_bytes),
            ("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", self.started),
            ("process_threads", "Number of OS threads in the process.", threads),
        ];
        let mut families = Vec::new();
        if let Some(seconds) = unix::cpu_seconds() {
            let help = "Total user and system CPU time spent in seconds.";
            let counter = Counter::new("process_cpu_seconds_total", help).expect("the name is valid");
            counter.inc_by(seconds);
            families.extend(counter.collect());
        }
        for (name, help, value) in gauges {
            if let Some(value) = value {
                let gauge = Gauge::new(name, help).expect("the name is valid");
                gauge.set(value);
                families.extend(gauge.collect());
            }
        }
        families
    }
}

/// Meters available on every Unix.
#[cfg(unix)]
mod unix {
    use rustix::process::{Resource, getrlimit};
    use rustix::time::{ClockId, clock_gettime};

    pub(super) fn cpu_seconds() -> Option<f64> {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
    }

    pub(super) fn open_files() -> Option<f64> {
        Some(std::fs::read_dir("/dev/fd").ok()?.count() as f64)
    }

    pub(super) fn most_open_files() -> Option<f64> {
        Some(soft_limit(Resource::Nofile))
    }

    pub(super) fn most_virtual_bytes() -> Option<f64> {
        Some(soft_limit(Resource::As))
    }

    /// 0 means no limit.
    fn soft_limit(resource: Resource) -> f64 {
        getrlimit(resource).current.unwrap_or_default() as f64
    }
}

#[cfg(not(unix))]
mod unix {
    pub(super) fn cpu_seconds() -> Option<f64> {
        None
    }

    pub(super) fn open_files() -> Option<f64> {
        None
    }

    pub(super) fn most_open_files() -> Option<f64> {
        None
    }

    pub(super) fn most_virtual_bytes() -> Option<f64> {
        None
    }
}

/// Meters read from `/proc`.
mod linux {
    /// The current values of `/proc/self/stat`.
    #[derive(Debug, Default, PartialEq)]
    pub(super) struct ProcStat {
        pub(super) threads: Option<f64>,
        pub(super) virtual_bytes: Option<f64>,
        pub(super) resident_bytes: Option<f64>,
    }

    /// Reads the values; all are missing without `/proc`.
    pub(super) fn stat() -> ProcStat {
        #[cfg(target_os = "linux")]
        if let Ok(line) = std::fs::read_to_string("/proc/self/stat") {
            return parse_stat(&line, rustix::param::page_size());
        }
        ProcStat::default()
    }

    /// Returns the start time of the process, in seconds since the Unix epoch.
    pub(super) fn start_seconds() -> Option<f64> {
        #[cfg(target_os = "linux")]
        {
            let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
            let boot = std::fs::read_to_string("/proc/stat").ok()?;
            parse_start(&stat, &boot, rustix::param::clock_ticks_per_second())
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Returns a field by its number in proc_pid_stat(5), from 3 on. The second field, the program's name, may contain
    /// spaces and brackets, so the other fields are counted from its end.
    #[cfg(any(target_os = "linux", test))]
    fn field(line: &str, number: usize) -> Option<f64> {
        let (_, fields) = line.rsplit_once(')')?;
        fields.split_whitespace().nth(number - 3)?.parse().ok()
    }

    #[cfg(any(target_os = "linux", test))]
    fn parse_stat(line: &str, page_bytes: usize) -> ProcStat {
        ProcStat {
            threads: field(line, 20),
            virtual_bytes: field(line, 23),
            resident_bytes: field(line, 24).map(|pages| pages * page_bytes as f64),
        }
    }

    #[cfg(any(target_os = "linux", test))]
    fn parse_start(stat: &str, boot: &str, ticks_per_second: u64) -> Option<f64> {
        let boot: f64 = boot.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
        Some(boot + field(stat, 22)? / ticks_per_second as f64)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const LINE: &str = "4242 (a (odd) name) S 1 4242 4242 0 -1 4194560 1000 0 0 0 250 50 0 0 20 0 17 0 123456 \
                            1073741824 2560 18446744073709551615 1 1 0 0";

        #[test]
        fn lines_of_proc_are_parsed() {
            let expected = ProcStat {
                threads: Some(17.0),
                virtual_bytes: Some(1_073_741_824.0),
                resident_bytes: Some(10_485_760.0),
            };
            assert_eq!(parse_stat(LINE, 4096), expected);
            assert_eq!(parse_start(LINE, "cpu 1 2\nbtime 1700000000\n", 100), Some(1_700_001_234.56));
            assert_eq!(parse_stat("nonsense", 4096), ProcStat::default());
            assert_eq!(parse_start(LINE, "cpu 1 2\n", 100), None);
        }
    }
}
