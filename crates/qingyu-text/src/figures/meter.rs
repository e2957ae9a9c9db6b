//! Measures a text with configurable lists and numbers.

use qingyu_story::prose::editors_count;
use qingyu_story::{Language, Names, Prose};

use super::dialogue::{Dialogue, SpeakerFinder, SpeechWords};
use super::emotion::{self, EmotionLexicon, EmotionScanner};
use super::finder::WordFinder;
use super::lengths::{Lengths, PARAGRAPHS, SENTENCES};
use super::measured::Figures;
use super::pace::{PaceMeter, PaceWords};
use super::readability::HardWords;
use super::variety::Variety;
use super::{quotes, readability, segments};

/// The lists for measuring texts, each replaceable or extensible.
#[derive(Debug, Clone, PartialEq)]
pub struct Lists {
    /// Chinese words of feeling.
    pub feelings_zh: EmotionLexicon,
    /// English words of feeling.
    pub feelings_en: EmotionLexicon,
    /// Words and numbers for the pace.
    pub pace: PaceWords,
    /// Words of speech tags.
    pub speech: SpeechWords,
    /// Words for the readability of Chinese.
    pub hard: HardWords,
    /// The number of parts of a text for curves.
    pub parts: usize,
    /// The least length of a part, in Chinese characters or Latin words.
    pub least: usize,
}

impl Lists {
    /// Returns the built-in lists.
    pub fn builtin() -> Self {
        Self {
            feelings_zh: EmotionLexicon::builtin(Language::Zh),
            feelings_en: EmotionLexicon::builtin(Language::En),
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

/// A measuring instance for texts. Create once and reuse.
#[derive(Debug, Clone)]
pub struct Meter {
    sense_zh: EmotionScanner,
    sense_en: EmotionScanner,
    pulse_zh: PaceMeter,
    pulse_en: PaceMeter,
    listener: SpeakerFinder,
    hard: WordFinder<()>,
    parts: usize,
    least: usize,
}

/// The input of a measurement.
#[derive(Clone, Copy)]
pub struct MeterInput<'m> {
    /// The text.
    pub text: &'m str,
    /// The parsed text.
    pub prose: &'m Prose,
    /// The cast, if known, for attributing speeches to cards rather than to guessed names.
    pub names: Option<&'m Names>,
}

impl Meter {
    /// Returns a meter with the given lists.
    pub fn new(lists: &Lists) -> Self {
        Self {
            sense_zh: EmotionScanner::new(&lists.feelings_zh),
            sense_en: EmotionScanner::new(&lists.feelings_en),
            pulse_zh: PaceMeter::new(&lists.pace, Language::Zh),
            pulse_en: PaceMeter::new(&lists.pace, Language::En),
            listener: SpeakerFinder::new(&lists.speech),
            hard: lists.hard.finder(),
            parts: lists.parts.max(1),
            least: lists.least.max(1),
        }
    }

    /// Measures `text` alone, without a cast.
    pub fn figures(&self, text: &str) -> Figures {
        self.measure(&MeterInput { text, prose: &Prose::of(text), names: None })
    }

    /// Measures a text and returns the figures, in time linear in the length.
    pub fn measure(&self, material: &MeterInput<'_>) -> Figures {
        let MeterInput { text, prose, names } = *material;
        let (sense, pulse) = match prose.language {
            Language::Zh => (&self.sense_zh, &self.pulse_zh),
            Language::En => (&self.sense_en, &self.pulse_en),
        };
        let segments = segments::cut(prose, self.parts, self.least);
        let felt = sense.feel(text);
        let pace = pulse.measure(text, prose, &segments);
        Figures {
            language: prose.language,
            length: editors_count(text, prose.language),
            sentences: Lengths::of(prose.sentences.iter().map(|sentence| sentence.length).collect(), &SENTENCES),
            paragraphs: Lengths::of(prose.paragraphs.iter().map(|paragraph| paragraph.length).collect(), &PARAGRAPHS),
            dialogue: self.listener.listen(text, prose, names),
            readability: readability::read_ease(text, prose, &self.hard),
            emotion: emotion::figures(text, prose, &segments, &felt),
            quotes: quotes::pick(text, prose, &segments, &felt, &pace),
            variety: Variety::of(text, prose.language),
            pace,
        }
    }

    /// Returns only the dialogue figures.
    pub fn dialogue(&self, text: &str, prose: &Prose, names: Option<&Names>) -> Dialogue {
        self.listener.listen(text, prose, names)
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new(&Lists::builtin())
    }
}
