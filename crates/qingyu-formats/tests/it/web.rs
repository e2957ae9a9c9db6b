//! Novels as web sites give them: misprinted, doubled and decorated headings.

use qingyu_formats::{ApartKind, Warning};

use crate::support::{prose, split_text, titles};

/// A book with these headings, each above a few paragraphs.
fn book(headings: &[&str]) -> String {
    headings.iter().map(|heading| format!("{heading}\n\n{}\n", prose("且说"))).collect()
}

#[test]
fn misprinted_headings_fill_gaps_in_the_count() {
    for third in
        ["地六十三章 旧寨", "63章旧寨", "第六十三旧寨新旗", "第六十三节 旧寨", "第六十三张 旧寨", "我六十三章 旧寨"]
    {
        let headings = ["第六十一章 山寺", "第六十二章 江桥", third, "第六十四章 渡头"];
        assert_eq!(titles(&book(&headings)).len(), 4, "{third}");
        // Two in a row, and a gap behind them.
        let headings = ["第六十一章 山寺", "第六十二章 江桥", third, "第六十四张 渡头", "第六十七章 归人"];
        assert_eq!(titles(&book(&headings)).len(), 5, "{third}");
        // The count has no place for it.
        let headings = ["第六十一章 山寺", "第六十二章 江桥", "第六十三章 夜客", third, "第六十四章 渡头"];
        assert_eq!(titles(&book(&headings)).len(), 4, "{third}");
    }
}

#[test]
fn a_space_behind_a_number_is_no_part_of_it() {
    let headings = ["第四十七回 江桥 灯影", "第四十八 四海 归舟", "第四十九回 渡头 归人"];
    assert_eq!(titles(&book(&headings)), headings);
}

#[test]
fn a_heading_may_stand_behind_the_prose_above() {
    let text = book(&["第一章", "第二章", "第三章", "第六章"]);
    let joined = text.replace("回头。\n\n第二章", "回头。第 二 章").replace("第三章", "　　她说：“再见。”第三章");
    let found = split_text(&joined);
    let numbers: Vec<_> = found.chapters.iter().map(|chapter| chapter.number).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3), Some(6)]);
    assert!(found.chapters[1].text.ends_with("她说：“再见。”"), "{}", found.chapters[1].text);
    // A mention of a chapter that the book has is prose.
    let mention = text.replacen("回头。\n", "回头。第二章\n", 1);
    assert_eq!(titles(&mention).len(), 4);
}

#[test]
fn a_heading_twice_above_its_text_is_one() {
    let headings = [
        "第一章 渡口",
        "第一章",
        "第二章 账本",
        "第二章账本",
        "第三章 夜客(2107字)",
        "第三章 夜客",
        "第二集 第四章 灯",
        "第二集 第四章 灯",
    ];
    let chapter = |pair: &[&str]| format!("{}\n\n{}\n\n{}\n", pair[0], pair[1], prose("且说"));
    let text: String = headings.chunks(2).map(chapter).collect();
    let found = split_text(&text);
    assert_eq!(titles(&text), ["第一章 渡口", "第二章 账本", "第三章 夜客", "第二集 / 第四章 灯"]);
    assert_eq!(found.warnings, []);
}

#[test]
fn a_heading_twice_above_its_first_scene_is_no_list() {
    let chapter = |number: &str| {
        format!("第{number}章\n\n第{number}章\n\n壹\n\n{}\n贰\n\n{}\n", prose("且说").repeat(3), prose("却说"))
    };
    let text = ["一", "二", "三", "四"].map(chapter).concat();
    assert_eq!(titles(&text), ["第一章", "第二章", "第三章", "第四章"]);
}

#[test]
fn a_number_without_a_title_between_titled_chapters_is_a_mention() {
    let mut headings: Vec<String> = (1..=12).map(|number| format!("第{number}章 夜雨{number}号")).collect();
    headings.insert(7, "第二十四章".into());
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let found = split_text(&book(&headings));
    assert_eq!((found.chapters.len(), found.warnings), (12, Vec::new()));
}

