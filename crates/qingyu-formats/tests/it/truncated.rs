//! Files that end in the middle: what was read is said, or the file is refused with the place.

use qingyu_formats::{Error, Ingested, SplitOptions, Warning, folder, split};

use crate::support::{ingest, ingest_named, zipped};

const CHAPTERS: &str = r"{\rtf1\ansi\ansicpg936 {\b Chapter 1: The Gate}\par It rained all night.\par Chapter 2: The Lamp\par Nobody spoke";

/// Returns the warnings of files that end in the middle.
fn truncations(ingested: &Ingested) -> Vec<Warning> {
    let mut warnings = split(ingested, &SplitOptions::default()).unwrap().warnings;
    warnings.retain(|warning| matches!(warning, Warning::Truncated { .. }));
    warnings
}

fn assert_cut_off(bytes: &[u8], place: &str) {
    let result = ingest(bytes);
    let is_told = matches!(&result, Err(Error::Damaged { place: told, message })
        if told == place && message.contains("it ends in the middle"));
    assert!(is_told, "{place}: {result:?}");
}

#[test]
fn an_rtf_without_its_end_is_told_with_its_last_words() {
    let found = split(&ingest(CHAPTERS.as_bytes()).unwrap(), &SplitOptions::default()).unwrap();
    let told = Warning::Truncated { place: None, characters: 60, last: "Nobody spoke".into() };
    assert_eq!(found.warnings.first(), Some(&told));
    assert_eq!(found.chapters.last().unwrap().text, "Nobody spoke");
    let whole = format!("{CHAPTERS}.\\par}}");
    assert_eq!(truncations(&ingest(whole.as_bytes()).unwrap()), []);
    assert_cut_off(b"{\\rtf1\\ansi{\\fonttbl{\\f0 Times", "the file");
}

#[test]
fn a_file_of_several_is_named() {
    let rtf = ingest_named("b.rtf", CHAPTERS.as_bytes());
    let files = vec![("a.txt".to_owned(), ingest_named("a.txt", b"It was late.\n")), ("b.rtf".to_owned(), rtf)];
    let told = truncations(&folder::join(files).unwrap());
    assert!(matches!(&told[..], [Warning::Truncated { place: Some(place), .. }] if place == "b.rtf"), "{told:?}");
}

#[test]
fn an_archive_without_its_end_is_refused() {
    let whole = zipped(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", "<document><p/></document>")]);
    for length in [30, whole.len() / 2, whole.len() - 10] {
        assert_cut_off(&whole[..length], "the archive");
    }
}

#[test]
fn a_main_part_without_its_end_is_refused() {
    let docx = zipped(&[
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", "<document><body><p><r><t>It rained.</t></r></p><p><r>"),
    ]);
    assert_cut_off(&docx, "word/document.xml");
    let content = "<document-content><body><text><p>雨下了一夜。</p>";
    let odt = zipped(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", content)]);
    assert_cut_off(&odt, "content.xml");
    assert_cut_off(&epub("<package><manifest/><spine>", ""), "a.opf");
}

#[test]
fn a_page_without_its_end_is_told() {
    let package = "<package><manifest><item id='p' href='p.xhtml' media-type='application/xhtml+xml'/></manifest>\
        <spine><itemref idref='p'/></spine></package>";
    let whole = "<html><body><h1>第一章</h1><p>雨下了一夜。</p></body></html>";
    assert_eq!(truncations(&ingest(&epub(package, whole)).unwrap()), []);
    let cut = whole.replace("</p></body></html>", "");
    let told = Warning::Truncated { place: Some("p.xhtml".into()), characters: 9, last: "雨下了一夜。".into() };
    assert_eq!(truncations(&ingest(&epub(package, &cut)).unwrap()), [told]);
}

fn epub(package: &str, page: &str) -> Vec<u8> {
    let container = "<container><rootfile full-path='a.opf'/></container>";
    zipped(&[("META-INF/container.xml", container), ("a.opf", package), ("p.xhtml", page)])
}
