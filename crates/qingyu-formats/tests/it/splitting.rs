//! Paragraphs become chapters.

use qingyu_formats::{ApartKind, Error, HeadingRule, SplitOptions, Warning, split};

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
    let found = split(&ingest_named("a.md", text.as_bytes()), &SplitOptions::default()).unwrap();
    assert_eq!(told(&found), "风起/来客: 第一章|雨下了一夜。|小节|他来了。\n海/灯: 灯灭了。||又亮了。");
    assert_eq!(found.title.as_deref(), Some("灯塔"));
    let flat =
        split(&ingest_named("a.md", "# 一\n\n甲\n\n## 小\n\n乙\n\n# 二\n\n丙".as_bytes()), &SplitOptions::default())
            .unwrap();
    assert_eq!(told(&flat), "一: 甲|小|乙\n二: 丙");
}

#[test]
fn a_contents_list_may_have_entries_of_several_lines() {
    let entries: String = (1..=6)
        .map(|number| {
            format!("CHAPTER {number}. The Lamp.--The Keeper of the Lamp.--Rain on the\nRoof.--A Letter.\n\n")
        })
        .collect();
    let prose = "She counted the steps again and there were ninety.\n\n".repeat(30);
    let chapters: String = (1..=6).map(|number| format!("CHAPTER {number}.\n\n{prose}")).collect();
    let found = split_text(&format!("THE LAMP\n\nCONTENTS.\n\n{entries}\n\n\n{chapters}"));
    let numbers: Vec<_> = found.chapters.iter().map(|one| one.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6].map(Some), "{:?}", found.warnings);
}

#[test]
fn part_book_and_chapter_above_each_other_are_no_list() {
    let prose = "She counted the steps again and there were ninety.\n\n".repeat(40);
    let chapter = |number: &str| format!("Chapter {number}\n\n{prose}");
    let book = |number: &str| format!("Book {number}\n\n{}{}", chapter("I"), chapter("II"));
    let text = format!("Part I\n\n{}{}Part II\n\n{}{}", book("I"), book("II"), book("III"), book("IV"));
    let found = split_text(&text);
    assert_eq!(found.chapters.len(), 8, "{:?}", found.warnings);
}

#[test]
fn a_year_behind_a_volume_is_no_chapter() {
    let prose = "She counted the steps again and there were ninety.\n\n".repeat(40);
    let chapters = format!("CHAPTER I\n\n{prose}CHAPTER II\n\n{prose}");
    let found = split_text(&format!("BOOK ONE: 1805\n\n{chapters}BOOK TWO: 1805\n\n{chapters}"));
    let titles: Vec<&str> = found.chapters.iter().map(|one| one.title.as_str()).collect();
    assert_eq!(titles, ["CHAPTER I", "CHAPTER II", "CHAPTER I", "CHAPTER II"], "{:?}", found.warnings);
}

