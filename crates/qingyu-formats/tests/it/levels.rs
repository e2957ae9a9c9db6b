//! Levels of marked-up headings, and pages of an EPUB around its book.

use qingyu_formats::{Split, SplitOptions, Warning, split};

use crate::support::{ingest, ingest_named, zipped};

const STORY: &str = "He walked along the river until the lamps went out, and nobody looked back.";

fn markdown(headings: &[&str]) -> Split {
    let text: String = headings.iter().map(|heading| format!("{heading}\n\n")).collect();
    split(&ingest_named("a.md", text.as_bytes()), &SplitOptions::default()).unwrap()
}

fn chapters(split: &Split) -> Vec<(Option<u32>, &str)> {
    split.chapters.iter().map(|one| (one.number, one.title.as_str())).collect()
}

/// An EPUB of pages with these bodies.
fn epub(title: &str, bodies: &[&str]) -> Vec<u8> {
    epub_with(title, bodies, None)
}

/// An EPUB of pages `p0.xhtml`, `p1.xhtml` and so on with these bodies, and of a page with a table of contents.
fn epub_with(title: &str, bodies: &[&str], nav: Option<&str>) -> Vec<u8> {
    let names: Vec<String> = (0..bodies.len()).map(|number| format!("p{number}.xhtml")).collect();
    let items: String = names
        .iter()
        .map(|name| format!("<item id='{name}' href='{name}' media-type='application/xhtml+xml'/>"))
        .collect();
    let spine: String = names.iter().map(|name| format!("<itemref idref='{name}'/>")).collect();
    let nav_item =
        nav.map_or("", |_| "<item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>");
    let package = format!(
        "<package><metadata xmlns:dc='d'><dc:title>{title}</dc:title></metadata><manifest>{nav_item}{items}</manifest><spine>{spine}</spine></package>"
    );
    let pages: Vec<String> = bodies.iter().map(|body| format!("<html>{body}</html>")).collect();
    let container = "<container><rootfiles><rootfile full-path='a.opf'/></rootfiles></container>";
    let mut entries = vec![("META-INF/container.xml", container), ("a.opf", package.as_str())];
    entries.extend(names.iter().zip(&pages).map(|(name, page)| (name.as_str(), page.as_str())));
    entries.extend(nav.map(|nav| ("nav.xhtml", nav)));
    zipped(&entries)
}

fn read(file: &[u8]) -> Split {
    split(&ingest(file).unwrap(), &SplitOptions::default()).unwrap()
}

