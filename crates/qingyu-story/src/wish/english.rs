//! Parses requests in English.

use super::reader::{self, Quotes, RequestReader, bare};
use super::{RequestedPiece, WishDemand, WishKind, fields, words};
use crate::piece::PieceKind;

/// Polite or connecting words skipped at the start of a clause.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "please ", "could you ", "can you ", "would you ", "i want you to ", "i would like you to ", "i'd like you to ", "i want to ", "i'd like to ", "let's ", "you should ",
    "also ", "then ", "now ", "and ", "but ", "finally ", "next ", "just ",
];
const SETS: &[&str] = &[
    "change ", "set ", "make ", "update ", "turn ", "switch ", "alter ", "modify ", "adjust ", "replace ", "edit ",
    "revise ",
];
const ADDS: &[&str] = &["add ", "create ", "introduce ", "insert ", "include ", "bring in ", "write in "];
const REMOVES: &[&str] = &["remove ", "delete ", "drop ", "cut ", "erase ", "get rid of ", "take out ", "take away "];
const RENAMES: &[&str] = &["rename ", "call "];
/// Words between a field and the value.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "to be ", "into ", "to ", "should be ", "must be ", "shall be ", "is now ", "becomes ", "be ", "with ", "as ", "is ", "= ", ": ",
];
const STATES: &[&str] = &["should be ", "must be ", "shall be ", "is now ", "becomes ", "is "];
const POSSESSIVES: &[&str] = &["his ", "her ", "its ", "their "];
const NAMED: &[&str] = &[" named ", " called ", " by the name of ", " whose name is ", " who is called "];
/// Words and marks ending a name.
const AFTER_NAME: &[&str] =
    &[", ", " who ", " that ", " which ", " as ", " with ", " to ", " in ", " into ", " from ", " at ", " for "];
const ARTICLES: &[&str] = &["a new ", "another ", "one more ", "an ", "a ", "the new ", "the ", "new "];
/// Words before a character name in a request for a new story.
const SOMEBODY: &[&str] = &["protagonist", "hero", "heroine", "main character", "villain", "antagonist"];

/// Parses a sentence about an existing story.
pub(super) fn change(reader: &mut RequestReader<'_>, sentence: &str) {
    for clause in clauses(sentence) {
        let said = lead_out(clause);
        let wants = remove(reader, said).or_else(|| Some(vec![add(reader, said)?]));
        let wants = wants.or_else(|| Some(vec![rename(reader, said)?])).or_else(|| Some(vec![set(reader, said)?]));
        let refused = reader::is_negated(said) && wants.is_none();
        let wants = wants.unwrap_or_else(|| if refused { Vec::new() } else { reader.reworks(clause, &["'s ", "' "]) });
        if wants.is_empty() {
            reader.note_other(clause);
        }
        for want in wants {
            reader.note(clause, want);
        }
    }
}

/// Parses a sentence about a new story: required names and words.
pub(super) fn begin(reader: &mut RequestReader<'_>, sentence: &str) {
    let lower = sentence.to_ascii_lowercase();
    if reader::is_negated(&lower) {
        return;
    }
    if let Some((at, marker)) = first(&lower, NAMED)
        && let Some(who) = SOMEBODY.iter().find(|who| lower[..at].ends_with(**who))
        && let Some(name) = capitalised(&sentence[at + marker..])
    {
        let want = reader.add(PieceKind::Character, name, who);
        reader.note(sentence, want);
    }
    if let Some((at, marker)) = first(&lower, &["must include ", "must contain ", "must have ", "has to include "]) {
        for words in sentence[at + marker..].split(", ").flat_map(|part| part.split(" and ")) {
            let words = without(bare(words), ARTICLES);
            if (1..=40).contains(&words.len()) {
                reader.note(sentence, WishDemand::Mention { words: words.to_owned() });
            }
        }
    }
}

