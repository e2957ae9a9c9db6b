//! The interview: asks a single question at a time, without duplicates, and never about facts already given by the
//! user.

use qingyu_agents::production::context::{InterviewContext, Who};

use super::brief::ProductionBrief;
use super::tables;

/// Number of questions after which the option to stop is mentioned.
const MANY: usize = 3;

/// Returns the next question.
pub(crate) fn ask(asking: &InterviewContext) -> String {
    let tables = tables::of(asking.language);
    let brief = ProductionBrief::read(asking.language, tables, &asking.premise, &asking.conversation);
    let was_asked = |text: &str| {
        let by_agent = asking.conversation.iter().filter(|line| line.who == Who::Agent);
        by_agent.into_iter().any(|line| line.text.contains(text))
    };
    let open =
        |question: &&tables::InterviewQuestion| !brief.known.contains_key(&question.slot) && !was_asked(&question.text);
    match tables.questions.iter().find(open) {
        Some(question) if asking.asked >= MANY => format!("{}\n\n{}", question.text, tables.may_go_on),
        Some(question) => question.text.clone(),
        None => tables.all_asked.clone(),
    }
}
