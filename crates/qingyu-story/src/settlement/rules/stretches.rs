//! Splits a text into sentences with a known voice: the narrator or a speaker.

use std::ops::Range;

use super::cues::Layering;
use super::english;
use super::forms::{Forms, SpeakerWords};
use super::line::MaskedSentence;
use super::mention::{NamedMention, within};
use super::referents::{self, NamedPeople, genders};
use super::{speakers, when};
use crate::marks;
use crate::piece::PieceKind;
use crate::prose::SentenceVoice;
use crate::{Language, Prose};

/// A sentence of the narrator without embedded speech, or a sentence of a speech.
#[derive(Debug)]
pub(super) struct AttributedSentence<'t> {
    /// The original words.
    pub(super) words: &'t str,
    /// The sentence with placeholders.
    pub(super) line: MaskedSentence<'t>,
    pub(super) language: Language,
    pub(super) voice: LineVoice,
    /// The date with which the sentence begins, or to which it points back: `那年她十八岁`.
    pub(super) when: String,
}

/// The voice of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineVoice {
    Narrator,
    /// A speaker, with the name if a tag gives a name.
    Speaker(Option<String>),
}

/// The narrative layer of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum NarrativeLayer {
    #[default]
    Now,
    /// A memory or dream until the end of the paragraph.
    Paragraph,
    /// A dream until somebody wakes.
    Dream,
}

/// Points to the date that was told before; `那年` without such a date is a memory.
const DATED_YEAR: &str = "这年";

/// The most sentences of a dream without an awakening.
const LONGEST_DREAM: usize = 30;

/// Returns the sentences of the paragraphs accepted by `is_meant`, without dreams and memories, and the paragraphs of
/// dreams and memories.
pub(super) fn stretches<'t>(
    text: &'t str,
    prose: &Prose,
    mentions: &'t [NamedMention],
    is_meant: impl Fn(&Range<usize>) -> bool,
) -> (Vec<AttributedSentence<'t>>, Vec<Range<usize>>) {
    let mut found = Vec::new();
    let mut apart = Vec::new();
    let mut layer = NarrativeLayer::default();
    let mut dreamt = 0;
    let genders = genders(text, prose, mentions);
    let mut alone = None;
    for paragraph in &prose.paragraphs {
        let words = &text[paragraph.range.clone()];
        let is_break = !words.chars().any(char::is_alphanumeric) || words.starts_with('#');
        // What follows a memory directly may still be part of it.
        let was_apart = layer != NarrativeLayer::Now;
        dreamt = if layer == NarrativeLayer::Dream { dreamt + 1 } else { 0 };
        if layer == NarrativeLayer::Paragraph || is_break || dreamt > LONGEST_DREAM {
            layer = NarrativeLayer::Now;
        }
        let mut spoken_of = NamedPeople::following(alone.filter(|_| !is_break), &genders);
        for sentence in &prose.sentences[paragraph.sentences.clone()] {
            if sentence.voice == SentenceVoice::Apart {
                continue;
            }
            let range = sentence.range.clone();
            // A speech that continues in the next paragraph has no end here.
            if sentence.voice == SentenceVoice::Spoken && !prose.is_spoken(range.start) {
                continue;
            }
            let words = &text[range.clone()];
            let language = Language::of_script(words);
            let forms = Forms::of(language);
            let line = narrated(text, &range, prose, mentions, &forms.speaker, &mut spoken_of);
            let points_back = !spoken_of.date.is_empty() && line.text.starts_with(DATED_YEAR);
            let told = when::date(language, &line.text);
            let when = if told.is_empty() && points_back { spoken_of.date.clone() } else { told };
            if when.contains('年') {
                spoken_of.date.clone_from(&when);
            }
            // Sentences about nobody else leave the subject: `屋里很冷。`
            let is_alone = forms.topics.as_ref().is_some_and(|topics| !topics.has_others(&line.text));
            let names_strangers = forms.topics.as_ref().is_some_and(|topics| topics.names_strangers(&line.text));
            spoken_of.end_sentence(&line, language, is_alone, names_strangers);
            let layering = forms.cues.layering(&line.text);
            // Somebody who wakes from no dream is already there: `一觉醒来，林深走进厨房`.
            let is_plain_waking = layering == Layering::Wakes
                && layer == NarrativeLayer::Now
                && language == Language::Zh
                && !words.contains(['梦', '夢']);
            match layering {
                Layering::Wakes => layer = NarrativeLayer::Now,
                Layering::Dreams => layer = NarrativeLayer::Dream,
                Layering::Remembers | Layering::Nothing => {}
            }
            let is_told = is_plain_waking || !matches!(layering, Layering::Wakes | Layering::Dreams);
            let is_now = layer == NarrativeLayer::Now && is_told;
            if is_now && is_meant(&paragraph.range) {
                found.push(AttributedSentence { words, line, language, voice: LineVoice::Narrator, when });
            }
            if layering == Layering::Remembers && layer == NarrativeLayer::Now {
                layer = NarrativeLayer::Paragraph;
            }
        }
        alone = spoken_of.alone().filter(|_| !is_break && !has_speech(prose, &paragraph.range));
        if was_apart && !is_break || layer != NarrativeLayer::Now {
            apart.push(paragraph.range.clone());
        }
        if layer != NarrativeLayer::Dream && is_meant(&paragraph.range) {
            let from = prose.speeches.partition_point(|speech| speech.range.start < paragraph.range.start);
            let speeches = prose.speeches[from..].iter().take_while(|speech| speech.range.end <= paragraph.range.end);
            let mut last = None;
            for speech in speeches {
                let speaker = speaker_of(text, &paragraph.range, &speech.range, mentions)
                    .or_else(|| last.and_then(|last| same_speaker(text, last, speech.range.start, mentions)));
                last = speaker.map(|one| (speech.range.end, one));
                found.extend(spoken(text, &speech.range, mentions, speaker));
            }
        }
    }
    (found, apart)
}

