//! Facts whose number, side of the body or name an edit changed in their sentence.

use serde_json::Value;

use super::apply;
use super::digest::digest_of;
use super::edited_text::EditedText;
use super::number_value::{has_value, number_place, thousandths, thousandths_of};
use super::quotes::{Quotable, numbers};
use super::record::Settled;
use super::renamed::renamed;
use super::work::StoryEdit;
use crate::language::has_any;
use crate::names::{Names, fold};
use crate::piece::Piece;
use crate::predicate::{self, PredicateRole, word};
use crate::{Document, Fact, Story};

/// Creates the facts of `gone` anew with the number, side or name that the edit of `before` put into their sentence, so that
/// the rules compare it. They are made by following the edit, and the next reading confirms them. Returns the created facts.
pub(super) fn recount(
    work: &mut StoryEdit<'_>,
    version: u32,
    record: &mut Settled,
    before: &Document,
    edited: &EditedText<'_>,
    gone: &[Piece],
) -> Vec<Piece> {
    if gone.is_empty() {
        return Vec::new();
    }
    let names = Names::of_entities(work.story);
    let facts = gone.iter().filter_map(|piece| match piece {
        Piece::Fact(fact) => {
            let (old, text) = (before.text.as_str(), edited.around(&fact.id));
            let other_side = || turned(old, text, fact);
            recounted(old, text, fact).or_else(other_side).or_else(|| renamed(&names, old, text, fact))
        }
        _ => None,
    });
    let mut created = Vec::new();
    for (mut fact, sentence) in facts.collect::<Vec<_>>() {
        let Some(source) = &fact.source else { continue };
        let near = source.start.unwrap_or_default();
        fact.source = edited.whole().quotation(&source.document, version, &sentence, near);
        let mut piece = Piece::Fact(fact);
        // Pieces deleted by the author stay deleted.
        let is_deleted = record.made.iter().any(|made| made.digest == digest_of(&piece));
        if is_deleted || is_known(work.story, &piece) {
            continue;
        }
        let id = work.create(piece.clone());
        piece.set_id(id);
        record.made.push(apply::made(&piece, "", true));
        created.push(piece);
    }
    created
}

/// Returns the fact without its id and with the new number, and its sentence, if the edit changed nothing else in the sentence.
/// Only an age or an amount is certainly the number of its sentence, which must stand there once and in no date of the fact.
fn recounted(before: &str, text: &Quotable<'_>, fact: &Fact) -> Option<(Fact, String)> {
    let source = fact.source.as_ref()?;
    let own = thousandths_of(&fact.value).filter(|_| is_count(fact))?;
    number_place(&source.quote, fact.value.as_f64().filter(|value| *value >= 0.0)?)?;
    let sentence = text.with_other_numbers(&source.quote, source.start.unwrap_or_default())?;
    let now = changed_number(&source.quote, &sentence, own)?;
    let is_dated_so = [&fact.from, &fact.until].into_iter().any(|time| has_value(time, own));
    if is_dated_so || before.contains(&sentence) {
        return None;
    }
    Some((Fact { id: String::new(), value: value(now)?, ..fact.clone() }, sentence))
}

/// Returns the fact without its id and on the other side of the body, and its sentence, if the edit changed only the side. The
/// value must name the side, or the fact tells of an injury.
fn turned(before: &str, text: &Quotable<'_>, fact: &Fact) -> Option<(Fact, String)> {
    let source = fact.source.as_ref()?;
    SIDES.into_iter().find_map(|(side, other)| {
        let sentence = with_other_word(&source.quote, side, other)?;
        let value = match fact.value.as_str() {
            Some(value) => Value::from(with_other_word(value, side, other)?),
            None if role_of(fact) == Some(PredicateRole::Weakness) => fact.value.clone(),
            None => return None,
        };
        let (start, end) = text.find(&sentence, source.start.unwrap_or_default())?;
        let is_new = start < end && !before.contains(&sentence);
        is_new.then(|| (Fact { id: String::new(), value, ..fact.clone() }, sentence))
    })
}

/// The sides of the body, each with the other one.
const SIDES: [(&str, &str); 4] = [("left", "right"), ("right", "left"), ("左", "右"), ("右", "左")];

/// Returns the text with `other` in the place of its only `word`; `None` if it has the word not once, or the other one too.
fn with_other_word(text: &str, word: &str, other: &str) -> Option<String> {
    let is_once = text.matches(word).nth(1).is_none() && has_any(text, &[word]) && !text.contains(other);
    is_once.then(|| text.replace(word, other))
}

/// Returns whether the fact is an age, or an amount or its change.
fn is_count(fact: &Fact) -> bool {
    let counts = [PredicateRole::Age, PredicateRole::Amount, PredicateRole::Gain, PredicateRole::Spending];
    role_of(fact).is_some_and(|role| counts.contains(&role))
}

fn role_of(fact: &Fact) -> Option<PredicateRole> {
    predicate::find(&fact.predicate).and_then(|word| word.role)
}

