//! A search and a reader that answer from a table.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use futures::future::BoxFuture;

use crate::{Error, Hit, Page, Query, Reader, Search};

/// An engine that answers from a table, and remembers what it was asked.
#[derive(Debug, Default)]
pub struct ScriptedSearch {
    answers: BTreeMap<String, Result<Vec<Hit>, Error>>,
    otherwise: Vec<Hit>,
    asked: Mutex<Vec<Query>>,
}

impl ScriptedSearch {
    /// Answers every question with `hits`, cut to the limit that is asked for.
    pub fn new(hits: Vec<Hit>) -> Self {
        Self { otherwise: hits, ..Self::default() }
    }

    /// Answers `words` with `answer` instead.
    #[must_use]
    pub fn on(mut self, words: &str, answer: Result<Vec<Hit>, Error>) -> Self {
        self.answers.insert(words.to_owned(), answer);
        self
    }

    /// What was asked so far, in order.
    pub fn asked(&self) -> Vec<Query> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Search for ScriptedSearch {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, Error>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(query.clone());
        let answer = self.answers.get(&query.words).cloned().unwrap_or_else(|| Ok(self.otherwise.clone()));
        let answer = answer.map(|hits| hits.into_iter().take(query.limit).collect());
        Box::pin(std::future::ready(answer))
    }
}

/// A reader that answers from a table, and remembers what it was asked. An address that is not in it answers 404.
#[derive(Debug, Default)]
pub struct ScriptedReader {
    answers: BTreeMap<String, Result<Page, Error>>,
    asked: Mutex<Vec<String>>,
}

impl ScriptedReader {
    /// A reader with an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds a page of this title and text at `url`.
    #[must_use]
    pub fn page(self, url: &str, title: &str, text: &str) -> Self {
        let page = Page {
            read_at: "2026-01-01T00:00:00Z".into(),
            url: url.to_owned(),
            asked: url.to_owned(),
            title: title.to_owned(),
            text: text.to_owned(),
            language: None,
            bytes: text.len() as u64,
            millis: 1,
            is_cut: false,
        };
        self.on(url, Ok(page))
    }

    /// Answers `url` with `answer`.
    #[must_use]
    pub fn on(mut self, url: &str, answer: Result<Page, Error>) -> Self {
        self.answers.insert(url.to_owned(), answer);
        self
    }

    /// Which addresses were asked for so far, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Reader for ScriptedReader {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Page, Error>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(url.to_owned());
        let answer = self.answers.get(url).cloned().unwrap_or(Err(Error::HttpStatus { status: 404 }));
        Box::pin(std::future::ready(answer))
    }
}
