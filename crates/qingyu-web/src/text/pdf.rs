//! Extraction of the text of a PDF, without [`hidden`] parts.

mod endless;
mod hidden;
mod nesting;

use std::io::Write;

use flate2::write::ZlibDecoder;
use pdf_extract::{Dictionary, Document, PlainTextOutput, decode_text_string, output_doc_page};

use super::page::{PageText, WantedFn, garbled};
use crate::Error;

/// Maximum total size of a file's decompressed streams, in bytes.
const MOST_STREAM_BYTES: usize = 100 << 20;

/// Maximum pages read.
const MOST_PAGES: usize = 1_000;

/// Maximum size of a file with LZW streams, whose decompressed size is unknown in advance.
const MOST_LZW_BYTES: usize = 512 << 10;

/// Reads a file up to `limit` characters. A file that cannot be decoded, or needs a password, is garbled.
pub(super) fn read(bytes: &[u8], limit: usize, wanted: WantedFn<'_>) -> Result<PageText, Error> {
    refuse_bomb(bytes)?;
    let mut document = Document::load_mem(bytes).map_err(|_| garbled("it is no whole PDF"))?;
    if document.is_encrypted() {
        document.decrypt("").map_err(|_| garbled("it is encrypted"))?;
    }
    if endless::fonts_are_endless(&document) {
        return Err(garbled("its fonts have too many codes"));
    }
    let (mut text, mut failed) = (String::new(), 0);
    let pages = document.get_pages();
    for (number, id) in pages.iter().take(MOST_PAGES) {
        // The parser follows references without cycle detection; a stack overflow would abort the process.
        if nesting::refuses(&document, *id) || endless::drawings_are_endless(&document, *id) {
            failed += 1;
            continue;
        }
        hidden::remove(&mut document, *id);
        let mut page = String::new();
        match output_doc_page(&document, &mut PlainTextOutput::new(&mut page), *number) {
            Ok(()) => paragraphs(&page, &mut text),
            Err(_) => failed += 1,
        }
        // A character has at most four bytes.
        if text.len() > limit.saturating_mul(4) || !wanted() {
            break;
        }
    }
    match text.trim().is_empty() && failed > 0 {
        true => Err(garbled("none of its pages can be decoded")),
        false => Ok(PageText { title: title(&document).unwrap_or_default(), text, ..PageText::default() }),
    }
}

/// Appends a page's lines as paragraphs, one per line: joined with a space, except between Chinese characters.
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

/// Decompresses all streams without storing the result, before parsing: the parser has no limit of its own.
fn refuse_bomb(bytes: &[u8]) -> Result<(), Error> {
    let too_large = || Error::TooLarge { limit: MOST_STREAM_BYTES as u64 };
    if bytes.len() > MOST_LZW_BYTES && find(bytes, b"LZWDecode").is_some() {
        return Err(too_large());
    }
    let mut rest = bytes;
    while let Some(at) = find(rest, b"FlateDecode") {
        rest = &rest[at + b"FlateDecode".len()..];
        // Nested compression has no predictable size.
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
        let mut counter = ZlibDecoder::new(TextCounter { left });
        // Uncompressed or broken streams fail at the broken position; the preceding bytes were counted.
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

/// A writer that counts down from a limit.
struct TextCounter {
    left: usize,
}

impl Write for TextCounter {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::pdf;

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn pages_are_read_in_order_up_to_the_limit() {
        let file = pdf("The night market (of Kaifeng)\nopened again at the fifth watch.");
        let text = read(&file, 1_000, &|| true).unwrap().text;
        assert_eq!(text, "The night market (of Kaifeng)\nopened again at the fifth watch.");
        assert_eq!(read(&file, 5, &|| true).unwrap().text, "The night market (of Kaifeng)");
        assert_eq!(read(&file, 1_000, &|| false).unwrap().text, "The night market (of Kaifeng)", "nobody waits");
    }

    #[test]
    fn lines_become_paragraphs() {
        let mut text = String::new();
        paragraphs("\n\nA line\nand more.\n\n夜市三更\n方散。\n\n", &mut text);
        assert_eq!(text, "A line and more.\n夜市三更方散。");
    }

    #[test]
    fn broken_files_are_garbled() {
        let whole = pdf("The night market");
        for file in [b"%PDF-1.4\n".to_vec(), whole[..whole.len() / 3].to_vec(), b"%PDF-1.4 trailer << >>".to_vec()] {
            let error = read(&file, 1_000, &|| true).map(|text| text.text);
            assert!(matches!(&error, Err(Error::Garbled { .. })) || error.as_deref() == Ok(""), "{error:?}");
        }
    }

    #[test]
    fn streams_that_grow_without_measure_are_refused() {
        let bomb = deflated(&vec![0; MOST_STREAM_BYTES / 2 + 1]);
        let stream = |filter: &str, bytes: &[u8]| {
            [format!("1 0 obj << /Filter {filter} >>\nstream\n").as_bytes(), bytes, b"\nendstream endobj\n"].concat()
        };
        let once = stream("/FlateDecode", &bomb);
        assert_eq!(refuse_bomb(&once), Ok(()));
        let twice = [once.clone(), once].concat();
        assert_eq!(refuse_bomb(&twice).unwrap_err().code(), "too_large");
        let nested = stream("[ /FlateDecode /FlateDecode ]", b"x");
        assert_eq!(refuse_bomb(&nested).unwrap_err().code(), "too_large");
        assert_eq!(refuse_bomb(&b"stream\n".repeat(10_000)), Ok(()));
    }
}
