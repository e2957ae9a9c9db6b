//! A book becomes a file, and that file the same book.

use proptest::prelude::*;
use qingyu_formats::{BookInfo, ChapterOpening, ManuscriptLength, OutputForm, SplitOptions, TextLayout, split};
use qingyu_story::Language;
use qingyu_story::prose::without_emphasis;

use crate::support::{ingest_named, opening, written};

fn book(language: Language) -> BookInfo {
    let author = Some("沈舟 & Co <x>".into());
    BookInfo {
        title: "雨夜".into(),
        author,
        language,
        identifier: "urn:x".into(),
        modified: "2026-01-02T03:04:05Z".into(),
        ..BookInfo::default()
    }
}

fn forms(language: Language) -> [(&'static str, OutputForm); 4] {
    [
        ("a.md", OutputForm::Markdown),
        ("a.txt", OutputForm::Txt(TextLayout::plain(language))),
        ("a.epub", OutputForm::Epub),
        ("a.docx", OutputForm::Docx),
    ]
}

fn back(name: &str, bytes: &[u8]) -> Vec<(ChapterOpening, String)> {
    let found = split(&ingest_named(name, bytes), &SplitOptions::default()).unwrap();
    assert_eq!(found.title.as_deref(), Some("雨夜"), "{name}");
    assert_eq!(found.author.as_deref(), Some("沈舟 & Co <x>"), "{name}");
    assert_eq!(found.front, "", "{name}");
    let chapter =
        |one: qingyu_formats::SplitChapter| (ChapterOpening { volume: one.volume, title: one.title }, one.text);
    found.chapters.into_iter().map(chapter).collect()
}

#[test]
fn volumes_come_back() {
    let chapters = [
        (opening(Some("第一卷 风起"), "第一章 来客"), "雨下了一夜。\n他来了。\n\n天亮了。".to_owned()),
        (opening(Some("第一卷 风起"), "第二章 灯"), "灯灭了。".to_owned()),
        (opening(Some("第二卷 海"), "第三章"), "海很大。\n风也大。".to_owned()),
    ];
    for (name, form) in forms(Language::Zh) {
        assert_eq!(back(name, &written(&book(Language::Zh), &chapters, &form)), chapters, "{name}");
    }
}

#[test]
fn titles_without_numbers_come_back_where_there_is_markup() {
    let chapters = [
        (opening(Some("风起"), "来客"), "雨。".to_owned()),
        (opening(Some("风起"), "灯 # 与 *星*"), "灯。".to_owned()),
        (opening(Some("海"), "潮"), "第九章 不是标题\n海。".to_owned()),
    ];
    for (name, form) in forms(Language::Zh).into_iter().filter(|(name, _)| *name != "a.txt") {
        assert_eq!(back(name, &written(&book(Language::Zh), &chapters, &form)), chapters, "{name}");
    }
}

#[test]
fn platforms() {
    let chapters =
        [(opening(None, "第十二章 夜雨"), "雨。\n灯。\n\n海。".to_owned()), (opening(None, "尾声"), "完。".to_owned())];
    let text = |layout| String::from_utf8(written(&book(Language::Zh), &chapters, &OutputForm::Txt(layout))).unwrap();
    assert_eq!(text(TextLayout::fanqie()), "第12章 夜雨\n\n　　雨。\n　　灯。\n\n　　海。\n\n\n尾声\n\n　　完。\n");
    assert!(text(TextLayout::qidian()).starts_with("第十二章 夜雨\n\n　　雨。"));
    assert!(text(TextLayout::plain(Language::Zh)).starts_with("《雨夜》\n作者：沈舟 & Co <x>\n\n\n第十二章 夜雨\n"));
    let english = [(opening(None, "Rain"), "It rained.\nHe came.".to_owned())];
    let bytes = written(&book(Language::En), &english, &OutputForm::Txt(TextLayout::plain(Language::En)));
    assert!(String::from_utf8(bytes).unwrap().ends_with("\n\n\nChapter 1: Rain\n\nIt rained.\n\nHe came.\n"));
}

/// Returns the text of an entry of an archive.
fn entry(bytes: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut archive.by_name(name).unwrap(), &mut text).unwrap();
    text
}

#[test]
fn emphasis_stays() {
    let text = "他*没有*来，写下**“两个字。”**他走了。\n* * *\n***都***";
    let chapters = [(opening(None, "第一章 夜雨"), text.to_owned())];
    let file = |form: &OutputForm| written(&book(Language::Zh), &chapters, form);
    let markdown = String::from_utf8(file(&OutputForm::Markdown)).unwrap();
    assert!(markdown.contains("他*没有*来，写下<strong>“两个字。”</strong>他走了。"), "{markdown}");
    assert!(markdown.contains("\n\n***都***\n"), "{markdown}");
    let page = entry(&file(&OutputForm::Epub), "OEBPS/text/c00001.xhtml");
    assert!(page.contains("<p>他<em>没有</em>来，写下<strong>“两个字。”</strong>他走了。</p>"), "{page}");
    let document = entry(&file(&OutputForm::Docx), "word/document.xml");
    assert!(document.contains("<w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\">没有</w:t>"), "{document}");
    assert!(document.contains("<w:rPr><w:b/><w:i/></w:rPr><w:t xml:space=\"preserve\">都</w:t>"), "{document}");
    let txt = String::from_utf8(file(&OutputForm::Txt(TextLayout::qidian()))).unwrap();
    assert!(txt.contains("他没有来，写下“两个字。”他走了。") && txt.contains("* * *"), "{txt}");
}

