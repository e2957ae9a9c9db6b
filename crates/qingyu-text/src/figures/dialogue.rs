//! Attributes speeches to speakers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use qingyu_story::language::is_han;
use qingyu_story::prose::Speech;
use qingyu_story::{Language, Names, PieceKind, Prose, marks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finder::{WordFinder, distance};
use super::ratio::{rounded, share};
use crate::Error;
use crate::error::{builtin, read};

/// The distance searched before and after a speech for a tag, in bytes.
const REACH: usize = 120;
/// The most speakers returned.
const SPEAKERS: usize = 40;

/// What is spoken in a text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Dialogue {
    /// The part of the text that is spoken, from 0 to 1.
    pub share: f64,
    /// Chinese characters and Latin words between quotation marks.
    pub length: usize,
    /// How many speeches there are.
    pub speeches: usize,
    /// The mean length of a speech.
    pub mean: f64,
    /// Who speaks as far as the text says so, the longest first.
    pub speakers: Vec<Speaker>,
    /// How many speeches have nobody named beside them.
    pub unnamed: usize,
}

/// Somebody who speaks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Speaker {
    /// The name: of the card, if the cast is known.
    pub name: String,
    /// How many speeches.
    pub speeches: usize,
    /// Chinese characters and Latin words.
    pub length: usize,
    /// The part of all that is spoken, from 0 to 1.
    pub share: f64,
}

/// The speech tag lists parsed from `data/speech.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeechWords {
    /// The Chinese lists.
    pub(crate) zh: SpeechTags,
    /// The English lists.
    pub(crate) en: SpeechTags,
}

/// The speech tag words of a language.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SpeechTags {
    /// Verbs of speaking.
    pub(crate) verbs: Vec<String>,
    /// Words allowed between the speaker and the verb.
    pub(crate) manner: Vec<String>,
    /// Pronouns in place of a name.
    pub(crate) pronouns: Vec<String>,
}

impl SpeechWords {
    /// Returns the built-in lists.
    pub fn builtin() -> Self {
        builtin(include_str!("../../data/speech.toml"))
    }

    /// Parses user-supplied lists.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("speech", toml)
    }

    /// Returns the lists with the lists of `other` appended.
    pub fn extended(mut self, other: Self) -> Self {
        for (mine, others) in [(&mut self.zh, other.zh), (&mut self.en, other.en)] {
            mine.verbs.extend(others.verbs);
            mine.manner.extend(others.manner);
            mine.pronouns.extend(others.pronouns);
        }
        self
    }
}

/// A finder of speakers.
#[derive(Debug, Clone)]
pub(super) struct SpeakerFinder {
    zh: LanguageTags,
    en: LanguageTags,
}

#[derive(Debug, Clone)]
struct LanguageTags {
    verbs: WordFinder<()>,
    manner: Vec<String>,
    pronouns: BTreeSet<String>,
}

impl LanguageTags {
    fn new(tags: &SpeechTags) -> Self {
        let mut manner = tags.manner.clone();
        manner.sort_by_key(|word| std::cmp::Reverse(word.len()));
        Self {
            verbs: WordFinder::new(tags.verbs.iter().map(|verb| (verb.clone(), ()))),
            manner,
            pronouns: tags.pronouns.iter().map(|word| word.to_lowercase()).collect(),
        }
    }
}

impl SpeakerFinder {
    pub(super) fn new(words: &SpeechWords) -> Self {
        Self { zh: LanguageTags::new(&words.zh), en: LanguageTags::new(&words.en) }
    }

