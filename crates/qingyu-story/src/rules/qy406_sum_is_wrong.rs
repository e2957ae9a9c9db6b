//! QY406: an amount not equal to the previous amount plus gains minus expenses.

use serde_json::json;

use super::claims::{contradiction, fix_fact};
use super::counting::{accounts, in_unit_of, is_off};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::predicate::PredicateRole;
use crate::truth::TruthStatement;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy406_sum_is_wrong.toml");
    Rule::new("QY406", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for account in accounts(material) {
        let mut known: Option<(f64, &TruthStatement<'_>)> = None;
        let mut changes = Vec::new();
        for (role, number, statement) in account.entries {
            if role != PredicateRole::Amount {
                changes.push((role, number, statement));
                continue;
            }
            if let Some((before, last)) = known {
                let signed = |(role, number, _): &(PredicateRole, f64, _)| {
                    if *role == PredicateRole::Gain { *number } else { -*number }
                };
                let change = changes.iter().map(signed).sum::<f64>();
                let sum = before + change;
                // Of one time, the balance that came first may be told last.
                let is_told_back = last.span.from == statement.span.from && !is_off(number + change, before);
                if !changes.is_empty() && sum >= 0.0 && is_off(sum, number) && !is_told_back {
                    let evidence = changes.iter().map(|(_, _, change)| change.evidence(truth));
                    let draft = contradiction(truth, (last, statement))
                        .say("sum", in_unit_of(statement, sum).to_string())
                        .say("said", statement.shown(truth))
                        .list("changes", changes.iter().map(|(_, _, change)| change.evidence(truth).quote))
                        .quotes(evidence.map(|evidence| (evidence.anchor, evidence.quote)));
                    let value = json!({ "value": in_unit_of(statement, sum) });
                    drafts.push(fix_fact(draft, "sum", truth.asserting(statement), value));
                }
            }
            known = Some((number, statement));
            changes.clear();
        }
    }
    drafts
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Config, Story, findings};

    /// A fact about an amount: its predicate, number, time, chapter, the start of its sentence and the sentence.
    type Entry<'e> = (&'e str, f64, &'e str, u32, u32, &'e str);

    /// Returns the number of sums of the cash box that are found to be wrong.
    fn wrong_sums(entries: &[Entry<'_>]) -> usize {
        let fact = |(at, (predicate, value, from, chapter, start, quote)): (usize, &Entry<'_>)| -> Value {
            json!({ "id": format!("f-{at}"), "subject": "the box", "predicate": predicate, "value": value, "unit": "元",
                "from": from, "source": { "document": format!("d-{chapter}"), "quote": quote, "start": start } })
        };
        let document = |order: u32| json!({ "id": format!("d-{order}"), "title": format!("第{order}章"), "order": order, "text": "雨。" });
        let story: Story = serde_json::from_value(json!({
            "worldview": { "items": [{ "id": "i-1", "name": "the box", "alias": ["柜银"] }] },
            "documents": [document(1), document(2)],
            "facts": entries.iter().enumerate().map(fact).collect::<Vec<_>>()
        }))
        .unwrap();
        let found = findings(&story, &Config::default()).into_iter();
        found.filter(|one| one.issue.code.as_deref() == Some("QY406")).count()
    }

    #[test]
    fn the_numbers_of_one_sentence_are_one_sum() {
        let zh = |balance: f64, quote: &'static str| {
            wrong_sums(&[
                ("数量", 326.0, "1933-04-03", 1, 40, "柜银三百二十六元。"),
                ("减少", 60.0, "1933-04-05", 2, 10, quote),
                ("增加", 94.0, "1933-04-05", 2, 10, quote),
                ("数量", balance, "1933-04-05", 2, 10, quote),
            ])
        };
        assert_eq!(zh(360.0, "支棺木六十元，收票款九十四元，柜银三百六十元。"), 0);
        assert_eq!(zh(380.0, "支棺木六十元，收票款九十四元，柜银三百八十元。"), 1);
        assert_eq!(zh(380.0, "柜银三百八十元，支棺木六十元，收票款九十四元。"), 0, "the amount may be the one before");
        let en = |balance: f64, quote: &'static str| {
            wrong_sums(&[
                ("amount", 326.0, "1933-04-03", 1, 40, "There were 326 in the box."),
                ("spends", 60.0, "1933-04-05", 2, 10, "Sixty for the coffin."),
                ("gains", 94.0, "1933-04-05", 2, 32, "Ninety-four for tickets."),
                ("amount", balance, "1933-04-05", 2, 57, quote),
            ])
        };
        assert_eq!(en(360.0, "That left three hundred and sixty."), 0);
        assert_eq!(en(380.0, "That left three hundred and eighty."), 1);
    }

    #[test]
    fn a_balance_of_one_hour_follows_from_the_balance_told_before() {
        let sums = |balance: f64, quote: &'static str| {
            wrong_sums(&[
                ("余额", 320.0, "1933-04-03 06:00", 1, 10, "上日结存，柜银三百二十元。"),
                ("收入", 6.0, "1933-04-03 06:00", 1, 60, quote),
                ("余额", balance, "1933-04-03 06:00", 1, 60, quote),
            ])
        };
        assert_eq!(sums(326.0, "半票一张，收六元，柜银三百二十六元。"), 0);
        assert_eq!(sums(336.0, "半票一张，收六元，柜银三百三十六元。"), 1);
        assert_eq!(
            sums(336.0, "我收了她六元，写上半票一张，收六元，柜银三百三十六元。"),
            1,
            "told twice in a sentence"
        );
        assert_eq!(sums(326.0, "我收了她六元，写上半票一张，收六元，柜银三百二十六元。"), 0);
        assert_eq!(sums(314.0, "半票一张，收六元，上日结存，柜银三百一十四元。"), 0, "what it was before");
    }

    #[test]
    fn changes_behind_a_balance_of_their_time_may_have_led_to_it() {
        let sums = |from: &'static str| {
            wrong_sums(&[
                ("数量", 326.0, "1933-04-03", 1, 10, "柜银三百二十六元。"),
                ("数量", 360.0, "1933-04-05", 2, 10, "柜银三百六十元。"),
                ("减少", 60.0, "1933-04-05", 2, 50, "支棺木六十元。"),
                ("增加", 94.0, from, 2, 80, "收票款九十四元。"),
                ("数量", 246.0, "1933-04-08", 2, 90, "柜银二百四十六元。"),
            ])
        };
        assert_eq!(sums("1933-04-05"), 0);
        assert_eq!(sums("1933-04-06"), 0);
    }
}
