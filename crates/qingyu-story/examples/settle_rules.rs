//! Measures recall and precision of the rules that read a chapter without a model.
//!
//! `cargo run -p qingyu-story --example settle_rules`

#[path = "../tests/labelled/mod.rs"]
mod labelled;

use labelled::Measured;

fn main() {
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
    for (name, corpus) in corpora {
        let Measured { sentences, precision, recall, wrong, missed } = labelled::measure(corpus);
        println!("{name}: {sentences} texts, precision {:.1} %, recall {:.1} %", precision * 100.0, recall * 100.0);
        wrong.iter().for_each(|line| println!("  not there: {line}"));
        missed.iter().for_each(|line| println!("  not found: {line}"));
    }
}
