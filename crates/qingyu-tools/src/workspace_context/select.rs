//! Selection of items within a budget, nearest first.

use serde::Serialize;
use serde_json::{Map, Value, json};

use qingyu_llm::tokens::TokenCounter;

/// A candidate for the context.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ContextCandidate {
    /// Key of the section.
    pub(super) section: &'static str,
    /// Whether the item is the section's single value, not a list entry.
    pub(super) single: bool,
    /// Name in the trace.
    pub(super) id: String,
    /// Sort rank; smaller comes first.
    pub(super) rank: (u8, u8, usize),
    /// Alternative forms, the fullest first; at least 1.
    pub(super) forms: Vec<Value>,
}

/// An item omitted from the context, or shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OmittedItem {
    /// Key of the section.
    pub(super) section: &'static str,
    /// Name of the item.
    pub(super) id: String,
    /// The reason.
    pub(super) reason: OmissionReason,
}

/// The reason an item is not in the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OmissionReason {
    /// Over budget.
    Budget,
    /// The full form is over budget; a shorter form is included.
    Shortened,
    /// Beyond the requested scope.
    OutOfScope,
    /// Revealed to the reader only later.
    ToldLater,
    /// No longer valid at the chapter.
    Over,
    /// No text yet.
    NotWritten,
}

impl OmissionReason {
    /// Returns the name in the trace.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Shortened => "shortened",
            Self::OutOfScope => "out_of_scope",
            Self::ToldLater => "told_later",
            Self::Over => "over",
            Self::NotWritten => "not_written",
        }
    }
}

/// The selected context.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Selection {
    /// The context, by section.
    pub(super) content: Value,
    /// Token cost; never above the budget.
    pub(super) tokens: u64,
    /// Number of candidates included in any form.
    pub(super) taken: usize,
    /// Omitted and shortened candidates.
    pub(super) left: Vec<OmittedItem>,
}

/// Selects candidates by rank, each in the fullest form within the budget, until all were tried.
///
/// The cost is the token count of the whole content as JSON text. A budget below the cost of `{}` returns `{}`.
pub(super) fn select(candidates: &[ContextCandidate], budget: u64, counter: &dyn TokenCounter) -> Selection {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|index| (candidates[*index].rank, *index));
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    let mut sections: Vec<&str> = Vec::new();
    let mut spent = counter.count("{}");
    for index in order {
        let candidate = &candidates[index];
        let key = if sections.contains(&candidate.section) {
            0
        } else {
            counter.count(&json!([candidate.section]).to_string())
        };
        let costs = candidate.forms.iter().map(|form| key + counter.count(&format!("{form},")));
        let fits = costs.enumerate().find(|(_, cost)| spent + cost <= budget);
        if let Some((form, cost)) = fits {
            spent += cost;
            sections.push(candidate.section);
            chosen.push((index, form));
        }
    }
    // Parts counted separately may cost slightly less than together; the whole counts.
    let (content, tokens) = loop {
        let content = put_together(candidates, &chosen);
        let tokens = counter.count(&content.to_string());
        if tokens <= budget || chosen.pop().is_none() {
            break (content, tokens);
        }
    };
    let mut forms = vec![None; candidates.len()];
    for (index, form) in &chosen {
        forms[*index] = Some(*form);
    }
    let left = candidates.iter().zip(forms).filter_map(|(candidate, form)| {
        let reason = match form {
            None => OmissionReason::Budget,
            Some(0) => return None,
            Some(_) => OmissionReason::Shortened,
        };
        Some(OmittedItem { section: candidate.section, id: candidate.id.clone(), reason })
    });
    Selection { content, tokens, taken: chosen.len(), left: left.collect() }
}

