//! What a call costs. An unknown model has no cost at all, which is not the same as none to pay.
//!
//! The prices that every build knows are those of the [catalogue](crate::catalogue).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalogue::{Catalogue, undated};
use crate::{Error, Usage};

/// Prices by model name, `provider/model`; a name with a trailing `*` matches any ending.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Prices(BTreeMap<String, Price>);

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
    pub long: Option<LongPrice>,
    /// What it costs at quiet hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off_peak: Option<OffPeak>,
    /// Whether nobody stated a price, and none is asked because the model's server runs on this machine.
    #[serde(skip)]
    is_local: bool,
}

/// What requests above a length cost, all of their tokens; per million.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LongPrice {
    /// The most tokens of a request that has the usual price.
    pub above: u64,
    /// Tokens of the request.
    pub input: f64,
    /// Those that were cached; as `input` when absent.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Those that were written to the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<f64>,
    /// Tokens of the answer.
    pub output: f64,
}

/// What requests at quiet hours cost, per million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OffPeak {
    /// Tokens of the request.
    pub input: f64,
    /// Those that were cached; as `input` when absent.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Those that were written to the cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<f64>,
    /// Tokens of the answer.
    pub output: f64,
    /// When that is.
    pub windows: Vec<QuietHours>,
}

/// Hours of some days of the week.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// From 1, Monday, to 7.
    pub weekdays: Vec<i8>,
    /// Such as `10:00-00:00`, in UTC; the end is not part of it.
    pub hours: Vec<String>,
}

impl QuietHours {
    fn contain(&self, at: Timestamp) -> bool {
        let at = at.to_zoned(TimeZone::UTC);
        let now = i32::from(at.hour()) * 60 + i32::from(at.minute());
        let is_within = |hours: &String| minutes(hours).is_some_and(|(begin, end)| (begin..end).contains(&now));
        self.weekdays.contains(&at.weekday().to_monday_one_offset()) && self.hours.iter().any(is_within)
    }
}

/// The minutes of the day between which `10:00-00:00` lies.
fn minutes(hours: &str) -> Option<(i32, i32)> {
    let minute = |time: &str| {
        let (hour, minute) = time.split_once(':')?;
        Some(hour.parse::<i32>().ok()? * 60 + minute.parse::<i32>().ok()?)
    };
    let (begin, end) = hours.split_once('-')?;
    let (begin, end) = (minute(begin)?, minute(end)?);
    Some((begin, if end == 0 { 24 * 60 } else { end }))
}

/// An amount of money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// Millionths of the currency's unit.
    pub micros: u64,
    /// The currency's code.
    pub currency: String,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:04} {}", self.micros / 1_000_000, self.micros % 1_000_000 / 100, self.currency)
    }
}

impl Prices {
    /// The prices of the catalogue.
    pub fn built_in() -> Self {
        static PRICES: LazyLock<Prices> = LazyLock::new(|| {
            let catalogue = Catalogue::built_in();
            let dated = |price: &Price| Price { date: catalogue.date.to_string(), ..price.clone() };
            Prices(
                catalogue
                    .iter()
                    .filter_map(|(name, model)| Some((name.to_owned(), dated(model.price.as_ref()?))))
                    .collect(),
            )
        });
        PRICES.clone()
    }

    /// The built-in prices under `overrides`, tables by model name that change single fields or add rows. Who changes what a
    /// token costs changes it for requests of every length and hour, unless the change says more.
    pub fn with_overrides(overrides: &toml::Table) -> Result<Self, Error> {
        let mut prices = Self::built_in();
        for (name, fields) in overrides {
            let row = match (prices.0.get(name), fields) {
                (Some(known), toml::Value::Table(fields)) => {
                    let plain = Price { long: None, off_peak: None, ..known.clone() };
                    let known =
                        if fields.contains_key("input") || fields.contains_key("output") { &plain } else { known };
                    let mut row = toml::Table::try_from(known).expect("a price is a table");
                    row.extend(fields.clone());
                    toml::Value::Table(row)
                }
                _ => fields.clone(),
            };
            prices.0.insert(name.clone(), Price::read(name, row)?);
        }
        Ok(prices)
    }

