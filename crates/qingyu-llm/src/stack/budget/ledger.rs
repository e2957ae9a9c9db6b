//! The account of a run, and the limits of its spending.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::overdraft::{Overdraft, Scope};
use crate::estimate::Estimator;
use crate::price::{Cost, Prices};
use crate::{Attribution, ChatRequest, Error, Usage};

/// Default of the expected output tokens for requests without `max_tokens`.
const EXPECTED_OUTPUT: u64 = 2_000;

/// The limits of spending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpendingBudget {
    /// Maximum tokens of requests and answers together.
    pub tokens: Option<u64>,
    /// Maximum cost. If set, calls with an unknown price or in another currency are refused.
    pub money: Option<Cost>,
}

/// The amounts spent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModelSpending {
    /// Requests with a complete or partial answer.
    pub calls: u32,
    /// Tokens of calls subject to token budgets.
    pub usage: Usage,
    /// Cost in millionths by currency.
    pub micros: BTreeMap<String, u64>,
    /// Calls to models with unknown prices, not included in `micros`.
    pub unpriced: u32,
}

/// A daily budget: of all runs of a user, or of a key.
#[derive(Debug, Clone)]
pub struct DailyBudget {
    /// Scope of the budget.
    pub scope: Scope,
    /// The limits.
    pub budget: SpendingBudget,
    /// Spending of the run today before the ledger was opened.
    pub before: ModelSpending,
    /// Source of the other runs' spending today.
    pub elsewhere: Arc<dyn SpendingSource>,
}

/// A source of other runs' spending from a shared budget.
pub trait SpendingSource: Send + Sync + std::fmt::Debug {
    /// Returns the current spending. Called before every call, so should be fast; an error prevents the call.
    fn spent(&self) -> BoxFuture<'_, Result<ModelSpending, Error>>;
}

/// The charge of a request with a started answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge {
    /// The purpose of the request.
    pub purpose: String,
    /// The call within the run, if set in the request.
    pub call: String,
    /// Attribution of the charge.
    pub attribution: Attribution,
    /// The model called.
    pub model: String,
    /// Token usage.
    pub usage: Usage,
    /// Cost, if the price is known.
    pub cost: Option<Cost>,
}

/// Stores every charge of a ledger.
pub trait Bookkeeper: Send + Sync + std::fmt::Debug {
    /// Registers a charge, before the end of the answer is passed on. Must not block.
    fn book(&self, charge: Charge);
}

/// The account of a run, shared by all its models.
///
/// A request's estimate is reserved before sending, so that concurrent requests cannot overdraw together. Afterwards
/// the request is charged with the provider's reported usage, or by default with the estimate, even if its answer was
/// interrupted, cancelled or unusable. A single request can exceed the budget by as much as its answer is longer than
/// expected. Besides its own budget a run may share the daily budget of its user and of its key. Free models are exempt
/// from token budgets.
#[derive(Debug)]
pub struct BudgetLedger {
    budget: SpendingBudget,
    days: Vec<DailyBudget>,
    prices: Prices,
    free_models: FreeModels,
    bookkeeper: Option<Arc<dyn Bookkeeper>>,
    pub(super) estimator: Estimator,
    account: Mutex<LedgerAccount>,
}

/// Whether token budgets apply to free models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FreeModels {
    /// Tokens are registered but not limited.
    #[default]
    Unlimited,
    /// Tokens are limited like those of other models.
    Limited,
}

#[derive(Debug, Default)]
struct LedgerAccount {
    /// Spending of the run, including earlier attempts.
    spent: ModelSpending,
    /// Spending since the ledger was opened.
    session: ModelSpending,
    set_aside: TokensAndMoney,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TokensAndMoney {
    tokens: u64,
    micros: u64,
}

impl BudgetLedger {
    /// Returns an empty ledger.
    pub fn new(budget: SpendingBudget, prices: Prices) -> Self {
        Self::resumed(budget, prices, ModelSpending::default())
    }

    /// Returns a ledger of a run with earlier spending.
    pub fn resumed(budget: SpendingBudget, prices: Prices, spent: ModelSpending) -> Self {
        let account = LedgerAccount { spent, ..LedgerAccount::default() };
        Self {
            budget,
            days: Vec::new(),
            prices,
            free_models: FreeModels::default(),
            bookkeeper: None,
            estimator: Estimator::default(),
            account: Mutex::new(account),
        }
    }

    /// Sets whether token budgets apply to free models.
    #[must_use]
    pub fn with_free_models(self, free_models: FreeModels) -> Self {
        Self { free_models, ..self }
    }

    /// Registers a bookkeeper for the charges.
    #[must_use]
    pub fn with_bookkeeper(self, bookkeeper: Arc<dyn Bookkeeper>) -> Self {
        Self { bookkeeper: Some(bookkeeper), ..self }
    }

    /// Adds a share in a daily budget.
    #[must_use]
    pub fn with_day(mut self, day: DailyBudget) -> Self {
        self.days.push(day);
        self
    }

    /// Returns the spending so far.
    pub fn spent(&self) -> ModelSpending {
        self.account().spent.clone()
    }

    /// Returns the maximum cost of `usage` of `model`, if the price is known.
    pub fn cost(&self, model: &str, usage: Usage) -> Option<Cost> {
        self.prices.cost(model, usage)
    }