#[test]
fn marked_up_numbers_that_count_up_are_the_numbers_of_the_chapters() {
    let found = markdown(&["## I", STORY, "## II", STORY, "## III", STORY]);
    assert_eq!(chapters(&found), [(Some(1), "I"), (Some(2), "II"), (Some(3), "III")]);
    let found = markdown(&["# Ep 1 — Rain", STORY, "# Ep 2 — Lamp", STORY, "# Ep 3 — Home", STORY]);
    assert_eq!(chapters(&found).iter().map(|(number, _)| *number).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
    // Titles alone have no numbers.
    let found = markdown(&["## Rain", STORY, "## Lamp", STORY]);
    assert_eq!(chapters(&found), [(None, "Rain"), (None, "Lamp")]);
}

#[test]
fn numbers_below_a_title_with_other_matter_around_are_the_chapters() {
    let headings = ["# 前记", STORY, "# 围炉", "## 一", STORY, "## 二", STORY, "## 三", STORY, "# 谈围炉", STORY];
    let found = markdown(&headings);
    let numbers: Vec<u32> = found.chapters.iter().filter_map(|one| one.number).collect();
    assert_eq!(numbers, [1, 2, 3], "{:?}", chapters(&found));
    // Sections of one of many tales are its text.
    let headings =
        ["# 渡口", STORY, STORY, STORY, "# 灯塔", "## 一", STORY, "## 二", STORY, "## 三", STORY, "# 江桥", STORY];
    let tales: Vec<&str> = headings.iter().copied().chain(["# 归人", STORY, STORY, STORY, "# 旧寨", STORY]).collect();
    let found = markdown(&tales);
    assert_eq!(chapters(&found).len(), 5, "{:?}", chapters(&found));
}

#[test]
fn volumes_above_counted_chapters_are_volumes() {
    let volume = |name: &'static str| [name, "## 一", STORY, "## 二", STORY, "## 三", STORY];
    let found = markdown(&[volume("# 卷一"), volume("# 卷二")].concat());
    assert_eq!(found.chapters.len(), 6);
    assert_eq!(found.chapters[5].volume.as_deref(), Some("卷二"));
    assert_eq!(found.warnings, []);
}

#[test]
fn parts_below_the_title_of_a_tale_are_its_text() {
    let headings = ["## Lamp", STORY, "## River", "### Part I", STORY, "### Part II", STORY, "## Home", STORY];
    let found = markdown(&headings);
    assert_eq!(chapters(&found), [(None, "Lamp"), (None, "River"), (None, "Home")]);
    assert!(found.chapters.iter().all(|one| one.volume.is_none()));
}

#[test]
fn parts_above_volumes_join_their_names() {
    let tale = |name: &'static str| [name, "#### I", STORY, "#### II", STORY, "#### III", STORY];
    let headings =
        [&["## The First Epoch"][..], &tale("### The Clerk"), &["## The Second Epoch"], &tale("### The Maid")];
    let found = markdown(&headings.concat());
    let volumes: Vec<_> = found.chapters.iter().filter_map(|one| one.volume.as_deref()).collect();
    assert_eq!((found.chapters.len(), found.warnings.len()), (6, 0), "{:?}", found.warnings);
    assert_eq!((volumes[0], volumes[5]), ("The First Epoch The Clerk", "The Second Epoch The Maid"));
}

#[test]
fn pages_around_the_book_are_no_chapters() {
    let chapter = |number: &str| format!("<body epub:type='bodymatter'><h2>{number}</h2><p>{STORY}</p></body>");
    let bodies = [
        "<body epub:type='frontmatter'><section epub:type='dedication'><h2>To Ann</h2><p>With love.</p></section></body>",
        "<body epub:type='frontmatter'><section epub:type='halftitlepage'><h2>The Lamp House</h2><p>A tale.</p></section></body>",
        "<body><h2>版权信息</h2><p>某出版社。</p></body>",
        &chapter("I"),
        &chapter("II"),
        "<body epub:type='bodymatter'><section epub:type='dedication'><h2>To a Great Man</h2><p>He had none.</p></section></body>",
        &chapter("III"),
    ];
    for mark in ["'", "\""] {
        let bodies = bodies.map(|body| body.replace('\'', mark));
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let found = read(&epub("Rain", &bodies));
        let titles: Vec<&str> = found.chapters.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles, ["I", "II", "To a Great Man", "III"], "in {mark}");
        assert!(found.front.contains("With love.") && found.front.contains("某出版社"), "{}", found.front);
    }
}

#[test]
fn a_page_with_the_title_of_the_book_and_its_author_is_no_chapter() {
    let page = |heading: &str| format!("<body><h1>{heading}</h1><p>{STORY}</p></body>");
    let bodies = ["<body><h1>Rain</h1><p>A. Nobody</p></body>".to_owned(), page("Lamp"), page("River")];
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let found = read(&epub("Rain", &bodies));
    assert_eq!(chapters(&found), [(None, "Lamp"), (None, "River")]);
}

#[test]
fn long_chapters_with_many_headings_below_are_warned_of() {
    let story = STORY.repeat(600);
    let scenes = ["## Rain", &story, "## Lamp", &story, "## River", &story, "## Gate", &story];
    let headings: Vec<&str> = [&["# One", STORY][..], &scenes, &["# Two", STORY], &scenes].concat();
    let found = markdown(&headings);
    assert_eq!(found.chapters.len(), 2);
    assert!(found.warnings.iter().any(|warning| matches!(warning, Warning::Unread { count: 8, .. })));
}