    /// Every entry, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Price)> {
        self.0.iter().map(|(name, price)| (name.as_str(), price))
    }

    /// These prices, and those of `others` for what these do not know.
    #[must_use]
    pub fn or(mut self, others: &Self) -> Self {
        for (name, price) in &others.0 {
            if self.of(name).is_none() {
                self.0.insert(name.clone(), price.clone());
            }
        }
        self
    }

    /// Sets the price of `model` to nothing: it is no server's.
    pub fn set_free(&mut self, model: &str) {
        self.0.insert(model.to_owned(), Price::nothing());
    }

    /// Sets the price of `model` to nothing: its server runs on this machine. It takes time and power for its tokens, so
    /// it is not free in the sense of [`is_free`](Self::is_free).
    pub fn set_local(&mut self, model: &str) {
        self.0.insert(model.to_owned(), Price { is_local: true, ..Price::nothing() });
    }

    /// Whether the stated price of `model` is nothing.
    pub fn is_free(&self, model: &str) -> bool {
        self.of(model).is_some_and(|price| price.is_free() && !price.is_local)
    }

    /// The price of `model`: the entry of its name, with or without a date of release, else the longest pattern that matches.
    pub fn of(&self, model: &str) -> Option<&Price> {
        let patterns = self
            .0
            .iter()
            .filter(|(name, _)| name.strip_suffix('*').is_some_and(|beginning| model.starts_with(beginning)));
        let longest = || patterns.max_by_key(|(name, _)| name.len()).map(|(_, price)| price);
        let undated = || self.0.get(undated(model)?);
        self.0.get(model).or_else(undated).or_else(longest)
    }

    /// What `usage` of `model` costs at most, at whatever hour; `None` if its price is not known.
    pub fn cost(&self, model: &str, usage: Usage) -> Option<Cost> {
        let price = self.of(model)?;
        Some(Cost { micros: price.micros(usage, None), currency: price.currency.clone() })
    }

    /// What `usage` of `model` costs for a request that is made `at` this time; `None` if its price is not known.
    pub fn cost_at(&self, model: &str, usage: Usage, at: Timestamp) -> Option<Cost> {
        let price = self.of(model)?;
        Some(Cost { micros: price.micros(usage, Some(at)), currency: price.currency.clone() })
    }
}

