//! The ways in which a text ends and begins, by the form of its sentences, parsed from `endings.toml`.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::expression::expression;
use super::parsed::{EndingKind, OpeningKind, Prose, ProseEnding, ProseSentence, SentenceVoice};
use crate::Language;

/// A row of `endings.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndingForm {
    language: Language,
    kind: EndingKind,
    /// The expression that finds it in a sentence of the narration.
    #[serde(deserialize_with = "expression")]
    pattern: Regex,
    /// Whether nothing is left open by it.
    #[serde(default)]
    closes: bool,
    /// Whether a negation before it, as in `没有睡着`, takes it back.
    #[serde(default)]
    negated: bool,
    /// Sentences that have it, for the tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it"))]
    fires: Vec<String>,
    /// Sentences that only look like it, for the tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it"))]
    spares: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndingTable {
    /// Words that negate, such as `没`.
    negations_zh: Vec<String>,
    negations_en: Vec<String>,
    /// Words that contain one and do not negate, such as `不知不觉`.
    no_negations: Vec<String>,
    ending: Vec<EndingForm>,
}

static TABLE: LazyLock<EndingTable> = LazyLock::new(|| {
    toml::from_str(include_str!("endings.toml"))
        .unwrap_or_else(|error| panic!("the endings are part of the program: {error}"))
});

/// The number of characters of a last sentence up to which the sentence before it ends the text too.
const SHORT: usize = 12;
/// The same in English words.
const SHORT_ENGLISH: usize = 5;
/// The number of sentences in which an open ending is looked for.
const LAST: usize = 3;
/// The number of characters before a match in which a negation counts.
const NEGATES: usize = 4;
/// The same in English.
const NEGATES_ENGLISH: usize = 16;

/// Returns how a parsed text ends.
pub(super) fn of(text: &str, prose: &Prose) -> Option<ProseEnding> {
    let told = last_sentences(text, prose);
    let last = *told.first()?;
    let words = |sentence: &ProseSentence| text.get(sentence.range.clone()).unwrap_or_default();
    let narrated = |sentence: &&ProseSentence| {
        form(words(sentence), prose.language, |at| !prose.is_spoken(sentence.range.start + at))
    };
    let of_sentence = |sentence: &&ProseSentence| match by_mark(words(sentence)) {
        Some(kind) => Some((kind, false)),
        None => narrated(sentence),
    };
    // A short last sentence belongs to the one before: 门开了。是他。
    let is_short = match prose.language {
        Language::Zh => words(last).chars().count() <= SHORT,
        Language::En => last.length <= SHORT_ENGLISH,
    };
    let broken = |sentence: &&ProseSentence| {
        by_mark(words(sentence)).filter(|kind| *kind == EndingKind::BrokenOff).map(|kind| (kind, false))
    };
    let before = || told.get(1).filter(|_| is_short).and_then(|before| broken(before).or_else(|| narrated(before)));
    let kind = of_sentence(&last).or_else(before).map(|(kind, _)| kind);
    let is_open = told.iter().filter_map(of_sentence).any(|(kind, _)| kind.pulls());
    let is_closed = !is_open && told.iter().take(2).filter_map(narrated).any(|(_, closes)| closes);
    Some(ProseEnding { range: last.range.clone(), kind, is_closed })
}