#[test]
fn counted_divisions_with_a_title_above_chapters_are_volumes() {
    let volume = |name: &str, title: &str, chapters: &[&str]| {
        let pages = chapters.iter().map(|number| format!("<body><h3>{number}</h3><p>{STORY}</p></body>"));
        let part = format!("<body><section><h2>{name}</h2><p>{title}</p></section></body>");
        std::iter::once(part).chain(pages).collect::<Vec<String>>()
    };
    let bodies = [
        volume("Phase the First", "The Ferry", &["I", "II", "III"]),
        volume("Phase the Second", "The Lamp", &["IV", "V", "VI"]),
        volume("Phase the Third", "The Sea", &["VII", "VIII", "IX"]),
    ]
    .concat();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let found = read(&epub("Rain", &bodies));
    let numbers: Vec<Option<u32>> = found.chapters.iter().map(|one| one.number).collect();
    assert_eq!(numbers, (1..=9).map(Some).collect::<Vec<_>>(), "{:?}", chapters(&found));
    assert_eq!(found.chapters[8].volume.as_deref(), Some("Phase the Third The Sea"));
    assert_eq!(found.chapters[0].text, STORY);
    assert_eq!(found.warnings, []);
}

#[test]
fn entries_above_others_in_the_table_of_contents_are_volumes() {
    let entry = |page: usize, label: &str| format!("<a href='p{page}.xhtml'>{label}</a>");
    let part = |first: usize, label: &str, numbers: [&str; 3]| {
        let chapters =
            numbers.into_iter().zip(first + 1..).map(|(number, page)| format!("<li>{}</li>", entry(page, number)));
        format!("<li>{}<ol>{}</ol></li>", entry(first, label), chapters.collect::<String>())
    };
    let parts = [
        part(0, "Phase the First", ["I", "II", "III"]),
        part(4, "Phase the Second", ["IV", "V", "VI"]),
        part(8, "Phase the Third", ["VII", "VIII", "IX"]),
    ];
    let nav = format!("<html><body><nav><ol>{}</ol></nav></body></html>", parts.concat());
    let body = |page: usize| match page {
        0 | 4 | 8 => "<body><p>The Ferry</p></body>".to_owned(),
        _ => format!("<body><p>{STORY}</p></body>"),
    };
    let bodies: Vec<String> = (0..12).map(body).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let found = read(&epub_with("Rain", &bodies, Some(&nav)));
    let numbers: Vec<Option<u32>> = found.chapters.iter().map(|one| one.number).collect();
    assert_eq!(numbers, (1..=9).map(Some).collect::<Vec<_>>(), "{:?}", chapters(&found));
    assert_eq!(found.chapters[3].volume.as_deref(), Some("Phase the Second The Ferry"));
}

#[test]
fn an_epilogue_with_chapters_of_its_own_is_a_part() {
    let part = |name: &'static str| [name, "## I", STORY, "## II", STORY, "## III", STORY];
    let found = markdown(&[part("# Part I"), part("# Part II"), part("# Epilogue")].concat());
    assert_eq!((found.chapters.len(), found.warnings.len()), (9, 0), "{:?}", found.warnings);
    assert_eq!(found.chapters[8].volume.as_deref(), Some("Epilogue"));
}

#[test]
fn a_page_with_the_heading_of_a_volume_only_is_a_volume() {
    let page = |number: &str| format!("<body><h1>Chapter {number}</h1><p>{STORY}</p></body>");
    let volume = |number: &str| format!("<body><div><big>VOLUME {number}</big></div></body>");
    let bodies = [volume("ONE"), page("I"), page("II"), page("III"), volume("TWO"), page("I"), page("II")];
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let found = read(&epub("Rain", &bodies));
    assert_eq!((found.chapters.len(), found.warnings.len()), (5, 0), "{:?}", found.warnings);
    assert_eq!(found.chapters[4].volume.as_deref(), Some("VOLUME TWO"));
}

