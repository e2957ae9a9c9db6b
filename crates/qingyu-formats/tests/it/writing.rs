//! A book becomes a file, and that file the same book.

use proptest::prelude::*;
use qingyu_formats::{Book, Form, Layout, Opening, Splitting, split};
use qingyu_story::Language;

use crate::support::{ingest_named, opening, written};

fn book(language: Language) -> Book {
    let author = Some("沈舟 & Co <x>".into());
    Book {
        title: "雨夜".into(),
        author,
        language,
        identifier: "urn:x".into(),
        modified: "2026-01-02T03:04:05Z".into(),
        ..Book::default()
    }
}

fn forms(language: Language) -> [(&'static str, Form); 4] {
    [
        ("a.md", Form::Markdown),
        ("a.txt", Form::Txt(Layout::plain(language))),
        ("a.epub", Form::Epub),
        ("a.docx", Form::Docx),
    ]
}

fn back(name: &str, bytes: &[u8]) -> Vec<(Opening, String)> {
    let found = split(&ingest_named(name, bytes), &Splitting::default()).unwrap();
    assert_eq!(found.title.as_deref(), Some("雨夜"), "{name}");
    assert_eq!(found.author.as_deref(), Some("沈舟 & Co <x>"), "{name}");
    assert_eq!(found.front, "", "{name}");
    let chapter = |one: qingyu_formats::Chapter| (Opening { volume: one.volume, title: one.title }, one.text);
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
    let text = |layout| String::from_utf8(written(&book(Language::Zh), &chapters, &Form::Txt(layout))).unwrap();
    assert_eq!(text(Layout::fanqie()), "第12章 夜雨\n\n　　雨。\n　　灯。\n\n　　海。\n\n\n尾声\n\n　　完。\n");
    assert!(text(Layout::qidian()).starts_with("第十二章 夜雨\n\n　　雨。"));
    assert!(text(Layout::plain(Language::Zh)).starts_with("《雨夜》\n作者：沈舟 & Co <x>\n\n\n第十二章 夜雨\n"));
    let english = [(opening(None, "Rain"), "It rained.\nHe came.".to_owned())];
    let bytes = written(&book(Language::En), &english, &Form::Txt(Layout::plain(Language::En)));
    assert!(String::from_utf8(bytes).unwrap().ends_with("\n\n\nChapter 1: Rain\n\nIt rained.\n\nHe came.\n"));
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
    let result = qingyu_formats::write(&book(Language::Zh), &openings, &mut texts, &Form::Epub, &mut sink);
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
        let chapters: Vec<(Opening, String)> = texts.into_iter().enumerate().map(|(at, text)| {
            let volume = volumes.then(|| format!("第{}卷 风", qingyu_story::numerals::chinese(at as u32 / 2 + 1)));
            (Opening { volume, title: format!("第{}章 夜雨", qingyu_story::numerals::chinese(at as u32 + 1)) }, text)
        }).collect();
        for (name, form) in forms(language) {
            let bytes = written(&book(language), &chapters, &form);
            prop_assert_eq!(&bytes, &written(&book(language), &chapters, &form), "{} has other bytes the second time", name);
            prop_assert_eq!(back(name, &bytes), chapters.clone(), "{}", name);
        }
    }
}
