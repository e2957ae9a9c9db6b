//! The forms in which books have their headings: each must give the chapters that it has, and sentences none.

use qingyu_formats::Warning;

use crate::support::split_text;

const CHINESE: [&str; 4] = [
    "天还没亮，雨就停了。院子里没人知道是谁开了门。",
    "晌午时马车不见了。桌上放着两封信，都是空的。",
    "他又数了一遍钥匙。只有十一把，本该是十二把。",
    "灯灭了以后，没有人再说话。",
];
const ENGLISH: [&str; 4] = [
    "The rain had stopped before dawn. Nobody in the house knew who had opened the gate.",
    "By noon the carriage was gone. Two letters lay on the hall table, both of them empty.",
    "He counted the keys again. There were eleven, and there ought to have been twelve.",
    "Nobody spoke after the lamp went out.",
];

/// A book with these headings, each with a paragraph behind it.
fn book(headings: &[&str], gap: &str) -> String {
    let is_chinese = headings.iter().any(|heading| heading.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)));
    let prose = if is_chinese { CHINESE } else { ENGLISH };
    let chapter = |(at, heading): (usize, &&str)| format!("{heading}{gap}{}", prose[at % prose.len()]);
    headings.iter().enumerate().map(chapter).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// Headings of a book, and how many chapters they begin.
