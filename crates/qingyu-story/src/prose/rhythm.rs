//! Monotony: repeated openings and lengths, endless sentences and paragraphs, series of fragments.

use std::collections::BTreeMap;

use super::{Prose, ProseSentence, SentenceVoice, SlipKind, mix};
use crate::Language;
use crate::language::{is_han, is_letter};
use crate::marks;
use crate::numerals::is_plain_numeral;

/// The minimum number of neighbouring sentences with the same opening to report.
const SAME_OPENINGS: usize = 6;
/// The minimum number of neighbouring sentences of equal length (±1) to report.
const SAME_LENGTHS: usize = 10;
/// The minimum number of neighbouring fragments to report.
const FRAGMENTS: usize = 8;
/// The maximum number of paragraphs of a text with the same opening words.
const PARAGRAPH_OPENINGS: usize = 4;

pub(super) fn look(text: &str, prose: &mut Prose) {
    let is_chinese = prose.language == Language::Zh;
    let (endless, wall, fragment) = if is_chinese { (160, 900, 4) } else { (100, 600, 3) };
    let mut slips = Vec::new();
    // `第一镇，…。第二镇，…。` is a list.
    let counts = |sentence: &ProseSentence| {
        let words = text[sentence.range.clone()].trim_start();
        let number = words.strip_prefix('第').and_then(|rest| rest.chars().next());
        number.is_some_and(is_plain_numeral) || words.starts_with(|c: char| c.is_ascii_digit())
    };
    for stretch in
        prose.sentences.chunk_by(|a, b| a.voice == SentenceVoice::Narrated && b.voice == SentenceVoice::Narrated)
    {
        let is_short = |sentence: &ProseSentence| sentence.length <= fragment;
        runs(stretch, FRAGMENTS, |_, sentence| is_short(sentence), |run| slips.push((SlipKind::Telegraphic, run)));
        runs(
            stretch,
            SAME_OPENINGS,
            |first, sentence| first.opening == sentence.opening && !counts(first) && !counts(sentence),
            |run| {
                if !is_anaphora(text, stretch, &run) {
                    slips.push((SlipKind::SameOpening, run));
                }
            },
        );
        let alike = |first: &ProseSentence, sentence: &ProseSentence| {
            !counts(sentence) && !is_short(sentence) && !is_short(first) && first.length.abs_diff(sentence.length) <= 1
        };
        runs(stretch, SAME_LENGTHS, alike, |run| {
            if !is_parallel(text, stretch, &run) {
                slips.push((SlipKind::SameLength, run));
            }
        });
    }
    let too_long = prose.sentences.iter().filter(|sentence| {
        sentence.length > endless
            && sentence.voice != SentenceVoice::Apart
            && is_breathless(&text[sentence.range.clone()], endless)
    });
    slips.extend(too_long.map(|sentence| (SlipKind::EndlessSentence, sentence.range.clone())));
    let walls = prose.paragraphs.iter().filter(|paragraph| paragraph.length > wall && paragraph.sentences.len() > 7);
    slips.extend(walls.map(|paragraph| (SlipKind::WallOfText, paragraph.range.clone())));
    for (kind, range) in slips {
        prose.slip(kind, range, None);
    }
    paragraph_openings(text, prose);
}

/// Returns whether a long sentence has a stretch of more than `most` characters or words without a pause stronger than a
/// comma, and is no enumeration.
fn is_breathless(sentence: &str, most: usize) -> bool {
    const ITEMS: usize = 8;
    let is_pause = |c: char| matches!(c, '；' | ';' | '：' | ':' | '—' | '–' | '…') || marks::is_quote(c);
    let count = |words: &str| {
        let han = words.chars().filter(|c| is_han(*c)).count();
        let latin = words.split_whitespace().filter(|word| word.contains(|c: char| c.is_ascii_alphanumeric())).count();
        if han > 0 { han } else { latin }
    };
    let sentence = sentence.replace("--", "—");
    sentence.split(is_pause).filter(|stretch| count(stretch) > most).any(|stretch| {
        let items = stretch.split(['，', '、', ',']).filter(|item| count(item) > 0).count();
        items < ITEMS || count(stretch) / items > if stretch.contains(is_han) { 7 } else { 5 }
    })
}

/// Returns the sentences of a run.
fn of_run<'s>(
    sentences: &'s [ProseSentence],
    run: &std::ops::Range<usize>,
) -> impl Iterator<Item = &'s ProseSentence> + use<'s> {
    let (start, end) = (run.start, run.end);
    sentences.iter().filter(move |sentence| sentence.range.start >= start && sentence.range.end <= end)
}

