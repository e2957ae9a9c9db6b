//! Chapters with a word instead of a number, with or without a title: `楔子 坠河`, `Prologue`.

use super::heading::opens;

/// The Chinese words; a longer word precedes its own prefix.
pub const CHINESE: &[&str] = &[
    "序章",
    "序幕",
    "序言",
    "序曲",
    "自序",
    "代序",
    "总序",
    "原序",
    "序",
    "楔子",
    "引子",
    "引言",
    "前言",
    "前奏",
    "开篇",
    "開篇",
    "緒言",
    "绪言",
    "绪论",
    "导言",
    "卷首语",
    "写在前面",
    "番外篇",
    "番外",
    "外传",
    "外傳",
    "外篇",
    "幕间",
    "幕間",
    "间章",
    "間章",
    "插曲",
    "特典",
    "后日谈",
    "後日談",
    "特别篇",
    "终章",
    "終章",
    "终幕",
    "终曲",
    "尾声",
    "尾聲",
    "后记",
    "後記",
    "跋",
    "附录",
    "附錄",
    "大结局",
    "结局",
    "结语",
    "結語",
    "余话",
    "完结感言",
    "作者的话",
    "正文完",
    "前传",
    "后传",
    "最终章",
    "最终回",
    "最後一章",
    "最后一章",
];

/// The English words, in lower case.
pub const ENGLISH: &[&str] = &[
    "prologue",
    "epilogue",
    "interlude",
    "foreword",
    "preface",
    "introduction",
    "afterword",
    "appendix",
    "coda",
    "postscript",
    "conclusion",
    "prelude",
    "finale",
    "envoi",
    "epigraph",
    "dedication",
    "introductory",
    "acknowledgements",
    "acknowledgments",
    "intermezzo",
    "preamble",
];

/// Returns whether `word` is one of these words, in upper or lower case.
pub(crate) fn is_name(word: &str) -> bool {
    CHINESE.contains(&word) || ENGLISH.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Splits the title of an unnumbered chapter into word and title: `楔子` and `坠河` for `楔子 坠河`, `Prologue` and `The Fall`
/// for `Prologue: The Fall`. Returns `None` if either is missing.
pub(super) fn parts(title: &str) -> Option<(&str, &str)> {
    let between = |c: char| c.is_whitespace() || matches!(c, ':' | '：' | '·' | '—' | '–');
    let (word, rest) = title.trim().split_once(between)?;
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !opens(c)).trim();
    (is_name(word) && !rest.is_empty()).then_some((word, rest))
}
