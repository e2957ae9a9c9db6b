//! Finds the sentence that tells a piece after an edit of what the piece does not rest on.

use serde_json::Value;

use super::changed_words::with_other_words;
use super::likely_words::{StatementWords, with_likely_words};
use super::quotes::{Quotable, folded, numbers};
use super::remaining::{size, words_left};
use crate::piece::Piece;
use crate::{Fact, Prose, numerals};

/// Same as [`words_left`], of a sentence that may have been changed in what the piece does not rest on: a number that the
/// piece does not have, or for a fact a clause that names nothing of it, or how it is done. Of several such sentences, the
/// nearest to character `near`.
pub(super) fn piece_left(text: &Quotable<'_>, piece: &Piece, quote: &str, near: u32) -> Option<String> {
    let left = || {
        let words = text.with_other_numbers(quote, near)?;
        (!rests_on_changed_number(piece, quote, &words)).then_some(words)
    };
    words_left(text, piece.kind(), quote).or_else(left).or_else(|| match piece {
        Piece::Fact(fact) => {
            with_other_clauses(text, fact, quote, near).or_else(|| with_other_words(text, fact, quote, near))
        }
        _ => None,
    })
}

/// Same as [`piece_left`], of a sentence that probably tells the piece still: an edit leaves the piece, and the next reading
/// must tell it again.
pub(super) fn piece_likely_left(text: &Quotable<'_>, piece: &Piece, quote: &str, near: u32) -> Option<String> {
    piece_still_left(text, piece, (quote, quote), near)
}

/// Same as [`piece_likely_left`], for a piece that now quotes the sentence `quote` and was read from the sentence `read`. The
/// text is compared with `read`, so that many small edits do not add up to another statement.
pub(super) fn piece_still_left(
    text: &Quotable<'_>,
    piece: &Piece,
    (quote, read): (&str, &str),
    near: u32,
) -> Option<String> {
    let likely = || with_likely_words(text, read, near, &StatementWords::of(piece, read));
    piece_left(text, piece, quote, near).or_else(likely)
}

/// Returns whether the piece has one of the numbers of `quote` that `words` has otherwise.
fn rests_on_changed_number(piece: &Piece, quote: &str, words: &str) -> bool {
    let (old, new) = (numbers(quote), numbers(words));
    if old.len() != new.len() {
        return true;
    }
    // In 九两银子 the last numeral is a unit.
    let bare = |number: &'_ str| number.strip_suffix('两').filter(|bare| !bare.is_empty()).unwrap_or(number).to_owned();
    let is_same = |one: &str, other: &str| {
        let (one, other) = (bare(one), bare(other));
        one == other || numerals::read(&one).is_some_and(|number| numerals::read(&other) == Some(number))
    };
    let mut changed = old.iter().zip(&new).filter(|(old, new)| !is_same(&old.0, &new.0)).map(|(old, _)| old);
    // In a time and in a description, the number is that of the sentence if the same is counted.
    let is_counted = |known: &(String, Option<char>), old: &(String, Option<char>)| {
        is_same(&known.0, &old.0) && (known.1 == old.1 || old.1.is_none_or(|c| c.is_ascii()))
    };
    let (whole, counted) = match piece {
        Piece::Fact(fact) => {
            let value = match &fact.value {
                Value::Number(number) => number.to_string(),
                value => value.as_str().unwrap_or_default().to_owned(),
            };
            let object = fact.object.clone().unwrap_or_default();
            (vec![fact.subject.clone(), object, value], vec![fact.from.clone(), fact.until.clone()])
        }
        Piece::Event(event) => {
            let names = event.participants.iter().chain(&event.deaths).chain(&event.location).cloned().collect();
            (names, vec![event.title.clone(), event.description.clone(), event.timestamp.clone()])
        }
        _ => return true,
    };
    let all = |texts: &[String]| texts.iter().flat_map(|text| numbers(text)).collect::<Vec<_>>();
    let (whole, counted) = (all(&whole), all(&counted));
    changed.any(|old| {
        whole.iter().any(|known| is_same(&known.0, &old.0)) || counted.iter().any(|known| is_counted(known, old))
    })
}

