//! Headings told by the headings around them: names behind volumes, titles of tales, misprints.

use qingyu_formats::Warning;

use crate::support::{prose, split_text, titles};

/// English paragraphs.
fn english() -> String {
    "She counted the steps again and there were ninety.\n\n".repeat(30)
}

/// An English book with these headings.
fn english_book(headings: &[&str]) -> String {
    headings.iter().map(|heading| format!("{heading}\n\n{}", english())).collect()
}

/// A book with these headings, each above a few paragraphs.
fn book(headings: &[&str]) -> String {
    headings.iter().map(|heading| format!("{heading}\n\n{}\n", prose("且说"))).collect()
}

#[test]
fn a_name_behind_a_volume_is_a_chapter_where_the_numbers_have_the_volume_too() {
    let headings = [
        "第一卷 序章",
        "第一卷 第一话",
        "第一卷 第二话",
        "第一卷 间章①「雨停」",
        "第一卷 三话",
        "第一卷 后记",
        "第二卷 第一话",
        "第二卷 特典 第0话 河灯",
    ];
    let found = titles(&book(&headings));
    let expected = [
        "第一卷 / 序章",
        "第一卷 / 第一话",
        "第一卷 / 第二话",
        "第一卷 / 间章①「雨停」",
        "第一卷 / 三话",
        "第一卷 / 后记",
        "第二卷 / 第一话",
        "第二卷 / 特典 第0话 河灯",
    ];
    assert_eq!(found, expected);
    let numbers: Vec<u32> = split_text(&book(&headings)).chapters.iter().filter_map(|one| one.number).collect();
    assert_eq!(numbers, [1, 2, 3, 1]);
}

#[test]
fn a_volume_may_have_such_a_name() {
    let text = format!("第一卷 风起\n{}第二卷 终章\n{}", book(&["第八章 渡口", "第九章 灯"]), book(&["第十章 归人"]));
    assert_eq!(titles(&text), ["第一卷 风起 / 第八章 渡口", "第一卷 风起 / 第九章 灯", "第二卷 终章 / 第十章 归人"]);
}

#[test]
fn any_unit_may_count_behind_a_volume() {
    let headings = ["第一卷 序章", "第一卷 Mission.1 The Lamp", "第一卷 Mission.2 河灯", "第一卷 尾声"];
    let expected = ["第一卷 / 序章", "第一卷 / Mission.1 The Lamp", "第一卷 / Mission.2 河灯", "第一卷 / 尾声"];
    assert_eq!(titles(&book(&headings)), expected);
    let headings = ["上卷 1章", "上卷 2章", "下卷 3章"];
    assert_eq!(titles(&book(&headings)), ["上卷 / 1章", "上卷 / 2章", "下卷 / 3章"]);
}

#[test]
fn a_first_chapter_may_have_the_title_of_its_tale_above_it() {
    let headings = ["长夜 第一回 渡口", "第二回 账本", "第三回 灯"];
    assert_eq!(titles(&book(&headings)), ["第一回 渡口", "第二回 账本", "第三回 灯"]);
    let tales =
        ["长夜楼 第一回 渡口", "长夜楼 第二回 账本", "河灯楼 第一回 灯", "归人楼 第一回 雨", "归人楼 第二回 雪"];
    let expected = [
        "长夜楼 / 第一回 渡口",
        "长夜楼 / 第二回 账本",
        "河灯楼 / 第一回 灯",
        "归人楼 / 第一回 雨",
        "归人楼 / 第二回 雪",
    ];
    assert_eq!(titles(&book(&tales)), expected);
    // Behind other chapters it is the title of a volume.
    let again = ["第一回 渡口", "第二回 账本", "长夜2 第一回 灯", "第二回 归人"];
    assert_eq!(titles(&book(&again)), ["第一回 渡口", "第二回 账本", "长夜2 / 第一回 灯", "长夜2 / 第二回 归人"]);
}

