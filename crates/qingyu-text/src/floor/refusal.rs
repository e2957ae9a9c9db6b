//! Sentences in which a model refuses, or speaks of itself or of its task.
//!
//! What stands between quotation marks is said by somebody in the story. In the first and the last two paragraphs a
//! sentence that refuses the task is enough; amid the prose only one in which a language model names itself. A text that
//! says little else than excuses and offers is a refusal as a whole.

use qingyu_story::prose::{Sentence, Voice};
use qingyu_story::{Language, Prose};

use super::lexicon::{has, plain, refusal as words_of};
use super::talk::speaks_of_task;

/// How many paragraphs at either end of the text are its edges.
const EDGE: usize = 2;
/// From which percentage of the text on excuses and offers are all it says.
const MOST: usize = 25;

/// How plainly a sentence is a model's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Anybody might say so.
    None,
    /// People say so as well.
    Weak,
    /// It refuses the writing.
    Strong,
}

/// The sentence in which the text refuses, if it does.
pub(super) fn refusal<'t>(text: &'t str, prose: &Prose) -> Option<&'t str> {
    let count = prose.paragraphs.len();
    let mut weak: Option<&Sentence> = None;
    let mut excuses = 0;
    for (number, paragraph) in prose.paragraphs.iter().enumerate() {
        let is_edge = number < EDGE || number + EDGE >= count;
        for sentence in narrated(&prose.sentences[paragraph.sentences.clone()]) {
            let words = &text[sentence.range.clone()];
            let strength = strength(words);
            if strength == Strength::Strong && is_edge {
                return Some(words);
            }
            if strength != Strength::None || speaks_of_task(words) {
                excuses += sentence.length;
                weak = weak.or(Some(sentence));
            }
        }
    }
    let is_all = excuses * 100 >= prose.length * MOST;
    weak.filter(|_| is_all).map(|sentence| &text[sentence.range.clone()])
}

/// The first sentence in which a language model names itself.
pub(super) fn aside<'t>(text: &'t str, prose: &Prose) -> Option<&'t str> {
    let sentences = narrated(&prose.sentences).map(|sentence| &text[sentence.range.clone()]);
    sentences.into_iter().find(|words| {
        let plain = plain(words);
        let words = words_of(Language::of(words));
        has(&plain, &words.model)
            && has(&plain, &words.machine)
            && (has(&plain, &words.inability) || has(&plain, &words.excuse))
    })
}

/// The sentences that nobody in the story says.
fn narrated(sentences: &[Sentence]) -> impl Iterator<Item = &Sentence> {
    sentences.iter().filter(|sentence| sentence.voice == Voice::Narrated)
}

fn strength(sentence: &str) -> Strength {
    let words = words_of(Language::of(sentence));
    let plain = plain(sentence);
    let says = |list: &[String]| has(&plain, list);
    let (excuses, refuses) = (says(&words.excuse), says(&words.inability));
    let reasons = excuses || says(&words.machine) || says(&words.policy);
    if says(&words.phrases)
        || (refuses && reasons && says(&words.content))
        || (says(&words.machine) && refuses && (says(&words.model) || says(&words.request)))
        || (says(&words.policy) && says(&words.violation) && (refuses || excuses))
    {
        return Strength::Strong;
    }
    let is_weak = refuses && (excuses || says(&words.request)) || (excuses && says(&words.request));
    if is_weak { Strength::Weak } else { Strength::None }
}
