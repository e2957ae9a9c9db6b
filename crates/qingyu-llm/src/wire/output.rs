//! Requests structured output from a model.

use serde_json::{Map, Value};

use crate::provider::{OutputMode, Quirks, SchemaBounds};
use crate::{ChatRequest, MessageRole, OutputSchema};

/// Description of the output tool, whose arguments are the answer.
pub(super) const TOOL_DESCRIPTION: &str = "Takes the whole answer. Call it exactly once.";

/// Returns the output mode for the schema of `request`, if any. The forced-tool mode is skipped for models without
/// forced tools.
pub(super) fn mode(request: &ChatRequest, quirks: &Quirks) -> Option<OutputMode> {
    request.output.as_ref().map(|_| match quirks.output.unwrap_or(OutputMode::Text) {
        OutputMode::Tool if quirks.known.forced_tools == Some(false) => OutputMode::Text,
        mode => mode,
    })
}

/// Returns the system text, with the schema appended unless the mode sends the schema itself. The schema comes last
/// because it changes between purposes, so the preceding text can be cached.
pub(super) fn system_text(request: &ChatRequest, mode: Option<OutputMode>, quirks: &Quirks) -> String {
    let (rules, schema) = system_parts(request, mode, quirks);
    [rules, schema].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Returns the system text without the schema, and the schema instruction; both may be empty.
///
/// A prompt with an example of the whole answer says its shape already, in the words of its language; the schema beside it
/// would be paid for and read twice.
pub(super) fn system_parts(request: &ChatRequest, mode: Option<OutputMode>, quirks: &Quirks) -> (String, String) {
    let system = request.messages.iter().filter(|message| message.role == MessageRole::System);
    let rules = system.map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n\n");
    let hides = matches!(mode, Some(OutputMode::JsonObject | OutputMode::Text));
    let is_shown = |output: &OutputSchema| request.messages.iter().any(|message| output.is_shown_in(&message.text));
    let wanted = |output: &&OutputSchema| (hides || quirks.schema_in_prompt == Some(true)) && !is_shown(output);
    let shown = request.output.as_ref().filter(|_| mode.is_some()).filter(wanted);
    let shown = shown.map(|output| instruction(output, &rules)).unwrap_or_default();
    (rules, shown)
}

/// Returns the maximum tokens of the answer to `request`: the request's value, capped by the model's limit; else the
/// limit of the provider's row; else the catalogue's limit, at most half of the context. `None` without any limit.
pub(super) fn max_tokens(request: &ChatRequest, quirks: &Quirks) -> Option<u32> {
    let known = &quirks.known;
    let half = known.context.map_or(u32::MAX, |context| u32::try_from(context / 2).unwrap_or(u32::MAX));
    let longest = known.answer.map(|answer| answer.min(half));
    match request.max_tokens {
        Some(wanted) => Some(wanted.min(known.answer.unwrap_or(u32::MAX))),
        None => quirks.max_tokens.or(longest),
    }
}

/// Returns reduced `quirks` and the removed field of `body`, if `said`, the refusal's reason, names an optional field.
pub(super) fn concession(quirks: &Quirks, body: &Value, said: &str) -> Option<(Quirks, &'static str)> {
    let said = said.to_lowercase();
    let mut quirks = quirks.clone();
    let has_format = body.get("response_format").is_some() || body["output_config"].get("format").is_some();
    let is_format =
        ["response_format", "json_schema", "json_object", "output_config", "structured output", "output_format"];
    if has_format && is_format.iter().any(|words| said.contains(words)) {
        let is_object = quirks.output == Some(OutputMode::JsonObject) || body.get("output_config").is_some();
        quirks.output = Some(if is_object { OutputMode::Text } else { OutputMode::JsonObject });
        return Some((quirks, "response_format"));
    }
    if body.get("tool_choice").is_some() && said.contains("tool_choice") {
        quirks.output = Some(OutputMode::Text);
        return Some((quirks, "tool_choice"));
    }
    let fields = ["temperature", "reasoning_effort", "enable_thinking", "thinking", "output_config", "stream_options"];
    let field = fields.into_iter().find(|field| body.get(*field).is_some() && said.contains(field))?;
    quirks.omit.get_or_insert_default().push(field.to_owned());
    Some((quirks, field))
}

/// Returns the schema instruction, in the language of the rules.
fn instruction(output: &OutputSchema, rules: &str) -> String {
    let is_chinese = rules.chars().any(|c| matches!(c, '\u{4e00}'..='\u{9fff}'));
    let says = match is_chinese {
        true => "只输出一个 JSON 值，不写别的。它必须符合这个 JSON Schema：",
        false => "Answer with one JSON value and nothing else. It must match this JSON Schema:",
    };
    format!("{says}\n{}", output.schema)
}

/// Returns the schema to send: as complete and bounded as the provider's row requires.
pub(super) fn sent_schema(output: &OutputSchema, quirks: &Quirks) -> Value {
    let mut schema = output.schema.clone();
    if quirks.schema_complete == Some(true) {
        demand_all(&mut schema);
    }
    if let Some(bounds) = quirks.schema_bounds {
        bound(&mut schema, bounds);
    }
    schema
}

/// Makes every field of every object required.
fn demand_all(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(demand_all),
        Value::Object(map) => {
            let fields = map.get("properties").and_then(Value::as_object);
            let names = fields.map(|fields| fields.keys().cloned().collect::<Vec<_>>());
            for (key, value) in map.iter_mut() {
                if !matches!(key.as_str(), "enum" | "const" | "default") {
                    demand_all(value);
                }
            }
            // A field may itself be called `properties`; its value is then a schema and has a type.
            if let Some(names) = names.filter(|_| map.get("type").is_some_and(|kind| kind == "object")) {
                map.insert("required".into(), names.into());
            }
        }
        _ => {}
    }
}

