//! What a run asks, in words; and what a message answers.

use a2a::A2AError;
use qingyu_studio::agents::direction::Direction;
use qingyu_studio::agents::production::Order;
use qingyu_studio::agents::writing::Decision;
use qingyu_studio::agents::writing::questions::About;
use qingyu_studio::story::Language;
use qingyu_studio::{HumanAnswer, Question};

use crate::error::invalid;
use crate::texts::filled;
use crate::wish::Wish;

/// Words that agree.
const YES: [&str; 14] =
    ["approve", "approved", "accept", "yes", "y", "ok", "okay", "是", "好", "同意", "通过", "可以", "确认", "批准"];
/// Words that refuse without saying why.
const NO: [&str; 7] = ["reject", "no", "n", "否", "不", "不同意", "拒绝"];

/// The question in words.
pub(crate) fn words(question: &Question, language: Language) -> String {
    match question {
        Question::Directions(offered) => {
            let line = |(number, direction): (usize, &Direction)| {
                format!("{}. {}\n{}", number + 1, direction.title, direction.blurb)
            };
            let lines: Vec<String> = offered.directions.iter().enumerate().map(line).collect();
            filled(language, "question.directions", &[("directions", &lines.join("\n\n"))])
        }
        Question::HumanReview(review) => filled(language, "question.material", &[("reason", &review.reason)]),
        Question::Chapters(asked) => {
            let label = |about: &About| match about {
                About::BelowFloor { shortfalls, .. } => {
                    shortfalls.iter().map(|shortfall| shortfall.title.as_str()).collect::<Vec<_>>().join(", ")
                }
                About::DraftKept { document, .. } => document.clone(),
                About::Settlement { label, .. } => label.clone(),
            };
            let labels: Vec<String> =
                asked.questions.iter().map(|one| format!("{} ({})", label(&one.about), one.id)).collect();
            let count = labels.len().to_string();
            filled(language, "question.chapters", &[("count", &count), ("labels", &labels.join("; "))])
        }
        Question::Writes(request) => {
            filled(language, "question.writes", &[("count", &request.writes.len().to_string())])
        }
        Question::Turn { turn } => turn.text.clone(),
    }
}

/// What the message answers to the question.
pub(crate) fn answer(question: &Question, wish: Wish) -> Result<HumanAnswer, A2AError> {
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
        Question::Directions(_) if yes => Ok(HumanAnswer::Approve),
        Question::Directions(_) => Ok(HumanAnswer::to_directions(&text)),
        Question::Turn { .. } => Ok(HumanAnswer::Order { order: Order::Say { text } }),
        Question::Chapters(asked) if yes || no => {
            let decision = if yes { Decision::Accept } else { Decision::Reject };
            let answers = asked.questions.iter().map(|question| (question.id.clone(), decision)).collect();
            Ok(HumanAnswer::Decide { answers, choices: Default::default() })
        }
        Question::Chapters(_) => Err(invalid("answer yes or no, or send decisions by id in a data part")),
        Question::HumanReview(_) | Question::Writes(_) if yes => Ok(HumanAnswer::Approve),
        Question::HumanReview(_) | Question::Writes(_) => Ok(HumanAnswer::Reject { feedback: text }),
    }
}

#[cfg(test)]
mod tests {
    use a2a::{Message, Part, Role};
    use qingyu_studio::agents::AuthorQuestions;
    use qingyu_studio::agents::production::Turn;
    use serde_json::json;

    use super::*;

    fn answered(question: &Question, part: Part) -> Result<HumanAnswer, A2AError> {
        answer(question, Wish::read(&Message::new(Role::User, vec![part])).unwrap())
    }

    #[test]
    fn answers_are_read_as_the_question_needs() {
        let turn = Question::Turn { turn: Turn { text: "给谁看？".into(), ..Turn::default() } };
        let order = |text: &str| HumanAnswer::Order { order: Order::Say { text: text.into() } };
        assert_eq!(words(&turn, Language::Zh), "给谁看？");
        assert_eq!(answered(&turn, Part::text("同意")).unwrap(), order("同意"));
        assert_eq!(answered(&turn, Part::data(json!({"answer": "approve"}))).unwrap(), HumanAnswer::Approve);

        let writes = Question::Writes(serde_json::from_value(json!({"writes": []})).unwrap());
        assert_eq!(answered(&writes, Part::text("OK.")).unwrap(), HumanAnswer::Approve);
        let refused = HumanAnswer::Reject { feedback: "太长".into() };
        assert_eq!(answered(&writes, Part::text("太长")).unwrap(), refused);

        let question =
            json!({"id": "q1", "chapter": 1, "title": "一", "about": "draft_kept", "document": "d", "text": "t"});
        let asked = Question::Chapters(AuthorQuestions { questions: vec![serde_json::from_value(question).unwrap()] });
        let decided =
            HumanAnswer::Decide { answers: [("q1".to_owned(), Decision::Accept)].into(), choices: Default::default() };
        assert_eq!(answered(&asked, Part::text("是")).unwrap(), decided);
        assert!(answered(&asked, Part::text("maybe")).is_err());
        assert!(words(&asked, Language::En).contains("d (q1)"));
    }
}
