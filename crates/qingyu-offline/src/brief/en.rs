//! English requirements. `folded` is the text in ASCII lower case, byte for byte as long as the text.

mod premise;

use super::{Length, Said, has_word, phrase};

#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "protagonist", "main character", "detective", "investigator", "sleuth", "heroine", "hero", "narrator", "lead",
];
#[rustfmt::skip]
const INTRODUCTIONS: &[&str] = &[
    "about ", "following ", "follows ", "starring ", "in which ", "where ", "story of ", "tale of ", "when ",
    "between ",
];
#[rustfmt::skip]
const STOPS: &[&str] = &[
    " who ", " that ", " in ", " on ", " at ", " must ", " with ", " and ", " whose ", " from ", " during ", " to ",
    " trying ", " finds ", " discovers ", " is ", " falls ", " has ", " learns ", " returns ", " aboard ", " wants ",
    " seeks ", " after ", " through ", " for ", " gets ", " inherits ", " hunts ", " hunting ", " searching ",
    " named ", " called ", " becomes ", " decides ", " against ", " steals ", " takes ", " joins ", " solves ",
];
#[rustfmt::skip]
const PERSONS: &[&str] = &[
    "detective", "thief", "knight", "witch", "nurse", "soldier", "pilot", "girl", "boy", "woman", "man", "mother",
    "father", "sister", "brother", "widow", "orphan", "spy", "cop", "sheriff", "priest", "nun", "monk", "king",
    "queen", "prince", "princess", "chef", "cook", "clerk", "captain", "medic", "surgeon", "mechanic", "hacker",
    "assassin", "student", "apprentice", "scribe", "cartographer", "mapmaker", "smuggler", "pirate", "nobleman",
    "lady", "lord", "maid", "butler", "robot", "android", "ghost", "vampire", "wizard", "mage", "dragon", "scholar",
    "bard", "healer", "midwife", "judge", "guard", "courier", "veteran", "conman", "burglar", "safecracker",
    "astronaut", "engineer", "child", "teenager", "twin", "couple", "hermit", "squire", "diplomat", "duke", "duchess", "earl", "baron", "emperor", "spaceman",
    "pianist", "senior", "sophomore", "junior", "doctor", "poet", "accountant", "merchant", "architect",
    "agent", "nanny", "badger", "fox", "rabbit", "bear", "wolf", "cat", "dog",
    "mouse", "owl", "crow", "hedgehog",
];
#[rustfmt::skip]
const NOT_PERSONS: &[&str] = &[
    "order", "winter", "letter", "summer", "river", "paper", "tower", "thriller", "disaster", "horror", "number",
    "murder", "mirror", "chapter", "monster", "power", "corner", "center", "quarter", "water", "danger", "cellar",
    "matter", "character", "whispers", "western", "heist", "mist", "twist", "list",
    "honor", "terror", "error", "color", "anger", "hunger", "laughter", "disorder", "labor", "favor", "humor", "border",
    "wonder", "fever", "weather", "transfer", "computer", "flower", "october", "september", "november", "december",
    "mister", "shelter", "remember", "forever", "never", "under", "after", "over", "other", "together", "another",
    "former", "sister-in-law", "wilder", "older", "younger", "lesser", "longer", "master",
];
#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
];
const MUSTS: [&str; 5] = ["must include ", "should include ", "include ", "featuring ", "make sure there is "];
const ENDS: [char; 9] = ['.', ',', ';', ':', '!', '?', '(', ')', '\u{2014}'];

