//! Splits a text into sentences with a known voice: the narrator or a speaker.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::cues::Layering;
use super::forms::{Forms, SpeakerWords};
use super::line::{MaskedSentence, is_person};
use super::mention::NamedMention;
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
    for paragraph in &prose.paragraphs {
        let words = &text[paragraph.range.clone()];
        let is_break = !words.chars().any(char::is_alphanumeric) || words.starts_with('#');
        // What follows a memory directly may still be part of it.
        let was_apart = layer != NarrativeLayer::Now;
        dreamt = if layer == NarrativeLayer::Dream { dreamt + 1 } else { 0 };
        if layer == NarrativeLayer::Paragraph || is_break || dreamt > LONGEST_DREAM {
            layer = NarrativeLayer::Now;
        }
        let mut spoken_of = NamedPeople {
            named: BTreeSet::new(),
            subject: None,
            last: BTreeSet::new(),
            date: String::new(),
            genders: &genders,
        };
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
            let goes_on = is_alone && line.names_nobody_but(spoken_of.subject);
            spoken_of.last = line.people().collect();
            spoken_of.subject = line.subject().or(spoken_of.subject.filter(|_| goes_on));
            let layering = forms.cues.layering(&line.text);
            match layering {
                Layering::Wakes => layer = NarrativeLayer::Now,
                Layering::Dreams => layer = NarrativeLayer::Dream,
                Layering::Remembers | Layering::Nothing => {}
            }
            let is_now = layer == NarrativeLayer::Now && !matches!(layering, Layering::Wakes | Layering::Dreams);
            if is_now && is_meant(&paragraph.range) {
                found.push(AttributedSentence { words, line, language, voice: LineVoice::Narrator, when });
            }
            if layering == Layering::Remembers && layer == NarrativeLayer::Now {
                layer = NarrativeLayer::Paragraph;
            }
        }
        if was_apart && !is_break || layer != NarrativeLayer::Now {
            apart.push(paragraph.range.clone());
        }
        if layer != NarrativeLayer::Dream && is_meant(&paragraph.range) {
            let from = prose.speeches.partition_point(|speech| speech.range.start < paragraph.range.start);
            let speeches = prose.speeches[from..].iter().take_while(|speech| speech.range.end <= paragraph.range.end);
            for speech in speeches {
                found.extend(spoken(text, &paragraph.range, &speech.range, mentions));
            }
        }
    }
    (found, apart)
}

/// Counts of masculine and feminine pronouns per character, from passages without other names.
type Genders<'t> = HashMap<&'t str, (usize, usize)>;

/// The people named so far in a paragraph.
struct NamedPeople<'g, 't> {
    named: BTreeSet<&'t str>,
    /// The person with whom the last sentence began.
    subject: Option<&'t str>,
    /// The people named in the last sentence.
    last: BTreeSet<&'t str>,
    /// The last date with which a sentence began.
    date: String,
    genders: &'g Genders<'t>,
}

