//! Manuscripts as they are in the world: words of sites in headings, two numbers, lists and licences in odd places; and
//! nothing that is left out is left out silently.

use qingyu_formats::{SplitOptions, Warning, split};

use crate::support::{ingest, ingest_named, prose, split_text, titles, zipped};

/// A book with these headings, each above a few paragraphs.
fn book<S: AsRef<str>>(headings: &[S]) -> String {
    headings.iter().map(|heading| format!("{}\n\n{}\n", heading.as_ref(), prose("且说"))).collect()
}

fn numbers(text: &str) -> Vec<u32> {
    split_text(text).chapters.iter().filter_map(|chapter| chapter.number).collect()
}

#[test]
fn the_address_of_a_site_behind_a_heading_is_no_part_of_it() {
    let headings: Vec<String> = (1..=12).map(|number| format!("{number}、夜雨{number}号(shu.example.com)")).collect();
    let found = split_text(&book(&headings));
    assert_eq!((found.chapters.len(), found.apart.len()), (12, 0));
    assert_eq!(found.chapters[2].title, "3、夜雨3号");
    let found = titles(&book(&["第1章 渡口[示例书网：www.example.com]", "第2章 账本", "第3章 灯"]));
    assert_eq!(found, ["第1章 渡口", "第2章 账本", "第3章 灯"]);
}

#[test]
fn prose_above_the_address_of_a_site_is_prose() {
    let line = "她把灯吹灭，走下楼去。[电子书：www.example.com]";
    let text = book(&["第1章 渡口", "第2章 账本"]).replacen(
        "\n\n第2章",
        &format!("\n{line}\n更多好书[www.example.com]\n\n第2章"),
        1,
    );
    let found = split_text(&text);
    assert!(found.chapters[0].text.contains("她把灯吹灭"), "{}", found.chapters[0].text);
    assert_eq!(found.apart.iter().map(|apart| apart.lines).collect::<Vec<_>>(), [1]);
}

