//! The ends of books, read once per version.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use qingyu_story::EarlierBook;

/// Maximum number of books in the cache.
const MAX_BOOKS: usize = 64;

/// The ends of books before others, by project and version. They are the same for all users with access.
#[derive(Debug, Default)]
pub(crate) struct EndCache(Mutex<BTreeMap<String, (u64, EarlierBook)>>);

impl EndCache {
    /// Returns the end of a project at a version.
    pub(crate) fn get(&self, project: &str, version: u64) -> Option<EarlierBook> {
        let books = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        books.get(project).filter(|(known, _)| *known == version).map(|(_, book)| book.clone())
    }

    /// Stores the end of a project at a version.
    pub(crate) fn put(&self, project: &str, version: u64, book: EarlierBook) {
        let mut books = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if books.len() >= MAX_BOOKS && !books.contains_key(project) {
            books.clear();
        }
        books.insert(project.to_owned(), (version, book));
    }
}
