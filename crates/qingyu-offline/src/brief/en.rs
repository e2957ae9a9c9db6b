//! Parsing of English requirements. `folded` is the text in ASCII lower case, with equal byte offsets.

mod clause;
mod premise;

use self::clause::{ENDS, is_person, noun_phrase};
use super::phrases::RequirementPhrases;
use super::text::{has_word, phrase};

#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "protagonist", "main character", "detective", "investigator", "sleuth", "heroine", "hero", "narrator", "lead",
];
#[rustfmt::skip]
const INTRODUCTIONS: &[&str] = &[
    "about ", "following ", "follows ", "starring ", "in which ", "where ", "story of ", "tale of ", "when ",
    "between ",
];
const MUSTS: [&str; 5] = ["must include ", "should include ", "include ", "featuring ", "make sure there is "];

pub(super) fn read(text: &str, folded: &str) -> RequirementPhrases {
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
    RequirementPhrases {
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
        chapters: None,
        chapter_words: None,
    }
}

/// Returns the clause after the first of `markers`.
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

/// Returns the trade of the second lead, in `a smuggler and a diplomat` or `a governess pretends to marry a duke`.
fn partner(text: &str, folded: &str, hero: Option<&String>) -> Option<String> {
    let hero = hero?;
    let after = folded.find(hero.to_ascii_lowercase().as_str())? + hero.len();
    let rest = folded.get(after..)?;
    let articles = [" a ", " an ", " the "].into_iter().flat_map(|article| rest.match_indices(article));
    let mut starts: Vec<usize> = articles.map(|(at, _)| after + at + 1).collect();
    starts.sort_unstable();
    starts.into_iter().filter_map(|at| noun_phrase(text, folded, at)).find(|found| is_person(found))
}

/// Returns the names after `named` and `called`.
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

/// Returns the proper name after `in`, `aboard`, `at` or `on`.
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
