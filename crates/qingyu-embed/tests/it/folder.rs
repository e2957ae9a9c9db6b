//! Folders that cannot serve.

use qingyu_embed::{Error, LocalEmbedder};
use serde_json::json;

use crate::model::Model;

fn refused(model: &Model) -> String {
    let error = LocalEmbedder::open(model.path()).unwrap_err().to_string();
    error.replace(&format!("{}/", model.path().display()), "")
}

#[test]
fn a_missing_file_is_named() {
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        let model = Model::bert();
        std::fs::remove_file(model.path().join(name)).unwrap();
        let error = LocalEmbedder::open(model.path()).unwrap_err();
        assert!(matches!(&error, Error::Unreadable { path, .. } if path.ends_with(name)), "{error}");
    }
    let error = LocalEmbedder::open("/nowhere/at/all".as_ref()).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere/at/all/config.json cannot be read"), "{error}");
}

#[test]
fn what_is_not_served_is_refused_with_what_is() {
    for (file, change, expected) in [
        ("config.json", json!({ "model_type": "t5" }), "config.json asks for what is not served: model_type \"t5\""),
        ("config.json", json!({ "hidden_act": "silu" }), "config.json asks for what is not served: hidden_act"),
        (
            "config.json",
            json!({ "position_embedding_type": "relative_key" }),
            "config.json asks for what is not served: position",
        ),
        (
            "1_Pooling/config.json",
            json!({ "pooling_mode_max_tokens": true }),
            "1_Pooling/config.json asks for what is not served: pooling by",
        ),
    ] {
        let model = Model::bert();
        model.change(file, change);
        let error = refused(&model);
        assert!(error.starts_with(expected), "{error}");
    }
    let model = Model::bert();
    let module = |name: &str| json!({ "type": format!("sentence_transformers.models.{name}") });
    model.write("modules.json", &json!([module("Transformer"), module("Pooling"), module("Normalize")]));
    assert!(LocalEmbedder::open(model.path()).is_ok());
    model.write("modules.json", &json!([module("Transformer"), module("Pooling"), module("Dense")]));
    assert!(refused(&model).starts_with("modules.json asks for what is not served: a step Dense"));
}

#[test]
fn files_that_do_not_fit_together_are_refused() {
    for (change, expected) in [
        (
            json!({ "hidden_size": 16 }),
            "model.safetensors is damaged: embeddings.token_type_embeddings.weight is [2, 8] where",
        ),
        (json!({ "num_hidden_layers": 3 }), "model.safetensors is damaged: it has no encoder.layer.2.attention"),
        (json!({ "vocab_size": 5 }), "tokenizer.json is damaged: token 9 where config.json says there are 5"),
        (json!({ "num_attention_heads": 3 }), "config.json is damaged: hidden_size, num_attention_heads or"),
        (json!({ "num_attention_heads": 0 }), "config.json is damaged: hidden_size, num_attention_heads or"),
        (json!({ "max_position_embeddings": 1 }), "config.json is damaged: hidden_size, num_attention_heads or"),
        (json!({ "hidden_size": "wide" }), "config.json is damaged: invalid type"),
    ] {
        let model = Model::bert();
        model.change("config.json", change);
        let error = refused(&model);
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_file_that_is_cut_or_rubbish_is_damaged() {
    let model = Model::bert();
    let path = model.path().join("model.safetensors");
    let whole = std::fs::read(&path).unwrap();
    for length in [0, 4, 8, 100, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let error = refused(&model);
        assert!(error.starts_with("model.safetensors is damaged: "), "{length}: {error}");
    }
    std::fs::write(&path, [0xff; 64]).unwrap();
    assert!(refused(&model).contains("a header of 18446744073709551615 bytes in a file of 64"));
    for name in ["tokenizer.json", "config.json"] {
        let model = Model::bert();
        std::fs::write(model.path().join(name), "{").unwrap();
        let error = refused(&model);
        assert!(error.starts_with(&format!("{name} is damaged: ")), "{error}");
    }
}

#[test]
fn the_folder_says_what_stands_before_texts() {
    let model = Model::bert();
    assert_eq!(LocalEmbedder::open(model.path()).unwrap().prefixes(), &qingyu_llm::Prefixes::default());
    let prompts = json!({ "prompts": { "query": "query: ", "document": "passage: " } });
    model.write("config_sentence_transformers.json", &prompts);
    let embedder = LocalEmbedder::open(model.path()).unwrap();
    assert_eq!((embedder.prefixes().question.as_str(), embedder.prefixes().passage.as_str()), ("query: ", "passage: "));
}