impl Price {
    fn nothing() -> Self {
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

    /// Whether calls cost nothing.
    pub fn is_free(&self) -> bool {
        self.input == 0.0 && self.cached.unwrap_or(0.0) == 0.0 && self.output == 0.0
    }

    /// One token at one unit per million is one millionth.
    fn micros(&self, usage: Usage, at: Option<Timestamp>) -> u64 {
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

    /// Whether every price is a number from 0 up, and every hour can be read.
    pub(crate) fn is_valid(&self) -> bool {
        let (long, quiet) = (self.long.as_ref(), self.off_peak.as_ref());
        let prices = [Some(self.input), self.cached, self.written, Some(self.output)]
            .into_iter()
            .chain(long.into_iter().flat_map(|long| [Some(long.input), long.cached, long.written, Some(long.output)]))
            .chain(quiet.into_iter().flat_map(|it| [Some(it.input), it.cached, it.written, Some(it.output)]));
        let mut hours = quiet.into_iter().flat_map(|quiet| &quiet.windows).flat_map(|window| &window.hours);
        prices.flatten().all(|price| price.is_finite() && price >= 0.0) && hours.all(|hours| minutes(hours).is_some())
    }

    fn read(name: &str, row: toml::Value) -> Result<Self, Error> {
        let price: Self = row
            .try_into()
            .map_err(|error: toml::de::Error| Error::Settings(format!("price of {name}: {}", error.message())))?;
        if price.is_valid() {
            return Ok(price);
        }
        Err(Error::Settings(format!("price of {name}: not a number from 0 up, or no hours such as 10:00-18:00")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, cached: u64, output: u64) -> Usage {
        Usage { input, cached, output, ..Usage::default() }
    }

    #[test]
    fn cached_tokens_have_their_own_price() {
        let own = table(
            "\"a/b\" = { currency = \"CNY\", input = 2, cached = 0.2, output = 3 }\n\"a/c\" = { currency = \"CNY\", input = 2.4, output = 9.6 }",
        );
        let prices = Prices::with_overrides(&own).unwrap();
        let cost = prices.cost("a/b", usage(1_000_000, 400_000, 100_000)).unwrap();
        assert_eq!(cost, Cost { micros: 1_200_000 + 80_000 + 300_000, currency: "CNY".into() });
        assert_eq!(cost.to_string(), "1.5800 CNY");
        assert_eq!(prices.cost("a/c", usage(1000, 1000, 0)).unwrap().micros, 2400);
    }

    /// Claude's cache is written at 1.25 times the price of the request.
    #[test]
    fn tokens_written_to_a_cache_have_their_own_price() {
        let prices = Prices::built_in();
        let of = |written| Usage { input: 1_000_000, cached: 200_000, written, ..Usage::default() };
        let micros = |usage| prices.cost("anthropic/claude-sonnet-5-5", usage).unwrap().micros;
        let price = prices.of("anthropic/claude-sonnet-5-5").unwrap();
        assert_eq!((price.input, price.cached, price.written), (2.0, Some(0.1), Some(2.5)));
        assert_eq!(micros(of(0)), 1_620_000);
        assert_eq!(micros(of(400_000)), 800_000 + 20_000 + 1_000_000);
        assert_eq!(micros(of(9_000_000)), 20_000 + 2_000_000, "no more is written than was sent");
        let own = table("\"a/b\" = { currency = \"CNY\", input = 2, output = 3 }");
        let own = Prices::with_overrides(&own).unwrap();
        assert_eq!(own.cost("a/b", of(400_000)).unwrap().micros, 2_000_000, "as the request where nobody says");
    }

    #[test]
    fn quiet_hours_and_long_requests_have_their_own_prices() {
        let prices = Prices::built_in();
        let micros = |model, usage, at: &str| prices.cost_at(model, usage, at.parse().unwrap()).unwrap().micros;
        let (peak, quiet) = ("2026-11-27T02:00:00Z", "2026-11-27T04:00:00Z");
        let flash = "deepseek/deepseek-flash";
        assert_eq!(micros(flash, usage(1_000_000, 0, 0), peak), 2 * micros(flash, usage(1_000_000, 0, 0), quiet));
        assert_eq!(
            micros(flash, usage(1000, 0, 0), quiet),
            micros(flash, usage(1000, 0, 0), "2026-11-28T02:00:00Z"),
            "Saturday"
        );
        assert_eq!(
            prices.cost(flash, usage(1000, 0, 1000)),
            prices.cost_at(flash, usage(1000, 0, 1000), peak.parse().unwrap())
        );
        let sol = "openai/gpt-6.1-sol";
        assert_eq!(micros(sol, usage(272_000, 0, 0), peak), 544_000);
        assert_eq!(micros(sol, usage(300_000, 0, 0), peak), 1_200_000);
        assert_eq!(minutes("10:00-00:00"), Some((600, 1440)));
        assert_eq!(minutes("ten"), None);
    }

    #[test]
    fn an_unknown_model_has_no_cost_and_a_local_one_costs_nothing() {
        let mut prices = Prices::built_in();
        assert_eq!(prices.cost("ollama/qwen3", usage(10, 0, 10)), None);
        assert_eq!(prices.cost("openai/gpt-9", usage(10, 0, 10)), None);
        prices.set_local("ollama/qwen3");
        assert_eq!(prices.cost("ollama/qwen3", usage(10, 0, 10)).unwrap().micros, 0);
        assert!(prices.of("offline-rules-1").unwrap().is_free());
        assert!(prices.is_free("offline-rules-1") && !prices.is_free("ollama/qwen3"), "its tokens are limited");
    }

    fn table(text: &str) -> toml::Table {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn overrides_win_and_the_longest_pattern_matches() {
        let own = table(
            r#"
            "openai/gpt-6.1-sol" = { currency = "EUR", input = 1 }
            "openai/gpt-9*" = { currency = "EUR", input = 9, output = 9 }
            "openai/*" = { currency = "EUR", input = 5, output = 9 }
            "#,
        );
        let prices = Prices::with_overrides(&own).unwrap();
        let changed = prices.of("openai/gpt-6.1-sol").unwrap();
        assert_eq!((changed.currency.as_str(), changed.input, changed.output), ("EUR", 1.0, 10.0));
        assert_eq!(changed.long, None, "who changes a price changes it for long requests, too");
        assert_eq!(prices.of("openai/gpt-9-pro").unwrap().input, 9.0);
        assert_eq!(prices.of("openai/own").unwrap().input, 5.0);
        assert_eq!(prices.of("anthropic/claude-sonnet-5-5").unwrap().input, 2.0);
        let dated = prices.of("anthropic/claude-sonnet-5-5-20261001").expect("a date of release changes no price");
        assert_eq!(dated.input, 2.0);
    }

    #[test]
    fn wrong_overrides_say_what_is_wrong() {
        for (row, words) in [
            ("a = { currency = \"USD\", input = -1, output = 1 }", "price of a: not a number from 0 up"),
            ("a = { currency = \"USD\", inptu = 1, output = 1 }", "price of a: unknown field `inptu`"),
            ("a = { input = 1, output = 1 }", "price of a: missing field `currency`"),
            ("a = 3", "price of a: invalid type: integer `3`"),
        ] {
            let error = Prices::with_overrides(&table(row)).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
