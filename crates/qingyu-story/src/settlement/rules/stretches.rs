//! The stretches of a text of which it is plain who says them: the narrator, or somebody in speech.

use std::ops::Range;

use super::{Mention, en, zh};
use crate::Prose;
use crate::language::is_han;
use crate::piece::PieceKind;

/// A sentence of the narrator with all speech blotted out, or a sentence of a speech with all else blotted out.
#[derive(Debug)]
pub(super) struct Stretch<'t> {
    /// The words as they stand.
    pub(super) words: &'t str,
    /// The words that are read, byte by byte as long as `words`; in small letters if they are Latin.
    pub(super) text: String,
    /// Who and what is named in it, by bytes of `text`.
    pub(super) mentions: Vec<Mention>,
    pub(super) voice: Voice,
}

/// Who says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Voice {
    Narrator,
    /// Somebody, by name if a tag says who.
    Speaker(Option<String>),
}

impl Stretch<'_> {
    pub(super) fn of_kind(&self, kind: PieceKind) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(move |mention| mention.kind == kind)
    }

    /// What is named exactly there.
    pub(super) fn named_at(&self, at: usize, kinds: &[PieceKind]) -> Option<&Mention> {
        self.mentions.iter().find(|mention| mention.start == at && kinds.contains(&mention.kind))
    }

    /// Where in the text `rest`, the end of it, begins.
    pub(super) fn at(&self, rest: &str) -> usize {
        self.text.len() - rest.len()
    }
}

/// Whether what is told is told as happening now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Layer {
    #[default]
    Now,
    /// Remembered or dreamt, as long as the paragraph.
    Paragraph,
    /// Dreamt until somebody wakes.
    Dream,
}

/// Long dreams end here, if nobody wakes.
const LONGEST_DREAM: usize = 30;

/// The stretches of the paragraphs that `is_meant`, but for those that somebody dreams, remembers or supposes.
pub(super) fn stretches<'t>(
    text: &'t str,
    prose: &Prose,
    mentions: &[Mention],
    is_meant: impl Fn(&Range<usize>) -> bool,
) -> Vec<Stretch<'t>> {
    let mut found = Vec::new();
    let mut layer = Layer::default();
    let mut dreamt = 0;
    for paragraph in &prose.paragraphs {
        let line = &text[paragraph.range.clone()];
        let is_break = !line.chars().any(char::is_alphanumeric) || line.starts_with('#');
        dreamt = if layer == Layer::Dream { dreamt + 1 } else { 0 };
        if layer == Layer::Paragraph || is_break || dreamt > LONGEST_DREAM {
            layer = Layer::Now;
        }
        for sentence in &prose.sentences[paragraph.sentences.clone()] {
            let range = sentence.range.clone();
            let words = &text[range.clone()];
            let narrated = blotted(text, &range, |at| prose.is_spoken(at));
            let cue = cue(&narrated);
            match cue {
                Cue::Wakes => layer = Layer::Now,
                Cue::Dreams => layer = Layer::Dream,
                Cue::Remembers => layer = layer.max_paragraph(),
                Cue::Supposes | Cue::None => {}
            }
            if layer == Layer::Now && cue == Cue::None && is_meant(&paragraph.range) {
                found.push(stretch(words, narrated, &range, mentions, Voice::Narrator));
            }
        }
        if layer == Layer::Now && is_meant(&paragraph.range) {
            let speeches = prose.speeches.iter().filter(|speech| {
                paragraph.range.contains(&speech.range.start) && speech.range.end <= paragraph.range.end
            });
            for speech in speeches {
                found.extend(spoken(text, &paragraph.range, &speech.range, mentions));
            }
        }
    }
    found
}

impl Layer {
    fn max_paragraph(self) -> Self {
        if self == Self::Dream { self } else { Self::Paragraph }
    }
}

/// What the words of a sentence do with what they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cue {
    None,
    /// Supposes, asks, guesses or compares.
    Supposes,
    /// Tells what was before, or what somebody dreams at the moment.
    Remembers,
    /// Begins a dream.
    Dreams,
    /// Ends it.
    Wakes,
}

