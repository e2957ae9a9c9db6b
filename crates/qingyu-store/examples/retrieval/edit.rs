//! The cost of a save in a long book.
//!
//! The text consists of random common characters in sentences, so that pairs are about as rare as in prose.

use qingyu_knowledge::Query;
use qingyu_store::change;
use qingyu_story::{Character, Document, Story};
use serde_json::{Value, json};

use crate::book::{self, SampleBook};
use crate::clock::{milliseconds, summary};

const NAMES: [&str; 6] = ["林深", "苏曼", "沈策", "顾长安", "叶知秋", "陆沉舟"];

pub(crate) async fn measure(chapters: usize, characters: usize, edits: usize) -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    let mut book = SampleBook::new(&book::database(&folder).await?).await?;
    let mut story = story(chapters, characters);
    book.save(book::all_of(&story)).await?;
    let mut saves = Vec::new();
    let mut searches = Vec::new();
    for edit in 0..edits {
        let before = story.clone();
        story.documents[edit * chapters / edits].text.push_str("他把灯吹灭了。");
        let changes = change::difference(&before, &story);
        let start = milliseconds();
        book.save(changes).await?;
        saves.push(milliseconds() - start);
        let start = milliseconds();
        book.search.search(&book.project, Query::new("灯吹灭了")).await?;
        searches.push(milliseconds() - start);
    }
    let bytes: usize = story.documents.iter().map(|document| document.text.len()).sum();
    Ok(json!({"megabytes": bytes as f64 / 1e6, "save": summary(saves), "search_after": summary(searches)}))
}

fn story(chapters: usize, length: usize) -> Story {
    let mut numbers = EditTimings(7);
    let card =
        |(at, name): (usize, &&str)| Character { id: format!("c-{at}"), name: (*name).into(), ..Character::default() };
    let chapter = |at: usize| Document {
        id: format!("d-{at}"),
        title: format!("第{at}章"),
        order: at as u32,
        version: 1,
        text: prose(&mut numbers, length),
        ..Document::default()
    };
    Story {
        characters: NAMES.iter().enumerate().map(card).collect(),
        documents: (1..=chapters).map(chapter).collect(),
        ..Story::default()
    }
}

fn prose(numbers: &mut EditTimings, length: usize) -> String {
    let mut text = String::new();
    let mut count = 0;
    while count < length {
        if numbers.below(4) == 0 {
            text.push_str(NAMES[numbers.below(NAMES.len())]);
        }
        let sentence = 6 + numbers.below(18);
        text.extend((0..sentence).filter_map(|_| char::from_u32(0x4e00 + numbers.skewed(3_000) as u32)));
        text.push(if numbers.below(3) == 0 { '，' } else { '。' });
        if numbers.below(8) == 0 {
            text.push('\n');
        }
        count += sentence + 1;
    }
    text
}

/// A deterministic pseudorandom number generator.
struct EditTimings(u64);

impl EditTimings {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// Returns small numbers more often than large numbers, like word frequencies.
    fn skewed(&mut self, end: usize) -> usize {
        let (a, b) = (self.below(end), self.below(end));
        a * b / end
    }
}
