//! Decoding of bytes into characters.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Bytes searched for the page's own declaration.
const HEAD: usize = 4_096;

/// Decodes `bytes`.
///
/// Tries in order: a byte order mark, the header, the page's own declaration, UTF-8, statistical detection. A
/// declaration that does not fit the bytes is skipped; if none fits, the least damaging is used. Latin-1 fits
/// everything, and many servers declare it by default, so it comes last.
pub(super) fn decode(bytes: &[u8], content_type: &str, is_html: bool) -> String {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[length..]).0.into_owned();
    }
    let mut candidates: Vec<&'static Encoding> = Vec::new();
    candidates.extend(label(content_type).and_then(Encoding::for_label));
    if is_html {
        candidates.extend(declared(&bytes[..bytes.len().min(HEAD)]));
    }
    candidates.push(UTF_8);
    candidates.push(guess(bytes));
    candidates.sort_by_key(|encoding| *encoding == WINDOWS_1252);
    let mut best: Option<(usize, String)> = None;
    for encoding in candidates {
        let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
        let damage = if had_errors { text.matches('\u{fffd}').count().max(1) } else { 0 };
        if best.as_ref().is_none_or(|(least, _)| damage < *least) {
            best = Some((damage, text.into_owned()));
        }
        if damage == 0 {
            break;
        }
    }
    best.map(|(_, text)| text).unwrap_or_default()
}

/// Returns the value of `charset=` in a content type.
fn label(content_type: &str) -> Option<&[u8]> {
    let at = content_type.find("charset=")? + "charset=".len();
    let value = content_type[at..].trim_start_matches(['"', '\'', ' ']);
    let end = value.find(['"', '\'', ';', ' ', '/', '>']).unwrap_or(value.len());
    Some(value[..end].trim().as_bytes())
}

/// Returns the declaration in a page's head. A page with a readable declaration is not in UTF-16, whatever the
/// declaration says.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let in_meta = head.split("<meta").skip(1).find_map(|tag| label(tag.split('>').next().unwrap_or_default()));
    let in_xml = || {
        head.split_once("encoding=").and_then(|(before, rest)| {
            let is_xml = before.trim_start().starts_with("<?xml");
            let value = rest.trim_start_matches(['"', '\'']);
            is_xml.then(|| &value.as_bytes()[..value.find(['"', '\'', '?']).unwrap_or(value.len())])
        })
    };
    let encoding = Encoding::for_label(in_meta.or_else(in_xml)?)?;
    Some(encoding.output_encoding())
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, GBK, SHIFT_JIS};

    use super::*;

    const WORDS: &str = "汴京的夜市三更方散，五更又开。东京梦华录里说，冬月虽大风雪阴雨，亦有夜市。";

    #[test]
    fn a_declaration_is_followed_as_far_as_it_fits() {
        let gbk = GBK.encode(WORDS).0.into_owned();
        let meta = |charset: &str| [format!("<meta charset={charset}><p>").as_bytes(), &gbk].concat();
        let old = b"<meta http-equiv=\"Content-Type\" content=\"text/html; charset=gb2312\" />";
        let cases: [(&str, Vec<u8>); 13] = [
            ("text/html; charset=gbk", gbk.clone()),
            ("text/html; charset=\"gb18030\"", gbk.clone()),
            ("text/html", meta("gb2312")),
            ("text/html", meta("'GBK'")),
            ("text/html", [old.as_slice(), &gbk].concat()),
            ("text/html; charset=utf-8", meta("gbk")),
            ("text/html; charset=iso-8859-1", meta("gbk")),
            ("text/html; charset=iso-8859-1", WORDS.as_bytes().to_vec()),
            ("text/html", gbk.clone()),
            ("text/html", WORDS.as_bytes().to_vec()),
            ("text/html; charset=gbk", ["\u{feff}", WORDS].concat().into_bytes()),
            ("text/html; charset=nonsense", WORDS.as_bytes().to_vec()),
            ("text/html", [b"<?xml version='1.0' encoding='gbk'?>".as_slice(), &gbk].concat()),
        ];
        for (content_type, bytes) in cases {
            let text = decode(&bytes, content_type, true);
            assert!(text.ends_with(WORDS), "{content_type}: {text}");
        }
    }

    #[test]
    fn other_scripts_are_known_too() {
        let text = "夜市は三更に終わり、五更にまた開く。";
        assert_eq!(decode(&SHIFT_JIS.encode(text).0, "text/html; charset=shift_jis", true), text);
        let text = "汴京的夜市三更方散，五更又開。";
        assert_eq!(decode(&BIG5.encode(text).0, "text/plain; charset=big5", false), text);
        assert_eq!(decode(b"caf\xe9 cr\xe8me", "text/plain; charset=iso-8859-1", false), "café crème");
    }
}
