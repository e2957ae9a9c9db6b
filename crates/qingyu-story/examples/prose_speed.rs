//! Measures how long the prose rules take on a long book, how the time grows, and the cost of one changed chapter.
//!
//! `cargo run --release -p qingyu-story --example prose_speed [chapters]`

use std::time::Instant;

use qingyu_story::{Config, Document, Manuscript, Prose, Story, findings_with};

fn main() {
    let chapters = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(2000);
    let only_prose = Config { severities: [("QY".to_owned(), None)].into(), ..Config::default() };
    for chapters in [chapters / 4, chapters / 2, chapters] {
        let mut story = book(chapters);
        let characters: usize = story.documents.iter().map(|document| document.text.chars().count()).sum();
        let mut manuscript = Manuscript::default();
        let (found, all) = time(|| findings_with(&story, &only_prose, &mut manuscript).len());
        let ((), reading) = time(|| story.documents.iter().for_each(|document| drop(Prose::of(&document.text))));
        let changed = story.documents.len() / 2;
        story.documents[changed].text.push_str("雨停了。");
        story.documents[changed].version += 1;
        let (_, again) = time(|| findings_with(&story, &only_prose, &mut manuscript).len());
        println!(
            "{chapters} chapters, {characters} characters: {all}, reading alone {reading}, {found} findings; \
             after one changed chapter {again}"
        );
    }
}

/// Returns the result of `work`, with wall-clock and CPU milliseconds as text.
fn time<T>(work: impl FnOnce() -> T) -> (T, String) {
    let cpu = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    };
    let (start, start_cpu) = (Instant::now(), cpu());
    let made = work();
    let (wall, cpu) = (start.elapsed().as_secs_f64() * 1e3, cpu() - start_cpu);
    (made, format!("{wall:.1} ms (cpu {cpu:.1})"))
}

/// Returns chapters of about 2,500 characters, without repeated sentences.
fn book(chapters: u32) -> Story {
    const WHO: [&str; 8] = ["林青", "老周", "船工", "她", "阿九", "守夜人", "掌柜", "那孩子"];
    const WHERE: [&str; 9] = ["码头", "巷口", "灯塔下", "旧仓库里", "桥头", "茶馆门前", "后院", "船舱里", "山脚下"];
    const WHAT: [&str; 11] = [
        "听见了远处的汽笛",
        "把伞收了起来",
        "想起一件旧事",
        "数着墙上的裂纹",
        "等一个不会来的人",
        "翻开那本账簿",
        "闻到了铁锈和盐的气味",
        "看着水面上的油花",
        "摸到口袋里的钥匙",
        "没有回答",
        "点了一盏灯",
    ];
    let mut seed = 7_u32;
    let mut pick = |most: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % most
    };
    let documents = (1..=chapters).map(|order| {
        let mut text = String::new();
        for sentence in 0..115 {
            let (who, place, what) = (WHO[pick(8)], WHERE[pick(9)], WHAT[pick(11)]);
            match pick(4) {
                0 => {
                    text.push_str(&format!("{who}在{place}{what}，过了{}步才停下，{}。", pick(90_000), WHAT[pick(11)]));
                }
                1 => text.push_str(&format!("“{what}？”{who}说。")),
                2 => text.push_str(&format!(
                    "{place}的第{}块石板松了，{who}{what}，又{}。",
                    pick(90_000),
                    WHAT[pick(11)]
                )),
                _ => text.push_str(&format!("{}年前，{who}{what}。", pick(90_000))),
            }
            if sentence % 4 == 3 {
                text.push('\n');
            }
        }
        Document {
            id: format!("d-{order}"),
            title: format!("第{order}章"),
            order,
            version: 1,
            text,
            ..Document::default()
        }
    });
    Story { documents: documents.collect(), ..Story::default() }
}
