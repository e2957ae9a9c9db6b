//! A document of Markdown as DOCX.

use std::io::{Cursor, Read};

use qingyu_formats::{BookInfo, ParagraphRole, ReadOptions, read, write_markdown};

const TEXT: &str = "# 定价 & <课>\n\n第一段，**粗**和*斜*，[链接](https://a.example/?x=1&y=2)。\n换行\n\n## 列表\n\n- 甲\n- 乙\n  1. 一\n  2. 二\n\n> 引文\n\n| 秒 | 画面 |\n|---|---|\n| 3 | 雨 |\n\n```\na < b\n  c\n```\n\n---\n\n末 <https://b.example/>\n";

fn written(text: &str) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    write_markdown(&BookInfo { title: "定价".into(), ..BookInfo::default() }, text, &mut file).unwrap();
    file.into_inner()
}

#[test]
fn what_was_written_is_read_back() {
    let bytes = written(TEXT);
    let ingested = read(&mut bytes.as_slice(), &ReadOptions::default()).unwrap();
    let headings: Vec<_> = ingested
        .paragraphs
        .iter()
        .filter_map(|paragraph| match paragraph.role {
            ParagraphRole::Heading(level) => Some((level, ingested.text[paragraph.range.clone()].to_owned())),
            _ => None,
        })
        .collect();
    assert_eq!(headings, [(1, "定价 & <课>".to_owned()), (2, "列表".to_owned())]);
    for words in ["第一段，粗和斜，链接。换行", "甲", "一", "二", "引文", "秒", "雨", "a < b", "末 https://b.example/"]
    {
        assert!(ingested.text.contains(words), "{words} is missing in {}", ingested.text);
    }
    assert_eq!(ingested.title.as_deref(), Some("定价"));
}

#[test]
fn marks_stand_where_they_were_and_bytes_are_the_same_each_time() {
    let bytes = written(TEXT);
    assert_eq!(bytes, written(TEXT));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut document = String::new();
    archive.by_name("word/document.xml").unwrap().read_to_string(&mut document).unwrap();
    for part in [
        "<w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">粗",
        "<w:i/></w:rPr><w:t xml:space=\"preserve\">斜",
        "<w:tblHeader/>",
        "w:val=\"Quote\"",
        "w:val=\"Code\"",
    ] {
        assert!(document.contains(part), "{part}");
    }
    assert!(document.contains("<w:hyperlink r:id=\"rIdLink1\"") && document.contains("<w:numId w:val=\"2\"/>"));
    let mut part = |name: &str| {
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let relations = part("word/_rels/document.xml.rels");
    assert!(relations.contains("Target=\"https://a.example/?x=1&amp;y=2\" TargetMode=\"External\""), "{relations}");
    let numbering = part("word/numbering.xml");
    assert!(numbering.contains("<w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/>"), "bullets: {numbering}");
    assert!(numbering.contains("<w:num w:numId=\"2\"><w:abstractNumId w:val=\"1\"/>"), "numbers: {numbering}");
    assert!(part("[Content_Types].xml").contains("/word/numbering.xml"));
    let counts = ["<w:tbl>", "</w:tbl>", "<w:tc>", "</w:tc>"].map(|part| document.matches(part).count());
    assert_eq!(counts, [1, 1, 4, 4]);
}

#[test]
fn hardly_anything_is_a_document_too() {
    for text in ["", "\n\n", "- ", "| a |", "> - # x\n>   y\0"] {
        assert!(
            read(&mut written(text).as_slice(), &ReadOptions::default()).is_ok()
                || text.trim().is_empty()
                || text == "- ",
            "{text:?}"
        );
    }
}
