//! Statements between two as sentences that read in one direction only: `沈砚秋的父亲是沈伯安`, `Ann's child is Ben`.
//!
//! A word that names a person or thing reads as "subject's word is object", as in the vocabulary; the name of a kind of
//! relation, such as `mentor_of`, says what the subject is.

use crate::language::{Language, is_han};
use crate::names::fold_word;
use crate::plot::Mode;
use crate::predicate::{find, written_or_shown};
use crate::related_pair::RelatedPair;
use crate::relation_kind::RelationKind;

/// Chinese words for what the other is to the subject.
const CHINESE: [&str; 86] = [
    "子女",
    "孩子",
    "儿子",
    "女儿",
    "长子",
    "长女",
    "次子",
    "次女",
    "独子",
    "独女",
    "父母",
    "父亲",
    "母亲",
    "爸爸",
    "妈妈",
    "爹",
    "娘",
    "生父",
    "生母",
    "亲生父亲",
    "亲生母亲",
    "养父",
    "养母",
    "义父",
    "义母",
    "养子",
    "养女",
    "祖父",
    "祖母",
    "哥哥",
    "弟弟",
    "姐姐",
    "妹妹",
    "妻子",
    "丈夫",
    "未婚妻",
    "未婚夫",
    "师父",
    "师傅",
    "师长",
    "导师",
    "老师",
    "徒弟",
    "弟子",
    "学生",
    "雇主",
    "上司",
    "老板",
    "雇员",
    "下属",
    "手下",
    "部下",
    "成员",
    "凶手",
    "杀人者",
    "持有者",
    "主人",
    "仆人",
    "爷爷",
    "奶奶",
    "外公",
    "外婆",
    "孙子",
    "孙女",
    "叔叔",
    "伯父",
    "舅舅",
    "姑姑",
    "阿姨",
    "侄子",
    "侄女",
    "外甥",
    "继父",
    "继母",
    "岳父",
    "岳母",
    "女婿",
    "儿媳",
    "老公",
    "老婆",
    "师兄",
    "师姐",
    "师弟",
    "师妹",
    "助手",
    "保镖",
];
/// Chinese words for what two are to each other.
const MUTUAL: [&str; 18] = [
    "配偶",
    "夫妻",
    "兄弟姐妹",
    "手足",
    "朋友",
    "好友",
    "敌人",
    "仇敌",
    "恋人",
    "对手",
    "盟友",
    "家人",
    "同伴",
    "搭档",
    "同学",
    "同事",
    "邻居",
    "战友",
];
/// Chinese words that end with 是 and name nothing.
const VERBS: [&str; 16] = [
    "不是",
    "就是",
    "正是",
    "也是",
    "都是",
    "才是",
    "便是",
    "即是",
    "乃是",
    "曾是",
    "原是",
    "算是",
    "像是",
    "还是",
    "不再是",
    "可能是",
];
/// English words for what one is to the other.
const ENGLISH: [&str; 49] = [
    "child",
    "son",
    "daughter",
    "parent",
    "father",
    "mother",
    "birth father",
    "birth mother",
    "sibling",
    "brother",
    "sister",
    "spouse",
    "husband",
    "wife",
    "friend",
    "enemy",
    "rival",
    "ally",
    "lover",
    "mentor",
    "teacher",
    "student",
    "pupil",
    "apprentice",
    "employer",
    "employee",
    "boss",
    "servant",
    "member",
    "killer",
    "murderer",
    "holder",
    "colleague",
    "grandfather",
    "grandmother",
    "grandson",
    "granddaughter",
    "uncle",
    "aunt",
    "nephew",
    "niece",
    "cousin",
    "stepfather",
    "stepmother",
    "guardian",
    "bodyguard",
    "assistant",
    "disciple",
    "master",
];

/// The same for several.
const PLURAL: [&str; 3] = ["parents", "children", "members"];

/// Returns a statement between two as a sentence, if its word is one of a relation; `None` for a verb, which reads in one
/// direction anyway, and for other words.
pub fn relation(subject: &str, word: &str, object: &str, language: Language) -> Option<String> {
    if let Some(kind) = kind_of(word) {
        return Some(kind.sentence(subject, object, RelatedPair::default(), language));
    }
    let word = written_or_shown(word, language);
    match language {
        Language::Zh => chinese(subject, &word, object),
        Language::En => english(subject, &word, object),
    }
}

/// Same as [`relation`], for a statement with the source sentence `quote`. A Chinese word for two siblings in it, such as 姐弟, is
/// more exact than the word of the statement and takes its place.
pub fn relation_told(subject: &str, word: &str, object: &str, quote: &str, language: Language) -> Option<String> {
    let are_siblings = language == Language::Zh && find(word).is_some_and(|word| word.name == "sibling_of");
    let unknown = RelatedPair::default();
    let pair = are_siblings.then(|| unknown.told_in(quote)).filter(|pair| *pair != unknown);
    match pair {
        Some(pair) => Some(pair.siblings(subject, object, language)),
        None => relation(subject, word, object, language),
    }
}