    /// Returns the figures of the speeches in `prose`; the cast in `names` is recognized by aliases too.
    pub(super) fn listen(&self, text: &str, prose: &Prose, names: Option<&Names>) -> Dialogue {
        let mut spoken: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let (mut length, mut unnamed) = (0, 0);
        for (paragraph, speeches) in by_paragraph(prose) {
            let heard: Vec<Option<String>> =
                speeches.iter().map(|speech| self.speaker(text, &speech.range, prose.language, names)).collect();
            let named: BTreeSet<&String> = heard.iter().flatten().collect();
            // A single speaker in a paragraph speaks all of the paragraph; the fallback without a tag is the only
            // person acting there.
            let acting = if named.is_empty() { alone(text, paragraph, speeches, names) } else { None };
            let only = if named.len() == 1 { named.first().copied() } else { acting.as_ref() };
            for (speech, heard) in speeches.iter().zip(&heard) {
                let words = distance(&text[speech.range.clone()]).0;
                length += words;
                match heard.as_ref().or(only) {
                    Some(name) => {
                        let (speeches, length) = spoken.entry(name.clone()).or_default();
                        *speeches += 1;
                        *length += words;
                    }
                    None => unnamed += 1,
                }
            }
        }
        let speaker = |(name, (speeches, spoken)): (String, (usize, usize))| Speaker {
            name,
            speeches,
            length: spoken,
            share: share(spoken, length),
        };
        let mut speakers: Vec<Speaker> = spoken.into_iter().map(speaker).collect();
        speakers.sort_by(|a, b| b.length.cmp(&a.length).then_with(|| a.name.cmp(&b.name)));
        speakers.truncate(SPEAKERS);
        let speeches = prose.speeches.len();
        let mean = if speeches == 0 { 0.0 } else { rounded(length as f64 / speeches as f64) };
        Dialogue { share: share(length, prose.length).min(1.0), length, speeches, mean, speakers, unnamed }
    }

    /// Returns the speaker of the speech at `speech`, from the tag.
    fn speaker(&self, text: &str, speech: &Range<usize>, language: Language, names: Option<&Names>) -> Option<String> {
        let hearing = match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        };
        let after = clause_after(text, speech.end);
        let before = clause_before(text, speech.start);
        if let Some(names) = names
            && let Some(name) = hearing.cast(after, before, names)
        {
            return Some(name);
        }
        let unknown = match language {
            Language::Zh => {
                let announced = || hearing.chinese(before.trim_end_matches(['：', ':', '，', ' ']));
                // A colon before a speech always announces the speech.
                match before.trim_end().ends_with(['：', ':']) {
                    true => announced(),
                    false => hearing.chinese(after).or_else(announced),
                }
            }
            Language::En => hearing.english(after).or_else(|| hearing.english(before)),
        };
        unknown.filter(|name| !hearing.pronouns.contains(&name.to_lowercase()))
    }
}

impl LanguageTags {
    /// Returns the cast member in the tag.
    fn cast(&self, after: &str, before: &str, names: &Names) -> Option<String> {
        let says = |clause: &str| !self.verbs.find(clause).is_empty();
        let named = |clause: &str| -> Vec<String> {
            let mentions = names.mentions_in_prose(clause);
            let people = mentions.iter().filter_map(|mention| {
                let [one] = mention.bearers.as_slice() else { return None };
                (one.kind == PieceKind::Character).then(|| one.name.clone())
            });
            people.collect()
        };
        let announces = before.trim_end().ends_with(['：', ':']);
        // A clause announcing or following a speech names the speaker first.
        if (announces || before.trim_end().ends_with([',', '，']) && says(before))
            && let Some(name) = named(before).into_iter().next()
        {
            return Some(name);
        }
        if says(after) { named(after).into_iter().next() } else { None }
    }

    /// Returns a name of two to four characters directly before the verb.
    fn chinese(&self, clause: &str) -> Option<String> {
        let found = self.verbs.find(clause);
        let (verb, ()) = found.first()?;
        let mut subject = clause[..verb.start].trim();
        while let Some(shorter) = self.manner.iter().find_map(|manner| subject.strip_suffix(manner.as_str())) {
            subject = shorter.trim_end_matches('，');
        }
        let length = subject.chars().count();
        let is_nobody =
            self.pronouns.iter().any(|word| subject.starts_with(word.as_str()) || subject.ends_with(word.as_str()));
        ((2..=4).contains(&length) && !is_nobody && subject.chars().all(is_han)).then(|| subject.to_owned())
    }