#[test]
fn the_last_line_of_a_paragraph_is_no_mark_of_the_end() {
    let story = "He walked along the river until the lamps went out, and all that he did was to hasten\nthe end.";
    let text = format!("Chapter 1\n\n{story}\n\nChapter 2\n\nHe slept.\n\nTHE END\n");
    let found = split_text(&text);
    assert!(found.chapters[0].text.ends_with("the end."), "{}", found.chapters[0].text);
    assert_eq!(found.apart.iter().map(|apart| apart.lines).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_name_below_the_last_number_is_its_title() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(8);
    let chapter = |number: &str, title: &str| format!("CHAPTER {number}\n\n{title}\n\n\n{story}\n");
    let text = [chapter("I", "The Lamp"), chapter("II", "The Ferry"), chapter("III", "Conclusion")].concat();
    assert_eq!(titles(&text), ["CHAPTER I The Lamp", "CHAPTER II The Ferry", "CHAPTER III Conclusion"]);
}

#[test]
fn messages_and_notes_of_scenes_are_no_notices_of_a_site() {
    let lines: String = (3..10)
        .map(|number| {
            format!("{}阿岚：{number}5''\n[SCENE: CH02_S0{number} | POV: Ann | Place: Pier]\n", prose("且说"))
        })
        .collect();
    let text = format!("{}{lines}\n第3章 灯\n\n{}", book(&["第1章 渡口", "第2章 账本"]), prose("却说"));
    let found = split_text(&text);
    assert_eq!((found.chapters.len(), found.apart.len()), (3, 0), "{:?}", found.apart);
    // A value below the heading of every chapter is a notice.
    let chapter = |number: u32| format!("第{number}章 夜雨\n人气：{number}7\n{}\n", prose("且说"));
    let found = split_text(&(1..=6).map(chapter).collect::<String>());
    assert_eq!((found.chapters.len(), found.apart.iter().map(|apart| apart.lines).sum::<usize>()), (6, 6));
}

#[test]
fn an_earlier_part_may_count_without_a_unit() {
    let bare = (1..=14).map(|number| format!("{number}、夜雨{number}号"));
    let headings: Vec<String> = bare.chain((15..=20).map(|number| format!("第{number}章 灯{number}盏"))).collect();
    assert_eq!(numbers(&book(&headings)), (1..=20).collect::<Vec<_>>());
    // Scenes of an opening do not lead up to the first chapter.
    let scenes = ["1", "2", "3"].map(str::to_owned);
    let headings: Vec<String> = scenes.into_iter().chain((15..=20).map(|number| format!("第{number}章 灯"))).collect();
    assert_eq!(numbers(&book(&headings)), (15..=20).collect::<Vec<_>>());
}

#[test]
fn a_volume_may_return_in_its_title() {
    let parts = [("上部：出江城记 上部 出江城记", 1..=3), ("下部：回江城记 下部 回江城记", 1..=2)];
    let headings: Vec<String> = parts
        .into_iter()
        .flat_map(|(part, chapters)| chapters.map(move |number| format!("{part} 第{number}章")))
        .collect();
    let found = split_text(&book(&headings));
    assert_eq!((found.chapters.len(), found.warnings), (5, Vec::new()));
    assert_eq!(found.chapters[4].volume.as_deref(), Some("下部：回江城记 下部 回江城记"));
}

#[test]
fn remains_of_a_font_before_a_heading_are_no_part_of_it() {
    let headings = ["\u{e5e5}第一章 渡口", "\u{e5e5}第二章 账本", "\u{e5e5}第三章 灯"];
    assert_eq!(titles(&book(&headings)), ["第一章 渡口", "第二章 账本", "第三章 灯"]);
}

#[test]
fn a_title_behind_a_number_may_quote() {
    assert_eq!(numbers(&book(&["1.渡口", "2.“灯”的收藏者", "3.账本", "4.夜客"])), [1, 2, 3, 4]);
}

#[test]
fn the_first_chapter_is_no_entry_of_the_list_above_it() {
    let list = "目录\n第01章\n第02章\n第03章\n第04章\n\n\n";
    let chapters: String =
        (1..=4).map(|number| format!("第{number:02}章\n　　（一）\n{0}　　（二）\n{0}", prose("且说"))).collect();
    let found = split_text(&format!("{list}{chapters}"));
    assert_eq!((found.chapters.len(), found.warnings), (4, Vec::new()));
}

#[test]
fn a_list_may_stand_behind_the_book() {
    let headings = ["第一章 渡口", "第二章 账本", "第三章 夜客", "第四章 灯"];
    let found = split_text(&format!("{}\n\n目录\n\n{}\n", book(&headings), headings.join("\n")));
    assert_eq!((found.chapters.len(), found.warnings), (4, Vec::new()));
}

#[test]
fn short_chapters_below_the_title_of_a_list_are_no_list() {
    let parts = [["第一章 渡口", "第二章 账本", "第三章 灯塔"], ["第一章 夜客", "第二章 旧事", "第三章 归潮"]];
    let text = parts.map(|headings| book(&headings)).join("\n目录\n\n");
    assert_eq!(split_text(&text).chapters.len(), 6);
}

#[test]
fn the_first_of_two_numbers_is_a_volume_if_the_second_counts_through_the_book() {
    let numbered = [(1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (3, 6)];
    let mut headings = numbered.map(|(outer, inner)| format!("长夜 第{outer}章 {inner}．夜雨"));
    headings[1] = "长夜 第1章 2．“灯”".to_owned();
    let found = split_text(&book(&headings));
    assert_eq!(found.warnings, []);
    let last = &found.chapters[5];
    assert_eq!((last.volume.as_deref(), last.number, last.title.as_str()), (Some("第3章"), Some(6), "6．夜雨"));
    // Parts that begin again in each chapter are parts.
    let numbered = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)];
    let headings = numbered.map(|(outer, inner)| format!("第{outer}章（{inner}）"));
    assert_eq!(titles(&book(&headings)), ["第1章", "第2章", "第3章"]);
}

#[test]
fn a_heading_above_each_page_of_its_chapter_is_one() {
    let headings: Vec<String> = (1..=3).flat_map(|number| vec![format!("第{number}章"); 4]).collect();
    let found = split_text(&book(&headings));
    assert_eq!(found.chapters.len(), 3);
    let twice = found.warnings.iter().filter(|warning| matches!(warning, Warning::Twice { .. })).count();
    assert_eq!((twice, found.warnings.len()), (3, 3), "each chapter is named once");
}