/// Returns whether somebody speaks in a paragraph.
fn has_speech(prose: &Prose, paragraph: &Range<usize>) -> bool {
    let from = prose.speeches.partition_point(|speech| speech.range.end <= paragraph.start);
    prose.speeches[from..].first().is_some_and(|speech| speech.range.start < paragraph.end)
}

/// Returns a sentence without embedded speech. A pronoun at the start of a clause is replaced by the only person named
/// so far.
fn narrated<'t>(
    text: &str,
    range: &Range<usize>,
    prose: &Prose,
    mentions: &'t [NamedMention],
    words: &SpeakerWords,
    known: &mut NamedPeople<'_, 't>,
) -> MaskedSentence<'t> {
    let mut line = MaskedSentence::new();
    let people: Vec<&NamedMention> = within(mentions, range).filter(|one| one.kind == PieceKind::Character).collect();
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
        let year = ["那一年", "那年"].into_iter().find(|year| line.text.is_empty() && rest.starts_with(year));
        if let Some(year) = year.filter(|_| !known.date.is_empty()) {
            DATED_YEAR.chars().for_each(|c| line.push(c));
            at += year.len();
            continue;
        }
        if let Some((length, name)) = referents::named_later(&text[..range.end], at, &line.text, &people) {
            line.push_name(PieceKind::Character, name);
            "’s".chars().for_each(|c| line.push(c));
            at += length;
            continue;
        }
        if let Some((pronoun, name)) = begins_clause(&line.text)
            .then(|| pronoun(rest, words).and_then(|word| Some((word, known.meant_by(word, &line)?))))
            .flatten()
        {
            line.push_name(PieceKind::Character, name);
            if matches!(pronoun.to_lowercase().as_str(), "his" | "her") {
                "’s".chars().for_each(|c| line.push(c));
            }
            at += pronoun.len();
            continue;
        }
        if let Some((word, name)) = pronoun(rest, words).and_then(|word| Some((word, known.receiver(word, &line)?))) {
            line.push_name(PieceKind::Character, name);
            at += word.len();
            continue;
        }
        let next = mentions.peek().filter(|one| one.kind == PieceKind::Character);
        let next = next.map(|one| (one.start - at, one.name.as_str()));
        let owner = known.owner_of(rest, &line, words).or_else(|| known.owner_of_relative(rest, next, &line));
        if let Some((length, name)) = owner {
            line.push_name(PieceKind::Character, name);
            if rest.starts_with(|c: char| c.is_ascii()) {
                "’s".chars().for_each(|c| line.push(c));
            }
            at += length;
            continue;
        }
        let c = rest.chars().next().expect("the sentence goes on");
        line.push(c);
        at += c.len_utf8();
    }
    line
}

/// Returns whether a clause begins after the text read so far.
fn begins_clause(read: &str) -> bool {
    let bare = read.trim_end_matches(' ');
    let ends =
        |c: char| matches!(c, '，' | '。' | '；' | '！' | '？' | '：' | ',' | ';' | ':' | '.' | '—' | '\u{1}' | '…');
    const JOINS: [&str; 26] = [
        " and",
        " but",
        " now",
        " as",
        " while",
        " because",
        " yet",
        " though",
        " although",
        " for",
        " where",
        " so",
        " then",
        "And",
        "But",
        "Now",
        "Then",
        "So",
        "Yet",
        "Still",
        "Though",
        "Although",
        "Here",
        "There",
        "Later",
        "Afterwards",
    ];
    const TIMES: [&str; 22] = [
        "今天是",
        "昨天是",
        "前天是",
        "今日是",
        "昨日是",
        "这天是",
        "正好是",
        "恰好是",
        "这一年",
        "这年",
        "今年",
        "如今",
        "现在",
        "这时",
        "此时",
        "此刻",
        "此后",
        "从此",
        "后来",
        "小时候",
        "写着",
        "写明",
    ];
    let joins = JOINS.iter().any(|word| bare.ends_with(word)) && read.ends_with(' ');
    let is_time = TIMES.iter().any(|word| bare.ends_with(word)) || english::is_span_of_time(read);
    bare.is_empty() || bare.ends_with(ends) || is_time || joins
}

