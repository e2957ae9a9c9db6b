//! Plain statements in English. Texts are in small letters.

use serde_json::Value;

use super::stretches::{Cues, Stretch, Voice};
use super::{Found, Mention, Readers, eat, skip, whole};
use crate::piece::PieceKind;
use crate::predicate;
use crate::time::{self, leading_number};

pub(super) const CUES: Cues = Cues {
    wakes: &[" woke ", " awoke ", " wakes ", " waking "],
    dreams: &[" had a dream ", " dreamed ", " dreamt ", " in the dream ", " in her dream ", " in his dream "],
    remembers: &[
        " dream ",
        " dreams ",
        " remembered ",
        " remembers ",
        " recalled ",
        " once ",
        " used to ",
        " back then ",
        " years ago ",
        " year ago ",
        " years before ",
        " years earlier ",
        " when she was ",
        " when he was ",
        " had been ",
        " long ago ",
        " as a child ",
        " as a girl ",
        " as a boy ",
        " in those days ",
        " days ago ",
        " memory ",
    ],
    supposes: &[
        " if ",
        " perhaps ",
        " maybe ",
        " might ",
        " could ",
        " would ",
        " should ",
        " seemed ",
        " seems ",
        " looked ",
        " as though ",
        " almost ",
        " nearly ",
        " about ",
        " around ",
        " roughly ",
        " suppose ",
        " supposed ",
        " imagine ",
        " imagined ",
        " probably ",
        " must ",
        " may ",
        " rumour ",
        " rumor ",
        " rumours ",
        " thought ",
        " believed ",
        " guessed ",
        " claimed ",
        " pretended ",
        " pretending ",
        " wished ",
        " hoped ",
        " hope ",
        " planned ",
        " will ",
        " unless ",
        " whether ",
        " like ",
        " under ",
        " over ",
        " not yet ",
        " at least ",
        " at most ",
        " next year ",
        " until ",
        " wondered ",
        " said ",
    ],
};

const NEGATIONS: [&str; 7] = ["not", "n't", "n’t", "never", "no longer", "neither", "nobody"];
const ADVERBS: [&str; 14] = [
    " finally", " at last", " now", " then", " already", " also", " both", " quietly", " slowly", " soon", " later",
    " still", " only", " just",
];

/// What is read in a stretch, one after the other.
pub(super) const READERS: Readers = [ages, births, measures, counts, deaths, places, hands];

/// The date with which a sentence begins: `In March 2026, …`.
pub(super) fn when(text: &str) -> String {
    let Some((date, _)) = text.split_once(", ") else { return String::new() };
    let date = eat(date.trim_start(), &["in ", "on ", "by "]).unwrap_or_default();
    match time::parse(date).moment() {
        Some(_) => date.to_owned(),
        None => String::new(),
    }
}

/// Whether a statement ends there.
fn is_end(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['”', '"', '’']);
    rest.is_empty()
        || rest.starts_with(['.', ',', ';', '!', ':', '—', '\u{1}', '\n'])
        || rest.starts_with(" and ")
        || rest.starts_with(" —")
}

fn is_denied(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').any(|word| {
        NEGATIONS.iter().any(|denial| {
            word == *denial || (denial.starts_with('n') && denial.contains(['\'', '’']) && word.ends_with(denial))
        })
    }) || text.contains("no longer")
}

/// Whether somebody is spoken of for themselves, and not as `Mara's sister` or `the man beside Mara`.
fn is_itself(stretch: &Stretch<'_>, who: &Mention) -> bool {
    let before = stretch.text[..who.start].trim_end();
    let clean = before.is_empty()
        || before.ends_with([',', '.', ';', ':', '—', '“', '"', '!', '\u{1}'])
        || [
            " and", " but", " so", " then", " while", " because", "now", "and", "but", "so", "though", " old", "the",
            "that",
        ]
        .iter()
        .any(|word| before.ends_with(word));
    clean && !stretch.text[who.end..].starts_with(['\'', '’'])
}

/// The subjects of a stretch: those named at the beginning of a clause.
fn subjects<'s>(stretch: &'s Stretch<'_>, kinds: &'static [PieceKind]) -> impl Iterator<Item = &'s Mention> {
    stretch.mentions.iter().filter(move |who| kinds.contains(&who.kind) && is_itself(stretch, who))
}

