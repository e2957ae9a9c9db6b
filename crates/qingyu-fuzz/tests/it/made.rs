//! The seeds that are made and not written by hand: archives, a PDF, a cassette, journals.
//!
//! One that is missing is written, and has to be looked at and kept. After a form of these has changed, give the new ones other
//! names: what was stored in an older form is read all the same.

use std::io::{Cursor, Write};
use std::path::Path;

use qingyu_formats::{BookInfo, ChapterOpening, OutputForm, write};
use qingyu_llm::cassette::{RecordedCall, key};
use qingyu_llm::{ChatMessage, ChatRequest, Reply};
use qingyu_web::testing::pdf;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

#[test]
fn seeds_of_every_form_are_there() {
    let mut missing = Vec::new();
    let mut keep = |target: &str, file: &str, bytes: &[u8]| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target).join(file);
        if !path.exists() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
            missing.push(format!("{target}/{file}"));
        }
    };
    for (file, form) in [("book.epub", OutputForm::Epub), ("book.docx", OutputForm::Docx)] {
        let book = book(&form);
        keep("manuscript_archive", file, &book);
        keep("manuscript_entries", file, &unpacked(&book));
    }
    keep("manuscript_archive", "stored.docx", &stored());
    keep("web_pdf", "two_pages.pdf", &pdf("The night market (of Kaifeng)\nopened again."));
    keep("cassette", "calls.jsonl", cassette().as_bytes());
    let [waiting, ended] = qingyu_fuzz::journals_left();
    keep("journal", "waiting", waiting.as_bytes());
    keep("journal", "ended", ended.as_bytes());
    assert!(missing.is_empty(), "written anew: {missing:?}");
}

/// A book of two chapters in two volumes.
fn book(form: &OutputForm) -> Vec<u8> {
    let book = BookInfo { title: "雨夜".into(), author: Some("沈舟".into()), ..BookInfo::default() };
    let opening = |volume: &str, title: &str| ChapterOpening { volume: Some(volume.into()), title: title.into() };
    let openings = [opening("第一卷 风起", "第一章 来客"), opening("第二卷 海", "第二章 灯")];
    let mut texts = |chapter: usize| Ok(["雨下了一夜。\n“谁？”\n\n天亮了。", "灯灭了。"][chapter].to_owned());
    let mut sink = Cursor::new(Vec::new());
    write(&book, &openings, &mut texts, form, &mut sink).unwrap();
    sink.into_inner()
}

/// The entries of an archive as text, each after a line with its name.
fn unpacked(archive: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let mut text = Vec::new();
    for at in 0..zip.len() {
        let mut entry = zip.by_index(at).unwrap();
        let name = entry.name().unwrap().into_owned();
        writeln!(text, "=== {name}").unwrap();
        std::io::copy(&mut entry, &mut text).unwrap();
        text.push(b'\n');
    }
    text
}

/// The smallest document, not compressed, so that its bytes can be changed.
fn stored() -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in
        [("[Content_Types].xml", "<Types/>"), ("word/document.xml", "<document><p><t>雨夜</t></p></document>")]
    {
        zip.start_file(name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A header, a call that was answered, one that was cut short, and a mark.
fn cassette() -> String {
    let call = |words: &str, broken: Option<&str>| {
        let request = ChatRequest {
            purpose: "outline".into(),
            messages: vec![ChatMessage::user(words)],
            ..ChatRequest::default()
        };
        let reply = Reply { text: "{\"title\":\"雨夜\"}".into(), ..Reply::default() };
        let call = RecordedCall { key: key(&request), request, reply, broken: broken.map(str::to_owned) };
        let mut line = serde_json::to_value(call).unwrap();
        line["version"] = 1.into();
        line.to_string()
    };
    let header = r#"{"version":2,"header":{"run":"r-1","project":"p-1","kind":"create","prompts":{},"request":{"requirement":"雨夜"}}}"#;
    let mark = r#"{"version":2,"mark":{"kind":"end","body":{"status":"done"}}}"#;
    [header, &call("写大纲", None), &call("再写", Some("cut")), mark].map(|line| format!("{line}\n")).concat()
}
