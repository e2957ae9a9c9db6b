//! The cost of calls. An unknown model has no cost, as opposed to a cost of zero.
//!
//! The built-in prices are in the [catalogue](crate::catalogue).

mod cost;
mod tariff;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalogue::{Catalogue, undated};
use crate::{Error, Usage};

pub use cost::Cost;
pub use tariff::Price;

/// Prices by model name, `provider/model`; a name with a trailing `*` matches any ending.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Prices(BTreeMap<String, Price>);

impl Prices {
    /// Returns the prices of the catalogue.
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

    /// Returns the built-in prices with `overrides`: tables by model name that override single fields or insert rows.
    /// An override of a token price applies to requests of every length and hour, unless the override has its own
    /// tiers.
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

    /// Iterates over every entry by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Price)> {
        self.0.iter().map(|(name, price)| (name.as_str(), price))
    }

    /// Returns these prices, with `others` as the fallback for unknown models.
    #[must_use]
    pub fn or(mut self, others: &Self) -> Self {
        for (name, price) in &others.0 {
            if self.of(name).is_none() {
                self.0.insert(name.clone(), price.clone());
            }
        }
        self
    }

    /// Sets the price of `model` to zero: no server is involved.
    pub fn set_free(&mut self, model: &str) {
        self.0.insert(model.to_owned(), Price::nothing());
    }

    /// Sets the price of `model` to zero because its server runs on the local machine. Tokens still cost time and
    /// power, so [`is_free`](Self::is_free) returns false.
    pub fn set_local(&mut self, model: &str) {
        self.0.insert(model.to_owned(), Price { is_local: true, ..Price::nothing() });
    }

    /// Returns whether the stated price of `model` is zero.
    pub fn is_free(&self, model: &str) -> bool {
        self.of(model).is_some_and(|price| price.is_free() && !price.is_local)
    }

    /// Returns the price of `model`: the entry of its name, with or without a release date, else the longest matching
    /// pattern.
    pub fn of(&self, model: &str) -> Option<&Price> {
        let patterns = self
            .0
            .iter()
            .filter(|(name, _)| name.strip_suffix('*').is_some_and(|beginning| model.starts_with(beginning)));
        let longest = || patterns.max_by_key(|(name, _)| name.len()).map(|(_, price)| price);
        let undated = || self.0.get(undated(model)?);
        self.0.get(model).or_else(undated).or_else(longest)
    }

    /// Returns the maximum cost of `usage` of `model` at any hour; `None` if the price is unknown.
    pub fn cost(&self, model: &str, usage: Usage) -> Option<Cost> {
        let price = self.of(model)?;
        Some(Cost { micros: price.micros(usage, None), currency: price.currency.clone() })
    }

    /// Returns the cost of `usage` of `model` for a request made `at` the given time; `None` if the price is unknown.
    pub(crate) fn cost_at(&self, model: &str, usage: Usage, at: Timestamp) -> Option<Cost> {
        let price = self.of(model)?;
        Some(Cost { micros: price.micros(usage, Some(at)), currency: price.currency.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::tariff::minutes;
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

    /// Claude's cache writes cost 1.25 times the input price.
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
