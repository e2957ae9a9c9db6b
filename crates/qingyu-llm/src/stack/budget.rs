//! Counting what a run spends, and stopping it.

mod budgeted;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::estimate::Estimator;
use crate::price::{Cost, Prices};
use crate::{Attribution, Error, Request, Usage};

pub use budgeted::Budgeted;

/// What an answer without `max_tokens` is expected to have.
const EXPECTED_OUTPUT: u64 = 2_000;

/// What may be spent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Budget {
    /// Tokens of requests and answers together.
    pub tokens: Option<u64>,
    /// Money. With this set, calls whose price is unknown or in another currency are refused.
    pub money: Option<Cost>,
}

/// What has been spent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Spent {
    /// Requests that were answered, in part at least.
    pub calls: u32,
    /// The tokens of those that token budgets hold for.
    pub usage: Usage,
    /// Millionths by currency.
    pub micros: BTreeMap<String, u64>,
    /// Calls to models whose price is not known; `micros` is without them.
    pub unpriced: u32,
}

/// A call that a budget does not allow, in figures: tokens, or millionths of a currency's unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overdraft {
    /// Whose budget it is.
    pub scope: Scope,
    /// The currency; none for tokens.
    pub currency: Option<String>,
    /// What may be spent.
    pub limit: u64,
    /// What is spent.
    pub spent: u64,
    /// What calls under way are expected to take.
    pub set_aside: u64,
    /// What the call is expected to take.
    pub asked: u64,
}

/// Whose budget it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// That of one run.
    Run,
    /// That of all runs of one day.
    Day,
    /// What may be spent in a day with the key that the run was started with.
    Key,
}

/// What all runs of a day may spend: all of a user, or those of a key.
#[derive(Debug, Clone)]
pub struct Day {
    /// Whose budget it is.
    pub scope: Scope,
    /// The limits.
    pub budget: Budget,
    /// What this run has spent today before this ledger was opened.
    pub before: Spent,
    /// Who knows what the other runs have spent today.
    pub elsewhere: Arc<dyn Elsewhere>,
}

/// Knows what others spend from a budget that is shared with them.
pub trait Elsewhere: Send + Sync + std::fmt::Debug {
    /// What they have spent by now. Asked before every call, so it should be quick; what cannot be found out is an error,
    /// and the call is not made.
    fn spent(&self) -> BoxFuture<'_, Result<Spent, Error>>;
}

/// One request whose answer had begun, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge {
    /// The purpose of the request.
    pub purpose: String,
    /// Which call of the run it belongs to, if the request says.
    pub call: String,
    /// Who is charged.
    pub attribution: Attribution,
    /// The model that was asked.
    pub model: String,
    /// Its tokens.
    pub usage: Usage,
    /// Its price, if it is known.
    pub cost: Option<Cost>,
}

/// Books every charge of a ledger.
pub trait Bookkeeper: Send + Sync + std::fmt::Debug {
    /// Takes a charge, before the end of the answer is passed on. It must not block.
    fn book(&self, charge: Charge);
}

/// The account of one run, shared by all its models.
///
/// A request is estimated and set aside before it is sent, so that parallel requests cannot overdraw together, and counted
/// afterwards by what the provider reports, else by the estimate: also if its answer broke off, was given up or was
/// unusable. One request can go over by as much as its answer is longer than expected. Beside its own budget a run may
/// have a part in that of the day, of its user and of its key. Models that are free take no part in token budgets.
#[derive(Debug)]
pub struct Ledger {
    budget: Budget,
    days: Vec<Day>,
    prices: Prices,
    free_models: FreeModels,
    bookkeeper: Option<Arc<dyn Bookkeeper>>,
    estimator: Estimator,
    account: Mutex<Account>,
}

/// Whether token budgets hold for models that are free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FreeModels {
    /// Their tokens are booked, and limited by nothing.
    #[default]
    Unlimited,
    /// Their tokens are limited like those of others.
    Limited,
}

#[derive(Debug, Default)]
struct Account {
    /// What the run has spent, earlier attempts included.
    spent: Spent,
    /// What was spent since the ledger was opened.
    session: Spent,
    set_aside: Amount,
}

#[derive(Debug, Clone, Copy, Default)]
struct Amount {
    tokens: u64,
    micros: u64,
}

impl Ledger {
    /// An empty account.
    pub fn new(budget: Budget, prices: Prices) -> Self {
        Self::resumed(budget, prices, Spent::default())
    }

