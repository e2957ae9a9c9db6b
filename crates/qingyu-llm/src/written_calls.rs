//! Parses tool calls written as plain text by a model whose server did not parse its template.

use serde_json::{Map, Value};

use crate::{ToolCall, ToolSpec};

/// Template markers of calls.
const MARKS: [&str; 18] = [
    "<tool_call>",
    "<|tool_call",
    "<｜tool▁call",
    "<tool_use>",
    "<tool_calls>",
    "<function_call>",
    "<function_calls>",
    "<function=",
    "<invoke name=",
    "<|python_tag|>",
    "[TOOL_CALLS]",
    "[TOOL_CALL]",
    "<minimax:tool_call>",
    "<|action_start|>",
    "<|plugin|>",
    "to=functions.",
    "<start_function_call>",
    "<tool_code>",
];
/// Fields of the tool name, and of the arguments.
const NAMES: [&str; 5] = ["name", "tool", "tool_name", "function", "action"];
const ARGUMENTS: [&str; 6] = ["arguments", "parameters", "input", "args", "action_input", "tool_input"];
/// Maximum distance from a tool's name to its arguments, in bytes.
const NEAR: usize = 80;
/// Maximum calls per answer.
const MOST: usize = 32;

/// The content of a text answer.
#[derive(Debug, Clone, PartialEq)]
pub enum WrittenCallsModel {
    /// Prose for people.
    None,
    /// Calls of offered tools.
    Calls(Vec<ToolCall>),
    /// Unparsable calls, or calls of tools not offered.
    Unreadable,
}

/// Parses `text`, a complete answer without native calls, as calls of `tools`.
///
/// Template markers are parsed anywhere; JSON and `functions.name(…)` only if the answer contains nothing else.
pub fn read(text: &str, tools: &[ToolSpec]) -> WrittenCallsModel {
    let is_marked = MARKS.iter().any(|mark| text.contains(mark));
    let bare = unfenced(text.trim());
    if !is_marked && !is_call_alone(bare, tools) {
        return WrittenCallsModel::None;
    }
    let mut found = Vec::new();
    objects(if is_marked { text } else { bare }, tools, &mut found);
    if found.is_empty() {
        named(text, tools, &mut found);
    }
    found.truncate(MOST);
    if found.is_empty() {
        return WrittenCallsModel::Unreadable;
    }
    let call = |(slot, (name, arguments)): (usize, (String, Value))| ToolCall {
        id: format!("call_{slot}"),
        name,
        arguments: arguments.to_string(),
    };
    WrittenCallsModel::Calls(found.into_iter().enumerate().map(call).collect())
}

/// Returns the text without a code fence enclosing the whole text.
fn unfenced(text: &str) -> &str {
    let inside = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inside = inside.filter(|inside| !inside.contains("```"));
    let inside = inside.and_then(|inside| Some(inside.split_once('\n')?.1));
    inside.map_or(text, str::trim)
}

/// Returns whether the text is a call and nothing else.
fn is_call_alone(text: &str, tools: &[ToolSpec]) -> bool {
    let is_offered = |name: &str| tools.iter().any(|tool| tool.name == name);
    if let Some(call) = text.strip_prefix("functions.") {
        let name = call.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').next();
        return name.is_some_and(is_offered);
    }
    let named = tools.iter().find_map(|tool| text.strip_prefix(tool.name.as_str()));
    if named.is_some_and(|rest| rest.starts_with(['(', '{']) && text.ends_with([')', '}'])) {
        return true;
    }
    let calls = match serde_json::from_str(text) {
        Ok(Value::Array(calls)) => calls,
        Ok(call) => vec![call],
        Err(_) => return false,
    };
    !calls.is_empty() && calls.iter().all(|call| call_of(call, tools).is_some())
}

/// Appends the calls found in the JSON of the text.
fn objects(text: &str, tools: &[ToolSpec], found: &mut Vec<(String, Value)>) {
    let mut at = 0;
    while let Some(next) = text[at..].find('{') {
        at += next;
        match json(&text[at..]) {
            Some((value, length)) => {
                found.extend(call_of(&value, tools));
                at += length;
            }
            None => at += 1,
        }
    }
}

