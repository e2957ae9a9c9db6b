//! Measures the time and memory for comparing a chapter with the chapters of a long book.
//!
//! `cargo run --release -p qingyu-text --example originality_speed [chapters]`

use std::time::Instant;

use qingyu_text::ComparisonLibrary;

fn main() {
    let chapters = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(2000);
    let before = resident();
    let texts: Vec<String> = (0..chapters).map(|number| chapter(number, 2500)).collect();
    let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
    let mut library = ComparisonLibrary::default();
    let start = Instant::now();
    for (number, text) in texts.iter().enumerate() {
        library.insert(&format!("d-{number}"), text);
    }
    let made = start.elapsed().as_secs_f64() * 1e3;
    println!(
        "{chapters} chapters, {characters} characters: indexed in {made:.0} ms, {} MB with the texts twice",
        resident() - before
    );
    let own = chapter(chapters + 1, 2500);
    let borrowed: String = texts[7].chars().skip(300).take(400).chain(own.chars()).collect();
    let from_many: String = (0..40).flat_map(|number| texts[number * 3].chars().skip(500).take(60)).collect();
    for (name, text) in
        [("own", &own), ("borrowed", &borrowed), ("borrowed from 40", &from_many), ("whole copy", &texts[3])]
    {
        let mut best = f64::MAX;
        let mut found = library.check(text);
        for _ in 0..20 {
            let start = Instant::now();
            found = library.check(text);
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
        println!(
            "  {name:<16} {best:>6.2} ms: {:.0} % of {} from {} texts, {} compared",
            found.share * 100.0,
            found.length,
            found.sources.len(),
            found.compared
        );
    }
}

/// Returns prose of about `length` characters, with phrases shared by all chapters.
fn chapter(seed: usize, length: usize) -> String {
    const SHARED: [&str; 8] = [
        "说时迟那时快",
        "不由得倒吸一口凉气",
        "她摇了摇头没有说话",
        "过了好一会儿他才开口",
        "天已经完全黑了",
        "一句话也说不出来",
        "听见了远处的汽笛",
        "把伞收了起来",
    ];
    let mut state = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut roll = |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % sides
    };
    let mut text = String::with_capacity(length * 3);
    let mut count = 0;
    while count < length {
        if roll(3) == 0 {
            let shared = SHARED[roll(8)];
            text.push_str(shared);
            count += shared.chars().count();
        }
        for _ in 0..4 + roll(8) {
            text.extend(char::from_u32(0x4e00 + roll(3000) as u32));
            count += 1;
        }
        text.push_str(if roll(5) == 0 { "。\n" } else { "，" });
    }
    text
}

/// Returns the resident memory of the process in MB, where the system reports a value.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    pages.and_then(|text| text.split_whitespace().nth(1)?.parse::<usize>().ok()).unwrap_or_default() * 4096 / 1_000_000
}