#[test]
fn names_below_the_title_of_the_book_are_chapters() {
    let headings = ["长夜 序一：来处", "长夜 第一章 渡口", "长夜 第二章 账本", "长夜 后记"];
    assert_eq!(titles(&book(&headings)), ["序一：来处", "第一章 渡口", "第二章 账本", "后记"]);
}

#[test]
fn titles_with_a_space_before_their_number_may_alternate() {
    let headings = ["灯子之章  一", "雨子之章  一", "灯子之章  二", "雨子之章  二"];
    let found = split_text(&book(&headings));
    assert_eq!(found.chapters.len(), 4);
    assert!(found.warnings.iter().any(|warning| matches!(warning, Warning::Guessed { .. })));
}

#[test]
fn days_may_begin_the_parts_of_a_diary() {
    let days: Vec<String> = (1..=9).map(|day| format!("三月{day}日 雨")).collect();
    assert_eq!(titles(&book(&days)).len(), 9);
    let letters: Vec<String> = (1..=9).map(|day| format!("March {day}, 1851")).collect();
    let story = "I walked along the river until the lamps went out, and nobody looked back at me.\n\n".repeat(6);
    let text: String = letters.iter().map(|day| format!("{day}\n\n{story}")).collect();
    assert_eq!(titles(&text).len(), 9);
}

#[test]
fn headings_of_a_title_page_are_no_chapters() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(6);
    let page = "# Title: The Lamp\n\n## Author: A. Nobody\n\n## Year: 1904\n\n";
    let text = format!("{page}## CHAPTER I\n\n{story}## CHAPTER II\n\n{story}");
    let found = split(&ingest_named("a.md", text.as_bytes()), &SplitOptions::default()).unwrap();
    assert_eq!((found.title.as_deref(), found.author.as_deref()), (Some("The Lamp"), Some("A. Nobody")));
    assert_eq!((found.chapters.len(), found.warnings), (2, Vec::new()));
}

