//! Measures vector search: the processor time of one thread, and the share of the true ten best found.
//!
//! `cargo run --release -p qingyu-knowledge --example vector_speed -- 1000000 [folder]`
//!
//! Prints one line of JSON. The folder holds `passages.f32` and `questions.f32`, real vectors of one length as
//! `bench/retrieval/e5_vectors.py` writes them; without a folder the vectors are generated, in clusters. Rows are
//! mixtures of two vectors with the mean and the spread of the whole: quantisation that works on vectors spread over
//! the sphere may fail on real vectors, which are not. Rows are generated again for rescoring instead of stored, so
//! that the measured memory is the memory of the table.

use std::f32::consts::FRAC_PI_6;
use std::path::Path;

use qingyu_knowledge::vector::{
    CodeTable, RESCORED, ScoredRow, encode, from_bytes, inner_product, normalised, rescore,
};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

const MADE: usize = 384;
const QUESTIONS: usize = 100;
/// The share of rows that match each filter, in hundredths.
const FILTERS: [u32; 4] = [100, 60, 5, 1];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rows: u32 = arguments.next().map_or(100_000, |rows| rows.parse().expect("a number of rows"));
    let rows = Rows::new(rows, arguments.next().as_deref().map(Path::new));
    let truth = rows.truth();
    let before = memory();
    let (table, seconds) = timed(|| rows.codes());
    println!("{}", measured(&table, &rows, &truth, seconds, memory() - before));
}

fn measured(table: &CodeTable, rows: &Rows, truth: &[Vec<Vec<u32>>], built: f64, memory: f64) -> Value {
    let mut works = serde_json::Map::new();
    for (hundredths, truth) in FILTERS.into_iter().zip(truth) {
        let allowed: Option<Vec<u32>> =
            (hundredths < 100).then(|| (0..rows.count).filter(|row| is_let_through(*row, hundredths)).collect());
        let (mut times, mut hits) = (Vec::new(), 0);
        for (question, truth) in rows.questions.iter().zip(truth) {
            let (near, seconds) = timed(|| {
                let near = table.scan(question, allowed.as_deref(), RESCORED);
                rescore(question, &near, |row| Some(rows.vector(row)))
            });
            times.push(seconds * 1e3);
            hits += near.iter().take(10).filter(|near| truth.contains(&near.row)).count();
        }
        times.sort_by(f64::total_cmp);
        let at = |hundredth: usize| rounded(times[(times.len() * hundredth / 100).min(times.len() - 1)]);
        let recall = hits as f64 / truth.iter().map(Vec::len).sum::<usize>() as f64;
        let work = json!({ "cpu_ms_p50": at(50), "cpu_ms_p99": at(99), "recall_at_10": recall });
        works.insert(format!("{hundredths} %"), work);
    }
    json!({
        "rows": rows.count,
        "dimensions": rows.mean.len(),
        "vectors": rows.kind,
        "rescored": RESCORED,
        "build_cpu_s": rounded(built),
        "memory_mb": rounded(memory),
        "allowed": works,
    })
}

/// Vectors generated on access.
struct Rows {
    count: u32,
    kind: &'static str,
    mean: Vec<f32>,
    /// The difference of each vector from the mean.
    rests: Vec<Vec<f32>>,
    questions: Vec<Vec<f32>>,
}

impl Rows {
    fn new(count: u32, folder: Option<&Path>) -> Self {
        let (kind, passages, questions) = match folder {
            Some(folder) => ("real", read(&folder.join("passages.f32")), read(&folder.join("questions.f32"))),
            None => ("made", clustered(2000, 1), clustered(QUESTIONS, 2)),
        };
        let dimensions = passages[0].len();
        let mean: Vec<f32> =
            (0..dimensions).map(|at| passages.iter().map(|it| it[at]).sum::<f32>() / passages.len() as f32).collect();
        let rest = |vector: &Vec<f32>| vector.iter().zip(&mean).map(|(value, mean)| value - mean).collect();
        let rests = passages.iter().map(rest).collect();
        Self { count, kind, mean, rests, questions: questions.into_iter().take(QUESTIONS).collect() }
    }