#[test]
fn headings_with_notes_of_the_site_are_headings() {
    let headings = [
        "第一章  渡口　[本章字数：18722　最新更新时间：Mon May 10 2010]",
        "第二章 账本 更新时间:2007-11-16 7:55:51 本章字数:4804",
        "第三章 夜客（求推荐票）",
    ];
    let text = book(&headings);
    assert_eq!(titles(&text), ["第一章 渡口", "第二章 账本", "第三章 夜客（求推荐票）"]);
    let ended = format!("{text}第三章完\n");
    assert_eq!(split_text(&ended).apart[0].kind, ApartKind::End);
}

#[test]
fn numbers_of_a_site_before_numbers_in_brackets_are_headings() {
    let twice: Vec<String> = (1..=6).map(|number| format!(" {number}|【{number:02}】")).collect();
    let once: Vec<String> = (7..=9).map(|number| format!(" 【{number:02}】更")).collect();
    let headings: Vec<&str> = twice.iter().chain(&once).map(String::as_str).collect();
    let found = split_text(&book(&headings));
    let numbers: Vec<_> = found.chapters.iter().filter_map(|chapter| chapter.number).collect();
    assert_eq!(numbers, (1..=9).collect::<Vec<_>>());
}

#[test]
fn two_headings_on_one_line_alone_are_no_contents() {
    let text = format!("第一章渡口 第二章账本\n{}{}", prose("且说"), book(&["第三章 夜客", "第四章 灯"]));
    assert_eq!(titles(&text), ["第一章渡口 第二章账本", "第三章 夜客", "第四章 灯"]);
}

#[test]
fn the_title_of_a_volume_may_count_people() {
    let headings = ["第一篇 江上第一人 第一章 渡口", "第一篇 江上第一人 第二章 账本"];
    assert_eq!(titles(&book(&headings)), ["第一篇 江上第一人 / 第一章 渡口", "第一篇 江上第一人 / 第二章 账本"]);
}

#[test]
fn latin_words_before_numbers_count_chinese_chapters() {
    for headings in [["part1 渡口", "part 2 账本", "part3 BT夜客"], ["chapter1 渡口", "chapter 2 账本", "chapter3 灯"]]
    {
        assert_eq!(titles(&book(&headings)), headings);
    }
}

#[test]
fn a_short_list_of_numbers_is_not_the_whole_book() {
    let list: String = (1..=8).map(|number| format!("　　No.{number}\n　　他喜欢雨。\n")).collect();
    let story = prose("话说").repeat(60);
    let found = split_text(&format!("{story}{list}{story}"));
    assert!(matches!(found.warnings.as_slice(), [Warning::OneChapter { .. }]), "{:?}", found.warnings);
}

