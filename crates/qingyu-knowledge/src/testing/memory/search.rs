use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use qingyu_story::Story;

use crate::embed::LexicalEmbedder;
use crate::engine::{Error, IndexChanges, Scope, SearchEngine, UnembeddedChunk, check_values, keeps_vectors};
use crate::{Chunk, Hit, MemoryIndex, Query, Source};

/// An in-memory search engine with an index per project.
#[derive(Debug, Default)]
pub struct MemorySearch(Mutex<BTreeMap<Scope, StoredIndex>>);

#[derive(Debug, Default)]
struct StoredIndex {
    sources: BTreeMap<Source, Pieces>,
    /// The last number issued; never reused.
    numbers: i64,
    /// For each model, the vectors by the numbers of their chunks.
    vectors: BTreeMap<String, BTreeMap<i64, Vec<f32>>>,
    /// The index, built lazily for a search.
    index: Option<Arc<MemoryIndex>>,
}

#[derive(Debug, Default)]
struct Pieces {
    fingerprint: i64,
    chunks: Vec<(i64, Chunk)>,
}

impl MemorySearch {
    fn change<T>(&self, scope: &Scope, change: impl FnOnce(&mut StoredIndex) -> T) -> T {
        change(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(scope.clone()).or_default())
    }
}

impl SearchEngine for MemorySearch {
    fn sync<'a>(&'a self, scope: &'a Scope, story: &'a Story) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.change(scope, |kept| kept.sync(story));
            Ok(())
        })
    }

    fn search<'a>(&'a self, scope: &'a Scope, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, Error>> {
        Box::pin(async move {
            let index = self.change(scope, StoredIndex::index);
            Ok(index.search(query))
        })
    }

    fn unembedded<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<UnembeddedChunk>, Error>> {
        Box::pin(async move { Ok(self.change(scope, |kept| kept.unembedded(model, limit))) })
    }

    fn put_vectors<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        vectors: Vec<(i64, Vec<f32>)>,
    ) -> BoxFuture<'a, Result<usize, Error>> {
        Box::pin(async move { self.change(scope, |kept| kept.put_vectors(model, vectors)) })
    }

    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.change(scope, |kept| *kept = StoredIndex { numbers: kept.numbers, ..StoredIndex::default() });
            Ok(())
        })
    }
}

impl StoredIndex {
    fn sync(&mut self, story: &Story) {
        let known = self.sources.iter().map(|(source, pieces)| (source.clone(), pieces.fingerprint)).collect();
        let changes = IndexChanges::between(known, story);
        if changes.is_empty() {
            return;
        }
        for source in &changes.remove {
            self.sources.remove(source);
        }
        for indexed in changes.put {
            let before = self.sources.remove(&indexed.source).unwrap_or_default().chunks;
            let number = |now: Chunk| {
                let same = before.iter().find(|(_, before)| before.part == now.part && keeps_vectors(before, &now));
                let number = same.map_or_else(
                    || {
                        self.numbers += 1;
                        self.numbers
                    },
                    |(number, _)| *number,
                );
                (number, now)
            };
            let chunks = indexed.chunks.into_iter().map(number).collect();
            self.sources.insert(indexed.source, Pieces { fingerprint: indexed.fingerprint, chunks });
        }
        let numbers: BTreeSet<i64> = self.chunks().map(|(number, _)| *number).collect();
        self.vectors.values_mut().for_each(|vectors| vectors.retain(|number, _| numbers.contains(number)));
        self.index = None;
    }

    fn chunks(&self) -> impl Iterator<Item = &(i64, Chunk)> {
        self.sources.values().flat_map(|pieces| &pieces.chunks)
    }

    fn index(&mut self) -> Arc<MemoryIndex> {
        if let Some(index) = &self.index {
            return Arc::clone(index);
        }
        let mut index = MemoryIndex::new(self.chunks().map(|(_, chunk)| chunk.clone()).collect());
        for (model, vectors) in &self.vectors {
            // The index has the same order of chunks: by source and part.
            index.put_vectors(model, self.chunks().map(|(number, _)| vectors.get(number).cloned()).collect());
        }
        let index = Arc::new(index);
        self.index = Some(Arc::clone(&index));
        index
    }

    fn unembedded(&self, model: &str, limit: usize) -> Vec<UnembeddedChunk> {
        let has = |number: &i64| self.vectors.get(model).is_some_and(|vectors| vectors.contains_key(number));
        let waiting = self.chunks().filter(|(number, _)| model != LexicalEmbedder::NAME && !has(number));
        let chunk = |(number, chunk): &(i64, Chunk)| UnembeddedChunk { number: *number, text: chunk.embedded() };
        waiting.take(limit).map(chunk).collect()
    }

    fn put_vectors(&mut self, model: &str, vectors: Vec<(i64, Vec<f32>)>) -> Result<usize, Error> {
        let kept = self.vectors.get(model).and_then(|vectors| vectors.values().next()).map(Vec::len);
        check_values(model, kept, vectors.iter().map(|(_, values)| values.as_slice()))?;
        let numbers: BTreeSet<i64> = self.chunks().map(|(number, _)| *number).collect();
        let known: Vec<_> = vectors.into_iter().filter(|(number, _)| numbers.contains(number)).collect();
        let count = known.len();
        let of_model = self.vectors.entry(model.to_owned()).or_default();
        of_model.extend(known.into_iter().map(|(number, values)| (number, crate::vector::normalised(values))));
        self.index = None;
        Ok(count)
    }
}
