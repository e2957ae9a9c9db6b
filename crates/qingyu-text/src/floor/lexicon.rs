//! The words parsed from `data/floor.toml`.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use qingyu_story::Language;
use serde::Deserialize;

use crate::error::builtin;

/// All words of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FloorWords {
    pub(super) marks: MarkWords,
    refusal: ByLanguage<RefusalWords>,
    talk: ByLanguage<TalkWords>,
    pub(super) frames: FrameWords,
    pub(super) notes: NoteWords,
    pub(super) ending: EndingWords,
    /// Function words by language code.
    pub(super) function_words: BTreeMap<String, HashSet<String>>,
}

/// The same lists for both languages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ByLanguage<T> {
    zh: T,
    en: T,
}

/// Marks of templates and tools.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkWords {
    pub(super) tokens: Vec<String>,
    pub(super) tags: HashSet<String>,
    pub(super) call: Vec<String>,
    pub(super) name: Vec<String>,
}

/// Phrases of a model's refusal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RefusalWords {
    pub(super) excuse: Vec<String>,
    pub(super) inability: Vec<String>,
    pub(super) content: Vec<String>,
    pub(super) request: Vec<String>,
    pub(super) machine: Vec<String>,
    pub(super) model: Vec<String>,
    pub(super) policy: Vec<String>,
    pub(super) violation: Vec<String>,
    pub(super) phrases: Vec<String>,
}

/// Phrases at the beginning and end of an answer, around the prose.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TalkWords {
    pub(super) acknowledges: Vec<String>,
    pub(super) opens: Vec<String>,
    pub(super) closes: Vec<String>,
    pub(super) task: Vec<String>,
    pub(super) perhaps_task: Vec<String>,
    pub(super) address: Vec<String>,
    pub(super) ends: Vec<String>,
    pub(super) words: HashSet<String>,
}

/// Lines which frame the prose.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrameWords {
    pub(super) begins: Vec<String>,
    pub(super) words: HashSet<String>,
    pub(super) closing: Vec<String>,
    pub(super) chapter: Vec<String>,
}

/// Notes of a web author to readers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteWords {
    pub(super) begins: Vec<String>,
    pub(super) asks: Vec<String>,
}

/// Forms of a last line without a final mark.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndingWords {
    pub(super) signed: Vec<String>,
    pub(super) closed: Vec<String>,
}

static WORDS: LazyLock<FloorWords> = LazyLock::new(|| {
    let mut words: FloorWords = builtin(include_str!("../../data/floor.toml"));
    for list in [&mut words.refusal.zh.machine, &mut words.refusal.zh.model, &mut words.refusal.zh.phrases] {
        list.iter_mut().for_each(|word| *word = word.to_lowercase());
    }
    words
});

/// Returns the words, parsed once.
pub(super) fn words() -> &'static FloorWords {
    &WORDS
}

/// Returns the refusal phrases of a language.
pub(super) fn refusal(language: Language) -> &'static RefusalWords {
    match language {
        Language::Zh => &WORDS.refusal.zh,
        Language::En => &WORDS.refusal.en,
    }
}

/// Returns the phrases about the task in a language.
pub(super) fn talk(language: Language) -> &'static TalkWords {
    match language {
        Language::Zh => &WORDS.talk.zh,
        Language::En => &WORDS.talk.en,
    }
}

/// Normalizes text for comparison with the words: lower case, straight apostrophes.
pub(super) fn plain(text: &str) -> String {
    text.replace('’', "'").to_lowercase()
}

/// Returns whether normalized text contains any of `words`.
pub(super) fn has(plain: &str, words: &[String]) -> bool {
    words.iter().any(|word| stands_in(plain, word).is_some())
}

/// Returns whether normalized text begins with any of `words`.
pub(super) fn begins_with(plain: &str, words: &[String]) -> bool {
    words.iter().any(|word| plain.starts_with(word.as_str()) && is_border(plain, word.len()))
}

/// Returns the position of `word` in normalized text; a Latin word must stand alone.
fn stands_in(plain: &str, word: &str) -> Option<usize> {
    let mut places = plain.match_indices(word).map(|(at, _)| at);
    places.find(|at| is_border(plain, *at) && is_border(plain, at + word.len()))
}

/// Returns whether no Latin word continues across the position.
fn is_border(text: &str, at: usize) -> bool {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    at == 0 || !is_letter(bytes.get(at - 1)) || !is_letter(bytes.get(at))
}
