//! Settings of scheduled backups.

use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The shortest interval: a minute.
const SHORTEST: u64 = 60;
/// The longest interval: ten years.
const LONGEST: u64 = 3_650 * 86_400;

/// Scheduled backups of the database while a server is at work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct BackupSettings {
    /// The time between two backups: a number with `m`, `h`, `d` or `w`, such as `1d`; no scheduled backups by default.
    pub(crate) every: Option<String>,
    /// The number of scheduled backups to keep, and of those made on request in the studio, at least 1; older ones are
    /// deleted. Backups by command are never deleted.
    pub(crate) keep: u32,
    /// The folder of the backups; the folder `backups` in the data folder by default.
    pub(crate) folder: Option<PathBuf>,
}

/// Parses an interval such as `12h`.
pub(crate) fn interval(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let bad = || format!("'{text}' is no interval; write a number with m, h, d or w, such as 1d");
    let unit = text.chars().next_back().ok_or_else(bad)?;
    let seconds: u64 = match unit {
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return Err(bad()),
    };
    let count: u64 = text[..text.len() - unit.len_utf8()].trim_end().parse().map_err(|_| bad())?;
    let total = count.checked_mul(seconds).ok_or_else(bad)?;
    if !(SHORTEST..=LONGEST).contains(&total) {
        return Err("must be between 1m and 3650d".into());
    }
    Ok(Duration::from_secs(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_a_number_with_a_unit() {
        let hours = |text: &str| interval(text).map(|interval| interval.as_secs() / 3_600);
        assert_eq!((hours("12h"), hours("1d"), hours(" 2 w "), hours("90m")), (Ok(12), Ok(24), Ok(336), Ok(1)));
        for text in ["", "d", "1", "1.5d", "-1d", "1y", "一天", "0d", "4000d", "99999999999999999999d", "1 d h"] {
            assert!(interval(text).is_err(), "{text}");
        }
    }
}
