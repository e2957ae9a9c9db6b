//! A call over its budget, in numbers.

use serde::{Deserialize, Serialize};

use crate::price::Cost;

/// The figures of a call over budget: in tokens, or in millionths of a currency unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overdraft {
    /// Scope of the budget.
    pub scope: Scope,
    /// The currency; `None` for tokens.
    pub currency: Option<String>,
    /// The limit.
    pub limit: u64,
    /// The amount spent.
    pub spent: u64,
    /// Reserved amount of calls in flight.
    pub set_aside: u64,
    /// Expected amount of the call.
    pub asked: u64,
}

/// The scope of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// A single run.
    Run,
    /// All runs of a day.
    Day,
    /// All runs of a day started with the same key.
    Key,
}

impl Overdraft {
    /// Returns the smallest limit that would allow the call.
    pub fn needed(&self) -> u64 {
        self.spent + self.set_aside + self.asked
    }
}

impl std::fmt::Display for Overdraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { scope, currency, limit, spent, set_aside, asked } = self;
        let amount = |amount: u64| match currency {
            Some(currency) => Cost { micros: amount, currency: currency.clone() }.to_string(),
            None => amount.to_string(),
        };
        let of = if currency.is_some() { "" } else { " tokens" };
        let when = if *scope == Scope::Run { "" } else { " for today" };
        write!(
            f,
            "{} of {}{of}{when} are spent, {} set aside, and about {} are asked",
            amount(*spent),
            amount(*limit),
            amount(*set_aside),
            amount(*asked)
        )
    }
}