#[test]
fn a_chapter_may_be_marked_up_deeper_than_the_others() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(6);
    let levels = ["## CHAPTER I", "### CHAPTER II", "## CHAPTER III", "### A note"];
    let text: String = levels.iter().map(|heading| format!("{heading}\n\n{story}")).collect();
    let found = split(&ingest_named("a.md", text.as_bytes()), &SplitOptions::default()).unwrap();
    assert_eq!(found.chapters.iter().filter_map(|one| one.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((found.chapters.len(), found.warnings), (3, Vec::new()));
}

#[test]
fn the_title_of_an_epub_is_no_chapter_of_it() {
    let html = |body: &str| format!("<html><body>{body}</body></html>");
    let package = "<package><metadata xmlns:dc='d'><dc:title>雨夜</dc:title></metadata><manifest>\
        <item id='p' href='p.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='p'/></spine></package>";
    let page = html(
        "<h1>来处</h1><p>江水涨了。</p><h1>雨夜</h1><h1>第一章 灯</h1><p>雨下了一夜。</p><h1>第二章 潮</h1><p>天亮了。</p>",
    );
    let file = zipped(&[
        ("META-INF/container.xml", "<container><rootfiles><rootfile full-path='a.opf'/></rootfiles></container>"),
        ("a.opf", package),
        ("p.xhtml", &page),
    ]);
    let found = split(&ingest(&file).unwrap(), &SplitOptions::default()).unwrap();
    assert_eq!(
        found.chapters.iter().map(|one| one.title.as_str()).collect::<Vec<_>>(),
        ["来处", "第一章 灯", "第二章 潮"]
    );
    assert_eq!(found.warnings, []);
}

#[test]
fn a_licence_behind_a_book_does_not_swallow_it() {
    let licence = "The Project Gutenberg EBook of Rain\n\n*** START OF THIS PROJECT GUTENBERG EBOOK RAIN ***\n\n\
        *** END OF THIS PROJECT GUTENBERG EBOOK RAIN ***\n";
    let found = split_text(&format!("{}\n{licence}", book(&["第一章 渡口", "第二章 账本", "第三章 灯"])));
    assert_eq!((found.chapters.len(), found.warnings), (3, Vec::new()));
}

#[test]
fn what_is_mostly_outside_its_chapters_is_warned_of() {
    let marks = |mark: &str| format!("*** {mark} OF THIS PROJECT GUTENBERG EBOOK RAIN ***\n");
    let chapters = book(&["第一章 渡口", "第二章 账本", "第三章 灯"]);
    let text = format!("{}{chapters}{}{}", marks("START"), marks("END"), prose("却说").repeat(80));
    let found = split_text(&text);
    assert!(matches!(found.warnings.as_slice(), [Warning::Outside { .. }]), "{:?}", found.warnings);
}

#[test]
fn lines_like_headings_in_the_text_are_warned_of() {
    let headings = ["第一章 渡口", "第二章 账本", "第三章 灯", "旧事：第一章", "旧事：第二章", "旧事：第三章"];
    let found = split_text(&book(&headings));
    let unread =
        |warning: &Warning| matches!(warning, Warning::Unread { count: 3, example, .. } if example == "旧事：第一章");
    assert!(found.warnings.iter().any(unread), "{:?}", found.warnings);
    // A chapter may be spoken of.
    let spoken = book(&headings[..3]).replacen("回头。\n", "回头。\n她说第三章里有一盏灯\n", 1);
    assert_eq!(split_text(&spoken).warnings, []);
}

#[test]
fn titles_above_numbers_that_begin_again_are_the_tales() {
    let tale = |title: &str, numbers: &[&str]| format!("\n\n{title}\n\n{}", book(numbers));
    let text = ["灯塔", "“雨停了再走”", "旧账"].map(|title| tale(title, &["1", "2", "3"])).concat();
    let found = split_text(&text);
    assert_eq!((found.chapters.len(), found.warnings), (9, Vec::new()));
    let volumes: Vec<_> = found.chapters.iter().filter_map(|chapter| chapter.volume.as_deref()).collect();
    assert_eq!([volumes[0], volumes[3], volumes[8]], ["灯塔", "“雨停了再走”", "旧账"]);
    // Without titles the numbers are those of one book, and said.
    let found = split_text(&book(&["1", "2", "3", "1", "2", "3"]));
    assert!(found.chapters.iter().all(|chapter| chapter.volume.is_none()));
    assert!(found.warnings.iter().any(|warning| matches!(warning, Warning::Backwards { .. })));
}

#[test]
fn volumes_whose_chapters_begin_again_keep_their_names() {
    let volume =
        |heading: &str, title: &str| format!("{heading}\n\n{title}\n\n{}", book(&["第一章 渡口", "第二章 账本"]));
    let volumes = |text: &str| split_text(text).chapters.into_iter().filter_map(|one| one.volume).collect::<Vec<_>>();
    let text = [volume("第一卷", "出江城"), volume("第二卷", "回江城")].concat();
    assert_eq!(volumes(&text), ["第一卷", "第一卷", "第二卷", "第二卷"]);
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(6);
    let part = |heading: &str, title: &str| {
        let chapters: String = (1..=3).map(|number| format!("{number}\n\n{story}")).collect();
        format!("{heading}\n\n{title}\n\n{chapters}")
    };
    let text = [part("PART ONE", "The Gate"), part("PART TWO", "The Lamp")].concat();
    assert_eq!(volumes(&text), ["PART ONE", "PART ONE", "PART ONE", "PART TWO", "PART TWO", "PART TWO"]);
}

#[test]
fn the_days_of_a_diary_in_one_chapter_do_not_divide_the_novel() {
    let days = ["一", "二", "三", "四", "五", "六", "七", "八"].map(|day| format!("三月{day}日，雨"));
    let text = [book(&["渡口", "账本", "夜客"]), book(&days), book(&["灯塔", "旧事", "归潮"])].concat();
    assert_eq!(titles(&text), ["渡口", "账本", "夜客", "灯塔", "旧事", "归潮"]);
}

#[test]
fn marked_up_days_are_no_title_page() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(6);
    let text: String = (3..=8).map(|day| format!("## Date: {day} March\n\n{story}")).collect();
    let found = split(&ingest_named("a.md", text.as_bytes()), &SplitOptions::default()).unwrap();
    let days: Vec<String> = (3..=8).map(|day| format!("Date: {day} March")).collect();
    assert_eq!(found.chapters.into_iter().map(|one| one.title).collect::<Vec<_>>(), days);
    assert_eq!(found.apart, []);
}

