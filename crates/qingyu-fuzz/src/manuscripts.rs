//! Plain text, Markdown, EPUB and DOCX.

use std::io::{Cursor, Write};

use qingyu_formats::{
    Book, Error, Form, Format, Ingested, Layout, Limits, Opening, Reading, Splitting, read, split, write,
};
use qingyu_story::Language;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::input;

/// Limits that a short input reaches.
fn limits() -> Limits {
    Limits {
        file: 1 << 20,
        entries: 64,
        entry: 128 << 10,
        unpacked: 256 << 10,
        depth: 64,
        paragraphs: 4_096,
        ..Limits::default()
    }
}

/// Any bytes as a text, Markdown or a file of unknown kind, in an encoding that is named or found out: the first byte
/// chooses.
pub fn manuscript_text(bytes: &[u8]) {
    const ENCODINGS: [Option<&str>; 5] = [None, Some("utf-8"), Some("gbk"), Some("utf-16le"), Some("big5")];
    let (choice, text) = input::choice(bytes);
    let format = [Some(Format::Txt), Some(Format::Md), None][usize::from(choice) % 3];
    let encoding = ENCODINGS[usize::from(choice / 3) % ENCODINGS.len()].map(str::to_owned);
    let reading = Reading { format, encoding, limits: limits() };
    check(read(&mut &*text, &reading));
}

/// Any bytes as an archive.
pub fn manuscript_archive(bytes: &[u8]) {
    let bytes = if bytes.starts_with(b"PK\x03\x04") { bytes.to_vec() } else { [b"PK\x03\x04", bytes].concat() };
    check(read(&mut &*bytes, &Reading { limits: limits(), ..Reading::default() }));
}

/// Any bytes as the entries of an archive: a line `=== name` begins one. The archive itself is sound, so that what stands in
/// its entries is reached.
pub fn manuscript_entries(bytes: &[u8]) {
    let Some(archive) = packed(bytes) else { return };
    check(read(&mut &*archive, &Reading { limits: limits(), ..Reading::default() }));
}

/// The archive of the entries in `bytes`; none if they cannot stand in one.
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

/// What was read is within the limits, has every character in one place, and can go out again in each form.
fn check(result: Result<Ingested, Error>) {
    let ingested = match result {
        Ok(ingested) => ingested,
        Err(Error::Uncovered { .. } | Error::Chapter { .. } | Error::Read(_) | Error::Write(_)) => {
            panic!("a file is at fault, not its reader: {result:?}")
        }
        Err(_) => return,
    };
    let Limits { unpacked, paragraphs, entries, .. } = limits();
    // A byte of another encoding may take three, and a page may get the name that the table of contents has for it.
    assert!(ingested.text.len() as u64 <= 4 * unpacked.max(limits().file), "the text is no larger than its file");
    assert!(ingested.paragraphs.len() <= paragraphs + entries, "there are no more paragraphs than may be");
    let mut at = 0;
    for paragraph in &ingested.paragraphs {
        assert_eq!(paragraph.range.start, at, "paragraphs follow each other");
        at = paragraph.range.end + 1;
    }
    assert_eq!(at, ingested.text.len(), "the paragraphs are the text");
    for cut in [None, Some(40)] {
        let found = split(&ingested, &Splitting { cut, ..Splitting::default() }).expect("every character has a place");
        assert_eq!(found.coverage.characters(), ingested.text.chars().count());
        assert_eq!(found.coverage.chapters(), found.chapters.len());
        if cut.is_none() {
            goes_out(&found);
        }
    }
}

fn goes_out(found: &qingyu_formats::Split) {
    let book = Book { title: found.title.clone().unwrap_or_default(), author: found.author.clone(), ..Book::default() };
    let opening = |one: &qingyu_formats::Chapter| Opening { volume: one.volume.clone(), title: one.title.clone() };
    let openings: Vec<Opening> = found.chapters.iter().map(opening).collect();
    for form in [Form::Markdown, Form::Txt(Layout::plain(Language::Zh)), Form::Epub, Form::Docx] {
        let mut sink = Cursor::new(Vec::new());
        let mut texts = |chapter: usize| Ok(found.chapters[chapter].text.clone());
        write(&book, &openings, &mut texts, &form, &mut sink).expect("what was read can be written");
        let is_archive = matches!(form, Form::Epub | Form::Docx);
        match read(&mut sink.get_ref().as_slice(), &Reading::default()) {
            Ok(again) if is_archive => {
                split(&again, &Splitting::default()).expect("every character has a place");
            }
            Ok(_) | Err(Error::Empty) => {}
            // A text without a name may look like something else, such as a PDF.
            Err(_) if !is_archive => {}
            Err(error) => panic!("what was written can be read: {form:?}: {error}"),
        }
    }
}