    /// Reserves the expected amount of `request`, or returns the exceeded budget as an error.
    pub(super) async fn set_aside(&self, model: &str, request: &ChatRequest) -> Result<TokensAndMoney, Error> {
        let input = self.estimator.request(model, request);
        let output = request.max_tokens.map_or(EXPECTED_OUTPUT, u64::from);
        // The most expensive case: all input is written to the provider's cache.
        let expected = Usage { input, cached: 0, written: input, output, estimated: true };
        let cost = self.cost(model, expected);
        let mut elsewhere = Vec::with_capacity(self.days.len());
        for day in &self.days {
            elsewhere.push(day.elsewhere.spent().await?);
        }
        let mut account = self.account();
        let tokens = if self.is_exempt(model) { 0 } else { input + output };
        let amount = TokensAndMoney { tokens, micros: cost.as_ref().map_or(0, |cost| cost.micros) };
        let asked = PendingCall { model, amount, cost: cost.as_ref(), set_aside: account.set_aside };
        asked.within(&self.budget, &account.spent, Scope::Run)?;
        for (day, elsewhere) in self.days.iter().zip(elsewhere) {
            let spent = elsewhere + day.before.clone() + account.session.clone();
            asked.within(&day.budget, &spent, day.scope)?;
        }
        account.set_aside.tokens += amount.tokens;
        account.set_aside.micros += amount.micros;
        Ok(amount)
    }

    /// Releases a reserved amount.
    pub(super) fn release(&self, amount: TokensAndMoney) {
        let mut account = self.account();
        account.set_aside.tokens -= amount.tokens;
        account.set_aside.micros -= amount.micros;
    }

    /// Charges a request and passes the charge to the bookkeeper.
    pub(super) fn charge(&self, request: &ChatRequest, model: &str, usage: Usage) {
        let cost = self.prices.cost_at(model, usage, jiff::Timestamp::now());
        let limited = if self.is_exempt(model) { Usage::default() } else { usage };
        let mut spent = ModelSpending { calls: 1, usage: limited, ..ModelSpending::default() };
        match &cost {
            Some(cost) => drop(spent.micros.insert(cost.currency.clone(), cost.micros)),
            None => spent.unpriced = 1,
        }
        {
            let mut account = self.account();
            account.session += spent.clone();
            account.spent += spent;
        }
        if let Some(bookkeeper) = &self.bookkeeper {
            let ChatRequest { purpose, call, attribution, .. } = request.clone();
            bookkeeper.book(Charge { purpose, call, attribution, model: model.to_owned(), usage, cost });
        }
    }

    /// Returns whether `model` is exempt from token budgets.
    fn is_exempt(&self, model: &str) -> bool {
        self.free_models == FreeModels::Unlimited && self.prices.is_free(model)
    }

    /// Returns whether a usage of zero tokens is plausible for `model`.
    pub(super) fn is_without_tokens(&self, model: &str) -> bool {
        self.prices.is_free(model)
    }

    fn account(&self) -> MutexGuard<'_, LedgerAccount> {
        self.account.lock().expect("no count panics")
    }
}

impl std::ops::AddAssign for ModelSpending {
    fn add_assign(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.usage += other.usage;
        self.unpriced = self.unpriced.saturating_add(other.unpriced);
        for (currency, micros) in other.micros {
            *self.micros.entry(currency).or_default() += micros;
        }
    }
}

impl std::ops::Add for ModelSpending {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

/// A call about to be made.
struct PendingCall<'a> {
    model: &'a str,
    amount: TokensAndMoney,
    cost: Option<&'a Cost>,
    set_aside: TokensAndMoney,
}

impl PendingCall<'_> {
    /// Fails with [`Error::Budget`] if the call and `spent` together would exceed `budget`.
    fn within(&self, budget: &SpendingBudget, spent: &ModelSpending, scope: Scope) -> Result<(), Error> {
        if let Some(limit) = budget.tokens
            && self.amount.tokens > 0
        {
            let spent = spent.usage.input + spent.usage.output;
            let (set_aside, asked) = (self.set_aside.tokens, self.amount.tokens);
            if spent + set_aside + asked > limit {
                let over = Overdraft { scope, currency: None, limit, spent, set_aside, asked };
                return Err(Error::Budget { message: over.to_string(), overdraft: Some(over) });
            }
        }
        match &budget.money {
            Some(limit) => self.affordable(limit, spent, scope),
            None => Ok(()),
        }
    }

    fn affordable(&self, limit: &Cost, spent: &ModelSpending, scope: Scope) -> Result<(), Error> {
        let refused = |message| Err(Error::Budget { message, overdraft: None });
        let Some(cost) = self.cost else { return refused(format!("the price of {} is not known", self.model)) };
        if cost.micros == 0 {
            return Ok(());
        }
        if cost.currency != limit.currency {
            return refused(format!(
                "{} is paid in {}, the budget is in {}",
                self.model, cost.currency, limit.currency
            ));
        }
        if spent.unpriced > 0 {
            return refused(format!("{} calls had no known price", spent.unpriced));
        }
        if let Some((currency, _)) = spent.micros.iter().find(|(own, micros)| **own != limit.currency && **micros > 0) {
            return refused(format!("calls were paid in {currency}, the budget is in {}", limit.currency));
        }
        let spent = spent.micros.get(&limit.currency).copied().unwrap_or(0);
        let (set_aside, asked) = (self.set_aside.micros, cost.micros);
        if spent + set_aside + asked <= limit.micros {
            return Ok(());
        }
        let currency = Some(limit.currency.clone());
        let over = Overdraft { scope, currency, limit: limit.micros, spent, set_aside, asked };
        Err(Error::Budget { message: over.to_string(), overdraft: Some(over) })
    }
}