fn bound(schema: &mut Value, bounds: SchemaBounds) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(|schema| bound(schema, bounds)),
        Value::Object(map) => {
            let allows = |kind: &str| match map.get("type") {
                Some(Value::String(only)) => only == kind,
                Some(Value::Array(several)) => several.iter().any(|one| one == kind),
                _ => false,
            };
            let (is_text, is_list) = (allows("string") && !map.contains_key("enum"), allows("array"));
            for (key, value) in map.iter_mut() {
                if !matches!(key.as_str(), "enum" | "const" | "default") {
                    bound(value, bounds);
                }
            }
            if is_text {
                map.entry("maxLength").or_insert_with(|| bounds.text.into());
            }
            if is_list {
                map.entry("maxItems").or_insert_with(|| bounds.items.into());
            }
        }
        _ => {}
    }
}

/// Returns whether every object of the schema forbids other keys and requires all of its own, as strict modes demand.
pub(super) fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Array(list) => list.iter().all(is_strict),
        Value::Object(map) => {
            let closed = match map.get("properties").and_then(Value::as_object) {
                None => map.get("type").is_none_or(|kind| kind != "object"),
                Some(properties) => {
                    let required = map.get("required").and_then(Value::as_array);
                    let is_required = |key: &String| required.is_some_and(|list| list.iter().any(|it| it == key));
                    map.get("additionalProperties") == Some(&Value::Bool(false)) && properties.keys().all(is_required)
                }
            };
            closed
                && map
                    .iter()
                    .all(|(key, value)| matches!(key.as_str(), "enum" | "const" | "default") || is_strict(value))
        }
        _ => true,
    }
}

/// Returns `body` with the provider's extra fields, and without its refused fields.
pub(super) fn finish_body(mut body: Map<String, Value>, mode: Option<OutputMode>, quirks: &Quirks) -> Value {
    body.extend(quirks.extra_body.clone());
    if mode.is_some() {
        body.extend(quirks.extra_body_with_schema.clone());
    }
    if quirks.known.sampling == Some(false) {
        body.remove("temperature");
    }
    for field in quirks.omit.iter().flatten() {
        body.remove(field);
    }
    Value::Object(body)
}