/// Returns the pronoun at the start of `rest`, in English including possessives.
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

/// Returns the speaker of a speech whose tag is in the same paragraph.
fn speaker_of<'t>(
    text: &str,
    paragraph: &Range<usize>,
    speech: &Range<usize>,
    mentions: &'t [NamedMention],
) -> Option<&'t NamedMention> {
    let people = |range: Range<usize>| {
        let named = mentions.iter().skip(mentions.partition_point(|one| one.start < range.start));
        named.take_while(move |one| one.start < range.end).filter(|one| one.kind == PieceKind::Character)
    };
    // A tag ends before the clause of another person: `林深推开门，苏敏喊道`.
    let mut others = people(speech.end..paragraph.end).skip(1);
    let until = others.find(|one| text[..one.start].ends_with('，')).map_or(paragraph.end, |one| one.start);
    let (before, after) = (&text[paragraph.start..speech.start], &text[speech.end..until]);
    let speaker = match Language::of_script(&text[paragraph.clone()]) {
        Language::Zh => speakers::chinese,
        Language::En => speakers::english,
    };
    speaker(
        before,
        after,
        people(paragraph.start..speech.start).last(),
        people(speech.end..paragraph.end).next(),
        speech.end,
        paragraph.start,
    )
}

/// Returns the speaker of the last speech for an English speech of the same paragraph without a tag, if nobody else is spoken
/// of between the two. `last` is where the last speech ends, and its speaker.
fn same_speaker<'t>(
    text: &str,
    last: (usize, &'t NamedMention),
    start: usize,
    mentions: &[NamedMention],
) -> Option<&'t NamedMention> {
    let (end, speaker) = last;
    let between = text.get(end..start)?;
    let is_english = Language::of_script(between) == Language::En && between.chars().any(char::is_alphabetic);
    let others =
        within(mentions, &(end..start)).any(|one| one.kind == PieceKind::Character && one.name != speaker.name);
    (is_english && !others && !english::speaks_of_another(between)).then_some(speaker)
}

/// Returns the sentences of a speech.
fn spoken<'t>(
    text: &'t str,
    speech: &Range<usize>,
    mentions: &'t [NamedMention],
    speaker: Option<&'t NamedMention>,
) -> Vec<AttributedSentence<'t>> {
    let words = &text[speech.clone()];
    let opener = words.chars().next().map_or(0, char::len_utf8);
    let closer = words.chars().next_back().filter(|c| marks::is_quote(*c)).map_or(0, char::len_utf8);
    let inner = speech.start + opener..speech.end.saturating_sub(closer);
    if inner.start >= inner.end {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = inner.start;
    let ends = |c: char| marks::is_full_stop(c) || matches!(c, '!' | '?' | '；' | '．');
    for sentence in text[inner].split_inclusive(ends) {
        let range = at..at + sentence.len();
        at = range.end;
        let words = &text[range.clone()];
        let language = Language::of_script(words);
        let line = first_person(text, &range, mentions, speaker, &Forms::of(language).speaker);
        let voice = LineVoice::Speaker(speaker.map(|one| one.name.clone()));
        let when = when::date(language, &line.text);
        found.push(AttributedSentence { words, line, language, voice, when });
    }
    found
}

/// Returns a sentence of a speech with first-person words replaced by the speaker, and possessives by the name with `’s`.
fn first_person<'t>(
    text: &str,
    range: &Range<usize>,
    mentions: &'t [NamedMention],
    speaker: Option<&'t NamedMention>,
    words: &SpeakerWords,
) -> MaskedSentence<'t> {
    let mut line = MaskedSentence::new();
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
            // `I am` and `I'm` become `is` with the speaker as subject.
            for (own, other) in [
                (" am ", " is "),
                ("’m ", " is "),
                ("'m ", " is "),
                (" have ", " has "),
                ("’ve ", " has "),
                ("'ve ", " has "),
            ] {
                if word.is_ascii() && text[at..range.end].starts_with(own) {
                    other.chars().for_each(|c| line.push(c));
                    at += own.len();
                }
            }
            continue;
        }
        let owner = words.owners.iter().filter(|_| !is_inner).find(|word| {
            let start = rest.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word)) && rest[word.len()..].starts_with(' ')
        });
        if let (Some(word), Some(speaker)) = (owner, speaker) {
            line.push_name(PieceKind::Character, &speaker.name);
            "’s".chars().for_each(|c| line.push(c));
            at += word.len();
            continue;
        }
        let c = rest.chars().next().expect("the sentence goes on");
        line.push(c);
        at += c.len_utf8();
    }
    line
}
