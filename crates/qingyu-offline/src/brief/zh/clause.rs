//! Ends of Chinese clauses, and words for persons in them.

/// Marks that end a clause.
pub(super) const ENDS: &str = "，,。；;！!？?、\n：:（）()";
/// Verbs that end the words for a person.
#[rustfmt::skip]
pub(super) const VERBS: &[&str] = &[
    "在", "被", "要", "想", "必须", "发现", "踏上", "寻找", "试图", "为了", "回到", "穿越", "与", "如何", "从", "爱上", "遇", "成为", "因", "靠",
    "接到", "带着", "护送", "追查", "调查", "带领", "守着", "走进", "入", "变成",
];
/// Words for persons which need no trade.
#[rustfmt::skip]
pub(super) const PERSONS: &[&str] = &[
    "少年", "少女", "女孩", "男孩", "侦探", "杀手", "刺客", "公主", "王子", "将军", "医生", "厨师", "老师", "警察", "刑警", "书生", "剑客", "猎人", "骑士",
    "女巫", "士兵", "记者", "学生", "看守", "守塔人", "守墓人", "守夜人", "牧羊人", "旅人", "商人", "老人", "猎魔人", "掌柜",
];

/// Returns `text` up to its first mark.
pub(super) fn until(text: &str) -> &str {
    text.split(|c: char| ENDS.contains(c)).next().unwrap_or_default()
}

/// Returns the end of the first trade in `text`, by its last character, such as 员 or 师.
pub(super) fn trade_end(text: &str) -> Option<usize> {
    let no_trade_before = "的工兄姐弟妹父傅徒门尊院生学术务于者";
    let ends = text.char_indices().filter(|(at, letter)| *at > 0 && "员师者匠医侠警".contains(*letter));
    let mut ends = ends.map(|(at, letter)| at + letter.len_utf8());
    ends.find(|end| !text[*end..].starts_with(|next| no_trade_before.contains(next)))
}

/// Returns `text` without its counter.
pub(super) fn bare(text: &str) -> &str {
    let text = text.trim();
    ["一名", "一位", "一个", "一只", "一条", "个", "位", "名"]
        .iter()
        .find_map(|start| text.strip_prefix(start))
        .unwrap_or(text)
}