/// Returns how a text begins, by its first two sentences without captions; `None` for a text without sentences.
pub fn opening_of(text: &str, prose: &Prose) -> Option<OpeningKind> {
    let is_told = |sentence: &&ProseSentence| sentence.voice != SentenceVoice::Apart && sentence.length > 0;
    let mut told = prose.sentences.iter().filter(is_told).take(2);
    let first = told.next()?;
    let words = |sentence: &ProseSentence| text.get(sentence.range.clone()).unwrap_or_default();
    if first.voice == SentenceVoice::Spoken {
        return Some(OpeningKind::Speech);
    }
    if by_mark(words(first)) == Some(EndingKind::Question) {
        return Some(OpeningKind::Question);
    }
    let kind = |sentence: &ProseSentence| {
        let (kind, _) = form(words(sentence), prose.language, |at| !prose.is_spoken(sentence.range.start + at))?;
        match kind {
            EndingKind::Arrival => Some(OpeningKind::Arrival),
            EndingKind::Exit => Some(OpeningKind::Exit),
            EndingKind::Forecast => Some(OpeningKind::Forecast),
            EndingKind::Calm => Some(OpeningKind::Calm),
            // Sleep and words that break off say nothing at the beginning of a chapter.
            EndingKind::Sleep | EndingKind::BrokenOff | EndingKind::Question => None,
        }
    };
    Some(std::iter::once(first).chain(told).find_map(kind).unwrap_or(OpeningKind::Narration))
}

/// Returns the way in which a planned hook would end a chapter. Questions and dots are a way to write a plan down, and say
/// nothing about the chapter.
pub(crate) fn of_plan(hook: &str, language: Language) -> Option<EndingKind> {
    form(hook, language, |_| true).map(|(kind, _)| kind)
}

impl EndingKind {
    /// Returns its name for the texts of findings and genres.
    pub fn name(self, language: Language) -> &'static str {
        let (zh, en) = match self {
            Self::Question => ("问句", "a question"),
            Self::BrokenOff => ("没说完的话", "words that break off"),
            Self::Sleep => ("睡去或昏倒", "sleep or a faint"),
            Self::Exit => ("有人离开", "somebody leaving"),
            Self::Arrival => ("突然有人到来", "a sudden arrival"),
            Self::Forecast => ("对后事的预告", "a forecast of what is to come"),
            Self::Calm => ("风平浪静", "calm"),
        };
        if language == Language::Zh { zh } else { en }
    }

    /// Returns whether such an ending makes a reader read on.
    pub fn pulls(self) -> bool {
        matches!(self, Self::Question | Self::BrokenOff | Self::Arrival | Self::Forecast)
    }
}

/// Returns the last sentences, the last one first, without captions and without the remark that the text is continued.
fn last_sentences<'p>(text: &str, prose: &'p Prose) -> Vec<&'p ProseSentence> {
    let says = |sentence: &&ProseSentence| {
        let words = text.get(sentence.range.clone()).unwrap_or_default();
        let is_marked = by_mark(words).is_some();
        let is_told = match sentence.voice {
            // A line of speech that breaks off looks like a caption.
            SentenceVoice::Apart => is_marked && sentence.length > 0,
            _ => is_marked || sentence.length > 0,
        };
        is_told && !words.contains("待续") && !words.to_lowercase().contains("to be continued")
    };
    prose.sentences.iter().rev().filter(says).take(LAST).collect()
}

/// Returns the kind that the last mark shows.
fn by_mark(words: &str) -> Option<EndingKind> {
    let words = bare(words);
    if words.trim_end_matches(['！', '!']).ends_with(['？', '?']) {
        return Some(EndingKind::Question);
    }
    let is_broken_off = words.ends_with(['…', '—']) || words.ends_with("...");
    is_broken_off.then_some(EndingKind::BrokenOff)
}

/// Returns the kind of a sentence, and whether it leaves nothing open; a match counts where the words are told, not said.
fn form(words: &str, language: Language, is_told: impl Fn(usize) -> bool) -> Option<(EndingKind, bool)> {
    let has = |form: &&EndingForm| {
        let mut found = form.pattern.find_iter(words).filter(|found| is_told(found.start()));
        found.any(|found| !form.negated || !is_negated(&words[..found.start()], language))
    };
    let form = TABLE.ending.iter().filter(|form| form.language == language).find(has)?;
    Some((form.kind, form.closes))
}

