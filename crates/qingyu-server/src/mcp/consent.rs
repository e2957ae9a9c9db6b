//! Rules for calls that need a person's consent, if the client can ask.
//!
//! Consent is required in addition to the caller's permissions, never instead: a client unable to ask is limited by its
//! permissions alone.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use qingyu_story::Language;
use qingyu_story::digest::prefix;
use qingyu_tools::{CallDemand, Permission};
use serde_json::Value;
use uuid::Uuid;

use super::texts;

/// Returns the question to ask before a call; `None` if no consent is needed.
pub(super) fn question(tool: &str, arguments: &Value, demand: CallDemand, language: Language) -> Option<String> {
    let text = if demand.permission == Permission::Admin {
        "consent.administers"
    } else if demand.permission > Permission::Read && deletes(arguments) {
        "consent.deletes"
    } else {
        return None;
    };
    Some(texts::filled(language, text, &[("tool", tool), ("arguments", &shown(arguments))]))
}

/// Returns whether the call deletes a piece, directly or in its `operations`.
fn deletes(arguments: &Value) -> bool {
    let is_deletion = |part: &Value| part["action"].as_str().is_some_and(|action| action.starts_with("delete"));
    is_deletion(arguments) || arguments["operations"].as_array().is_some_and(|parts| parts.iter().any(is_deletion))
}

/// Maximum characters of the arguments shown in a question.
const SHOWN: usize = 300;

fn shown(arguments: &Value) -> String {
    let text = arguments.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The open questions. A client retrying with an answer names its question, so that consent is valid only for the exact
/// call of the question, and only once.
#[derive(Debug, Default)]
pub(super) struct OpenQuestions(Mutex<VecDeque<(String, [u8; 32])>>);

/// Maximum number of open questions.
const OPEN: usize = 256;

impl OpenQuestions {
    /// Registers a question about a call and returns its id.
    pub(super) fn ask(&self, tool: &str, arguments: &Value) -> String {
        let name = Uuid::new_v4().to_string();
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() == OPEN {
            open.pop_front();
        }
        open.push_back((name.clone(), digest(tool, arguments)));
        name
    }

    /// Removes the question `name` if about the given call, and returns whether the question was removed.
    pub(super) fn close(&self, name: &str, tool: &str, arguments: &Value) -> bool {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let call = digest(tool, arguments);
        let place = open.iter().position(|(question, about)| question == name && *about == call);
        place.and_then(|place| open.remove(place)).is_some()
    }
}

fn digest(tool: &str, arguments: &Value) -> [u8; 32] {
    prefix(format!("{tool}\n{arguments}").as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_counts_for_its_own_call_once() {
        let asked = OpenQuestions::default();
        let arguments = json!({"action": "delete", "character_id": "c-1"});
        let question = asked.ask("character_tool", &arguments);
        assert!(!asked.close(&question, "character_tool", &json!({"action": "delete", "character_id": "c-2"})));
        assert!(asked.close(&question, "character_tool", &arguments));
        assert!(!asked.close(&question, "character_tool", &arguments));
    }

    #[test]
    fn deletions_and_administration_are_asked_about() {
        let ask = |action: &str, permission| {
            let demand = CallDemand { permission, pure: false };
            question("a_tool", &json!({ "action": action }), demand, Language::En).is_some()
        };
        assert!(ask("delete_event", Permission::Write));
        assert!(ask("purge", Permission::Admin));
        assert!(!ask("update", Permission::Write));
        let batch = json!({"action": "batch", "operations": [{"action": "write"}, {"action": "delete"}]});
        let writes = CallDemand { permission: Permission::Write, pure: false };
        assert!(question("document_tool", &batch, writes, Language::Zh).is_some());
        assert!(!ask("deleted_list", Permission::Read));
    }
}
