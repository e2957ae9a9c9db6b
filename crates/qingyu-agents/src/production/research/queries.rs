//! What is searched for.

use qingyu_graph::NodeError;

use super::answer::Queries;
use super::context::QueryPlanning;
use super::notice::Notice;
use super::{Researched, Researching, call};
use crate::call::Seat;
use crate::prompts::Name;

/// Most characters of one query.
const LONGEST: usize = 120;

/// The queries of a model, or the words of the question if it has none that can be used.
pub(super) async fn plan(
    seat: &Seat<'_>,
    asked: &Researching,
    work: &mut Researched,
) -> Result<Vec<String>, NodeError> {
    let limit = asked.max_queries.max(1);
    let planning = QueryPlanning {
        question: asked.question.clone(),
        premise: asked.premise.clone(),
        language: asked.language,
        limit,
    };
    let call = seat.call(call("plan", String::new(), Name::RESEARCH_PLAN), &planning, &planning)?;
    let check = |queries: &Queries| match usable(&queries.queries, limit).is_empty() {
        true => vec!["queries: there is none".to_owned()],
        false => Vec::new(),
    };
    let called = call.ask(Some(&check)).await?;
    let error = called.error();
    work.records.push(called.record);
    if let Some(queries) = called.value {
        return Ok(usable(&queries.queries, limit));
    }
    work.warnings.push(Notice::PlanUnread { error: &error }.text(asked.language));
    Ok(usable(std::slice::from_ref(&asked.question), limit))
}

/// The first `limit` queries that say something, each once and of one line.
fn usable(queries: &[String], limit: usize) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for query in queries {
        let line = query.split_whitespace().collect::<Vec<_>>().join(" ");
        let line: String = line.chars().take(LONGEST).collect();
        let is_new = !kept.iter().any(|known| known.to_lowercase() == line.to_lowercase());
        if is_new && line.chars().any(char::is_alphanumeric) && kept.len() < limit {
            kept.push(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_cleaned() {
        let given = ["  a \n b ", "A B", "???", "", "c", "d"].map(String::from);
        assert_eq!(usable(&given, 2), ["a b", "c"]);
        assert_eq!(usable(&["长".repeat(500)], 4)[0].chars().count(), LONGEST);
    }
}
