mod real;

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
    let mut all: Vec<ScoredRow> = rows
        .map(|(row, vector)| {
            let score = vector.iter().zip(query).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
            ScoredRow { row, score: score as f32 }
        })
        .collect();
    all.sort();
    all.iter().map(|near| near.row).take(10).collect()
}

#[test]
fn the_ten_best_are_found() {
    let vectors = clustered(2_000, 384, 1);
    let queries = clustered(60, 384, 7);
    let odd: Vec<u32> = (0..2_000).filter(|row| row % 2 == 1).collect();
    let table = table(&vectors);
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
    assert!(found + found_odd >= 1_195, "recall {found} and {found_odd} of 600");
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
    assert_eq!(rows(&[1.0, 0.0], Some(&[])), [0; 0]);
    assert_eq!(rows(&[1.0], None), [0; 0]);
}

#[test]
fn a_table_without_rows_or_dimensions_finds_nothing() {
    for dimensions in [0, 3] {
        let table = CodeTable::new(dimensions);
        assert!(table.scan(&vec![1.0; dimensions], None, 9).is_empty());
        assert!(table.scan(&vec![1.0; dimensions], Some(&[0, 1]), 9).is_empty());
    }
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
    fn few_rows_are_found_as_exact_scores_say(
        seed in any::<u64>(),
        count in 1_usize..50,
        dimensions in 1_usize..40,
        let_through in prop::collection::vec(any::<bool>(), 50),
        missing in prop::collection::vec(any::<bool>(), 50),
    ) {
        let vectors = clustered(count, dimensions, seed);
        let query = clustered(1, dimensions, seed ^ 77).remove(0);
        let mut table = CodeTable::new(dimensions);
        for (vector, missing) in vectors.iter().zip(&missing) {
            let coded = encode(vector);
            table.push((!missing).then_some(&coded.codes), coded.scale);
        }
        let allowed: Vec<u32> = (0..count as u32).filter(|row| let_through[*row as usize]).collect();
        let truth = |allowed: &dyn Fn(u32) -> bool| {
            exact(&vectors, &query, |row| allowed(row) && !missing[row as usize])
        };
        let best = |allowed: Option<&[u32]>| -> Vec<u32> {
            // All that may be found is handed on, so nothing is left to the codes.
            let near = table.scan(&query, allowed, RESCORED);
            let near = rescore(&query, &near, |row| vectors.get(row as usize).cloned());
            near.iter().take(10).map(|near| near.row).collect()
        };
        let same = |found: Vec<u32>, truth: Vec<u32>| -> bool {
            // Scores that are equal but for the order of a sum may change places.
            let score = |row: &u32| inner_product(&query, &vectors[*row as usize]);
            found.len() == truth.len() && found.iter().zip(&truth).all(|(a, b)| (score(a) - score(b)).abs() < 1e-5)
        };
        prop_assert!(same(best(None), truth(&|_| true)));
        prop_assert!(same(best(Some(&allowed)), truth(&|row| let_through[row as usize])));
    }

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