const FORMS: &[(&[&str], usize)] = &[
    (&["第一章 雨停", "第二章 马车", "第三章 钥匙"], 3),
    (&["第一章", "第二章", "第三章"], 3),
    (&["第1章：雨停", "第2章：马车", "第3章：钥匙"], 3),
    (&["第 １ 章 雨停", "第 ２ 章 马车", "第 ３ 章 钥匙"], 3),
    (&["第001章 雨停", "第002章 马车", "第003章 钥匙"], 3),
    (&["第一回　雨停", "第二回　马车", "第三回　钥匙"], 3),
    (&["第　一　回", "第　二　回", "第　三　回"], 3),
    (&["第一话 雨停", "第二话 马车", "第三话 钥匙"], 3),
    (&["第一节 雨停", "第二节 马车", "第三节 钥匙"], 3),
    (&["第一幕", "第二幕", "第三幕"], 3),
    (&["第一则 雨停", "第二则 马车", "第三则 钥匙"], 3),
    (&["第一夜", "第二夜", "第三夜"], 3),
    (&["第一封信", "第二封信", "第三封信"], 3),
    (&["第一章，雨停", "第二章，马车", "第三章，钥匙"], 3),
    (&["第一章、雨停", "第二章、马车", "第三章、钥匙"], 3),
    (&["第一章雨停", "第二章马车", "第三章钥匙"], 3),
    (&["第一章夜来风雨，花落多少", "第二章我就是要走，你管不着", "第三章他没死，只是睡着了"], 3),
    (&["第一回 雨停了！", "第二回 马车呢？", "第三回 钥匙。"], 3),
    (&["正文 第一章 雨停", "正文 第二章 马车", "正文 第三章 钥匙"], 3),
    (&["正文卷 第一章 雨停", "正文卷 第二章 马车"], 2),
    (&["VIP第一章 雨停", "VIP第二章 马车"], 2),
    (&["1.第一章 雨停", "2.第二章 马车", "3.第三章 钥匙"], 3),
    (&["《十二把钥匙》第一章 雨停", "《十二把钥匙》第二章 马车", "《十二把钥匙》第三章 钥匙"], 3),
    (&["十二把钥匙 第一章 雨停", "十二把钥匙 第二章 马车", "十二把钥匙 第三章 钥匙"], 3),
    (&["钥匙通言第一卷 雨停", "钥匙通言第二卷 马车", "钥匙通言第三卷 钥匙"], 3),
    (&["第一卷第一章 雨停", "第一卷第二章 马车", "第二卷第三章 钥匙"], 3),
    (&["卷一 第一章 雨停", "卷一 第二章 马车", "卷二 第三章 钥匙"], 3),
    (&["第一卷 一 雨停", "第一卷 二 马车", "第二卷 一 钥匙"], 3),
    (&["卷一 雨停", "卷二 马车", "卷三 钥匙"], 3),
    (&["卷之一 雨停", "卷之二 马车", "卷十一 钥匙"], 3),
    (&["上卷", "中卷", "下卷"], 3),
    (&["上", "中", "下"], 3),
    (&["上", "下"], 2),
    (&["一", "二", "三"], 3),
    (&["一、雨停", "二、马车", "三、钥匙"], 3),
    (&["一 雨停", "二 马车", "三 钥匙"], 3),
    (&["（一）", "（二）", "（三）"], 3),
    (&["（一）雨停", "（二）马车", "（三）钥匙"], 3),
    (&["1 雨停", "2 马车", "3 钥匙"], 3),
    (&["1、雨停", "2、马车", "3、钥匙"], 3),
    (&["001 雨停", "002 马车", "003 钥匙"], 3),
    (&["①雨停", "②马车", "③钥匙"], 3),
    (&["雨停（一）", "雨停（二）", "雨停（三）"], 3),
    (&["【第一章 雨停】", "【第二章 马车】", "【第三章 钥匙】"], 3),
    (&["【第一章】雨停", "【第二章】马车", "【第三章】钥匙"], 3),
    (&["☆、第一章 雨停", "☆、第二章 马车", "☆、第三章 钥匙"], 3),
    (&["＃ 第１章 雨停", "＃ 第２章 马车", "＃ 第３章 钥匙"], 3),
    (&["=== 第一章 ===", "=== 第二章 ===", "=== 第三章 ==="], 3),
    (&["#第一章 雨停", "#第二章 马车"], 2),
    (&["Chapter.1 雨停", "Chapter.2 马车", "Chapter.3 钥匙"], 3),
    (&["分卷阅读 1", "分卷阅读 2", "分卷阅读 3"], 3),
    (&["楔　子", "第一章 雨停", "第二章 马车", "尾　声"], 4),
    (&["序", "第一章 雨停", "第二章 马车", "后记"], 4),
    (&["第一章 雨停", "第二章 马车", "番外 海边", "番外第一章 旧事"], 4),
    (&["第一章 雨停", "第二章 马车", "番外一", "番外二 河灯"], 4),
    (&["【雨停】", "【马车】", "【钥匙】"], 3),
    (&["雨停", "马车", "钥匙"], 3),
    (&["Chapter 1", "Chapter 2", "Chapter 3"], 3),
    (&["CHAPTER I. The Gate", "CHAPTER II. The Carriage", "CHAPTER III. The Keys"], 3),
    (&["Chapter One: The Gate", "Chapter Two: The Carriage", "Chapter Twenty-One: The Keys"], 3),
    (&["Chapter One Hundred", "Chapter One Hundred and One", "Chapter One Hundred and Two"], 3),
    (&["CHAPTER THE FIRST", "CHAPTER THE SECOND", "CHAPTER THE LAST"], 3),
    (&["Chapter First", "Chapter Second", "Chapter Third"], 3),
    (&["THE FIRST CHAPTER", "THE SECOND CHAPTER", "THE THIRD CHAPTER"], 3),
    (&["Ch. 1", "Ch. 2", "Ch. 3"], 3),
    (&["Chapter 1 - The Gate", "Chapter 2 - The Carriage", "Chapter 3 - The Keys"], 3),
    (&["_Chapter I._", "_Chapter II._", "_Chapter III._"], 3),
    (&["=== Chapter 1 ===", "=== Chapter 2 ===", "--- Chapter 3 ---"], 3),
    (&["LETTER I", "LETTER II", "LETTER III"], 3),
    (&["Letter 1", "Letter 2", "Chapter 1", "Chapter 2", "Chapter 3"], 5),
    (&["ADVENTURE I. THE GATE", "ADVENTURE II. THE LETTERS", "ADVENTURE III. THE KEYS"], 3),
    (&["STAVE ONE", "STAVE TWO", "STAVE THREE"], 3),
    (&["Stave I: The Gate", "Stave II: The Carriage", "Stave III: The Keys"], 3),
    (&["Canto I", "Canto II", "Canto III"], 3),
    (&["Day One", "Day Two", "Day Three"], 3),
    (&["THE FIRST NIGHT", "THE SECOND NIGHT", "THE THIRD NIGHT"], 3),
    (&["ACT I", "ACT II", "ACT III"], 3),
    (&["Part One", "Part Two", "Part Three"], 3),
    (&["BOOK TWO - I", "BOOK TWO - II", "BOOK TWO - III"], 3),
    (&["Book One, Chapter 1", "Book One, Chapter 2", "Book Two, Chapter 3"], 3),
    (&["§ 1", "§ 2", "§ 3"], 3),
    (&["Section 1", "Section 2", "Section 3"], 3),
    (&["1", "2", "3"], 3),
    (&["1.", "2.", "3."], 3),
    (&["#1", "#2", "#3"], 3),
    (&["- 1 -", "- 2 -", "- 3 -"], 3),
    (&["[1]", "[2]", "[3]"], 3),
    (&["No. 1", "No. 2", "No. 3"], 3),
    (&["1. The Gate", "2. The Carriage", "3. The Keys"], 3),
    (&["I", "II", "III"], 3),
    (&["I. THE GATE", "II. THE CARRIAGE", "III. THE KEYS"], 3),
    (&["ONE", "TWO", "THREE"], 3),
    (&["Prologue", "Chapter 1", "Chapter 2", "Epilogue"], 4),
    (&["THE GATE", "THE CARRIAGE", "THE KEYS"], 3),
];

