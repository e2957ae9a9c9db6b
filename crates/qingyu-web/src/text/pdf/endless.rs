//! Limits on a PDF's work for its parser, which draws every form and expands every range without a limit.

use pdf_extract::content::Content;
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

/// Maximum depth of the page tree, and of nested forms.
const DEEPEST: usize = 32;

/// Maximum bytes drawn on a page, each counted as often as drawn.
const MOST_DRAWN: usize = 32 << 20;

/// Cost of a form in addition to its bytes.
const COST: usize = 1 << 10;

/// Maximum codes listed in ranges by the fonts of a file.
const MOST_CODES: u64 = 1 << 20;

/// Returns whether the fonts list more codes than any real font: each code takes memory.
pub(super) fn fonts_are_endless(document: &Document) -> bool {
    let codes = document.objects.values().map(|object| codes_in(document, object));
    codes.fold(0, u64::saturating_add) > MOST_CODES
}

/// Returns the number of codes listed by the fonts in an object. Fonts may be nested in another object.
fn codes_in(document: &Document, object: &Object) -> u64 {
    let dictionary = match object {
        Object::Array(items) => {
            return items.iter().map(|item| codes_in(document, item)).fold(0, u64::saturating_add);
        }
        Object::Dictionary(dictionary) => dictionary,
        Object::Stream(stream) => &stream.dict,
        _ => return 0,
    };
    let inner = dictionary.iter().map(|(_, value)| codes_in(document, value)).fold(0, u64::saturating_add);
    let mapped = match followed(document, dictionary, b"ToUnicode") {
        Some(Object::Stream(map)) => ranges(&contents(map)).fold(0, u64::saturating_add),
        _ => 0,
    };
    let widths = followed(document, dictionary, b"W").and_then(|widths| widths.as_array().ok());
    // A code has two bytes; the last of a range may be any number.
    let is_code = |number: &Object| number.as_i64().map_or(true, |number| (0..=0xffff).contains(&number));
    let listed = if widths.into_iter().flatten().all(is_code) { 0 } else { u64::MAX };
    [inner, mapped, listed].into_iter().fold(0, u64::saturating_add)
}

/// Returns whether a page's forms are recursive, or exceed the maximum size. A form without resources of its own
/// inherits the resources of its parent, so no reference need lead back.
pub(super) fn drawings_are_endless(document: &Document, page: ObjectId) -> bool {
    let mut left = MOST_DRAWN;
    let mut content = Vec::new();
    for id in document.get_page_contents(page) {
        let Ok(stream) = document.get_object(id).and_then(Object::as_stream) else { continue };
        let piece = contents(stream);
        if !take(&mut left, piece.len()) {
            return true;
        }
        content.extend_from_slice(&piece);
        content.push(b'\n');
    }
    let empty = Dictionary::new();
    !draws(document, &content, resources(document, page).unwrap_or(&empty), 0, &mut left)
}

/// Returns the resources of a page, or of its nearest ancestor with resources.
pub(super) fn resources(document: &Document, page: ObjectId) -> Option<&Dictionary> {
    let mut node = document.get_dictionary(page).ok()?;
    for _ in 0..DEEPEST {
        if let Some(found) = followed(document, node, b"Resources").and_then(|it| it.as_dict().ok()) {
            return Some(found);
        }
        node = node.get(b"Parent").and_then(Object::as_reference).and_then(|id| document.get_dictionary(id)).ok()?;
    }
    None
}

/// Walks the forms like the parser; returns whether the walk ends within the limits.
fn draws(document: &Document, content: &[u8], resources: &Dictionary, depth: usize, left: &mut usize) -> bool {
    if depth > DEEPEST {
        return false;
    }
    // Undecodable content cannot be decoded by the parser either.
    let Ok(content) = Content::decode(content) else { return true };
    let drawings = followed(document, resources, b"XObject").and_then(|it| it.as_dict().ok());
    let Some(drawings) = drawings else { return true };
    content.operations.iter().filter(|operation| operation.operator == "Do").all(|operation| {
        let name = operation.operands.first().and_then(|name| name.as_name().ok());
        let Some(Object::Stream(drawing)) = name.and_then(|name| followed(document, drawings, name)) else {
            return true;
        };
        let inner = contents(drawing);
        let own = followed(document, &drawing.dict, b"Resources").and_then(|it| it.as_dict().ok());
        take(left, inner.len()) && draws(document, &inner, own.unwrap_or(resources), depth + 1, left)
    })
}

/// Takes the cost of a form from the budget; returns whether the budget sufficed.
fn take(left: &mut usize, bytes: usize) -> bool {
    let rest = left.checked_sub(bytes + COST);
    *left = rest.unwrap_or_default();
    rest.is_some()
}

/// Returns the value of a name, with references resolved.
pub(super) fn followed<'d>(document: &'d Document, dictionary: &'d Dictionary, name: &[u8]) -> Option<&'d Object> {
    let (_, object) = document.dereference(dictionary.get(name).ok()?).ok()?;
    Some(object)
}

/// Returns the bytes of a stream as decoded by the parser.
pub(super) fn contents(stream: &Stream) -> Vec<u8> {
    match stream.filters() {
        Ok(_) => stream.decompressed_content().unwrap_or_else(|_| stream.content.clone()),
        Err(_) => stream.content.clone(),
    }
}