/// Returns the sentence of the text that has the clauses of `quote` which name the fact, and at least half of the quote.
fn with_other_clauses(text: &Quotable<'_>, fact: &Fact, quote: &str, near: u32) -> Option<String> {
    let clauses = clauses(quote);
    if clauses.len() < 2 || Prose::of(quote).sentences.len() > 1 {
        return None;
    }
    let subject = folded(&fact.subject);
    let other = fact.object.as_deref().or(fact.value.as_str()).map(folded).filter(|name| !name.is_empty())?;
    let names = |name: &str, clause: &str| !name.is_empty() && clause.contains(name);
    if !clauses.iter().any(|clause| names(&other, clause)) {
        return None;
    }
    let is_subject_named = clauses.iter().any(|clause| names(&subject, clause));
    let is_needed = |(at, clause): (usize, &String)| {
        // Without a name, the first clause says who it is.
        let is_subject = if is_subject_named { names(&subject, clause) } else { at == 0 };
        is_subject || names(&other, clause)
    };
    let is_told = |sentence: &&&str| {
        let new = self::clauses(sentence);
        let stands = |clause: &String| new.contains(clause);
        let left: usize = clauses.iter().filter(|clause| stands(clause)).map(|clause| size(clause)).sum();
        left * 2 >= size(quote) && clauses.iter().enumerate().filter(|one| is_needed(*one)).all(|(_, one)| stands(one))
    };
    let told = text.sentences().iter().filter(is_told);
    let nearest = told.min_by_key(|sentence| text.find(sentence, near).map(|(start, _)| start.abs_diff(near)));
    nearest.map(|sentence| (*sentence).to_owned())
}

/// Returns the clauses of a sentence in the form for comparing quotes.
fn clauses(sentence: &str) -> Vec<String> {
    let parts = folded(sentence);
    let parts = parts.split(|c: char| !c.is_alphanumeric() && !"'-·%".contains(c));
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::TimelineEvent;

    fn fact(subject: &str, object: Option<&str>, value: Value, from: &str) -> Piece {
        let (subject, object, from) = (subject.into(), object.map(str::to_owned), from.into());
        Piece::Fact(Fact { subject, predicate: "得到".into(), object, value, from, ..Fact::default() })
    }

    #[test]
    fn a_changed_number_takes_only_what_has_it() {
        let old = "沈砚秋十二日付了八块钱，把银壳怀表接到手里。";
        let new = "沈砚秋十二日付了九块钱，把银壳怀表接到手里。";
        let later = "沈砚秋十三日付了八块钱，把银壳怀表接到手里。";
        let watch = fact("沈砚秋", Some("银壳怀表"), Value::Null, "1934年十月十二日八点");
        let price = fact("银壳怀表", None, json!(8), "");
        let event = |description: &str| {
            Piece::Event(TimelineEvent { description: description.into(), ..TimelineEvent::default() })
        };
        let cases = [
            (&watch, new, true),
            (&watch, later, false),
            (&price, new, false),
            (&price, later, true),
            (&event("赎出怀表。"), new, true),
            (&event("用八块钱赎出怀表。"), new, false),
        ];
        for (piece, text, stays) in cases {
            let left = piece_left(&Quotable::of(text), piece, old, 0);
            assert_eq!(left.as_deref(), stays.then_some(text), "{piece:?}");
        }
        let ring = fact("Mara", Some("the ring"), Value::Null, "");
        let text = "Mara paid nine pounds and took the ring.";
        let left = piece_left(&Quotable::of(text), &ring, "Mara paid eight pounds and took the ring.", 0);
        assert_eq!(left.as_deref(), Some(text));
    }

    #[test]
    fn a_changed_clause_takes_only_what_it_names() {
        let old = "沈砚秋付了八块钱，把银壳怀表接到手里，走出门去。";
        let watch = fact("沈砚秋", Some("银壳怀表"), Value::Null, "");
        let cases = [
            ("沈砚秋付了八块钱，把银壳怀表接到手里，慢慢走回街上。", true),
            ("沈砚秋付了八块钱，把银壳怀表推了回去，走出门去。", false),
            ("陆怀谷付了八块钱，把银壳怀表接到手里，走出门去。", false),
            ("沈砚秋没有付八块钱，把银壳怀表接到手里，走出门去。", false),
        ];
        for (text, stays) in cases {
            assert_eq!(piece_left(&Quotable::of(text), &watch, old, 0).is_some(), stays, "{text}");
        }
        let ring = fact("Mara", Some("the ring"), Value::Null, "");
        let left = |text: &str| {
            let old = "Mara took the ring from the shelf, and left the shop without a word.";
            piece_left(&Quotable::of(text), &ring, old, 0)
        };
        assert!(left("Mara took the ring from the shelf, then ran.").is_some());
        assert!(left("Mara put the ring on the shelf, and left the shop without a word.").is_none());
    }
}