const PEOPLE: &[PieceKind] = &[PieceKind::Character];

fn ages(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const IS: [&str; 10] = [
        " had just turned ",
        " has just turned ",
        " had turned ",
        " just turned ",
        " turned ",
        " was now ",
        " is now ",
        " was ",
        " is ",
        "’s ",
    ];
    let text = stretch.text.as_str();
    for who in subjects(stretch, PEOPLE) {
        let rest = &text[who.end..];
        // `Mara, thirty-one, …`
        let apposed = rest.strip_prefix(", ").and_then(leading_number).and_then(|(years, end)| {
            let after = &rest[2 + end..];
            (after.starts_with(',') && (10.0..150.0).contains(&years)).then_some(years)
        });
        let told = eat(rest, &IS).and_then(|rest| {
            let rest = skip(rest, &["only ", "just ", "already ", "all of ", "exactly ", "still ", "now "]);
            let (years, end) = leading_number(rest)?;
            let after = &rest[end..];
            let aged = eat(after, &[" years old", " years of age", "-years-old"]);
            let plain = after.strip_prefix(" now").or_else(|| after.strip_prefix(" today")).unwrap_or(after);
            let is_age = aged.is_some_and(is_end) || (is_end(plain) && (3.0..150.0).contains(&years));
            (is_age && years.fract() == 0.0).then_some(years)
        });
        if let Some(years) = told.or(apposed) {
            found.push(Found::value(who, "age", whole(years), "years"));
        }
    }
    // `the twenty-six-year-old Mara`, `at thirty-one, Mara …`
    for (at, words) in text.match_indices("-year-old ") {
        let who = stretch.named_at(at + words.len(), PEOPLE);
        let start = text[..at]
            .rfind([' ', '“', '"'])
            .map_or(0, |space| space + text[space..].chars().next().map_or(1, char::len_utf8));
        let number = leading_number(&text[start..at]).filter(|(_, end)| start + end == at);
        if let Some((who, (years, _))) = who.zip(number).filter(|(who, _)| !text[who.end..].starts_with(['\'', '’']))
        {
            found.push(Found::value(who, "age", whole(years), "years"));
        }
    }
    if let Some((years, end)) = text.strip_prefix("at ").and_then(leading_number)
        && let Some(rest) = text["at ".len() + end..].strip_prefix(", ")
        && let Some(who) = stretch.named_at(stretch.at(rest), PEOPLE)
        && (13.0..150.0).contains(&years)
        && years.fract() == 0.0
        && !text[who.end..].starts_with(['\'', '’'])
    {
        found.push(Found::value(who, "age", whole(years), "years"));
    }
    if let Voice::Speaker(Some(by)) = &stretch.voice
        && let Some(rest) = eat(text.trim_start(), &["i am ", "i'm ", "i’m "])
        && let Some((years, end)) = leading_number(rest)
    {
        let after = &rest[end..];
        let aged = eat(after, &[" years old", " years of age"]);
        if aged.is_some_and(is_end) || (is_end(after) && (3.0..150.0).contains(&years)) {
            let me = Mention { start: 0, end: 0, kind: PieceKind::Character, name: by.clone() };
            found.push(Found::value(&me, "age", whole(years), "years"));
        }
    }
}

fn births(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    let text = stretch.text.as_str();
    for who in subjects(stretch, PEOPLE) {
        let Some(rest) = eat(&text[who.end..], &[" was born in ", " was born on ", " is born in "]) else { continue };
        let words = rest.find(['.', ';', '\u{1}', '—']).map_or(rest, |end| &rest[..end]);
        // `on March 5, 1987, in the old harbour`: the longest beginning that is a date.
        let ends = words.char_indices().filter(|(_, c)| matches!(c, ',' | ' ')).map(|(at, _)| at).chain([words.len()]);
        let date =
            ends.map(|end| words[..end].trim_matches([',', ' '])).rfind(|date| time::parse(date).moment().is_some());
        if let Some(date) = date {
            found.push(Found::value(who, "birth", Value::String(date.to_owned()), ""));
        }
    }
}