/// Returns whether the words before a match negate it.
fn is_negated(before: &str, language: Language) -> bool {
    let clause = before.rsplit(['，', '。', '！', '？', '；', ',', ';', '.']).next().unwrap_or_default();
    let mut clause = clause.to_lowercase();
    for word in &TABLE.no_negations {
        clause = clause.replace(word.as_str(), "");
    }
    let (negations, reach) = match language {
        Language::Zh => (&TABLE.negations_zh, NEGATES),
        Language::En => (&TABLE.negations_en, NEGATES_ENGLISH),
    };
    let from = clause.char_indices().rev().take(reach).last().map_or(clause.len(), |(at, _)| at);
    let near = &clause[from..];
    negations.iter().any(|word| match language {
        Language::Zh => near.contains(word.as_str()),
        Language::En => near.split_whitespace().any(|one| one == word || one.ends_with("n't") || one.ends_with("n’t")),
    })
}

/// Returns the words without closing marks.
fn bare(words: &str) -> &str {
    words.trim_end_matches(|c: char| c.is_whitespace() || "”’」』\"'）)】》".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text_is_seen_by_its_last_sentences() {
        let cases = [
            ("雨停了。他是谁？", Some(EndingKind::Question), false),
            ("“你到底要什么？！”", Some(EndingKind::Question), false),
            ("她刚要开口，“其实我——”", Some(EndingKind::BrokenOff), false),
            ("他说：“我睡着了。”", None, false),
            ("他回过头。\n\n“小心你身——”", Some(EndingKind::BrokenOff), false),
            ("他回过头，吹熄了灯，睡着了。\n\n（未完待续……）", Some(EndingKind::Sleep), true),
            ("门被人推开了。是他。", Some(EndingKind::Arrival), false),
            ("门被人推开了。来的人把伞靠在墙边，一句话也没有说就坐下了。", None, false),
            ("他吹熄了灯，很快睡着了。", Some(EndingKind::Sleep), true),
            ("他眼前一黑，昏了过去。", Some(EndingKind::Sleep), false),
            ("门外传来敲门声。她翻了个身，睡着了。", Some(EndingKind::Sleep), false),
            ("He wrote to her twice. Then he fell asleep.", Some(EndingKind::Sleep), true),
            ("She turned the card over. What did he want?", Some(EndingKind::Question), false),
            ("He paid and sat down with the others.", None, false),
        ];
        for (text, kind, is_closed) in cases {
            let ending = Prose::of(text).ending.unwrap();
            assert_eq!((ending.kind, ending.is_closed), (kind, is_closed), "{text}");
        }
        assert_eq!(Prose::of("").ending, None);
    }

    #[test]
    fn the_beginning_of_a_text_is_seen_by_its_first_sentences() {
        let cases = [
            ("“走吧。”他说。雨停了。", OpeningKind::Speech),
            ("是谁把信放在桌上？没有人知道。", OpeningKind::Question),
            ("门被人推开了。是他。", OpeningKind::Arrival),
            ("雨还在下。就在这时，楼下忽然响起敲门声。", OpeningKind::Arrival),
            ("他想了一会儿，把信放下。桌上有一盏灯。", OpeningKind::Narration),
            ("Who had put the letter there? Nobody knew.", OpeningKind::Question),
            ("He paid and sat down with the others.", OpeningKind::Narration),
        ];
        for (text, kind) in cases {
            assert_eq!(opening_of(text, &Prose::of(text)), Some(kind), "{text}");
        }
        assert_eq!(opening_of("", &Prose::of("")), None);
    }

    #[test]
    fn each_form_is_found_in_its_sentences_and_in_no_others() {
        for form in &TABLE.ending {
            let kind = |text: &String| super::form(text, form.language, |_| true).map(|(kind, _)| kind);
            for text in &form.fires {
                assert_eq!(kind(text), Some(form.kind), "{text}");
            }
            for text in &form.spares {
                assert_ne!(kind(text), Some(form.kind), "{text}");
            }
        }
    }
}