/// Returns the chosen forms by section, in the order of the candidates.
fn put_together(candidates: &[ContextCandidate], chosen: &[(usize, usize)]) -> Value {
    let mut chosen = chosen.to_vec();
    chosen.sort_unstable();
    let mut content = Map::new();
    for (index, form) in chosen {
        let candidate = &candidates[index];
        let value = candidate.forms[form].clone();
        if candidate.single {
            content.insert(candidate.section.to_owned(), value);
            continue;
        }
        let list = content.entry(candidate.section).or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(value);
        }
    }
    Value::Object(content)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use qingyu_llm::tokens::DefaultCounter;

    /// Counts every character, so sums are exact.
    #[derive(Debug)]
    struct Characters;

    impl TokenCounter for Characters {
        fn count(&self, text: &str) -> u64 {
            text.chars().count() as u64
        }
    }

    /// A counter with a higher cost for joined text than for its parts, unlike real counters.
    #[derive(Debug)]
    struct SquareCounter;

    impl TokenCounter for SquareCounter {
        fn count(&self, text: &str) -> u64 {
            (text.chars().count() as u64).pow(2) / 8
        }
    }

    fn candidate(section: &'static str, id: &str, rank: u8, forms: &[&str]) -> ContextCandidate {
        let forms = forms.iter().map(|form| json!(form)).collect();
        ContextCandidate { section, single: section == "one", id: id.into(), rank: (rank, 0, 0), forms }
    }

    fn candidates() -> impl Strategy<Value = Vec<ContextCandidate>> {
        let form = prop_oneof!["[a-z ]{0,40}", "[雨夜林青来客]{0,40}", ".{0,30}"];
        let one = (0..3_usize, 0..4_u8, prop::collection::vec(form, 1..4));
        prop::collection::vec(one, 0..30).prop_map(|all| {
            let mut alone = false;
            all.into_iter()
                .enumerate()
                .map(|(index, (section, rank, forms))| {
                    let section = ["one", "characters", "events"][section];
                    let section =
                        if section == "one" && std::mem::replace(&mut alone, true) { "events" } else { section };
                    let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
                    candidate(section, &index.to_string(), rank, &forms)
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn the_budget_holds_and_everything_is_accounted_for(
            candidates in candidates(),
            budget in 4_u64..400,
            counter in 0..3_usize,
        ) {
            let counters: [&dyn TokenCounter; 3] = [&DefaultCounter, &Characters, &SquareCounter];
            let selection = select(&candidates, budget, counters[counter]);
            prop_assert_eq!(selection.tokens, counters[counter].count(&selection.content.to_string()));
            prop_assert!(selection.tokens <= budget, "{} > {budget}", selection.tokens);
            let gone = selection.left.iter().filter(|left| left.reason == OmissionReason::Budget).count();
            prop_assert_eq!(selection.taken + gone, candidates.len());
            let whole = candidates.iter().filter(|one| !selection.left.iter().any(|left| left.id == one.id));
            for one in whole {
                let place = &selection.content[one.section];
                let there = if one.single { *place == one.forms[0] } else {
                    place.as_array().is_some_and(|list| list.contains(&one.forms[0]))
                };
                prop_assert!(there, "{} is neither there nor in the trace", one.id);
            }
        }

        #[test]
        fn more_budget_never_loses_the_first(candidates in candidates(), budget in 4_u64..400) {
            let first = |budget| {
                let selection = select(&candidates, budget, &Characters);
                let first = candidates.iter().min_by_key(|one| one.rank)?;
                Some(!selection.left.iter().any(|left| left.id == first.id))
            };
            prop_assert!(first(budget) <= first(budget + 100));
        }
    }

    #[test]
    fn the_nearest_goes_first_and_shorter_forms_save_room() {
        let all = vec![
            candidate("events", "far", 2, &["x".repeat(20).as_str()]),
            candidate("characters", "near", 0, &["林青，一个记者"]),
            candidate("characters", "beside", 1, &["y".repeat(60).as_str(), "short"]),
        ];
        let selection = select(&all, 50, &Characters);
        assert_eq!(selection.content, json!({"characters": ["林青，一个记者", "short"]}));
        let left: Vec<(&str, OmissionReason)> =
            selection.left.iter().map(|left| (left.id.as_str(), left.reason)).collect();
        assert_eq!(left, [("far", OmissionReason::Budget), ("beside", OmissionReason::Shortened)]);
    }

    #[test]
    fn a_budget_for_nothing_gives_nothing() {
        let selection = select(&[candidate("events", "e", 0, &["x"])], 0, &Characters);
        assert_eq!((selection.content, selection.taken, selection.left.len()), (json!({}), 0, 1));
    }
}