/// Parses `change Ada's weakness to fear of the dark`, `the weakness of Ada should be pride`, `make Ada a villain`.
fn set(reader: &mut RequestReader<'_>, said: &str) -> Option<WishDemand> {
    let (verb, rest) = verb(said, SETS).map_or((false, said), |rest| (true, rest));
    let goes_on = POSSESSIVES.iter().any(|pronoun| strip(rest, pronoun).is_some());
    let links = if verb || goes_on { BETWEEN } else { STATES };
    if let Some((piece, field, rest)) = field_of(reader, rest) {
        let rest = without_origin(rest);
        let value =
            links.iter().find_map(|link| strip(rest, link)).or_else(|| (verb && !rest.is_empty()).then_some(rest))?;
        let value = value_of(value)?;
        return Some(match piece {
            Ok(piece) => reader.set_field(piece, field, value),
            Err(obstacle) => WishDemand::Impossible { kind: WishKind::Change, obstacle },
        });
    }
    if !verb {
        return None;
    }
    // make Ada a villain, turn Ada into a villain, make Ada 30 years old
    let ends = rest.match_indices(' ').map(|(at, _)| at);
    let (name, what) = ends.map(|at| (&rest[..at], &rest[at + 1..])).rfind(|(name, _)| reader.find(name).len() == 1)?;
    let what = links.iter().find_map(|link| strip(what, link)).unwrap_or(what);
    let piece = reader.only(name).ok()?;
    if piece.kind != PieceKind::Character {
        return None;
    }
    if fields::role(what).is_some() {
        return Some(reader.set_field(piece, "role_type", what));
    }
    let is_age = what.contains("years old") || what.contains("years of age");
    is_age.then(|| reader.set_field(piece, "age", what))
}

/// Parses the field at the start of `text` with the owning piece, and returns the rest; `None` without a field.
fn field_of<'t>(
    reader: &RequestReader<'_>,
    text: &'t str,
) -> Option<(Result<RequestedPiece, super::WishObstacle>, &'static str, &'t str)> {
    let text = text.trim_start();
    for pronoun in POSSESSIVES {
        if let Some(rest) = strip(text, pronoun) {
            let (piece, _) = reader.subject.clone()?;
            let (field, rest) = reader::leading_field(piece.kind, rest)?;
            return Some((Ok(piece), field, rest.trim_start()));
        }
    }
    for (at, mark) in text.match_indices("'s ").chain(text.match_indices("s' ")) {
        let (name, rest) = (text[..at + usize::from(mark == "s' ")].trim(), &text[at + mark.len()..]);
        if let Some(found) = of(reader, without(name, &["the "]), rest) {
            return Some(found);
        }
    }
    // the weakness of Ada, the tone
    let rest = without(text, &["the "]);
    let kinds = PieceKind::ALL.into_iter();
    let leading = kinds.filter_map(|kind| reader::leading_field(kind, rest)).min_by_key(|(_, rest)| rest.len());
    let (_, after) = leading?;
    let word = &rest[..rest.len() - after.len()];
    if let Some(named) = strip(after.trim_start(), "of ") {
        let (at, _) = first(named, &[" from ", " to ", " into ", " should ", " must ", " is ", " becomes ", " = "])?;
        let (piece, field, _) = of(reader, without(&named[..at], &["the "]), word)?;
        return Some((piece, field, named[at..].trim_start()));
    }
    let piece = reader::single_with(word)?;
    let field = fields::named(piece.kind, word)?;
    Some((Ok(piece), field, after.trim_start()))
}

/// Returns the piece called `name` with the field at the start of `rest`.
fn of<'t>(
    reader: &RequestReader<'_>,
    name: &str,
    rest: &'t str,
) -> Option<(Result<RequestedPiece, super::WishObstacle>, &'static str, &'t str)> {
    let found = reader.find(name);
    let fitting =
        found.iter().filter_map(|piece| Some((piece, reader::leading_field(piece.kind, rest)?))).collect::<Vec<_>>();
    match fitting.as_slice() {
        [(piece, (field, rest))] => Some((Ok((*piece).clone()), field, rest.trim_start())),
        [] if found.is_empty() => {
            let (field, rest) = PieceKind::ALL.into_iter().find_map(|kind| reader::leading_field(kind, rest))?;
            Some((Err(super::WishObstacle::UnknownPiece { name: bare(name).to_owned() }), field, rest.trim_start()))
        }
        [] => None,
        [(_, (field, rest)), ..] => {
            Some((Err(super::WishObstacle::AmbiguousPiece { name: bare(name).to_owned() }), field, rest.trim_start()))
        }
    }
}