#[test]
fn emphasis_comes_back() {
    let text = "他*没有*来，写下**“两个字。”**他走了。\n***都***\n**雨*停***了。\n第四段。";
    let chapters = [(opening(None, "第一章 夜雨"), text.to_owned())];
    for (name, form) in forms(Language::Zh) {
        let expected = if name == "a.txt" { without_emphasis(text).into_owned() } else { text.to_owned() };
        let returned = back(name, &written(&book(Language::Zh), &chapters, &form));
        assert_eq!(returned, [(chapters[0].0.clone(), expected)], "{name}");
    }
}

#[test]
fn presets_of_stores_and_submissions() {
    let chapters = [(opening(None, "Chapter One"), "It *rained*.\n\nHe came.".to_owned())];
    let book = BookInfo { author: Some("Edith Pallow".into()), title: "Rain".into(), ..book(Language::En) };
    let kindle = written(&book, &chapters, &OutputForm::EpubWithoutCover);
    let package = entry(&kindle, "OEBPS/book.opf");
    assert!(!package.contains("cover-image") && package.contains("cover.xhtml"), "{package}");
    assert!(entry(&kindle, "OEBPS/cover.xhtml").contains("<h1>Rain</h1><p class=\"author\">Edith Pallow</p>"));
    let manuscript = written(&book, &chapters, &OutputForm::Manuscript(ManuscriptLength(92_400)));
    let document = entry(&manuscript, "word/document.xml");
    assert!(document.contains("about 92,000 words") && document.contains("by Edith Pallow"), "{document}");
    assert!(
        document.contains("<w:titlePg/>") && document.contains("<w:t xml:space=\"preserve\">#</w:t>"),
        "{document}"
    );
    assert!(entry(&manuscript, "word/header1.xml").contains("Pallow / RAIN / "));
    assert!(entry(&manuscript, "word/styles.xml").contains("<w:spacing w:line=\"480\" w:lineRule=\"auto\"/>"));
    let back = split(&ingest_named("a.docx", &manuscript), &SplitOptions::default()).unwrap();
    assert!(back.chapters.iter().any(|chapter| chapter.text.contains("It *rained*.")), "{back:?}");
}

#[test]
fn what_no_file_may_hold_is_shown_as_such() {
    let chapters = [(opening(None, "第一章 \u{1}"), "雨\u{0}\u{b}夜\u{fffe}。".to_owned())];
    for (name, form) in forms(Language::Zh).into_iter().filter(|(name, _)| matches!(*name, "a.epub" | "a.docx")) {
        assert_eq!(back(name, &written(&book(Language::Zh), &chapters, &form))[0].1, "雨��夜�。", "{name}");
    }
}

#[test]
fn a_chapter_that_cannot_be_had_is_named() {
    let openings = [opening(None, "第一章"), opening(None, "第二章")];
    let mut texts = |chapter| if chapter == 0 { Ok("雨".to_owned()) } else { Err("gone".into()) };
    let mut sink = std::io::Cursor::new(Vec::new());
    let result = qingyu_formats::write(&book(Language::Zh), &openings, &mut texts, &OutputForm::Epub, &mut sink);
    assert!(matches!(result, Err(qingyu_formats::Error::Chapter { chapter: 2, .. })));
}

/// Words as novels have them, and marks that mean something in one format or another.
fn paragraph() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "雨下了一夜。",
        "“你来了。”",
        "He said <no> & left.",
        "*星* _线_ `码`",
        "# 井号",
        "1. 数",
        "2) 数",
        "- 横",
        "+ 加",
        "=== 等",
        "> 引",
        "[链](x)",
        "![图](x)",
        "~~删~~",
        "a|b",
        "\\反斜",
        "&amp;",
        "<!-- x -->",
        "]]>",
        "——",
        "……",
        "𠀀",
        "é́",
    ]);
    prop_oneof![prop::collection::vec(words, 1..4).prop_map(|words| format!("话{}", words.join(" "))), words_alone()]
}

fn words_alone() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "# 井号".to_owned(),
        "1. 数。".into(),
        "12) 数。".into(),
        "- 横。".into(),
        "+ 加。".into(),
        "=等。".into(),
        "> 引。".into(),
    ])
}

fn text() -> impl Strategy<Value = String> {
    (prop::collection::vec((paragraph(), prop::bool::weighted(0.2)), 1..6)).prop_map(|lines| {
        let mut text = String::from("起头。\n第二段。\n第三段。\n第四段。\n第五段。\n第六段。\n第七段。");
        for (line, gap) in lines {
            text.push_str(if gap { "\n\n" } else { "\n" });
            text.push_str(&line);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_goes_out_comes_back(texts in prop::collection::vec(text(), 1..6), volumes in any::<bool>(), english in any::<bool>()) {
        let language = if english { Language::En } else { Language::Zh };
        let chapters: Vec<(ChapterOpening, String)> = texts.into_iter().enumerate().map(|(at, text)| {
            let volume = volumes.then(|| format!("第{}卷 风", qingyu_story::numerals::chinese(at as u32 / 2 + 1)));
            (ChapterOpening { volume, title: format!("第{}章 夜雨", qingyu_story::numerals::chinese(at as u32 + 1)) }, text)
        }).collect();
        for (name, form) in forms(language) {
            let bytes = written(&book(language), &chapters, &form);
            prop_assert_eq!(&bytes, &written(&book(language), &chapters, &form), "{} has other bytes the second time", name);
            let returned = back(name, &bytes);
            // A plain text has no bold and italic.
            let plain = |(opening, text): &(ChapterOpening, String)| (opening.clone(), without_emphasis(text).into_owned());
            let expected = if name == "a.txt" { chapters.iter().map(plain).collect() } else { chapters.clone() };
            prop_assert_eq!(returned, expected, "{}", name);
        }
    }
}
