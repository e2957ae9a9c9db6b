//! Textual differences between two values.

use schemars::JsonSchema;
use serde_json::Value;

/// Excerpt length of differing values in a message, in characters.
const EXCERPT: usize = 60;

/// One place where two values differ.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, JsonSchema)]
pub struct Difference {
    /// Where, as a JSON pointer; empty for the whole.
    pub path: String,
    /// What was recorded there, from a little before the place where both part.
    pub recorded: String,
    /// What stands there now.
    pub now: String,
}

/// Returns the first `limit` differences between two values; object keys in sorted order.
pub fn differences(recorded: &Value, now: &Value, limit: usize) -> Vec<Difference> {
    let mut found = Vec::new();
    walk("", recorded, now, limit, &mut found);
    found
}

/// Returns the first difference between two values, formatted for a message.
pub(super) fn first(recorded: &Value, asked: &Value) -> Option<String> {
    let Difference { path, recorded, now } = differences(recorded, asked, 1).into_iter().next()?;
    Some(format!("{path}: recorded {recorded}, asked {now}"))
}

fn walk(path: &str, recorded: &Value, now: &Value, limit: usize, found: &mut Vec<Difference>) {
    if recorded == now || found.len() >= limit {
        return;
    }
    match (recorded, now) {
        (Value::Object(left), Value::Object(right)) => {
            let mut keys: Vec<&String> = left.keys().chain(right.keys()).collect();
            keys.sort();
            keys.dedup();
            let side =
                |object: &serde_json::Map<String, Value>, key: &str| object.get(key).cloned().unwrap_or_default();
            for key in keys {
                walk(&format!("{path}/{key}"), &side(left, key), &side(right, key), limit, found);
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            let before = found.len();
            for (at, (left, right)) in left.iter().zip(right).enumerate() {
                walk(&format!("{path}/{at}"), left, right, limit, found);
            }
            // The common prefix is equal: either value is longer.
            if found.len() == before && before < limit {
                found.push(parting(path, recorded, now));
            }
        }
        _ => found.push(parting(path, recorded, now)),
    }
}

/// Returns both values from shortly before their first difference.
fn parting(path: &str, recorded: &Value, now: &Value) -> Difference {
    let (recorded, now) = (recorded.to_string(), now.to_string());
    let common = recorded.chars().zip(now.chars()).take_while(|(left, right)| left == right).count();
    let from = common.saturating_sub(EXCERPT / 4);
    let excerpt = |text: &str| -> String {
        let before = if from > 0 { "…" } else { "" };
        let after = if text.chars().count() > from + EXCERPT { "…" } else { "" };
        format!("{before}{}{after}", text.chars().skip(from).take(EXCERPT).collect::<String>())
    };
    Difference { path: path.into(), recorded: excerpt(&recorded), now: excerpt(&now) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_are_named_and_counted() {
        let recorded = json!({"a": 1, "list": [1, {"x": "雪夜"}, 3], "same": true});
        let now = json!({"b": 2, "list": [1, {"x": "雨夜"}, 3, 4], "same": true});
        let paths = |limit| differences(&recorded, &now, limit).into_iter().map(|at| at.path).collect::<Vec<_>>();
        assert_eq!(paths(9), ["/a", "/b", "/list/1/x"]);
        assert_eq!(paths(1), ["/a"]);
        assert!(differences(&now, &now, 9).is_empty());
        let longer = differences(&json!([1]), &json!([1, 2]), 9);
        assert_eq!((longer.len(), longer[0].recorded.as_str(), longer[0].now.as_str()), (1, "[1]", "[1,2]"));
    }
}
