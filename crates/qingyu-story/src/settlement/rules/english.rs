//! English words by which the only person meant by a pronoun is found: titles that tell a gender, nouns for people without
//! a name, kinship words, and words after which a clause begins.

use std::sync::LazyLock;

use regex::Regex;

use super::line::is_name;
use crate::names::is_of_man;
use crate::time::{MONTHS, WEEKDAYS};

/// Ranks and words for relatives of men and of women, at the beginning of a name, beside the titles known to
/// [`is_of_man`].
const RANKS: [(&str, bool); 25] = [
    ("grandfather", true),
    ("king", true),
    ("prince", true),
    ("duke", true),
    ("count", true),
    ("baron", true),
    ("earl", true),
    ("squire", true),
    ("master", true),
    ("herr", true),
    ("don", true),
    ("emperor", true),
    ("great-uncle", true),
    ("dame", false),
    ("auntie", false),
    ("great-aunt", false),
    ("grandmother", false),
    ("mother", false),
    ("queen", false),
    ("princess", false),
    ("duchess", false),
    ("countess", false),
    ("baroness", false),
    ("mademoiselle", false),
    ("frau", false),
];

/// Nouns for men, for women, and for people of either kind. A plural is no rival of `he` and `she`.
const MEN: &str = "man|boy|lad|father|brother|son|husband|uncle|nephew|grandfather|grandson|gentleman|fellow|king|prince|lord|\
    widower|bridegroom|monk|priest|vicar|bishop|parson|waiter|butler|footman|policeman|postman|fisherman|boatman|coachman|\
    salesman|workman|stepfather|godfather|father-in-law|brother-in-law|son-in-law|ex-husband|boyfriend|old man|master|grandpa|dad|papa";
const WOMEN: &str = "woman|girl|lass|mother|sister|daughter|wife|aunt|niece|grandmother|granddaughter|lady|queen|princess|widow|\
    bride|nun|matron|maid|governess|housekeeper|waitress|barmaid|landlady|midwife|nurse|hostess|actress|duchess|countess|\
    stepmother|godmother|mother-in-law|sister-in-law|daughter-in-law|ex-wife|girlfriend|seamstress|grandma|mum|mama";
const EITHER: &str = "child|baby|stranger|friend|cousin|person|somebody|someone|doctor|surgeon|captain|sergeant|lieutenant|colonel|\
    corporal|general|officer|soldier|sailor|driver|clerk|cook|cop|constable|inspector|detective|judge|lawyer|teacher|\
    schoolmaster|student|pupil|neighbour|neighbor|guest|servant|steward|mate|partner|prisoner|thief|spy|guard|messenger|\
    magistrate|merchant|baker|butcher|smith|miller|farmer|gardener|keeper|interpreter|ambassador|minister|professor|\
    passenger|patient|customer|client|owner|landlord|porter|conductor|pilot|singer|painter|poet|writer|editor|reporter|\
    heir|orphan|twin|victim|witness|assistant|apprentice|manager|boss|chief|leader|enemy|rival|figure";

/// Kinship words that name another person when a possessive stands before them.
const KIN: &str = "father|mother|brother|sister|son|daughter|wife|husband|uncle|aunt|nephew|niece|cousin|grandfather|grandmother|\
    grandson|granddaughter|stepfather|stepmother|stepson|stepdaughter|stepbrother|stepsister|godfather|godmother|godson|\
    goddaughter|(?:father|mother|brother|sister|son|daughter)-in-law|great-uncle|great-aunt|great-grandfather|great-grandmother";

static RIVALS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    let of = |nouns: &str| words(&format!("{nouns}|{EITHER}"));
    [of(WOMEN), of(MEN)]
});
static PRONOUNS: LazyLock<[Regex; 2]> = LazyLock::new(|| [words("she|her|hers"), words("he|him|his")]);
static OTHERS: LazyLock<Regex> = LazyLock::new(|| words(&format!("{MEN}|{WOMEN}|{EITHER}|he|she|they|we|i")));
static KIN_OF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"^(?:his|her) (?:[a-z-]+ ){{0,3}}(?:{KIN}),? ?(?:(?:called|named|old|young|poor|little|was|is) )*$"
    ))
    .expect("the kin are words")
});
/// A span of time at the beginning of a sentence, directly before its subject.
static SPAN: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)^\s*(?:(?:for|these|after|in|some|nearly|just)\s)?(?:the (?:past|last) )?[a-z0-9-]+(?: [a-z-]+)? (?:years|months|weeks|days|winters|summers)(?: (?:later|after|now))? $|(?i)^(?:.*[,;—] (?:and |but )?)?at [a-z]+(?:-[a-z]+)? $|^(?:After|Since|During|Upon|Following|In|On|At|By|For|From|Throughout|That|This|One|Next|Every|All|Ever since) [a-z’ -]{3,60} $";
    Regex::new(pattern).expect("a span is a pattern")
});

/// Returns the pattern of whole words, `a|b`.
fn words(words: &str) -> Regex {
    Regex::new(&format!(r"(?i)(?:^|[^\w’'-])(?:{words})(?:$|[^\w-])")).expect("the words are a pattern")
}

/// Returns whether the title in a name tells that the name cannot be meant by a pronoun.
pub(super) fn is_excluded(name: &str, is_he: bool) -> bool {
    let title = name.split([' ', '.']).next().unwrap_or_default().to_lowercase();
    let of_rank = || RANKS.iter().find(|(known, _)| *known == title).map(|(_, is_male)| *is_male);
    is_of_man(&title).or_else(of_rank).is_some_and(|is_male| is_male != is_he)
}

/// Returns whether a text without names speaks of anybody else whom a pronoun may mean: by a noun, by a pronoun, or by a name
/// that is not known.
pub(super) fn has_rival(text: &str, is_he: bool) -> bool {
    names_rival(text, is_he) || PRONOUNS[usize::from(is_he)].is_match(text)
}

/// Same as [`has_rival`], without pronouns: in the sentence that names a person they are likely of that person.
pub(super) fn names_rival(text: &str, is_he: bool) -> bool {
    let is_unknown_name = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.chars().count() > 1 && bare.starts_with(char::is_uppercase) && !is_date_word(bare)
    };
    // The first word of a sentence is written with a capital anyway.
    let unknown = text.trim_start().split(' ').skip(1).any(is_unknown_name);
    unknown || RIVALS[usize::from(is_he)].is_match(text)
}

/// Returns whether a text between two speeches speaks of somebody without a name, who may be the next speaker.
pub(super) fn speaks_of_another(between: &str) -> bool {
    OTHERS.is_match(between)
}

fn is_date_word(word: &str) -> bool {
    const WORDS: [&str; 4] = ["Christmas", "Easter", "Lent", "English"];
    let bare = word.split(['’', '\'']).next().unwrap_or_default();
    WORDS.contains(&bare) || WEEKDAYS.contains(&bare) || MONTHS.contains(&bare)
}

/// Returns whether a sentence says at its end who somebody is: `The man in the photograph was …`.
pub(super) fn identifies(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(['.', '!']);
    let head = text.strip_suffix(is_name);
    head.is_some_and(|head| [" was ", " is ", " be ", "named ", "called "].iter().any(|link| head.ends_with(link)))
}

/// Returns whether `words` are a possessive with a kinship word directly before a name.
pub(super) fn is_kin_of(words: &str) -> bool {
    KIN_OF.is_match(words)
}

/// Returns whether the text read so far is a span of time before the subject: `Eight years she had been married`.
pub(super) fn is_span_of_time(read: &str) -> bool {
    SPAN.is_match(read)
}
