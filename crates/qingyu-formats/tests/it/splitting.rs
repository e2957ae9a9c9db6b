//! Paragraphs become chapters.

use qingyu_formats::{ApartKind, Error, HeadingRule, SplitOptions, Warning, split};

use crate::support::{ingest_named, prose, split_text, titles, told};

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
fn a_heading_repeated_within_its_chapter_is_no_other_chapter() {
    let found = split_text("第一章 夜雨\n甲。\n第一章 夜雨\n乙。\n第二章 归人\n第二章 归人\n丙。\n第三章 灯\n丁。\n");
    assert_eq!(found.chapters.len(), 3);
    assert_eq!(found.headings.iter().map(|form| form.count).collect::<Vec<_>>(), [3]);
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

#[test]
fn a_heading_run_into_its_prose_ends_where_the_contents_say() {
    let entries = ["第一回　渡口", "第二回　旧账", "第三回　夜客", "第四回　归舟"];
    let list = entries.join("\n");
    let book = |third: &str| {
        let chapter = |entry: &str| format!("{entry}\n\n{}\n", prose("且说"));
        let third = format!("{third}\n{}\n", prose("却说"));
        format!("目录\n{list}\n\n{}{}{third}{}", chapter(entries[0]), chapter(entries[1]), chapter(entries[3]))
    };
    let run_in = format!("{}话说那夜的客人{}", entries[2], "走了又来，来了又走，雨总不停。".repeat(8));
    assert_eq!(titles(&book(&run_in)), ["第一回 渡口", "第二回 旧账", "第三回 夜客", "第四回 归舟"]);
    let text = &split_text(&book(&run_in)).chapters[2].text;
    assert!(text.starts_with("话说那夜的客人"), "{text}");
    // Each half has its own emphasis, and no words of the other.
    let mut ingested = ingest_named("a.txt", book(&run_in).as_bytes());
    let cut =
        ingested.paragraphs.iter().position(|one| ingested.text[one.range.clone()].contains("夜客话说那夜")).unwrap();
    ingested.paragraphs[cut].marked = Some(run_in.replacen("那夜", "*那夜*", 1));
    let found = split(&ingested, &SplitOptions::default()).unwrap();
    let chapter = &found.chapters[2];
    assert!(chapter.title.contains("夜客") && !chapter.title.contains("话说"), "{}", chapter.title);
    assert!(chapter.text.starts_with("话说*那夜*的客人") && !chapter.text.contains("第三回"), "{}", chapter.text);
    // A mention of the chapter in prose has other words.
    let mention = format!("第三回的故事说的是那夜的客人{}", "走了又来，来了又走，雨总不停。".repeat(8));
    assert_eq!(titles(&book(&mention)), ["第一回 渡口", "第二回 旧账", "第四回 归舟"]);
}

#[test]
fn the_first_heading_may_stand_behind_the_last_entry() {
    let entries: Vec<String> = (1..=6).map(|number| format!("第{number:03}回　夜雨{number}号")).collect();
    let chapters = (2..=6).map(|number| format!("第{number:03}回　夜雨{number}号\n{}", prose("且说")));
    let book = format!("{}　　第一回　楔子\n{}{}", entries.join("\n"), prose("话说"), chapters.collect::<String>());
    assert_eq!(titles(&book).len(), 6, "{:?}", titles(&book));
    assert_eq!(titles(&book)[0], "第一回 楔子");
}

#[test]
fn a_misprinted_unit_fills_a_gap() {
    let book = |third: &str| {
        let headings = ["第六十一回 山寺 钟声", "第六十二回 江桥 灯影", third, "第六十四回 渡头 归人"];
        headings.map(|heading| format!("{heading}\n\n{}\n", prose("且说"))).concat()
    };
    for third in ["第六十三国 旧寨 新旗", "第六十三 旧寨 新旗"] {
        assert_eq!(titles(&book(third))[2], third);
    }
    // Another number is no chapter.
    assert_eq!(titles(&book("第六十七国 旧寨 新旗")).len(), 3);
}

#[test]
fn a_heading_again_goes_on_with_its_chapter() {
    let text = format!("第一章 渡口\n{}第一章 渡口\n{}第二章 账\n{}", prose("甲"), prose("乙"), prose("丙"));
    let found = split_text(&text);
    assert_eq!(titles(&text), ["第一章 渡口", "第二章 账"]);
    assert!(found.chapters[0].text.contains('乙'));
    assert!(found.warnings.iter().any(|warning| matches!(warning, Warning::Twice { number: 1, .. })));
    // Where the next number is missing, the heading is a misprint.
    let misprint = ["第一章 渡口", "第一章 渡口", "第三章 账"].map(|heading| format!("{heading}\n{}", prose("甲")));
    assert_eq!(titles(&misprint.concat()).len(), 3);
    // Without a title the same number can be another chapter.
    assert_eq!(titles(&format!("第一章\n{}第一章\n{}", prose("甲"), prose("乙"))).len(), 2);
}

#[test]
fn a_list_within_a_chapter_does_not_end_the_count() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(20);
    let list = "1. Lamps.\n\n2. Boats.\n\n3. Rope.\n\n";
    let chapters = (1..=6).map(|number| {
        let list = if number == 4 { list } else { "" };
        format!("-{number}-\n\n{story}{list}{story}")
    });
    let found = titles(&chapters.collect::<String>());
    assert_eq!(found, ["1", "2", "3", "4", "5", "6"]);
}

