//! What calls cost, summed up.

use qingyu_store::AgentUsage;

use crate::{Cost, UsageView};

/// Sums up what agents used.
///
/// The cost is known if every price is known and all money is of one currency; what is free is of any.
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
}
