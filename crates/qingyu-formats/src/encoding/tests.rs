use super::*;

const CHINESE: &str = "第一章 渡口\n船不开。沈砚站在河堤上，等了一夜。\n第二章 账本\n他把账本合上，没有说话。\n";

fn told(bytes: &[u8]) -> (String, Encoding) {
    let DecodedText { text, encoding } = decode(bytes, None).unwrap();
    (text, encoding)
}

#[test]
fn random_bytes_are_no_text() {
    // The generator of Park and Miller, so that the bytes are the same each time.
    let mut state = 42u64;
    let next = || {
        state = state * 48_271 % 0x7fff_ffff;
        (state >> 8) as u8
    };
    let bytes: Vec<u8> = std::iter::repeat_with(next).take(20_000).collect();
    for told in [None, Some("gb18030"), Some("windows-1252"), Some("utf-8"), Some("big5")] {
        assert!(matches!(decode(&bytes, told), Err(Error::NotText { .. })), "{told:?}");
    }
}

#[test]
fn a_lost_byte_is_one_bad_character_and_not_another_encoding() {
    // Every place of a lost byte and of a changed one.
    for at in 0..CHINESE.len() {
        let mut lost = CHINESE.as_bytes().to_vec();
        if lost.remove(at).is_ascii() {
            continue;
        }
        let mut changed = CHINESE.as_bytes().to_vec();
        changed[at] = 0xff;
        for bytes in [lost, changed] {
            let (text, encoding) = told(&bytes);
            assert_eq!((encoding.name.as_str(), encoding.by), ("UTF-8", TakenBy::Nearly), "byte {at}");
            assert!((1..=3).contains(&encoding.bad), "byte {at}: {encoding:?}");
            assert!(encoding.places[0].excerpt.contains('\u{fffd}'));
            assert_eq!(text.lines().count(), 4);
        }
    }
}

#[test]
fn the_encoding_of_damaged_gbk_and_big5_is_still_found() {
    let traditional = "第一章 渡口\n船不開。沈硯站在河堤上，等了一夜。\n第二章 賬本\n他把賬本合上，沒有說話。\n";
    for (text, encoding) in [(CHINESE, encoding_rs::GBK), (traditional, encoding_rs::BIG5)] {
        let whole = encoding.encode(text).0.into_owned();
        for at in (0..whole.len()).filter(|at| !whole[*at].is_ascii()) {
            let mut bytes = whole.clone();
            bytes[at] = 0xff;
            let (read, found) = told(&bytes);
            let name = if encoding == encoding_rs::GBK { "gb18030" } else { "Big5" };
            assert_eq!((found.name.as_str(), found.by), (name, TakenBy::Look), "byte {at}");
            assert!(matches!(found.proof, Some(Proof::CommonCharacters { percent: 30.. })), "{found:?}");
            assert_eq!(read.lines().count(), 4, "byte {at}");
            assert!(found.candidates.iter().all(|one| one.name != name && !one.sample.is_empty()));
        }
    }
}

#[test]
fn a_lost_byte_spoils_one_line_of_utf_16() {
    for little in [true, false] {
        let units = std::iter::once(0xfeff).chain(CHINESE.encode_utf16());
        let mut bytes: Vec<u8> =
            units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect();
        bytes.remove(30);
        let (text, encoding) = told(&bytes);
        assert_eq!(encoding.by, TakenBy::Mark);
        assert!(encoding.bad >= 1 && text.contains("第二章 账本\n他把账本合上，没有说话。"), "{text}");
    }
}

#[test]
fn short_texts_and_foreign_letters() {
    let cases: &[(&[u8], &str, &str)] = &[
        (b"\xc1\xaa\xcd\xa8", "gb18030", "联通"),
        ("café".as_bytes(), "UTF-8", "café"),
        ("Ümläute".as_bytes(), "UTF-8", "Ümläute"),
        (b"He sat in the caf\xe9 all day and wrote.", "windows-1252", "He sat in the café all day and wrote."),
        (b"plain", "UTF-8", "plain"),
    ];
    for (bytes, name, text) in cases {
        let (read, encoding) = told(bytes);
        assert_eq!((encoding.name.as_str(), read.as_str()), (*name, *text));
    }
}

#[test]
fn english_with_curly_quotes_survives_a_bad_byte() {
    let text = "“Not again,” she thought. It’s late—he’d gone.\n“Who’s there?” said the keeper’s wife.\n";
    let mut bytes = text.as_bytes().to_vec();
    bytes.insert(40, 0x9d);
    let (_, encoding) = told(&bytes);
    assert_eq!((encoding.name.as_str(), encoding.by, encoding.bad), ("UTF-8", TakenBy::Nearly, 1));
}

#[test]
fn what_the_caller_says_is_obeyed() {
    let mut bytes = CHINESE.as_bytes().to_vec();
    bytes[1] = 0xff;
    let decoded = decode(&bytes, Some("utf-8")).unwrap();
    assert_eq!(decoded.encoding.by, TakenBy::Told);
    assert!((1..=3).contains(&decoded.encoding.bad));
    let gbk = encoding_rs::GBK.encode(CHINESE).0;
    assert!(matches!(decode(&gbk, Some("utf-8")), Err(Error::NotText { candidates, .. }) if !candidates.is_empty()));
}

#[test]
fn a_hole_of_zeros_is_one_bad_place() {
    let (gbk, _, _) = GBK.encode(CHINESE);
    let middle = gbk.len() / 2;
    let middle = gbk[..middle].iter().rposition(|byte| *byte == b'\n').map_or(middle, |at| at + 1);
    let bytes = [&gbk[..middle], &[0; 6000], &gbk[middle..]].concat();
    let (text, encoding) = told(&bytes);
    assert_eq!((encoding.name.as_str(), text.lines().count()), ("gb18030", 4));
    assert!((1..=2).contains(&encoding.bad), "{encoding:?}");
}
