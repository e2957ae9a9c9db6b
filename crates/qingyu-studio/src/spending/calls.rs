//! Paid calls: from events, from a run's state, and their sums.

use std::sync::Arc;

use qingyu_agents::CallRecord;
use qingyu_agents::progress::Progress;
use qingyu_llm::stack::{Bookkeeper, Charge, FreeModels, ModelSpending};
use qingyu_llm::{Cost, Prices, Usage};
use qingyu_store::{AgentUsage, Call, Spending};
use tokio::sync::mpsc;

use crate::runs::event::StudioEventKind;
use crate::spending::usage::UsageView;

/// The charges of a ledger, to be recorded.
pub(crate) type Charges = mpsc::UnboundedReceiver<Charge>;

/// Sends the charges of a ledger to the task recording charges.
#[derive(Debug)]
pub(crate) struct ChargeSender(mpsc::UnboundedSender<Charge>);

impl ChargeSender {
    /// Returns a sender and its receiver.
    pub(crate) fn new() -> (Arc<Self>, Charges) {
        let (sender, charges) = mpsc::unbounded_channel();
        (Arc::new(Self(sender)), charges)
    }
}

impl Bookkeeper for ChargeSender {
    fn book(&self, charge: Charge) {
        // The receiver outlives every call, except while the process exits.
        let _ = self.0.send(charge);
    }
}

/// Adds the currency to the price of a call.
#[derive(Debug, Clone)]
pub(crate) struct Pricing(pub(crate) Arc<Prices>);

impl Pricing {
    /// Returns the call reported by an event, if any.
    pub(crate) fn told(&self, kind: &StudioEventKind) -> Option<Call> {
        let StudioEventKind::Progress(Progress::Called {
            key,
            agent,
            purpose,
            model,
            usage,
            cost_micros,
            chapter,
            replayed,
            attempts,
            repaired,
            millis,
            ..
        }) = kind
        else {
            return None;
        };
        Some(Call {
            key: key.clone(),
            agent: agent.clone(),
            purpose: purpose.clone(),
            model: model.clone(),
            chapter: *chapter,
            replayed: *replayed,
            attempts: *attempts,
            repaired: *repaired,
            millis: *millis,
            ..self.counted(model, *usage, *cost_micros)
        })
    }

    /// Converts a call record of a run's state.
    pub(crate) fn recorded(&self, record: &CallRecord) -> Call {
        Call {
            key: record.key.clone(),
            agent: record.agent.clone(),
            purpose: record.purpose.clone(),
            model: record.model.clone(),
            chapter: record.chapter,
            replayed: record.replayed,
            attempts: record.attempts,
            repaired: record.repaired,
            millis: record.millis,
            ..self.counted(&record.model, record.usage, record.cost_micros)
        }
    }

    /// Converts a charge into a row.
    pub(crate) fn charged(&self, charge: Charge) -> Call {
        let Charge { purpose, call, attribution, model, usage, cost } = charge;
        let agent = match attribution.agent.is_empty() {
            true => purpose.split('.').next().unwrap_or_default().to_owned(),
            false => attribution.agent,
        };
        let counted = self.counted(&model, usage, cost.map(|cost| cost.micros));
        Call { key: call, agent, purpose, model, chapter: attribution.chapter, attempts: 1, ..counted }
    }

    /// Returns a call with known usage and cost only.
    pub(crate) fn counted(&self, model: &str, usage: Usage, cost_micros: Option<u64>) -> Call {
        Call {
            input: usage.input,
            cached: usage.cached,
            output: usage.output,
            estimated: usage.estimated,
            cost_micros,
            currency: cost_micros.and(self.0.of(model)).map(|price| price.currency.clone()),
            ..Call::default()
        }
    }
}

/// Returns the usage row of the call's agent for a single call.
pub(crate) fn used(call: &Call) -> AgentUsage {
    AgentUsage {
        agent: call.agent.clone(),
        calls: 1,
        input: call.input,
        cached: call.cached,
        output: call.output,
        estimated: call.estimated,
        cost_micros: call.cost_micros,
        currency: call.currency.clone(),
    }
}

