//! Request fields that would change the answer and cannot be followed.

use serde_json::{Map, Value};

use crate::chat::is_empty;

/// A field that is refused: its name, whether a value asks for nothing beyond a plain answer, and advice.
type Rule = (&'static str, fn(&Value) -> bool, &'static str);

const RULES: [Rule; 12] = [
    ("tools", is_empty, "the agents call tools of their own: leave it out, or mount our tools over MCP"),
    ("functions", is_empty, "the agents call tools of their own: leave it out, or mount our tools over MCP"),
    ("tool_choice", is_free_choice, "the agents call tools of their own: leave it out"),
    ("function_call", is_free_choice, "the agents call tools of their own: leave it out"),
    ("response_format", is_text, "answers are text: leave it out, or ask for `text`"),
    ("n", is_one, "one answer is given: leave it out, or ask for 1"),
    ("logprobs", is_off, "the agents give no probabilities: leave it out"),
    ("top_logprobs", is_off, "the agents give no probabilities: leave it out"),
    ("audio", is_empty, "answers are text: leave it out"),
    ("modalities", is_text_alone, "answers are text: leave it out, or ask for `text` alone"),
    ("web_search_options", Value::is_null, "answers come from the project's material: leave it out"),
    ("suffix", is_empty, "nothing is put after the answer: leave it out"),
];

/// Returns the first refused field of a request, and what to do instead.
pub(super) fn find(fields: &Map<String, Value>) -> Option<(&'static str, &'static str)> {
    let is_refused = |(name, is_plain, _): &&Rule| fields.get(*name).is_some_and(|value| !is_plain(value));
    RULES.iter().find(is_refused).map(|(name, _, advice)| (*name, *advice))
}

fn is_off(value: &Value) -> bool {
    value.is_null() || *value == false || *value == 0
}

fn is_one(value: &Value) -> bool {
    value.is_null() || *value == 1
}

fn is_text(value: &Value) -> bool {
    value.is_null() || value["type"] == "text"
}

fn is_free_choice(value: &Value) -> bool {
    value.is_null() || *value == "auto" || *value == "none"
}

fn is_text_alone(value: &Value) -> bool {
    let modes = value.as_array().map(Vec::as_slice);
    value.is_null() || modes.is_some_and(|modes| modes.iter().all(|mode| *mode == "text"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_changes_the_answer_is_refused() {
        for (fields, refused) in [
            (json!({}), None),
            (json!({"temperature": 1.5, "top_p": 0.1, "seed": 7, "max_tokens": 5, "stop": ["x"], "user": "u"}), None),
            (json!({"tools": [], "tool_choice": "auto", "response_format": {"type": "text"}, "n": 1}), None),
            (json!({"logprobs": false, "top_logprobs": 0, "modalities": ["text"], "audio": null}), None),
            (json!({"tools": [{"type": "function"}]}), Some("tools")),
            (json!({"functions": [{"name": "f"}]}), Some("functions")),
            (json!({"tool_choice": "required"}), Some("tool_choice")),
            (json!({"response_format": {"type": "json_object"}}), Some("response_format")),
            (json!({"n": 2}), Some("n")),
            (json!({"n": 0}), Some("n")),
            (json!({"logprobs": true}), Some("logprobs")),
            (json!({"modalities": ["text", "audio"]}), Some("modalities")),
            (json!({"audio": {"voice": "alloy"}}), Some("audio")),
        ] {
            assert_eq!(find(fields.as_object().unwrap()).map(|(name, _)| name), refused, "{fields}");
        }
    }
}
