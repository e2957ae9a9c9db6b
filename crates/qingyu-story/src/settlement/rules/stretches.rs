//! The sentences of a text of which it is plain who says them: the narrator, or somebody in speech.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::cues::Layering;
use super::forms::{Forms, SpeakerWords};
use super::line::Line;
use super::{Mention, speakers};
use crate::language::is_han;
use crate::marks;
use crate::piece::PieceKind;
use crate::prose::Voice as SentenceVoice;
use crate::{Language, Prose};

/// A sentence of the narrator without what is spoken in it, or a sentence of a speech.
#[derive(Debug)]
pub(super) struct Stretch<'t> {
    /// The words as they stand.
    pub(super) words: &'t str,
    /// The words that are read.
    pub(super) line: Line<'t>,
    pub(super) language: Language,
    pub(super) voice: Voice,
}

/// Who says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Voice {
    Narrator,
    /// Somebody, by name if a tag says who.
    Speaker(Option<String>),
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

/// The stretches of the paragraphs that `is_meant`, but for those that somebody dreams or remembers.
pub(super) fn stretches<'t>(
    text: &'t str,
    prose: &Prose,
    mentions: &'t [Mention],
    is_meant: impl Fn(&Range<usize>) -> bool,
) -> Vec<Stretch<'t>> {
    let mut found = Vec::new();
    let mut layer = Layer::default();
    let mut dreamt = 0;
    let genders = genders(text, prose, mentions);
    for paragraph in &prose.paragraphs {
        let words = &text[paragraph.range.clone()];
        let is_break = !words.chars().any(char::is_alphanumeric) || words.starts_with('#');
        dreamt = if layer == Layer::Dream { dreamt + 1 } else { 0 };
        if layer == Layer::Paragraph || is_break || dreamt > LONGEST_DREAM {
            layer = Layer::Now;
        }
        let mut spoken_of = Known { named: BTreeSet::new(), genders: &genders };
        for sentence in &prose.sentences[paragraph.sentences.clone()] {
            if sentence.voice == SentenceVoice::Apart {
                continue;
            }
            let range = sentence.range.clone();
            let words = &text[range.clone()];
            let language = language_of(words);
            let forms = Forms::of(language);
            let line = narrated(text, &range, prose, mentions, &forms.speaker, &mut spoken_of);
            let layering = forms.cues.layering(&line.text);
            match layering {
                Layering::Wakes => layer = Layer::Now,
                Layering::Dreams => layer = Layer::Dream,
                Layering::Remembers | Layering::Nothing => {}
            }
            let is_now = layer == Layer::Now && !matches!(layering, Layering::Wakes | Layering::Dreams);
            if is_now && is_meant(&paragraph.range) {
                found.push(Stretch { words, line, language, voice: Voice::Narrator });
            }
            if layering == Layering::Remembers && layer == Layer::Now {
                layer = Layer::Paragraph;
            }
        }
        if layer != Layer::Dream && is_meant(&paragraph.range) {
            let from = prose.speeches.partition_point(|speech| speech.range.start < paragraph.range.start);
            let speeches = prose.speeches[from..].iter().take_while(|speech| speech.range.end <= paragraph.range.end);
            for speech in speeches {
                found.extend(spoken(text, &paragraph.range, &speech.range, mentions));
            }
        }
    }
    found
}

fn language_of(words: &str) -> Language {
    if words.chars().any(is_han) { Language::Zh } else { Language::En }
}

/// How often each character is spoken of as he and as she, where nobody else is named.
type Genders<'t> = HashMap<&'t str, (usize, usize)>;

/// Who has been named in a paragraph so far.
struct Known<'g, 't> {
    named: BTreeSet<&'t str>,
    genders: &'g Genders<'t>,
}

impl<'t> Known<'_, 't> {
    /// The only one whom the pronoun can mean.
    fn meant_by(&self, pronoun: &str) -> Option<&'t str> {
        let [one] = self.named.iter().copied().collect::<Vec<_>>()[..] else { return None };
        let (he, she) = self.genders.get(one).copied().unwrap_or_default();
        let fits = match pronoun.to_lowercase().as_str() {
            "他" | "he" | "his" => he >= she,
            _ => she >= he,
        };
        fits.then_some(one)
    }
}

