//! Taking what fits into a budget, nearest first.

use serde::Serialize;
use serde_json::{Map, Value, json};

use qingyu_llm::tokens::TokenCounter;

/// Something that could be in the context.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The key it stands under.
    pub section: &'static str,
    /// Whether it stands there alone, and not in a list.
    pub single: bool,
    /// What it is called in the trace.
    pub id: String,
    /// Smaller goes first.
    pub rank: (u8, u8, usize),
    /// Ways to say it, the fullest first; at least one.
    pub forms: Vec<Value>,
}

/// Something that is not in the context, or not in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The key it would stand under.
    pub section: &'static str,
    /// What it is.
    pub id: String,
    /// Why it is not there.
    pub reason: Reason,
}

/// Why something is not in the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It costs too much.
    Budget,
    /// It costs too much in full; a shorter form is there.
    Shortened,
    /// It is further from the task than was asked for.
    OutOfScope,
    /// The reader learns of it later than at this point.
    ToldLater,
    /// It no longer holds at this point.
    Over,
    /// There is no text yet.
    NotWritten,
}

impl Reason {
    /// The word in the trace.
    pub fn name(self) -> &'static str {
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

/// What was taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The context, by section.
    pub content: Value,
    /// What it costs; never more than the budget.
    pub tokens: u64,
    /// How many candidates are in it, in some form.
    pub taken: usize,
    /// The others, and those in a shorter form.
    pub left: Vec<Left>,
}

/// Takes candidates by rank, each in the fullest form that still fits, until all were tried.
///
/// The cost is that of the content as JSON text, counted as a whole. A budget below the cost of `{}` gives `{}`.
pub fn select(candidates: &[Candidate], budget: u64, counter: &dyn TokenCounter) -> Selection {
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
    // Parts counted alone may cost a little less than together; what matters is the whole.
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
            None => Reason::Budget,
            Some(0) => return None,
            Some(_) => Reason::Shortened,
        };
        Some(Left { section: candidate.section, id: candidate.id.clone(), reason })
    });
    Selection { content, tokens, taken: chosen.len(), left: left.collect() }
}

/// The chosen forms by section, in the order of the candidates.
fn put_together(candidates: &[Candidate], chosen: &[(usize, usize)]) -> Value {
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
    use qingyu_llm::tokens::AnyModel;

    /// Counts every character, so that sums are exact.
    #[derive(Debug)]
    struct Characters;

    impl TokenCounter for Characters {
        fn count(&self, text: &str) -> u64 {
            text.chars().count() as u64
        }
    }

    /// Text together costs more than its parts, as no real counter does.
    #[derive(Debug)]
    struct Squares;

    impl TokenCounter for Squares {
        fn count(&self, text: &str) -> u64 {
            (text.chars().count() as u64).pow(2) / 8
        }
    }

    fn candidate(section: &'static str, id: &str, rank: u8, forms: &[&str]) -> Candidate {
        let forms = forms.iter().map(|form| json!(form)).collect();
        Candidate { section, single: section == "one", id: id.into(), rank: (rank, 0, 0), forms }
    }

    fn candidates() -> impl Strategy<Value = Vec<Candidate>> {
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
            let counters: [&dyn TokenCounter; 3] = [&AnyModel, &Characters, &Squares];
            let selection = select(&candidates, budget, counters[counter]);
            prop_assert_eq!(selection.tokens, counters[counter].count(&selection.content.to_string()));
            prop_assert!(selection.tokens <= budget, "{} > {budget}", selection.tokens);
            let gone = selection.left.iter().filter(|left| left.reason == Reason::Budget).count();
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
        let left: Vec<(&str, Reason)> = selection.left.iter().map(|left| (left.id.as_str(), left.reason)).collect();
        assert_eq!(left, [("far", Reason::Budget), ("beside", Reason::Shortened)]);
    }

    #[test]
    fn a_budget_for_nothing_gives_nothing() {
        let selection = select(&[candidate("events", "e", 0, &["x"])], 0, &Characters);
        assert_eq!((selection.content, selection.taken, selection.left.len()), (json!({}), 0, 1));
    }
}
