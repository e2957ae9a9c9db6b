//! Embeddings without a model: equal texts get equal vectors, texts with shared character pairs get similar vectors.

use serde_json::{Value, json};

/// Dimensions of a vector.
const DIMENSIONS: usize = 64;

/// Returns the response body for the embeddings request `body`.
pub(super) fn answer(body: &Value) -> String {
    let texts = match &body["input"] {
        Value::String(text) => vec![text.as_str()],
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let data = texts.iter().enumerate();
    let data: Vec<Value> =
        data.map(|(index, text)| json!({ "object": "embedding", "index": index, "embedding": vector(text) })).collect();
    let tokens: usize = texts.iter().map(|text| text.chars().count()).sum();
    let usage = json!({ "prompt_tokens": tokens, "total_tokens": tokens });
    json!({ "object": "list", "model": body["model"], "data": data, "usage": usage }).to_string()
}

/// Counts hashed character pairs and normalizes the vector to length 1.
fn vector(text: &str) -> Vec<f32> {
    let mut counts = vec![0.0_f32; DIMENSIONS];
    let characters: Vec<char> = std::iter::once('^').chain(text.chars()).chain(['$']).collect();
    for pair in characters.windows(2) {
        let hash = pair.iter().fold(2_166_136_261_u32, |hash, &it| (hash ^ u32::from(it)).wrapping_mul(16_777_619));
        counts[hash as usize % DIMENSIONS] += 1.0;
    }
    let length = counts.iter().map(|count| count * count).sum::<f32>().sqrt();
    counts.iter().map(|count| count / length).collect()
}