fn genders<'t>(text: &str, prose: &Prose, mentions: &'t [Mention]) -> Genders<'t> {
    let mut genders = Genders::default();
    for paragraph in &prose.paragraphs {
        let named: BTreeSet<&str> = within(mentions, &paragraph.range)
            .filter(|one| one.kind == PieceKind::Character)
            .map(|one| one.name.as_str())
            .collect();
        let [one] = named.iter().copied().collect::<Vec<_>>()[..] else { continue };
        let words = &text[paragraph.range.clone()];
        let (he, she) = genders.entry(one).or_default();
        *he += words.matches('他').count();
        *she += words.matches('她').count();
        for word in words.split(|c: char| !c.is_ascii_alphabetic()) {
            match word {
                "he" | "He" | "his" | "His" | "him" => *he += 1,
                "she" | "She" | "her" | "Her" => *she += 1,
                _ => {}
            }
        }
    }
    genders
}

fn within<'m>(mentions: &'m [Mention], range: &Range<usize>) -> impl Iterator<Item = &'m Mention> + use<'m> {
    let (start, end) = (range.start, range.end);
    let from = mentions.partition_point(|mention| mention.start < start);
    mentions[from..].iter().take_while(move |mention| mention.end <= end)
}

/// A sentence without what is spoken in it. A pronoun at the beginning of a clause becomes the only one who has been named.
fn narrated<'t>(
    text: &str,
    range: &Range<usize>,
    prose: &Prose,
    mentions: &'t [Mention],
    words: &SpeakerWords,
    known: &mut Known<'_, 't>,
) -> Line<'t> {
    let mut line = Line::new();
    let mut mentions = within(mentions, range).peekable();
    let from = prose.speeches.partition_point(|speech| speech.range.end <= range.start);
    let mut speeches = prose.speeches[from..].iter().peekable();
    let mut at = range.start;
    while at < range.end {
        while speeches.next_if(|speech| speech.range.end <= at).is_some() {}
        if let Some(speech) = speeches.peek().filter(|speech| speech.range.contains(&at)) {
            line.push('\u{1}');
            at = speech.range.end.min(range.end);
            while mentions.next_if(|mention| mention.start < at).is_some() {}
            continue;
        }
        if let Some(mention) = mentions.next_if(|mention| mention.start == at) {
            if mention.kind == PieceKind::Character {
                known.named.insert(mention.name.as_str());
            }
            line.push_mention(mention);
            at = mention.end;
            continue;
        }
        while mentions.next_if(|mention| mention.start < at).is_some() {}
        let rest = &text[at..range.end];
        if let Some((pronoun, name)) = begins_clause(&line.text)
            .then(|| pronoun(rest, words).and_then(|word| Some((word, known.meant_by(word)?))))
            .flatten()
        {
            line.push_name(PieceKind::Character, name);
            if matches!(pronoun.to_lowercase().as_str(), "his" | "her") {
                "’s".chars().for_each(|c| line.push(c));
            }
            at += pronoun.len();
            continue;
        }
        let c = rest.chars().next().expect("the sentence goes on");
        line.push(c);
        at += c.len_utf8();
    }
    line
}

/// Whether what has been read ends where a clause begins.
fn begins_clause(read: &str) -> bool {
    let bare = read.trim_end_matches(' ');
    let ends =
        |c: char| matches!(c, '，' | '。' | '；' | '！' | '？' | '：' | ',' | ';' | ':' | '.' | '—' | '\u{1}' | '…');
    let joins = [" and", " but", "And", "But"].iter().any(|word| bare.ends_with(word));
    bare.is_empty() || bare.ends_with(ends) || (joins && read.ends_with(' '))
}

