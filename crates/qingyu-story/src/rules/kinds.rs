//! Names of kinds, for JSON and for readers.

use serde::Serialize;

use crate::{Language, RelationKind};

/// Chinese names of the kinds of plot nodes, by JSON name.
const CHINESE: [(&str, &str); 5] =
    [("setup", "铺垫"), ("conflict", "冲突"), ("turn", "转折"), ("climax", "高潮"), ("resolution", "结局")];

/// Returns the JSON name of a kind, such as `parent_of`.
pub(super) fn kind_name(kind: impl Serialize) -> String {
    serde_json::to_value(kind).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Returns the name of a kind of relation or plot node for a reader: `父母`, or `parent_of` in English texts.
pub(super) fn kind_shown(kind: impl Serialize, language: Language) -> String {
    let name = kind_name(kind);
    if language == Language::En {
        return name;
    }
    let chinese = CHINESE.iter().find(|(known, _)| *known == name).map(|(_, chinese)| (*chinese).to_owned());
    let relation = || RelationKind::ALL.into_iter().find(|kind| kind.name() == name);
    chinese.or_else(|| Some(relation()?.shown(language))).unwrap_or(name)
}
