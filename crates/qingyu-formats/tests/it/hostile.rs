//! Files that mean harm are refused, in time and in little memory.

use std::io::Cursor;

use proptest::prelude::*;
use qingyu_formats::{Error, FileLimits, Format, ReadOptions, read};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::{ingest, zipped};

const TYPES: (&str, &str) = ("[Content_Types].xml", "<Types/>");

fn with_document(document: &str) -> Result<qingyu_formats::Ingested, Error> {
    ingest(&zipped(&[TYPES, ("word/document.xml", document)]))
}

#[test]
fn entities_and_document_types() {
    let bomb = "<!DOCTYPE a [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><document><p><t>&b;</t></p></document>";
    let outside = "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><document><p><t>x</t></p></document>";
    let unknown = "<document><p><t>&own;</t></p></document>";
    for document in [bomb, outside, unknown] {
        assert!(matches!(with_document(document), Err(Error::Refused { .. })), "{document}");
    }
}

#[test]
fn deep_broken_and_empty_documents() {
    let deep = "<a>".repeat(100_000);
    assert!(matches!(with_document(&deep), Err(Error::TooLarge { unit: "levels", .. })));
    assert!(matches!(with_document("<a><b></a>"), Err(Error::Damaged { .. })));
    assert!(matches!(with_document("<document/>"), Err(Error::Empty)));
    assert!(matches!(with_document("<document><p><t>x</t></p>"), Ok(_) | Err(Error::Damaged { .. })));
}

#[test]
fn bombs() {
    let zeros = " ".repeat(40 << 20);
    assert!(matches!(with_document(&zeros), Err(Error::TooLarge { unit: "bytes", .. })));
    let limits = FileLimits { entry: 1000, ..FileLimits::default() };
    let bytes = zipped(&[TYPES, ("word/document.xml", &" ".repeat(1001))]);
    let result = read(&mut bytes.as_slice(), &ReadOptions { limits, ..ReadOptions::default() });
    assert!(matches!(result, Err(Error::TooLarge { limit: 1000, .. })), "{result:?}");
    let limits = FileLimits { file: 10, ..FileLimits::default() };
    let result = read(&mut &b"eleven byte"[..], &ReadOptions { limits, ..ReadOptions::default() });
    assert!(matches!(result, Err(Error::TooLarge { limit: 10, .. })));
}

#[test]
fn too_many_entries() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in 0..10_001 {
        zip.start_file(format!("e{entry}"), SimpleFileOptions::default()).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    assert!(matches!(ingest(&bytes), Err(Error::TooLarge { unit: "entries", .. })));
}

/// An EPUB with one page, called `label`, that the reading order names `times` times.
fn with_spine(label: &str, times: usize) -> Result<qingyu_formats::Ingested, Error> {
    let container = "<container><rootfile full-path='a.opf'/></container>";
    let order = "<itemref idref='p'/>".repeat(times);
    let opf = format!(
        "<package><manifest><item id='p' href='p.xhtml' media-type='application/xhtml+xml'/>\
         <item id='n' href='n.xhtml' properties='nav'/></manifest><spine>{order}</spine></package>"
    );
    let nav = format!("<nav><a href='p.xhtml'>{label}</a></nav>");
    let page = "<html><body><p>雨夜</p></body></html>";
    ingest(&zipped(&[("META-INF/container.xml", container), ("a.opf", &opf), ("n.xhtml", &nav), ("p.xhtml", page)]))
}

#[test]
fn a_page_named_again_and_again_is_read_once() {
    let label = "灯".repeat(1_000);
    assert_eq!(with_spine(&label, 9_000).unwrap().text, format!("{label}\n雨夜\n"));
    assert!(matches!(with_spine(&label, 10_002), Err(Error::TooLarge { unit: "entries", .. })));
}

#[test]
fn more_paragraphs_than_may_be() {
    let breaks = "\n".repeat(2_000_000);
    assert!(matches!(ingest(breaks.as_bytes()), Err(Error::TooLarge { unit: "paragraphs", .. })));
    let empty = format!("<document>{}</document>", "<p/>".repeat(200));
    let limits = FileLimits { paragraphs: 199, ..FileLimits::default() };
    let bytes = zipped(&[TYPES, ("word/document.xml", &empty)]);
    let result = read(&mut bytes.as_slice(), &ReadOptions { limits, ..ReadOptions::default() });
    assert!(matches!(result, Err(Error::TooLarge { limit: 199, .. })), "{result:?}");
}

