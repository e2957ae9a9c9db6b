//! Search queries.

use qingyu_graph::NodeError;

use super::answer::Queries;
use super::context::QueryContext;
use super::notice::ResearchNotice;
use super::request::{ResearchRequest, ResearchResult, call};
use crate::call::CallContext;
use crate::prompts::PromptName;

/// Maximum characters of a query.
const LONGEST: usize = 120;

/// Returns the model's queries; the fallback is the words of the question.
pub(super) async fn plan(
    seat: &CallContext<'_>,
    asked: &ResearchRequest,
    work: &mut ResearchResult,
) -> Result<Vec<String>, NodeError> {
    let limit = asked.max_queries.max(1);
    let planning = QueryContext {
        question: asked.question.clone(),
        premise: asked.premise.clone(),
        language: asked.language,
        limit,
    };
    let call = seat.call(call("plan", String::new(), PromptName::RESEARCH_PLAN), &planning, &planning)?;
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
    work.warnings.push(ResearchNotice::PlanUnread { error: &error }.text(asked.language));
    Ok(usable(std::slice::from_ref(&asked.question), limit))
}

/// Returns the first `limit` queries with content, without duplicates, each on one line.
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
