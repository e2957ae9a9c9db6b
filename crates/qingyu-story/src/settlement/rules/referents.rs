//! The people whom pronouns mean.

use std::collections::{BTreeSet, HashMap};

use super::english;
use super::forms::SpeakerWords;
use super::line::{MaskedSentence, is_person};
use super::mention::{NamedMention, within};
use crate::piece::PieceKind;
use crate::{Language, Prose};

/// Counts of masculine and feminine pronouns per character, from passages without other names.
pub(super) type Genders<'t> = HashMap<&'t str, (usize, usize)>;

/// The people named so far in a paragraph.
pub(super) struct NamedPeople<'g, 't> {
    pub(super) named: BTreeSet<&'t str>,
    /// The last date with which a sentence began.
    pub(super) date: String,
    /// The person with whom the last sentence began, or who an English sentence says somebody was.
    subject: Option<&'t str>,
    /// The people named in the last sentence.
    last: BTreeSet<&'t str>,
    /// The last sentence, if it is English and names a single person: the person, and the text with placeholders.
    last_about_one: Option<(&'t str, String)>,
    /// The person with whom the last Chinese sentence began, if it spoke of nobody else.
    alone: Option<&'t str>,
    genders: &'g Genders<'t>,
}

impl<'g, 't> NamedPeople<'g, 't> {
    /// Returns those of a paragraph before its first sentence; `alone` is the person of whom alone the last paragraph spoke in its
    /// end.
    pub(super) fn following(alone: Option<&'t str>, genders: &'g Genders<'t>) -> Self {
        let (named, last) = (BTreeSet::new(), BTreeSet::new());
        Self { named, date: String::new(), subject: alone, last, last_about_one: None, alone, genders }
    }

    /// Returns the person with whom the last Chinese sentence began, if it spoke of nobody else.
    pub(super) fn alone(&self) -> Option<&'t str> {
        self.alone
    }

    /// Remembers the people of a sentence. One without other people leaves the subject, if it `is_alone`; with a word for
    /// people, it `names_strangers`.
    pub(super) fn end_sentence(
        &mut self,
        line: &MaskedSentence<'t>,
        language: Language,
        is_alone: bool,
        names_strangers: bool,
    ) {
        let goes_on = is_alone && line.names_nobody_but(self.subject);
        let only = line.only_person();
        let identified = only.filter(|_| english::identifies(&line.text));
        self.last = line.people().collect();
        self.subject = line.subject().or(identified).or(self.subject.filter(|_| goes_on));
        let is_of_one = is_alone && !names_strangers && !line.text.contains('\u{1}');
        self.alone = self.subject.filter(|one| is_of_one && line.names_nobody_but(Some(*one)));
        self.last_about_one = only.filter(|_| language == Language::En).map(|one| (one, line.text.clone()));
    }

