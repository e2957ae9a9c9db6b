//! Shows that a long book is written with little memory: 2,000 chapters of 3,000 characters, in each form, to a
//! temporary file. `cargo run --release -p qingyu-formats --example long_book [chapters]`

use std::io::BufWriter;
use std::time::Instant;

use qingyu_formats::{BookInfo, ChapterOpening, OutputForm, TextLayout, write};
use qingyu_story::{Language, numerals};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let chapters: usize = std::env::args().nth(1).map_or(Ok(2000), |given| given.parse())?;
    let book = BookInfo { title: "长夜".into(), author: Some("沈舟".into()), ..BookInfo::default() };
    let openings: Vec<ChapterOpening> = (0..chapters)
        .map(|chapter| ChapterOpening {
            volume: Some(format!("第{}卷", numerals::chinese(u32::try_from(chapter / 100).unwrap_or(0) + 1))),
            title: format!("第{}章 夜雨", numerals::chinese(u32::try_from(chapter).unwrap_or(0) + 1)),
        })
        .collect();
    println!("before: peak {} MB", peak());
    let forms = [
        ("txt", OutputForm::Txt(TextLayout::plain(Language::Zh))),
        ("md", OutputForm::Markdown),
        ("epub", OutputForm::Epub),
        ("docx", OutputForm::Docx),
    ];
    for (name, form) in forms {
        let path = std::env::temp_dir().join(format!("qingyu-long-book-{}.{name}", std::process::id()));
        let mut file = BufWriter::new(std::fs::File::create(&path)?);
        let mut texts = |chapter: usize| Ok(text(chapter));
        let start = Instant::now();
        write(&book, &openings, &mut texts, &form, &mut file)?;
        drop(file);
        let size = std::fs::metadata(&path)?.len();
        std::fs::remove_file(&path)?;
        println!("{name}: {chapters} chapters, {size} bytes, {:?}, peak {} MB", start.elapsed(), peak());
    }
    Ok(())
}

/// Returns about 3,000 characters, different in each chapter, so that the text compresses like prose.
fn text(chapter: usize) -> String {
    let mut seed = chapter as u64 + 1;
    let mut text = String::new();
    for place in 0..3000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let picked = u32::try_from(seed >> 33).unwrap_or(0) % 1200;
        text.push(char::from_u32(0x4e00 + picked * 3).unwrap_or('雨'));
        if place % 60 == 59 {
            text.push_str("。\n");
        }
    }
    text
}

/// Returns the peak memory of the process in megabytes; 0 where the system does not report it.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