/// Returns the number in short decimal form: 0.7, not 0.699999988.
pub(super) fn decimal(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Into::into)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bounds_go_where_the_schema_has_none() {
        let schema = json!({ "type": "object", "properties": {
            "type": { "type": ["string", "null"] }, "role": { "type": "string", "enum": ["lead"] },
            "short": { "type": "string", "maxLength": 5 },
            "names": { "type": "array", "items": { "type": "string" }, "default": [{ "type": "string" }] } } });
        let output = OutputSchema { name: "card".into(), schema: schema.clone() };
        assert_eq!(sent_schema(&output, &Quirks::default()), schema);
        let bounds = Some(SchemaBounds { text: 200, items: 4 });
        let expected = json!({ "type": "object", "properties": {
            "type": { "type": ["string", "null"], "maxLength": 200 }, "role": { "type": "string", "enum": ["lead"] },
            "short": { "type": "string", "maxLength": 5 },
            "names": { "type": "array", "maxItems": 4, "items": { "type": "string", "maxLength": 200 },
                "default": [{ "type": "string" }] } } });
        assert_eq!(sent_schema(&output, &Quirks { schema_bounds: bounds, ..Quirks::default() }), expected);
    }

    #[test]
    fn a_schema_beside_an_example_of_all_its_fields_is_left_out() {
        let schema = json!({ "type": "object", "properties": {
            "title": { "type": "string" }, "place": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            "cast": { "type": "array", "items": { "type": "object", "properties": {
                "name": { "type": "string" }, "age": { "type": "integer" } } } } } });
        let shown = |user: &str| {
            let output = Some(OutputSchema { name: "card".into(), schema: schema.clone() });
            let messages = vec![crate::ChatMessage::system("你是编辑。"), crate::ChatMessage::user(user)];
            let request = ChatRequest { messages, output, ..ChatRequest::default() };
            !system_parts(&request, Some(OutputMode::Text), &Quirks::default()).1.is_empty()
        };
        assert!(shown("写一张卡片。"), "no example");
        let whole = "{\n \"title\": \"题\", \"place\": null,\n \"cast\": [{\"name\": \"林青\", \"age\": 3}]\n}\n说明。";
        assert!(!shown(&format!("## 输出格式\n\n{whole}")));
        assert!(
            shown(&format!("## 输出格式\n\n{}", whole.replace(", \"age\": 3", ""))),
            "a field of an entry is missing"
        );
        assert!(shown(&format!("## 输出格式\n\n{}", whole.replace("\"place\": null,", ""))), "a field is missing");
    }

    #[test]
    fn an_example_may_lack_what_most_answers_do_not_have() {
        let schema = json!({ "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string" }, "goal": { "type": "string", "default": "" }, "hook": { "type": "string" } } });
        let output = OutputSchema { name: "node".into(), schema };
        for (example, is_shown) in [
            ("\n{\n\"name\": \"章\", \"goal\": \"找到他\"\n}", true),
            ("\n{\n\"name\": \"章\", \"hook\": \"门开了\"\n}", false),
            ("\n{\n\"goal\": \"找到他\"\n}", false),
            ("\n{\n\"name\": \"章\", \"goal\": \"找到他\", \"more\": 1\n}", false),
        ] {
            assert_eq!(output.is_shown_in(example), is_shown, "{example}");
        }
    }

    #[test]
    fn every_field_can_be_demanded() {
        let schema = json!({ "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string" },
            "cast": { "type": "array", "items": { "type": "object", "properties": { "age": { "type": "integer" } } } },
            "free": { "type": "object" } } });
        let output = OutputSchema { name: "card".into(), schema };
        let sent = sent_schema(&output, &Quirks { schema_complete: Some(true), ..Quirks::default() });
        assert_eq!(sent["required"], json!(["cast", "free", "name"]));
        assert_eq!(sent["properties"]["cast"]["items"]["required"], json!(["age"]));
        assert_eq!(sent["properties"]["free"], json!({ "type": "object" }));
        assert_eq!(sent["properties"]["name"], json!({ "type": "string" }));
    }

    #[test]
    fn what_is_refused_is_given_up_once() {
        let quirks = Quirks { output: Some(OutputMode::JsonSchema), ..Quirks::default() };
        let body = json!({ "temperature": 1, "response_format": {}, "tool_choice": {}, "reasoning_effort": "low" });
        let given_up = |said: &str| concession(&quirks, &body, said).map(|(_, field)| field);
        assert_eq!(given_up("Unsupported value: 'temperature' does not support 0.7"), Some("temperature"));
        assert_eq!(given_up("This response_format type is unavailable now"), Some("response_format"));
        assert_eq!(given_up("Thinking mode does not support this tool_choice"), Some("tool_choice"));
        assert_eq!(given_up("reasoning_effort is not supported"), Some("reasoning_effort"));
        assert_eq!(given_up("messages: too many"), None);
        let (without, _) = concession(&quirks, &body, "response_format").unwrap();
        assert_eq!(without.output, Some(OutputMode::JsonObject));
        assert_eq!(concession(&without, &json!({}), "response_format"), None, "it was not sent");
    }

    #[test]
    fn an_answer_is_as_long_as_the_model_allows() {
        let known = crate::catalogue::KnownModel { context: Some(1000), answer: Some(900), ..Default::default() };
        let quirks = Quirks { known, ..Quirks::default() };
        let wanting = |max_tokens| ChatRequest { max_tokens, ..ChatRequest::default() };
        assert_eq!(max_tokens(&wanting(None), &quirks), Some(500), "half of the context is for the request");
        assert_eq!(max_tokens(&wanting(Some(5000)), &quirks), Some(900));
        assert_eq!(max_tokens(&wanting(None), &Quirks::default()), None);
        assert_eq!(max_tokens(&wanting(None), &Quirks { max_tokens: Some(7), ..quirks }), Some(7));
    }

    #[test]
    fn strict_schemas_are_told_apart() {
        let object = |properties: Value, required: Value, closed: bool| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": !closed });
        let cases = [
            (json!({ "type": "string" }), true),
            (object(json!({ "a": {} }), json!(["a"]), true), true),
            (object(json!({ "a": {} }), json!([]), true), false),
            (object(json!({ "a": {} }), json!(["a"]), false), false),
            (json!({ "type": "object" }), false),
            (json!({ "type": "array", "items": object(json!({ "a": {} }), json!([]), true) }), false),
            (object(json!({ "type": { "type": "string" } }), json!(["type"]), true), true),
        ];
        for (schema, expected) in cases {
            assert_eq!(is_strict(&schema), expected, "{schema}");
        }
    }
}