/// `The wall was thirty feet high.`
fn measures(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const MEASURES: [(&str, &str); 6] = [
        (" tall", "height"),
        (" high", "height"),
        (" long", "length"),
        (" wide", "width"),
        (" deep", "depth"),
        (" thick", "depth"),
    ];
    let text = stretch.text.as_str();
    let all: &'static [PieceKind] = &[PieceKind::Character, PieceKind::Item, PieceKind::Location];
    for who in subjects(stretch, all) {
        let rest = &text[who.end..];
        let weighs = eat(rest, &[" weighed ", " weighs "]);
        let Some(rest) = weighs.or_else(|| eat(rest, &[" was ", " is ", " stood ", " stands ", " measured "])) else {
            continue;
        };
        let Some((number, end)) = leading_number(rest) else { continue };
        let after = rest[end..].trim_start_matches([' ', '-']);
        let unit = &after[..after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len())];
        let base = predicate::in_base_unit(number, unit).map(|(_, base)| base);
        let after = &after[unit.len()..];
        let word = match weighs {
            Some(_) => (base == Some("kg") && is_end(after)).then_some("weight"),
            None => MEASURES.iter().find_map(|(word, name)| {
                (base == Some("m") && after.strip_prefix(word).is_some_and(is_end)).then_some(*name)
            }),
        };
        if let Some(word) = word.filter(|_| !unit.is_empty()) {
            found.push(Found::value(who, word, whole(number), unit));
        }
    }
}

/// `The garrison had three hundred men.`
fn counts(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    let text = stretch.text.as_str();
    let all: &'static [PieceKind] = &[PieceKind::Character, PieceKind::Organisation, PieceKind::Location];
    for who in subjects(stretch, all) {
        let Some(rest) =
            eat(&text[who.end..], &[" had ", " has ", " numbered ", " counted ", " still had ", " was down to "])
        else {
            continue;
        };
        let rest = skip(rest, &["only ", "just ", "exactly ", "still "]);
        let Some((number, end)) = leading_number(rest) else { continue };
        let Some(after) = rest[end..].strip_prefix(' ') else { continue };
        if let Some(thing) = stretch.named_at(stretch.at(after), &[PieceKind::Item]) {
            if is_end(eat(&text[thing.end..], &[" left"]).unwrap_or(&text[thing.end..])) {
                let count =
                    Found { object: Some(thing.name.clone()), ..Found::value(who, "amount", whole(number), "") };
                found.push(count);
            }
            continue;
        }
        let unit = &after[..after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len())];
        let people = ["men", "soldiers", "people", "riders", "members"];
        let end = &after[unit.len()..];
        if people.contains(&unit) && is_end(eat(end, &[" left", " strong"]).unwrap_or(end)) {
            found.push(Found::value(who, "amount", whole(number), unit));
        }
    }
}

fn deaths(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const DIES: [&str; 10] = [
        " died",
        " was dead",
        " is dead",
        " was killed",
        " lay dead",
        " was murdered",
        " breathed her last",
        " breathed his last",
        " fell dead",
        " bled to death",
    ];
    const GOES_ON: [&str; 12] = [
        " in ", " at ", " on ", " by ", " before ", " that ", " there", " with ", " during ", " this ", " last ",
        " of a ",
    ];
    let text = stretch.text.as_str();
    for who in subjects(stretch, PEOPLE) {
        let rest = skip(&text[who.end..], &ADVERBS);
        let Some(rest) = eat(rest, &DIES) else { continue };
        let is_plain = is_end(rest) || GOES_ON.iter().any(|word| rest.starts_with(word));
        let is_figure = [
            " of laughter",
            " laughing",
            " inside",
            " a little",
            " on stage",
            " in his eyes",
            " to the world",
            " in the book",
            " in the play",
        ]
        .iter()
        .any(|word| rest.starts_with(word));
        if is_plain && !is_figure && !is_denied(&text[..stretch.at(rest)]) {
            found.push(Found::value(who, "dies", Value::Bool(true), ""));
        }
    }
    for killed in [" killed ", " murdered ", " shot dead ", " stabbed to death "] {
        for (at, words) in text.match_indices(killed) {
            let Some(who) = stretch.named_at(at + words.len(), PEOPLE) else { continue };
            let is_active =
                !text[..at].ends_with(" was") && !text[..at].ends_with(" had") && !text[..at].ends_with(" have");
            if is_active && is_end(&text[who.end..]) && !is_denied(&text[..at]) {
                found.push(Found::value(who, "dies", Value::Bool(true), ""));
            }
        }
    }
}

