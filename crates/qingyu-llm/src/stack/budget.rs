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

/// The account of one run, shared by all its models.
///
/// A call is estimated and set aside before it is made, so that parallel calls cannot overdraw together, and counted
/// afterwards by what the provider reports, else by the estimate. One call can go over by as much as its answer is
/// longer than expected.
#[derive(Debug)]
pub struct Ledger {
    budget: Budget,
    prices: Prices,
    estimator: Estimator,
    account: Mutex<Account>,
}

#[derive(Debug, Default)]
struct Account {
    spent: Spent,
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
        let account = Account { spent, set_aside: Amount::default() };
        Self { budget, prices, estimator: Estimator::default(), account: Mutex::new(account) }
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
    fn set_aside(&self, model: &str, request: &Request) -> Result<Amount, Error> {
        let input = self.estimator.request(model, request);
        let output = request.max_tokens.map_or(EXPECTED_OUTPUT, u64::from);
        let expected = Usage { input, cached: 0, output, estimated: true };
        let cost = self.cost(model, expected);
        let mut account = self.account();
        let amount = Amount { tokens: input + output, micros: cost.as_ref().map_or(0, |cost| cost.micros) };
        let over_tokens = self.budget.tokens.and_then(|limit| account.over_tokens(limit, amount));
        let over_money =
            || self.budget.money.as_ref().and_then(|limit| account.over_money(limit, model, cost.as_ref()));
        if let Some(message) = over_tokens.or_else(over_money) {
            return Err(Error::Budget { message });
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
        let spent = &mut self.account().spent;
        spent.calls += 1;
        spent.usage += usage;
        match cost {
            Some(cost) => *spent.micros.entry(cost.currency).or_default() += cost.micros,
            None => spent.unpriced += 1,
        }
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().expect("no count panics")
    }
}

impl Account {
    fn over_tokens(&self, limit: u64, amount: Amount) -> Option<String> {
        let spent = self.spent.usage.input + self.spent.usage.output;
        let (held, asked) = (self.set_aside.tokens, amount.tokens);
        let over = spent + held + asked > limit;
        over.then(|| format!("{spent} of {limit} tokens are spent, {held} set aside, and about {asked} are asked"))
    }

    fn over_money(&self, limit: &Cost, model: &str, cost: Option<&Cost>) -> Option<String> {
        let Some(cost) = cost else { return Some(format!("the price of {model} is not known")) };
        if cost.micros == 0 {
            return None;
        }
        if cost.currency != limit.currency {
            return Some(format!("{model} is paid in {}, the budget is in {}", cost.currency, limit.currency));
        }
        if self.spent.unpriced > 0 {
            return Some(format!("{} calls had no known price", self.spent.unpriced));
        }
        if let Some((currency, _)) =
            self.spent.micros.iter().find(|(own, micros)| **own != limit.currency && **micros > 0)
        {
            return Some(format!("calls were paid in {currency}, the budget is in {}", limit.currency));
        }
        let amount = |micros: u64| Cost { micros, currency: limit.currency.clone() };
        let spent = self.spent.micros.get(&limit.currency).copied().unwrap_or(0);
        let held = self.set_aside.micros;
        (spent + held + cost.micros > limit.micros).then(|| {
            format!("{} of {limit} are spent, {} set aside, and about {cost} are asked", amount(spent), amount(held))
        })
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
            let held = Held::new(Arc::clone(&self.ledger), self.name(), request)?;
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
    fn new(ledger: Arc<Ledger>, model: &str, request: &Request) -> Result<Self, Error> {
        let amount = ledger.set_aside(model, request)?;
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