    /// The account of a run that has spent something already.
    pub fn resumed(budget: Budget, prices: Prices, spent: Spent) -> Self {
        let account = Account { spent, ..Account::default() };
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

    /// The same account, with token budgets that hold for free models as this says.
    #[must_use]
    pub fn with_free_models(self, free_models: FreeModels) -> Self {
        Self { free_models, ..self }
    }

    /// The same account, whose charges are booked.
    #[must_use]
    pub fn with_bookkeeper(self, bookkeeper: Arc<dyn Bookkeeper>) -> Self {
        Self { bookkeeper: Some(bookkeeper), ..self }
    }

    /// The same account, which also has a part in the budget of the day.
    #[must_use]
    pub fn with_day(mut self, day: Day) -> Self {
        self.days.push(day);
        self
    }

    /// What has been spent so far.
    pub fn spent(&self) -> Spent {
        self.account().spent.clone()
    }

    /// What `usage` of `model` costs at most, if its price is known.
    pub fn cost(&self, model: &str, usage: Usage) -> Option<Cost> {
        self.prices.cost(model, usage)
    }

    /// Sets aside what `request` is expected to take, or says why not.
    async fn set_aside(&self, model: &str, request: &Request) -> Result<Amount, Error> {
        let input = self.estimator.request(model, request);
        let output = request.max_tokens.map_or(EXPECTED_OUTPUT, u64::from);
        // The dearest case: everything is written to the provider's cache.
        let expected = Usage { input, cached: 0, written: input, output, estimated: true };
        let cost = self.cost(model, expected);
        let mut elsewhere = Vec::with_capacity(self.days.len());
        for day in &self.days {
            elsewhere.push(day.elsewhere.spent().await?);
        }
        let mut account = self.account();
        let tokens = if self.is_exempt(model) { 0 } else { input + output };
        let amount = Amount { tokens, micros: cost.as_ref().map_or(0, |cost| cost.micros) };
        let asked = Asked { model, amount, cost: cost.as_ref(), set_aside: account.set_aside };
        asked.within(&self.budget, &account.spent, Scope::Run)?;
        for (day, elsewhere) in self.days.iter().zip(elsewhere) {
            let spent = elsewhere + day.before.clone() + account.session.clone();
            asked.within(&day.budget, &spent, day.scope)?;
        }
        account.set_aside.tokens += amount.tokens;
        account.set_aside.micros += amount.micros;
        Ok(amount)
    }

    fn release(&self, amount: Amount) {
        let mut account = self.account();
        account.set_aside.tokens -= amount.tokens;
        account.set_aside.micros -= amount.micros;
    }

    /// Counts a request, and books it.
    fn charge(&self, request: &Request, model: &str, usage: Usage) {
        let cost = self.prices.cost_at(model, usage, jiff::Timestamp::now());
        let limited = if self.is_exempt(model) { Usage::default() } else { usage };
        let mut spent = Spent { calls: 1, usage: limited, ..Spent::default() };
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
            let Request { purpose, call, attribution, .. } = request.clone();
            bookkeeper.book(Charge { purpose, call, attribution, model: model.to_owned(), usage, cost });
        }
    }

    /// Whether token budgets do not hold for `model`.
    fn is_exempt(&self, model: &str) -> bool {
        self.free_models == FreeModels::Unlimited && self.prices.is_free(model)
    }

    /// Whether `model` may mean it when it says that it used no tokens.
    fn is_without_tokens(&self, model: &str) -> bool {
        self.prices.is_free(model)
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().expect("no count panics")
    }
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.usage += other.usage;
        self.unpriced = self.unpriced.saturating_add(other.unpriced);
        for (currency, micros) in other.micros {
            *self.micros.entry(currency).or_default() += micros;
        }
    }
}

impl std::ops::Add for Spent {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

/// A call that is about to be made.
struct Asked<'a> {
    model: &'a str,
    amount: Amount,
    cost: Option<&'a Cost>,
    set_aside: Amount,
}

impl Asked<'_> {
    /// Fails with [`Error::Budget`] if the call would go over `budget`, of which that much is spent.
    fn within(&self, budget: &Budget, spent: &Spent, scope: Scope) -> Result<(), Error> {
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

    fn affordable(&self, limit: &Cost, spent: &Spent, scope: Scope) -> Result<(), Error> {
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

impl Overdraft {
    /// The smallest limit that allows the call.
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
