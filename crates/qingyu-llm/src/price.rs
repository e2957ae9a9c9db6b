//! What a call costs. An unknown model has no cost at all, which is not the same as none to pay.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Error, Usage};

const BUILT_IN: &str = include_str!("prices.toml");

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
    /// Tokens of the answer.
    pub output: f64,
    /// When this was the published price; empty if nobody said.
    #[serde(default)]
    pub date: String,
    /// Whether nobody stated a price, and none is asked because the model's server runs on this machine.
    #[serde(skip)]
    is_local: bool,
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
    /// The prices this build knows; see `prices.toml` for their dates.
    pub fn built_in() -> Self {
        static PRICES: LazyLock<Prices> = LazyLock::new(|| {
            let rows = toml::from_str(BUILT_IN).expect("the compiled-in price file is TOML");
            Prices::read(rows).expect("the compiled-in price file is valid")
        });
        PRICES.clone()
    }

    /// The built-in prices under `overrides`, tables by model name that change single fields or add rows.
    pub fn with_overrides(overrides: &toml::Table) -> Result<Self, Error> {
        if overrides.is_empty() {
            return Ok(Self::built_in());
        }
        let mut rows: toml::Table = toml::from_str(BUILT_IN).expect("the compiled-in price file is TOML");
        for (name, fields) in overrides {
            match (rows.get_mut(name), fields) {
                (Some(toml::Value::Table(row)), toml::Value::Table(fields)) => row.extend(fields.clone()),
                _ => drop(rows.insert(name.clone(), fields.clone())),
            }
        }
        Self::read(rows)
    }

    fn read(rows: toml::Table) -> Result<Self, Error> {
        rows.into_iter()
            .map(|(name, row)| Ok((name.clone(), Price::read(&name, row)?)))
            .collect::<Result<_, _>>()
            .map(Self)
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

    /// The price of `model`: the entry of its name, else the longest pattern that matches.
    pub fn of(&self, model: &str) -> Option<&Price> {
        let patterns = self
            .0
            .iter()
            .filter(|(name, _)| name.strip_suffix('*').is_some_and(|beginning| model.starts_with(beginning)));
        let longest = || patterns.max_by_key(|(name, _)| name.len()).map(|(_, price)| price);
        self.0.get(model).or_else(longest)
    }

    /// What `usage` of `model` costs; `None` if its price is not known.
    pub fn cost(&self, model: &str, usage: Usage) -> Option<Cost> {
        let price = self.of(model)?;
        Some(Cost { micros: price.micros(usage), currency: price.currency.clone() })
    }
}

impl Price {
    fn nothing() -> Self {
        let (currency, date) = ("USD".to_owned(), String::new());
        Self { currency, input: 0.0, cached: None, output: 0.0, date, is_local: false }
    }

    /// Whether calls cost nothing.
    pub fn is_free(&self) -> bool {
        self.input == 0.0 && self.cached.unwrap_or(0.0) == 0.0 && self.output == 0.0
    }

    /// One token at one unit per million is one millionth.
    fn micros(&self, usage: Usage) -> u64 {
        let cached = usage.cached.min(usage.input);
        let fresh = usage.input - cached;
        let micros = fresh as f64 * self.input
            + cached as f64 * self.cached.unwrap_or(self.input)
            + usage.output as f64 * self.output;
        micros.round() as u64
    }

    fn read(name: &str, row: toml::Value) -> Result<Self, Error> {
        let price: Self = row
            .try_into()
            .map_err(|error: toml::de::Error| Error::Settings(format!("price of {name}: {}", error.message())))?;
        let valid = |price: f64| price.is_finite() && price >= 0.0;
        if [Some(price.input), price.cached, Some(price.output)].into_iter().flatten().all(valid) {
            return Ok(price);
        }
        Err(Error::Settings(format!("price of {name}: not a number from 0 up")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, cached: u64, output: u64) -> Usage {
        Usage { input, cached, output, estimated: false }
    }

    #[test]
    fn cached_tokens_have_their_own_price() {
        let prices = Prices::built_in();
        let cost = prices.cost("deepseek/deepseek-chat", usage(1_000_000, 400_000, 100_000)).unwrap();
        assert_eq!(cost, Cost { micros: 1_200_000 + 80_000 + 300_000, currency: "CNY".into() });
        assert_eq!(cost.to_string(), "1.5800 CNY");
        let without = prices.cost("qwen/qwen-max", usage(1000, 1000, 0)).unwrap();
        assert_eq!(without.micros, 2400);
    }

    #[test]
    fn an_unknown_model_has_no_cost_and_a_local_one_costs_nothing() {
        let mut prices = Prices::built_in();
        assert_eq!(prices.cost("ollama/qwen3", usage(10, 0, 10)), None);
        assert_eq!(prices.cost("openai/gpt-5-pro", usage(10, 0, 10)), None);
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
            "openai/gpt-5" = { currency = "EUR", input = 1 }
            "openai/*" = { currency = "EUR", input = 9, output = 9 }
            "#,
        );
        let prices = Prices::with_overrides(&own).unwrap();
        let changed = prices.of("openai/gpt-5").unwrap();
        assert_eq!((changed.currency.as_str(), changed.input, changed.output), ("EUR", 1.0, 10.0));
        assert_eq!(prices.of("openai/gpt-5-pro").unwrap().input, 9.0);
        assert_eq!(prices.of("openai/gpt-4o").unwrap().input, 2.5);
        assert_eq!(prices.of("anthropic/claude-sonnet-4-5-20250929").unwrap().input, 3.0);
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