/// Parses `rename Ada to Eve`, `call Ada Eve instead`.
fn rename(reader: &mut RequestReader<'_>, said: &str) -> Option<WishDemand> {
    let rest = verb(said, RENAMES)?;
    let (name, new) = match first(rest, &[" to ", " as "]) {
        Some((at, marker)) => (&rest[..at], &rest[at + marker..]),
        None => {
            let rest = rest.strip_suffix(" instead")?;
            let ends = rest.match_indices(' ').map(|(at, _)| at);
            ends.map(|at| (&rest[..at], &rest[at + 1..])).rfind(|(name, _)| reader.find(name).len() == 1)?
        }
    };
    let name = without(name, &["the "]);
    if ["him", "her", "it", "them"].contains(&name.to_ascii_lowercase().as_str()) {
        let (piece, _) = reader.subject.clone()?;
        let field = fields::named(piece.kind, "name")?;
        return Some(reader.set_field(piece, field, bare(new)));
    }
    reader.set(name, "name", bare(new))
}

/// Parses `remove Ada and Eve`, `delete Ada's background`, `take Ada out of the story`.
fn remove(reader: &mut RequestReader<'_>, said: &str) -> Option<Vec<WishDemand>> {
    let object = match verb(said, REMOVES) {
        Some(object) => object,
        None => verb(said, &["take "])?.split_once(" out")?.0,
    };
    let object = first(object, &[" from the ", " from this ", " from my "]).map_or(object, |(at, _)| &object[..at]);
    let object = without(bare(object), &["the "]);
    if let Some((name, word)) = object.rsplit_once("'s ") {
        return reader.clear(name, word).map(|want| vec![want]);
    }
    if let Some(ends) = strip(object, "relation between ").or_else(|| strip(object, "relationship between ")) {
        let (one, other) = ends.split_once(" and ")?;
        let relations = reader.between(one, other);
        return (!relations.is_empty())
            .then(|| relations.into_iter().map(|piece| WishDemand::Remove { piece }).collect());
    }
    if reader.find(object).is_empty() && object.contains(" and ") {
        let parts = object.split(", ").flat_map(|part| part.split(" and ")).map(bare).collect::<Vec<_>>();
        if parts.iter().any(|part| !reader.find(part).is_empty()) {
            return parts.into_iter().map(|part| reader.remove(without(part, &["the "]), true)).collect();
        }
    }
    let looks_like_a_name = capitalised(object).is_some_and(|name| name.len() == object.len());
    reader.remove(object, looks_like_a_name).map(|want| vec![want])
}

/// Parses `add a villain named Shen Ye`, `create a new place called Blackwater`, `introduce the character Eve`.
fn add(reader: &RequestReader<'_>, said: &str) -> Option<WishDemand> {
    let rest = without(verb(said, ADDS)?, ARTICLES);
    let lower = rest.to_ascii_lowercase();
    if let Some((at, marker)) = first(&lower, NAMED).or_else(|| first(&lower, &[": ", ", "])) {
        let name = name_at(&rest[at + marker..])?;
        let after = rest[at + marker..].split_once(name).map_or("", |(_, after)| after);
        let description = format!("{}{after}", &rest[..at]);
        let is_listed = matches!(&rest[at..at + marker], ": " | ", ");
        if is_listed && (reader::class(&rest[..at]).is_none() || capitalised(name).is_none()) {
            return None;
        }
        let kind = reader::class(&rest[..at]).unwrap_or(PieceKind::Character);
        return Some(reader.add(kind, name, &description));
    }
    // the character Eve, Eve as a villain
    let classes = words::CLASSES.iter().flat_map(|(kind, known)| known.iter().map(move |word| (*kind, *word)));
    let leading = classes.filter_map(|(kind, word)| Some((kind, word, strip(rest, &format!("{word} "))?)));
    if let Some((kind, word, rest)) = leading.max_by_key(|(_, word, _)| word.len()) {
        return Some(reader.add(kind, capitalised(rest)?, word));
    }
    let (name, what) = rest.split_once(" as ")?;
    Some(reader.add(reader::class(what)?, capitalised(name)?, what))
}

/// Returns the text after a verb at the start of `said`.
fn verb<'t>(said: &'t str, verbs: &[&str]) -> Option<&'t str> {
    verbs.iter().find_map(|verb| strip(said, verb)).map(str::trim_start)
}

