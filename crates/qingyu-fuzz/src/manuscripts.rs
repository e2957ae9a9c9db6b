//! Plain text, Markdown, EPUB and DOCX.

use std::io::{Cursor, Write};

use qingyu_formats::{
    BookInfo, ChapterOpening, Error, FileLimits, Format, Ingested, OutputForm, ReadOptions, SplitOptions, TextLayout,
    read, split, write,
};
use qingyu_story::Language;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::input;

/// Returns limits within reach of a short input.
fn limits() -> FileLimits {
    FileLimits {
        file: 1 << 20,
        entries: 64,
        entry: 128 << 10,
        unpacked: 256 << 10,
        depth: 64,
        paragraphs: 4_096,
        ..FileLimits::default()
    }
}

/// Parses any bytes as text, Markdown or a file of unknown format, in a given or detected encoding, selected by the
/// first byte.
pub fn manuscript_text(bytes: &[u8]) {
    const ENCODINGS: [Option<&str>; 5] = [None, Some("utf-8"), Some("gbk"), Some("utf-16le"), Some("big5")];
    let (choice, text) = input::choice(bytes);
    let format = [Some(Format::Txt), Some(Format::Md), None][usize::from(choice) % 3];
    let encoding = ENCODINGS[usize::from(choice / 3) % ENCODINGS.len()].map(str::to_owned);
    let reading = ReadOptions { format, encoding, limits: limits() };
    check(read(&mut &*text, &reading));
}

/// Parses any bytes as an archive.
pub fn manuscript_archive(bytes: &[u8]) {
    let bytes = if bytes.starts_with(b"PK\x03\x04") { bytes.to_vec() } else { [b"PK\x03\x04", bytes].concat() };
    check(read(&mut &*bytes, &ReadOptions { limits: limits(), ..ReadOptions::default() }));
}

/// Parses any bytes as the entries of an archive, each beginning with a line `=== name`. The archive itself is valid,
/// to reach the parsers of its entries.
pub fn manuscript_entries(bytes: &[u8]) {
    let Some(archive) = packed(bytes) else { return };
    check(read(&mut &*archive, &ReadOptions { limits: limits(), ..ReadOptions::default() }));
}

/// Returns the archive of the entries in `bytes`; `None` if the entries are invalid.
fn packed(bytes: &[u8]) -> Option<Vec<u8>> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut is_open = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if let Some(name) = line.strip_prefix(b"=== ") {
            zip.start_file(String::from_utf8_lossy(name.trim_ascii()), options).ok()?;
            is_open = true;
        } else if is_open {
            zip.write_all(line).ok()?;
        }
    }
    Some(zip.finish().ok()?.into_inner())
}

/// Asserts the result is within the limits, has every character in a single part, and can be written in each form.
fn check(result: Result<Ingested, Error>) {
    let ingested = match result {
        Ok(ingested) => ingested,
        Err(Error::Uncovered { .. } | Error::Chapter { .. } | Error::Read(_) | Error::Write(_)) => {
            panic!("a file is at fault, not its reader: {result:?}")
        }
        Err(_) => return,
    };
    let FileLimits { unpacked, paragraphs, entries, .. } = limits();
    // A byte in another encoding may take three, and a name from the table of contents may be inserted into a page.
    assert!(ingested.text.len() as u64 <= 4 * unpacked.max(limits().file), "the text is no larger than its file");
    assert!(ingested.paragraphs.len() <= paragraphs + entries, "there are no more paragraphs than may be");
    let mut at = 0;
    for paragraph in &ingested.paragraphs {
        assert_eq!(paragraph.range.start, at, "paragraphs follow each other");
        at = paragraph.range.end + 1;
    }
    assert_eq!(at, ingested.text.len(), "the paragraphs are the text");
    for cut in [None, Some(40)] {
        let found =
            split(&ingested, &SplitOptions { cut, ..SplitOptions::default() }).expect("every character has a place");
        assert_eq!(found.coverage.characters(), ingested.text.chars().count());
        assert_eq!(found.coverage.chapters(), found.chapters.len());
        if cut.is_none() {
            goes_out(&found);
        }
    }
}

fn goes_out(found: &qingyu_formats::Split) {
    let book = BookInfo {
        title: found.title.clone().unwrap_or_default(),
        author: found.author.clone(),
        ..BookInfo::default()
    };
    let opening =
        |one: &qingyu_formats::SplitChapter| ChapterOpening { volume: one.volume.clone(), title: one.title.clone() };
    let openings: Vec<ChapterOpening> = found.chapters.iter().map(opening).collect();
    for form in
        [OutputForm::Markdown, OutputForm::Txt(TextLayout::plain(Language::Zh)), OutputForm::Epub, OutputForm::Docx]
    {
        let mut sink = Cursor::new(Vec::new());
        let mut texts = |chapter: usize| Ok(found.chapters[chapter].text.clone());
        write(&book, &openings, &mut texts, &form, &mut sink).expect("what was read can be written");
        let is_archive = matches!(form, OutputForm::Epub | OutputForm::Docx);
        match read(&mut sink.get_ref().as_slice(), &ReadOptions::default()) {
            Ok(again) if is_archive => {
                split(&again, &SplitOptions::default()).expect("every character has a place");
            }
            Ok(_) | Err(Error::Empty) => {}
            // A text without a file name may resemble another format, such as PDF.
            Err(_) if !is_archive => {}
            Err(error) => panic!("what was written can be read: {form:?}: {error}"),
        }
    }
}