#[test]
fn headings_of_every_form_begin_chapters() {
    for (headings, count) in FORMS {
        for gap in ["\n\n", "\n"] {
            // A title that nothing but its place tells from prose needs that place.
            let is_told =
                headings.iter().all(|heading| heading.chars().any(|c| c.is_numeric() || "一二三上中下第".contains(c)));
            if gap == "\n" && !is_told {
                continue;
            }
            let found = split_text(&book(headings, gap));
            let titles: Vec<&str> = found.chapters.iter().map(|chapter| chapter.title.as_str()).collect();
            assert_eq!(titles.len(), *count, "{headings:?} became {titles:?}");
            assert!(titles.iter().all(|title| !title.is_empty()), "{headings:?} became {titles:?}");
        }
    }
}

#[test]
fn guesses_are_said() {
    for headings in [["雨停", "马车", "钥匙"], ["THE GATE", "THE CARRIAGE", "THE KEYS"]] {
        let found = split_text(&book(&headings, "\n\n"));
        assert!(matches!(found.warnings.as_slice(), [Warning::Guessed { count: 3, .. }]), "{:?}", found.warnings);
    }
}

#[test]
fn sections_in_chapters_and_mentions_stay_prose() {
    let scenes = book(&["第一章 雨停", "1", "2", "第二章 马车", "1", "2"], "\n\n");
    assert_eq!(split_text(&scenes).chapters.len(), 2);
    let sections = book(&["第一章 雨停\n\n第一节", "第二章 马车\n\n第二节", "第三章 钥匙\n\n第三节"], "\n\n");
    assert_eq!(split_text(&sections).chapters.len(), 3);
    let stories = book(&["ADVENTURE I. THE GATE", "II.", "III.", "ADVENTURE II. THE KEYS", "II."], "\n\n");
    assert_eq!(split_text(&stories).chapters.len(), 2);
    let mentioned = "第一章 夜雨\n　　他走了。\n\n第二章 归人\n　　他翻开书，第三章的第一句写着：雨停了。\n　　第三章 写得最好，他想。\n";
    assert_eq!(split_text(mentioned).chapters.len(), 2);
}

#[test]
fn contents_are_told_by_their_numbers() {
    let body = book(&["CHAPTER I.\n\nThe Gate", "CHAPTER II.\n\nThe Carriage", "CHAPTER III.\n\nThe Keys"], "\n\n");
    let text =
        format!("THE HOUSE\n\nCONTENTS\n\n I. The Gate  1\n II. The Carriage  9\n III. The Keys  20\n\n\n{body}");
    let found = split_text(&text);
    let titles: Vec<&str> = found.chapters.iter().map(|chapter| chapter.title.as_str()).collect();
    assert_eq!(titles, ["CHAPTER I. The Gate", "CHAPTER II. The Carriage", "CHAPTER III. The Keys"]);
    assert_eq!(found.title.as_deref(), Some("THE HOUSE"));
    let two = "目录\n第一回　雨停 第二回　马车\n第三回　钥匙 第四回　灯\n\n";
    let body = book(&["第一回　雨停", "第二回　马车", "第三回　钥匙", "第四回　灯"], "\n");
    assert_eq!(split_text(&format!("{two}{body}")).chapters.len(), 4);
}

#[test]
fn a_table_of_contents_names_headings_without_numbers() {
    let titles = ["The gate that opened", "A carriage", "Keys, and more keys"];
    let text = format!("CONTENTS\n\n{}\n\n\n{}", titles.join("\n"), book(&titles, "\n\n"));
    let found: Vec<String> = split_text(&text).chapters.into_iter().map(|chapter| chapter.title).collect();
    assert_eq!(found, titles);
}

#[test]
fn a_long_text_without_headings_says_so() {
    let text = format!("{}\n", CHINESE.join("\n").repeat(300));
    let found = split_text(&text);
    assert!(matches!(found.warnings.as_slice(), [Warning::OneChapter { .. }]), "{:?}", found.warnings);
}
