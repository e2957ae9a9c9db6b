//! What the official compatibility kit wants of the agent that it tries: the beginning of a message's id says what is to
//! come of it. Each becomes real work of the offline model, so that the kit tries what others use.

use a2a::{Artifact, Message, Part};
use serde_json::json;

use crate::frames::artifact;

/// What a story is made of.
const REQUIREMENT: &str = "一个灯塔看守人收到自己三十年前寄出的信";
/// What content is made of; the first question is for whom.
const PREMISE: &str = "为独立开发者写一门关于定价的短课程";

/// Ids of messages that are answered at once.
const AT_ONCE: [&str; 2] = ["tck-message-response", "tck-stream-002"];
/// Ids of messages that lead to a question.
const ASKING: &str = "tck-input-required";

/// The message with the work that the kit means; a message of ours, or one that answers, stays as it is.
pub(crate) fn staged(mut message: Message) -> Message {
    let is = |beginning: &str| message.message_id.starts_with(beginning);
    let is_of_the_kit = is("tck-") || is("test-");
    let is_plain = message.parts.iter().all(|part| part.as_text().is_some());
    if !is_of_the_kit || !is_plain || message.parts.is_empty() || message.task_id.is_some() {
        return message;
    }
    let (words, skill) = match () {
        () if AT_ONCE.into_iter().any(is) => (REQUIREMENT, "review"),
        () if is(ASKING) => (PREMISE, "produce"),
        () => (REQUIREMENT, "create"),
    };
    message.parts = vec![Part::text(words), Part::data(json!({"skill": skill}))];
    message
}

/// What the kit wants to see among the artifacts of a task that began with this message.
pub(crate) fn artifacts(id: &str) -> Vec<Artifact> {
    let file = |part: Part| part.with_media_type("text/plain").with_filename("output.txt");
    let is = |kind: &str| {
        id.starts_with(&format!("tck-artifact-{kind}")) || id.starts_with(&format!("tck-stream-artifact-{kind}"))
    };
    let part = match () {
        () if is("file-url") => file(Part::url("https://example.com/output.txt")),
        () if is("file") => file(Part::raw(b"tck".to_vec())),
        () if is("text") || is("chunked") => Part::text("tck"),
        () if is("data") => Part::data(json!({"key": "value", "count": 42})),
        () => return Vec::new(),
    };
    vec![artifact("tck", vec![part])]
}

#[cfg(test)]
mod tests {
    use a2a::Role;

    use super::*;

    #[test]
    fn the_kits_messages_become_work_and_ours_stay() {
        let skill = |id: &str| {
            let message = Message { message_id: id.into(), ..Message::new(Role::User, vec![Part::text("x")]) };
            let staged = serde_json::to_value(staged(message)).unwrap();
            staged["parts"][1]["data"]["skill"].as_str().map(str::to_owned)
        };
        for (id, expected) in [
            ("tck-complete-task-1", Some("create")),
            ("tck-message-response-1", Some("review")),
            ("tck-input-required-1", Some("produce")),
            ("test-resubscribe-message-id-1", Some("create")),
            ("m-1", None),
        ] {
            assert_eq!(skill(id).as_deref(), expected, "{id}");
        }
        assert!(artifacts("tck-artifact-file-url-1")[0].parts[0].media_type.is_some());
        assert!(artifacts("tck-complete-task").is_empty());
    }
}
