//! Asks one question at a time, never the same twice, and never what the user has said already.

use qingyu_agents::production::context::{Interviewing, Who};

use super::brief::Brief;
use super::tables;

/// After so many questions the user is told that it may be enough.
const MANY: usize = 3;

/// The next question.
pub(crate) fn ask(asking: &Interviewing) -> String {
    let tables = tables::of(asking.language);
    let brief = Brief::read(asking.language, tables, &asking.premise, &asking.conversation);
    let was_asked = |text: &str| {
        let by_agent = asking.conversation.iter().filter(|line| line.who == Who::Agent);
        by_agent.into_iter().any(|line| line.text.contains(text))
    };
    let open = |question: &&tables::Question| !brief.known.contains_key(&question.slot) && !was_asked(&question.text);
    match tables.questions.iter().find(open) {
        Some(question) if asking.asked >= MANY => format!("{}\n\n{}", question.text, tables.may_go_on),
        Some(question) => question.text.clone(),
        None => tables.all_asked.clone(),
    }
}
