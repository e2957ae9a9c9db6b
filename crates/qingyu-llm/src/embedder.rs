//! The trait every embedding model is behind, and what stands before the texts that some of them want to be told apart.

use std::fmt::Debug;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::Error;

/// Turns texts into vectors.
///
/// All vectors of one embedder have the same length; equal texts get equal vectors. An implementation splits what is
/// too much for one request, and never retries.
pub trait Embedder: Send + Sync + Debug {
    /// The name that indexes and provenance use, such as `qwen/text-embedding-v4`.
    ///
    /// Two embedders whose vectors of passages differ have different names.
    fn name(&self) -> &str;

    /// One vector for each of `texts`, in their order.
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Error>>;

    /// The vector of a question, to be compared with those of passages that [`embed`](Self::embed) gave.
    ///
    /// Most models make no difference between the two; those that do say so here.
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
    /// Puts them before the texts of `embedder`; the same embedder if there are none.
    pub fn before(self, embedder: Arc<dyn Embedder>) -> Arc<dyn Embedder> {
        if self == Self::default() { embedder } else { Arc::new(Prefixed::new(embedder, self)) }
    }
}

/// An embedder with something before its texts.
#[derive(Debug)]
struct Prefixed {
    name: String,
    embedder: Arc<dyn Embedder>,
    prefixes: Prefixes,
}

impl Prefixed {
    fn new(embedder: Arc<dyn Embedder>, prefixes: Prefixes) -> Self {
        // What stands before a question changes no vector that is kept.
        let name = match prefixes.passage.as_str() {
            "" => embedder.name().to_owned(),
            passage => format!("{} after {passage:?}", embedder.name()),
        };
        Self { name, embedder, prefixes }
    }
}

impl Embedder for Prefixed {
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

    /// Says how long each text is, in characters.
    #[derive(Debug)]
    struct Lengths;

    impl Embedder for Lengths {
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
            let embedder = prefixes.before(Arc::new(Lengths));
            assert_eq!(embedder.name(), name);
            assert_eq!(embedder.embed_question("雨夜").await.unwrap(), [questions]);
            assert_eq!(embedder.embed(&texts).await.unwrap().concat(), passages);
        }
    }
}