pub(super) fn read(text: &str, folded: &str) -> Said {
    let mut names = names(text, folded);
    let after_trade = premise::named_after_trade(text, folded).unzip();
    let pair = premise::pair(folded);
    let trade = after_trade.0.or_else(|| pair.clone()).or_else(|| trade(text, folded));
    names.extend(after_trade.1.filter(|_| names.is_empty()));
    let hero_name = if names.is_empty() { None } else { Some(names.remove(0)) };
    let woman =
        ["she", "her", "heroine", "woman", "girl", "queen", "princess", "witch", "widow", "mother", "sister", "nun"];
    let man = ["he", "his", "him", "man", "boy", "king", "prince", "monk", "father", "brother", "cowboy"];
    let says = |words: &[&str]| words.iter().any(|word| has_word(folded, word));
    let (woman, man) = (says(&woman), says(&man));
    Said {
        event: premise::event(text, folded, &[hero_name.as_ref(), trade.as_ref()]),
        theme: premise::theme(text, folded),
        hero_name,
        partner_trade: pair.or_else(|| partner(text, folded, trade.as_ref())),
        hero_trade: trade,
        skill: after(
            text,
            folded,
            &[
                "skilled in ",
                "skilled at ",
                "good at ",
                "expert in ",
                "talent for ",
                "gifted at ",
                "specialises in ",
                "specializes in ",
                "gift for ",
                "trained in ",
            ],
        ),
        want: after(text, folded, &[" must ", " has to ", " wants to ", " needs to ", " tries to ", " trying to "]),
        female: (woman != man).then_some(woman),
        names,
        place: place(text),
        era: era(folded),
        musts: list(after(text, folded, &MUSTS).as_ref()),
        avoid: list(after(text, folded, &[" without ", "avoid ", " no "]).as_ref()),
        chapters: chapters(folded),
        chapter_words: None,
    }
}

/// The clause that follows the first of `markers`.
fn after(text: &str, folded: &str, markers: &[&str]) -> Option<String> {
    let (start, marker) = markers.iter().filter_map(|marker| Some((folded.find(marker)?, marker))).min()?;
    phrase(text[start + marker.len()..].split(ENDS).next()?)
}

fn list(clause: Option<&String>) -> Vec<String> {
    clause.into_iter().flat_map(|clause| clause.split(" and ")).filter_map(phrase).take(5).collect()
}

fn trade(text: &str, folded: &str) -> Option<String> {
    for subject in SUBJECTS {
        for link in [" is ", ": ", " as "] {
            let marker = format!("{subject}{link}");
            if let Some(at) = folded.find(&marker)
                && let Some(found) = noun_phrase(text, folded, at + marker.len())
            {
                return Some(found);
            }
        }
    }
    for marker in INTRODUCTIONS {
        if let Some(at) = folded.find(marker)
            && let Some(found) = noun_phrase(text, folded, at + marker.len())
            && is_person(&found)
        {
            return Some(found);
        }
    }
    let articles = ["a ", "an ", "the "].into_iter().flat_map(|article| folded.match_indices(article));
    let mut starts: Vec<usize> = articles
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || !folded.as_bytes()[at - 1].is_ascii_alphanumeric())
        .collect();
    starts.sort_unstable();
    starts.into_iter().filter_map(|at| noun_phrase(text, folded, at)).find(|found| is_person(found))
}

/// The noun phrase at `start`, without its article.
fn noun_phrase(text: &str, folded: &str, start: usize) -> Option<String> {
    let article = ["a ", "an ", "the "].into_iter().find(|article| folded[start..].starts_with(article));
    let start = start + article.map_or(0, str::len);
    let rest = &folded[start..];
    let stop = STOPS.iter().filter_map(|stop| rest.find(stop)).min().unwrap_or(rest.len());
    let end = rest.find(ENDS).unwrap_or(rest.len()).min(stop);
    let words = rest[..end].split_whitespace().count();
    let end = person_end(&rest[..end]).unwrap_or(end);
    let found = phrase(&text[start..start + end])?;
    (words > 0 && found.split_whitespace().count() <= 5).then(|| lower_first(&found))
}

/// Where the first word for a person ends, if another does not follow at once.
fn person_end(phrase: &str) -> Option<usize> {
    let mut end = None;
    let mut at = 0;
    for word in phrase.split(' ') {
        at += word.len();
        match (is_person(word), end) {
            (true, _) => end = Some(at),
            (false, Some(_)) => break,
            (false, None) => {}
        }
        at += 1;
    }
    end
}

/// What the second leading person is, in `a smuggler and a diplomat` or `a governess pretends to marry a duke`.
fn partner(text: &str, folded: &str, hero: Option<&String>) -> Option<String> {
    let hero = hero?;
    let after = folded.find(hero.to_ascii_lowercase().as_str())? + hero.len();
    let rest = folded.get(after..)?;
    let articles = [" a ", " an ", " the "].into_iter().flat_map(|article| rest.match_indices(article));
    let mut starts: Vec<usize> = articles.map(|(at, _)| after + at + 1).collect();
    starts.sort_unstable();
    starts.into_iter().filter_map(|at| noun_phrase(text, folded, at)).find(|found| is_person(found))
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    let proper = text.chars().nth(1).is_some_and(char::is_uppercase);
    match letters.next() {
        Some(first) if !proper => first.to_lowercase().chain(letters).collect(),
        _ => text.into(),
    }
}