    /// Returns the only possible referent of a pronoun in a sentence read so far: the person with whom this or the last
    /// sentence began; in Chinese the person whom the text calls by this pronoun, in English the only person of the last sentence.
    pub(super) fn meant_by(&self, pronoun: &str, read: &MaskedSentence<'t>) -> Option<&'t str> {
        let begins = read.subject().or(self.subject);
        let is_evident = |one: &str| self.named.len() > 1 && self.last.contains(one) && self.is_evident(pronoun, one);
        let only = self.only_fit(pronoun, None).filter(|one| begins == Some(*one) || is_evident(one));
        let only = only.or_else(|| self.only_of_last(pronoun, read));
        let one = only.or_else(|| self.last_spoken_of(pronoun, read))?;
        self.fits(pronoun, one).then_some(one)
    }

    /// Returns the person of whom alone the last Chinese sentence spoke, unless this one has named another, or the pronoun
    /// evidently means another of the paragraph.
    fn only_of_last(&self, pronoun: &str, read: &MaskedSentence<'t>) -> Option<&'t str> {
        let is_free = !pronoun.is_ascii() && read.names_nobody_but(self.alone) && !read.text.contains('\u{1}');
        let one = self.alone.filter(|_| is_free)?;
        let is_of_another = self.named.iter().any(|other| *other != one && self.is_evident(pronoun, other));
        (self.is_evident(pronoun, one) || !is_of_another).then_some(one)
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

    /// Returns the only person of what is read of this sentence, or else of the last sentence, unless one of them speaks of
    /// another whom an English pronoun may mean.
    fn last_spoken_of(&self, pronoun: &str, read: &MaskedSentence<'t>) -> Option<&'t str> {
        if !pronoun.is_ascii() {
            return None;
        }
        let is_he = is_masculine(pronoun);
        if let Some(one) = read.only_person() {
            let mut others = self.named.iter().filter(|other| **other != one && !is_excluded(pronoun, other));
            let is_known = read.subject() == Some(one) || others.next().is_none();
            let is_meant = is_known && !is_excluded(pronoun, one) && !english::names_rival(&read.text, is_he);
            return is_meant.then_some(one);
        }
        let (one, last) = self.last_about_one.as_ref()?;
        let is_free = self.subject == Some(one) || !english::has_rival(last, is_he);
        let is_alone = !read.names_anybody() && !english::has_rival(&read.text, is_he);
        (is_free && is_alone && !is_excluded(pronoun, one)).then_some(*one)
    }

    /// Returns the person to whom the subject of a sentence does something: the only other one whom the pronoun may mean.
    pub(super) fn receiver(&self, pronoun: &str, read: &MaskedSentence<'t>) -> Option<&'t str> {
        let subject = read.subject()?;
        let is_given = read.text.ends_with(['给', '向', '对']);
        is_given.then(|| self.only_fit(pronoun, Some(subject))).flatten()
    }

    /// Returns the only person named so far, apart from `other`, whom a pronoun may mean. In English only a title excludes
    /// anybody: the pronouns of a passage may be of people without a name.
    fn only_fit(&self, pronoun: &str, other: Option<&str>) -> Option<&'t str> {
        let may_mean = |one: &str| match pronoun.is_ascii() {
            true => !is_excluded(pronoun, one),
            false => self.fits(pronoun, one),
        };
        let mut fitting = self.named.iter().copied().filter(|one| Some(*one) != other && may_mean(one));
        fitting.next().filter(|_| fitting.next().is_none())
    }

    /// Returns the person meant by an English possessive before a kinship word and the name of the relative, with the length of
    /// the possessive: `his uncle Tom`. Nobody is their own relative.
    pub(super) fn owner_of_relative(
        &self,
        rest: &str,
        relative: Option<(usize, &str)>,
        read: &MaskedSentence<'t>,
    ) -> Option<(usize, &'t str)> {
        let (start, relative) = relative?;
        if read.text.ends_with(|c: char| c.is_alphanumeric()) || !english::is_kin_of(rest.get(..start)?) {
            return None;
        }
        let pronoun = &rest[..3];
        let one = self.only_fit(pronoun, Some(relative))?;
        let is_meant = read.subject().or(self.subject) == Some(one)
            && self.fits(pronoun, one)
            && !english::names_rival(&read.text, is_masculine(pronoun));
        is_meant.then_some((pronoun.len(), one))
    }

    /// Returns the person meant by a possessive that follows `somebody was`, with its length: the subject of this or the last
    /// sentence, if only that person and somebody are named. Nobody is their own brother.
    pub(super) fn owner_of(
        &self,
        rest: &str,
        read: &MaskedSentence<'t>,
        words: &SpeakerWords,
    ) -> Option<(usize, &'t str)> {
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
        let begins = read.subject().filter(|begins| *begins != somebody).or(self.subject);
        (begins == Some(one) && self.fits(word, one)).then_some((word.len(), one))
    }

    /// Returns whether a pronoun may mean a person, by the pronouns used where only that person is named.
    fn fits(&self, pronoun: &str, one: &str) -> bool {
        let (he, she) = self.genders.get(one).copied().unwrap_or_default();
        if is_masculine(pronoun) { he >= she } else { she >= he }
    }
}

/// Returns the person meant by an English possessive at `at`, whom the sentence names only later, with the length of the
/// possessive: `Her eyes on the door, Mara waited`, `It was her uncle Tom who taught Ada`. `text` ends with the sentence, `read` is
/// its part before `at` with placeholders for names, and `people` are the people that it names.
pub(super) fn named_later<'t>(
    text: &str,
    at: usize,
    read: &str,
    people: &[&'t NamedMention],
) -> Option<(usize, &'t str)> {
    const CLEFTS: [&str; 4] = ["It was ", "it was ", "It is ", "it is "];
    const FINITE: [&str; 7] = [" was ", " were ", " is ", " are ", " had ", " has ", " did "];
    const SEES: [&str; 9] = ["said", "thought", "saw", "noticed", "knew", "felt", "remembered", "observed", "decided"];
    const LENGTH: usize = "her".len();
    let rest = &text[at..];
    let word = ["His ", "Her ", "his ", "her "].into_iter().find(|word| rest.starts_with(word))?;
    let first = people.first().filter(|first| first.start > at)?;
    let before = &text[at..first.start];
    let mut others = people.iter().filter(|one| one.name != first.name);
    if word.starts_with(['H']) && read.trim_matches(['“', '"', ' ']).is_empty() {
        let next = text[first.end..].trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let is_phrase = before.ends_with(", ")
            && !before.contains(['.', ';', ':', '—', '“', '!', '?'])
            && !FINITE.iter().any(|verb| before.contains(verb));
        let is_subject = text[first.end..].starts_with(' ') && !SEES.contains(&next);
        return (is_phrase && is_subject && others.next().is_none()).then_some((LENGTH, first.name.as_str()));
    }
    let is_cleft = CLEFTS.iter().any(|cleft| read.trim_start_matches(['“', '"']) == *cleft);
    let owner = others.next().filter(|_| is_cleft && english::is_kin_of(before))?;
    people.iter().all(|one| [&first.name, &owner.name].contains(&&one.name)).then_some((LENGTH, owner.name.as_str()))
}

fn is_masculine(pronoun: &str) -> bool {
    matches!(pronoun.to_lowercase().as_str(), "他" | "he" | "his")
}

/// Returns whether the title in an English name tells that a pronoun means somebody else.
fn is_excluded(pronoun: &str, name: &str) -> bool {
    english::is_excluded(name, is_masculine(pronoun))
}

/// Ends of Chinese names of women, and of men.
const SHE: [&str; 19] = [
    "姐", "妹", "娘", "婶", "嫂", "姑", "姨", "婆", "奶奶", "太太", "夫人", "小姐", "姑娘", "公主", "皇后", "寡妇",
    "妃", "氏", "母",
];
const HE: [&str; 16] =
    ["哥", "弟", "叔", "伯", "爷", "公", "少爷", "老爷", "公子", "和尚", "捕头", "王爷", "太监", "父", "老汉", "大爷"];

/// Counts the pronouns of each person in the paragraphs that name nobody else.
pub(super) fn genders<'t>(text: &str, prose: &Prose, mentions: &'t [NamedMention]) -> Genders<'t> {
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

#[cfg(test)]
mod tests {
    use super::super::forms::tests::told;

    #[test]
    fn an_english_pronoun_means_the_only_person_of_the_sentence_before() {
        for (text, expected) in [
            ("Nobody could say where Will was. He was in Saltmarsh.", "Will is_at Saltmarsh Narrated"),
            ("The matron could not bear Will. He was a surgeon.", "Will occupation \"surgeon\" Narrated"),
            ("The man at the gate was Tom. He was sixty.", "Tom Vane age 60 Narrated"),
            ("Ada wrote every week. Her nephew Will seldom answered.", "Ada nephew Will Narrated"),
            ("“I am not old,” said Ada with some heat. “I am fifty.”", "Ada age 50 Said"),
        ] {
            assert!(told(text).iter().any(|found| found == expected), "{text}: {:?}", told(text));
        }
    }

    #[test]
    fn a_chinese_pronoun_means_the_one_of_whom_the_sentence_before_spoke() {
        for (text, expected) in [
            ("苏敏睡了，沈墨还在算账。林深推开了窗。他今年二十六岁。", "林深 age 26 Narrated"),
            ("林深推开了窗。\n他今年二十六岁。", "林深 age 26 Narrated"),
            ("林深推开了窗。\n天亮了。\n他今年二十六岁。", "林深 age 26 Narrated"),
        ] {
            assert!(told(text).iter().any(|found| found == expected), "{text}: {:?}", told(text));
        }
        for text in [
            "林深推开了窗。\n“谁？”沈墨问。\n他今年二十六岁。",
            "苏敏睡了，沈墨还在算账。林深推倒了那个刺客。他死了。",
            "沈墨睡了。林深推开了窗，看着他。他今年二十六岁。",
            "苏敏和林深吵了一架。\n她今年二十六岁。",
        ] {
            assert_eq!(told(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_possessive_may_mean_somebody_named_later() {
        for (text, expected) in [
            ("Her brown eyes fixed on the door, Mara waited.", "Mara eye_colour \"brown\" Narrated"),
            ("It was her uncle Tom who had taught Ada to swim.", "Ada uncle Tom Vane Narrated"),
        ] {
            assert!(told(text).iter().any(|found| found == expected), "{text}: {:?}", told(text));
        }
        for text in [
            "Her brown eyes were fixed on the door, Mara saw.",
            "Her brown eyes fixed on Will, Mara waited.",
            "It was her uncle Tom who had taught Ada and Mara to swim.",
        ] {
            assert_eq!(told(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_pronoun_that_may_mean_another_is_left_alone() {
        for text in [
            "The clerk had written twice to Will. He was in Saltmarsh.",
            "He had written twice to Will. He was in Saltmarsh.",
            "In York they spoke of Frank and of Will. He was in Saltmarsh.",
            "Everyone had heard of Will and of Tom. He was in Saltmarsh.",
            "“I am not old,” said Ada. The captain laughed. “I am fifty.”",
        ] {
            assert_eq!(told(text), Vec::<String>::new(), "{text}");
        }
    }
}
