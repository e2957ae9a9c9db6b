//! The vectors of tiny models, beside those that another program computed.

use std::collections::BTreeMap;

use qingyu_embed::LocalEmbedder;
use qingyu_llm::Embedder;
use safetensors::Dtype;

use crate::model::Model;

/// For each model, its texts and their vectors: made by `fixtures/expected.py`.
const EXPECTED: &str = include_str!("../fixtures/expected.json");

async fn off(model: &Model, expected: &str) -> f32 {
    let expected: BTreeMap<String, BTreeMap<String, Vec<f32>>> = serde_json::from_str::<BTreeMap<String, _>>(EXPECTED)
        .unwrap()
        .into_iter()
        .filter(|(name, _)| name == expected)
        .collect();
    let (texts, vectors): (Vec<String>, Vec<Vec<f32>>) = expected.into_values().flatten().unzip();
    assert_eq!(texts.len(), 4);
    let embedder = LocalEmbedder::open(model.path()).unwrap();
    let made = embedder.embed(&texts).await.unwrap();
    assert!(made.iter().all(|vector| vector.len() == embedder.dimensions()));
    let difference = |(made, expected): (&f32, &f32)| (made - expected).abs();
    made.concat().iter().zip(&vectors.concat()).map(difference).fold(0.0, f32::max)
}

#[tokio::test]
async fn vectors_are_those_that_numpy_computes() {
    assert!(off(&Model::bert(), "bert").await < 2e-6);
    assert!(off(&Model::roberta(), "xlm-roberta").await < 2e-6);
    assert!(off(&Model::bert(), "xlm-roberta").await > 0.1, "the two are not the same");
}

#[tokio::test]
async fn numbers_of_two_bytes_are_nearly_as_good() {
    assert!(off(&Model::halved(Dtype::F16), "bert").await < 5e-3);
    assert!(off(&Model::halved(Dtype::BF16), "bert").await < 5e-2);
}

#[tokio::test]
async fn many_texts_are_in_their_order_and_have_length_one() {
    let model = Model::bert();
    let embedder = LocalEmbedder::open(model.path()).unwrap();
    let words = ["雨", "夜", "门", "人"];
    let texts: Vec<String> = (0..100).map(|number| [words[number % 4], words[number / 4 % 4]].join(" ")).collect();
    let all = embedder.embed(&texts).await.unwrap();
    for (text, vector) in texts.iter().zip(&all) {
        assert_eq!(*vector, embedder.embed_question(text).await.unwrap(), "{text}");
        assert!((vector.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() < 1e-5);
    }
    assert!(embedder.embed(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_beyond_the_window_is_not_seen() {
    let model = Model::bert();
    let embedder = LocalEmbedder::open(model.path()).unwrap();
    let of = async |count: usize| embedder.embed_question(&vec!["雨"; count].join(" ")).await.unwrap();
    assert_eq!(of(8).await, of(500).await);
    assert_ne!(of(7).await, of(8).await);
    model.write("sentence_bert_config.json", &serde_json::json!({ "max_seq_length": 4 }));
    let embedder = LocalEmbedder::open(model.path()).unwrap();
    assert_eq!(embedder.embed_question("雨 夜").await.unwrap(), embedder.embed_question("雨 夜 门").await.unwrap());
}

#[test]
fn a_model_that_is_shared_is_read_once_until_its_files_change() {
    let model = Model::bert();
    let shared = || LocalEmbedder::shared(model.path());
    let first = shared().unwrap();
    let is_first = |other: &LocalEmbedder| std::ptr::eq(first.prefixes(), other.prefixes());
    assert!(is_first(&shared().unwrap()));
    assert!(!is_first(&LocalEmbedder::open(model.path()).unwrap()), "who opens has their own");
    model.write("sentence_bert_config.json", &serde_json::json!({ "max_seq_length": 4 }));
    let second = shared().unwrap();
    assert!(!is_first(&second) && second.name() != first.name());
    std::fs::remove_file(model.path().join("1_Pooling/config.json")).unwrap();
    let third = shared().unwrap();
    assert!(!std::ptr::eq(second.prefixes(), third.prefixes()), "a file within a folder counts");
    std::fs::remove_file(model.path().join("config.json")).unwrap();
    assert!(shared().is_err(), "what is known says nothing of a folder that is spoilt");
}

#[tokio::test]
async fn the_name_tells_models_apart() {
    let name = |model: &Model| LocalEmbedder::open(model.path()).unwrap().name().to_owned();
    let (bert, roberta) = (Model::bert(), Model::roberta());
    let first = name(&bert);
    let folder = bert.path().canonicalize().unwrap().file_name().unwrap().to_string_lossy().into_owned();
    assert!(first.starts_with(&format!("local/{folder}#")), "{first}");
    assert_eq!(first, name(&bert));
    std::fs::copy(roberta.path().join("1_Pooling/config.json"), bert.path().join("1_Pooling/config.json")).unwrap();
    assert_ne!(first, name(&bert));
    let first = name(&bert);
    let path = bert.path().join("model.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert_ne!(first, name(&bert));
}
