//! Serials as readers put them into files: page numbers, notes and late numbers in the headings.

use qingyu_formats::Warning;

use crate::support::{prose, split_text, titles};

/// A book with these headings, each above a few paragraphs.
fn book(headings: &[String]) -> String {
    headings.iter().map(|heading| format!("{heading}\n\n{}\n", prose("且说"))).collect()
}

fn numbers(text: &str) -> Vec<u32> {
    split_text(text).chapters.iter().filter_map(|chapter| chapter.number).collect()
}

#[test]
fn numbers_may_be_written_into_their_titles() {
    let counted = |until: u32| -> Vec<String> { (1..=until).map(|number| format!("{number}灯塔夜雨")).collect() };
    assert_eq!(numbers(&book(&counted(12))), (1..=12).collect::<Vec<_>>());
    // A few such lines are prose.
    assert_eq!(numbers(&book(&counted(4))), [0_u32; 0]);
}

#[test]
fn a_number_written_into_its_title_fills_a_gap() {
    let headings = ["38 渡口", "39 账本", "40旧寨夜客", "41 灯", "42 归人", "43 雨"].map(str::to_owned);
    assert_eq!(numbers(&book(&headings)), [38, 39, 40, 41, 42, 43]);
    let headings = ["第1章 渡口", "第2章 账本", "第3章 灯"].map(str::to_owned);
    let last = format!("{}4灯一盏一盏灭了\n\n{}", book(&headings), prose("且说"));
    assert_eq!(numbers(&last), [1, 2, 3], "a line behind the last chapter is prose");
}

#[test]
fn the_number_of_a_page_may_touch_the_heading() {
    let headings = ["111、第一百一十一章", "112第一百一十二章", "113第一百一十三章 灯"].map(str::to_owned);
    assert_eq!(numbers(&book(&headings)), [111, 112, 113]);
}

#[test]
fn parts_of_chapters_below_the_name_of_their_book_are_one_chapter() {
    let headings = ["长夜之第一章（1）", "长夜之第一章（2）", "长夜之第二章", "归人之第一章（1）", "归人之第一章（2）"];
    let found = titles(&book(&headings.map(str::to_owned)));
    assert_eq!(found.len(), 3, "{found:?}");
    let headings =
        ["第一章（1）", "第一章（第1节）", "第一章（第2节）", "第一章（二）", "第二章（1）", "第二章（第1页）"];
    assert_eq!(titles(&book(&headings.map(str::to_owned))), ["第一章", "第二章"]);
    let headings = ["第一章 夜雨", "第一章2", "第二章 夜雨（一）", "第三章 夜雨（二）"];
    assert_eq!(titles(&book(&headings.map(str::to_owned))).len(), 3, "another number is another chapter");
}

#[test]
fn a_chapter_may_have_the_headings_of_its_site_and_of_its_author() {
    let pair = |number: u32| {
        format!("☆、第{number}章 夜雨（{number}）\n\n第{number}章加更给读者{number}\n\n{}\n", prose("且说"))
    };
    let found = split_text(&(1..=5).map(pair).collect::<String>());
    assert_eq!((found.chapters.len(), found.warnings), (5, Vec::new()));
    // One chapter without a text has its number twice, by mistake.
    let headings = ["第1章 渡口", "第2章 账本", "第3章 灯", "第5章 雨"].map(str::to_owned);
    let text = format!("{}第5章 归人\n\n{}", book(&headings[..3]), prose("且说"));
    let text = text.replace("第5章 归人", "第5章 雨\n\n第5章 归人");
    let found = split_text(&text);
    assert!(found.warnings.iter().any(|warning| matches!(warning, Warning::Twice { number: 5, .. })));
}

#[test]
fn titles_above_the_first_number_are_chapters_if_the_count_says_so() {
    let names = ["渡口夜雨", "账本", "旧寨来客", "灯塔", "江桥", "归人"];
    let lines = |names: &[&str]| -> String {
        names.iter().map(|name| format!("\n　　{name}\n\n{}", prose("且说"))).collect()
    };
    let later: String = (7..=9).map(|number| format!("\n　　第{number}章 山寺\n\n{}", prose("却说"))).collect();
    let found = split_text(&format!("{}{later}", lines(&names)));
    assert_eq!(found.chapters.len(), 9, "{:?}", found.chapters.iter().map(|one| &one.title).collect::<Vec<_>>());
    assert!(found.warnings.iter().any(|warning| matches!(warning, Warning::Guessed { .. })));
    // Fewer than the count lacks are not taken for chapters.
    let found = split_text(&format!("{}{later}", lines(&names[..3])));
    assert!(found.chapters.iter().filter(|one| one.number.is_none()).count() <= 1);
}