#[test]
fn more_marks_than_a_parser_can_hold() {
    let marks = "*a_ ".repeat(100);
    let reading = |marked| {
        let limits = FileLimits { marked, ..FileLimits::default() };
        read(&mut marks.as_bytes(), &ReadOptions { format: Some(Format::Md), limits, ..ReadOptions::default() })
    };
    assert!(matches!(reading(399), Err(Error::TooLarge { limit: 399, .. })));
    assert!(reading(400).is_ok());
}

#[test]
fn names_without_end() {
    let name = "a".repeat(2_000);
    let result = ingest(&zipped(&[TYPES, ("word/document.xml", "<a/>"), (&name, "x")]));
    assert!(matches!(result, Err(Error::TooLarge { limit: 1_024, .. })), "{result:?}");
}

#[test]
fn names_and_links_that_lead_elsewhere() {
    for name in ["../evil", "a/../../evil", "/etc/passwd", "C:\\evil", "\\\\host\\evil"] {
        let result = ingest(&zipped(&[TYPES, ("word/document.xml", "<a/>"), (name, "x")]));
        assert!(matches!(result, Err(Error::Refused { .. })), "{name}: {result:?}");
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("word/document.xml", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    assert!(matches!(ingest(&bytes), Err(Error::Refused { .. })));
}

/// Renames an entry in an archive without changing any length.
fn renamed(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from.as_bytes()) {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
    }
    bytes
}

#[test]
fn two_entries_of_one_name_or_in_one_place() {
    let bytes = zipped(&[TYPES, ("word/document.xml", "<a/>"), ("word/documenT.xml", "<b/>")]);
    let result = ingest(&renamed(&bytes, "word/documenT.xml", "word/document.xml"));
    assert!(matches!(result, Err(Error::Refused { .. })), "{result:?}");
    // The list of contents sends two names to the same bytes.
    let mut bytes = zipped(&[("a", "xxxx"), ("b", "xxxx")]);
    let central: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..].starts_with(b"PK\x01\x02")).collect();
    let first: Vec<u8> = bytes[central[0] + 42..central[0] + 46].to_vec();
    bytes[central[1] + 42..central[1] + 46].copy_from_slice(&first);
    assert!(matches!(ingest(&bytes), Err(Error::Refused { .. } | Error::Damaged { .. })));
}

#[test]
fn encrypted_entries() {
    let mut bytes = zipped(&[TYPES, ("word/document.xml", "<a/>")]);
    for at in 0..bytes.len() - 10 {
        if bytes[at..].starts_with(b"PK\x01\x02") {
            bytes[at + 8] |= 1;
        } else if bytes[at..].starts_with(b"PK\x03\x04") {
            bytes[at + 6] |= 1;
        }
    }
    assert!(matches!(ingest(&bytes), Err(Error::Protected { .. })));
    let container = "<container><rootfile full-path='a.opf'/></container>";
    let opf = "<package><manifest><item id='p' href='p.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='p'/></spine></package>";
    let protected = "<encryption><CipherReference URI='p.xhtml'/></encryption>";
    let entries = [
        ("META-INF/container.xml", container),
        ("META-INF/encryption.xml", protected),
        ("a.opf", opf),
        ("p.xhtml", "?"),
    ];
    assert!(matches!(ingest(&zipped(&entries)), Err(Error::Protected { .. })));
}

#[test]
fn a_page_that_is_missing_or_outside() {
    let container = "<container><rootfile full-path='../../a.opf'/></container>";
    let result = ingest(&zipped(&[("META-INF/container.xml", container)]));
    assert!(matches!(&result, Err(Error::Damaged { message, .. }) if message.contains("a.opf")), "{result:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn broken_archives_never_panic(places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30), cut in any::<prop::sample::Index>(), shorten in any::<bool>()) {
        let mut bytes = zipped(&[TYPES, ("word/document.xml", "<document><p><t>雨夜</t></p></document>"), ("x", "y")]);
        for (place, value) in places {
            let at = 4 + place.index(bytes.len() - 4);
            bytes[at] = value;
        }
        if shorten {
            bytes.truncate(4 + cut.index(bytes.len() - 4));
        }
        let _ = ingest(&bytes);
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = ingest(&bytes);
    }
}
