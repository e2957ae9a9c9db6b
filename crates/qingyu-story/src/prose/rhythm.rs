//! Monotony: openings and lengths that repeat, sentences and paragraphs without end, strings of fragments.

use std::collections::BTreeMap;

use super::{Prose, Sentence, SlipKind, Voice, mix};
use crate::Language;
use crate::language::{is_han, is_letter};
use crate::numerals::is_plain_numeral;

/// So many neighbouring sentences that begin alike are a habit.
const SAME_OPENINGS: usize = 6;
/// So many neighbouring sentences of one length, give or take one, are a habit.
const SAME_LENGTHS: usize = 10;
/// So many neighbouring fragments are a telegram.
const FRAGMENTS: usize = 8;
/// So many paragraphs of a text may begin with the same words.
const PARAGRAPH_OPENINGS: usize = 4;

pub(super) fn look(text: &str, prose: &mut Prose) {
    let is_chinese = prose.language == Language::Zh;
    let (endless, wall, fragment) = if is_chinese { (160, 900, 4) } else { (100, 600, 3) };
    let mut slips = Vec::new();
    // `第一镇，…。第二镇，…。` is a list.
    let counts = |sentence: &Sentence| {
        let words = text[sentence.range.clone()].trim_start();
        let number = words.strip_prefix('第').and_then(|rest| rest.chars().next());
        number.is_some_and(is_plain_numeral) || words.starts_with(|c: char| c.is_ascii_digit())
    };
    for stretch in prose.sentences.chunk_by(|a, b| a.voice == Voice::Narrated && b.voice == Voice::Narrated) {
        let is_short = |sentence: &Sentence| sentence.length <= fragment;
        runs(stretch, FRAGMENTS, |_, sentence| is_short(sentence), |run| slips.push((SlipKind::Telegraphic, run)));
        runs(
            stretch,
            SAME_OPENINGS,
            |first, sentence| first.opening == sentence.opening && !counts(first) && !counts(sentence),
            |run| slips.push((SlipKind::SameOpening, run)),
        );
        let alike = |first: &Sentence, sentence: &Sentence| {
            !counts(sentence) && !is_short(sentence) && !is_short(first) && first.length.abs_diff(sentence.length) <= 1
        };
        runs(stretch, SAME_LENGTHS, alike, |run| slips.push((SlipKind::SameLength, run)));
    }
    let too_long =
        prose.sentences.iter().filter(|sentence| sentence.length > endless && sentence.voice != Voice::Apart);
    slips.extend(too_long.map(|sentence| (SlipKind::EndlessSentence, sentence.range.clone())));
    let walls = prose.paragraphs.iter().filter(|paragraph| paragraph.length > wall && paragraph.sentences.len() > 7);
    slips.extend(walls.map(|paragraph| (SlipKind::WallOfText, paragraph.range.clone())));
    for (kind, range) in slips {
        prose.slip(kind, range, None);
    }
    paragraph_openings(text, prose);
}

/// Reports the longest runs of at least `least` sentences that are all like their first.
fn runs(
    sentences: &[Sentence],
    least: usize,
    alike: impl Fn(&Sentence, &Sentence) -> bool,
    mut report: impl FnMut(std::ops::Range<usize>),
) {
    let mut from = 0;
    while from < sentences.len() {
        let length = sentences[from..].iter().take_while(|sentence| alike(&sentences[from], sentence)).count();
        if length >= least {
            report(sentences[from].range.start..sentences[from + length - 1].range.end);
        }
        from += length.max(1);
    }
}

/// Narrated paragraphs that begin with the same five Chinese characters or three words.
fn paragraph_openings(text: &str, prose: &mut Prose) {
    let mut openings: BTreeMap<u64, Vec<std::ops::Range<usize>>> = BTreeMap::new();
    for paragraph in &prose.paragraphs {
        let narrated = prose.sentences.get(paragraph.sentences.start).is_some_and(|s| s.voice == Voice::Narrated);
        if let Some((hash, end)) = opening(&text[paragraph.range.clone()]).filter(|_| narrated) {
            let start = paragraph.range.start;
            openings.entry(hash).or_default().push(start..start + end);
        }
    }
    let enough = PARAGRAPH_OPENINGS.max(prose.paragraphs.len() / 10);
    for range in openings.into_values().filter(|places| places.len() >= enough).flatten() {
        prose.slip(SlipKind::SameParagraphOpening, range, None);
    }
}

/// A hash of how the line begins, and where that ends; none if the line is too short to tell.
fn opening(line: &str) -> Option<(u64, usize)> {
    let (mut hash, mut han, mut words, mut in_word) = (0, 0, 0, false);
    for (at, c) in line.char_indices() {
        if is_han(c) {
            han += 1;
        } else if is_letter(c) {
            words += usize::from(!in_word);
        } else if in_word && words == 3 {
            return Some((hash, at));
        }
        in_word = is_letter(c) && !is_han(c);
        if is_letter(c) {
            hash = mix(hash, c.to_ascii_lowercase());
        }
        if han == 5 {
            return Some((hash, at + c.len_utf8()));
        }
    }
    None
}
