//! Small changes to bytes, as a fuzzer makes them. A failing row of them is shortened like any other case.

use proptest::prelude::*;
use proptest::sample::Index;

/// Words that parsers treat in a special way.
const WORDS: [&[u8]; 36] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b",",
    b":",
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"0.1",
    b"\n",
    b"\r\n",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"<",
    b"</",
    b"/>",
    b"&",
    b"&#0;",
    b"<![CDATA[",
    b"<!DOCTYPE a [",
    b"=== ",
    b"data: ",
    b"\t",
    "第一章".as_bytes(),
    "“".as_bytes(),
    "𠀀".as_bytes(),
    "\u{202e}".as_bytes(),
];

/// One change.
#[derive(Debug, Clone)]
pub(crate) enum InputChange {
    /// Another value for a byte.
    Byte(Index, u8),
    /// A word that means something, put in.
    Word(Index, Index),
    /// Some bytes less.
    Less(Index, usize),
    /// Some bytes once more, so many times.
    Again(Index, usize, usize),
    /// The end is missing.
    Cut(Index),
    /// From here on as another seed goes on.
    Joined(Index, Index, Index),
}

pub(crate) fn changes() -> impl Strategy<Value = Vec<InputChange>> {
    let at = any::<Index>;
    let change = prop_oneof![
        4 => (at(), any::<u8>()).prop_map(|(at, byte)| InputChange::Byte(at, byte)),
        4 => (at(), at()).prop_map(|(at, word)| InputChange::Word(at, word)),
        2 => (at(), 1..40_usize).prop_map(|(at, length)| InputChange::Less(at, length)),
        2 => (at(), 1..40_usize, 1..20_usize).prop_map(|(at, length, times)| InputChange::Again(at, length, times)),
        1 => at().prop_map(InputChange::Cut),
        1 => (at(), at(), at()).prop_map(|(at, other, from)| InputChange::Joined(at, other, from)),
    ];
    prop::collection::vec(change, 1..8)
}

/// The bytes after the changes.
pub(crate) fn changed(bytes: &[u8], changes: &[InputChange], seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes {
        let place = |at: &Index, bytes: &[u8]| at.index(bytes.len() + 1);
        match change {
            InputChange::Byte(at, value) if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] = *value;
            }
            InputChange::Byte(_, value) => bytes.push(*value),
            InputChange::Word(at, word) => {
                let at = place(at, &bytes);
                bytes.splice(at..at, word.get(&WORDS).iter().copied());
            }
            InputChange::Less(at, length) => {
                let at = place(at, &bytes);
                let end = bytes.len().min(at + length);
                bytes.drain(at..end);
            }
            InputChange::Again(at, length, times) => {
                let at = place(at, &bytes);
                let again = bytes[at..bytes.len().min(at + length)].repeat(*times);
                bytes.splice(at..at, again);
            }
            InputChange::Cut(at) => bytes.truncate(place(at, &bytes)),
            InputChange::Joined(at, other, from) => {
                bytes.truncate(place(at, &bytes));
                let other = other.get(seeds);
                bytes.extend_from_slice(&other[place(from, other)..]);
            }
        }
    }
    bytes
}
