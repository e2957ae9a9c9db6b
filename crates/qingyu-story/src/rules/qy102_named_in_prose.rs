//! QY102: the prose introduces a named person without a character card.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::json;

use super::{FindingDraft, Rule, RuleMaterial};
use crate::language::is_han;
use crate::names::{DOUBLE_SURNAMES, fold};
use crate::piece::PieceKind;
use crate::{Action, Category, RoleType, Severity, marks};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy102_named_in_prose.toml");
    Rule::new("QY102", (Severity::Medium, Category::Completeness, "character"), texts, run)
}

/// Family names of one character.
const SURNAMES: &str = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏\
    钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙段雷钱汤尹黎武乔贺赖龚庞樊兰殷施陶洪翟安颜倪严牛温季俞章鲁葛伍韦申尤毕聂焦\
    柳邢岳齐梅莫庄辛管祝左谷祁舒耿牟卜詹关苗凌费纪靳盛童欧甄项曲裴席卫屈鲍覃霍翁隋甘景薄司柏宁柯阮桂闵柴华冉房";
/// Words before the name of a person or thing.
const NAMING: [&str; 5] = ["名叫", "叫做", "叫作", "名为", "名唤"];
/// Words before a name given by a person.
const SELF_NAMING: [&str; 2] = ["自称", "化名"];
/// Words directly before a person's name.
const PERSONS: [&str; 48] = [
    "角色", "人物", "配角", "反派", "侦探", "黑客", "医生", "老师", "警察", "警探", "记者", "杀手", "朋友", "挚友",
    "好友", "搭档", "同伴", "女孩", "男孩", "少年", "少女", "男子", "女子", "男人", "女人", "老人", "队长", "船长",
    "舰长", "教授", "博士", "师父", "徒弟", "师兄", "师姐", "父亲", "母亲", "哥哥", "弟弟", "姐姐", "妹妹", "妻子",
    "丈夫", "遇见", "遇到", "结识", "审问", "救下",
];
/// Endings of non-person names.
const THINGS: [&str; 22] = [
    "号", "城", "镇", "村", "山", "河", "岛", "星", "计划", "公司", "集团", "组织", "帮", "派", "会", "教", "剑", "刀",
    "协议", "程序", "事件", "行动",
];
const ENGLISH_NAMING: [&str; 4] = [" named ", " called ", " known as ", " by the name of "];
const ENGLISH_PERSONS: [&str; 36] = [
    "man",
    "woman",
    "boy",
    "girl",
    "child",
    "detective",
    "hacker",
    "friend",
    "stranger",
    "doctor",
    "teacher",
    "captain",
    "gardener",
    "priest",
    "soldier",
    "officer",
    "engineer",
    "thief",
    "killer",
    "witness",
    "reporter",
    "journalist",
    "professor",
    "scientist",
    "pilot",
    "nurse",
    "brother",
    "sister",
    "mother",
    "father",
    "wife",
    "husband",
    "daughter",
    "son",
    "rival",
    "partner",
];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut found: BTreeMap<String, (String, Vec<(String, String)>)> = BTreeMap::new();
    let people = [PieceKind::Character, PieceKind::OutlineNode, PieceKind::Event, PieceKind::PlotNode];
    for passage in material.passages.iter().filter(|passage| people.contains(&passage.kind)) {
        for range in chinese(passage.text).into_iter().chain(english(passage.text)) {
            let name = &passage.text[range.clone()];
            if !is_called_anything(material, name) {
                let (_, places) = found.entry(fold(name)).or_insert_with(|| (name.to_owned(), Vec::new()));
                places.push((passage.anchor.clone(), passage.quote(&range)));
            }
        }
    }
    found.into_iter().map(|(key, (name, places))| draft(key, &name, places)).collect()
}

fn draft(key: String, name: &str, places: Vec<(String, String)>) -> FindingDraft {
    let role = if places.len() > 1 { RoleType::Supporting } else { RoleType::Minor };
    let parameters = json!({ "name": name, "role_type": role });
    let draft = FindingDraft::about([key]).say("name", name).affects(name).quotes(places);
    draft.fix("create", Action::Create, PieceKind::Character, parameters)
}

