//! The rows of providers.

use crate::provider::{OutputMode, Quirks};
use crate::{Catalogue, Error, LlmClient, Provider, Providers, Wire};

fn overridden(text: &str) -> Result<Providers, Error> {
    Providers::with_overrides(&text.parse().unwrap())
}

#[test]
fn every_row_can_be_opened() {
    let providers = Providers::built_in();
    let names: Vec<&str> = providers.iter().map(|provider| provider.name.as_str()).collect();
    let expected = [
        "anthropic",
        "deepseek",
        "doubao",
        "gemini",
        "llamacpp",
        "lmstudio",
        "minimax",
        "moonshot",
        "ollama",
        "openai",
        "openrouter",
        "qwen",
        "siliconflow",
        "vllm",
        "zhipu",
    ];
    assert_eq!(names, expected);
    for provider in providers.iter() {
        assert_eq!(provider.is_loopback(), provider.key_variable.is_none(), "{}", provider.name);
        assert!(provider.quirks.output.is_some(), "{}", provider.name);
        let model = LlmClient::default().chat(provider, "m", Some(&"k".into()));
        // Certificates are missing on bare machines; that is the only thing that may go wrong.
        match model {
            Ok(model) => assert_eq!(model.name(), format!("{}/m", provider.name)),
            Err(error) => assert!(error.to_string().starts_with("cannot set up connections"), "{error}"),
        }
    }
}

#[test]
fn specs_are_resolved() {
    let providers = Providers::built_in();
    let (provider, model) = providers.resolve("siliconflow/deepseek-ai/DeepSeek-V3").unwrap();
    assert_eq!((provider.name.as_str(), model), ("siliconflow", "deepseek-ai/DeepSeek-V3"));
    for spec in ["gpt-5", "openai/", ""] {
        let error = providers.resolve(spec).unwrap_err().to_string();
        assert_eq!(error, format!("{spec:?} is not a model: write provider/model"));
    }
    let error = providers.resolve("nobody/m").unwrap_err().to_string();
    assert!(error.starts_with("unknown provider \"nobody\"; known are anthropic, deepseek"), "{error}");
}

#[test]
fn rules_and_the_catalogue_apply_to_the_models_they_match() {
    let providers = Providers::built_in();
    let quirks = |name: &str| {
        let (provider, model) = providers.resolve(name).unwrap();
        provider.quirks_of(model)
    };
    let omits = |name: &str, field: &str| quirks(name).omit.unwrap_or_default().iter().any(|it| it == field);
    assert!(
        omits("qwen/QwQ-plus", "enable_thinking") && omits("qwen/qwen3-235b-a22b-thinking-2507", "enable_thinking")
    );
    assert!(!omits("qwen/qwen3.8-flash", "enable_thinking"));
    for (name, sampling) in [
        ("moonshot/kimi-k3.1-pro", Some(false)),
        ("moonshot/kimi-k9", Some(false)),
        ("openai/gpt-6.1-sol", Some(false)),
        ("openai/gpt-4.1", None),
        ("anthropic/claude-sonnet-5-5", Some(false)),
        ("deepseek/deepseek-flash", None),
    ] {
        assert_eq!(quirks(name).known.sampling, sampling, "{name}");
    }
    for (name, output) in [
        ("qwen/qwen3.8-max", OutputMode::JsonSchema),
        ("qwen/qwen-of-nobody", OutputMode::JsonObject),
        ("qwen/qwen3-next-80b-a3b-thinking", OutputMode::Text),
        ("anthropic/claude-opus-5-5", OutputMode::JsonSchema),
        ("deepseek/deepseek-flash", OutputMode::JsonObject),
    ] {
        assert_eq!(quirks(name).output, Some(output), "{name}");
    }
    let stated = overridden("[qwen]\noutput = 'text'").unwrap();
    let (qwen, _) = stated.resolve("qwen/x").unwrap();
    assert_eq!(qwen.quirks_of("qwen3.8-max").output, Some(OutputMode::Text), "settings go over the catalogue");
}

/// What an installation uses unasked exists, and is not about to go.
#[test]
fn preferences_stand_for_models_that_are_known() {
    let providers = Providers::built_in();
    let day = Catalogue::built_in().date;
    for (preference, expected) in [
        ("deepseek/usual", Some("deepseek-flash")),
        ("deepseek/best", Some("deepseek-v4-pro")),
        ("anthropic/usual", Some("claude-sonnet-5-5")),
        ("anthropic/claude-haiku-*", Some("claude-haiku-5-5")),
        ("zhipu/usual", Some("glm-5.3")),
        ("siliconflow/usual", None),
        ("openai/gpt-6-luna", Some("gpt-6-luna")),
        ("openai/nothing-*", None),
    ] {
        let (provider, name) = providers.resolve(preference).unwrap();
        assert_eq!(provider.preferred(name, None, day).as_deref(), expected, "{preference}");
    }
    let (anthropic, _) = providers.resolve("anthropic/usual").unwrap();
    let listed = ["claude-sonnet-4-6", "claude-sonnet-6"].map(String::from);
    assert_eq!(
        anthropic.preferred("usual", Some(&listed), day).as_deref(),
        Some("claude-sonnet-6"),
        "a newer one is listed"
    );
    assert_eq!(anthropic.preferred("best", Some(&listed), day), None, "the key cannot use another");
    let retired = ["deepseek-chat"].map(String::from);
    let (deepseek, _) = providers.resolve("deepseek/usual").unwrap();
    assert_eq!(deepseek.preferred("deepseek-chat*", Some(&retired), day), None, "it is refused");
}

#[test]
fn settings_change_fields_and_add_rows() {
    let providers = overridden(
        r#"
        [qwen]
        base_url = "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"
        extra_body = { enable_thinking = false }

        [home]
        base_url = "http://192.168.1.7:8000/v1"
        "#,
    )
    .unwrap();
    let qwen = providers.get("qwen").unwrap();
    assert_eq!(qwen.base_url, "https://dashscope-intl.aliyuncs.com/compatible-mode/v1");
    assert_eq!(qwen.key_variable.as_deref(), Some("DASHSCOPE_API_KEY"));
    assert_eq!(qwen.quirks.output, Some(OutputMode::JsonObject));
    assert_eq!(qwen.quirks.extra_body["enable_thinking"], false);
    let home = providers.get("home").unwrap();
    assert_eq!((home.wire, &home.quirks, home.is_loopback()), (Wire::OpenAi, &Quirks::default(), false));
}

#[test]
fn wrong_settings_name_the_row() {
    let cases = [
        ("[home]\nkey_variable = 'K'", "provider home: missing field `base_url`"),
        ("[home]\nbase_url = 'ftp://x'", "provider home: base_url \"ftp://x\" is not http(s)"),
        ("[qwen]\nbase_uri = 'x'", "provider qwen: unknown field `base_uri`"),
        ("[qwen]\nwire = 'gemini'", "provider qwen: unknown variant `gemini`"),
        ("[qwen]\noutput = 'xml'", "provider qwen: unknown variant `xml`"),
    ];
    for (text, expected) in cases {
        let error = overridden(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn loopback_is_told_from_the_network() {
    let cases = [
        ("http://127.0.0.1:1234/v1", true),
        ("http://localhost/v1", true),
        ("http://[::1]:80", true),
        ("http://127.0.0.1.example.org/v1", false),
        ("https://localhost.example.org", false),
        ("https://api.deepseek.com/v1", false),
    ];
    for (url, expected) in cases {
        assert_eq!(Provider::local("x", url, Wire::OpenAi).is_loopback(), expected, "{url}");
    }
}