/// Iterates over the sizes of the ranges in a Unicode map: the first two of three words between `beginbfrange` and
/// `endbfrange`. A range not written in hexadecimal digits counts as too large.
fn ranges(map: &[u8]) -> impl Iterator<Item = u64> {
    let text = String::from_utf8_lossy(map).into_owned();
    let mut counts = Vec::new();
    for section in text.split("beginbfrange").skip(1) {
        let section = section.split("endbfrange").next().unwrap_or_default();
        let mut words = section.trim_start();
        while let Some((from, until, rest)) = range(words) {
            counts.push(until.saturating_sub(from).saturating_add(1));
            words = rest.trim_start();
        }
        if !words.is_empty() {
            counts.push(u64::MAX);
        }
    }
    counts.into_iter()
}

/// Parses the two ends of a range and returns the text after its target, a word or a list of words.
fn range(text: &str) -> Option<(u64, u64, &str)> {
    let (from, rest) = code(text)?;
    let (until, rest) = code(rest)?;
    let rest = rest.trim_start();
    let end = if rest.starts_with('[') { rest.find(']')? } else { rest.strip_prefix('<')?.find('>')? + 1 };
    Some((from, until, &rest[end + 1..]))
}

/// Parses the number in angle brackets, and returns the rest.
fn code(text: &str) -> Option<(u64, &str)> {
    let (digits, rest) = text.trim_start().strip_prefix('<')?.split_once('>')?;
    let digits: String = digits.chars().filter(|digit| !digit.is_whitespace()).collect();
    Some((u64::from_str_radix(&digits, 16).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use crate::text::pdf::read;

    /// Returns a file of `objects`, counted from 1, with the catalogue first.
    fn file(objects: &[String]) -> Vec<u8> {
        let mut file = String::from("%PDF-1.5\n");
        let mut places = Vec::new();
        for (at, object) in objects.iter().enumerate() {
            places.push(file.len());
            file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
        }
        let table = file.len();
        let rows: String = places.iter().map(|place| format!("{place:010} 00000 n \n")).collect();
        let count = objects.len() + 1;
        file.push_str(&format!("xref\n0 {count}\n0000000000 65535 f \n{rows}"));
        file.push_str(&format!("trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"));
        file.into_bytes()
    }

    /// Returns a page with the content `/X Do`; `own` is inserted into the dictionary of the form `/X`, `drawing` is
    /// its content.
    fn with_drawing(own: &str, drawing: &str) -> Vec<u8> {
        let stream = |dictionary: &str, content: &str| {
            format!("<< {dictionary} /Length {} >>\nstream\n{content}\nendstream", content.len())
        };
        file(&[
            "<< /Type /Catalog /Pages 2 0 R >>".into(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>".into(),
            "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources 6 0 R >>".into(),
            stream("", "/X Do"),
            stream(&format!("/Type /XObject /Subtype /Form {own}"), drawing),
            "<< /XObject << /X 5 0 R >> /Font << /F1 7 0 R >> >>".into(),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".into(),
        ])
    }

    /// Returns the text of a file, or the reason of its refusal.
    fn told(file: &[u8]) -> String {
        match read(file, 1_000, &|| true) {
            Err(Error::Garbled { why }) => why,
            other => other.unwrap().text.trim().to_owned(),
        }
    }

    #[test]
    fn a_drawing_is_read_unless_it_draws_itself() {
        let text = "BT /F1 12 Tf 72 720 Td (The night market) Tj ET";
        assert_eq!(told(&with_drawing("", text)), "The night market");
        for drawing in [format!("{text} /X Do"), "/X Do ".repeat(10)] {
            assert_eq!(told(&with_drawing("", &drawing)), "none of its pages can be decoded");
        }
    }

    #[test]
    fn ranges_of_fonts_are_counted() {
        let count = |map: &str| ranges(map.as_bytes()).fold(0, u64::saturating_add);
        assert_eq!(count("2 beginbfrange <0041> <0043> <0061> <00 50><0050> [<0061> <0062>] endbfrange"), 4);
        assert_eq!(count("1 beginbfrange <00000000> <FFFFFFFF> <0000> endbfrange"), 1 << 32);
        assert_eq!(count("1 beginbfrange (a) (b) <0000> endbfrange"), u64::MAX);
        assert_eq!(count("1 beginbfchar <0041> <0061> endbfchar"), 0);
    }

    #[test]
    fn fonts_that_would_fill_the_memory_are_refused() {
        let font = |more: &str| {
            let map = "1 beginbfrange <00000000> <FFFFFFFF> <00000000> endbfrange";
            file(&[
                "<< /Type /Catalog /Pages 2 0 R >>".into(),
                "<< /Type /Pages /Kids [] /Count 0 >>".into(),
                format!("<< /Type /Font /Subtype /Type0 {more} >>"),
                format!("<< /Length {} >>\nstream\n{map}\nendstream", map.len()),
            ])
        };
        assert_eq!(told(&font("/ToUnicode 4 0 R")), "its fonts have too many codes");
        assert_eq!(told(&font("/W [0 4294967295 500]")), "its fonts have too many codes");
        assert_eq!(told(&font("/Inner [<< /F1 << /ToUnicode 4 0 R >> >>]")), "its fonts have too many codes");
        assert_eq!(told(&font("/W [0 65535 500]")), "");
    }
}
