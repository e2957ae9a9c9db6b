//! Every word of the vocabulary, as a reader of either language uses it.

use std::collections::BTreeSet;

use qingyu_story::language::is_han;
use qingyu_story::predicate;
use qingyu_story::settlement::extraction::ToldFact;
use qingyu_story::truth::{GroundTruth, Question};
use qingyu_story::{Document, Names, PieceKind};
use serde_json::Value;

use super::{fact, facts, put};
use crate::labelled;

const SENTENCES: &str = include_str!("../../labelled/predicates.txt");

/// The kinds of a statement's other side.
const OBJECTS: [PieceKind; 4] = [PieceKind::Character, PieceKind::Location, PieceKind::Item, PieceKind::Organisation];

/// A line of the table.
struct Line<'t> {
    sentence: &'t str,
    said: [&'t str; 3],
    means: &'t str,
}

fn lines() -> impl Iterator<Item = Line<'static>> {
    let lines = SENTENCES.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let (sentence, rest) = line.split_once(" | ").expect("a line has a sentence");
        let (said, means) = rest.split_once(" => ").expect("a line says what it means");
        let mut said = said.split(" / ").map(str::trim);
        let mut next = || said.next().expect("a statement has three parts");
        Line { sentence, said: [next(), next(), next()], means }
    })
}

/// Settles the statement and returns what the story then knows of the word.
fn meaning(line: &Line<'_>) -> Vec<String> {
    let mut story = labelled::cast();
    let text = line.sentence.to_owned();
    story.documents =
        vec![Document { id: "d-1".into(), title: "正文".into(), order: 1, text, ..Document::default() }];
    let [subject, word, other] = line.said;
    let is_card = OBJECTS.iter().any(|kind| Names::of(&story).knows(*kind, other));
    let value = match (is_card, other.parse::<i64>()) {
        (true, _) => Value::Null,
        (false, _) if other == "true" => true.into(),
        (false, Ok(number)) if predicate::find(word).is_none_or(|word| word.name != "birth") => number.into(),
        (false, _) => other.into(),
    };
    let told = ToldFact { object: is_card.then(|| other.to_owned()), ..fact(subject, word, value, line.sentence) };
    let settlement = put(&mut story, "d-1", &facts(vec![told]));
    assert_eq!(settlement.made.len(), 1, "{}: {:?}", line.sentence, settlement.rejected);
    let question = Question { predicate: Some(word.into()), ..Question::default() };
    let answers = GroundTruth::of(&story).ask(&question).expect("the word is in the story");
    let shown = answers.iter().map(|answer| {
        let other = answer.object.clone().unwrap_or_else(|| answer.value.to_string());
        format!("{} {} {other}", answer.subject, answer.predicate)
    });
    shown.collect()
}

#[test]
fn every_word_says_the_same_in_both_languages_and_directions() {
    let wrong: Vec<String> = lines()
        .filter_map(|line| {
            let found = meaning(&line);
            (found != [line.means]).then(|| format!("{}: {found:?} instead of {}", line.sentence, line.means))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_word_is_left_out() {
    let is_chinese = |text: &str| text.chars().any(is_han);
    let tested: BTreeSet<(&str, bool)> = lines()
        .map(|line| {
            let word = predicate::find(line.said[1]).unwrap_or_else(|| panic!("{} is no word", line.said[1]));
            (word.name.as_str(), is_chinese(line.sentence))
        })
        .collect();
    let missing: Vec<_> = predicate::all()
        .iter()
        .flat_map(|word| [(word.name.as_str(), true), (word.name.as_str(), false)])
        .filter(|word| !tested.contains(word))
        .collect();
    assert!(missing.is_empty(), "without a sentence (in Chinese: true): {missing:?}");
}