/// The pronoun with which the words begin; of English also one that says whose something is.
fn pronoun<'w>(rest: &'w str, words: &SpeakerWords) -> Option<&'w str> {
    if words.not_pronouns.iter().any(|word| rest.starts_with(word.as_str())) {
        return None;
    }
    if let Some(word) = words.pronouns.iter().find(|word| !word.is_ascii() && rest.starts_with(word.as_str())) {
        return Some(&rest[..word.len()]);
    }
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let word = &rest[..end];
    let is_owner = matches!(word, "His" | "his" | "Her" | "her") && rest[end..].starts_with(' ');
    let is_subject = words.pronouns.iter().any(|known| word.eq_ignore_ascii_case(known));
    (is_subject || is_owner).then_some(word)
}

/// The sentences of a speech.
fn spoken<'t>(
    text: &'t str,
    paragraph: &Range<usize>,
    speech: &Range<usize>,
    mentions: &'t [Mention],
) -> Vec<Stretch<'t>> {
    let words = &text[speech.clone()];
    let opener = words.chars().next().map_or(0, char::len_utf8);
    let closer = words.chars().next_back().filter(|c| marks::is_quote(*c)).map_or(0, char::len_utf8);
    let inner = speech.start + opener..speech.end.saturating_sub(closer);
    if inner.start >= inner.end {
        return Vec::new();
    }
    let (before, after) = (&text[paragraph.start..speech.start], &text[speech.end..paragraph.end]);
    let people = |range: Range<usize>| {
        let named = mentions.iter().skip(mentions.partition_point(|one| one.start < range.start));
        named.take_while(move |one| one.start < range.end).filter(|one| one.kind == PieceKind::Character)
    };
    let language = language_of(&text[paragraph.clone()]);
    let speaker = match language {
        Language::Zh => speakers::chinese,
        Language::En => speakers::english,
    };
    let speaker = speaker(
        before,
        after,
        people(paragraph.start..speech.start).last(),
        people(speech.end..paragraph.end).next(),
        speech.end,
        paragraph.start,
    );
    let mut found = Vec::new();
    let mut at = inner.start;
    let ends = |c: char| marks::is_full_stop(c) || matches!(c, '!' | '?' | '；' | '．');
    for sentence in text[inner].split_inclusive(ends) {
        let range = at..at + sentence.len();
        at = range.end;
        let words = &text[range.clone()];
        let language = language_of(words);
        let line = first_person(text, &range, mentions, speaker, &Forms::of(language).speaker);
        let voice = Voice::Speaker(speaker.map(|one| one.name.clone()));
        found.push(Stretch { words, line, language, voice });
    }
    found
}

/// A sentence of a speech, with the speaker where they mean themselves.
fn first_person<'t>(
    text: &str,
    range: &Range<usize>,
    mentions: &'t [Mention],
    speaker: Option<&'t Mention>,
    words: &SpeakerWords,
) -> Line<'t> {
    let mut line = Line::new();
    let mut mentions = within(mentions, range).peekable();
    let mut at = range.start;
    while at < range.end {
        if let Some(mention) = mentions.next_if(|mention| mention.start == at) {
            line.push_mention(mention);
            at = mention.end;
            continue;
        }
        while mentions.next_if(|mention| mention.start < at).is_some() {}
        let rest = &text[at..range.end];
        let is_other = words.not_selves.iter().any(|word| rest.starts_with(word.as_str()));
        let is_inner = line.text.ends_with(|c: char| c.is_ascii_alphanumeric());
        let own = words.selves.iter().filter(|_| !is_other && !is_inner).find(|word| {
            let behind = rest.strip_prefix(word.as_str());
            behind.is_some_and(|behind| !(word.is_ascii() && behind.starts_with(|c: char| c.is_ascii_alphanumeric())))
        });
        if let (Some(word), Some(speaker)) = (own, speaker) {
            line.push_name(PieceKind::Character, &speaker.name);
            at += word.len();
            // `I am` and `I'm` are `is` of the speaker.
            for (own, other) in [(" am ", " is "), ("’m ", " is "), ("'m ", " is "), (" have ", " has ")] {
                if word.is_ascii() && text[at..range.end].starts_with(own) {
                    other.chars().for_each(|c| line.push(c));
                    at += own.len();
                }
            }
            continue;
        }
        let c = rest.chars().next().expect("the sentence goes on");
        line.push(c);
        at += c.len_utf8();
    }
    line
}
