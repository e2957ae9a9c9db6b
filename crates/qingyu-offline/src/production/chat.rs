//! Chat: returns the status, quotes the fields mentioned, and hints how to connect a conversational model.

use qingyu_agents::production::context::{ChatContext, FieldLine};

use super::tables;

/// Maximum number of characters quoted from a field.
const QUOTED: usize = 600;

/// Returns the answer.
pub(crate) fn answer(chatting: &ChatContext, hint: &str) -> String {
    let tables = tables::of(chatting.language);
    let mut lines = Vec::new();
    for source in &chatting.sources {
        let text: String = source.text.chars().take(QUOTED).collect();
        let text = if text.trim().is_empty() { tables.no_value.clone() } else { text };
        lines.push(format!("**{}** (`{}`)\n\n> {}\n", source.title, source.path, text.trim().replace('\n', "\n> ")));
    }
    lines.push(tables.stands.replace("{phase}", &chatting.phase));
    for FieldLine { title, path, status, .. } in &chatting.fields {
        let status = serde_json::to_value(status).unwrap_or_default();
        let status = status.as_str().unwrap_or_default();
        let name = tables.statuses.get(status).map_or(status, String::as_str);
        lines.push(format!("- {title} (`{path}`): {name}"));
    }
    if chatting.fields.is_empty() {
        lines.push(tables.no_fields.clone());
    }
    lines.push(format!("\n{} {hint}", tables.needs_model));
    lines.join("\n")
}