/// Returns the value that stands in `new` in the place of the value `own` in `old`; `None` if another number changed.
fn changed_number(old: &str, new: &str, own: i64) -> Option<i64> {
    let (old, new) = (numbers(old), numbers(new));
    if old.len() != new.len() {
        return None;
    }
    let mut changed = old.iter().zip(&new).filter(|((old, _), (new, _))| old != new);
    let ((before, _), (now, _)) = changed.next()?;
    if changed.next().is_some() || thousandths(before) != Some(own) {
        return None;
    }
    thousandths(now).filter(|now| *now != own)
}

/// Returns a number of thousandths as the value of a fact.
fn value(thousandths: i64) -> Option<Value> {
    match (thousandths / 1000, thousandths % 1000) {
        (whole, 0) => Some(Value::from(whole)),
        (whole, part) => serde_json::from_str(&format!("{whole}.{part:03}")).ok(),
    }
}

/// Returns whether the story has the same statement in the same words, as when the rules read them.
fn is_known(story: &Story, piece: &Piece) -> bool {
    let Piece::Fact(fact) = piece else { return false };
    let Some(source) = &fact.source else { return true };
    story.facts.iter().any(|known| {
        let is_here = known.source.as_ref().is_some_and(|other| {
            let is_part = other.quote.contains(&source.quote) || source.quote.contains(&other.quote);
            other.document == source.document && is_part
        });
        let numbers = thousandths_of(&known.value).zip(thousandths_of(&fact.value));
        let is_equal = numbers.map_or(known.value == fact.value, |(known, new)| known == new);
        let are_alike =
            || fold(&known.subject) == fold(&fact.subject) && word(&known.predicate) == word(&fact.predicate);
        is_here && is_equal && known.object == fact.object && are_alike()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Quotation;

    /// Returns the value of a fact after its sentence was changed.
    fn value_after(predicate: &str, value: Value, old: &str, new: &str) -> Option<Value> {
        let source = Quotation { document: "d-1".into(), quote: old.into(), ..Quotation::default() };
        let (subject, predicate, from) = ("Ines".into(), predicate.into(), "Day 412".into());
        let fact = Fact { subject, predicate, value, from, source: Some(source), ..Fact::default() };
        let (before, after) = (format!("雨。{old}雨。"), format!("雨。{new}雨。"));
        recounted(&before, &Quotable::of(&after), &fact).map(|(fact, _)| fact.value)
    }

    #[test]
    fn only_the_number_of_the_fact_may_have_changed() {
        let cases = [
            ("age", 24, "She was twenty-four that spring.", "She was twenty-seven that spring.", Some(27)),
            ("age", 24, "She was twenty-four that spring.", "She was twenty-seven that winter.", None),
            ("age", 24, "At twenty-four she had two sons.", "At twenty-seven she had three sons.", None),
            ("age", 24, "At twenty-four she had two sons.", "At twenty-four she had three sons.", None),
            ("age", 412, "She was 412 days old then.", "She was 415 days old then.", None),
            ("数量", 360, "支棺木六十元，柜银三百六十元。", "支棺木六十元，柜银三百八十元。", Some(380)),
            ("减少", 60, "支棺木六十元，柜银三百六十元。", "支棺木六十元，柜银三百八十元。", None),
            ("年龄", 23, "罗小棠今年二十三岁。", "罗小棠今年二十五岁。", Some(25)),
            ("价格", 8, "这只怀表要八块钱。", "这只怀表要九块钱。", None),
        ];
        for (predicate, old_value, old, new, expected) in cases {
            assert_eq!(value_after(predicate, json!(old_value), old, new), expected.map(Value::from), "{new}");
        }
        let half = value_after("amount", json!(2.5), "There were 2.5 tons in it.", "There were 3.5 tons in it.");
        assert_eq!(half, Some(json!(3.5)));
    }

    #[test]
    fn only_the_side_of_the_fact_may_have_changed() {
        let cases = [
            ("is_hurt", json!("a cut in the right palm"), "It cut her right palm.", "It cut her left palm."),
            ("受伤", json!(true), "左手虎口上一凉，跟着便疼。", "右手虎口上一凉，跟着便疼。"),
            ("特点", json!("左脸有疤"), "他左脸上有一道疤。", "他右脸上有一道疤。"),
        ];
        let turned_to = |predicate: &str, value: &Value, old: &str, new: &str| {
            let source = Quotation { document: "d-1".into(), quote: old.into(), ..Quotation::default() };
            let (value, predicate) = (value.clone(), predicate.into());
            let fact = Fact { subject: "Ines".into(), predicate, value, source: Some(source), ..Fact::default() };
            turned(old, &Quotable::of(new), &fact).map(|(fact, _)| fact.value)
        };
        let found: Vec<_> = cases.iter().map(|(word, value, old, new)| turned_to(word, value, old, new)).collect();
        let expected = [json!("a cut in the left palm"), json!(true), json!("右脸有疤")].map(Some);
        assert_eq!(found, expected);
        let [(word, value, old, _), ..] = &cases;
        assert_eq!(turned_to(word, value, old, "It cut her left sleeve."), None);
        assert_eq!(turned_to(word, &json!("a deep cut"), old, "It cut her left palm."), None);
    }
}