fn cue(narrated: &str) -> Cue {
    let is_chinese = narrated.chars().any(is_han);
    let cues = if is_chinese { &zh::CUES } else { &en::CUES };
    let padded = format!(" {} ", narrated.replace(['\u{1}', ',', '.', ';', '!', '\n'], " "));
    let holds = |words: &[&str]| {
        words.iter().any(|word| if is_chinese { narrated.contains(word) } else { padded.contains(word) })
    };
    let asks = narrated.trim_end().ends_with(['？', '?']);
    match () {
        () if holds(cues.wakes) => Cue::Wakes,
        () if holds(cues.dreams) => Cue::Dreams,
        () if holds(cues.remembers) => Cue::Remembers,
        () if asks || holds(cues.supposes) => Cue::Supposes,
        () => Cue::None,
    }
}

/// Words that say that a sentence tells nothing that is so now.
pub(super) struct Cues {
    pub(super) wakes: &'static [&'static str],
    pub(super) dreams: &'static [&'static str],
    pub(super) remembers: &'static [&'static str],
    pub(super) supposes: &'static [&'static str],
}

/// The words of a range in small letters, with every byte blotted out for which `is_out`.
fn blotted(text: &str, range: &Range<usize>, is_out: impl Fn(usize) -> bool) -> String {
    let mut read = String::with_capacity(range.len());
    for (at, c) in text[range.clone()].char_indices() {
        match is_out(range.start + at) {
            true => (0..c.len_utf8()).for_each(|_| read.push('\u{1}')),
            false => read.push(c.to_ascii_lowercase()),
        }
    }
    read
}

fn stretch<'t>(words: &'t str, text: String, range: &Range<usize>, mentions: &[Mention], voice: Voice) -> Stretch<'t> {
    let from = mentions.partition_point(|mention| mention.start < range.start);
    let within = mentions[from..].iter().take_while(|mention| mention.end <= range.end);
    let shifted = within.map(|mention| Mention {
        start: mention.start - range.start,
        end: mention.end - range.start,
        ..mention.clone()
    });
    let read = |mention: &Mention| !text[mention.start..].starts_with('\u{1}');
    let mentions = shifted.filter(read).collect();
    Stretch { words, text, mentions, voice }
}

/// The sentences of a speech.
fn spoken<'t>(
    text: &'t str,
    paragraph: &Range<usize>,
    speech: &Range<usize>,
    mentions: &[Mention],
) -> Vec<Stretch<'t>> {
    let opener = text[speech.start..].chars().next().map_or(0, char::len_utf8);
    let closer = text[..speech.end].chars().next_back().map_or(0, char::len_utf8);
    let inner = speech.start + opener..speech.end.saturating_sub(closer);
    if inner.is_empty() {
        return Vec::new();
    }
    let (before, after) = (&text[paragraph.start..speech.start], &text[speech.end..paragraph.end]);
    let is_chinese = text[paragraph.clone()].chars().any(is_han);
    let named = |range: Range<usize>| {
        mentions.iter().filter(move |one| range.contains(&one.start) && one.kind == PieceKind::Character)
    };
    let speaker = if is_chinese { zh::speaker } else { en::speaker };
    let speaker = speaker(
        before,
        after,
        named(paragraph.start..speech.start).next_back(),
        named(speech.end..paragraph.end).next(),
        speech.end,
        paragraph.start,
    );
    let mut found = Vec::new();
    let mut at = inner.start;
    for sentence in text[inner.clone()].split_inclusive(['。', '！', '？', '!', '?', '；']) {
        let range = at..at + sentence.len();
        at = range.end;
        let read = blotted(text, &range, |_| false);
        if cue(&read) == Cue::None {
            found.push(stretch(&text[range.clone()], read, &range, mentions, Voice::Speaker(speaker.clone())));
        }
    }
    found
}
