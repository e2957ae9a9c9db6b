//! The text of a PDF.

use std::io::Write;

use flate2::write::ZlibDecoder;
use pdf_extract::{Dictionary, Document, PlainTextOutput, decode_text_string, output_doc_page};

use super::{Text, garbled};
use crate::Error;

/// The most bytes that all streams of a file may have, decompressed.
const MOST_STREAM_BYTES: usize = 100 << 20;

/// The most pages that are read.
const MOST_PAGES: usize = 1_000;

/// The largest file whose streams may be compressed in the old way, the size of which cannot be told beforehand.
const MOST_LZW_BYTES: usize = 512 << 10;

/// Reads a file until there are `limit` characters. A file that cannot be decoded is garbled; so is one that needs a password.
pub(super) fn read(bytes: &[u8], limit: usize) -> Result<Text, Error> {
    refuse_bomb(bytes)?;
    let mut document = Document::load_mem(bytes).map_err(|_| garbled("it is no whole PDF"))?;
    if document.is_encrypted() {
        document.decrypt("").map_err(|_| garbled("it is encrypted"))?;
    }
    let (mut text, mut failed) = (String::new(), 0);
    let pages = document.get_pages();
    for number in pages.keys().take(MOST_PAGES) {
        let mut page = String::new();
        match output_doc_page(&document, &mut PlainTextOutput::new(&mut page), *number) {
            Ok(()) => paragraphs(&page, &mut text),
            Err(_) => failed += 1,
        }
        // A character has at most four bytes.
        if text.len() > limit.saturating_mul(4) {
            break;
        }
    }
    match text.trim().is_empty() && failed > 0 {
        true => Err(garbled("none of its pages can be decoded")),
        false => Ok(Text { title: title(&document).unwrap_or_default(), text, ..Text::default() }),
    }
}

/// Joins the lines of a page to paragraphs, one per line: with a space, but not between Chinese characters.
fn paragraphs(page: &str, text: &mut String) {
    let mut is_open = false;
    for line in page.lines().map(str::trim) {
        if line.is_empty() {
            is_open = false;
            continue;
        }
        match (is_open, text.chars().last()) {
            (true, Some(last)) if last.is_ascii() || line.starts_with(|first: char| first.is_ascii()) => text.push(' '),
            (true, _) | (_, None) => {}
            (false, Some(_)) => text.push('\n'),
        }
        text.push_str(line);
        is_open = true;
    }
}

fn title(document: &Document) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let (_, info) = document.dereference(info).ok()?;
    let info: &Dictionary = info.as_dict().ok()?;
    decode_text_string(info.get(b"Title").ok()?).ok()
}

/// Decompresses all streams to nowhere before anything is kept: the parser has no limit of its own.
fn refuse_bomb(bytes: &[u8]) -> Result<(), Error> {
    let too_large = || Error::TooLarge { limit: MOST_STREAM_BYTES as u64 };
    if bytes.len() > MOST_LZW_BYTES && find(bytes, b"LZWDecode").is_some() {
        return Err(too_large());
    }
    let mut rest = bytes;
    while let Some(at) = find(rest, b"FlateDecode") {
        rest = &rest[at + b"FlateDecode".len()..];
        // One layer within another has no size that could be told.
        let filters = &rest[..rest.iter().take(64).position(|byte| matches!(byte, b']' | b'>')).unwrap_or(0)];
        if find(filters, b"FlateDecode").is_some() {
            return Err(too_large());
        }
    }
    let mut left = MOST_STREAM_BYTES;
    let mut rest = bytes;
    while let Some(at) = find(rest, b"stream") {
        rest = &rest[at + b"stream".len()..];
        let start = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | b' ')).count();
        if start == 0 {
            continue;
        }
        let (stream, after) = match find(rest, b"endstream") {
            Some(end) => (rest.get(start..end).unwrap_or_default(), &rest[end + b"endstream".len()..]),
            None => (&rest[start..], [].as_slice()),
        };
        let mut counter = ZlibDecoder::new(Counter { left });
        // What is not compressed, or broken, fails where it is broken; what came before was counted.
        let _broken = counter.write_all(stream).and_then(|()| counter.try_finish());
        left = counter.get_ref().left;
        if left == 0 {
            return Err(too_large());
        }
        rest = after;
    }
    Ok(())
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}

/// Counts down to nothing.
struct Counter {
    left: usize,
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.left = self.left.saturating_sub(bytes.len());
        match self.left {
            0 => Err(std::io::Error::other("over the limit")),
            _ => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
