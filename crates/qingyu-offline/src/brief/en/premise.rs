//! The premise of an English requirement: theme, two leads, a name after a trade, inciting event.

use super::clause::{ENDS, is_person, lower_first, noun_phrase, person_end};
use crate::brief::text::{clip_to, has_word, phrase};

/// Verbs of inciting events.
#[rustfmt::skip]
const INCIDENTS: &[&str] = &[
    " finds ", " discovers ", " receives ", " inherits ", " stumbles ", " wakes ", " witnesses ", " meets ", " returns ",
    " learns ", " hears ", " opens ", " comes home ", " is hired ", " is framed ", " is sent ",
];
/// Words for the relation between two people rather than a trade.
const BETWEEN: &[&str] = &["rival", "competing", "feuding", "warring", "estranged", "opposing", "different"];
/// Words for people other than trades.
const KIN: &[&str] =
    &["man", "woman", "boy", "girl", "brother", "sister", "twin", "child", "friend", "couple", "lover"];

/// Returns the subject of the story, unless a person.
pub(in crate::brief) fn theme(text: &str, folded: &str) -> Option<String> {
    let markers = ["on the theme of ", "about ", "exploring "];
    let start = markers.iter().find_map(|marker| Some(folded.find(marker)? + marker.len()))?;
    let rest = &folded[start..];
    let stops = [" set in ", " in which ", " where ", " with ", " featuring "];
    let end = stops.iter().filter_map(|stop| rest.find(stop)).chain(rest.find(ENDS)).min().unwrap_or(rest.len());
    let words: Vec<&str> = rest[..end].split_whitespace().collect();
    let counted = words.first().is_some_and(|word| ["a", "an", "the", "two", "three"].contains(word));
    let somebody = noun_phrase(text, folded, start).is_some_and(|found| is_person(&found))
        || counted && words.iter().any(|word| is_person(word) || singular(word).is_some_and(|word| is_person(&word)));
    phrase(&text[start..start + end]).filter(|_| !somebody && words.len() <= 8)
}

/// Returns the shared trade of both leads, in `two rival beekeepers`.
pub(super) fn pair(folded: &str) -> Option<String> {
    let starts = folded.match_indices("two ").filter(|(at, _)| *at == 0 || folded.as_bytes()[at - 1] == b' ');
    starts.into_iter().find_map(|(at, two)| {
        let mut trade: Vec<String> = Vec::new();
        for word in folded[at + two.len()..].split_whitespace().take(4) {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            match singular(bare).filter(|one| is_person(one)) {
                Some(one) if KIN.contains(&one.as_str()) => return None,
                Some(one) => {
                    trade.push(one);
                    return phrase(&trade.join(" "));
                }
                None if BETWEEN.contains(&bare) => {}
                None => trade.push(bare.into()),
            }
        }
        None
    })
}

fn singular(word: &str) -> Option<String> {
    if let Some(stem) = word.strip_suffix("men") {
        return Some(format!("{stem}man"));
    }
    let stem = word.strip_suffix('s').filter(|stem| !stem.ends_with('s'))?;
    match stem.strip_suffix("ie") {
        Some(stem) => Some(format!("{stem}y")),
        None => {
            Some(if word.ends_with("sses") || word.ends_with("ches") { &stem[..stem.len() - 1] } else { stem }.into())
        }
    }
}

/// Returns a trade with the name directly after, as in `high-school senior Mara Lin finds`.
pub(super) fn named_after_trade(text: &str, folded: &str) -> Option<(String, String)> {
    let clauses = text.match_indices([':', '.', ',']).map(|(at, mark)| at + mark.len()).chain([0]);
    let articles = [" a ", " an ", " the "].into_iter().flat_map(|article| folded.match_indices(article));
    let markers = [" about ", " where ", " when "].into_iter().flat_map(|marker| folded.match_indices(marker));
    let mut starts: Vec<usize> = clauses.chain(articles.chain(markers).map(|(at, marker)| at + marker.len())).collect();
    starts.sort_unstable();
    starts.into_iter().find_map(|start| {
        let rest = text[start..].trim_start();
        let start = text.len() - rest.len();
        let rest = ["a ", "an ", "the "].iter().find_map(|article| folded[start..].strip_prefix(article));
        let start = rest.map_or(start, |rest| text.len() - rest.len());
        let sentence = &folded[start..start + folded[start..].find(ENDS).unwrap_or(folded.len() - start)];
        let end = person_end(sentence)?;
        let trade = phrase(&text[start..start + end]).filter(|trade| trade.split_whitespace().count() <= 4)?;
        let name = capitals(text[start + end..].strip_prefix(' ')?)?;
        Some((lower_first(&trade), name))
    })
}

/// Returns the two or three capitalized words at the beginning of `text`, or a single such word before a verb.
fn capitals(text: &str) -> Option<String> {
    let mut name: Vec<&str> = Vec::new();
    for word in text.split_whitespace().take(3) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !bare.starts_with(char::is_uppercase) || is_person(bare) && name.is_empty() {
            break;
        }
        name.push(bare);
        if word.ends_with(ENDS) {
            break;
        }
    }
    phrase(&name.join(" "))
}

/// Returns the inciting event of the protagonist: `finds a ten-year-old letter`.
pub(super) fn event(text: &str, folded: &str, who: &[Option<&String>]) -> Option<String> {
    let (at, verb) = INCIDENTS.iter().filter_map(|verb| Some((folded.find(verb)?, *verb))).min()?;
    let begins = folded[..at].rfind(ENDS).map_or(0, |mark| mark + 1);
    let named = who.iter().flatten().any(|who| has_word(&folded[begins..at], &who.to_ascii_lowercase()));
    let rest = &text[at + 1..];
    let event = rest.split(ENDS).next()?.trim();
    (named && event.len() > verb.trim().len()).then(|| clip_to(event, 120)).flatten()
}
