//! Embeddings of the OpenAI protocol.

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::http::{Endpoint, shorten};
use super::output;
use crate::provider::Quirks;
use crate::{Embedder, Error};

/// Texts in one request where the provider's row does not say; most take more, none takes fewer.
const BATCH: usize = 32;

/// An embedding model.
#[derive(Debug)]
pub(super) struct Embeddings {
    endpoint: Endpoint,
    model: String,
    quirks: Quirks,
}

impl Embeddings {
    pub(super) fn new(endpoint: Endpoint, model: &str, quirks: Quirks) -> Self {
        Self { endpoint, model: model.into(), quirks }
    }

    async fn batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let mut body = Map::new();
        body.insert("model".into(), self.model.as_str().into());
        body.insert("input".into(), texts.into());
        body.insert("encoding_format".into(), "float".into());
        let answer = self.endpoint.post_for_json(&output::finish_body(body, None, &self.quirks)).await?;
        vectors(&answer, texts.len()).ok_or_else(|| Error::Provider {
            model: self.endpoint.name.clone(),
            message: format!("not {} vectors: {}", texts.len(), shorten(&answer.to_string())),
        })
    }
}

impl Embedder for Embeddings {
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

/// The vectors in the order of their `index`; `None` unless there are `count` of one length, all of numbers.
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
