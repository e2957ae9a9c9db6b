//! A run's question in words, and parsing of a message as the answer.

use a2a::A2AError;
use qingyu_studio::agents::direction::Direction;
use qingyu_studio::agents::levels::later::OwnPlan;
use qingyu_studio::agents::orchestrator::UndecidedPart;
use qingyu_studio::agents::production::Order;
use qingyu_studio::agents::writing::Decision;
use qingyu_studio::agents::writing::questions::About;
use qingyu_studio::story::Language;
use qingyu_studio::{RunAnswer, RunQuestion};

use crate::error::invalid;
use crate::texts::filled;
use crate::wish::MessageContent;

/// Words of approval.
const YES: [&str; 14] =
    ["approve", "approved", "accept", "yes", "y", "ok", "okay", "是", "好", "同意", "通过", "可以", "确认", "批准"];
/// Words of rejection without a reason.
const NO: [&str; 7] = ["reject", "no", "n", "否", "不", "不同意", "拒绝"];

/// Returns the question in words.
pub(crate) fn words(question: &RunQuestion, language: Language) -> String {
    match question {
        RunQuestion::Directions(offered) => {
            let line = |(number, direction): (usize, &Direction)| {
                format!("{}. {}\n{}", number + 1, direction.title, direction.blurb)
            };
            let lines: Vec<String> = offered.directions.iter().enumerate().map(line).collect();
            filled(language, "question.directions", &[("directions", &lines.join("\n\n"))])
        }
        RunQuestion::HumanReview(review) => filled(language, "question.material", &[("reason", &review.reason)]),
        RunQuestion::Chapters(asked) => {
            let label = |about: &About| match about {
                About::BelowFloor { shortfalls, .. } => {
                    shortfalls.iter().map(|shortfall| shortfall.title.as_str()).collect::<Vec<_>>().join(", ")
                }
                About::DraftKept { document, .. } => document.clone(),
                About::Settlement { label, candidates, .. } if candidates.is_empty() => label.clone(),
                About::Settlement { label, candidates, .. } => {
                    let names: Vec<&str> = candidates.iter().map(|candidate| candidate.name.as_str()).collect();
                    format!("{label} ↔ {}", names.join(" / "))
                }
                About::Gate { reason, .. } => reason.subject(),
                About::AgainstInstruction { issue, instruction, .. } => format!("{issue} ↔ {instruction}"),
                About::LaterPlan(proposal) => {
                    let own = proposal.own.map(|own| match own {
                        OwnPlan::ByHand => filled(language, "plan.by_hand", &[]),
                        OwnPlan::Locked => filled(language, "plan.locked", &[]),
                    });
                    format!(
                        "{} · {}: {}{}",
                        proposal.name,
                        proposal.field_name,
                        proposal.reason,
                        own.unwrap_or_default()
                    )
                }
            };
            let labels: Vec<String> =
                asked.questions.iter().map(|one| format!("{} ({})", label(&one.about), one.id)).collect();
            let count = labels.len().to_string();
            filled(language, "question.chapters", &[("count", &count), ("labels", &labels.join("; "))])
        }
        RunQuestion::Writes(request) => {
            filled(language, "question.writes", &[("count", &request.writes.len().to_string())])
        }
        RunQuestion::Agents(request) => {
            let names = |part: &UndecidedPart| {
                let names: Vec<&str> = part.agents.iter().map(|agent| agent.name.as_str()).collect();
                format!("{}: {}", part.description, names.join(", "))
            };
            let parts: Vec<String> = request.undecided.iter().map(names).collect();
            filled(language, "question.agents", &[("parts", &parts.join("\n"))])
        }
        RunQuestion::Breakpoint { next, .. } => filled(language, "question.breakpoint", &[("next", &next.join(", "))]),
        RunQuestion::Turn { turn } => turn.text.clone(),
    }
}