impl<'t> NamedPeople<'_, 't> {
    /// Returns the only possible referent of a pronoun in a sentence read so far: the person with whom this or the last
    /// sentence began.
    fn meant_by(&self, pronoun: &str, read: &MaskedSentence<'t>) -> Option<&'t str> {
        let one = self.only_fit(pronoun, None)?;
        let is_evident = || self.named.len() > 1 && self.last.contains(one) && self.is_evident(pronoun, one);
        (read.subject().or(self.subject) == Some(one) || is_evident()).then_some(one)
    }

    /// Returns whether a pronoun means people like this person, by the pronouns used for them and by their name.
    fn is_evident(&self, pronoun: &str, one: &str) -> bool {
        let (he, she) = self.genders.get(one).copied().unwrap_or_default();
        match pronoun {
            "他" => he > she,
            "她" => she > he,
            _ => false,
        }
    }

    /// Returns the person to whom the subject of a sentence does something: the only other one whom the pronoun may mean.
    fn receiver(&self, pronoun: &str, read: &MaskedSentence<'t>) -> Option<&'t str> {
        let subject = read.subject()?;
        let is_given = read.text.ends_with(['给', '向', '对']);
        is_given.then(|| self.only_fit(pronoun, Some(subject))).flatten()
    }

    /// Returns the only person named so far, apart from `subject`, whom a pronoun may mean.
    fn only_fit(&self, pronoun: &str, subject: Option<&str>) -> Option<&'t str> {
        let fits = |one: &&'t str| Some(*one) != subject && self.fits(pronoun, one);
        let mut fitting = self.named.iter().copied().filter(fits);
        fitting.next().filter(|_| fitting.next().is_none())
    }

    /// Returns the person meant by a possessive that follows `somebody was`, with its length: the subject of the last
    /// sentence, if only that person and somebody are named. Nobody is their own brother.
    fn owner_of(&self, rest: &str, read: &MaskedSentence<'t>, words: &SpeakerWords) -> Option<(usize, &'t str)> {
        const LINKS: [&str; 6] = [" was ", " is ", "就是", "正是", "便是", "是"];
        let head = LINKS.iter().find_map(|link| read.text.strip_suffix(link))?;
        let last = head.chars().next_back().filter(|c| is_person(*c))?;
        let somebody = read.name(last.encode_utf8(&mut [0; 4]))?;
        let word = ["his", "her", "他", "她"].into_iter().find(|word| rest.starts_with(word))?;
        let is_other = words.not_pronouns.iter().any(|other| rest.starts_with(other.as_str()));
        if is_other || word.is_ascii() && !rest[word.len()..].starts_with(' ') {
            return None;
        }
        let [one] = self.named.iter().copied().filter(|one| *one != somebody).collect::<Vec<_>>()[..] else {
            return None;
        };
        (self.subject == Some(one) && self.fits(word, one)).then_some((word.len(), one))
    }

    /// Returns whether a pronoun may mean a person, by the pronouns used where only that person is named.
    fn fits(&self, pronoun: &str, one: &str) -> bool {
        let (he, she) = self.genders.get(one).copied().unwrap_or_default();
        match pronoun.to_lowercase().as_str() {
            "他" | "he" | "his" => he >= she,
            _ => she >= he,
        }
    }
}

/// Ends of Chinese names of women, and of men.
const SHE: [&str; 19] = [
    "姐", "妹", "娘", "婶", "嫂", "姑", "姨", "婆", "奶奶", "太太", "夫人", "小姐", "姑娘", "公主", "皇后", "寡妇",
    "妃", "氏", "母",
];
const HE: [&str; 16] =
    ["哥", "弟", "叔", "伯", "爷", "公", "少爷", "老爷", "公子", "和尚", "捕头", "王爷", "太监", "父", "老汉", "大爷"];

fn genders<'t>(text: &str, prose: &Prose, mentions: &'t [NamedMention]) -> Genders<'t> {
    let mut genders = Genders::default();
    for one in mentions.iter().filter(|one| one.kind == PieceKind::Character) {
        let has = |words: &[&str]| words.iter().any(|word| one.name.ends_with(word));
        let told = if has(&SHE) { (0, 1) } else { (usize::from(has(&HE)), 0) };
        genders.insert(one.name.as_str(), told);
    }
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

fn within<'m>(mentions: &'m [NamedMention], range: &Range<usize>) -> impl Iterator<Item = &'m NamedMention> + use<'m> {
    let (start, end) = (range.start, range.end);
    let from = mentions.partition_point(|mention| mention.start < start);
    mentions[from..].iter().take_while(move |mention| mention.end <= end)
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
        if let Some((length, name)) = known.owner_of(rest, &line, words) {
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
    let joins = [" and", " but", " now", " as", " while", " because", " yet", "And", "But", "Now"]
        .iter()
        .any(|word| bare.ends_with(word));
    let is_time = [
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
    ]
    .iter()
    .any(|word| bare.ends_with(word));
    bare.is_empty() || bare.ends_with(ends) || is_time || (joins && read.ends_with(' '))
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

/// Returns the sentences of a speech.
fn spoken<'t>(
    text: &'t str,
    paragraph: &Range<usize>,
    speech: &Range<usize>,
    mentions: &'t [NamedMention],
) -> Vec<AttributedSentence<'t>> {
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
    let language = Language::of_script(&text[paragraph.clone()]);
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
            for (own, other) in [(" am ", " is "), ("’m ", " is "), ("'m ", " is "), (" have ", " has ")] {
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
