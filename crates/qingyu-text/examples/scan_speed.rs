//! Measures the speed of scanning texts for sensitive words, with and without disguises.
//!
//! `cargo run --release -p qingyu-text --example scan_speed [megabytes]`

use std::time::Instant;

use qingyu_text::{Level, Scanner, Variants, WordLists};

fn main() {
    let megabytes: usize = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(16);
    let many = many_words(20_000);
    let lists = [("built-in", WordLists::builtin()), ("20,000 more", WordLists::builtin().extended(many))];
    for (name, lists) in lists {
        for (kind, variants) in [("plain", None), ("with variants", Some(Variants::builtin()))] {
            let start = Instant::now();
            let scanner = Scanner::new(&lists, variants.as_ref()).expect("the words have letters");
            let made = start.elapsed().as_secs_f64() * 1e3;
            println!("{name} list, {kind}: {} words, made in {made:.1} ms", scanner.len());
            for (language, text) in [("zh", chinese(megabytes)), ("en", english(megabytes)), ("hits", hits(megabytes))]
            {
                let (speed, found) = speed(&scanner, &text);
                println!("  {language:<5} {speed:>7.0} MB/s, {found} hits in {:.1} MB", text.len() as f64 / 1e6);
            }
        }
    }
}

/// Returns the best of five scans in MB of text per second of CPU time, and the number of hits.
fn speed(scanner: &Scanner, text: &str) -> (f64, usize) {
    let cpu = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let mut best = f64::MAX;
    let mut found = 0;
    for _ in 0..5 {
        let start = cpu();
        found = scanner.scan(text, Level::Strict).len();
        best = best.min(cpu() - start);
    }
    (text.len() as f64 / 1e6 / best, found)
}

/// A deterministic pseudorandom generator.
struct Dice(u32);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % sides
    }
}

/// Returns sentences of a story with names, numbers and occasional listed words.
fn chinese(megabytes: usize) -> String {
    const WHO: [&str; 8] = ["林青", "老周", "船工", "她", "阿九", "守夜人", "掌柜", "那孩子"];
    const WHERE: [&str; 8] = ["码头", "巷口", "灯塔下", "旧仓库里", "桥头", "茶馆门前", "船舱里", "山脚下"];
    const WHAT: [&str; 12] = [
        "听见了远处的汽笛",
        "把伞收了起来",
        "想起一件旧事",
        "数着墙上的裂纹",
        "等一个不会来的人",
        "翻开那本账簿",
        "闻到了铁锈和盐的气味",
        "看着水面上的油花",
        "摸到口袋里的钥匙",
        "加快了脚步，没有回头",
        "点了一盏灯",
        "把信折好，放进信封",
    ];
    let mut dice = Dice(7);
    let mut text = String::with_capacity(megabytes << 20);
    while text.len() < megabytes << 20 {
        text.push_str(WHO[dice.roll(8)]);
        text.push('在');
        text.push_str(WHERE[dice.roll(8)]);
        text.push_str(WHAT[dice.roll(12)]);
        text.push('，');
        // Arbitrary characters, as in names and rare words.
        text.extend((0..4).filter_map(|_| char::from_u32(0x4e00 + dice.roll(0x3000) as u32)));
        text.push_str(if dice.roll(200) == 0 { "，谈起那家赌场。" } else { "。" });
        if dice.roll(4) == 0 {
            text.push('\n');
        }
    }
    text
}

fn english(megabytes: usize) -> String {
    const WORDS: [&str; 40] = [
        "the", "harbour", "was", "quiet", "and", "she", "had", "counted", "every", "lamp", "on", "quay", "before",
        "anyone", "spoke", "of", "letter", "that", "came", "with", "morning", "boat", "Mara", "closed", "shutters",
        "while", "old", "clock", "struck", "seven", "nobody", "answered", "because", "rain", "drowned", "words",
        "between", "houses", "again", "drummed",
    ];
    let mut dice = Dice(11);
    let mut text = String::with_capacity(megabytes << 20);
    while text.len() < megabytes << 20 {
        text.push_str(WORDS[dice.roll(40)]);
        text.push_str(match dice.roll(2000) {
            0 => " casino ",
            1..=100 => ". ",
            101..=200 => ", ",
            201..=230 => ".\n",
            _ => " ",
        });
    }
    text
}

/// Returns the worst case: only listed words, spaced and plain.
fn hits(megabytes: usize) -> String {
    "赌 博，他妈的冰毒与黑火药配方。c.a.s.i.n.o and casino, ".repeat((megabytes << 20) / 75 / 8)
}

/// Returns a list of `count` words of two to five characters, as large as a platform's.
fn many_words(count: usize) -> WordLists {
    let mut dice = Dice(3);
    let mut word = || -> String {
        let length = 2 + dice.roll(4);
        (0..length).filter_map(|_| char::from_u32(0x4e00 + dice.roll(0x0c00) as u32 * 4)).collect()
    };
    let words: Vec<String> = (0..count).map(|_| format!("'{}'", word())).collect();
    let toml = format!("[[lists]]\ncategory = 'many'\nlevel = 'standard'\nwords = [{}]\n", words.join(", "));
    WordLists::parse(&toml).expect("a list of plain words")
}
