//! Errors of queries in Chinese, for a retry.

use qingyu_knowledge::pattern::Error;

/// What the parser expects, in English and in Chinese.
const EXPECTED: [(&str, &str); 18] = [
    ("the end", "结尾"),
    ("',', 'and', 'or', 'except', '@', 'return', 'limit' or the end", "逗号、and、or、except、@、return、limit 或结尾"),
    (
        "',', 'limit' or the end ('return' stands once, behind all patterns)",
        "逗号、limit 或结尾（return 只写一次，在所有查询之后）",
    ),
    (
        "the same operator as before, or braces { } around what belongs together",
        "和前面一样的连接词，要混用就用 { } 括起来",
    ),
    ("a node such as (x:Character)", "节点，如 (x:Character)"),
    (
        "a kind such as :Character, a name in quotes, a test in { }, or ')'",
        "种类（如 :Character）、双引号里的名字、{ } 里的条件，或者 )",
    ),
    (
        "relations such as :friend_of, hops such as *1..3, a time such as @ch30, or ']'",
        "关系（如 :friend_of）、步数（如 *1..3）、时间（如 @ch30），或者 ]",
    ),
    ("a node; an edge has one arrow head, or none for both directions", "节点；一条边只有一个箭头，或者没有箭头"),
    ("a chapter such as ch30, or an event or time in quotes", "章（如 ch30），或者双引号里的事件、时间"),
    ("',' or '}'", "逗号或 }"),
    ("a text in quotes", "双引号里的文字"),
    ("a text with its closing quote", "有右引号的文字"),
    ("a text in quotes, a number, true or false", "双引号里的文字、数、true 或 false"),
    ("=, !=, <, <=, >, >=, 'contains' or 'in'", "=、!=、<、<=、>、>=、contains 或 in"),
    ("a number", "数"),
    ("a variable", "变量"),
    ("a relation such as friend_of", "关系，如 friend_of"),
    ("a property such as role_type", "属性，如 role_type"),
];

/// Returns the error in Chinese; rare errors stay in English.
pub(super) fn in_chinese(error: &Error) -> String {
    match error {
        Error::Syntax { at, expected, found } => {
            format!("第 {at} 个字符应是{}，写的是 {}", expected_in_chinese(expected), expected_in_chinese(found))
        }
        Error::Name { name, suggestions } => format!("故事里没有叫“{name}”的{}", similar(suggestions)),
        Error::Word { word, suggestions } => format!("没有“{word}”这种关系{}", similar(suggestions)),
        Error::Property { property, suggestions } => format!("没有“{property}”这个属性{}", similar(suggestions)),
        Error::Time(time) => format!("“{time}”不是故事里的事件、时间、大纲节点或文档"),
        other => other.to_string(),
    }
}

fn expected_in_chinese(expected: &str) -> String {
    let known = EXPECTED.iter().find(|(english, _)| *english == expected).map(|(_, chinese)| (*chinese).to_owned());
    let kinds = expected.strip_prefix("a kind of node (").and_then(|rest| rest.strip_suffix(')'));
    let kinds = kinds.map(|names| format!("节点种类（{names}）"));
    known.or(kinds).unwrap_or_else(|| expected.to_owned())
}

fn similar(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("“{name}”")).collect();
    if quoted.is_empty() { String::new() } else { format!("，是不是{}", quoted.join("或")) }
}

#[cfg(test)]
mod tests {
    use qingyu_knowledge::pattern::Query;

    use super::*;

    #[test]
    fn an_error_of_a_query_is_chinese() {
        for (pattern, expected) in [
            (
                "(x)-[:holds]->(k \"铜钥匙\") return x or (y)-[:uses]->(k) return y",
                "第 34 个字符应是逗号、limit 或结尾（return 只写一次，在所有查询之后），写的是 'or'",
            ),
            ("(x) (y)", "第 5 个字符应是逗号、and、or、except、@、return、limit 或结尾，写的是 '('"),
            ("", "第 1 个字符应是节点，如 (x:Character)，写的是 结尾"),
            ("(x {age 3})", "第 9 个字符应是=、!=、<、<=、>、>=、contains 或 in，写的是 3"),
        ] {
            assert_eq!(in_chinese(&Query::parse(pattern).unwrap_err()), expected);
        }
        let person = in_chinese(&Query::parse("(x:Person)").unwrap_err());
        assert!(person.starts_with("第 4 个字符应是节点种类（Character"), "{person}");
        let unknown = Error::Name { name: "沈彦秋".into(), suggestions: vec!["沈砚秋".into()] };
        assert_eq!(in_chinese(&unknown), "故事里没有叫“沈彦秋”的，是不是“沈砚秋”");
    }
}