#[test]
fn a_title_in_a_sentence_is_no_heading() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(20);
    let names = ["THE FERRY", "ASK THE MILLER", "A COLD SUPPER", "THE LAST LAMP"];
    let list = format!("CONTENTS\n\n{}\n\n\n", names.join("\n\n"));
    let chapters = names.map(|name| format!("{name}\n\n{story}\"Ask the miller.\"\n\n{story}"));
    assert_eq!(titles(&format!("{list}{}", chapters.concat())), names);
}

#[test]
fn entries_alone_in_the_contents_are_parts() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(20);
    let names = ["The Ferry", "The Miller", "Cold Supper", "The Last Lamp", "The Weir", "Home Again", "The Mill Pond"];
    let list = format!("Contents\n\n RIVER LIFE\n\n {}\n\n ON BRIDGES\n\n\n", names.join("\n "));
    let chapters = names.map(|name| format!("{name}\n\n{story}\n"));
    let found = titles(&format!("{list}RIVER LIFE\n\n{}ON BRIDGES\n\n{story}", chapters.concat()));
    let expected = names.map(|name| format!("RIVER LIFE / {name}")).into_iter().chain(["ON BRIDGES".to_owned()]);
    let without_volume: Vec<String> = found.iter().map(|title| title.trim_start_matches(" / ").to_owned()).collect();
    assert_eq!(without_volume, expected.collect::<Vec<_>>());
}

#[test]
fn parts_of_tales_without_numbers_stay_parts() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(60);
    let tale = |name: &str| format!("\n\n{name}\n\n{story}");
    let first = ["THE FERRY", "THE MILLER", "BY THE WEIR", "A COLD SUPPER"].map(tale).concat();
    let second = ["THE LAST LAMP", "HOME AGAIN", "THE MILL POND", "THE BRIDGE", "SNOW", "THE ROPE"].map(tale).concat();
    let book = format!(
        "RIVERS\n\nA tale\n\n\n\nFIRST PART\n\nFor my friend\n\n{first}\n\n\nSECOND PART\n\nFor my cousin\n\n{second}"
    );
    let found = titles(&book);
    assert_eq!(found.len(), 10, "{found:?}");
    assert_eq!((found[0].as_str(), found[4].as_str()), ("FIRST PART / THE FERRY", "SECOND PART / THE LAST LAMP"));
}

#[test]
fn numbered_parts_of_a_chapter_are_one() {
    let part = |heading: &str| format!("{heading}\n{}", prose("且说"));
    let book = ["第一章 渡口（1）", "第一章 渡口（2）", "第二章 1", "第二章 2", "第三章"].map(part).concat();
    let found = split_text(&book);
    assert_eq!(titles(&book), ["第一章 渡口", "第二章", "第三章"]);
    assert_eq!(found.warnings, []);
    // The first of two chapters of one number is no part.
    assert_eq!(titles(&["第一章", "第一章 渡口", "第二章"].map(part).concat()).len(), 3);
}

#[test]
fn days_told_in_sentences_count_no_chapters() {
    let part = |number: usize| format!("{number:02}\n\n{}\n", prose("且说"));
    let days = "　　第二天，他很早就来了。\n　　第三天，他告诉她：还没有人来。\n　　第四天，他不来了。\n";
    let book = format!("序幕\n\n{}\n{}{days}\n{}", prose("话说"), (1..=4).map(part).collect::<String>(), part(5));
    assert_eq!(titles(&book), ["序幕", "01", "02", "03", "04", "05"]);
}

#[test]
fn text_and_number_is_a_form() {
    let part = |number: usize| format!("正文 {number}\n{}", prose("且说"));
    assert_eq!(titles(&(1..=4).map(part).collect::<String>()), ["正文 1", "正文 2", "正文 3", "正文 4"]);
}