/// Returns whether most sentences of a run share more than their opening, are questions, or begin with a title or with
/// the narrator: a litany, a rhetorical figure, a list of people, or a first person that goes on for a while.
fn is_anaphora(text: &str, sentences: &[ProseSentence], run: &std::ops::Range<usize>) -> bool {
    const OF_NARRATOR: usize = 9;
    const TITLES: [&str; 7] = ["Rev.", "Mr.", "Mrs.", "Miss", "Dr.", "Sir", "St."];
    let words = |sentence: &ProseSentence| text[sentence.range.clone()].trim().to_owned();
    let all: Vec<String> = of_run(sentences, run).map(words).collect();
    let most = |count: usize| count * 10 >= all.len() * 6;
    let questions = all.iter().filter(|words| words.ends_with(['?', '？'])).count();
    let titles = all.iter().filter(|words| TITLES.iter().any(|title| words.starts_with(title))).count();
    let is_narrator = all.iter().all(|words| words.starts_with("I ") || words.starts_with('我'));
    let last = |words: &String| words.chars().rev().find(|c| is_letter(*c)).map(String::from).unwrap_or_default();
    let is_refrain =
        all.iter().all(|words| words.contains(is_han)) && is_mostly_same(&all.iter().map(last).collect::<Vec<_>>());
    if most(questions) || most(titles) || is_refrain || is_narrator && all.len() < OF_NARRATOR {
        return true;
    }
    let head = |sentence: &ProseSentence| {
        let words = text[sentence.range.clone()].trim_start();
        match words.contains(is_han) {
            true => words.chars().filter(|c| is_letter(*c)).take(3).collect::<String>(),
            false => words.split_whitespace().take(2).collect::<Vec<_>>().join(" ").to_lowercase(),
        }
    };
    is_mostly_same(&of_run(sentences, run).map(head).collect::<Vec<_>>())
}

/// Returns whether most sentences of a run have clauses of the same lengths, as in verse and parallel prose, or repeat
/// their opening.
fn is_parallel(text: &str, sentences: &[ProseSentence], run: &std::ops::Range<usize>) -> bool {
    let measure = |sentence: &ProseSentence| {
        let clauses = text[sentence.range.clone()].split(['，', '、', '；', ',', ';', '：', ':']);
        let lengths: Vec<usize> = clauses.map(|clause| clause.chars().filter(|c| is_letter(*c)).count()).collect();
        if lengths.len() > 1 && sentence.length < 40 {
            format!("{lengths:?}")
        } else {
            sentence.range.start.to_string()
        }
    };
    is_mostly_same(&of_run(sentences, run).map(measure).collect::<Vec<_>>())
        || is_mostly_same(&of_run(sentences, run).map(|sentence| sentence.opening.to_string()).collect::<Vec<_>>())
}

/// Returns whether one of the values makes up at least six tenths of all.
fn is_mostly_same(values: &[String]) -> bool {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    values.iter().for_each(|value| *counts.entry(value.as_str()).or_default() += 1);
    counts.values().max().is_some_and(|most| most * 10 >= values.len() * 6)
}

/// Reports the longest runs of at least `least` sentences similar to their first.
fn runs(
    sentences: &[ProseSentence],
    least: usize,
    alike: impl Fn(&ProseSentence, &ProseSentence) -> bool,
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

/// Finds narrated paragraphs with the same first five Chinese characters or three words.
fn paragraph_openings(text: &str, prose: &mut Prose) {
    let mut openings: BTreeMap<u64, Vec<std::ops::Range<usize>>> = BTreeMap::new();
    for paragraph in &prose.paragraphs {
        let narrated =
            prose.sentences.get(paragraph.sentences.start).is_some_and(|s| s.voice == SentenceVoice::Narrated);
        // A line without a sentence end belongs to a list.
        let is_prose = marks::ends_sentence(&text[paragraph.range.clone()]);
        if let Some((hash, end)) = opening(&text[paragraph.range.clone()]).filter(|_| narrated && is_prose) {
            let start = paragraph.range.start;
            openings.entry(hash).or_default().push(start..start + end);
        }
    }
    let enough = PARAGRAPH_OPENINGS.max(prose.paragraphs.len() / 10);
    for range in openings.into_values().filter(|places| places.len() >= enough).flatten() {
        prose.slip(SlipKind::SameParagraphOpening, range, None);
    }
}

/// Returns a hash of the line's opening, and its end; `None` if the line is too short.
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