    /// Returns a capitalized name directly beside the verb.
    fn english(&self, clause: &str) -> Option<String> {
        let found = self.verbs.find(clause);
        let (verb, ()) = found.first()?;
        let is_name = |word: &str| word.chars().next().is_some_and(char::is_uppercase) && word != "I";
        let clean = |word: &str| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let is_short = marks::is_abbreviation(bare) && word.contains('.');
            if is_short { format!("{bare}.") } else { bare.to_owned() }
        };
        let behind = clause[verb.end..].split_whitespace().take(2).map(clean).take_while(|word| is_name(word));
        let behind: Vec<String> = behind.collect();
        if !behind.is_empty() && clause[..verb.start].trim().is_empty() {
            return Some(behind.join(" "));
        }
        let in_front = clause[..verb.start].split_whitespace().rev().map(clean);
        let in_front = in_front.skip_while(|word| self.manner.iter().any(|manner| manner == word));
        let mut in_front: Vec<String> = in_front.take(2).take_while(|word| is_name(word)).collect();
        in_front.reverse();
        (!in_front.is_empty()).then(|| in_front.join(" "))
    }
}

/// Returns the only cast member named in a paragraph outside the speeches: `小满眼睛一亮。“木头鱼？”`.
fn alone(text: &str, paragraph: &Range<usize>, speeches: &[Speech], names: Option<&Names>) -> Option<String> {
    let names = names?;
    let mut only: Option<String> = None;
    let mut from = paragraph.start;
    let spoken = speeches.iter().map(|speech| (speech.range.start, speech.range.end));
    for (start, end) in spoken.chain([(paragraph.end, paragraph.end)]) {
        let narrated = text.get(from..start).unwrap_or_default();
        from = end;
        for mention in names.mentions_in_prose(narrated) {
            let [one] = mention.bearers.as_slice() else { return None };
            if one.kind == PieceKind::Character {
                match &only {
                    None => only = Some(one.name.clone()),
                    Some(known) if *known == one.name => {}
                    Some(_) => return None,
                }
            }
        }
    }
    only
}

/// Returns the speeches of each paragraph with any.
fn by_paragraph(prose: &Prose) -> Vec<(&Range<usize>, &[Speech])> {
    let mut rest = prose.speeches.as_slice();
    let mut groups = Vec::new();
    for paragraph in &prose.paragraphs {
        let here = rest.partition_point(|speech| speech.range.start < paragraph.range.end);
        let (speeches, later) = rest.split_at(here);
        if !speeches.is_empty() {
            groups.push((&paragraph.range, speeches));
        }
        rest = later;
    }
    groups
}

/// Returns the text after a speech, up to the end of the clause.
fn clause_after(text: &str, from: usize) -> &str {
    let rest = &text[from..floor(text, from + REACH)];
    let rest = rest.trim_start_matches([' ', '，', ',']);
    let is_end = |c: char| {
        matches!(c, '，' | '；' | '：' | ',' | ';' | ':' | '\n')
            || marks::is_double_quote(c)
            || (marks::may_end_sentence(c) && c != '…')
    };
    let end = rest.char_indices().find(|(at, c)| is_end(*c) && !(*c == '.' && shortens(rest, *at)));
    match end {
        // A clause before a colon announces the next speech.
        Some((_, '：' | ':')) => "",
        Some((at, _)) => &rest[..at],
        None => rest,
    }
}

/// Returns the text before a speech, from the beginning of the sentence.
fn clause_before(text: &str, until: usize) -> &str {
    let rest = &text[floor(text, until.saturating_sub(REACH))..until];
    let is_end = |c: char| {
        matches!(c, '；' | ';' | '\n') || marks::is_double_quote(c) || (marks::may_end_sentence(c) && c != '…')
    };
    let ends = |(at, c): &(usize, char)| is_end(*c) && !(*c == '.' && shortens(rest, *at));
    let start = rest.char_indices().rev().find(ends).map_or(0, |(at, c)| at + c.len_utf8());
    rest[start..].trim_start()
}

/// Returns whether the full stop at `at` marks an abbreviation.
fn shortens(text: &str, at: usize) -> bool {
    let word = text[..at].rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    marks::is_abbreviation(word)
}

/// Returns the character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}