fn is_person(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let Some(last) = lower.split_whitespace().next_back() else { return false };
    let ending = ["er", "or", "ist", "ian", "man", "woman", "smith", "eer", "ess", "monger", "wright", "maker"];
    let singular = last.strip_suffix('s').unwrap_or(last);
    PERSONS.contains(&last)
        || (!NOT_PERSONS.contains(&singular) && singular.len() > 4 && ending.iter().any(|end| last.ends_with(end)))
}

/// Names after `named` and `called`.
fn names(text: &str, folded: &str) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for marker in [" named ", " called "] {
        for (at, _) in folded.match_indices(marker) {
            let words = text[at + marker.len()..].split_whitespace().take(3);
            let mut name: Vec<&str> = Vec::new();
            for word in words {
                let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
                if !bare.chars().next().is_some_and(char::is_uppercase) {
                    break;
                }
                name.push(bare);
                if word.ends_with(ENDS) {
                    break;
                }
            }
            if let Some(name) = phrase(&name.join(" ")) {
                found.push((at, name));
            }
        }
    }
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

/// A proper name after `in`, `aboard`, `at` or `on`.
fn place(text: &str) -> Option<String> {
    [" in ", " aboard ", " at "].iter().flat_map(|marker| text.match_indices(marker)).find_map(|(at, marker)| {
        let rest = &text[at + marker.len()..];
        let rest = rest.strip_prefix("the ").unwrap_or(rest);
        let mut name: Vec<&str> = Vec::new();
        for word in rest.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            if name.is_empty() && bare.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            if bare.is_empty() || !bare.chars().all(char::is_alphabetic) || !bare.starts_with(char::is_uppercase) {
                break;
            }
            name.push(bare);
            if word.ends_with(ENDS) || name.len() == 3 {
                break;
            }
        }
        name.retain(|word| !["Victorian", "Edwardian", "Tudor", "I", "A"].contains(word));
        phrase(&name.join(" "))
    })
}

fn era(folded: &str) -> Option<String> {
    folded.split(|c: char| !c.is_ascii_alphanumeric()).find_map(|word| {
        let digits = word.strip_suffix('s').unwrap_or(word);
        let year = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
        year.then(|| word.to_owned())
    })
}

/// How long the work is said to be: 3,000 words, three thousand words, 2500 words a chapter.
pub(super) fn length(folded: &str) -> Option<Length> {
    let words: Vec<&str> = folded.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let is_unit = |word: &str| matches!(word.trim_matches(|c: char| !c.is_alphabetic()), "words" | "word");
    words.iter().enumerate().filter(|(_, word)| is_unit(word)).find_map(|(at, _)| {
        let before = &words[..at];
        let number = |word: &str| {
            let digits = word.replace(',', "");
            let (digits, unit) = digits.strip_suffix('k').map_or((digits.as_str(), 1), |digits| (digits, 1_000));
            digits.parse::<u32>().ok().map(|count| count * unit).or_else(|| small(word))
        };
        let count = match before {
            [.., count, "thousand"] => number(count)? * 1_000,
            [.., count] => number(count)?,
            [] => return None,
        };
        let behind = words[at + 1..].iter().take(2).map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
        let is_of_chapter = matches!(behind.collect::<Vec<_>>()[..], ["a" | "per" | "each", "chapter"] | ["each", ..]);
        Some(Length { count, is_of_chapter })
    })
}

/// A number in words.
fn small(word: &str) -> Option<u32> {
    const TENS: [&str; 8] = ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"];
    let place = |words: &[&str]| words.iter().position(|known| *known == word).and_then(|at| u32::try_from(at).ok());
    place(NUMBERS).or_else(|| Some(30 + 10 * place(&TENS)?))
}

fn chapters(folded: &str) -> Option<u32> {
    let at = folded.match_indices("chapter").map(|(at, _)| at).find(|at| *at > 0)?;
    let word = folded[..at].trim_end_matches([' ', '-']).split([' ', '-']).next_back()?;
    word.parse().ok().or_else(|| small(word))
}
