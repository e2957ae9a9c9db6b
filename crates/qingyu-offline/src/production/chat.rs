//! Says what stands, quotes the fields that were named, and how to connect a model that talks.

use qingyu_agents::production::context::Chatting;

use super::tables;

/// How many characters of a field are quoted.
const QUOTED: usize = 600;

/// The answer.
pub(crate) fn answer(chatting: &Chatting, hint: &str) -> String {
    let tables = tables::of(chatting.language);
    let mut lines = Vec::new();
    for source in &chatting.sources {
        let text: String = source.text.chars().take(QUOTED).collect();
        let text = if text.trim().is_empty() { tables.no_value.clone() } else { text };
        lines.push(format!("**{}** (`{}`)\n\n> {}\n", source.title, source.path, text.trim().replace('\n', "\n> ")));
    }
    lines.push(tables.stands.replace("{phase}", &chatting.phase));
    for field in &chatting.fields {
        let status = serde_json::to_value(field.status).unwrap_or_default();
        let status = status.as_str().unwrap_or_default();
        let name = tables.statuses.get(status).map_or(status, String::as_str);
        lines.push(format!("- {} (`{}`): {name}", field.title, field.path));
    }
    if chatting.fields.is_empty() {
        lines.push(tables.no_fields.clone());
    }
    lines.push(format!("\n{} {hint}", tables.needs_model));
    lines.join("\n")
}
