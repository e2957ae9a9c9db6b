//! The trait every embedding model is behind.

use std::fmt::Debug;

use futures::future::BoxFuture;

use crate::Error;

/// Turns texts into vectors.
///
/// All vectors of one embedder have the same length; equal texts get equal vectors. An implementation splits what is
/// too much for one request, and never retries.
pub trait Embedder: Send + Sync + Debug {
    /// The name that indexes and provenance use, such as `qwen/text-embedding-v4`.
    fn name(&self) -> &str;

    /// One vector for each of `texts`, in their order.
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Error>>;
}
