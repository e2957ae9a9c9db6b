//! Search queries.

use qingyu_graph::NodeError;
use qingyu_production::research::ResearchQuestion;

use super::answer::{PlannedQuestion, Queries};
use super::context::QueryContext;
use super::notice::ResearchNotice;
use super::request::{ResearchRequest, ResearchResult, call, line};
use crate::call::CallContext;
use crate::prompts::PromptName;

/// Maximum characters of a query.
const LONGEST: usize = 120;

/// Maximum number of questions, and of characters of a question or a perspective.
const QUESTIONS: (usize, usize) = (6, 200);

/// Returns the model's queries, and puts the questions that it divides the question into in the report; the fallback is
/// the words of the question, undivided.
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
        work.report.questions = questions(&queries.questions);
        return Ok(usable(&queries.queries, limit));
    }
    work.warnings.push(ResearchNotice::PlanUnread { error: &error }.text(asked.language));
    Ok(usable(std::slice::from_ref(&asked.question), limit))
}

/// Returns the questions with content, without duplicates, each on one line; none if there is only one.
fn questions(planned: &[PlannedQuestion]) -> Vec<ResearchQuestion> {
    let mut kept: Vec<ResearchQuestion> = Vec::new();
    for planned in planned {
        let (question, perspective) = (line(&planned.question, QUESTIONS.1), line(&planned.perspective, QUESTIONS.1));
        let is_new = !kept.iter().any(|known| known.question == question);
        if is_new && question.chars().any(char::is_alphanumeric) && kept.len() < QUESTIONS.0 {
            kept.push(ResearchQuestion { question, perspective, ..ResearchQuestion::default() });
        }
    }
    if kept.len() > 1 { kept } else { Vec::new() }
}

/// Returns the first `limit` queries with content, without duplicates, each on one line.
fn usable(queries: &[String], limit: usize) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for query in queries {
        let line = line(query, LONGEST);
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
    fn questions_are_cleaned_and_one_is_no_division() {
        let of = |given: &[&str]| {
            let planned = |question: &&str| PlannedQuestion { question: (*question).into(), ..Default::default() };
            questions(&given.iter().map(planned).collect::<Vec<_>>())
        };
        let kept: Vec<String> = of(&["a \n b?", "a b?", "??", "c"]).into_iter().map(|kept| kept.question).collect();
        assert_eq!(kept, ["a b?", "c"]);
        assert!(of(&["a"]).is_empty());
        assert_eq!(of(&["1", "2", "3", "4", "5", "6", "7"]).len(), 6);
    }

    #[test]
    fn queries_are_cleaned() {
        let given = ["  a \n b ", "A B", "???", "", "c", "d"].map(String::from);
        assert_eq!(usable(&given, 2), ["a b", "c"]);
        assert_eq!(usable(&["长".repeat(500)], 4)[0].chars().count(), LONGEST);
    }
}
