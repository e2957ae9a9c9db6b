//! Names of kinds, for JSON and for readers.

use serde::Serialize;

use crate::Language;

/// Chinese names of the kinds of relations and plot nodes, by JSON name.
const CHINESE: [(&str, &str); 19] = [
    ("knows", "熟人"),
    ("friend", "朋友"),
    ("enemy", "敌人"),
    ("family", "家人"),
    ("lover", "恋人"),
    ("rival", "对手"),
    ("ally", "同伴"),
    ("sibling", "兄弟姐妹"),
    ("parent_of", "父母"),
    ("child_of", "子女"),
    ("mentor_of", "师父"),
    ("student_of", "徒弟"),
    ("employer_of", "上司"),
    ("employee_of", "手下"),
    ("setup", "铺垫"),
    ("conflict", "冲突"),
    ("turn", "转折"),
    ("climax", "高潮"),
    ("resolution", "结局"),
];

/// Returns the JSON name of a kind, such as `parent_of`.
pub(super) fn kind_name(kind: impl Serialize) -> String {
    serde_json::to_value(kind).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Returns the name of a kind of relation or plot node for a reader: `父母`, or `parent_of` in English texts.
pub(super) fn kind_shown(kind: impl Serialize, language: Language) -> String {
    let name = kind_name(kind);
    let chinese = CHINESE.iter().find(|(known, _)| *known == name).filter(|_| language == Language::Zh);
    chinese.map_or(name, |(_, chinese)| (*chinese).to_owned())
}