/// Parses a JSON call, with name and arguments in any of the known fields.
fn call_of(value: &Value, tools: &[ToolSpec]) -> Option<(String, Value)> {
    let fields = value.as_object()?;
    if let Some(inner) = fields.get("function").filter(|inner| inner.is_object()) {
        return call_of(inner, tools);
    }
    let name = NAMES.iter().find_map(|field| fields.get(*field)?.as_str())?;
    let name = name.trim_start_matches("functions.");
    let arguments = ARGUMENTS.iter().find_map(|field| fields.get(*field))?;
    let arguments = match arguments {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    let is_offered = tools.iter().any(|tool| tool.name == name);
    (is_offered && arguments.is_object()).then(|| (name.to_owned(), arguments))
}

/// Appends calls with the arguments after the name: as JSON, or as separate parameters.
fn named(text: &str, tools: &[ToolSpec], found: &mut Vec<(String, Value)>) {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut places: Vec<(usize, &str)> = Vec::new();
    for tool in tools {
        let stands_alone =
            |at: &usize| !text[..*at].ends_with(is_letter) && !text[at + tool.name.len()..].starts_with(is_letter);
        let all = text.match_indices(tool.name.as_str()).map(|(at, _)| at);
        places.extend(all.filter(stands_alone).take(MOST).map(|at| (at + tool.name.len(), tool.name.as_str())));
    }
    places.sort_unstable();
    for (number, (from, name)) in places.iter().enumerate() {
        let until = places.get(number + 1).map_or(text.len(), |(next, other)| next - other.len());
        let behind = &text[*from..until.max(*from)];
        let near = behind.find('{').filter(|at| *at <= NEAR);
        let arguments = near.and_then(|at| json(&behind[at..])).map(|(value, _)| value);
        let arguments = arguments.filter(Value::is_object).or_else(|| parameters(behind).map(Value::Object));
        let is_empty =
            behind.trim_start().starts_with("()") || behind.trim_start_matches(['>', '"', ' ', '\n']).starts_with("</");
        let arguments = arguments.or_else(|| is_empty.then(|| Value::Object(Map::new())));
        found.extend(arguments.map(|arguments| ((*name).to_owned(), arguments)));
    }
}

/// Parses arguments written as `<parameter=key>value</parameter>` or `<parameter name="key">value</parameter>`.
fn parameters(text: &str) -> Option<Map<String, Value>> {
    const OPENS: [&str; 3] = ["<parameter=", "<parameter name=", "<|parameter name="];
    let mut fields = Map::new();
    let mut rest = text;
    while let Some((at, open)) = OPENS.iter().filter_map(|open| Some((rest.find(open)?, *open))).min() {
        let (key, behind) = rest[at + open.len()..].split_once('>')?;
        let key = key.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
        let end = behind.find("</parameter").or_else(|| behind.find("<parameter")).unwrap_or(behind.len());
        let value = behind[..end].trim();
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
        fields.insert(key.to_owned(), value);
        rest = &behind[end..];
    }
    (!fields.is_empty()).then_some(fields)
}

/// Returns the JSON value at the start of the text, and its length.
fn json(text: &str) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tools() -> Vec<ToolSpec> {
        ["character_tool", "rag_tool"]
            .map(|name| ToolSpec { name: name.into(), description: String::new(), parameters: json!({}) })
            .to_vec()
    }

    fn read_as(text: &str) -> String {
        match read(text, &tools()) {
            WrittenCallsModel::None => "words".into(),
            WrittenCallsModel::Unreadable => "unreadable".into(),
            WrittenCallsModel::Calls(calls) => {
                calls.iter().map(|call| format!("{} {}", call.name, call.arguments)).collect::<Vec<_>>().join("; ")
            }
        }
    }

    #[test]
    fn calls_are_read_however_they_are_written() {
        let one = r#"character_tool {"action":"list"}"#;
        for text in [
            "<tool_call>\n{\"name\": \"character_tool\", \"arguments\": {\"action\": \"list\"}}\n</tool_call>",
            "我来查一下。\n<tool_call>{\"name\": \"character_tool\", \"arguments\": \"{\\\"action\\\": \\\"list\\\"}\"}",
            "<|tool_call|>[{\"name\": \"character_tool\", \"parameters\": {\"action\": \"list\"}}]",
            "[TOOL_CALLS] [{\"name\": \"character_tool\", \"arguments\": {\"action\": \"list\"}}]",
            "[TOOL_CALLS]character_tool{\"action\": \"list\"}",
            "<function=character_tool>{\"action\": \"list\"}</function>",
            "<tool_call>\n<function=character_tool>\n<parameter=action>\nlist\n</parameter>\n</function>\n</tool_call>",
            "<function_calls><invoke name=\"character_tool\"><parameter name=\"action\">list</parameter></invoke></function_calls>",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>character_tool\n```json\n{\"action\": \"list\"}\n```<｜tool▁call▁end｜>",
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.character_tool:0<|tool_call_argument_begin|>{\"action\": \"list\"}<|tool_call_end|>",
            "functions.character_tool({\"action\": \"list\"})",
            "character_tool({\"action\": \"list\"})",
            "```json\n{\"name\": \"character_tool\", \"arguments\": {\"action\": \"list\"}}\n```",
            "{\"tool\": \"character_tool\", \"args\": {\"action\": \"list\"}}",
            "{\"type\": \"function\", \"function\": {\"name\": \"character_tool\", \"arguments\": {\"action\": \"list\"}}}",
        ] {
            assert_eq!(read_as(text), one, "{text}");
        }
        let two = "<tool_call>{\"name\": \"character_tool\", \"arguments\": {}}</tool_call><tool_call>{\"name\": \"rag_tool\", \"arguments\": {\"q\": 1}}</tool_call>";
        assert_eq!(read_as(two), r#"character_tool {}; rag_tool {"q":1}"#);
    }

    #[test]
    fn what_is_no_call_of_an_offered_tool_is_not_made_one() {
        for text in [
            "<tool_call>{\"name\": \"delete_everything\", \"arguments\": {}}</tool_call>",
            "<tool_call>{\"name\": \"character_tool\", \"arguments\":",
            "<function=other>{}</function>",
        ] {
            assert_eq!(read_as(text), "unreadable", "{text}");
        }
        assert_eq!(
            read("<tool_call>{\"name\": \"rag_tool\", \"arguments\": {}}</tool_call>", &[]),
            WrittenCallsModel::Unreadable
        );
    }

    #[test]
    fn words_for_people_stay_words() {
        for text in [
            "雨停了。",
            "character_tool 可以列出人物。",
            "可以这样调用：\n```json\n{\"name\": \"character_tool\", \"arguments\": {}}\n```\n结果会列出人物。",
            "{\"name\": \"林青\", \"age\": 30}",
            "[]",
            "functions of the moon",
        ] {
            assert_eq!(read_as(text), "words", "{text}");
        }
    }
}
