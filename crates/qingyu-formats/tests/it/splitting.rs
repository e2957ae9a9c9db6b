//! Paragraphs become chapters.

use qingyu_formats::{Splitting, Warning, split};

use crate::support::{ingest_named, split_text, told};

#[test]
fn a_chinese_web_novel() {
    let text = "《雨夜》\n作者：沈舟\n简介：一个很长的故事，讲一座灯塔和守塔人的二十年，还有海的另一边。\n\n目录\n第一章 来客\n第二章 灯\n第三章 海\n\n\
        第一卷 风起\n\n第一章 来客\n第一章 来客\n　　雨下了一夜。\n　　他来了。\n\n　　天亮了。\n第二章 灯\n　　灯灭了。\n***\n　　又亮了。\n\
        第二卷 海\n第三章 海\n　　海很大。\n番外 猫\n　　猫。\n";
    let found = split_text(text);
    assert_eq!(
        told(&found),
        "第一卷 风起/第一章 来客: 雨下了一夜。|他来了。||天亮了。\n第一卷 风起/第二章 灯: 灯灭了。|***|又亮了。\n\
         第二卷 海/第三章 海: 海很大。\n第二卷 海/番外 猫: 猫。"
    );
    assert_eq!((found.title.as_deref(), found.author.as_deref()), (Some("雨夜"), Some("沈舟")));
    assert!(found.front.starts_with("简介"));
    assert_eq!(found.warnings, []);
    let coverage = found.coverage;
    assert_eq!(coverage.characters(), text.chars().count());
    assert_eq!((coverage.chapters(), coverage.separators(), coverage.contents()), (4, 3, 15));
}

#[test]
fn english_with_lines_broken_for_a_page() {
    let text = "THE LAMP\n\nBy Ann Shaw\n\nCHAPTER I\n\nIt rained all night and the lamp was\nstill burning under the eaves when\n\
        he came. He was tired.\n\n\"You came,\" she said, and put the\nkettle on the fire without another\nword.\n\n\
        CHAPTER II. Home\n\nHe slept until the sun stood over\nthe bay.\n\n\nThen he rose and went down to the\nwater.\n";
    let found = split_text(text);
    assert_eq!(
        told(&found),
        "CHAPTER I: It rained all night and the lamp was still burning under the eaves when he came. He was tired.|\
         \"You came,\" she said, and put the kettle on the fire without another word.\n\
         CHAPTER II. Home: He slept until the sun stood over the bay.||Then he rose and went down to the water."
    );
    assert_eq!((found.title.as_deref(), found.author.as_deref()), (Some("THE LAMP"), Some("Ann Shaw")));
}

#[test]
fn markup_decides_where_there_is_some() {
    let text = "# 灯塔\n\n## 风起\n\n### 来客\n\n第一章\n\n雨下了一夜。\n\n#### 小节\n\n他来了。\n\n## 海\n\n### 灯\n\n灯灭了。\n\n---\n\n又亮了。\n";
    let found = split(&ingest_named("a.md", text.as_bytes()), &Splitting::default()).unwrap();
    assert_eq!(told(&found), "风起/来客: 第一章|雨下了一夜。|小节|他来了。\n海/灯: 灯灭了。||又亮了。");
    assert_eq!(found.title.as_deref(), Some("灯塔"));
    let flat =
        split(&ingest_named("a.md", "# 一\n\n甲\n\n## 小\n\n乙\n\n# 二\n\n丙".as_bytes()), &Splitting::default())
            .unwrap();
    assert_eq!(told(&flat), "一: 甲|小|乙\n二: 丙");
}

#[test]
fn numbers_alone_are_headings_if_they_count() {
    assert_eq!(told(&split_text("1\n甲。\n2\n乙。\n3. 海\n丙。\n")), "1: 甲。\n2: 乙。\n3. 海: 丙。");
    assert_eq!(told(&split_text("一、来客\n甲。\n二、灯\n乙。\n")), "一、来客: 甲。\n二、灯: 乙。");
    assert_eq!(told(&split_text("1984\n甲。\n他数：\n7\n")), ": 1984|甲。|他数：|7");
}

#[test]
fn without_headings_it_is_one_chapter_or_cut() {
    let text = "他来了，站在门口。\n\n她看着他。\n\n雨还在下。\n\n灯灭了。\n";
    assert_eq!(split_text(text).chapters.len(), 1);
    let cut = split(&ingest_named("a.txt", text.as_bytes()), &Splitting { cut: Some(10), ..Splitting::default() }).unwrap();
    assert_eq!(told(&cut), ": 他来了，站在门口。|她看着他。\n: 雨还在下。|灯灭了。");
}

#[test]
fn broken_numbers_are_warnings() {
    let found = split_text("第一章\n甲\n第二章\n第二章 又\n乙\n第五章\n丙\n第三章\n丁\n第二卷\n第一章\n戊\n");
    let kinds: Vec<String> = found
        .warnings
        .iter()
        .map(|warning| match warning {
            Warning::Missing { from, until, .. } => format!("missing {from}-{until}"),
            Warning::Twice { number, .. } => format!("twice {number}"),
            Warning::Backwards { number, after, .. } => format!("{number} after {after}"),
            Warning::NoText { title, .. } => format!("no text {title}"),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["no text 第二章", "twice 2", "missing 3-4", "3 after 5"]);
}

#[test]
fn a_volume_and_a_chapter_on_one_line() {
    let found = split_text("第一卷 风起 第一章 来客\n甲。\n第一卷 风起 第二章 灯\n乙。\n第二卷 海 第三章 潮\n丙。\n");
    assert_eq!(told(&found), "第一卷 风起/第一章 来客: 甲。\n第一卷 风起/第二章 灯: 乙。\n第二卷 海/第三章 潮: 丙。");
}