#[test]
fn a_chapter_of_another_book_is_no_first_chapter() {
    let text = format!("{}旧书 第一回\n\n{}", book(&["第一回 渡口"]), book(&["第二回 账本", "第三回 灯"]));
    let within = text.replace("旧书 第一回\n\n", &format!("旧书 第一回\n\n{}\n", prose("又说")));
    assert_eq!(titles(&within), ["第一回 渡口", "第二回 账本", "第三回 灯"]);
}

#[test]
fn a_misprinted_number_is_told_by_its_neighbours() {
    let numbers = |headings: &[&str]| -> Vec<u32> {
        split_text(&english_book(headings)).chapters.iter().filter_map(|one| one.number).collect()
    };
    assert_eq!(numbers(&["Chapter I", "Chapter ll", "Chapter III"]), [1, 2, 3]);
    assert_eq!(numbers(&["Chapter 10", "Chapter ll", "Chapter l2", "Chapter 13"]), [10, 11, 12, 13]);
    assert_eq!(numbers(&["CHAPTER XVI", "CHAPTER XVIL", "CHAPTER XVIII"]), [16, 17, 18]);
    assert_eq!(numbers(&["CHAPTER X.", "CHAPTER, XI.", "CHAPTER XII."]), [10, 11, 12]);
    // Nothing is missing between the neighbours.
    assert_eq!(numbers(&["Chapter I", "Chapter II", "Chapter ll", "Chapter III"]), [1, 2, 3]);
    let found = split_text(&english_book(&["Chapter I", "Chapter ll", "Chapter III"]));
    assert!(
        matches!(&found.warnings[..], [Warning::Misprinted { number: 2, title, .. }] if title == "Chapter ll"),
        "{:?}",
        found.warnings
    );
}

#[test]
fn an_entry_of_the_contents_may_be_misspelt() {
    let list = |entries: &[&str]| format!("A BOOK OF LAMPS\n\nCONTENTS\n\n{}\n\n\n", entries.join("\n\n"));
    let headings = ["THE LAMP", "TWO GATES", "A LETTER HOME", "COUNTERPARTS", "THE SEA", "RAIN"];
    let entries = ["The Lamp", "Two Gates", "A Letter Home", "Couterparts", "The Sea", "Rain"];
    let text = format!("{}{}", list(&entries), english_book(&headings));
    assert_eq!(titles(&text), headings);
    assert_eq!(split_text(&text).warnings, []);
}

#[test]
fn an_entry_of_the_contents_without_a_heading_is_warned_of() {
    let entries = ["The Lamp", "Two Gates", "A Letter Home", "The Keeper", "The Sea", "Rain"];
    let headings = ["THE LAMP", "TWO GATES", "A LETTER HOME", "THE SEA", "RAIN"];
    let list = format!("A BOOK OF LAMPS\n\nCONTENTS\n\n{}\n\n\n", entries.join("\n\n"));
    let found = split_text(&format!("{list}{}", english_book(&headings)));
    let is_told = |warning: &Warning| matches!(warning, Warning::Unfound { entry, within, .. } if entry == "The Keeper" && within == "A LETTER HOME");
    assert!(found.warnings.iter().any(is_told), "{:?}", found.warnings);
}

#[test]
fn acts_of_a_play_within_a_chapter_are_its_text() {
    let headings = ["CHAPTER I. Rain", "ACT I.", "ACT II.", "CHAPTER II. Home", "CHAPTER III. The Sea"];
    assert_eq!(titles(&english_book(&headings)), ["CHAPTER I. Rain", "CHAPTER II. Home", "CHAPTER III. The Sea"]);
    // A part with an introduction stays a part.
    let parts = ["PART I.", "CHAPTER I. Rain", "PART II.", "CHAPTER II. Home"];
    let found = titles(&english_book(&parts));
    assert_eq!(
        found,
        ["PART I. / PART I.", "PART I. / CHAPTER I. Rain", "PART II. / PART II.", "PART II. / CHAPTER II. Home"]
    );
}