#[test]
fn notes_marked_up_below_a_chapter_are_its_text() {
    let story = "He walked along the river until the lamps went out, and nobody looked back.\n\n".repeat(6);
    let levels = ["## Chapter 1", "### Chapter 1 Notes", "## Chapter 2", "## Chapter 3"];
    let text: String = levels.iter().map(|heading| format!("{heading}\n\n{story}")).collect();
    let found = split(&ingest_named("a.md", text.as_bytes()), &SplitOptions::default()).unwrap();
    assert_eq!((found.chapters.len(), found.warnings), (3, Vec::new()));
    assert!(found.chapters[0].text.contains("Chapter 1 Notes"));
}

#[test]
fn a_tale_may_have_the_title_of_its_collection() {
    let package = "<package><metadata xmlns:dc='d'><dc:title>雨夜</dc:title></metadata><manifest>\
        <item id='p' href='p.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='p'/></spine></package>";
    let page = "<html><body><h1>来处</h1><p>江水涨了。</p><h1>雨夜</h1><h2>一</h2><p>雨下了一夜。</p><h2>二</h2><p>天亮了。</p>\
        <h1>归潮</h1><p>潮水退了。</p></body></html>";
    let file = zipped(&[
        ("META-INF/container.xml", "<container><rootfiles><rootfile full-path='a.opf'/></rootfiles></container>"),
        ("a.opf", package),
        ("p.xhtml", page),
    ]);
    let found = split(&ingest(&file).unwrap(), &SplitOptions::default()).unwrap();
    assert_eq!(found.chapters.iter().map(|one| one.title.as_str()).collect::<Vec<_>>(), ["来处", "雨夜", "归潮"]);
}

#[test]
fn a_long_licence_above_a_short_book_is_not_the_book() {
    let licence = "Please read this page before the text, as it is a part of the file.\n".repeat(200);
    let begin = "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*";
    let book = book(&["第一章 渡口", "第二章 账本"]);
    let found = split_text(&format!("The Project Gutenberg Etext of Rain\n\n{licence}{begin}\n\n{book}"));
    assert_eq!(found.chapters.iter().map(|one| one.title.as_str()).collect::<Vec<_>>(), ["第一章 渡口", "第二章 账本"]);
    assert!(!found.chapters.iter().any(|one| one.text.contains("Please read")));
}

#[test]
fn the_dash_in_a_number_is_a_numeral() {
    assert_eq!(numbers(&book(&["第九回 渡口", "第十回 账本", "第十—回 夜客", "第十二回 灯"])), [9, 10, 11, 12]);
    // A dash elsewhere is its own.
    assert_eq!(titles(&book(&["第一章——渡口", "第二章——账本"])), ["第一章——渡口", "第二章——账本"]);
}

#[test]
fn a_heading_may_lack_its_unit_where_its_number_is_missing() {
    assert_eq!(numbers(&book(&["第三十五章", "第三十六章", "第三十七", "第三十八章"])), [35, 36, 37, 38]);
    assert_eq!(numbers(&book(&["第三十五章", "第三十六章", "第十七", "第三十七章"])), [35, 36, 37]);
}

#[test]
fn names_that_count_in_turn_are_headings() {
    let headings: Vec<String> = ["一", "二", "三", "四"]
        .iter()
        .flat_map(|number| [format!("渡口之章　{number}"), format!("灯塔之章　{number}")])
        .collect();
    let found = split_text(&book(&headings));
    let numbers: Vec<_> = found.chapters.iter().map(|chapter| chapter.number).collect();
    assert_eq!(numbers, [1, 1, 2, 2, 3, 3, 4, 4].map(Some));
    assert!(found.warnings.iter().any(|warning| matches!(warning, Warning::Guessed { .. })));
}

