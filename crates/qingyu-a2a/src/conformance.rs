//! Behaviour required by the official compatibility kit: the prefix of a message id selects the expected outcome. Each
//! becomes a real run of the offline model, so that the kit tests production code.

use a2a::{Artifact, Message, Part};
use serde_json::json;

use crate::frames::artifact;

/// The requirement of a story.
const REQUIREMENT: &str = "一个灯塔看守人收到自己三十年前寄出的信";
/// The premise of a production; its first question is about the audience.
const PREMISE: &str = "为独立开发者写一门关于定价的短课程";

/// Prefixes of message ids that need an immediate response.
const AT_ONCE: [&str; 2] = ["tck-message-response", "tck-stream-002"];
/// Prefix of message ids that lead to a question.
const ASKING: &str = "tck-input-required";

/// Returns the message with the work expected by the kit; other messages, and answers, are unchanged.
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

/// Returns the artifacts expected by the kit for a task started with the given message.
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
