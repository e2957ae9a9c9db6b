//! The price of one model, by length and hour of a request.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::event::Usage;

/// What a model costs per million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The currency's code, such as `CNY`.
    pub currency: String,
    /// Tokens of the request.
    pub input: f64,
    /// Tokens of the request read from the provider's cache; as `input` when absent.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Tokens of the request written to the provider's cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<f64>,
    /// Tokens of the answer.
    pub output: f64,
    /// When this was the published price; empty if nobody said.
    #[serde(default)]
    pub date: String,
    /// What long requests cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) long: Option<LongPrice>,
    /// What it costs at quiet hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) off_peak: Option<OffPeak>,
    /// Whether nobody stated a price, and none is asked because the model's server runs on this machine.
    #[serde(skip)]
    pub(super) is_local: bool,
}

/// What requests above a length cost, all of their tokens; per million.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LongPrice {
    /// The most tokens of a request that has the usual price.
    pub(crate) above: u64,
    /// Tokens of the request.
    pub(crate) input: f64,
    /// Those that were cached; as `input` when absent.
    #[serde(default)]
    pub(crate) cached: Option<f64>,
    /// Those that were written to the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<f64>,
    /// Tokens of the answer.
    pub(crate) output: f64,
}

/// What requests at quiet hours cost, per million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OffPeak {
    /// Tokens of the request.
    pub(crate) input: f64,
    /// Those that were cached; as `input` when absent.
    #[serde(default)]
    pub(crate) cached: Option<f64>,
    /// Those that were written to the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<f64>,
    /// Tokens of the answer.
    pub(crate) output: f64,
    /// When that is.
    pub(crate) windows: Vec<QuietHours>,
}

/// Hours of some days of the week.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuietHours {
    /// From 1, Monday, to 7.
    pub(crate) weekdays: Vec<i8>,
    /// Such as `10:00-00:00`, in UTC; the end is not part of it.
    pub(crate) hours: Vec<String>,
}

impl QuietHours {
    fn contain(&self, at: Timestamp) -> bool {
        let at = at.to_zoned(TimeZone::UTC);
        let now = i32::from(at.hour()) * 60 + i32::from(at.minute());
        let is_within = |hours: &String| minutes(hours).is_some_and(|(begin, end)| (begin..end).contains(&now));
        self.weekdays.contains(&at.weekday().to_monday_one_offset()) && self.hours.iter().any(is_within)
    }
}

/// Parses hours such as `10:00-00:00` and returns their start and end in minutes of the day.
pub(super) fn minutes(hours: &str) -> Option<(i32, i32)> {
    let minute = |time: &str| {
        let (hour, minute) = time.split_once(':')?;
        Some(hour.parse::<i32>().ok()? * 60 + minute.parse::<i32>().ok()?)
    };
    let (begin, end) = hours.split_once('-')?;
    let (begin, end) = (minute(begin)?, minute(end)?);
    Some((begin, if end == 0 { 24 * 60 } else { end }))
}

impl Price {
    /// Returns a price of zero.
    pub(super) fn nothing() -> Self {
        let (currency, date) = ("USD".to_owned(), String::new());
        Self {
            currency,
            input: 0.0,
            cached: None,
            written: None,
            output: 0.0,
            date,
            long: None,
            off_peak: None,
            is_local: false,
        }
    }

    /// Returns whether calls cost nothing.
    pub fn is_free(&self) -> bool {
        self.input == 0.0 && self.cached.unwrap_or(0.0) == 0.0 && self.output == 0.0
    }

    /// Returns the cost of `usage` in millionths; `at` selects the quiet hours.
    ///
    /// A token at 1 unit per million costs 1 millionth.
    pub(super) fn micros(&self, usage: Usage, at: Option<Timestamp>) -> u64 {
        let cached = usage.cached.min(usage.input);
        let written = usage.written.min(usage.input - cached);
        let fresh = usage.input - cached - written;
        let is_quiet =
            |off_peak: &&OffPeak| at.is_some_and(|at| off_peak.windows.iter().any(|hours| hours.contain(at)));
        let long = self.long.as_ref().filter(|long| usage.input > long.above);
        let (input, of_cached, of_written, output) = match (long, self.off_peak.as_ref().filter(is_quiet)) {
            (Some(long), _) => (long.input, long.cached, long.written, long.output),
            (None, Some(quiet)) => (quiet.input, quiet.cached, quiet.written, quiet.output),
            (None, None) => (self.input, self.cached, self.written, self.output),
        };
        let request = fresh as f64 * input
            + cached as f64 * of_cached.unwrap_or(input)
            + written as f64 * of_written.unwrap_or(input);
        (request + usage.output as f64 * output).round() as u64
    }

    /// Returns whether every price is a non-negative number and every hour range parses.
    pub(crate) fn is_valid(&self) -> bool {
        let (long, quiet) = (self.long.as_ref(), self.off_peak.as_ref());
        let prices = [Some(self.input), self.cached, self.written, Some(self.output)]
            .into_iter()
            .chain(long.into_iter().flat_map(|long| [Some(long.input), long.cached, long.written, Some(long.output)]))
            .chain(quiet.into_iter().flat_map(|it| [Some(it.input), it.cached, it.written, Some(it.output)]));
        let mut hours = quiet.into_iter().flat_map(|quiet| &quiet.windows).flat_map(|window| &window.hours);
        prices.flatten().all(|price| price.is_finite() && price >= 0.0) && hours.all(|hours| minutes(hours).is_some())
    }

    /// Parses a row of the settings.
    pub(super) fn read(name: &str, row: toml::Value) -> Result<Self, Error> {
        let price: Self = row
            .try_into()
            .map_err(|error: toml::de::Error| Error::Settings(format!("price of {name}: {}", error.message())))?;
        if price.is_valid() {
            return Ok(price);
        }
        Err(Error::Settings(format!("price of {name}: not a number from 0 up, or no hours such as 10:00-18:00")))
    }
}