#[test]
fn titles_may_end_like_speech() {
    let prose = "She counted the steps again and there were ninety.\n\n".repeat(10);
    let titles = ["A Fellow Traveller", "The Letter Signed “Bella”", "M. Giraud Finds Some Clues", "“Save Him!”"];
    let text: String = (1..).zip(titles).map(|(number, title)| format!("{number} {title}\n\n\n{prose}\n\n")).collect();
    let found = split_text(&text);
    assert_eq!(found.chapters.len(), 4, "{}", told(&found).len());
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
    let cut =
        split(&ingest_named("a.txt", text.as_bytes()), &SplitOptions { cut: Some(10), ..SplitOptions::default() })
            .unwrap();
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

#[test]
fn nothing_leaves_the_book() {
    let text = "Title: The Gate\nAuthor: A. Nobody\n\n*** START OF THE PROJECT GUTENBERG EBOOK THE GATE ***\n\nChapter 1\n\nThe rain had stopped.\n\n\
        [Illustration: The gate]\n\nChapter 2\n\nThere were eleven.\n\nTHE END\n\n*** END OF THE PROJECT GUTENBERG EBOOK THE GATE ***\n\nYou may not charge a fee.\n";
    let found = split_text(text);
    assert_eq!(told(&found), "Chapter 1: The rain had stopped.\nChapter 2: There were eleven.");
    assert_eq!((found.title.as_deref(), found.author.as_deref()), (Some("The Gate"), Some("A. Nobody")));
    let kinds: Vec<_> = found.apart.iter().map(|apart| apart.kind).collect();
    assert_eq!(kinds, [ApartKind::Licence, ApartKind::Caption, ApartKind::End]);
    let web = "第一章 雨停\n更新时间:2007-11-16 7:55:51 本章字数:4804\n天没亮，雨就停了。\n手机用户请浏览 m.example.com 阅读。\n\n第二章 马车\n晌午时马车不见了。\n（本章完）\n";
    let found = split_text(web);
    assert_eq!(told(&found), "第一章 雨停: 天没亮，雨就停了。\n第二章 马车: 晌午时马车不见了。");
    assert!(found.apart_text.contains("本章字数") && found.apart_text.contains("本章完"));
    assert_eq!(found.coverage.characters(), web.chars().count());
}

#[test]
fn prose_before_the_first_heading_is_a_chapter() {
    let prose = "　　那年河水涨得很高，沈砚还不认得字。\n　　他记得一盏灯，灯下有人在数钥匙，一把一把地数过去。\n　　后来灯灭了，人也不见了。\n\n";
    let found = split_text(&format!("{prose}第一章 夜雨\n　　他走了。\n\n第二章 归人\n　　她来了。\n"));
    assert_eq!(found.chapters.len(), 3);
    assert_eq!((found.chapters[0].title.as_str(), found.chapters[1].number), ("", Some(1)));
    let blurb = "简介：一个很长的故事，讲一座灯塔和守塔人的二十年，还有海的另一边，以及许多别的事情。\n\n第一章 夜雨\n　　他走了。\n";
    let found = split_text(blurb);
    assert_eq!(found.chapters.len(), 1);
    assert!(found.front.starts_with("简介"));
}

#[test]
fn prose_below_the_heading_of_a_volume_stays_where_it_stood() {
    let found = split_text("第一卷 风\n题记：风来了。\n第一章 雨\n甲。\n第二卷 海\n第二章 灯\n乙。\n");
    assert_eq!(told(&found), "第一卷 风/第一章 雨: 题记：风来了。|甲。\n第二卷 海/第二章 灯: 乙。");
}

#[test]
fn the_user_says_what_a_heading_is() {
    let text = "场景一 渡口\n甲。\n场景二 账本\n乙。\n";
    let by = |headings| {
        split(&ingest_named("a.txt", text.as_bytes()), &SplitOptions { headings, ..SplitOptions::default() })
    };
    let found = by(HeadingRule::Pattern("场景.".into())).unwrap();
    assert_eq!(told(&found), "场景一 渡口: 甲。\n场景二 账本: 乙。");
    assert_eq!(found.chapters[1].number, Some(2));
    assert!(matches!(by(HeadingRule::Pattern("幕".into())), Err(Error::NoHeading { .. })));
    assert!(matches!(by(HeadingRule::Pattern("(".into())), Err(Error::BadPattern { .. })));
    assert_eq!(told(&by(HeadingRule::Off).unwrap()), ": 场景一 渡口|甲。|场景二 账本|乙。");
}

#[test]
fn an_indent_of_all_lines_begins_no_paragraph() {
    let text = "CHAPTER I\n\n    It rained all night and the lamp was\n    still burning under the eaves when\n    he came. He was tired and wet to the\n    skin, and nobody had waited for him\n    in the house but the old dog, which\n    slept.\n\n    Then he sat down.\n\n\
        CHAPTER II\n\n雨下了一夜。\n他来了。\n灯灭了。\n";
    let found = split_text(text);
    let first = "It rained all night and the lamp was still burning under the eaves when he came. He was tired and wet to the skin, and nobody had waited for him in the house but the old dog, which slept.|Then he sat down.";
    assert_eq!(told(&found), format!("CHAPTER I: {first}\nCHAPTER II: 雨下了一夜。|他来了。|灯灭了。"));
}
