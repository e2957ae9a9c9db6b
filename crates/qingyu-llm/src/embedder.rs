//! The trait of all embedding models, and the text prefixes required by some models.

use std::fmt::Debug;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::Error;

/// Converts texts to vectors.
///
/// All vectors of an embedder have the same length; equal texts get equal vectors. An implementation splits oversized
/// requests and never retries.
pub trait Embedder: Send + Sync + Debug {
    /// Returns the name used by indexes and provenance, such as `qwen/text-embedding-v4`.
    ///
    /// Embedders with different passage vectors have different names.
    fn name(&self) -> &str;

    /// Returns a vector for each of `texts`, in input order.
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Error>>;

    /// Returns the vector of a question, for comparison with passage vectors from [`embed`](Self::embed).
    ///
    /// By default identical to the vector of a passage; models with separate question vectors override the method.
    fn embed_question<'a>(&'a self, question: &'a str) -> BoxFuture<'a, Result<Vec<f32>, Error>> {
        async move {
            let vectors = self.embed(&[question.to_owned()]).await?;
            let count = vectors.len();
            let only = <[_; 1]>::try_from(vectors).map(|[vector]| vector);
            let message = || format!("{count} vectors of one text");
            only.map_err(|_| Error::Provider { model: self.name().to_owned(), message: message() })
        }
        .boxed()
    }
}

/// What a model wants to read before a text, to know what it is for: e5 has `query: ` and `passage: `.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Prefixes {
    /// Before a question.
    pub question: String,
    /// Before a passage.
    pub passage: String,
}

impl Prefixes {
    /// Wraps `embedder` so that the prefixes are inserted before its texts; returns `embedder` unchanged if both are
    /// empty.
    pub fn before(self, embedder: Arc<dyn Embedder>) -> Arc<dyn Embedder> {
        if self == Self::default() { embedder } else { Arc::new(PrefixedEmbedder::new(embedder, self)) }
    }
}

/// An embedder with text prefixes.
#[derive(Debug)]
struct PrefixedEmbedder {
    name: String,
    embedder: Arc<dyn Embedder>,
    prefixes: Prefixes,
}

impl PrefixedEmbedder {
    fn new(embedder: Arc<dyn Embedder>, prefixes: Prefixes) -> Self {
        // A question prefix changes no stored vector.
        let name = match prefixes.passage.as_str() {
            "" => embedder.name().to_owned(),
            passage => format!("{} after {passage:?}", embedder.name()),
        };
        Self { name, embedder, prefixes }
    }
}

impl Embedder for PrefixedEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Error>> {
        async move {
            let texts: Vec<String> = texts.iter().map(|text| format!("{}{text}", self.prefixes.passage)).collect();
            self.embedder.embed(&texts).await
        }
        .boxed()
    }

    fn embed_question<'a>(&'a self, question: &'a str) -> BoxFuture<'a, Result<Vec<f32>, Error>> {
        async move { self.embedder.embed_question(&format!("{}{question}", self.prefixes.question)).await }.boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An embedder whose vectors are the lengths of the texts, in characters.
    #[derive(Debug)]
    struct LengthEmbedder;

    impl Embedder for LengthEmbedder {
        fn name(&self) -> &str {
            "lengths"
        }

        fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Error>> {
            async { Ok(texts.iter().map(|text| vec![text.chars().count() as f32]).collect()) }.boxed()
        }
    }

    #[tokio::test]
    async fn questions_and_passages_have_their_own_beginning() {
        let texts = ["雨".to_owned(), String::new()];
        for (question, passage, name, questions, passages) in [
            ("", "", "lengths", 2.0, [1.0, 0.0]),
            ("query: ", "", "lengths", 9.0, [1.0, 0.0]),
            ("query: ", "passage: ", "lengths after \"passage: \"", 9.0, [10.0, 9.0]),
        ] {
            let prefixes = Prefixes { question: question.into(), passage: passage.into() };
            let embedder = prefixes.before(Arc::new(LengthEmbedder));
            assert_eq!(embedder.name(), name);
            assert_eq!(embedder.embed_question("雨夜").await.unwrap(), [questions]);
            assert_eq!(embedder.embed(&texts).await.unwrap().concat(), passages);
        }
    }
}
