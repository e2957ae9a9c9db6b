//! Tools, as a list and individually.

use qingyu_studio::story::Language;
use qingyu_studio::tools::{Category, Metadata};
use serde_json::Value;

use super::page::{FAINT, NAME, PLAIN, STRONG, TextPage};
use crate::texts::LocalizedTexts;

/// Draws all tools, by category.
pub(crate) fn tools(page: &mut TextPage<'_>, tools: &[Metadata]) {
    let mut group = None;
    for tool in tools {
        let server = tool.foreign.as_ref().filter(|_| tool.category == Category::External);
        if group != Some((tool.category, server)) {
            group = Some((tool.category, server));
            let texts = page.texts();
            page.heading(&match server {
                Some(server) => texts.fill("tools-of-server", &[("server", server.as_str().into())]),
                None => texts.word("category-of-tools", tool.category),
            });
        }
        let language = page.texts().language();
        let first = tool.description.of(language).lines().next().unwrap_or_default().to_owned();
        page.lead(2, &format!("{}  ", tool.name), NAME, PLAIN, &first);
        let actions: Vec<_> = tool.actions.iter().map(|action| action.name.as_str()).collect();
        page.paragraph(4, FAINT, &actions.join(&page.texts().get("list-comma")));
    }
    page.gap();
    page.say(0, FAINT, "tools-how", &[]);
}

/// Draws a tool with its parameters.
pub(crate) fn tool(page: &mut TextPage<'_>, tool: &Metadata) {
    let texts = page.texts();
    page.lead(
        0,
        &format!("{} {}  ", tool.name, tool.version),
        STRONG,
        FAINT,
        &texts.word("permission", tool.permission),
    );
    page.paragraph(2, PLAIN, tool.description.of(texts.language()));
    for action in &tool.actions {
        page.lead(2, &format!("{}  ", action.name), NAME, FAINT, &texts.word("permission", action.permission));
    }
    parameters(page, &tool.parameters);
    page.gap();
    page.say(0, FAINT, "tools-schema", &[]);
}

/// Draws the arguments of a tool: name, type and choices; descriptions, which are in English, only on an English page.
fn parameters(page: &mut TextPage<'_>, schema: &Value) {
    let Some(properties) = schema["properties"].as_object().filter(|properties| !properties.is_empty()) else { return };
    let texts = page.texts();
    page.heading(&texts.get("tool-parameters"));
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, property) in properties {
        let mut told = vec![kind(texts, property)];
        if required.contains(&name.as_str()) {
            told.push(texts.get("tool-required"));
        }
        let choices = property["enum"].as_array().into_iter().flatten();
        let choices: Vec<String> = choices.filter_map(|choice| choice.as_str().map(str::to_owned)).collect();
        if !choices.is_empty() {
            told.push(format!("{} {}", texts.get("tool-one-of"), choices.join(" / ")));
        }
        page.lead(2, &format!("{name}  "), NAME, FAINT, &told.join(" · "));
        if texts.language() == Language::En {
            page.paragraph(4, PLAIN, property["description"].as_str().unwrap_or_default());
        }
    }
}

/// Returns the type of an argument in words.
fn kind(texts: &LocalizedTexts, property: &Value) -> String {
    let named = match &property["type"] {
        Value::String(name) => Some(name.as_str()),
        // An argument that may be left out has `null` beside its type.
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        _ => None,
    };
    texts.word("schema", named.unwrap_or("any"))
}