/// Returns a statement between two as a sentence: one of [`relation`], or else the three in a row.
pub fn between(subject: &str, word: &str, object: &str, language: Language) -> String {
    relation(subject, word, object, language)
        .unwrap_or_else(|| format!("{subject} {} {object}", written_or_shown(word, language)))
}

/// Chinese words before a denied statement.
const DENIED: &str = "并非：";

/// Returns the denial of a statement in words: `并非：甲的父亲是乙`, `not so: Ann's father is Ben`.
pub fn denied(said: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("{DENIED}{said}"),
        Language::En => format!("not so: {said}"),
    }
}

/// Returns the words before a statement that is not simply narrated, such as `甲谎称：`, `Ann falsely claims: `; empty for what is.
/// Without a name in `by`, somebody does so.
pub fn told_as(mode: Mode, by: &str, language: Language) -> String {
    let is_zh = language == Language::Zh;
    let by = match by.trim() {
        "" if is_zh => "有人",
        "" => "somebody",
        by => by,
    };
    match (mode, is_zh) {
        (Mode::Narrated, _) => String::new(),
        (Mode::Flashback, true) => "往事：".into(),
        (Mode::Flashback, false) => "in the past: ".into(),
        (Mode::Dreamt, true) => format!("{by}梦见："),
        (Mode::Dreamt, false) => format!("{by} dreams: "),
        (Mode::Said, true) => format!("{by}说："),
        (Mode::Said, false) => format!("{by} says: "),
        (Mode::Believed, true) => format!("{by}以为："),
        (Mode::Believed, false) => format!("{by} believes: "),
        (Mode::Planned, true) => format!("{by}打算："),
        (Mode::Planned, false) => format!("{by} plans: "),
        (Mode::Lied, true) => format!("{by}谎称："),
        (Mode::Lied, false) => format!("{by} falsely claims: "),
        (Mode::Retconned, true) => "已作废：".into(),
        (Mode::Retconned, false) => "no longer true: ".into(),
        (Mode::Disguised, true) => "表面上：".into(),
        (Mode::Disguised, false) => "on the surface: ".into(),
    }
}

/// Returns a statement about `subject` with the words of [`told_as`] before it: `甲谎称：乙 持有 铜钥`. In Chinese, a statement that
/// somebody makes, believes or dreams about themselves becomes one sentence: `甲谎称自己知道暗号`. `statement` may begin with the
/// subject.
pub fn told(mode: Mode, by: &str, subject: &str, statement: &str, language: Language) -> String {
    let of_oneself = match mode {
        Mode::Said => "说自己",
        Mode::Believed => "以为自己",
        Mode::Dreamt => "梦见自己",
        Mode::Lied => "谎称自己",
        _ => "",
    };
    let (by, subject) = (by.trim(), subject.trim());
    let rest = statement.strip_prefix(subject).unwrap_or(statement).trim_start();
    let is_of_oneself = language == Language::Zh && !by.is_empty() && by == subject && !of_oneself.is_empty();
    if is_of_oneself && !rest.starts_with(DENIED) {
        return format!("{by}{of_oneself}{rest}");
    }
    format!("{}{statement}", told_as(mode, by, language))
}

/// Returns a remark in the brackets of the language, to be appended: `（第3天）`, ` (day 3)`.
pub(crate) fn in_brackets(remark: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("（{remark}）"),
        Language::En => format!(" ({remark})"),
    }
}

/// Returns the kind of relation whose name a word is, such as `mentor_of`: what the subject is to the object. The words of
/// the vocabulary have no kind, and neither has a bare `mentor`, which says what the object is.
fn kind_of(word: &str) -> Option<RelationKind> {
    let key = fold_word(word);
    if key == "acquainted_with" {
        return Some(RelationKind::Knows);
    }
    let is_name = key.ends_with("_of") && find(word).is_none();
    if is_name { RelationKind::named(&key) } else { None }
}

fn chinese(subject: &str, word: &str, object: &str) -> Option<String> {
    if !word.chars().all(is_han) {
        return None;
    }
    if MUTUAL.contains(&word) {
        return Some(format!("{subject}和{object}是{word}"));
    }
    if VERBS.iter().any(|verb| word.ends_with(verb)) {
        return None;
    }
    let bare = word.strip_suffix('是').unwrap_or(word);
    if matches!(bare, "之子" | "之女") {
        return Some(format!("{subject}{bare}是{object}"));
    }
    let is_noun = !bare.is_empty() && bare.len() < word.len() || CHINESE.contains(&bare);
    is_noun.then(|| format!("{subject}的{bare}是{object}"))
}