/// Removes `start` from the beginning of `text`, ignoring case; `None` if absent.
fn strip<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let begins = text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
    begins.then(|| &text[start.len()..])
}

/// Removes the first matching prefix in `starts` from `text`.
fn without<'t>(text: &'t str, starts: &[&str]) -> &'t str {
    let text = text.trim_start();
    starts.iter().find_map(|start| strip(text, start)).unwrap_or(text)
}

/// Removes the old value after `from …` and returns the rest.
fn without_origin(rest: &str) -> &str {
    let Some(origin) = strip(rest, "from ") else { return rest };
    first(origin, &[" to ", " into "]).map_or(rest, |(at, _)| &origin[at + 1..])
}

fn value_of(said: &str) -> Option<&str> {
    let said = bare(said);
    let said = said.strip_suffix(" instead").or_else(|| said.strip_suffix(" please")).unwrap_or(said);
    let said = bare(said);
    (!said.is_empty()).then_some(said)
}

/// Returns the position and length of the first of `marks` in `text`, preferring the longest at a position.
fn first(text: &str, marks: &[&str]) -> Option<(usize, usize)> {
    let lower = text.to_ascii_lowercase();
    let found = marks.iter().filter_map(|mark| Some((lower.find(mark)?, mark.len())));
    found.min_by_key(|(at, length)| (*at, usize::MAX - length))
}

/// Returns the name at the start of `text`.
fn name_at(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix(['“', '"']) {
        return quoted.split(['”', '"']).next().map(str::trim).filter(|name| !name.is_empty());
    }
    let end = first(text, AFTER_NAME).map_or(text.len(), |(at, _)| at);
    let name = bare(&text[..end]);
    (!name.is_empty() && name.len() <= 60).then(|| &text[text.find(name).unwrap_or(0)..][..name.len()])
}

/// Returns the capitalized words at the start of `text`.
fn capitalised(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['“', '"']);
    let mut end = 0;
    for word in text.split_inclusive(' ') {
        let is_name =
            word.starts_with(char::is_uppercase) || end > 0 && matches!(word.trim_end(), "of" | "the" | "de" | "van");
        if !is_name {
            break;
        }
        end += word.len();
        if word.trim_end().ends_with([',', '.', ';', ':', '”', '"']) {
            break;
        }
    }
    let name = bare(&text[..end]);
    (!name.is_empty()).then_some(name)
}

fn lead_out(clause: &str) -> &str {
    let mut rest = clause.trim();
    while let Some(shorter) = LEADS.iter().find_map(|lead| strip(rest, lead)) {
        rest = shorter.trim_start();
    }
    rest
}

/// Splits a sentence into clauses where a new instruction begins, not at every comma.
fn clauses(sentence: &str) -> Vec<&str> {
    const JOINTS: [&str; 8] = [", and then ", " and then ", ", and ", ", then ", ", also ", " and ", ", ", " then "];
    let mut found = Vec::new();
    let (mut begin, mut at) = (0, 0);
    let mut quoted = Quotes::default();
    while at < sentence.len() {
        let joint = JOINTS.iter().find(|joint| !quoted.inside() && strip(&sentence[at..], joint).is_some());
        if let Some(joint) = joint
            && begins_order(&sentence[at + joint.len()..])
        {
            found.push(&sentence[begin..at]);
            at += joint.len();
            begin = at;
            continue;
        }
        let letter = sentence[at..].chars().next().expect("at is within the sentence, at a letter");
        quoted.pass(letter);
        at += letter.len_utf8();
    }
    found.push(&sentence[begin..]);
    found.retain(|clause| !clause.trim().is_empty());
    found
}

/// Returns whether a new instruction begins here, rather than a continuation of the last.
fn begins_order(text: &str) -> bool {
    let text = lead_out(text);
    let orders = [SETS, ADDS, REMOVES, RENAMES, &["don't ", "do not ", "keep ", "leave ", "thanks", "thank you"]];
    let possessive = || {
        let rest = POSSESSIVES.iter().find_map(|pronoun| strip(text, pronoun))?;
        PieceKind::ALL.into_iter().find_map(|kind| reader::leading_field(kind, rest))
    };
    orders.into_iter().flatten().any(|order| strip(text, order).is_some()) || possessive().is_some()
}