#[test]
fn a_unit_may_stand_behind_words() {
    let chapters = ["渡口之章 船家的话", "河灯之章 守夜人的笔记", "归人之章 其一"];
    assert_eq!(titles(&book(&chapters)), chapters);
    // Numbers in one of them are its sections.
    let sections =
        format!("{}归人之章 其一\n\n{}", book(&["渡口之章", "一", "二", "河灯之章"]), prose("且说").repeat(3));
    assert_eq!(titles(&sections), ["渡口之章", "河灯之章", "归人之章 其一"]);
    let volumes = format!(
        "渡口之章\n{0}河灯之章\n{1}归人之章\n{2}",
        book(&["第一章", "第二章"]),
        book(&["第三章"]),
        book(&["第四章"])
    );
    assert_eq!(titles(&volumes), ["渡口之章 / 第一章", "渡口之章 / 第二章", "河灯之章 / 第三章", "归人之章 / 第四章"]);
}

#[test]
fn years_that_rise_are_headings() {
    let headings = ["1880", "1891", "1907", "1908", "PRESENT DAY"];
    let text: String = headings.iter().map(|heading| format!("{heading}\n\n\n{}\n\n\n", english())).collect();
    assert_eq!(titles(&format!("Rain\n\n{text}")), headings);
    let list = format!("{}1880\n\n1891\n\n1907\n\n1908\n\n{}", english(), english());
    assert_eq!(split_text(&list).chapters.len(), 1);
}

#[test]
fn a_tale_without_numbers_may_stand_among_others() {
    let tale = |title: &str, numbers: &[&str]| {
        let text = if numbers.is_empty() { english() } else { english_book(numbers) };
        format!("\n\n\n{title}\n\nThe rain told of the lamp.\n\n\n{text}")
    };
    let tales = [
        tale("THE LAMP", &["I", "II"]),
        tale("THE MASK", &[]),
        tale("THE SEA", &["I", "II", "III"]),
        tale("RAIN", &["I", "II"]),
    ];
    let expected = [
        "THE LAMP / I",
        "THE LAMP / II",
        "THE MASK",
        "THE SEA / I",
        "THE SEA / II",
        "THE SEA / III",
        "RAIN / I",
        "RAIN / II",
    ];
    assert_eq!(titles(&format!("A BOOK OF TALES\n\n{}", tales.concat())), expected);
}

#[test]
fn the_number_of_a_series_is_no_volume_of_the_book() {
    let part = |(part, year, title): (&str, u32, &str)| {
        let chapters = english_book(&["CHAPTER I.", "CHAPTER II.", "CHAPTER III."]);
        format!("EPOCH THE {part}.\n\n{year}.\n\n{title}.\n\n\n\n{chapters}")
    };
    let parts = [("FIRST", 1703, "THE FERRY"), ("SECOND", 1715, "THE LAMP"), ("THIRD", 1724, "THE SEA")];
    let text = format!("THE LAMP HOUSE\n\nA. NOBODY\n\n_VOL. XII_\n\n\n{}", parts.map(part).concat());
    let found = split_text(&text);
    assert_eq!((found.chapters.len(), found.warnings.len()), (9, 0), "{:?}", found.warnings);
    let volumes: Vec<_> = found.chapters.iter().filter_map(|chapter| chapter.volume.as_deref()).collect();
    assert!(volumes.len() == 9 && volumes[8].starts_with("EPOCH THE THIRD."), "{volumes:?}");
}

#[test]
fn a_name_below_a_number_is_its_title() {
    let list = "CONTENTS\n\n I Introduction\n II The Lamp\n III The Sea\n Epilogue\n\n\n\n";
    let chapter = |heading: &str| format!("{heading}\n\n\n{}", english());
    let headings = [" I\n\n\n Introduction", " II\n\n\n The Lamp", " III\n\n\n The Sea", " Epilogue"];
    let found = titles(&format!("{list}{}", headings.map(chapter).concat()));
    assert_eq!(found, ["I Introduction", "II The Lamp", "III The Sea", "Epilogue"]);
}
