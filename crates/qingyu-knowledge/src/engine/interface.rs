//! The traits of engines, with the values they take and return.

use std::fmt::Debug;

use futures::future::BoxFuture;
use qingyu_story::Story;
use serde::{Deserialize, Serialize};

use super::error::Error;
use crate::chunk::Source;
use crate::filter::{Fields, Filter};
use crate::graph::StoryGraph;
use crate::pattern::{self, Name};
use crate::search::{Hit, Neighbour, Query};

/// The owner of rows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The user.
    pub user: String,
    /// The project, unique per user.
    pub project: String,
}

impl Scope {
    /// Returns the scope of a user's project.
    pub fn new(user: &str, project: &str) -> Self {
        Self { user: user.into(), project: project.into() }
    }
}

/// An engine for search by words and vectors.
///
/// After any changes the hits and scores equal the hits of a [`MemoryIndex`](crate::MemoryIndex) of the same story.
pub trait SearchEngine: Send + Sync + Debug {
    /// Updates the index of `scope` to `story`. Only changes are indexed again.
    ///
    /// A concurrent search sees either the whole old or the whole new index. After an error, or if the future is
    /// dropped, the old index remains.
    fn sync<'a>(&'a self, scope: &'a Scope, story: &'a Story) -> BoxFuture<'a, Result<(), Error>>;

    /// Returns the best hits for `query`, best first, with reasons; empty if `scope` has no index.
    fn search<'a>(&'a self, scope: &'a Scope, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, Error>>;

    /// Returns the chunks without a vector of `model`, at most `limit`.
    fn unembedded<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<UnembeddedChunk>, Error>>;

    /// Stores vectors of `model`, by the numbers of their chunks, normalised to length 1; returns the number stored.
    /// Vectors of chunks changed since are ignored.
    ///
    /// Fails with [`Error::Dimensions`], and stores nothing, if vectors of the model have another length in `scope`.
    fn put_vectors<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        vectors: Vec<(i64, Vec<f32>)>,
    ) -> BoxFuture<'a, Result<usize, Error>>;

    /// Deletes all data of `scope`.
    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>>;
}

/// A chunk without a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnembeddedChunk {
    /// The number of the chunk; a changed chunk gets another number.
    pub number: i64,
    /// The text to be embedded.
    pub text: String,
}

/// An engine for nearest vectors.
pub trait VectorEngine: Send + Sync + Debug {
    /// Replaces all vectors of `model` for the sources of `points`; vectors are normalised to length 1.
    ///
    /// An interrupted call may be retried. Fails with [`Error::Dimensions`] if vectors of the model have another
    /// length, and with [`Error::NotFinite`]; nothing is changed then.
    fn put<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        points: &'a [VectorPoint],
    ) -> BoxFuture<'a, Result<(), Error>>;

    /// Removes the vectors of the sources, for all models.
    fn remove<'a>(&'a self, scope: &'a Scope, sources: &'a [Source]) -> BoxFuture<'a, Result<(), Error>>;

    /// Deletes all data of `scope`.
    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>>;

    /// Returns the points with the highest cosine that match the filter, best first. The order of equal points, and
    /// which of them fit the limit, is up to the engine.
    ///
    /// Fails with [`Error::Dimensions`], and with [`Error::Unsupported`] for a filter that the engine cannot express:
    /// filters are never applied afterwards.
    fn near<'a>(&'a self, scope: &'a Scope, near: &'a VectorQuery) -> BoxFuture<'a, Result<Vec<Neighbour>, Error>>;
}

/// A chunk as a vector.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorPoint {
    /// The source of the chunk.
    pub source: Source,
    /// The index of the chunk in the piece.
    pub part: u32,
    /// The fields for filters.
    pub fields: Fields,
    /// The vector.
    pub vector: Vec<f32>,
}

/// A query for nearest vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorQuery {
    /// The name of the embedder. Vectors of other embedders are ignored.
    pub model: String,
    /// The query vector.
    pub vector: Vec<f32>,
    /// The filter, applied before scoring; `None` by default.
    pub filter: Option<Filter>,
    /// The maximum number of results.
    pub limit: usize,
}

/// An engine for graph patterns.
pub trait GraphEngine: Send + Sync + Debug {
    /// Replaces the graph of `scope`, atomically.
    fn put<'a>(&'a self, scope: &'a Scope, graph: &'a StoryGraph) -> BoxFuture<'a, Result<(), Error>>;

    /// Returns the answer of the query in the stored graph. `graph` is the same graph: names are looked up there, for
    /// the rows do not contain the aliases of a story.
    ///
    /// Fails with [`Error::Pattern`] if the query is invalid.
    fn ask<'a>(
        &'a self,
        scope: &'a Scope,
        graph: &'a StoryGraph,
        query: &'a pattern::Query,
    ) -> BoxFuture<'a, Result<PatternAnswer, Error>>;

    /// Deletes all data of `scope`.
    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>>;
}

/// The answer to a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PatternAnswer {
    /// The variables.
    pub columns: Vec<Name>,
    /// The [keys](StoryGraph::keys) of the nodes, by column, without duplicate rows. Without columns, one row if the
    /// pattern matches at all.
    pub rows: Vec<Vec<String>>,
}
