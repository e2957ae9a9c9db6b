//! Detects sentences in which a model refuses, or mentions itself or the task.
//!
//! Text within quotation marks belongs to the story. In the first and the last two paragraphs a sentence refusing the
//! task suffices; amid the prose only a sentence naming a language model. A text of little else than excuses and offers
//! is a refusal as a whole.

use qingyu_story::prose::{ProseSentence, SentenceVoice};
use qingyu_story::{Language, Prose};

use super::lexicon::{has, plain, refusal as words_of};
use super::talk::speaks_of_task;

/// The number of paragraphs at either end inspected as edges.
const EDGE: usize = 2;
/// The percentage of excuses and offers from which the whole text is a refusal.
const MOST: usize = 25;

/// The evidence for a sentence of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Ordinary prose.
    None,
    /// Also said by people.
    Weak,
    /// Refuses the writing task.
    Strong,
}

/// Returns the refusing sentence, if any.
pub(super) fn refusal<'t>(text: &'t str, prose: &Prose) -> Option<&'t str> {
    let count = prose.paragraphs.len();
    let mut weak: Option<&ProseSentence> = None;
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

/// Returns the first narrated sentence in which a language model names itself and refuses or excuses itself.
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

/// Returns the sentences outside speech.
fn narrated(sentences: &[ProseSentence]) -> impl Iterator<Item = &ProseSentence> {
    sentences.iter().filter(|sentence| sentence.voice == SentenceVoice::Narrated)
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