fn english(subject: &str, word: &str, object: &str) -> Option<String> {
    let bare = word.strip_prefix("is ").unwrap_or(word).trim();
    if bare == "member of" {
        return Some(format!("{subject} is a member of {object}"));
    }
    if let Some(noun) = bare.strip_suffix(" of").filter(|noun| ENGLISH.contains(noun)) {
        return Some(format!("{subject} is {object}'s {noun}"));
    }
    let nouns = word.strip_suffix(" are").or_else(|| Some(word).filter(|word| PLURAL.contains(word)));
    if let Some(nouns) = nouns {
        return Some(format!("{subject}'s {nouns} are {object}"));
    }
    ENGLISH.contains(&bare).then(|| format!("{subject}'s {bare} is {object}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CharacterRelation;
    use crate::predicate::all;

    #[test]
    fn a_statement_between_two_reads_in_one_direction() {
        let cases = [
            ("parent_of", "甲的子女是乙", "甲 is 乙's parent"),
            ("child_of", "甲的父母是乙", "甲 is 乙's child"),
            ("mentor_of", "甲是乙的师长", "甲 is 乙's teacher"),
            ("student_of", "甲是乙的弟子", "甲 is 乙's pupil"),
            ("employer_of", "甲是乙的上司", "甲 is 乙's employer"),
            ("employee_of", "甲是乙的手下", "甲 is 乙's employee"),
            ("friend_of", "甲和乙是朋友", "甲 is 乙's friend"),
            ("sibling_of", "甲和乙是兄弟姐妹", "甲 is 乙's sibling"),
            ("ally_of", "甲和乙是盟友", "甲 and 乙 work together"),
            ("acquainted_with", "甲和乙相识", "甲 and 乙 know each other"),
            ("kills", "甲 杀死 乙", "甲 kills 乙"),
            ("killed_by", "甲 被杀于 乙", "甲 killed by 乙"),
            ("holds", "甲 持有 乙", "甲 holds 乙"),
            ("knows", "甲 知道 乙", "甲 knows 乙"),
        ];
        for (word, chinese, english) in cases {
            let said = [Language::Zh, Language::En].map(|language| between("甲", word, "乙", language));
            assert_eq!(said, [chinese, english], "{word}");
        }
        for (word, expected) in [
            ("父亲", "甲的父亲是乙"),
            ("父母是", "甲的父母是乙"),
            ("孩子", "甲的孩子是乙"),
            ("之女", "甲之女是乙"),
            ("师长", "甲的师长是乙"),
            ("弟子", "甲的弟子是乙"),
            ("上司", "甲的上司是乙"),
            ("凶手", "甲的凶手是乙"),
            ("成员是", "甲的成员是乙"),
            ("生母", "甲的生母是乙"),
            ("真名是", "甲的真名是乙"),
            ("爷爷", "甲的爷爷是乙"),
            ("师兄", "甲的师兄是乙"),
            ("战友", "甲和乙是战友"),
            ("不是", "甲 不是 乙"),
            ("曾是", "甲 曾是 乙"),
            ("夫妻", "甲和乙是夫妻"),
            ("嫁给", "甲 嫁给 乙"),
            ("生下", "甲 生下 乙"),
            ("隶属", "甲 隶属 乙"),
        ] {
            assert_eq!(between("甲", word, "乙", Language::Zh), expected, "{word}");
        }
        for (word, expected) in [
            ("father", "Ann's father is Ben"),
            ("uncle", "Ann's uncle is Ben"),
            ("grandmother_of", "Ann is Ben's grandmother"),
            ("child", "Ann's child is Ben"),
            ("children_are", "Ann's children are Ben"),
            ("father_of", "Ann is Ben's father"),
            ("is_daughter_of", "Ann is Ben's daughter"),
            ("birth_mother", "Ann's birth mother is Ben"),
            ("mentor", "Ann's mentor is Ben"),
            ("teacher_of", "Ann is Ben's teacher"),
            ("killer", "Ann's killer is Ben"),
            ("killer_of", "Ann is Ben's killer"),
            ("member_of", "Ann is a member of Ben"),
            ("parents", "Ann's parents are Ben"),
            ("member", "Ann's member is Ben"),
            ("murders", "Ann murders Ben"),
        ] {
            assert_eq!(between("Ann", word, "Ben", Language::En), expected, "{word}");
        }
        assert_eq!(denied("甲的父亲是乙", Language::Zh), "并非：甲的父亲是乙");
    }

    #[test]
    fn what_somebody_says_of_themselves_is_one_sentence() {
        for (mode, by, statement, expected) in [
            (Mode::Narrated, "", "甲 知道 暗号", "甲 知道 暗号"),
            (Mode::Lied, "甲", "甲 知道 暗号", "甲谎称自己知道 暗号"),
            (Mode::Lied, "甲", "知道暗号", "甲谎称自己知道暗号"),
            (Mode::Lied, "甲", "甲的父亲是乙", "甲谎称自己的父亲是乙"),
            (Mode::Lied, "甲", "并非：甲的父亲是乙", "甲谎称：并非：甲的父亲是乙"),
            (Mode::Lied, "乙", "甲 知道 暗号", "乙谎称：甲 知道 暗号"),
            (Mode::Lied, "", "甲 知道 暗号", "有人谎称：甲 知道 暗号"),
            (Mode::Said, "甲", "甲 死亡", "甲说自己死亡"),
            (Mode::Believed, "甲", "甲 死亡", "甲以为自己死亡"),
            (Mode::Dreamt, "甲", "甲 死亡", "甲梦见自己死亡"),
            (Mode::Planned, "甲", "甲 持有 铜钥", "甲打算：甲 持有 铜钥"),
            (Mode::Disguised, "甲", "甲 死亡", "表面上：甲 死亡"),
        ] {
            assert_eq!(told(mode, by, "甲", statement, Language::Zh), expected);
        }
        for (mode, expected) in [
            (Mode::Lied, "Ann falsely claims: Ann knows it"),
            (Mode::Disguised, "on the surface: Ann knows it"),
            (Mode::Retconned, "no longer true: Ann knows it"),
        ] {
            assert_eq!(told(mode, "Ann", "Ann", "Ann knows it", Language::En), expected);
        }
    }

    #[test]
    fn siblings_are_called_as_their_sentence_calls_them() {
        let said = |word: &str, quote: &str| relation_told("甲", word, "乙", quote, Language::Zh);
        for (word, quote, expected) in [
            ("sibling_of", "甲、乙姐弟俩挤在一条长凳上。", "甲和乙是姐弟"),
            ("手足", "甲和乙是兄妹。", "甲和乙是兄妹"),
            ("sibling_of", "甲和乙是一母所生。", "甲和乙是兄弟姐妹"),
            ("手足", "甲和乙是兄弟姐妹。", "甲和乙是手足"),
            ("朋友", "甲和乙情同兄妹。", "甲和乙是朋友"),
        ] {
            assert_eq!(said(word, quote).as_deref(), Some(expected), "{word} {quote}");
        }
        let english = relation_told("Ann", "sibling_of", "Ben", "Ann, 姐弟", Language::En);
        assert_eq!(english.as_deref(), Some("Ann is Ben's sibling"));
    }

    #[test]
    fn a_relation_on_the_list_says_what_the_first_is_to_the_other() {
        use RelationKind::{ChildOf, EmployeeOf, EmployerOf, MentorOf, ParentOf, StudentOf};
        for (kind, chinese, english) in [
            (ParentOf, "甲是乙的父母之一", "甲 is 乙's parent"),
            (ChildOf, "甲是乙的子女", "甲 is 乙's child"),
            (MentorOf, "甲是乙的师长", "甲 is 乙's teacher"),
            (StudentOf, "甲是乙的弟子", "甲 is 乙's pupil"),
            (EmployerOf, "甲是乙的上司", "甲 is 乙's employer"),
            (EmployeeOf, "甲是乙的手下", "甲 is 乙's employee"),
        ] {
            let relation =
                CharacterRelation { from: "甲".into(), to: " 乙".into(), kind, ..CharacterRelation::default() };
            let said = [Language::Zh, Language::En].map(|language| relation.sentence(&[], language));
            assert_eq!(said, [chinese, english]);
            let own = CharacterRelation { own_kind: "师叔".into(), ..relation };
            let said = [Language::Zh, Language::En].map(|language| own.sentence(&[], language));
            assert_eq!(said, ["甲之于乙：师叔", "甲 to 乙: 师叔"]);
        }
    }

    #[test]
    fn no_name_of_a_pair_stands_between_two_as_a_bare_noun() {
        for word in all().iter().filter(|word| word.inverse.is_some()) {
            for name in word.aliases.iter().chain([&word.name]) {
                let language = if name.chars().any(is_han) { Language::Zh } else { Language::En };
                let is_noun = CHINESE.contains(&name.as_str()) || ENGLISH.contains(&name.as_str());
                let said = between("甲", name, "乙", language);
                assert_ne!(said, between("乙", name, "甲", language), "{name}");
                assert!(!is_noun || said != format!("甲 {name} 乙"), "{said}");
            }
        }
    }
}