#[test]
fn a_title_in_a_heading_of_its_own_is_that_of_the_number_above() {
    let chapter = |number: &str, title: &str| format!("<h3>CHAPTER {number}</h3><h3>{title}</h3><p>{STORY}</p>");
    let chapters_of =
        [chapter("I", "\"A Lamp by the River\""), chapter("II", "The Ferry"), chapter("III", "Conclusion")];
    let text = format!("<html><body><h1>Rain</h1>{}</body></html>", chapters_of.concat());
    let found = split(&ingest_named("a.html", text.as_bytes()), &SplitOptions::default()).unwrap();
    let titles = ["CHAPTER I \"A Lamp by the River\"", "CHAPTER II The Ferry", "CHAPTER III Conclusion"];
    let expected: Vec<(Option<u32>, &str)> = (1..).map(Some).zip(titles).collect();
    assert_eq!((chapters(&found), found.warnings.len()), (expected, 0), "{:?}", found.warnings);
    assert_eq!(found.chapters[2].text, STORY);
    // A chapter with text ends above the next name.
    let found = markdown(&["## Chapter 1", STORY, "## Chapter 2", STORY, "## Epilogue", STORY]);
    assert_eq!(chapters(&found), [(Some(1), "Chapter 1"), (Some(2), "Chapter 2"), (None, "Epilogue")]);
}

#[test]
fn chapters_above_sections_that_count_through_the_book_are_volumes() {
    let part = |name: &'static str, sections: [&'static str; 2]| [name, sections[0], STORY, sections[1], STORY];
    let parts = [
        &["# 人物表", STORY][..],
        &part("# 第一章 渡口", ["## 第一节 夜雨", "## 第二节 账本"]),
        &part("# 第二章 灯塔", ["## 第三节 夜客", "## 第四节 江桥"]),
        &part("# 第三章 归人", ["## 第五节 旧寨", "## 第六节 灯"]),
        &["# 第四章 后记", STORY],
    ];
    let found = markdown(&parts.concat());
    let numbers: Vec<u32> = found.chapters.iter().filter_map(|one| one.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6], "{:?}", chapters(&found));
    let volumes: Vec<Option<&str>> = found.chapters.iter().map(|one| one.volume.as_deref()).collect();
    assert_eq!((volumes[0], volumes[1], volumes[6]), (None, Some("第一章 渡口"), Some("第三章 归人")));
}

#[test]
fn a_heading_like_a_sentence_has_its_number_in_a_gap() {
    let found = markdown(&["## 第1回夜雨", STORY, "## 第2回独立渡口，四顾无人", STORY, "## 第3回灯", STORY]);
    let numbers: Vec<Option<u32>> = found.chapters.iter().map(|one| one.number).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3)]);
}

#[test]
fn links_to_the_chapters_of_a_page_are_no_unread_headings() {
    let numbers = ["I", "II", "III", "IV", "V", "VI"];
    let list: String = numbers.iter().map(|number| format!("<p><a>CHAPTER {number}</a></p>")).collect();
    let story = STORY.repeat(4);
    let chapters: String = numbers.iter().map(|number| format!("<h2>CHAPTER {number}</h2><p>{story}</p>")).collect();
    let text = format!("<html><body><h1>Rain</h1><h2>By A. Nobody</h2>{list}{chapters}</body></html>");
    let found = split(&ingest_named("a.html", text.as_bytes()), &SplitOptions::default()).unwrap();
    assert_eq!((found.chapters.len(), found.warnings.len()), (6, 0), "{:?}", found.warnings);
    assert_eq!(found.author.as_deref(), Some("A. Nobody"));
}
