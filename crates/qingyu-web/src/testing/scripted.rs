//! A search engine and a reader with scripted answers.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use futures::future::BoxFuture;

use crate::{Error, PageImprint, PageReader, Query, WebHit, WebPage, WebSearchEngine};

/// An engine with a table of answers, recording its queries.
#[derive(Debug, Default)]
pub struct ScriptedSearch {
    answers: BTreeMap<String, Result<Vec<WebHit>, Error>>,
    otherwise: Vec<WebHit>,
    asked: Mutex<Vec<Query>>,
}

impl ScriptedSearch {
    /// Returns an engine that answers every query with `hits`, truncated to the query's limit.
    pub fn new(hits: Vec<WebHit>) -> Self {
        Self { otherwise: hits, ..Self::default() }
    }

    /// Overrides the answer for `words`.
    #[must_use]
    pub fn on(mut self, words: &str, answer: Result<Vec<WebHit>, Error>) -> Self {
        self.answers.insert(words.to_owned(), answer);
        self
    }

    /// Returns the queries so far, in order.
    pub fn asked(&self) -> Vec<Query> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl WebSearchEngine for ScriptedSearch {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<WebHit>, Error>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(query.clone());
        let answer = self.answers.get(&query.words).cloned().unwrap_or_else(|| Ok(self.otherwise.clone()));
        let answer = answer.map(|hits| hits.into_iter().take(query.limit).collect());
        Box::pin(std::future::ready(answer))
    }
}

/// A reader with a table of answers, recording its requests. An unknown address returns 404.
#[derive(Debug, Default)]
pub struct ScriptedReader {
    answers: BTreeMap<String, Result<WebPage, Error>>,
    asked: Mutex<Vec<String>>,
}

impl ScriptedReader {
    /// Returns a reader with an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Inserts a page with the given title and text at `url`.
    #[must_use]
    pub fn page(self, url: &str, title: &str, text: &str) -> Self {
        let page = WebPage {
            read_at: "2026-01-01T00:00:00Z".into(),
            url: url.to_owned(),
            asked: url.to_owned(),
            title: title.to_owned(),
            text: text.to_owned(),
            language: None,
            bytes: text.len() as u64,
            millis: 1,
            is_cut: false,
            imprint: PageImprint::default(),
        };
        self.on(url, Ok(page))
    }

    /// Sets the imprint of the page at `url`.
    #[must_use]
    pub fn signed(mut self, url: &str, imprint: PageImprint) -> Self {
        if let Some(Ok(page)) = self.answers.get_mut(url) {
            page.imprint = imprint;
        }
        self
    }

    /// Inserts `answer` at `url`.
    #[must_use]
    pub fn on(mut self, url: &str, answer: Result<WebPage, Error>) -> Self {
        self.answers.insert(url.to_owned(), answer);
        self
    }

    /// Returns the requested addresses so far, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl PageReader for ScriptedReader {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<WebPage, Error>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(url.to_owned());
        let answer = self.answers.get(url).cloned().unwrap_or(Err(Error::HttpStatus { status: 404 }));
        Box::pin(std::future::ready(answer))
    }
}