/// Parses the message as an answer to the question.
pub(crate) fn answer(question: &RunQuestion, wish: MessageContent) -> Result<RunAnswer, A2AError> {
    if let Some(answer) = wish.answer {
        return serde_json::from_value(answer).map_err(|error| invalid(format!("answer: {error}")));
    }
    let text = wish.words.trim().to_owned();
    if text.is_empty() {
        return Err(invalid("an answer has words, or a data part with the field answer"));
    }
    let said = text.trim_end_matches(['.', '!', '。', '！']).to_lowercase();
    let (yes, no) = (YES.contains(&said.as_str()), NO.contains(&said.as_str()));
    match question {
        RunQuestion::Directions(_) if yes => Ok(RunAnswer::Approve),
        RunQuestion::Directions(_) => Ok(RunAnswer::to_directions(&text)),
        RunQuestion::Turn { .. } => Ok(RunAnswer::Order { order: Order::Say { text } }),
        RunQuestion::Chapters(asked) if yes || no => {
            let decision = if yes { Decision::Accept } else { Decision::Reject };
            Ok(RunAnswer::Decide { answers: asked.all(decision).answers, choices: Default::default() })
        }
        RunQuestion::Chapters(_) => Err(invalid("answer yes or no, or send decisions by id in a data part")),
        RunQuestion::HumanReview(_) | RunQuestion::Writes(_) if yes => Ok(RunAnswer::Approve),
        RunQuestion::HumanReview(_) | RunQuestion::Writes(_) => Ok(RunAnswer::Reject { feedback: text }),
        RunQuestion::Agents(_) if no => Ok(RunAnswer::Reject { feedback: String::new() }),
        RunQuestion::Agents(_) => Ok(RunAnswer::to_agents(&text)),
        RunQuestion::Breakpoint { .. } if yes => Ok(RunAnswer::Approve),
        RunQuestion::Breakpoint { .. } => Err(invalid("the run stopped at a breakpoint: answer yes to continue")),
    }
}

#[cfg(test)]
mod tests {
    use a2a::{Message, Part, Role};
    use qingyu_studio::agents::AuthorQuestions;
    use qingyu_studio::agents::production::Turn;
    use serde_json::json;

    use super::*;

    fn answered(question: &RunQuestion, part: Part) -> Result<RunAnswer, A2AError> {
        answer(question, MessageContent::read(&Message::new(Role::User, vec![part])).unwrap())
    }

    #[test]
    fn answers_are_read_as_the_question_needs() {
        let turn = RunQuestion::Turn { turn: Turn { text: "给谁看？".into(), ..Turn::default() } };
        let order = |text: &str| RunAnswer::Order { order: Order::Say { text: text.into() } };
        assert_eq!(words(&turn, Language::Zh), "给谁看？");
        assert_eq!(answered(&turn, Part::text("同意")).unwrap(), order("同意"));
        assert_eq!(answered(&turn, Part::data(json!({"answer": "approve"}))).unwrap(), RunAnswer::Approve);

        let breakpoint = RunQuestion::Breakpoint { before: Vec::new(), after: Vec::new(), next: Vec::new() };
        assert_eq!(answered(&breakpoint, Part::text("yes")).unwrap(), RunAnswer::Approve);
        assert!(answered(&breakpoint, Part::text("later")).is_err());
        let writes = RunQuestion::Writes(serde_json::from_value(json!({"writes": []})).unwrap());
        assert_eq!(answered(&writes, Part::text("OK.")).unwrap(), RunAnswer::Approve);
        let refused = RunAnswer::Reject { feedback: "太长".into() };
        assert_eq!(answered(&writes, Part::text("太长")).unwrap(), refused);

        let part = json!({"task": "t1", "description": "看看", "agents": [{"name": "checker", "does": ""}]});
        let agents = RunQuestion::Agents(serde_json::from_value(json!({"undecided": [part]})).unwrap());
        assert!(words(&agents, Language::Zh).contains("看看: checker"));
        assert_eq!(answered(&agents, Part::text("checker")).unwrap(), RunAnswer::to_agents("checker"));
        assert_eq!(answered(&agents, Part::text("不。")).unwrap(), RunAnswer::Reject { feedback: String::new() });

        let question =
            json!({"id": "q1", "chapter": 1, "title": "一", "about": "draft_kept", "document": "d", "text": "t"});
        let asked =
            RunQuestion::Chapters(AuthorQuestions { questions: vec![serde_json::from_value(question).unwrap()] });
        let decided =
            RunAnswer::Decide { answers: [("q1".to_owned(), Decision::Accept)].into(), choices: Default::default() };
        assert_eq!(answered(&asked, Part::text("是")).unwrap(), decided);
        assert!(answered(&asked, Part::text("maybe")).is_err());
        assert!(words(&asked, Language::En).contains("d (q1)"));
    }
}