fn places(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const GOES: [&str; 16] = [
        " arrived at ",
        " arrived in ",
        " reached ",
        " came to ",
        " came into ",
        " returned to ",
        " came back to ",
        " went to ",
        " went into ",
        " walked into ",
        " stepped into ",
        " entered ",
        " got to ",
        " rode into ",
        " went back to ",
        " drove to ",
    ];
    let text = stretch.text.as_str();
    for who in subjects(stretch, PEOPLE) {
        let rest = skip(&text[who.end..], &ADVERBS);
        let Some(rest) = eat(rest, &GOES) else { continue };
        let bare = rest.strip_prefix("the ").unwrap_or(rest);
        let place =
            [rest, bare].into_iter().find_map(|rest| stretch.named_at(stretch.at(rest), &[PieceKind::Location]));
        let Some(place) = place else { continue };
        let after = &text[place.end..];
        let goes_on = [" at ", " before ", " after ", " in the ", " with ", " alone", " by "]
            .iter()
            .any(|word| after.starts_with(word));
        if !(is_end(after) || goes_on) || is_denied(&text[..place.start]) {
            continue;
        }
        // `Mara and Tom reached the harbour.`
        let with = text[..who.start].strip_suffix(" and ");
        let others =
            stretch.of_kind(PieceKind::Character).filter(|other| with.is_some_and(|with| other.end == with.len()));
        found.extend(others.chain([who]).map(|who| Found::object(who, "is_at", place)));
    }
}

/// `Mara handed the copper key to Tom`, `Mara gave Tom the copper key`.
fn hands(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const GIVES: [&str; 6] = [" handed ", " gave ", " passed ", " sold ", " gave back ", " returned "];
    const THE: [&str; 5] = ["the ", "her ", "his ", "their ", ""];
    let text = stretch.text.as_str();
    for giver in subjects(stretch, PEOPLE) {
        let Some(rest) = eat(skip(&text[giver.end..], &ADVERBS), &GIVES) else { continue };
        let thing_at = |rest: &str| {
            THE.iter().find_map(|the| stretch.named_at(stretch.at(rest.strip_prefix(the)?), &[PieceKind::Item]))
        };
        let pair = if let Some(taker) = stretch.named_at(stretch.at(rest), PEOPLE) {
            text[taker.end..].strip_prefix(' ').and_then(thing_at).map(|thing| (thing, taker, thing.end))
        } else {
            thing_at(rest).and_then(|thing| {
                let to = eat(&text[thing.end..], &[" to ", " back to ", " over to "])?;
                let taker = stretch.named_at(stretch.at(to), PEOPLE)?;
                Some((thing, taker, taker.end))
            })
        };
        let Some((thing, taker, end)) = pair else { continue };
        if is_end(&text[end..]) && !is_denied(&text[..end]) && giver.name != taker.name {
            found.push(Found::object(giver, "gives", thing));
            found.push(Found::object(taker, "gets", thing));
        }
    }
}

/// Who a tag says is speaking: `Mara said, “…”`, `“…” Mara said`, `“…” said Mara`.
pub(super) fn speaker(
    before: &str,
    after: &str,
    named_before: Option<&Mention>,
    named_after: Option<&Mention>,
    end: usize,
    start: usize,
) -> Option<String> {
    const SAYS: [&str; 12] = [
        "said",
        "asked",
        "replied",
        "answered",
        "whispered",
        "shouted",
        "muttered",
        "cried",
        "called",
        "told",
        "says",
        "added",
    ];
    if let Some((tag, who)) = before.trim_end().strip_suffix([',', ':']).zip(named_before) {
        let between = tag.get(who.end - start..).unwrap_or(".");
        let is_tag =
            !between.contains(['.', '!', '?', '”', ',']) && between.split(' ').any(|word| SAYS.contains(&word));
        if is_tag && between.split(' ').count() <= 6 {
            return Some(who.name.clone());
        }
    }
    let who = named_after?;
    let lead = after[..who.start - end].trim();
    let rest = &after[who.end - end..];
    let tag = rest[..rest.find(['.', ',', '!', '?', '“', '\n']).unwrap_or(rest.len())].trim();
    let is_tag =
        SAYS.contains(&lead) || (lead.is_empty() && tag.split(' ').next().is_some_and(|word| SAYS.contains(&word)));
    is_tag.then(|| who.name.clone())
}