#[test]
fn a_title_that_a_site_has_hidden_is_a_title() {
    assert_eq!(numbers(&book(&["1、渡口", "2、账本", "3、**", "4、夜客"])), [1, 2, 3, 4]);
}

#[test]
fn a_heading_above_a_motto_and_above_its_text_is_one() {
    let chapter = |number: u32| format!("第{number}章\n\n{}\n", prose("且说").repeat(3));
    let part =
        |name: &str, number: u32| format!("{name}\n\n第{number}章\n\n灯灭的时候，\n——江城旧谣\n\n{}", chapter(number));
    let text = [part("第一部 渡口", 1), chapter(2), chapter(3), part("第二部 灯塔", 4), chapter(5)].concat();
    let found = split_text(&text);
    let numbers: Vec<_> = found.chapters.iter().filter_map(|chapter| chapter.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert!(found.chapters[0].text.starts_with("灯灭的时候"), "{}", found.chapters[0].text);
    // Two chapters with one number keep their text apart.
    let text = [1, 2, 2, 3].map(chapter).concat();
    assert_eq!(split_text(&text).chapters.len(), 4);
}

#[test]
fn pages_of_a_site_below_one_heading_are_one_chapter() {
    let headings = ["第一章 渡口", "第二章 账本1 shu.example.com", "第二章 账本2 shu.example.com", "第三章 灯"];
    assert_eq!(titles(&book(&headings)).len(), 3);
}

#[test]
fn the_first_chapter_behind_a_list_of_other_forms_is_no_entry() {
    let story =
        "He walked along the river until the lamps went out, and nobody looked\nback at the house.\n\n".repeat(40);
    let names = ["I TAKE A HOUSE", "A LAMP", "THE RIVER", "THE GATE", "HOME"];
    let numbers = ["I", "II", "III", "IV", "V"];
    let list: String = numbers.iter().zip(names).map(|(number, name)| format!("  {number}  {name}\n")).collect();
    let chapters: String =
        numbers.iter().zip(names).map(|(number, name)| format!("CHAPTER {number}\n\n{name}\n\n{story}")).collect();
    let found = split_text(&format!("CONTENTS\n\n{list}\n\nTHE LAMP HOUSE\n\n\n{chapters}"));
    assert_eq!(found.chapters.iter().filter_map(|one| one.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    // Parts in the list, and the first chapter below the title of the book.
    let parts = ["FIRST", "SECOND", "THIRD"].map(|part| format!("PART {part}\n\nTHE {part} LAMP\n\n")).concat();
    let chapters = |last: usize| -> String {
        ["ONE", "TWO", "THREE"][..last].iter().map(|number| format!("CHAPTER {number}\n\n{story}")).collect()
    };
    let text = format!(
        "CONTENTS\n\n{parts}\n\nTHE LAMP HOUSE\n\n\n{}PART SECOND\n\nTHE SECOND LAMP\n\n{}PART THIRD\n\nTHE THIRD LAMP\n\n{}",
        chapters(3),
        chapters(2),
        chapters(3)
    );
    assert_eq!(split_text(&text).chapters.len(), 8);
}

#[test]
fn entries_of_the_contents_left_in_the_text_are_warned_of() {
    let list = "目录\n\n第一章 渡口\n江桥\n第二章 账本\n归人\n第三章 夜客\n山寺夜雨\n第四章 灯\n\n\n";
    let chapters = book(&["第一章 渡口", "第二章 账本", "第三章 夜客", "第四章 灯"]);
    assert_eq!(split_text(&format!("{list}{chapters}")).warnings, []);
    let scene = |text: String, (heading, title): (&str, &str)| {
        text.replacen(
            &format!("{heading}\n\n{}", prose("且说")),
            &format!("{heading}\n\n{0}\n{title}\n\n{0}", prose("且说")),
            1,
        )
    };
    let scenes = [("第一章 渡口", "江桥"), ("第二章 账本", "归人"), ("第三章 夜客", "山寺夜雨")];
    let found = split_text(&format!("{list}{}", scenes.into_iter().fold(chapters, scene)));
    let unread = |warning: &Warning| matches!(warning, Warning::Unread { count: 3, example, .. } if example == "江桥");
    assert!(found.warnings.iter().any(unread), "{:?}", found.warnings);
}
