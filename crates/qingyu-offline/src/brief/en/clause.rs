//! Ends of English clauses, and noun phrases for persons in them.

use crate::brief::text::phrase;

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
/// Marks that end a clause.
pub(super) const ENDS: [char; 9] = ['.', ',', ';', ':', '!', '?', '(', ')', '\u{2014}'];

/// Returns the noun phrase at `start`, without its article.
pub(super) fn noun_phrase(text: &str, folded: &str, start: usize) -> Option<String> {
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

/// Returns the end of the first word for a person, unless another such word follows directly.
pub(super) fn person_end(phrase: &str) -> Option<usize> {
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

/// Returns `text` with a small first letter, unless it is a proper name.
pub(super) fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    let proper = text.chars().nth(1).is_some_and(char::is_uppercase);
    match letters.next() {
        Some(first) if !proper => first.to_lowercase().chain(letters).collect(),
        _ => text.into(),
    }
}

/// Returns whether a noun phrase ends with a person.
pub(super) fn is_person(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let Some(last) = lower.split_whitespace().next_back() else { return false };
    let ending = ["er", "or", "ist", "ian", "man", "woman", "smith", "eer", "ess", "monger", "wright", "maker"];
    let singular = last.strip_suffix('s').unwrap_or(last);
    PERSONS.contains(&last)
        || (!NOT_PERSONS.contains(&singular) && singular.len() > 4 && ending.iter().any(|end| last.ends_with(end)))
}
