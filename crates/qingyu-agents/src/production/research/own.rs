//! Passages of the project's own documents, as sources beside the web.

use std::collections::BTreeMap;

use qingyu_graph::NodeError;
use qingyu_knowledge::{Chunk, MemoryIndex, Query, Source};
use qingyu_production::topic::terms;
use qingyu_story::digest::sha256;
use qingyu_story::{Document, Language, PieceKind, Story};

use super::hits::weight;
use super::pages::ResearchPage;
use super::request::ResearchRequest;
use crate::call::CallContext;

/// Maximum number of passages of own documents in a research.
const MOST: usize = 6;
/// Characters after which a passage ends with its paragraph.
const LENGTH: usize = 1_500;

/// Returns the passages of the documents beside the book that concern the question, the best first, as a stored step.
pub(super) async fn passages(
    seat: &CallContext<'_>,
    story: &Story,
    queries: &[String],
    asked: &ResearchRequest,
) -> Result<Vec<ResearchPage>, NodeError> {
    let words: Vec<String> = queries.iter().chain([&asked.question]).cloned().collect();
    let run = || async { Ok::<_, crate::Error>(found(&story.documents, &words, asked)) };
    seat.context.step("own", &words, run).await
}

/// Returns whether a project has documents of its own beside the book.
pub(super) fn has_documents(story: &Story) -> bool {
    story.documents.iter().any(is_own)
}

fn is_own(document: &Document) -> bool {
    document.order == 0 && !document.text.trim().is_empty()
}

fn found(documents: &[Document], queries: &[String], asked: &ResearchRequest) -> Vec<ResearchPage> {
    let mut passages: Vec<ResearchPage> = Vec::new();
    let mut chunks = Vec::new();
    for document in documents.iter().filter(|document| is_own(document)) {
        for passage in split(document, asked.language) {
            chunks.push(Chunk {
                source: Source { kind: PieceKind::Document, id: passage.url.clone() },
                part: 0,
                version: document.version,
                range: None,
                text: passage.text.clone(),
                heading: passage.title.clone(),
                fields: Default::default(),
            });
            passages.push(passage);
        }
    }
    let index = MemoryIndex::new(chunks);
    let most = MOST.min(asked.max_sources);
    let mut scores: BTreeMap<String, f64> = BTreeMap::new();
    for query in queries {
        for (rank, hit) in index.search(&Query { limit: most, ..Query::new(query) }).into_iter().enumerate() {
            *scores.entry(hit.chunk.source.id).or_default() += weight(rank);
        }
    }
    let score = |passage: &ResearchPage| scores.get(&passage.url).copied().unwrap_or_default();
    // The index ranks even what has no word in common.
    let wanted = terms(&queries.join("\n"));
    passages.retain(|passage| score(passage) > 0.0 && !terms(&passage.text).is_disjoint(&wanted));
    passages.sort_by(|one, other| score(other).total_cmp(&score(one)));
    passages.truncate(most);
    passages
}

/// Returns the passages of a document: paragraphs together, up to about a page, each with its place.
fn split(document: &Document, language: Language) -> Vec<ResearchPage> {
    let title = if document.title.trim().is_empty() { &document.id } else { &document.title };
    let mut parts: Vec<(usize, usize, String)> = Vec::new();
    let paragraphs = document.text.lines().map(str::trim).filter(|line| !line.is_empty());
    for (number, paragraph) in (1..).zip(paragraphs) {
        match parts.last_mut().filter(|(_, _, text)| text.chars().count() < LENGTH) {
            Some((_, last, text)) => {
                *last = number;
                text.push('\n');
                text.push_str(paragraph);
            }
            None => parts.push((number, number, paragraph.to_owned())),
        }
    }
    let passage = |(first, last, text): (usize, usize, String)| ResearchPage {
        url: format!("document:{}#{first}-{last}", document.id),
        title: title.trim().to_owned(),
        characters: text.chars().count(),
        digest: sha256(text.as_bytes()),
        place: place(first, last, language),
        text,
        ..ResearchPage::default()
    };
    parts.into_iter().map(passage).collect()
}

fn place(first: usize, last: usize, language: Language) -> String {
    match (language, first == last) {
        (Language::Zh, true) => format!("第 {first} 段"),
        (Language::Zh, false) => format!("第 {first}–{last} 段"),
        (Language::En, true) => format!("paragraph {first}"),
        (Language::En, false) => format!("paragraphs {first}–{last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_of_own_documents_are_found_with_their_place() {
        let filler = |word: &str| format!("{word}。\n").repeat(400);
        let document = |id: &str, order: u32, text: &str| Document {
            id: id.into(),
            title: format!("访谈 {id}"),
            order,
            text: text.into(),
            ..Document::default()
        };
        let documents = [
            document("d-1", 0, &format!("{}图书馆员独自值班，没有整块的时间。\n{}", filler("天气"), filler("饭菜"))),
            document("d-2", 1, "图书馆员独自值班，这是书里的一章。"),
            document("d-3", 0, "  \n"),
        ];
        for (language, place) in [(Language::Zh, "第 "), (Language::En, "paragraphs ")] {
            let asked = ResearchRequest {
                question: "图书馆员什么时候有时间？".into(),
                premise: String::new(),
                rules: Vec::new(),
                language,
                max_queries: 2,
                max_sources: 10,
            };
            let found = found(&documents, std::slice::from_ref(&asked.question), &asked);
            assert!(found[0].text.contains("独自值班") && found.len() <= MOST, "{found:?}");
            assert!(found[0].place.starts_with(place) && found[0].title == "访谈 d-1", "{:?}", found[0].place);
            assert!(found.iter().all(|passage| passage.url.starts_with("document:d-1#")), "a chapter is no source");
        }
    }
}
