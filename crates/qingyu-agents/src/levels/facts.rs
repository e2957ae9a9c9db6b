//! The facts of the written text for a planner: those about the planned parts first.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::rules::SettledDeath;
use qingyu_story::{Fact, Mode, PieceKind, Story, phrase};

use crate::labels;
use crate::writing::book::NumberedBook;
use crate::writing::card::fitting;

/// The kinds that a fact may be about.
const KINDS: [PieceKind; 5] =
    [PieceKind::Character, PieceKind::Location, PieceKind::Item, PieceKind::Organisation, PieceKind::Event];

/// Returns the facts that fit into `tokens`, a line each: those about somebody or something that the text `about` names
/// first, and newer facts before older ones. A last line says how many are left out. Deaths and the whereabouts of items
/// have parts of their own.
pub(super) fn facts(book: &NumberedBook<'_>, deaths: &[SettledDeath], about: &str, tokens: u64) -> Vec<String> {
    let story = book.story;
    let names = book.names();
    let is_item = |name: &str| names.resolve(PieceKind::Item, name).is_some();
    let dead: BTreeSet<usize> = deaths.iter().map(|death| death.character).collect();
    let is_dead =
        |name: &str| names.resolve(PieceKind::Character, name).is_some_and(|card| dead.contains(&card.position));
    let role = |fact: &Fact| predicate::find(&fact.predicate).and_then(|word| word.role);
    let has_own_part = |fact: &Fact| match role(fact) {
        Some(PredicateRole::Death) => fact.value != false && is_dead(&fact.subject),
        Some(PredicateRole::Holding | PredicateRole::Getting | PredicateRole::Parting | PredicateRole::Place) => {
            is_item(&fact.subject) || fact.object.as_deref().is_some_and(is_item)
        }
        _ => false,
    };
    let is_elsewhere = |fact: &Fact| fact.mode == Mode::Narrated && has_own_part(fact);
    let named = names.named_in(about);
    let is_named = |name: &str| {
        let found = names.meant(&KINDS, name).into_iter();
        found.map(|found| (found.kind, found.position)).any(|found| named.contains(&found))
    };
    // A name without a card is found as it is written.
    let is_written = |name: &str| name.trim().chars().count() > 1 && about.contains(name.trim());
    let told = story.facts.iter().filter(|fact| fact.source.is_some() && fact.mode != Mode::Retconned);
    let told = told.filter(|fact| !is_elsewhere(fact));
    let mut told: Vec<(bool, usize, &Fact)> = told
        .enumerate()
        .map(|(at, fact)| {
            let ends = [Some(fact.subject.as_str()), fact.object.as_deref(), fact.by.as_deref()];
            let is_near = ends.into_iter().flatten().any(|name| is_named(name) || is_written(name));
            (is_near, at, fact)
        })
        .collect();
    told.sort_by_key(|(is_near, at, _)| (!is_near, Reverse(*at)));
    let lines: Vec<String> = told.iter().map(|(.., fact)| line(fact, story)).collect();
    let count = lines.len();
    let mut lines = fitting(lines, tokens);
    if lines.len() < count {
        lines.push(labels::of(story.language).left_out(count - lines.len()));
    }
    lines
}

/// Returns a fact as a line: who says it, if it is not told as true, the statement, and its sentence.
fn line(fact: &Fact, story: &Story) -> String {
    let words = labels::of(story.language);
    let by = fact.by.as_deref().unwrap_or_default();
    let says = phrase::told(fact.mode, by, &fact.subject, &fact.sentence(story.language), story.language);
    match fact.source.as_ref().map(|source| source.quote.trim()).unwrap_or_default() {
        "" => says,
        quote => format!("{says}{}", words.remark(quote)),
    }
}

#[cfg(test)]
mod tests {
    use qingyu_story::rules::settled_deaths;
    use qingyu_story::{Character, Item, Language, Quotation, Worldview};

    use super::*;

    fn fact(subject: &str, predicate: &str, value: serde_json::Value, quote: &str) -> Fact {
        Fact {
            subject: subject.into(),
            predicate: predicate.into(),
            value,
            source: Some(Quotation { document: "d-1".into(), quote: quote.into(), ..Quotation::default() }),
            ..Fact::default()
        }
    }

    fn story(language: Language) -> Story {
        let card = |name: &str| Character { name: name.into(), ..Character::default() };
        let item = Item { name: "银骨尺".into(), ..Item::default() };
        let mut story = Story {
            language,
            characters: vec![card("沈砚秋"), card("姜衡")],
            worldview: Some(Worldview { items: vec![item], ..Worldview::default() }),
            ..Story::default()
        };
        story.facts.push(Fact {
            mode: Mode::Said,
            by: Some("裴慎之".into()),
            ..fact("姜衡", "dies", true.into(), "裴慎之说姜衡死了。")
        });
        story.facts.push(Fact {
            object: Some("银骨尺".into()), ..fact("银骨尺", "length", 9.into(), "尺长九寸。")
        });
        story.facts.extend((0..60).map(|at| fact("路人", "age", at.into(), "路人不知几岁。")));
        story
    }

    #[test]
    fn facts_about_the_plan_come_first_with_value_and_teller() {
        let story = story(Language::Zh);
        let book = NumberedBook::of(&story);
        let deaths = settled_deaths(&story);
        let lines = facts(&book, &deaths, "姜衡回来，要回银骨尺", 120);
        assert_eq!(
            lines[..2],
            ["银骨尺 长度 银骨尺 9（尺长九寸。）", "裴慎之说：姜衡 死亡（裴慎之说姜衡死了。）"],
            "oldest, but about the plan"
        );
        assert_eq!(lines[2], "路人 年龄 59（路人不知几岁。）", "then the newest");
        let left = 62 - (lines.len() - 1);
        assert_eq!(lines.last().unwrap(), &format!("另有 {left} 项没有列出"));
        let lines = facts(&book, &deaths, "", 100_000);
        assert_eq!((lines.len(), lines[0].starts_with("路人 年龄 59")), (62, true), "nothing is left out: {lines:?}");
    }

    #[test]
    fn facts_of_an_english_book_are_english() {
        let story = story(Language::En);
        let lines = facts(&NumberedBook::of(&story), &settled_deaths(&story), "姜衡", 60);
        assert_eq!(lines[0], "裴慎之 says: 姜衡 dies (裴慎之说姜衡死了。)");
        assert!(lines.last().unwrap().ends_with("more, not listed"), "{lines:?}");
    }
}
