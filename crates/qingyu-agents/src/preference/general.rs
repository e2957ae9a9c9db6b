//! Remarks of the author that state a rule for all further writing, apart from those about the material at hand.

use qingyu_story::language::has_words;
use qingyu_story::wish::sentences;
use qingyu_story::{Names, Story};

/// Beginnings of a clause that states a rule.
#[rustfmt::skip]
const BEGINNINGS: &[&str] = &[
    "never ", "always ", "from now on", "in future", "in the future", "do not ever ", "don't ever ", "in every chapter",
    "in all chapters", "in each chapter", "throughout",
    "以后", "今后", "往后", "从今", "凡", "一律", "一概", "绝不", "永远不", "千万不", "千万别", "不要再", "别再", "再也不要", "不许再", "每章",
    "每一章", "全书", "通篇",
];
/// Words that make any sentence a rule.
const ANYWHERE: &[&str] = &["from now on", "一律", "一概"];
/// Beginnings of a clause about all of a kind; a rule if something is demanded of them.
const OF_ALL: &[&str] = &["every ", "everybody ", "everyone ", "all ", "each "];
const DEMANDED: &[&str] = &["must", "needs", "need", "should", "has to", "have to"];
/// Words by which something is demanded of all of a kind.
const DEMANDED_OF_ALL: &[&str] = &["都要", "都必须", "都得", "都应", "都不要", "都不能"];
/// Beginnings of a clause that asks for a manner of writing; a rule if it names one.
#[rustfmt::skip]
const MANNERS: &[&str] = &[
    "use ", "avoid ", "prefer ", "write in ", "keep to ", "do not use ", "don't use ", "fewer ", "no ",
    "少用", "多用", "不用", "不要用", "别用", "避免", "尽量", "改用", "用",
];
#[rustfmt::skip]
const STYLE: &[&str] = &[
    "first person", "third person", "past tense", "present tense", "point of view", "adverbs", "adjectives", "similes", "metaphors",
    "clichés", "cliches", "exclamation marks", "dashes", "semicolons", "short sentences", "long sentences", "short paragraphs",
    "long paragraphs", "dialect", "spelling",
    "第一人称", "第三人称", "人称", "视角", "文风", "语气", "口吻", "口语", "书面语", "文言", "白话", "方言", "短句", "长句", "副词", "形容词",
    "成语", "比喻", "排比", "感叹号", "破折号", "省略号", "标点",
];
/// Words that point at something or somebody in the material.
#[rustfmt::skip]
const AT_HAND: &[&str] = &[
    "this", "these", "those", "here", "he", "she", "him", "her", "his", "they", "them", "their",
    "他", "她", "它", "这", "那", "本章", "此处", "上一章", "下一章", "前一章", "后一章",
];
/// Phrases with such a word, or with the word for a chapter, that point at nothing in the material.
#[rustfmt::skip]
const NOT_AT_HAND: &[&str] = &[
    "every chapter", "each chapter", "any chapter", "a chapter", "per chapter", "all chapters", "chapters", "其他", "他人",
];

/// Returns the sentences of a remark that certainly state a rule for all further writing. A sentence that names a chapter or
/// a piece of the story, or points at something, is about the material at hand.
pub fn general_rules(remark: &str, story: &Story) -> Vec<String> {
    let names = Names::of(story);
    let names_piece =
        |sentence: &str| !names.mentions(sentence).is_empty() || !names.mentions_in_part(sentence).is_empty();
    let is_rule = |sentence: &&str| {
        let folded = sentence.replace('’', "'").to_lowercase();
        states_rule(&folded) && !is_at_hand(&folded) && !names_piece(sentence)
    };
    let said = sentences(remark).into_iter().map(|sentence| sentence.trim().trim_end_matches('.'));
    said.filter(is_rule).map(str::to_owned).collect()
}

/// Returns whether a sentence, in lower case, has the form of a rule.
fn states_rule(sentence: &str) -> bool {
    let mut clauses = sentence.split([',', ':', '，', '：', '、']).map(|clause| {
        let clause = clause.trim();
        let polite = ["please ", "请", "and ", "but ", "另外"];
        polite.iter().find_map(|word| clause.strip_prefix(word)).unwrap_or(clause).trim_start()
    });
    let has = |clause: &str, words: &[&str]| words.iter().any(|word| has_words(clause, word));
    let begins = |clause: &str, beginnings: &[&str]| beginnings.iter().any(|begin| clause.starts_with(begin));
    let is_rule = |clause: &str| {
        begins(clause, BEGINNINGS)
            || begins(clause, OF_ALL) && has(clause, DEMANDED)
            || begins(clause, MANNERS) && has(clause, STYLE)
    };
    has(sentence, ANYWHERE) || has(sentence, DEMANDED_OF_ALL) || clauses.any(is_rule)
}

/// Returns whether a sentence, in lower case, points at something in the material.
fn is_at_hand(sentence: &str) -> bool {
    let rest = NOT_AT_HAND.iter().fold(sentence.to_owned(), |rest, phrase| rest.replace(phrase, " "));
    let is_numbered = rest.split('第').skip(1).any(|after| after.chars().take(6).any(|c| "章回卷节段句场".contains(c)));
    is_numbered || has_words(&rest, "chapter") || AT_HAND.iter().any(|word| has_words(&rest, word))
}

#[cfg(test)]
mod tests {
    use qingyu_story::Character;

    use super::*;

    #[test]
    fn only_a_rule_for_all_further_writing_is_general() {
        let card = |id: &str, name: &str| Character { id: id.into(), name: name.into(), ..Character::default() };
        let story = Story { characters: vec![card("c-1", "林深"), card("c-2", "Mara Voss")], ..Story::default() };
        for rule in [
            "以后结尾一律要留白",
            "不要再用天气开头",
            "出场的人都要有人物卡",
            "少用比喻",
            "请用短句",
            "每一章都要有钩子",
            "Never open with the weather",
            "Please always end on an action",
            "From now on, write in the present tense",
            "Everybody who acts needs a card",
            "Use fewer adverbs",
            "Every chapter must end on a question",
            "Always write Mr. and Mrs. with a full stop",
        ] {
            assert_eq!(general_rules(rule, &story), [rule], "{rule}");
        }
        for remark in [
            "",
            "结尾太平，要留白",
            "角色太完美了",
            "以后林深不要喝酒",
            "不要再让他去旧港",
            "这一章比喻太多，少用比喻",
            "第三章一律改成夜里",
            "要有海",
            "The ending is flat",
            "Mara never trusts anybody",
            "Never let Mara Voss cry",
            "Always keep him at the mill",
            "No storm in chapter 3",
            "Never do this again",
        ] {
            assert_eq!(general_rules(remark, &story), [""; 0], "{remark}");
        }
        let both = "结尾太平。以后不要大团圆！Mara Voss must not die. Never use semicolons.";
        assert_eq!(general_rules(both, &story), ["以后不要大团圆", "Never use semicolons"]);
    }
}
