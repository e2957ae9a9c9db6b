//! Hits as numbered passages within a budget of tokens, each with a citation.
//!
//! Passages are data: a caller that passes them to a model fences them and says so. A citation names the document, the
//! version and the bytes, so that the quoted words can be verified.

use std::collections::BTreeSet;
use std::ops::Range;

use qingyu_story::Story;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::telling::{Telling, Tellings};
use crate::{Chunk, Hit, SeriesBook, Source};

/// A passage that is shown, and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Passage {
    /// What it is cited by, from 1.
    pub number: usize,
    /// Where it stands.
    pub citation: Citation,
    /// What stands over it: the title and place of prose, the name of a card.
    pub heading: String,
    /// Its words. They are data, whatever they say.
    pub text: String,
    /// What it costs, heading included.
    pub tokens: u64,
    /// Whether it is told in the text or planned.
    #[serde(default)]
    pub telling: Telling,
    /// The paragraph of the document in which it begins, from 1; blank lines are none. None for cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paragraph: Option<usize>,
    /// Words in it that speak to a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspicious: Option<String>,
    /// The earlier book of the series that it is from; none for the book that was asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<SeriesBook>,
}

/// Where a passage stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    /// The piece.
    pub source: Source,
    /// Its name or title.
    pub name: String,
    /// The version of the document; 0 for cards.
    pub version: u32,
    /// The bytes of the document's text; none for cards, which are cited whole.
    pub range: Option<Range<usize>>,
}

impl Citation {
    fn of(chunk: &Chunk) -> Self {
        let name = chunk.title().to_owned();
        Self { source: chunk.source.clone(), name, version: chunk.version, range: chunk.range.clone() }
    }
}

impl Passage {
    /// Sets whether the passage is told or planned, and its paragraph in the document.
    pub fn locate(&mut self, story: &Story, tellings: &Tellings<'_>) {
        let Citation { source, range, .. } = &self.citation;
        self.telling = tellings.piece(source.kind, &source.id);
        let document = story.documents.iter().find(|document| document.id == source.id);
        self.paragraph = document.zip(range.as_ref()).and_then(|(document, range)| document.paragraph_at(range.start));
    }
}

/// Returns passages of `hits`, not yet located in the story, within a total of `budget` tokens, best first; `count`
/// returns the tokens of a text.
///
/// A passage over the budget is left out whole, and a later passage may still fit. Consecutive parts of one document
/// become one passage, with the number of the better part. The second value is the number of hits left out.
pub fn within(hits: &[Hit], budget: u64, count: impl Fn(&str) -> u64) -> (Vec<Passage>, usize) {
    let mut passages: Vec<Passage> = Vec::new();
    let mut shown: BTreeSet<(Option<&str>, &Source, u32)> = BTreeSet::new();
    let (mut spent, mut left_out) = (0, 0);
    for hit in hits {
        let chunk = &hit.chunk;
        let book = hit.book.as_ref().map(|book| book.project.as_str());
        if !shown.insert((book, &chunk.source, chunk.part)) {
            continue;
        }
        let own = own_text(chunk);
        let neighbour = passages.iter_mut().find_map(|passage| Some((joint(passage, hit)?, passage)));
        if let Some((is_before, passage)) = neighbour {
            let text = if is_before { format!("{own}{}", passage.text) } else { format!("{}{own}", passage.text) };
            // The heading is that of the beginning, whose place may have been left by the end.
            let heading = if is_before { heading(chunk, &passage.citation.name) } else { passage.heading.clone() };
            let tokens = count(&heading) + count(&text);
            if spent - passage.tokens + tokens > budget {
                left_out += 1;
                continue;
            }
            spent = spent - passage.tokens + tokens;
            let (Some(range), Some(more)) = (&mut passage.citation.range, &chunk.range) else { continue };
            *range = range.start.min(more.start)..range.end.max(more.end);
            passage.suspicious = passage.suspicious.take().or_else(|| hit.suspicious.clone());
            (passage.heading, passage.text, passage.tokens) = (heading, text, tokens);
            continue;
        }
        let citation = Citation::of(chunk);
        let heading = heading(chunk, &citation.name);
        let tokens = count(&heading) + count(own);
        if spent + tokens > budget {
            left_out += 1;
            continue;
        }
        spent += tokens;
        let (number, suspicious) = (passages.len() + 1, hit.suspicious.clone());
        let (text, telling, book) = (own.to_owned(), Telling::default(), hit.book.clone());
        passages.push(Passage { number, citation, heading, text, tokens, telling, paragraph: None, suspicious, book });
    }
    (passages, left_out)
}

/// Returns the heading of a passage: of prose the title, place and cast; of a card the name and chapter.
fn heading(chunk: &Chunk, name: &str) -> String {
    match chunk.heading.as_str() {
        "" => name.to_owned(),
        heading if chunk.range.is_some() || heading == name => heading.to_owned(),
        heading => format!("{name} · {heading}"),
    }
}