/// Returns whether any piece has the name, or the name contains, or is part of, a character's name.
fn is_called_anything(material: &RuleMaterial<'_>, name: &str) -> bool {
    let folded = fold(name);
    let is_part = |card: &crate::Character| {
        let names =
            std::iter::once(&card.name).chain(&card.alias).map(|name| fold(name)).filter(|name| !name.is_empty());
        names.into_iter().any(|other| other.contains(&folded) || folded.contains(&other))
    };
    let participants = material.story.outline_nodes.iter().flat_map(|node| &node.participants);
    let in_events =
        material.story.timeline_events.iter().flat_map(|event| event.participants.iter().chain(&event.deaths));
    PieceKind::ALL.into_iter().any(|kind| material.names.knows(kind, name))
        || material.story.characters.iter().any(is_part)
        // Participants are checked by QY101.
        || participants.chain(in_events).any(|other| fold(other) == folded)
}

/// Returns the names introduced by Chinese prose: of a person after a naming word, or in quotes after a word for a
/// person.
fn chinese(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for naming in NAMING.iter().chain(&SELF_NAMING) {
        for (at, _) in text.match_indices(naming) {
            let start = at + naming.len();
            let rest = &text[start..];
            let end = rest.find(|c: char| !is_han(c) || "的是之与和在".contains(c)).unwrap_or(rest.len());
            let is_person = SELF_NAMING.contains(naming) || speaks_of_person(&text[..at], &rest[end..]);
            if is_person && looks_like_name(&rest[..end]) {
                found.push(start..start + end);
            }
        }
    }
    for (at, open) in text.char_indices().filter(|(_, c)| marks::opens_only(*c)) {
        let start = at + open.len_utf8();
        let Some(length) = text[start..].find(|c| marks::closes_quote(open, c)) else { continue };
        let quoted = &text[start..start + length];
        let is_short = quoted.chars().all(is_han) && (2..=4).contains(&quoted.chars().count());
        if is_short && !is_thing(quoted) && PERSONS.iter().any(|cue| text[..at].ends_with(cue)) {
            found.push(start..start + length);
        }
    }
    found
}

/// Returns whether the name is a person's, by the words before (`一名`, `侦探`) or after (`的记者`).
fn speaks_of_person(before: &str, after: &str) -> bool {
    let after = after.strip_prefix('的').unwrap_or_default();
    PERSONS.iter().any(|cue| before.ends_with(cue) || after.starts_with(cue))
        || ["一名", "一位", "有人", "那人", "此人", "一人", "他", "她"].iter().any(|cue| before.ends_with(cue))
}

/// Returns whether `word` is a family name plus one or two characters, without the ending of a thing.
pub(super) fn looks_like_name(word: &str) -> bool {
    let length = word.chars().count();
    let double = DOUBLE_SURNAMES.iter().any(|surname| word.starts_with(surname));
    let single = word.chars().next().is_some_and(|first| SURNAMES.contains(first));
    let fits = (double && (3..=4).contains(&length)) || (single && (2..=3).contains(&length));
    fits && word.chars().all(is_han) && !is_thing(word)
}

fn is_thing(word: &str) -> bool {
    THINGS.iter().any(|ending| word.ends_with(ending))
}

/// Returns the names introduced by English prose: `a detective named Ada Lovelace`.
fn english(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for naming in ENGLISH_NAMING {
        for (at, _) in text.match_indices(naming) {
            let person = text[..at].rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
            if !ENGLISH_PERSONS.contains(&person.as_str()) {
                continue;
            }
            let start = at + naming.len();
            let mut end = start;
            for word in text[start..].split_inclusive(' ') {
                let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
                if !bare.starts_with(char::is_uppercase) {
                    break;
                }
                let word_start = if end == start { start } else { end + 1 };
                end = word_start + bare.len();
                if word.len() != bare.len() + 1 || !word.ends_with(' ') {
                    break;
                }
            }
            if end > start {
                found.push(start..end);
            }
        }
    }
    found
}
