//! Embeddings of the OpenAI protocol.

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::http::{ModelEndpoint, SHOWN_OF_NO_ANSWER};
use super::output;
use crate::provider::Quirks;
use crate::{Embedder, Error};

/// Default number of texts per request; most providers accept more, none fewer.
const BATCH: usize = 32;

/// An embedding model.
#[derive(Debug)]
pub(super) struct EmbeddingsModel {
    endpoint: ModelEndpoint,
    model: String,
    quirks: Quirks,
}

impl EmbeddingsModel {
    pub(super) fn new(endpoint: ModelEndpoint, model: &str, quirks: Quirks) -> Self {
        Self { endpoint, model: model.into(), quirks }
    }

    /// Fetches the vectors of `texts`. Texts too long for the model are truncated: the start of a passage is better
    /// than no vector.
    async fn batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let mut texts = texts.to_vec();
        for _ in 0..MOST_CUTS {
            match self.request(&texts).await {
                Err(Error::PromptTooLong { limit, message, .. }) if texts.iter().any(|text| text.len() > SHORTEST) => {
                    let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or_default();
                    // A token is at least a third of a character; without a reported limit, half of the text is tried.
                    let limit = limit.and_then(|limit| usize::try_from(limit).ok()).filter(|limit| *limit < longest);
                    let kept = limit.map_or(longest / 2, |limit| limit - limit / 16);
                    tracing::warn!(model = self.endpoint.name, longest, kept, message, "passages cut for the embedder");
                    texts.iter_mut().for_each(|text| cut(text, kept));
                }
                outcome => return outcome,
            }
        }
        self.request(&texts).await
    }

    async fn request(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let mut body = Map::new();
        body.insert("model".into(), self.model.as_str().into());
        body.insert("input".into(), texts.into());
        body.insert("encoding_format".into(), "float".into());
        let located = |error: Error| error.located(&self.endpoint.shown(), "embeddings");
        let answer =
            self.endpoint.post_for_json(&output::finish_body(body, None, &self.quirks)).await.map_err(located)?;
        vectors(&answer, texts.len()).ok_or_else(|| {
            let begin: String = answer.to_string().chars().take(SHOWN_OF_NO_ANSWER).collect();
            let message = format!("not {} vectors: {begin}", texts.len());
            located(Error::Provider { model: self.endpoint.name.clone(), message })
        })
    }
}

/// Maximum truncations of a request's texts.
const MOST_CUTS: usize = 4;

/// Minimum length of a truncated text, in bytes.
const SHORTEST: usize = 64;

/// Truncates to the first `characters` characters.
fn cut(text: &mut String, characters: usize) {
    if let Some((end, _)) = text.char_indices().nth(characters) {
        text.truncate(end);
    }
}

impl Embedder for EmbeddingsModel {
    fn name(&self) -> &str {
        &self.endpoint.name
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Error>> {
        Box::pin(async move {
            let mut all = Vec::with_capacity(texts.len());
            for batch in texts.chunks(self.quirks.embedding_batch.unwrap_or(BATCH).max(1)) {
                all.extend(self.batch(batch).await?);
            }
            Ok(all)
        })
    }
}

/// Returns the vectors in the order of their `index`; `None` unless there are `count` numeric vectors of equal length.
fn vectors(answer: &Value, count: usize) -> Option<Vec<Vec<f32>>> {
    let data = answer["data"].as_array()?;
    let mut vectors = vec![Vec::new(); count];
    for (position, item) in data.iter().enumerate() {
        let index = item["index"].as_u64().map_or(Some(position), |index| usize::try_from(index).ok())?;
        let numbers = item["embedding"].as_array()?.iter();
        #[expect(clippy::cast_possible_truncation, reason = "vectors are kept in single precision")]
        let vector = numbers.map(|number| number.as_f64().map(|number| number as f32)).collect::<Option<Vec<f32>>>()?;
        *vectors.get_mut(index)? = vector;
    }
    let length = vectors.first().map_or(0, Vec::len);
    let is_even = vectors.iter().all(|vector| vector.len() == length && length > 0);
    (data.len() == count && is_even).then_some(vectors)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn vectors_are_put_in_order_and_counted() {
        let one = |index: u64, vector: Value| json!({ "index": index, "embedding": vector });
        let cases = [
            (json!([one(1, json!([2.0])), one(0, json!([1]))]), Some(vec![vec![1.0], vec![2.0]])),
            (json!([{ "embedding": [1.0] }, { "embedding": [2.0] }]), Some(vec![vec![1.0], vec![2.0]])),
            (json!([one(0, json!([1.0]))]), None),
            (json!([one(0, json!([1.0])), one(0, json!([1.0]))]), None),
            (json!([one(0, json!([1.0])), one(1, json!([1.0, 2.0]))]), None),
            (json!([one(0, json!([1.0])), one(2, json!([1.0]))]), None),
            (json!([one(0, json!(["x"])), one(1, json!([1.0]))]), None),
            (json!([one(0, json!([])), one(1, json!([]))]), None),
        ];
        for (data, expected) in cases {
            assert_eq!(vectors(&json!({ "data": data }), 2), expected, "{data}");
        }
    }
}
