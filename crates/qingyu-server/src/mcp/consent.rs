//! Which calls a person is asked about first, if the client can ask one.
//!
//! Consent is asked for on top of the caller's permissions, never in their place: a client that cannot ask goes by its
//! permissions alone.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use qingyu_story::Language;
use qingyu_tools::{Demand, Permission};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::texts;

/// What a person is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consent {
    /// Calls that delete pieces.
    pub deletions: bool,
    /// Calls that change what is outside of the project.
    pub administration: bool,
}

impl Default for Consent {
    fn default() -> Self {
        Self { deletions: true, administration: true }
    }
}

impl Consent {
    /// What to ask before the call, if anything.
    pub(crate) fn question(self, tool: &str, arguments: &Value, demand: Demand, language: Language) -> Option<String> {
        let text = if self.administration && demand.permission == Permission::Admin {
            "consent.administers"
        } else if self.deletions && demand.permission > Permission::Read && deletes(arguments) {
            "consent.deletes"
        } else {
            return None;
        };
        Some(texts::filled(language, text, &[("tool", tool), ("arguments", &shown(arguments))]))
    }
}

/// Whether the call deletes something, itself or as one of several `operations`.
fn deletes(arguments: &Value) -> bool {
    let is_deletion = |part: &Value| part["action"].as_str().is_some_and(|action| action.starts_with("delete"));
    is_deletion(arguments) || arguments["operations"].as_array().is_some_and(|parts| parts.iter().any(is_deletion))
}

/// The most characters of the arguments that a question shows.
const SHOWN: usize = 300;

fn shown(arguments: &Value) -> String {
    let text = arguments.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Questions that are still open. A client that comes back with an answer names its question, so that nothing is agreed
/// to but the very call that was asked about, once.
#[derive(Debug, Default)]
pub(crate) struct Asked(Mutex<VecDeque<(String, [u8; 32])>>);

/// How many questions can be open.
const OPEN: usize = 256;

impl Asked {
    /// Notes a question about the call, and names it.
    pub(crate) fn ask(&self, tool: &str, arguments: &Value) -> String {
        let name = Uuid::new_v4().to_string();
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() == OPEN {
            open.pop_front();
        }
        open.push_back((name.clone(), digest(tool, arguments)));
        name
    }

    /// Whether the question of that name was about this call. It is closed then.
    pub(crate) fn close(&self, name: &str, tool: &str, arguments: &Value) -> bool {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let call = digest(tool, arguments);
        let place = open.iter().position(|(question, about)| question == name && *about == call);
        place.and_then(|place| open.remove(place)).is_some()
    }
}

fn digest(tool: &str, arguments: &Value) -> [u8; 32] {
    Sha256::digest(format!("{tool}\n{arguments}")).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_counts_for_its_own_call_once() {
        let asked = Asked::default();
        let arguments = json!({"action": "delete", "character_id": "c-1"});
        let question = asked.ask("character_tool", &arguments);
        assert!(!asked.close(&question, "character_tool", &json!({"action": "delete", "character_id": "c-2"})));
        assert!(asked.close(&question, "character_tool", &arguments));
        assert!(!asked.close(&question, "character_tool", &arguments));
    }

    #[test]
    fn deletions_and_administration_are_asked_about() {
        let ask = |consent: Consent, action: &str, permission| {
            let demand = Demand { permission, pure: false };
            consent.question("a_tool", &json!({ "action": action }), demand, Language::En).is_some()
        };
        let never = Consent { deletions: false, administration: false };
        assert!(ask(Consent::default(), "delete_event", Permission::Write));
        assert!(ask(Consent::default(), "purge", Permission::Admin));
        assert!(!ask(Consent::default(), "update", Permission::Write));
        let batch = json!({"action": "batch", "operations": [{"action": "write"}, {"action": "delete"}]});
        let writes = Demand { permission: Permission::Write, pure: false };
        assert!(Consent::default().question("document_tool", &batch, writes, Language::Zh).is_some());
        assert!(!ask(Consent::default(), "deleted_list", Permission::Read));
        assert!(!ask(never, "delete", Permission::Write) && !ask(never, "purge", Permission::Admin));
    }
}
