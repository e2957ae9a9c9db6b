//! Counting what a run spends, and stopping it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use futures::StreamExt;
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::estimate::Estimator;
use crate::price::{Cost, Prices};
use crate::{ChatModel, Error, Event, EventStream, Reply, Request, Usage};

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
    /// Calls that were answered, in part at least.
    pub calls: u32,
    /// Their tokens.
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

/// The account of one run, shared by all its models.
///
/// A call is estimated and set aside before it is made, so that parallel calls cannot overdraw together, and counted
/// afterwards by what the provider reports, else by the estimate. One call can go over by as much as its answer is
/// longer than expected. Beside its own budget a run may have a part in that of the day,
/// of its user and of its key.
#[derive(Debug)]
pub struct Ledger {
    budget: Budget,
    days: Vec<Day>,
    prices: Prices,
    estimator: Estimator,
    account: Mutex<Account>,
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
        Self { budget, days: Vec::new(), prices, estimator: Estimator::default(), account: Mutex::new(account) }
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

    /// What `usage` of `model` costs, if its price is known.
    pub fn cost(&self, model: &str, usage: Usage) -> Option<Cost> {
        self.prices.cost(model, usage)
    }

    /// Sets aside what `request` is expected to take, or says why not.
    async fn set_aside(&self, model: &str, request: &Request) -> Result<Amount, Error> {
        let input = self.estimator.request(model, request);
        let output = request.max_tokens.map_or(EXPECTED_OUTPUT, u64::from);
        let expected = Usage { input, cached: 0, output, estimated: true };
        let cost = self.cost(model, expected);
        let mut elsewhere = Vec::with_capacity(self.days.len());
        for day in &self.days {
            elsewhere.push(day.elsewhere.spent().await?);
        }
        let mut account = self.account();
        let amount = Amount { tokens: input + output, micros: cost.as_ref().map_or(0, |cost| cost.micros) };
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

    fn charge(&self, model: &str, usage: Usage) {
        let cost = self.cost(model, usage);
        let mut spent = Spent { calls: 1, usage, ..Spent::default() };
        match cost {
            Some(cost) => drop(spent.micros.insert(cost.currency, cost.micros)),
            None => spent.unpriced = 1,
        }
        let mut account = self.account();
        account.session += spent.clone();
        account.spent += spent;
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
        if let Some(limit) = budget.tokens {
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

/// Counts the calls of a model into a [`Ledger`] and refuses those over its budget.
#[derive(Debug)]
pub struct Budgeted {
    model: Arc<dyn ChatModel>,
    ledger: Arc<Ledger>,
}

impl Budgeted {
    /// Counts the calls of `model` into `ledger`.
    pub fn new(model: Arc<dyn ChatModel>, ledger: Arc<Ledger>) -> Self {
        Self { model, ledger }
    }
}

impl ChatModel for Budgeted {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let held = Held::new(Arc::clone(&self.ledger), self.name(), request).await?;
            let mut stream = self.model.stream(request).await?;
            let mut running = Running::new(held, request.clone());
            let events = async_stream::stream! {
                while let Some(mut event) = stream.next().await {
                    if let Ok(event) = &mut event {
                        running.saw(event);
                    }
                    yield event;
                }
            };
            Ok(events.boxed())
        })
    }
}

/// What one call has set aside; released when it is over.
struct Held {
    ledger: Arc<Ledger>,
    model: String,
    amount: Amount,
}

impl Held {
    async fn new(ledger: Arc<Ledger>, model: &str, request: &Request) -> Result<Self, Error> {
        let amount = ledger.set_aside(model, request).await?;
        Ok(Self { ledger, model: model.to_owned(), amount })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.ledger.release(self.amount);
    }
}

/// A call whose answer has begun; charged once, at the latest when it is given up.
struct Running {
    held: Held,
    request: Request,
    output: u64,
    reported: Usage,
    charged: bool,
}

impl Running {
    fn new(held: Held, request: Request) -> Self {
        Self { held, request, output: 0, reported: Usage::default(), charged: false }
    }

    fn saw(&mut self, event: &mut Event) {
        match event {
            Event::Text(piece) | Event::Reasoning(piece) | Event::ToolDelta { arguments: piece, .. } => {
                self.output += self.held.ledger.estimator.text(&self.held.model, piece);
            }
            Event::Usage(usage) => self.reported = *usage,
            Event::Done(reply) => self.done(reply),
        }
    }

    /// Charges the whole answer, and puts the estimate into a reply without usage.
    fn done(&mut self, reply: &mut Reply) {
        if reply.model.is_empty() {
            reply.model.clone_from(&self.held.model);
        }
        self.reported = reply.usage;
        if !reply.usage.estimated {
            self.held.ledger.estimator.learn(&reply.model, &self.request, reply.usage.input);
        }
        reply.usage = self.usage(&reply.model);
        self.held.ledger.charge(&reply.model, reply.usage);
        self.charged = true;
    }

    /// What was reported; an estimate where nothing was, unless the model is free and may mean it.
    fn usage(&self, model: &str) -> Usage {
        let silent = self.reported.input == 0 && self.reported.output == 0;
        let free = self.held.ledger.prices.of(model).is_some_and(crate::price::Price::is_free);
        if !silent || free {
            return self.reported;
        }
        let input = self.held.ledger.estimator.request(model, &self.request);
        Usage { input, cached: 0, output: self.output, estimated: true }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.charged {
            self.held.ledger.charge(&self.held.model, self.usage(&self.held.model));
        }
    }
}