    /// Returns a row: the mean, and about equal parts of the differences of two given vectors, so that rows differ from
    /// each other as much as the given vectors do.
    fn vector(&self, row: u32) -> Vec<f32> {
        let mut numbers = Numbers(u64::from(row));
        let mut one = || &self.rests[(numbers.next() * self.rests.len() as f32) as usize % self.rests.len()];
        let (left, right) = (one(), one());
        let (sine, cosine) = (FRAC_PI_6 * (1.0 + numbers.next())).sin_cos();
        let parts = self.mean.iter().zip(left.iter().zip(right));
        normalised(parts.map(|(mean, (left, right))| mean + cosine * left + sine * right).collect())
    }

    fn codes(&self) -> CodeTable {
        let mut table = CodeTable::new(self.mean.len());
        for row in 0..self.count {
            let codes = encode(&self.vector(row));
            table.push(Some(&codes.codes), codes.scale);
        }
        table
    }

    /// Returns the ten best rows for each filter and question by exact scores.
    fn truth(&self) -> Vec<Vec<Vec<u32>>> {
        let mut best = vec![vec![Vec::<ScoredRow>::new(); self.questions.len()]; FILTERS.len()];
        for row in 0..self.count {
            let vector = self.vector(row);
            for (at, question) in self.questions.iter().enumerate() {
                let score = inner_product(question, &vector);
                for (hundredths, best) in FILTERS.into_iter().zip(&mut best) {
                    let best = &mut best[at];
                    if is_let_through(row, hundredths)
                        && best.last().is_none_or(|it| best.len() < 10 || score > it.score)
                    {
                        let near = ScoredRow { row, score };
                        best.insert(best.partition_point(|it| *it < near), near);
                        best.truncate(10);
                    }
                }
            }
        }
        let rows = |best: Vec<ScoredRow>| best.into_iter().map(|near| near.row).collect();
        best.into_iter().map(|best| best.into_iter().map(rows).collect()).collect()
    }
}

/// Returns whether a row matches a filter, independent of the row's vector.
fn is_let_through(row: u32, hundredths: u32) -> bool {
    (Numbers(u64::from(row) + (1 << 40)).next() * 100.0) < hundredths as f32
}

/// Generates vectors of length 1 around centres that lean to one side.
fn clustered(count: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut numbers = Numbers(7);
    let mut one = |weight: f32| -> Vec<f32> { (0..MADE).map(|_| weight * (numbers.next() - 0.5)).collect() };
    let common = one(2.0);
    let centres: Vec<Vec<f32>> = (0..100).map(|_| one(1.0)).collect();
    let mut numbers = Numbers(seed << 32);
    let mut around = |at: usize| {
        let values = centres[at % centres.len()].iter().zip(&common);
        normalised(values.map(|(centre, common)| centre + common + 0.6 * (numbers.next() - 0.5)).collect())
    };
    (0..count).map(&mut around).collect()
}

/// Parses the vectors of a file: little-endian floats, [`MADE`] for each.
fn read(path: &Path) -> Vec<Vec<f32>> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    from_bytes(&bytes).chunks_exact(MADE).map(|vector| normalised(vector.to_vec())).collect()
}

/// A deterministic pseudo-random generator (splitmix64).
struct Numbers(u64);

impl Numbers {
    /// Returns a number from 0 to less than 1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 40) as f32 / (1 << 24) as f32
    }
}

/// Returns the result, and the processor time of all threads in seconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let begin = now();
    let made = work();
    (made, now() - begin)
}

/// Returns the memory of the process in megabytes.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux says what a program holds");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a line of it");
    line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number of kilobytes") * 1.024e-3
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
