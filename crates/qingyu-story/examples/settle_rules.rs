//! Measures recall and precision of the rules that read a chapter without a model.
//!
//! `cargo run -p qingyu-story --example settle_rules [FILE...]`: the labelled sets, or files written like them. Shows what is
//! found, missed and wrong for each predicate; of pairs (`A ! B`, `A = B`) whether their contradiction is found.

#[path = "../tests/labelled/mod.rs"]
mod labelled;

use std::collections::BTreeMap;

use labelled::{Measured, MeasuredPairs};

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if !files.is_empty() {
        for file in files {
            let corpus = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
            if corpus.lines().any(labelled::pairs::is_pair) {
                show_pairs(&file, &corpus);
            } else {
                show(&file, &corpus);
            }
        }
        return;
    }
    let [plain_zh, plain_en] = labelled::PLAIN;
    let [held_zh, held_en] = labelled::HELD_OUT;
    let [varied_zh, varied_en] = labelled::VARIED;
    let corpora = [
        ("zh", labelled::ZH),
        ("en", labelled::EN),
        ("plain zh", plain_zh),
        ("plain en", plain_en),
        ("held out zh", held_zh),
        ("held out en", held_en),
        ("varied zh", varied_zh),
        ("varied en", varied_en),
    ];
    corpora.into_iter().for_each(|(name, corpus)| show(name, corpus));
}

fn show(name: &str, corpus: &str) {
    let Measured { sentences, precision, recall, right, wrong, missed } = labelled::measure(corpus);
    println!("{name}: {sentences} texts, precision {:.1} %, recall {:.1} %", precision * 100.0, recall * 100.0);
    let mut predicates: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (place, lines) in [&right, &missed, &wrong].into_iter().enumerate() {
        for line in lines {
            predicates.entry(predicate_of(line)).or_default()[place] += 1;
        }
    }
    for (predicate, [found, missed, wrong]) in predicates {
        println!("  {predicate}: {found} found, {missed} missed, {wrong} wrong");
    }
    wrong.iter().for_each(|line| println!("  not there: {line}"));
    missed.iter().for_each(|line| println!("  not found: {line}"));
}

fn show_pairs(name: &str, corpus: &str) {
    let MeasuredPairs { planted, precision, recall, wrong, missed } = labelled::measure_pairs(corpus);
    println!("{name}: {planted} contradictions, precision {:.1} %, recall {:.1} %", precision * 100.0, recall * 100.0);
    wrong.iter().for_each(|line| println!("  fits together: {line}"));
    missed.iter().for_each(|line| println!("  not found: {line}"));
}

/// The predicate of a statement as the sets write it: `Tom Vane age 42`.
fn predicate_of(statement: &str) -> &str {
    statement.split(' ').find(|word| qingyu_story::predicate::find(word).is_some()).unwrap_or("?")
}
