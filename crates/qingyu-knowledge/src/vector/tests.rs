use proptest::prelude::*;

use super::*;

/// Numbers that look random and are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32 / (1 << 24) as f32) * 2.0 - 1.0
    }

    fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        (0..dimensions).map(|_| self.next()).collect()
    }
}

/// Vectors of length 1 in clusters, as embeddings are: neighbours lie close together, and all lean to one side.
fn clustered(count: usize, dimensions: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut numbers = Numbers(seed);
    let common = numbers.vector(dimensions);
    let centres: Vec<Vec<f32>> = (0..20).map(|_| numbers.vector(dimensions)).collect();
    let around = |at: usize, numbers: &mut Numbers| {
        let centre = &centres[at % centres.len()];
        let values = centre.iter().zip(&common).map(|(value, common)| value + common + 0.6 * numbers.next());
        normalised(values.collect())
    };
    (0..count).map(|at| around(at, &mut numbers)).collect()
}

fn table(vectors: &[Vec<f32>]) -> CodeTable {
    let mut table = CodeTable::new(vectors[0].len());
    for vector in vectors {
        let codes = encode(vector);
        table.push(Some(&codes.codes), codes.scale);
    }
    table
}

fn exact(vectors: &[Vec<f32>], query: &[f32], allowed: impl Fn(u32) -> bool) -> Vec<u32> {
    let rows = (0..).zip(vectors).filter(|(row, _)| allowed(*row));
    let mut all: Vec<Near> = rows
        .map(|(row, vector)| {
            let score = vector.iter().zip(query).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
            Near { row, score: score as f32 }
        })
        .collect();
    all.sort();
    all.iter().map(|near| near.row).take(10).collect()
}

#[test]
fn the_ten_best_are_found() {
    let vectors = clustered(2_000, 384, 1);
    let table = table(&vectors);
    let queries = clustered(60, 384, 7);
    let odd: Vec<u32> = (0..2_000).filter(|row| row % 2 == 1).collect();
    let (mut found, mut found_odd) = (0, 0);
    for query in &queries {
        let best = |allowed: Option<&[u32]>| -> Vec<u32> {
            let near = table.scan(query, allowed, RESCORED);
            let vector_of = |row: u32| vectors.get(row as usize).cloned();
            rescore(query, &near, vector_of).iter().take(10).map(|near| near.row).collect()
        };
        let truth = exact(&vectors, query, |_| true);
        found += best(None).iter().filter(|row| truth.contains(row)).count();
        let truth = exact(&vectors, query, |row| row % 2 == 1);
        found_odd += best(Some(&odd)).iter().filter(|row| truth.contains(row)).count();
    }
    assert!(found + found_odd >= 1_199, "recall {found} and {found_odd} of 600");
}

#[test]
fn rows_without_a_fitting_vector_are_not_near() {
    let mut table = CodeTable::new(2);
    table.push(None, 0.0);
    table.push(Some(&[127, 0]), 1.0 / 127.0);
    table.push(Some(&[1, 2, 3]), 1.0);
    table.push(Some(&[0, 0]), 0.0);
    let rows = |query: &[f32], allowed: Option<&[u32]>| -> Vec<u32> {
        table.scan(query, allowed, 9).iter().map(|near| near.row).collect()
    };
    assert_eq!(rows(&[1.0, 0.0], None), [1, 3]);
    assert_eq!(rows(&[1.0, 0.0], Some(&[0, 3, 77])), [3]);
    assert_eq!(rows(&[1.0], None), [0; 0]);
}

#[test]
fn strange_vectors_do_no_harm() {
    for vector in [vec![], vec![0.0; 3], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0], vec![f32::MIN_POSITIVE; 2]] {
        assert_eq!(encode(&vector).codes.len(), vector.len());
        assert_eq!(normalised(vector.clone()).len(), vector.len());
    }
}

proptest! {
    #[test]
    fn both_forms_agree_to_the_bit(
        floats in prop::collection::vec((-1.0f32..1.0, -1.0f32..1.0), 0..600),
        codes in prop::collection::vec((any::<i8>(), any::<i8>()), 0..600),
    ) {
        let (left, right): (Vec<f32>, Vec<f32>) = floats.into_iter().unzip();
        prop_assert_eq!(dot::floats(&left, &right).to_bits(), dot::plain_floats(&left, &right).to_bits());
        let (left, right): (Vec<i8>, Vec<i8>) = codes.into_iter().unzip();
        prop_assert_eq!(dot::codes(&left, &right), dot::plain_codes(&left, &right));
    }

    #[test]
    fn codes_are_off_by_half_a_step_at_most(vector in prop::collection::vec(-1.0f32..1.0, 1..64)) {
        let Codes { codes, scale } = encode(&vector);
        for (value, code) in vector.iter().zip(codes) {
            prop_assert!((value - f32::from(code) * scale).abs() <= scale * 0.501);
        }
    }

    #[test]
    fn bytes_give_the_vector_back(vector in prop::collection::vec(-1e30f32..1e30, 0..20)) {
        prop_assert_eq!(from_bytes(&to_bytes(&vector)), vector);
    }
}
