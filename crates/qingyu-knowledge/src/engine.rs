//! What an engine for teams has to do: search, vectors, the graph. The engines without a server are here, the others in
//! `qingyu-engines`.
//!
//! Everything belongs to a [`Scope`]: a project of a user. No call sees or changes a row of another scope, whatever
//! the names in it look like. All is derived from the story, so what a server has lost is made again by giving it the
//! story once more.
//!
//! Every engine passes the suite of its trait in [`testing`](crate::testing) (feature `testing`).

mod changes;
mod checks;
mod error;
mod memory;

use std::fmt::Debug;

use futures::future::BoxFuture;
use qingyu_story::Story;
use serde::{Deserialize, Serialize};

pub use changes::{Changes, Indexed, keeps_vectors};
pub use checks::{check_points, check_values, check_vector};
pub use error::Error;
pub use memory::{MemoryGraph, MemorySearch, MemoryVectors};

use crate::filter::Fields;
use crate::pattern::{self, Name};
use crate::{Filter, Hit, Query, Source, StoryGraph};

/// Whose rows they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The user.
    pub user: String,
    /// The project, unique among those of the user.
    pub project: String,
}

impl Scope {
    /// The scope of a project of a user.
    pub fn new(user: &str, project: &str) -> Self {
        Self { user: user.into(), project: project.into() }
    }
}

/// Finds chunks by words and vectors.
///
/// After any changes it gives the hits of a [`MemoryIndex`](crate::MemoryIndex) made of the same story, with the same scores.
pub trait SearchEngine: Send + Sync + Debug {
    /// Makes the index of `scope` that of `story`. What has not changed is not made again.
    ///
    /// Who searches meanwhile finds all of the index before or all of the one after it. If it fails, or is dropped,
    /// the index is the one before.
    fn sync<'a>(&'a self, scope: &'a Scope, story: &'a Story) -> BoxFuture<'a, Result<(), Error>>;

    /// What fits `query` best, best first, with the reasons of each hit. Nothing, if `scope` has no index.
    fn search<'a>(&'a self, scope: &'a Scope, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, Error>>;

    /// Chunks that have no vector of `model`, at most `limit`.
    fn unembedded<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Unembedded>, Error>>;

    /// Keeps vectors of `model`, by the numbers of their chunks, at length 1; gives how many. Those of chunks that have
    /// changed since are left out.
    ///
    /// Fails with [`Error::Dimensions`], and keeps nothing, if vectors of this model have another length in `scope`.
    fn put_vectors<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        vectors: Vec<(i64, Vec<f32>)>,
    ) -> BoxFuture<'a, Result<usize, Error>>;

    /// Removes all that `scope` has.
    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>>;
}

/// A chunk that waits for its vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unembedded {
    /// The chunk; a changed chunk gets another number.
    pub number: i64,
    /// What is to be embedded.
    pub text: String,
}

/// Finds vectors near another one.
pub trait VectorEngine: Send + Sync + Debug {
    /// Puts `points` in the place of all that their sources have of `model`; vectors are kept at length 1.
    ///
    /// Whoever was interrupted may do the same again. Fails with [`Error::Dimensions`] if vectors of this model have
    /// another length, and with [`Error::NotFinite`]; nothing is changed then.
    fn put<'a>(&'a self, scope: &'a Scope, model: &'a str, points: &'a [Point]) -> BoxFuture<'a, Result<(), Error>>;

    /// Removes what sources have, of all models.
    fn remove<'a>(&'a self, scope: &'a Scope, sources: &'a [Source]) -> BoxFuture<'a, Result<(), Error>>;

    /// Removes all that `scope` has.
    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>>;

    /// The points with the highest cosine among those that fit the filter, best first. Which of two equal ones comes
    /// first, and stays within the limit, is the engine's choice.
    ///
    /// Fails with [`Error::Dimensions`], and with [`Error::Unsupported`] for a filter that the engine cannot say: it is
    /// never applied afterwards.
    fn near<'a>(&'a self, scope: &'a Scope, near: &'a Near) -> BoxFuture<'a, Result<Vec<Neighbour>, Error>>;
}

/// A chunk as a vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The piece of the chunk.
    pub source: Source,
    /// Its place among the chunks of the piece.
    pub part: u32,
    /// What filters ask for.
    pub fields: Fields,
    /// Its vector.
    pub vector: Vec<f32>,
}

/// What vectors are sought.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// The name of the embedder. Vectors of another are not looked at.
    pub model: String,
    /// Near to what.
    pub vector: Vec<f32>,
    /// What they must fit. It is applied before anything is scored.
    pub filter: Option<Filter>,
    /// How many at most.
    pub limit: usize,
}

/// A chunk whose vector is near.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    /// The piece of the chunk.
    pub source: Source,
    /// Its place among the chunks of the piece.
    pub part: u32,
    /// The cosine, in `[-1, 1]`.
    pub score: f32,
}

/// Answers patterns.
pub trait GraphEngine: Send + Sync + Debug {
    /// Makes the graph of `scope` this one; all of it or, if it fails, nothing.
    fn put<'a>(&'a self, scope: &'a Scope, graph: &'a StoryGraph) -> BoxFuture<'a, Result<(), Error>>;

    /// What the query finds in the graph that was put. `graph` is that graph: names are looked up in it, for the
    /// aliases of a story are not in the rows.
    ///
    /// Fails with [`Error::Pattern`] if the query cannot be asked.
    fn ask<'a>(
        &'a self,
        scope: &'a Scope,
        graph: &'a StoryGraph,
        query: &'a pattern::Query,
    ) -> BoxFuture<'a, Result<Answer, Error>>;

    /// Removes all that `scope` has.
    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>>;
}

/// What a pattern finds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The variables.
    pub columns: Vec<Name>,
    /// The [keys](StoryGraph::keys) of the nodes, by column; each row once. Without a column one row if it fits at all.
    pub rows: Vec<Vec<String>>,
}
