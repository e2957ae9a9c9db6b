//! Shared parts of the chat protocols: starting a run from a message, and parsing answers to questions.

use std::sync::Arc;

use futures::Stream;
use qingyu_studio::agents::production::Order;
use qingyu_studio::operations::StartRequest;
use qingyu_studio::{Error, LiveEvent, Outcome, RunAnswer, RunHandle, RunOutput, RunQuestion, Studio};
use serde_json::{Map, Value, json};

/// A kind of work a chat client may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChatKind {
    Create,
    Write,
    Task,
    Produce,
    Ask,
    #[cfg(feature = "bench")]
    Noop,
}

impl ChatKind {
    /// The kinds started as runs; a question is not a run.
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

/// Returns the request for a run started by `words`; the fields of `more`, from the studio's own request, override the
/// defaults.
///
/// Fails with a description of invalid fields in `more`.
pub(crate) fn start(
    kind: ChatKind,
    project: Option<&str>,
    words: &str,
    more: Map<String, Value>,
) -> Result<StartRequest, serde_json::Error> {
    let mut request = match (kind, project) {
        (ChatKind::Create, _) => json!({"kind": "create", "requirement": words}),
        (ChatKind::Write, _) => json!({"kind": "write", "task": {"kind": "draft"}}),
        (ChatKind::Task | ChatKind::Ask, _) => json!({"kind": "task", "task": {"description": words}}),
        #[cfg(feature = "bench")]
        (ChatKind::Noop, _) => json!({"kind": "noop"}),
        (ChatKind::Produce, None) => json!({"kind": "produce", "premise": words}),
        (ChatKind::Produce, Some(_)) if words.trim().is_empty() => json!({"kind": "tell", "overrides": {}}),
        (ChatKind::Produce, Some(_)) => {
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

/// Returns the events of a run just started. The run continues independently of subscribers.
pub(crate) async fn follow(
    studio: &Studio,
    mut handle: RunHandle,
) -> Result<impl Stream<Item = Result<Arc<LiveEvent>, Error>> + Send + use<>, Error> {
    let first = handle.next().await.map_or(0, |event| event.seq.saturating_sub(1));
    studio.watch(handle.run(), first).await
}

/// Parses `given` as an answer to `question`: the studio's answer as JSON, yes or no, or plain words. Returns `None` if
/// `given` is not an answer.
pub(crate) fn answer(question: &RunQuestion, given: &Value) -> Option<RunAnswer> {
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
        (RunQuestion::Directions(_), "reject") => Some(RunAnswer::Reject { feedback: String::new() }),
        (RunQuestion::Directions(_), words) => Some(RunAnswer::to_directions(words)),
        (RunQuestion::HumanReview(_) | RunQuestion::Writes(_), "approve") => Some(RunAnswer::Approve),
        (RunQuestion::HumanReview(_) | RunQuestion::Writes(_), "reject") => {
            Some(RunAnswer::Reject { feedback: String::new() })
        }
        (RunQuestion::HumanReview(_) | RunQuestion::Writes(_), words) => {
            Some(RunAnswer::Reject { feedback: words.to_owned() })
        }
        (RunQuestion::Agents(_), "approve") => None,
        (RunQuestion::Agents(_), words) => Some(RunAnswer::to_agents(words)),
        (RunQuestion::Turn { .. }, "approve") => Some(RunAnswer::Order { order: Order::Advance }),
        (RunQuestion::Turn { .. }, words) => Some(RunAnswer::Order { order: Order::Say { text: words.to_owned() } }),
        (RunQuestion::Breakpoint { .. }, "approve") => Some(RunAnswer::Approve),
        (RunQuestion::Chapters(_) | RunQuestion::Breakpoint { .. }, _) => None,
    }
}

/// Returns the kind of the question, as in the studio's JSON.
pub(crate) fn asks(question: &RunQuestion) -> &'static str {
    match question {
        RunQuestion::Directions(_) => "directions",
        RunQuestion::HumanReview(_) => "human_review",
        RunQuestion::Chapters(_) => "chapters",
        RunQuestion::Writes(_) => "writes",
        RunQuestion::Agents(_) => "agents",
        RunQuestion::Breakpoint { .. } => "breakpoint",
        RunQuestion::Turn { .. } => "turn",
    }
}

/// Returns the closing text of a run.
pub(crate) fn said(outcome: &Outcome) -> String {
    let told = || outcome.reasoning.last().cloned().unwrap_or_default();
    match &outcome.made {
        RunOutput::Task(made) if !made.output.is_empty() => made.output.clone(),
        RunOutput::Book(made) if !made.answer.is_empty() => made.answer.clone(),
        RunOutput::Content(made) if !made.turn.text.is_empty() => made.turn.text.clone(),
        _ => told(),
    }
}

/// Returns the text of a message's content: a string, or the text parts of a list.
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

/// Returns whether the value of a field asks for nothing.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
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
            (ChatKind::Create, None, "create"),
            (ChatKind::Write, Some("p"), "write"),
            (ChatKind::Task, Some("p"), "task"),
            (ChatKind::Produce, None, "produce"),
            (ChatKind::Produce, Some("p"), "tell"),
        ] {
            let told = serde_json::to_value(begun(kind, project, json!({"kind": "resume"})).unwrap()).unwrap();
            assert_eq!(told["kind"], expected);
            if let Some(project) = project {
                assert_eq!(told["project"], project);
            }
        }
        let Ok(StartRequest::Write(request)) = begun(ChatKind::Write, Some("p"), json!({"words": 900, "project": "q"}))
        else {
            panic!("no chapters are written");
        };
        assert_eq!((request.words, request.project.as_str()), (Some(900), "p"));
        assert!(begun(ChatKind::Write, Some("p"), json!({"words": "many"})).is_err());
    }

    #[test]
    fn answers_are_read_as_the_question_wants_them() {
        let turn = RunQuestion::Turn { turn: qingyu_studio::agents::production::Turn::default() };
        let say = |text: &str| Some(RunAnswer::Order { order: Order::Say { text: text.into() } });
        for (given, expected) in [
            (json!("再写一段"), say("再写一段")),
            (json!(true), Some(RunAnswer::Order { order: Order::Advance })),
            (json!({"answer": "approve"}), Some(RunAnswer::Approve)),
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
