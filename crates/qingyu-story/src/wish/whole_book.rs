//! Sentences of a request about the whole book: how it is told, and what must not be in it.

use super::request::{CLAUSES, sentences};
use crate::language::has_words;

/// Words of a sentence that says how a book is told.
#[rustfmt::skip]
const TOLD: &[&str] = &[
    "first person", "second person", "third person", "first-person", "second-person", "third-person", "omniscient",
    "point of view", "points of view", "viewpoint", "pov", "narrator", "narrated", "narration", "past tense", "present tense",
    "told by", "told in", "told from", "told as", "in the form of", "the log of", "the diary of", "the journal of", "epistolary",
    "style", "tone", "in the voice of", "dialect",
    "第一人称", "第二人称", "第三人称", "人称", "视角", "叙述", "口吻", "语气", "笔调", "笔法", "文风", "风格", "基调", "文言", "白话", "方言",
    "日记体", "书信体", "章回体",
];
/// Beginnings of a clause that says what must not be in a book.
#[rustfmt::skip]
const FORBIDDEN: &[&str] = &[
    "no ", "never ", "without ", "avoid ", "do not ", "don't ", "and no ", "but no ",
    "不要", "不写", "不得", "不准", "不许", "不出现", "不涉及", "禁止", "避免", "别写", "不含", "也不要", "更不要",
];

/// Returns the sentences of `request` that say how the whole book is told, or what must not be in it, in order: they hold for
/// every chapter, and no outline repeats them.
pub fn whole_book(request: &str) -> Vec<String> {
    let is_about_all = |sentence: &&str| {
        let folded = sentence.replace('’', "'").to_lowercase();
        let forbids = |clause: &str| FORBIDDEN.iter().any(|begin| clause.trim_start().starts_with(begin));
        TOLD.iter().any(|words| has_words(&folded, words))
            || folded.split([',', ';', ':', '，', '；', '：', '、']).any(forbids)
    };
    let found = sentences(request).into_iter().take(CLAUSES).filter(is_about_all);
    found.map(|sentence| sentence.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::whole_book;

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
}