/// Returns the text of a chunk without the overlap with the chunk before.
fn own_text(chunk: &Chunk) -> &str {
    let own = chunk.range.as_ref().map_or(chunk.text.len(), |range| range.end - range.start);
    let start = chunk.text.len().saturating_sub(own);
    chunk.text.get(start..).unwrap_or(&chunk.text)
}

/// Returns whether the hit is right before (`true`) or right after (`false`) a passage of the same document.
fn joint(passage: &Passage, hit: &Hit) -> Option<bool> {
    let Hit { chunk, book, .. } = hit;
    let (one, other) = (passage.citation.range.as_ref()?, chunk.range.as_ref()?);
    if passage.book != *book || passage.citation.source != chunk.source || passage.citation.version != chunk.version {
        return None;
    }
    if other.end == one.start {
        return Some(true);
    }
    (one.end == other.start).then_some(false)
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Character, Document};

    use super::*;
    use crate::{MemoryIndex, Query, chunk};

    fn story() -> Story {
        let text = "林深在旧港捡到芯片。".repeat(120);
        let document = |id: &str, text: &str| Document {
            id: id.into(),
            title: id.into(),
            order: 1,
            version: 3,
            text: text.into(),
            ..Document::default()
        };
        Story {
            characters: vec![Character { id: "c-1".into(), name: "林深".into(), ..Character::default() }],
            documents: vec![document("d-1", &text), document("d-2", "苏曼把芯片还给了他。")],
            ..Story::default()
        }
    }

    fn found(budget: u64) -> (Vec<Passage>, usize) {
        let index = MemoryIndex::new(chunk::of(&story()));
        let hits = index.search(&Query { limit: 50, ..Query::new("旧港 芯片 林深") });
        within(&hits, budget, |text| text.chars().count() as u64)
    }

    #[test]
    fn a_passage_is_located_by_its_paragraph() {
        let mut story = story();
        story.documents[0].text = "雨。\n\n门开了。林深走了进来。\n灯灭了。".into();
        let text = story.documents[0].text.clone();
        let (mut passages, _) = found(5_000);
        let passage = passages.iter_mut().find(|passage| passage.citation.source.id == "d-1").unwrap();
        let mut paragraph = |words: &str| {
            let begin = text.find(words).unwrap();
            passage.citation.range = Some(begin..begin + words.len());
            passage.locate(&story, &Tellings::of(&story));
            passage.paragraph
        };
        assert_eq!(["雨", "门", "林深", "灯"].map(&mut paragraph), [Some(1), Some(2), Some(2), Some(3)]);
        passage.citation.range = None;
        passage.locate(&story, &Tellings::of(&story));
        assert_eq!(passage.paragraph, None);
    }

    #[test]
    fn passages_stay_within_the_budget_and_cite_their_words() {
        let story = story();
        for budget in [0, 10, 30, 200, 500, 5_000] {
            let (passages, _) = found(budget);
            assert!(passages.iter().map(|passage| passage.tokens).sum::<u64>() <= budget);
            for (number, passage) in (1..).zip(&passages) {
                assert_eq!(passage.number, number);
                let Citation { source, range: Some(range), .. } = &passage.citation else { continue };
                let document = story.documents.iter().find(|document| document.id == source.id).unwrap();
                assert_eq!(document.text.get(range.clone()), Some(passage.text.as_str()));
            }
        }
        assert_eq!(found(0), (Vec::new(), found(0).1));
        assert!(found(0).1 > 3 && found(5_000).1 == 0);
    }

    #[test]
    fn parts_that_follow_each_other_are_one_passage() {
        let (passages, _) = found(5_000);
        let whole: Vec<_> = passages.iter().filter(|passage| passage.citation.source.id == "d-1").collect();
        assert_eq!(whole.len(), 1, "{whole:#?}");
        assert_eq!(whole[0].citation.range, Some(0..story().documents[0].text.len()));
    }

    #[test]
    fn documents_of_two_books_with_one_id_stay_apart() {
        let index = MemoryIndex::new(chunk::of(&story()));
        let own = index.search(&Query { limit: 50, ..Query::new("旧港 芯片 林深") });
        let book = Some(SeriesBook { project: "p-1".into(), title: "潮声".into() });
        let theirs = own.iter().map(|hit| Hit { book: book.clone(), ..hit.clone() });
        let hits: Vec<Hit> = own.iter().cloned().zip(theirs).flat_map(|(own, other)| [own, other]).collect();
        let (passages, left_out) = within(&hits, 50_000, |text| text.chars().count() as u64);
        let (alone, _) = found(50_000);
        let of_book = passages.iter().filter(|passage| passage.book == book).count();
        assert_eq!((of_book, passages.len(), left_out), (alone.len(), 2 * alone.len(), 0));
    }
}
