//! Search in the earlier books of a series.

use std::collections::VecDeque;

use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_knowledge::recall::QuestionAnalysis;
use qingyu_knowledge::{Hit, Query, QueryVector, SeriesBook};
use qingyu_store::Project;
use qingyu_story::Language;

use crate::error::Error;
use crate::search::index::{FoundHits, ProjectIndex, QueryEmbedder};
use crate::studio::Studio;

/// An earlier book with its loaded story and graph.
pub(super) struct EarlierIndex {
    pub(super) book: SeriesBook,
    pub(super) library: ProjectIndex,
}

/// A question to earlier books.
pub(super) struct SeriesQuestion<'a> {
    text: &'a str,
    /// Further words to search for, with a blank before them.
    more: &'a str,
    /// The query to the book itself.
    query: &'a Query,
    /// The vectors of the question, one for each embedder: books with the same embedder pay for one.
    vectors: Vec<QueryVector>,
}

impl<'a> SeriesQuestion<'a> {
    /// Returns the question `text` with further words to search for, which begin with a blank; `query` is that to the book
    /// itself, with the vector of the same text.
    pub(super) fn new(text: &'a str, more: &'a str, query: &'a Query) -> Self {
        Self { text, more, query, vectors: query.vector.iter().cloned().collect() }
    }

    async fn vector(&mut self, embedder: &QueryEmbedder) -> Result<Option<QueryVector>, Error> {
        if let Some(known) = self.vectors.iter().find(|known| known.model == embedder.embedder.name()) {
            return Ok(Some(known.clone()));
        }
        let vector = embedder.of(self.text).await?;
        self.vectors.extend(vector.clone());
        Ok(vector)
    }
}

impl Studio {
    /// Returns the earlier books of a project that the caller may read, the latest first.
    ///
    /// With `is_cut`, only content before a chapter counts: books that are past when the project begins, and those wholly.
    pub(super) async fn earlier_indexes(&self, project: &str, is_cut: bool) -> Result<Vec<EarlierIndex>, Error> {
        let mut indexes = Vec::new();
        for (Project { id, title, .. }, is_past) in self.readable_books(project).await?.into_iter().rev() {
            if is_past || !is_cut {
                let library = self.library(&id).await?;
                indexes.push(EarlierIndex { book: SeriesBook { project: id, title }, library });
            }
        }
        Ok(indexes)
    }

    /// Returns the hits in an earlier book. Its own names and graph parse the question. A hit that only vectors of words
    /// found is left out: in any book something is nearest.
    pub(super) async fn hits_in(
        &self,
        earlier: &EarlierIndex,
        asked: &mut SeriesQuestion<'_>,
    ) -> Result<FoundHits, Error> {
        let EarlierIndex { book, library } = earlier;
        let understood = QuestionAnalysis::of(asked.text, &library.graph);
        let vectors = self.vectors(&library.project).await?;
        let query = Query {
            text: format!("{}{}", understood.words, asked.more),
            vector: asked.vector(&vectors).await?,
            before: None,
            told: Vec::new(),
            focus: None,
            ..asked.query.clone()
        };
        let (pattern, rank) = (understood.reading.query.as_ref(), understood.reading.rank.as_ref());
        let FoundHits { mut hits, engines } = self.find_hits(library, &vectors, &query, pattern, rank).await?;
        let is_lexical = vectors.embedder.name() == LexicalEmbedder::NAME;
        hits.retain(|hit| !is_lexical || hit.keyword.is_some() || hit.way.is_some());
        for hit in &mut hits {
            hit.book = Some(book.clone());
        }
        Ok(FoundHits { hits, engines })
    }
}

/// Merges hits of several books, each in its order: the better first, of equal ones that of the earlier list. Returns at
/// most `limit` hits.
pub(super) fn merged(lists: Vec<Vec<Hit>>, limit: usize) -> Vec<Hit> {
    let mut lists: Vec<VecDeque<Hit>> = lists.into_iter().map(VecDeque::from).collect();
    let mut merged = Vec::new();
    while merged.len() < limit {
        let heads = lists.iter().enumerate().filter_map(|(at, list)| Some((at, list.front()?.score)));
        let Some((at, _)) = heads.reduce(|best, next| if next.1 > best.1 { next } else { best }) else { break };
        merged.extend(lists[at].pop_front());
    }
    merged
}

/// Returns a heading with the title of the earlier book that it is in.
pub(super) fn titled(heading: &str, book: Option<&SeriesBook>, language: Language) -> String {
    match (book, language) {
        (None, _) => heading.to_owned(),
        (Some(book), Language::Zh) => format!("《{}》{heading}", book.title),
        (Some(book), Language::En) => format!("“{}” · {heading}", book.title),
    }
}

#[cfg(test)]
mod tests {
    use qingyu_knowledge::{MemoryIndex, chunk};
    use qingyu_story::{Document, Story};

    use super::*;

    #[test]
    fn books_are_merged_by_score_and_keep_their_own_order() {
        let document = Document { id: "d-1".into(), text: "雾钟响了。".into(), ..Document::default() };
        let story = Story { documents: vec![document], ..Story::default() };
        let hit = MemoryIndex::new(chunk::of(&story)).search(&Query::new("雾钟")).remove(0);
        let list = |title: &str, scores: &[f64]| -> Vec<Hit> {
            let book = Some(SeriesBook { project: title.into(), title: title.into() });
            scores.iter().map(|score| Hit { score: *score, book: book.clone(), ..hit.clone() }).collect()
        };
        let order = |lists: Vec<Vec<Hit>>, limit: usize| -> Vec<(String, f64)> {
            let hits = merged(lists, limit).into_iter();
            hits.map(|hit| (hit.book.map(|book| book.title).unwrap_or_default(), hit.score)).collect()
        };
        let told_first = list("own", &[0.8, 0.9, 0.1]);
        let lists = vec![told_first, list("late", &[0.8, 0.2]), list("early", &[0.3])];
        let own = |score| ("own".to_owned(), score);
        let all = order(lists.clone(), 9);
        let expected =
            [own(0.8), own(0.9), ("late".into(), 0.8), ("early".into(), 0.3), ("late".into(), 0.2), own(0.1)];
        assert_eq!(all, expected);
        assert_eq!(order(lists, 2), expected[..2]);
        assert_eq!(order(Vec::new(), 2), []);
    }

    #[test]
    fn a_heading_of_an_earlier_book_begins_with_its_title() {
        let book = SeriesBook { project: "p-1".into(), title: "潮声".into() };
        assert_eq!(titled("第一章", Some(&book), Language::Zh), "《潮声》第一章");
        assert_eq!(titled("Chapter 1", Some(&book), Language::En), "“潮声” · Chapter 1");
        assert_eq!(titled("第一章", None, Language::Zh), "第一章");
    }
}
