//! Tiny models with weights that look random and are the same everywhere.

use std::collections::BTreeMap;
use std::path::Path;

use half::{bf16, f16};
use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};
use tempfile::TempDir;

const WIDTH: usize = 8;
const WIDE: usize = 12;
const WORDS: usize = 12;
const POSITIONS: usize = 10;

/// A folder that a test may spoil.
pub(crate) struct Model {
    pub(crate) folder: TempDir,
}

impl Model {
    /// BERT with the mean of all tokens.
    pub(crate) fn bert() -> Self {
        let config =
            json!({ "model_type": "bert", "hidden_act": "gelu", "type_vocab_size": 2, "layer_norm_eps": 1e-12 });
        Self::new(1, config, "mean_tokens", Dtype::F32)
    }

    /// XLM-RoBERTa with the first token.
    pub(crate) fn roberta() -> Self {
        let config = json!({
            "model_type": "xlm-roberta", "hidden_act": "gelu_new", "type_vocab_size": 1, "layer_norm_eps": 1e-5, "pad_token_id": 1,
        });
        Self::new(2, config, "cls_token", Dtype::F32)
    }

    /// BERT, with numbers of two bytes.
    pub(crate) fn halved(kind: Dtype) -> Self {
        let config =
            json!({ "model_type": "bert", "hidden_act": "gelu", "type_vocab_size": 2, "layer_norm_eps": 1e-12 });
        Self::new(1, config, "mean_tokens", kind)
    }

    fn new(seed: u64, config: Value, pooling: &str, kind: Dtype) -> Self {
        let made = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(made.path().join("1_Pooling")).unwrap();
        let kinds = config["type_vocab_size"].as_u64().unwrap() as usize;
        made.write(
            "1_Pooling/config.json",
            &json!({ "word_embedding_dimension": WIDTH, format!("pooling_mode_{pooling}"): true }),
        );
        made.write(
            "config.json",
            &json!({
                "hidden_size": WIDTH, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": WIDE,
                "vocab_size": WORDS, "max_position_embeddings": POSITIONS,
            }),
        );
        made.change("config.json", config);
        made.write("tokenizer.json", &tokenizer());
        made.write_weights(seed, kinds, kind);
        made
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, value: &Value) {
        std::fs::write(self.path().join(name), value.to_string()).unwrap();
    }

    /// Puts the fields of `change` into a file.
    pub(crate) fn change(&self, name: &str, change: Value) {
        let mut value: Value = serde_json::from_slice(&std::fs::read(self.path().join(name)).unwrap()).unwrap();
        let Value::Object(change) = change else { panic!("fields") };
        value.as_object_mut().unwrap().extend(change);
        self.write(name, &value);
    }

    fn write_weights(&self, seed: u64, kinds: usize, kind: Dtype) {
        let mut numbers = Numbers(seed);
        let mut tensors: BTreeMap<String, (Vec<usize>, Vec<u8>)> = BTreeMap::new();
        let mut put = |name: String, shape: &[usize]| {
            let values = (0..shape.iter().product()).map(|_| numbers.next());
            let bytes = values.flat_map(|value| match kind {
                Dtype::F16 => f16::from_f32(value).to_le_bytes().to_vec(),
                Dtype::BF16 => bf16::from_f32(value).to_le_bytes().to_vec(),
                _ => value.to_le_bytes().to_vec(),
            });
            tensors.insert(name, (shape.to_vec(), bytes.collect()));
        };
        put("embeddings.word_embeddings.weight".into(), &[WORDS, WIDTH]);
        put("embeddings.position_embeddings.weight".into(), &[POSITIONS, WIDTH]);
        put("embeddings.token_type_embeddings.weight".into(), &[kinds, WIDTH]);
        put("embeddings.LayerNorm.weight".into(), &[WIDTH]);
        put("embeddings.LayerNorm.bias".into(), &[WIDTH]);
        for layer in 0..2 {
            let shapes: [(&str, &[usize]); 8] = [
                ("attention.self.query", &[WIDTH, WIDTH]),
                ("attention.self.key", &[WIDTH, WIDTH]),
                ("attention.self.value", &[WIDTH, WIDTH]),
                ("attention.output.dense", &[WIDTH, WIDTH]),
                ("attention.output.LayerNorm", &[WIDTH]),
                ("intermediate.dense", &[WIDE, WIDTH]),
                ("output.dense", &[WIDTH, WIDE]),
                ("output.LayerNorm", &[WIDTH]),
            ];
            for (name, shape) in shapes {
                put(format!("encoder.layer.{layer}.{name}.weight"), shape);
                put(format!("encoder.layer.{layer}.{name}.bias"), &shape[..1]);
            }
        }
        let views =
            tensors.iter().map(|(name, (shape, bytes))| (name, TensorView::new(kind, shape.clone(), bytes).unwrap()));
        std::fs::write(self.path().join("model.safetensors"), safetensors::serialize(views, None).unwrap()).unwrap();
    }
}

/// Words apart by spaces, one number each.
fn tokenizer() -> Value {
    let words = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "雨", "夜", "门", "人", "query:", "passage:"];
    let vocabulary: serde_json::Map<String, Value> =
        (0..).zip(words).map(|(number, word): (u32, _)| (word.to_owned(), number.into())).collect();
    let special = |name: &str, id: u32| json!({ "id": name, "ids": [id], "tokens": [name] });
    json!({
        "version": "1.0",
        "pre_tokenizer": { "type": "WhitespaceSplit" },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{ "SpecialToken": { "id": "[CLS]", "type_id": 0 } }, { "Sequence": { "id": "A", "type_id": 0 } }, { "SpecialToken": { "id": "[SEP]", "type_id": 0 } }],
            "pair": [{ "Sequence": { "id": "A", "type_id": 0 } }, { "Sequence": { "id": "B", "type_id": 1 } }],
            "special_tokens": { "[CLS]": special("[CLS]", 1), "[SEP]": special("[SEP]", 2) },
        },
        "model": { "type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]" },
    })
}

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = (self.0 * 1_103_515_245 + 12_345) % (1 << 31);
        (self.0 as f64 / f64::from(1_u32 << 31) - 0.5) as f32
    }
}