#[test]
fn a_decorated_heading_may_end_with_a_place() {
    let headings = ["☆、第1章 渡口", "☆、第2章 终局（上）", "☆、第3章 终局（中）", "☆、第4章 终局（下）"];
    assert_eq!(numbers(&book(&headings.map(str::to_owned))), [1, 2, 3, 4]);
}

#[test]
fn headings_alike_but_for_their_numbers_are_no_notices() {
    let headings: Vec<String> = (1..=7).map(|number| format!("第{number}章 倒数：{}天", 8 - number)).collect();
    assert_eq!(numbers(&book(&headings)), [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_countdown_below_a_heading_is_no_contents() {
    let chapter = |number: u32| {
        format!(
            "第{number}章 夜雨\n【00：00：1{number}】\n【00：00：0{number}】\n【00：00：0{number}】\n{}\n",
            prose("且说")
        )
    };
    assert_eq!(numbers(&(1..=4).map(chapter).collect::<String>()), [1, 2, 3, 4]);
}

#[test]
fn acts_within_chapters_are_prose() {
    let mut headings: Vec<String> = (1..=20).map(|number| format!("第{number}章 夜雨")).collect();
    headings.insert(8, "第一幕：渡口".to_owned());
    headings.insert(9, "第二幕：灯塔".to_owned());
    assert_eq!(numbers(&book(&headings)), (1..=20).collect::<Vec<_>>());
    // Chapters with another unit behind the last are chapters.
    let mut headings: Vec<String> = (1..=20).map(|number| format!("第{number}章 夜雨")).collect();
    headings.extend(["第21回 渡口", "第22回 灯塔"].map(str::to_owned));
    assert_eq!(numbers(&book(&headings)), (1..=22).collect::<Vec<_>>());
}

#[test]
fn a_heading_below_the_title_of_the_book_fills_a_gap() {
    let headings = ["第1章 渡口", "第2章 账本", "长夜 第3章", "第4章 灯", "第5章 雨"].map(str::to_owned);
    assert_eq!(numbers(&book(&headings)), [1, 2, 3, 4, 5]);
}

#[test]
fn a_name_below_a_bare_number_is_its_title() {
    let headings = ["I.\nIntroduction", "II.\nThe Machine", "III.\nThe Gate"].map(str::to_owned);
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(6);
    let text: String = headings.iter().map(|heading| format!("\n\n{heading}\n\n\n{story}")).collect();
    let found = split_text(&text);
    assert_eq!((found.chapters.len(), found.warnings), (3, Vec::new()));
}

#[test]
fn a_long_heading_in_capitals_may_have_a_misprinted_number() {
    let title = "TREATS OF DIVERS LITTLE MATTERS WHICH OCCURRED BY THE RIVER AT NIGHT";
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(6);
    let text: String =
        ["XLI", "XLII", "LXIII", "XLIV"].map(|number| format!("CHAPTER {number}. {title}\n\n{story}")).concat();
    let found = split_text(&text);
    assert_eq!(found.chapters.len(), 4);
    assert!(!found.warnings.is_empty());
}

#[test]
fn a_title_may_be_what_somebody_says() {
    let headings = ["第1章 渡口", "第2章 账本", "第3章 「雨停了，我们走吧」", "第4章 灯", "第5章 雨"];
    assert_eq!(numbers(&book(&headings.map(str::to_owned))), [1, 2, 3, 4, 5]);
    let sentence = "第3章写着：「雨停了，我们走吧。」";
    let text = book(&["第1章 渡口", "第2章 账本", "第4章 灯"].map(str::to_owned)).replacen(
        "谁也没有回头。\n",
        &format!("谁也没有回头。\n{sentence}\n"),
        1,
    );
    assert_eq!(numbers(&text), [1, 2, 4]);
}

#[test]
fn much_prose_above_the_first_heading_is_warned_of() {
    let headings: Vec<String> = ["第1章 渡口", "第2章 账本", "第3章 灯"].map(str::to_owned).into();
    let long = |text: &str| {
        split_text(text)
            .warnings
            .iter()
            .any(|warning| matches!(warning, Warning::Long { title, .. } if title.is_empty()))
    };
    assert!(long(&format!("{}\n{}", prose("话说").repeat(80), book(&headings))));
    assert!(!long(&format!("{}\n{}", prose("话说"), book(&headings))));
}
