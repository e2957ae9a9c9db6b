//! Sentences of a request about the whole book: how it is told, what it does not contain, how it writes dates and units.

use crate::language::{has_any, has_words, is_han};

/// Words of a sentence that says how a book is told.
#[rustfmt::skip]
const TOLD: &[&str] = &[
    "first person", "second person", "third person", "first-person", "second-person", "third-person", "omniscient",
    "point of view", "points of view", "viewpoint", "pov", "narrator", "narrated", "narration", "past tense", "present tense",
    "told by", "told in", "told from", "told as", "in the form of", "the log of", "the diary of", "the journal of", "epistolary",
    "style", "tone", "in the voice of", "dialect", "mark time", "mark the time", "british spelling", "american spelling", "throughout the book",
    "throughout the story", "throughout the novel",
    "第一人称", "第二人称", "第三人称", "人称", "视角", "叙述", "口吻", "语气", "笔调", "笔法", "文风", "风格", "基调", "文言", "白话", "方言",
    "日记体", "书信体", "章回体", "纪时用", "记时用", "计时用", "纪年用", "日期用", "日子用", "时刻用", "单位用", "通篇", "从头到尾",
];
/// Words of a listed wish about how a book writes dates, units and names.
#[rustfmt::skip]
const NOTATION: &[&str] = &[
    "dates", "date format", "clock times", "units", "spelling", "calendar", "throughout", "every chapter", "each chapter", "all chapters",
    "日子", "日期", "时刻", "纪时", "记时", "计时", "纪年", "历法", "单位", "称呼", "写法", "每章", "每一章",
];
/// Beginnings of a clause that says what must not be in a book.
#[rustfmt::skip]
const FORBIDDEN: &[&str] = &[
    "no ", "never ", "without ", "avoid ", "do not ", "don't ", "and no ", "but no ",
    "不要", "不写", "不得", "不准", "不许", "不出现", "不涉及", "禁止", "避免", "别写", "不含", "也不要", "更不要",
];

/// Letters of a sentence from which only its clauses about the whole book are told apart from the rest.
const LONG: usize = 160;
const LONG_ZH: usize = 40;
/// Marks between the clauses of a sentence.
const BETWEEN: [char; 6] = [',', ';', ':', '，', '；', '：'];

/// Returns whether a sentence says how the whole book is told, or what must not be in it: it holds for every chapter, and no
/// outline repeats it.
pub(super) fn is_of_whole_book(sentence: &str) -> bool {
    let folded = sentence.replace('’', "'").to_lowercase();
    is_told(&folded) || folded.split(BETWEEN).flat_map(|clause| clause.split('、')).any(forbids)
}

/// Returns whether a listed wish says how the book writes dates, units or names.
pub(super) fn is_of_notation(wish: &str) -> bool {
    has_any(wish, NOTATION)
}

/// Returns a sentence about the whole book; of a long one, which says other things as well, only the clauses about it.
pub(super) fn told_clauses(sentence: &str) -> Vec<String> {
    let sentence = sentence.trim();
    let most = if sentence.chars().any(is_han) { LONG_ZH } else { LONG };
    if sentence.chars().count() <= most {
        return vec![sentence.to_owned()];
    }
    let is_of_book = |clause: &&str| {
        let folded = clause.replace('’', "'").to_lowercase();
        is_told(&folded) || forbids(&folded)
    };
    let clauses = sentence.split(BETWEEN).filter(is_of_book).map(|clause| clause.trim().to_owned());
    let clauses: Vec<String> = clauses.collect();
    if clauses.is_empty() { vec![sentence.to_owned()] } else { clauses }
}

fn is_told(folded: &str) -> bool {
    TOLD.iter().any(|words| has_words(folded, words))
}

fn forbids(clause: &str) -> bool {
    FORBIDDEN.iter().any(|begin| clause.trim_start().starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::super::request::sentences;
    use super::{is_of_whole_book, told_clauses};

    /// The sentences of a request about the whole book.
    fn whole_book(request: &str) -> Vec<String> {
        sentences(request).into_iter().filter(|sentence| is_of_whole_book(sentence)).flat_map(told_clauses).collect()
    }

    #[test]
    fn the_manner_of_a_book_and_what_it_forbids_are_found() {
        let request = "A naval novella: the log of a surgeon, autumn 1805. First person, past tense. The captain did not die \
                       of his wound, he asked for the laudanum. Keep to about 700 words a chapter. No battle on stage, no \
                       romance.\n\n[Parameters, which take precedence over the words above] chapters: 2";
        let found = whole_book(request);
        assert_eq!(
            found,
            [
                "A naval novella: the log of a surgeon, autumn 1805",
                "First person, past tense",
                "No battle on stage, no romance"
            ]
        );
        let request = "三章的家庭故事：罗盘、借条和一封旧信。第三人称，只跟着女儿的视角。父亲没有死，他不能回家。不要大团圆；不写鬼神。";
        let found = whole_book(request);
        assert_eq!(found, ["第三人称，只跟着女儿的视角", "不要大团圆", "不写鬼神"]);
    }

    #[test]
    fn a_request_about_the_plot_alone_asks_nothing_of_the_whole_book() {
        for request in [
            "",
            "写一个灯塔守望者的故事。他没有告诉任何人。",
            "A keeper of a lighthouse who told no one, and not a soul came.",
        ] {
            assert_eq!(whole_book(request), [""; 0], "{request}");
        }
    }

    #[test]
    fn of_a_long_sentence_only_the_clauses_about_the_book_are_taken() {
        let en = "A mystery in two chapters, told in the third person, on a mining station at Ceres, where on Day 412 of her \
                  contract a rigger with a crushed prosthetic left hand is brought to the medic who made the hand";
        assert_eq!(told_clauses(en), ["told in the third person"]);
        let zh = "民国二十二年春，小火轮由宜昌上驶重庆，买办房的账房先生沈砚秋是这条船上的主角，用第一人称“我”来讲，写到朝天门";
        assert_eq!(told_clauses(zh), ["用第一人称“我”来讲"]);
    }
}
