//! Shows how much the rules that read a chapter without a model find, and how much of that is there.
//!
//! `cargo run -p qingyu-story --example settle_rules`

#[path = "../tests/labelled/mod.rs"]
mod labelled;

use labelled::Measured;

fn main() {
    for (name, corpus) in [("zh", labelled::ZH), ("en", labelled::EN)] {
        let Measured { sentences, precision, recall, wrong, missed } = labelled::measure(corpus);
        println!("{name}: {sentences} texts, precision {:.1} %, recall {:.1} %", precision * 100.0, recall * 100.0);
        wrong.iter().for_each(|line| println!("  not there: {line}"));
        missed.iter().for_each(|line| println!("  not found: {line}"));
    }
}