#[test]
fn a_later_part_may_count_without_a_unit() {
    let chapters: Vec<String> = (1..=12).map(|number| format!("第{number}章 夜雨{number}号")).collect();
    let later: Vec<String> = (1..=12).map(|number| format!("<{number}、渡口>")).collect();
    let headings: Vec<&str> = chapters.iter().chain(&later).map(String::as_str).collect();
    assert_eq!(titles(&book(&headings)).len(), 24);
    // Scenes count in every chapter.
    let scenes = |heading: &str| book(&[heading, "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    assert_eq!(titles(&["第一章 渡口", "第二章 账本", "第三章 夜客"].map(scenes).concat()).len(), 3);
}

#[test]
fn long_titles_count_on_behind_a_gap() {
    let title = "渡口夜来风雨大归人不识旧时灯火，江桥灯影";
    let headings: Vec<String> =
        [1, 2, 3, 6, 7, 8].iter().map(|number| format!("第{number}回{title}{number}处")).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    assert_eq!(titles(&book(&headings)).len(), 6);
}

#[test]
fn parts_of_a_chapter_may_follow_a_quoted_title() {
    let headings = ["第一回 《渡口》(1)", "第一回 《渡口》(2)", "第二回 灯(1)", "第二回 灯(2)"];
    assert_eq!(titles(&book(&headings)), ["第一回 《渡口》", "第二回 灯"]);
    // The title may be misprinted, and a part have parts.
    let headings = [
        "第一章 雨晴(1)",
        "第一章 雨情(2)",
        "第一章 雨晴(3)",
        "第二章 归舟(1.1)",
        "第二章 归舟(1.2)",
        "第二章 归舟(2)",
    ];
    assert_eq!(titles(&book(&headings)), ["第一章 雨晴", "第二章 归舟"]);
    // Two chapters with one number have no parts that rise.
    assert_eq!(titles(&book(&["第一章 渡口", "第二章 灯(2)", "第二章 账本(1)", "第三章 江桥"])).len(), 4);
}

#[test]
fn days_in_one_chapter_are_not_the_whole_book() {
    let days: String = [1, 2, 4, 5].map(|day| format!("第{day}天\n\n{}\n", prose("且说"))).concat();
    let chapter = |number: usize| format!("【{number:02}.】\n\n{}\n", prose("且说").repeat(12));
    let text =
        format!("{}{days}{}", (1..=4).map(chapter).collect::<String>(), (5..=9).map(chapter).collect::<String>());
    assert_eq!(titles(&text).len(), 9, "{:?}", titles(&text));
}

#[test]
fn scenes_count_within_their_act() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(6);
    let headings = ["ACT I. SCENE I.", "SCENE II.", "ACT II. SCENE I.", "SCENE II.", "SCENE III."];
    let text: String = headings.iter().map(|heading| format!("{heading}\n\n{story}")).collect();
    let found = split_text(&text);
    assert_eq!((found.chapters.len(), found.warnings), (5, Vec::new()));
    assert_eq!(found.chapters[3].volume.as_deref(), Some("ACT II"));
}

#[test]
fn digits_in_circles_count_chapters() {
    let headings: Vec<String> =
        ["①", "②", "③", "①〇", "①①", "①②"].iter().map(|number| format!("☆、第{number}章")).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let numbers: Vec<_> = split_text(&book(&headings)).chapters.iter().map(|chapter| chapter.number).collect();
    assert_eq!(numbers, [1, 2, 3, 10, 11, 12].map(Some));
}

#[test]
fn units_in_small_letters_count_chapters_and_parts() {
    let headings = ["part one", "chapter1", "chaper2", "chapter3", "part two", "chapter4", "chapter5", "chapter 6"];
    let headed = |heading: &&str| {
        if heading.starts_with("part") {
            format!("{heading}\n\n")
        } else {
            format!("{heading}\n\n{}\n", prose("且说"))
        }
    };
    let text: String = headings.iter().map(headed).collect();
    let expected = [
        "part one / chapter1",
        "part one / chaper2",
        "part one / chapter3",
        "part two / chapter4",
        "part two / chapter5",
        "part two / chapter 6",
    ];
    assert_eq!(titles(&text), expected);
}

#[test]
fn any_word_may_count_the_chapters_of_a_whole_book() {
    let headings: Vec<String> =
        ["一", "二", "三", "四", "五", "六"].iter().map(|number| format!("河灯{number}")).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let found = split_text(&book(&headings));
    assert_eq!(titles(&book(&headings)), headings);
    assert_eq!(found.chapters[5].number, Some(6));
    // A few of them within numbered chapters are scenes.
    let scenes = book(&["第一章 渡口", "河灯一", "河灯二", "第二章 账本", "第三章 灯"]);
    assert_eq!(titles(&scenes), ["第一章 渡口", "第二章 账本", "第三章 灯"]);
}

#[test]
fn notes_behind_numbers_in_brackets_are_no_titles() {
    let headings = [
        "☆、渡口（一）",
        "☆、渡口（二）捉虫",
        "☆、渡口（三）【示例社】公 众 号",
        "☆、渡口（四）（五）双章合并",
        "☆、加更-渡口（六）",
        "☆、渡口（七）（未完）",
        "☆、渡口（尾声）",
        "☆、江桥（一）",
        "☆、江桥（二）",
    ];
    let found = split_text(&book(&headings));
    assert_eq!(found.chapters.len(), headings.len(), "{:?}", titles(&book(&headings)));
}

#[test]
fn the_first_line_may_be_the_first_heading() {
    let headings = [
        "一 渡口夜来风雨大 归人不识旧时灯",
        "二 书童晨扫旧阁 船家夜渡寒江",
        "三 江桥灯影 山寺钟声",
        "四 旧寨新旗 夜客归人",
        "五 账本在船 灯在江桥",
        "六 雨停 人归",
    ];
    let text: String = headings.iter().map(|heading| format!("　　{heading}\n{}", prose("且说"))).collect();
    // The file has lost the indent of its first line.
    let text = text.trim_start();
    assert_eq!(titles(text), headings);
    assert_eq!(split_text(text).title, None);
}

#[test]
fn numerals_behind_prose_fill_gaps_in_the_count() {
    let numerals = ["一", "二", "三", "四", "五", "六", "七", "八"];
    let text = book(&numerals);
    // The numbers four and five have lost their line.
    let joined = text.replace("回头。\n\n四\n", "回头。四\n").replace("回头。\n\n五\n", "回头。五\n");
    assert_ne!(joined, text);
    let found = split_text(&joined);
    let numbers: Vec<_> = found.chapters.iter().map(|chapter| chapter.number).collect();
    assert_eq!(numbers, (1..=8).map(Some).collect::<Vec<_>>());
    assert!(found.chapters[2].text.ends_with("回头。"), "{}", found.chapters[2].text);
    // A numeral that the book has elsewhere is prose.
    let counted = text.replacen("回头。\n", "回头。六\n", 1);
    assert_eq!(titles(&counted).len(), 8);
}

#[test]
fn page_marks_between_chapters_are_set_apart() {
    let lines: Vec<String> = (0..600)
        .map(|line| match line {
            line if line % 30 == 0 => format!("===夜雨 第{}节===", line / 30 + 1),
            line if line % 41 == 1 => format!("第{}章", line / 41 + 1),
            line => format!("　　且说{}，灯灭了，谁也没有回头。", "很久".repeat(line % 5 + 1)),
        })
        .collect();
    let found = split_text(&lines.join("\n"));
    assert_eq!(found.chapters.len(), 15, "{:?}", found.headings);
    assert!(found.chapters.iter().all(|chapter| chapter.title.ends_with('章')));
    assert!(found.apart.iter().any(|apart| apart.kind == ApartKind::Update && apart.lines == 20), "{:?}", found.apart);
}

#[test]
fn suspects_are_named_for_a_form_that_nobody_knows() {
    let chapter = |number: usize| format!("☆☆渡{number}口{number}\n\n{}", prose("且说").repeat(3));
    let found = split_text(&(1..=30).map(chapter).collect::<String>());
    let named = |warning: &Warning| matches!(warning, Warning::OneChapter { suspects, .. } if !suspects.is_empty());
    assert!(found.warnings.iter().any(named), "{:?}", found.warnings);
}

#[test]
fn ornaments_blurbs_and_advertisements_are_no_titles() {
    let chapters = book(&["第一章 渡口", "第二章 账本", "第三章 灯"]);
    let rule = "=".repeat(74);
    let cases = [
        (format!("{rule}\n《夜雨：江城记》作者：某甲\n\n{chapters}"), Some("夜雨：江城记")),
        (format!("附：【本作品来自互联网,本人不做任何负责】内容版权归作者所有!\n\n{chapters}"), None),
        (format!("[夜雨 / 某甲 著 ]\n\n{chapters}"), Some("夜雨")),
        (format!("《夜雨》来自:\n\n书名：夜雨\n\n{chapters}"), Some("夜雨")),
        (format!("内容简介\n\n　　一个人在江边等船。\n\n夜雨\n\n某甲 著\n\n{chapters}"), Some("夜雨")),
        (format!("内容简介\n\n　　一个人在江边等船。\n\n{chapters}"), None),
    ];
    for (text, title) in cases {
        assert_eq!(split_text(&text).title.as_deref(), title, "{text:.60}");
    }
}
