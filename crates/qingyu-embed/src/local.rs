//! The embedder.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_llm::{Embedder, Prefixes};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use sha2::{Digest, Sha256};
use tokenizers::{Tokenizer, TruncationParams};

use crate::Error;
use crate::encoder::Encoder;
use crate::folder::ModelFolder;
use crate::weights::WeightsFile;

/// Batch size of texts sent to worker threads: a dropped future is noticed between batches.
const BATCH: usize = 32;

/// An embedder with a model in a local folder.
///
/// Vectors have length 1. Text beyond the model's window is ignored.
#[derive(Clone)]
pub struct LocalEmbedder(Arc<LoadedModel>);

struct LoadedModel {
    name: String,
    tokenizer: Tokenizer,
    encoder: Encoder,
    prefixes: Prefixes,
}

impl LocalEmbedder {
    /// Opens a folder with `config.json`, `tokenizer.json` and `model.safetensors`; other files of
    /// `sentence-transformers` are optional.
    ///
    /// The name is the folder's name with a fingerprint of its content, so that a changed model in the same folder is
    /// another embedder. Fails with the missing, damaged or unsupported file.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let read = ModelFolder::read(folder)?;
        let weights = WeightsFile::open(&folder.join("model.safetensors"))?;
        let tokenizer = tokenizer(&folder.join("tokenizer.json"), &read)?;
        let mut digest = Sha256::new();
        digest.update(format!("{:?}", (read.pooling, read.activation, read.most_tokens)));
        digest.update(tokenizer.to_string(false).unwrap_or_default());
        weights.fingerprint(&mut digest)?;
        let fingerprint: String = digest.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let name = folder.canonicalize().unwrap_or_else(|_| folder.into());
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("local/{name}#{fingerprint}");
        let prefixes = read.prefixes.clone();
        let encoder = Encoder::read(read, weights)?;
        Ok(Self(Arc::new(LoadedModel { name, tokenizer, encoder, prefixes })))
    }

    /// Returns the folder's text prefixes; [`embed`](Embedder::embed) does not insert them.
    pub fn prefixes(&self) -> &Prefixes {
        &self.0.prefixes
    }

    /// Returns the number of dimensions of the vectors.
    pub fn dimensions(&self) -> usize {
        self.0.encoder.dimensions()
    }
}

impl LoadedModel {
    fn vectors(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, qingyu_llm::Error> {
        texts.par_iter().map(|text| self.vector(text)).collect()
    }

    fn vector(&self, text: &str) -> Result<Vec<f32>, qingyu_llm::Error> {
        let tokens = self.tokenizer.encode(text, true).map_err(|error| self.failed(error.to_string()))?;
        if tokens.get_ids().is_empty() {
            return Ok(vec![0.0; self.encoder.dimensions()]);
        }
        self.encoder.encode(tokens.get_ids()).map_err(|error| self.failed(error.to_string()))
    }

    fn failed(&self, message: String) -> qingyu_llm::Error {
        qingyu_llm::Error::Provider { model: self.name.clone(), message }
    }
}

impl Embedder for LocalEmbedder {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, qingyu_llm::Error>> {
        async move {
            let mut all = Vec::with_capacity(texts.len());
            for batch in texts.chunks(BATCH) {
                let (opened, batch) = (Arc::clone(&self.0), batch.to_vec());
                let made = tokio::task::spawn_blocking(move || opened.vectors(&batch)).await;
                all.extend(made.map_err(|error| self.0.failed(error.to_string()))??);
            }
            Ok(all)
        }
        .boxed()
    }
}

impl fmt::Debug for LocalEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("LocalEmbedder").field(&self.0.name).finish()
    }
}

/// Returns the tokenizer, truncating at the model's window, without padding.
fn tokenizer(path: &Path, folder: &ModelFolder) -> Result<Tokenizer, Error> {
    let bytes = std::fs::read(path).map_err(|error| Error::unreadable(path, &error))?;
    let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(|error| Error::damaged(path, error))?;
    let truncation = TruncationParams { max_length: folder.most_tokens, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(|error| Error::damaged(path, error))?;
    tokenizer.with_padding(None);
    let largest = tokenizer.get_vocab(true).into_values().max().unwrap_or_default();
    if largest as usize >= folder.shape.vocab_size {
        let message = format!("token {largest} where config.json says there are {}", folder.shape.vocab_size);
        return Err(Error::damaged(path, message));
    }
    Ok(tokenizer)
}
