//! Measures the time for the figures of a text, the growth with the length, and the time for the statistics and reviews
//! of a long book.
//!
//! `cargo run --release -p qingyu-text --example figures_speed [chapters]`

use qingyu_story::{Character, Document, Language, Manuscript, Prose, Story};
use qingyu_text::compliance::InspectedChapter;
use qingyu_text::{Meter, ReviewRequest, Reviewer, Statistics};

fn main() {
    let chapters = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(500);
    let meter = Meter::default();
    for times in [1, 10, 100] {
        let text = chapter(7, 2500 * times);
        let prose = Prose::of(&text);
        let (reading, _) = time(|| Prose::of(&text));
        let material = qingyu_text::figures::MeterInput { text: &text, prose: &prose, names: None };
        let (counting, _) = time(|| meter.measure(&material));
        let length = prose.length;
        println!("{length:>7} characters: read in {reading:.2} ms, counted in {counting:.2} ms");
    }
    let names = ["林青", "老周", "阿九", "掌柜", "沈砚", "顾眠"];
    let characters = names.map(|name| Character { name: name.into(), ..Character::default() }).into();
    let document = |order: u32| Document {
        id: format!("d-{order}"),
        title: format!("第{order}章"),
        order,
        text: chapter(order as usize, 2500),
        ..Document::default()
    };
    let story = Story { characters, documents: (1..=chapters).map(document).collect(), ..Story::default() };
    let mut manuscript = Manuscript::default();
    manuscript.chapters(&story);
    let (counting, _) = time(|| Statistics::of(&story, &mut manuscript, &meter));
    println!("{chapters} chapters: statistics in {counting:.0} ms");
    let reviewer = Reviewer::default();
    let (reviewing, _) = time(|| {
        for document in &story.documents {
            let text = document.text.as_str();
            let chapter = InspectedChapter { title: Some(&document.title), text, prose: &Prose::of(text) };
            let request = ReviewRequest {
                chapter,
                level: None,
                platform: Some("qidian"),
                library: None,
                except: &[],
                language: Language::Zh,
            };
            reviewer.review(&request).expect("the platform is known");
        }
    });
    println!("{chapters} chapters: words and rules reviewed in {reviewing:.0} ms");
}

/// Returns the best of three runs in milliseconds of CPU time, with the result.
fn time<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let cpu = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    };
    let mut best = f64::MAX;
    let mut made = work();
    for _ in 0..3 {
        let start = cpu();
        made = work();
        best = best.min(cpu() - start);
    }
    (best, made)
}

/// Returns a chapter with dialogue, feelings and action, of about `length` characters.
fn chapter(seed: usize, length: usize) -> String {
    const WHO: [&str; 6] = ["林青", "老周", "阿九", "掌柜", "沈砚", "顾眠"];
    const WHAT: [&str; 10] = [
        "听见了远处的汽笛",
        "把伞收了起来",
        "高兴得说不出话",
        "并不害怕",
        "冲出门去，一把抓住他",
        "翻开那本账簿",
        "难过地低下头",
        "看着水面上的油花",
        "转身就跑",
        "点了一盏灯",
    ];
    let mut state = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut roll = |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % sides
    };
    let (mut text, mut count) = (String::new(), 0);
    while count < length {
        let from = text.len();
        match roll(3) {
            0 => text.push_str(&format!("“{}，{}步。”{}低声说。\n", WHAT[roll(10)], roll(9000), WHO[roll(6)])),
            1 => text.push_str(&format!("{}{}，又{}。", WHO[roll(6)], WHAT[roll(10)], WHAT[roll(10)])),
            _ => text.push_str(&format!("过了{}天，{}{}。\n", roll(9000), WHO[roll(6)], WHAT[roll(10)])),
        }
        count += text[from..].chars().count();
    }
    text
}
