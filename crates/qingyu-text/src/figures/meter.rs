//! The lists and numbers by which a text is measured, and the measuring.

use qingyu_story::{Language, Names, Prose};

use super::dialogue::Listener;
use super::emotion::{self, Sense};
use super::finder::Finder;
use super::lengths::{PARAGRAPHS, SENTENCES};
use super::pace::Pulse;
use super::variety::{Segmenter, Unit};
use super::{Figures, HardWords, Lengths, Lexicon, PaceWords, SpeechWords, Variety, quotes, readability, segments};

/// The lists by which texts are measured; any may be replaced or extended.
#[derive(Debug, Clone, PartialEq)]
pub struct Lists {
    /// Words of feeling, Chinese.
    pub feelings_zh: Lexicon,
    /// Words of feeling, English.
    pub feelings_en: Lexicon,
    /// What makes a passage quick.
    pub pace: PaceWords,
    /// How a text says who speaks.
    pub speech: SpeechWords,
    /// What the readability of Chinese counts.
    pub hard: HardWords,
    /// In how many parts a text is cut for its curves.
    pub parts: usize,
    /// How many Chinese characters or Latin words a part has at least.
    pub least: usize,
}

impl Lists {
    /// The built-in lists.
    pub fn builtin() -> Self {
        Self {
            feelings_zh: Lexicon::builtin(Language::Zh),
            feelings_en: Lexicon::builtin(Language::En),
            pace: PaceWords::builtin(),
            speech: SpeechWords::builtin(),
            hard: HardWords::builtin(),
            parts: 20,
            least: 60,
        }
    }
}

impl Default for Lists {
    fn default() -> Self {
        Self::builtin()
    }
}

/// Measures texts. Made once, used for any number of texts.
#[derive(Debug, Clone)]
pub struct Meter {
    sense_zh: Sense,
    sense_en: Sense,
    pulse_zh: Pulse,
    pulse_en: Pulse,
    listener: Listener,
    hard: Finder<()>,
    parts: usize,
    least: usize,
}

/// A text to be measured, and what is known of it.
#[derive(Clone, Copy)]
pub struct Material<'m> {
    /// The text.
    pub text: &'m str,
    /// The text, read.
    pub prose: &'m Prose,
    /// The cast, if it is known, so that speeches are given to cards and not to what names look like.
    pub names: Option<&'m Names>,
    /// What cuts Chinese into words, if there is anything; else pairs of characters are counted.
    pub segmenter: Option<&'m dyn Segmenter>,
}

impl Meter {
    /// A meter with these lists.
    pub fn new(lists: &Lists) -> Self {
        Self {
            sense_zh: Sense::new(&lists.feelings_zh),
            sense_en: Sense::new(&lists.feelings_en),
            pulse_zh: Pulse::new(&lists.pace, Language::Zh),
            pulse_en: Pulse::new(&lists.pace, Language::En),
            listener: Listener::new(&lists.speech),
            hard: lists.hard.finder(),
            parts: lists.parts.max(1),
            least: lists.least.max(1),
        }
    }

    /// Measures `text`, of which nothing is known.
    pub fn figures(&self, text: &str) -> Figures {
        self.measure(&Material { text, prose: &Prose::of(text), names: None, segmenter: None })
    }

    /// Measures a text, in time linear in its length.
    pub fn measure(&self, material: &Material<'_>) -> Figures {
        let Material { text, prose, names, segmenter } = *material;
        let (sense, pulse) = match prose.language {
            Language::Zh => (&self.sense_zh, &self.pulse_zh),
            Language::En => (&self.sense_en, &self.pulse_en),
        };
        let segments = segments::cut(prose, self.parts, self.least);
        let felt = sense.feel(text);
        let pace = pulse.measure(text, prose, &segments);
        let variety = Variety::of(text, prose.language, segmenter);
        let words = (variety.unit == Unit::Words).then_some(variety.count);
        Figures {
            language: prose.language,
            length: prose.length,
            sentences: Lengths::of(prose.sentences.iter().map(|sentence| sentence.length).collect(), &SENTENCES),
            paragraphs: Lengths::of(prose.paragraphs.iter().map(|paragraph| paragraph.length).collect(), &PARAGRAPHS),
            dialogue: self.listener.listen(text, prose, names),
            readability: readability::read_ease(text, prose, &self.hard, words),
            emotion: emotion::figures(text, prose, &segments, &felt),
            quotes: quotes::pick(text, prose, &segments, &felt, &pace),
            variety,
            pace,
        }
    }

    /// The figures of dialogue alone.
    pub fn dialogue(&self, text: &str, prose: &Prose, names: Option<&Names>) -> super::Dialogue {
        self.listener.listen(text, prose, names)
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new(&Lists::builtin())
    }
}
