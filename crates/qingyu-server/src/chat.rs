//! What chat kits have in common: which run begins with somebody's words, and what they mean as an answer.

use std::sync::Arc;

use futures::Stream;
use qingyu_studio::agents::production::Order;
use qingyu_studio::operations::Start;
use qingyu_studio::{Error, HumanAnswer, LiveEvent, Made, Outcome, Question, RunHandle, Studio};
use serde_json::{Map, Value, json};

/// What a kit of others may set to work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Create,
    Write,
    Task,
    Produce,
    Ask,
    #[cfg(feature = "bench")]
    Noop,
}

impl Kind {
    /// The kinds that are runs; a question is none.
    pub(crate) const RUNS: &[Self] = &[
        Self::Create,
        Self::Write,
        Self::Task,
        Self::Produce,
        #[cfg(feature = "bench")]
        Self::Noop,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Write => "write",
            Self::Task => "task",
            Self::Produce => "produce",
            Self::Ask => "ask",
            #[cfg(feature = "bench")]
            Self::Noop => "noop",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::RUNS.iter().copied().chain([Self::Ask]).find(|kind| kind.name() == name)
    }
}

/// The run that begins with `words`; `more` are fields of the studio's own request and go over what is made of the words.
///
/// Fails with what is wrong with `more`.
pub(crate) fn start(
    kind: Kind,
    project: Option<&str>,
    words: &str,
    more: Map<String, Value>,
) -> Result<Start, serde_json::Error> {
    let mut request = match (kind, project) {
        (Kind::Create, _) => json!({"kind": "create", "requirement": words}),
        (Kind::Write, _) => json!({"kind": "write", "task": {"kind": "draft"}}),
        (Kind::Task | Kind::Ask, _) => json!({"kind": "task", "task": {"description": words}}),
        #[cfg(feature = "bench")]
        (Kind::Noop, _) => json!({"kind": "noop"}),
        (Kind::Produce, None) => json!({"kind": "produce", "premise": words}),
        (Kind::Produce, Some(_)) if words.trim().is_empty() => json!({"kind": "tell", "overrides": {}}),
        (Kind::Produce, Some(_)) => {
            json!({"kind": "tell", "overrides": {}, "order": Order::Say { text: words.to_owned() }})
        }
    };
    let fields = request.as_object_mut().expect("it is an object");
    let tag = fields["kind"].clone();
    fields.extend(more);
    fields.insert("kind".into(), tag);
    if let Some(project) = project {
        fields.insert("project".into(), project.into());
    }
    serde_json::from_value(request)
}

/// What a run that was just set to work tells from then on. It goes on by itself, whether or not somebody listens.
pub(crate) async fn follow(
    studio: &Studio,
    mut handle: RunHandle,
) -> Result<impl Stream<Item = Result<Arc<LiveEvent>, Error>> + Send + use<>, Error> {
    let first = handle.next().await.map_or(0, |event| event.seq.saturating_sub(1));
    studio.watch(handle.run(), first).await
}

/// What `given` says to `question`: an answer of the studio as JSON, yes or no, or plain words. None if it says nothing.
pub(crate) fn answer(question: &Question, given: &Value) -> Option<HumanAnswer> {
    if let Ok(answer) = serde_json::from_value(given.clone()) {
        return Some(answer);
    }
    let words = match given {
        Value::Bool(true) => "approve",
        Value::Bool(false) => "reject",
        Value::String(words) => words.trim(),
        _ => return None,
    };
    match (question, words) {
        (_, "") => None,
        (Question::Directions(_), "reject") => Some(HumanAnswer::Reject { feedback: String::new() }),
        (Question::Directions(_), words) => Some(HumanAnswer::to_directions(words)),
        (Question::HumanReview(_) | Question::Writes(_), "approve") => Some(HumanAnswer::Approve),
        (Question::HumanReview(_) | Question::Writes(_), "reject") => {
            Some(HumanAnswer::Reject { feedback: String::new() })
        }
        (Question::HumanReview(_) | Question::Writes(_), words) => {
            Some(HumanAnswer::Reject { feedback: words.to_owned() })
        }
        (Question::Turn { .. }, "approve") => Some(HumanAnswer::Order { order: Order::Advance }),
        (Question::Turn { .. }, words) => Some(HumanAnswer::Order { order: Order::Say { text: words.to_owned() } }),
        (Question::Chapters(_), _) => None,
    }
}

/// What kind of question it is, as in the studio's JSON.
pub(crate) fn asks(question: &Question) -> &'static str {
    match question {
        Question::Directions(_) => "directions",
        Question::HumanReview(_) => "human_review",
        Question::Chapters(_) => "chapters",
        Question::Writes(_) => "writes",
        Question::Turn { .. } => "turn",
    }
}

/// What a run says at its end, in its own words.
pub(crate) fn said(outcome: &Outcome) -> String {
    let told = || outcome.reasoning.last().cloned().unwrap_or_default();
    match &outcome.made {
        Made::Task(made) if !made.output.is_empty() => made.output.clone(),
        Made::Book(made) if !made.answer.is_empty() => made.answer.clone(),
        Made::Content(made) if !made.turn.text.is_empty() => made.turn.text.clone(),
        _ => told(),
    }
}

/// The words of a message's content: plain, or the text parts of a list.
pub(crate) fn words(content: &Value) -> String {
    match content {
        Value::String(words) => words.clone(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn more(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn words_become_the_run_that_is_meant() {
        let begun = |kind, project, given| start(kind, project, "写", more(given));
        for (kind, project, expected) in [
            (Kind::Create, None, "create"),
            (Kind::Write, Some("p"), "write"),
            (Kind::Task, Some("p"), "task"),
            (Kind::Produce, None, "produce"),
            (Kind::Produce, Some("p"), "tell"),
        ] {
            let told = serde_json::to_value(begun(kind, project, json!({"kind": "resume"})).unwrap()).unwrap();
            assert_eq!(told["kind"], expected);
            if let Some(project) = project {
                assert_eq!(told["project"], project);
            }
        }
        let Ok(Start::Write(request)) = begun(Kind::Write, Some("p"), json!({"words": 900, "project": "q"})) else {
            panic!("no chapters are written");
        };
        assert_eq!((request.words, request.project.as_str()), (Some(900), "p"));
        assert!(begun(Kind::Write, Some("p"), json!({"words": "many"})).is_err());
    }

    #[test]
    fn answers_are_read_as_the_question_wants_them() {
        let turn = Question::Turn { turn: qingyu_studio::agents::production::Turn::default() };
        let say = |text: &str| Some(HumanAnswer::Order { order: Order::Say { text: text.into() } });
        for (given, expected) in [
            (json!("再写一段"), say("再写一段")),
            (json!(true), Some(HumanAnswer::Order { order: Order::Advance })),
            (json!({"answer": "approve"}), Some(HumanAnswer::Approve)),
            (json!("  "), None),
            (json!(7), None),
        ] {
            assert_eq!(answer(&turn, &given), expected, "{given}");
        }
    }

    #[test]
    fn parts_of_a_message_are_put_together() {
        assert_eq!(words(&json!("雨")), "雨");
        assert_eq!(words(&json!([{"type": "text", "text": "雨"}, {"type": "image"}, {"text": "夜"}])), "雨\n夜");
        assert_eq!(words(&Value::Null), "");
    }
}
