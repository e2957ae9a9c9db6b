//! Parses the configuration of a model folder.

use std::path::Path;

use qingyu_llm::Prefixes;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Error;

/// The shape of the model, from `config.json`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ModelShape {
    pub(crate) model_type: String,
    pub(crate) hidden_size: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) vocab_size: usize,
    pub(crate) max_position_embeddings: usize,
    #[serde(default = "one")]
    pub(crate) type_vocab_size: usize,
    #[serde(default = "usual_epsilon")]
    pub(crate) layer_norm_eps: f32,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default)]
    pad_token_id: Option<usize>,
    #[serde(default)]
    position_embedding_type: Option<String>,
}

fn one() -> usize {
    1
}

fn usual_epsilon() -> f32 {
    1e-12
}

fn gelu() -> String {
    "gelu".into()
}

/// The activation function between the two halves of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    /// GELU with the error function.
    Gelu,
    /// GELU with the hyperbolic tangent approximation.
    GeluTanh,
    Relu,
}

/// The reduction of the tokens' vectors to a single vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// Mean of the tokens' vectors.
    Mean,
    /// Vector of the first token.
    First,
}

/// The configuration of a supported folder.
#[derive(Debug, Clone)]
pub(crate) struct ModelFolder {
    pub(crate) shape: ModelShape,
    pub(crate) activation: Activation,
    pub(crate) pooling: Pooling,
    /// Position index of the first token.
    pub(crate) first_position: usize,
    /// Maximum tokens of a text, including the special tokens at both ends.
    pub(crate) most_tokens: usize,
    pub(crate) prefixes: Prefixes,
}

impl ModelFolder {
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let config = path.join("config.json");
        let shape: ModelShape = json(&config)?;
        let first_position = match shape.model_type.as_str() {
            "bert" => 0,
            // Positions start after the padding's position.
            "xlm-roberta" | "roberta" | "camembert" => shape.pad_token_id.unwrap_or(1) + 1,
            other => {
                let served = "bert, xlm-roberta, roberta and camembert are";
                return Err(Error::unsupported(&config, format!("model_type {other:?}; {served}")));
            }
        };
        let activation = match shape.hidden_act.as_str() {
            "gelu" => Activation::Gelu,
            "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" => Activation::GeluTanh,
            "relu" => Activation::Relu,
            other => return Err(Error::unsupported(&config, format!("hidden_act {other:?}; gelu and relu are"))),
        };
        if let Some(other) = shape.position_embedding_type.as_deref().filter(|kind| *kind != "absolute") {
            return Err(Error::unsupported(&config, format!("position_embedding_type {other:?}; absolute is")));
        }
        let ModelShape { hidden_size, num_attention_heads: heads, max_position_embeddings, .. } = shape;
        let is_even = heads > 0 && hidden_size > 0 && hidden_size.is_multiple_of(heads);
        if !is_even || max_position_embeddings < first_position + 2 || shape.type_vocab_size == 0 {
            return Err(Error::damaged(&config, "hidden_size, num_attention_heads or max_position_embeddings"));
        }
        modules(&path.join("modules.json"))?;
        let sentence: SentenceConfig = optional(&path.join("sentence_bert_config.json"))?;
        let room = max_position_embeddings - first_position;
        Ok(Self {
            activation,
            pooling: pooling(&path.join("1_Pooling").join("config.json"))?,
            first_position,
            most_tokens: sentence.max_seq_length.unwrap_or(room).clamp(2, room),
            prefixes: prefixes(&path.join("config_sentence_transformers.json"))?,
            shape,
        })
    }
}

#[derive(Debug, Default, Deserialize)]
struct SentenceConfig {
    max_seq_length: Option<usize>,
}

/// Refuses modules after the pooling that change the vector: omitting them would return a different vector.
fn modules(path: &Path) -> Result<(), Error> {
    #[derive(Deserialize)]
    struct Module {
        r#type: String,
    }
    let modules: Vec<Module> = optional(path)?;
    let name = |module: &Module| module.r#type.rsplit('.').next().unwrap_or_default().to_owned();
    let names = modules.iter().map(name);
    match names.into_iter().find(|name| !["Transformer", "Pooling", "Normalize"].contains(&name.as_str())) {
        Some(name) => Err(Error::unsupported(path, format!("a step {name}; Transformer, Pooling and Normalize are"))),
        None => Ok(()),
    }
}

fn pooling(path: &Path) -> Result<Pooling, Error> {
    let modes: serde_json::Map<String, serde_json::Value> = optional(path)?;
    let is_on = |(name, value): (&String, &serde_json::Value)| {
        let mode = name.strip_prefix("pooling_mode_")?;
        (value == &serde_json::Value::Bool(true)).then(|| mode.to_owned())
    };
    let modes: Vec<String> = modes.iter().filter_map(is_on).collect();
    match modes.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] | ["mean_tokens"] => Ok(Pooling::Mean),
        ["cls_token"] => Ok(Pooling::First),
        others => {
            let others = others.join(" with ");
            Err(Error::unsupported(path, format!("pooling by {others}; mean_tokens or cls_token alone are")))
        }
    }
}

/// Returns the text prefixes in the folder's configuration, if any.
fn prefixes(path: &Path) -> Result<Prefixes, Error> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct PromptConfig {
        prompts: std::collections::BTreeMap<String, String>,
    }
    let PromptConfig { mut prompts } = optional(path)?;
    let mut first = |names: [&str; 3]| names.iter().find_map(|name| prompts.remove(*name)).unwrap_or_default();
    Ok(Prefixes {
        question: first(["query", "question", "search_query"]),
        passage: first(["passage", "document", "corpus"]),
    })
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::unreadable(path, &error))?;
    serde_json::from_str(&text).map_err(|error| Error::damaged(path, error))
}

/// Like [`json`]; returns the default if the file is missing.
fn optional<T: DeserializeOwned + Default>(path: &Path) -> Result<T, Error> {
    if path.exists() { json(path) } else { Ok(T::default()) }
}