/// Returns the sum of the agents' usage.
///
/// The cost is known if every price is known and all money has the same currency; free calls fit any currency.
pub(crate) fn sum(rows: &[AgentUsage]) -> UsageView {
    let mut usage = UsageView::default();
    let mut cost: Option<Cost> = None;
    let mut is_known = true;
    for row in rows {
        usage.input += row.input;
        usage.cached += row.cached;
        usage.output += row.output;
        usage.calls += row.calls;
        usage.estimated |= row.estimated;
        *usage.by_agent.entry(row.agent.clone()).or_default() += row.input + row.output;
        match (row.cost_micros, &row.currency, &mut cost) {
            (Some(micros), Some(currency), None) => cost = Some(Cost { micros, currency: currency.clone() }),
            (Some(micros), Some(currency), Some(sum)) if *currency == sum.currency => sum.micros += micros,
            (Some(0), _, Some(_)) => {}
            (Some(micros), Some(currency), Some(sum)) if sum.micros == 0 => {
                *sum = Cost { micros, currency: currency.clone() };
            }
            _ => is_known = false,
        }
    }
    usage.total = usage.input + usage.output;
    usage.cost = cost.filter(|_| is_known);
    usage
}

/// The rule for counting tokens towards budgets.
#[derive(Debug, Clone)]
pub(crate) struct TokenCount {
    /// The prices; used to find the free models.
    pub(crate) prices: Prices,
    /// Whether tokens of free models count.
    pub(crate) free_models: FreeModels,
}

impl TokenCount {
    fn counts(&self, model: &str) -> bool {
        self.free_models == FreeModels::Limited || !self.prices.is_free(model)
    }
}

/// Returns the total spending of the calls as counted by budgets.
pub(crate) fn spent(rows: &[Spending], count: &TokenCount) -> ModelSpending {
    let mut spent = ModelSpending::default();
    for row in rows {
        let calls = u32::try_from(row.calls).unwrap_or(u32::MAX);
        spent.calls = spent.calls.saturating_add(calls);
        if count.counts(&row.model) {
            spent.usage += Usage {
                input: row.input,
                cached: row.cached,
                output: row.output,
                estimated: row.estimated,
                ..Usage::default()
            };
        }
        match (row.cost_micros, &row.currency) {
            (Some(micros), Some(currency)) => *spent.micros.entry(currency.clone()).or_default() += micros,
            _ => spent.unpriced = spent.unpriced.saturating_add(calls),
        }
    }
    spent
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(agent: &str, cost: Option<(u64, &str)>) -> AgentUsage {
        AgentUsage {
            agent: agent.into(),
            calls: 2,
            input: 100,
            cached: 40,
            output: 20,
            estimated: false,
            cost_micros: cost.map(|(micros, _)| micros),
            currency: cost.map(|(_, currency)| currency.into()),
        }
    }

    #[test]
    fn a_sum_of_money_needs_every_price_in_one_currency() {
        let cny = Some((7, "CNY"));
        for (costs, expected) in [
            (vec![], None),
            (vec![cny], cny),
            (vec![cny, cny], Some((14, "CNY"))),
            (vec![cny, None], None),
            (vec![cny, Some((1, "USD"))], None),
            (vec![Some((0, "USD")), cny], cny),
            (vec![cny, Some((0, "USD"))], cny),
        ] {
            let rows: Vec<_> = costs.iter().map(|cost| row("outline_agent", *cost)).collect();
            let sum = sum(&rows);
            let expected = expected.map(|(micros, currency)| Cost { micros, currency: currency.into() });
            assert_eq!(sum.cost, expected, "{costs:?}");
            assert_eq!((sum.calls, sum.total), (2 * rows.len() as u64, 120 * rows.len() as u64));
        }
        let sum = sum(&[row("a", None), row("b", None), row("a", None)]);
        assert_eq!(sum.by_agent, [("a".into(), 240), ("b".into(), 120)].into());
    }

    #[test]
    fn a_resumed_run_begins_with_what_it_has_spent() {
        let row = |cost: Option<(u64, &str)>| Spending {
            calls: 2,
            input: 100,
            cached: 40,
            output: 20,
            cost_micros: cost.map(|(micros, _)| micros),
            currency: cost.map(|(_, currency)| currency.into()),
            ..Spending::default()
        };
        let free = Spending { model: "offline-rules-1".into(), ..row(Some((0, "USD"))) };
        let rows = [row(Some((7, "CNY"))), row(Some((3, "CNY"))), row(None)];
        let count = |free_models| TokenCount { prices: Prices::built_in(), free_models };
        let with_free = [&rows[..], &[free]].concat();
        assert_eq!(spent(&with_free, &count(FreeModels::Unlimited)).usage.input, 300);
        assert_eq!(spent(&with_free, &count(FreeModels::Limited)).usage.input, 400);
        let spent = spent(&rows, &count(FreeModels::Unlimited));
        assert_eq!((spent.calls, spent.unpriced), (6, 2));
        assert_eq!((spent.usage.input, spent.usage.cached, spent.usage.output), (300, 120, 60));
        assert_eq!(spent.micros, [("CNY".into(), 10)].into());
    }
}
