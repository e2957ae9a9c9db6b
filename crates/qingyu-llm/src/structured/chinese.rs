//! Problems of an answer in Chinese, for the retry message of a Chinese request.

/// Whole problems.
const WHOLE: [(&str, &str); 4] = [
    ("the answer was cut off before any JSON", "回答在 JSON 开始之前就断了"),
    ("the answer was cut off before its end", "回答没有写完就断了"),
    ("there is no JSON in the answer", "回答里没有 JSON"),
    ("the answer leaves something out with \"...\"; write it in full", "回答用“...”省略了内容，要写全"),
];

/// Problems around a value and what the schema asks for: the English words between and behind them, and the Chinese ones
/// between.
const AROUND: [(&str, &[&str], &str); 8] = [
    (" is not of types ", &[], "的类型不是 "),
    (" is not of type ", &[], "的类型不是 "),
    (" is greater than the maximum of ", &[], "大于上限 "),
    (" is less than the minimum of ", &[], "小于下限 "),
    (" is longer than ", &[" characters", " character"], "超过字数上限 "),
    (" is shorter than ", &[" characters", " character"], "不足字数下限 "),
    (" has more than ", &[" items", " item"], "超过项数上限 "),
    (" has less than ", &[" items", " item"], "不足项数下限 "),
];

/// Returns a problem in Chinese; a problem with unknown words stays as it is. Names and values are not translated.
pub(super) fn in_chinese(problem: &str) -> String {
    if let Some((_, chinese)) = WHOLE.iter().find(|(english, _)| *english == problem) {
        return (*chinese).to_owned();
    }
    if let Some(why) = problem.strip_prefix("the JSON is broken: ") {
        return format!("JSON 写坏了：{why}");
    }
    if let Some((key, lists)) = problem.split_once(" is not a field of the answer, use ") {
        return format!("回答没有 {key} 这个字段，写在这些字段里：{lists}");
    }
    let place = problem.split_once(": ").filter(|(path, _)| path.starts_with('/') && !path.contains(' '));
    match place.and_then(|(path, told)| Some((path, of_schema(told)?))) {
        Some((path, told)) => format!("{path}：{told}"),
        None => problem.to_owned(),
    }
}

/// Returns a problem that the validation against the schema found in Chinese; `None` for unknown words.
fn of_schema(told: &str) -> Option<String> {
    if let Some(property) = told.strip_suffix(" is a required property") {
        return Some(format!("缺少 {property}"));
    }
    if let Some(unexpected) = told.strip_prefix("Additional properties are not allowed (") {
        let names =
            unexpected.strip_suffix(" were unexpected)").or_else(|| unexpected.strip_suffix(" was unexpected)"))?;
        return Some(format!("不能有这些字段：{names}"));
    }
    if let Some((value, _)) = told.rsplit_once(" is not valid under any of the schemas listed in the ") {
        return Some(format!("{value} 不合任何一种允许的形式"));
    }
    if let Some((value, choices)) = told.rsplit_once(" is not one of ") {
        return Some(format!("{value} 不是其中之一：{}", choices_in_chinese(choices)));
    }
    AROUND.iter().find_map(|(between, behind, chinese)| {
        let (value, asked) = told.rsplit_once(*between)?;
        let asked = behind.iter().find_map(|words| asked.strip_suffix(*words)).unwrap_or(asked);
        Some(format!("{value} {chinese}{asked}"))
    })
}

/// Returns choices such as `"a" or "b"`, of which the last may be a number of others, in Chinese.
fn choices_in_chinese(choices: &str) -> String {
    let listed = choices.replace(" or ", "、").replace(", ", "、");
    match listed.strip_suffix(" other candidates").and_then(|listed| listed.rsplit_once('、')) {
        Some((shown, count)) => format!("{shown}，还有另外 {count} 个"),
        None => listed,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_problem_of_a_schema_has_chinese_words() {
        let schema = json!({
            "type": "object",
            "required": ["answer"],
            "additionalProperties": false,
            "properties": {
                "answer": {"type": "string", "maxLength": 3, "minLength": 1},
                "kind": {"enum": ["a", "b"]},
                "count": {"type": "integer", "minimum": 1, "maximum": 3},
                "list": {"type": "array", "minItems": 1, "maxItems": 2}
            }
        });
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (answer, expected) in [
            (json!({}), "/：缺少 \"answer\""),
            (json!({"answer": "x", "pattern": 1, "rank": 2}), "/：不能有这些字段：'pattern', 'rank'"),
            (json!({"answer": "x", "rank": 2}), "/：不能有这些字段：'rank'"),
            (json!({"answer": 1}), "/answer：1 的类型不是 \"string\""),
            (json!({"answer": "四个字吧"}), "/answer：\"四个字吧\" 超过字数上限 3"),
            (json!({"answer": ""}), "/answer：\"\" 不足字数下限 1"),
            (json!({"answer": "x", "kind": "c"}), "/kind：\"c\" 不是其中之一：\"a\"、\"b\""),
            (json!({"answer": "x", "count": 0}), "/count：0 小于下限 1"),
            (json!({"answer": "x", "count": 4}), "/count：4 大于上限 3"),
            (json!({"answer": "x", "list": []}), "/list：[] 不足项数下限 1"),
            (json!({"answer": "x", "list": [1, 2, 3]}), "/list：[1,2,3] 超过项数上限 2"),
        ] {
            let error = validator.iter_errors(&answer).next().unwrap();
            let path = error.instance_path().as_str();
            let problem = format!("{}: {error}", if path.is_empty() { "/" } else { path });
            assert_eq!(in_chinese(&problem), expected);
        }
        for (problem, expected) in [
            ("/holds: 1 is not of types \"boolean\", \"null\"", "/holds：1 的类型不是 \"boolean\", \"null\""),
            (
                "/kind: 3 is not one of \"a\", \"b\" or 7 other candidates",
                "/kind：3 不是其中之一：\"a\"、\"b\"，还有另外 7 个",
            ),
            (
                "/a/0: 1 is not valid under any of the schemas listed in the 'anyOf' keyword",
                "/a/0：1 不合任何一种允许的形式",
            ),
            ("there is no JSON in the answer", "回答里没有 JSON"),
            (
                "`事件` is not a field of the answer, use events, facts",
                "回答没有 `事件` 这个字段，写在这些字段里：events, facts",
            ),
            ("order：没有编号为 9 的片段", "order：没有编号为 9 的片段"),
        ] {
            assert_eq!(in_chinese(problem), expected);
        }
    }
}
