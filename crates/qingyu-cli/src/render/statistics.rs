//! Statistics of a project's documents.

use qingyu_studio::text::Statistics;
use qingyu_studio::text::statistics::{Appearances, ChapterRow, Totals};

use super::curve::sparkline;
use super::figures::percent;
use super::numbers::{bar, grouped, ranges};
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, TextPage, paint};
use super::wrap::shorten;

/// Width of the progress bar, in columns.
const BAR: usize = 30;
/// Maximum width of a title in a table.
const TITLE: usize = 24;
/// Maximum number of names per chapter in a table.
const NAMES: usize = 3;
/// Maximum number of rows of the cast.
const CAST: usize = 40;

/// Draws the statistics of a story.
pub(crate) fn statistics(page: &mut TextPage<'_>, statistics: &Statistics) {
    let Totals { chapters, length, chapter, sentence, dialogue, .. } = &statistics.totals;
    let arguments = [
        ("chapters", (*chapters).into()),
        ("length", grouped(*length as u64).into()),
        ("chapter", format!("{chapter:.0}").into()),
        ("sentence", format!("{sentence:.1}").into()),
        ("dialogue", percent(*dialogue).into()),
    ];
    page.say(0, PLAIN, "stats-totals", &arguments);
    progress(page, statistics);
    self::chapters(page, &statistics.chapters);
    cast(page, statistics);
}

fn progress(page: &mut TextPage<'_>, statistics: &Statistics) {
    let progress = &statistics.progress;
    if progress.chapters_planned == 0 {
        return;
    }
    let label = page.label("stats-progress");
    let chapters = format!("{} / {}", progress.chapters_written, progress.chapters_planned);
    let chapters = page.texts().fill("stats-chapters", &[("chapters", chapters.into())]);
    match (progress.words_planned, progress.share) {
        (Some(planned), Some(share)) => {
            let figure = bar((share * 100.0).clamp(0.0, 100.0) as u8, BAR.min(page.width() / 3));
            let words = format!("{} / {}", grouped(progress.words_written), grouped(planned));
            let words = page.texts().fill("stats-words", &[("words", words.into())]);
            page.line(&format!("{}{} {}", paint(FAINT, &label), paint(GOOD, &figure), percent(share)));
            page.paragraph(2, FAINT, &format!("{words}  {chapters}"));
        }
        _ => page.labelled(0, "stats-progress", &chapters),
    }
}

fn chapters(page: &mut TextPage<'_>, rows: &[ChapterRow]) {
    if rows.is_empty() {
        return page.say(0, FAINT, "stats-none", &[]);
    }
    let texts = page.texts();
    if rows.len() > 1 {
        let most = rows.iter().map(|row| row.length).max().unwrap_or_default();
        let room = page.width() / 2;
        // If a book has more chapters than columns, adjacent chapters share a block.
        let each = rows.len().div_ceil(room);
        let means =
            rows.chunks(each).map(|rows| rows.iter().map(|row| row.length).sum::<usize>() as f64 / rows.len() as f64);
        let label = page.label("stats-lengths");
        let scale = format!("0…{}", grouped(most as u64));
        let drawn = sparkline(means, 0.0, most as f64);
        page.line(&format!("{}{}  {}", paint(FAINT, &label), paint(NAME, &drawn), paint(FAINT, &scale)));
    }
    page.gap();
    let keys = ["number", "title", "length", "planned", "sentence", "dialogue", "people"];
    let header = keys.map(|key| texts.get(&format!("column-{key}")));
    let comma = texts.get("list-comma");
    let row = |row: &ChapterRow| {
        let planned = match (row.planned, row.share) {
            (Some(planned), Some(share)) => format!("{} ({})", grouped(u64::from(planned)), percent(share)),
            _ => "–".to_owned(),
        };
        vec![
            row.order.to_string(),
            shorten(&row.title, TITLE),
            grouped(row.length as u64),
            planned,
            format!("{:.1}", row.sentence),
            percent(row.dialogue),
            row.people.iter().take(NAMES).cloned().collect::<Vec<_>>().join(&comma),
        ]
    };
    page.table(&header, &rows.iter().map(row).collect::<Vec<_>>(), &[0, 2, 3, 4, 5], &[0, 2]);
    let unread: Vec<u32> = rows.iter().filter(|row| row.reading.is_open()).map(|row| row.order).collect();
    if !unread.is_empty() {
        page.say(0, CARE, "chapters-unread", &[("chapters", ranges(&unread).into())]);
    }
}

fn cast(page: &mut TextPage<'_>, statistics: &Statistics) {
    if statistics.characters.is_empty() {
        return;
    }
    let texts = page.texts();
    page.gap();
    let keys = ["name", "role", "mentions", "chapters", "presence", "speeches", "spoken"];
    let header = keys.map(|key| texts.get(&format!("column-{key}")));
    let orders: Vec<u32> = statistics.chapters.iter().map(|chapter| chapter.order).collect();
    let row = |row: &Appearances| {
        let there = |order: &u32| if row.chapters.contains(order) { '█' } else { '·' };
        let presence: String =
            if orders.len() <= BAR { orders.iter().map(there).collect() } else { range(&row.chapters) };
        vec![
            shorten(&row.name, TITLE),
            texts.word("role", row.role),
            grouped(row.mentions as u64),
            row.chapters.len().to_string(),
            presence,
            row.speeches.to_string(),
            grouped(row.spoken as u64),
        ]
    };
    let rows: Vec<Vec<String>> = statistics.characters.iter().take(CAST).map(row).collect();
    page.table(&header, &rows, &[2, 3, 5, 6], &[0]);
    if statistics.characters.len() > CAST {
        page.say(0, FAINT, "review-more", &[("count", (statistics.characters.len() - CAST).into())]);
    }
}

/// Formats the first and last of some chapters.
fn range(chapters: &[u32]) -> String {
    match chapters {
        [] => String::new(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first}–{last}"),
    }
}
