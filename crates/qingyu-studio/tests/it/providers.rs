//! The shipped defaults against servers that refuse what the vendors' documentation says is refused, and endpoints that are broken.

use std::sync::{Arc, Mutex};

use qingyu_llm::testing::server::{BodyEnding, Recorded, RecordedEndpoint, Scripted, Server};
use qingyu_llm::{Providers, Reply};
use qingyu_studio::agents::WritingTask;
use qingyu_studio::operations as op;
use qingyu_studio::{ChapterWriteRequest, KeySource, ModelTrial, RunStatus, Settings, Studio, StudioEventKind};
use serde_json::{Value, json};

use crate::answers::{CALLS, REQUIREMENT, USAGE, answer};
use crate::{create, environment, finish};

/// The calls of a chapter that passes its first review.
const CHAPTER: [&str; 4] = ["chapter.understand", "chapter.generate", "chapter.review", "chapter.settle"];

/// The purpose of a request, by the fields of the schema that its answer must have, wherever that stands; prose has none.
fn purpose(asked: &Recorded) -> &'static str {
    let format = &asked.body["output_config"]["format"]["schema"];
    let format = if format.is_null() { &asked.body["response_format"]["json_schema"]["schema"] } else { format };
    let shown = asked.prompt();
    let value = |begin: usize| serde_json::Deserializer::from_str(&shown[begin..]).into_iter::<Value>().next()?.ok();
    // A prompt with an example of the whole answer is sent without the schema.
    let example = || shown.match_indices("\n{\n").find_map(|(begin, _)| value(begin));
    let told = || {
        let markers = ["JSON Schema:\n", "JSON Schema：\n"];
        let schema = markers.iter().find_map(|marker| value(shown.find(marker)? + marker.len()));
        schema.or_else(|| example().map(|fields| json!({"properties": fields})))
    };
    let Some(schema) = (if format.is_null() { told() } else { Some(format.clone()) }) else {
        return "chapter.generate";
    };
    let has = |field: &str| schema["properties"].get(field).is_some();
    for (purpose, field) in
        [("chapter.understand", "must_keep"), ("chapter.review", "verdicts"), ("chapter.settle", "summary")]
    {
        if has(field) {
            return purpose;
        }
    }
    let fits = |purpose: &&str| answer(purpose).as_object().unwrap().keys().all(|field| has(field));
    CALLS.into_iter().find(fits).unwrap_or_else(|| panic!("no answer for {schema}"))
}

/// What a good model says.
fn well(purpose: &str) -> String {
    match purpose {
        "chapter.understand" => {
            let scene = json!({"title": "码头", "participants": ["林深"], "beats": ["林深推开门"], "words": 10});
            json!({"task_type": "draft", "goal": "推进调查", "scenes": [scene]}).to_string()
        }
        "chapter.generate" => "雨停了。林深推开门，码头上一个人也没有。".into(),
        "chapter.review" => {
            let holds = |dimension| json!({"dimension": dimension, "verdict": "holds", "note": ""});
            let verdicts = ["task", "setting", "timeline", "continuity", "character", "logic", "style"].map(holds);
            json!({"score": 90, "verdicts": verdicts, "summary": "好"}).to_string()
        }
        "chapter.settle" => json!({"summary": "雨停了。"}).to_string(),
        purpose => answer(purpose).to_string(),
    }
}

/// What the vendor refuses of a request, as its documentation says; the pages stand beside the rows in `providers.toml`.
fn refusal(provider: &str, asked: &Recorded) -> Option<String> {
    let body = &asked.body;
    let has = |field: &str| body.get(field).is_some();
    let unless = |is_fine: bool, why: &str| (!is_fine).then(|| why.to_owned());
    let is_one_of = |value: &Value, known: &[&str]| value.as_str().is_none_or(|value| known.contains(&value));
    let format = body["response_format"]["type"].as_str().unwrap_or_default();
    let is_prose = purpose(asked) == "chapter.generate";
    let is_format = |wanted: &str| if is_prose { format.is_empty() } else { format == wanted };
    let rules = match provider {
        // https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide
        "anthropic" => vec![
            unless(!has("temperature") && !has("top_p") && !has("top_k"), "sampling parameters are not supported"),
            unless(!matches!(body["tool_choice"]["type"].as_str(), Some("tool" | "any")), "forced tool_choice"),
            unless(is_one_of(&body["thinking"]["type"], &["adaptive", "between_tools"]), "thinking is always on"),
            unless(body["thinking"].get("budget_tokens").is_none(), "no thinking budgets"),
            unless(body["messages"].as_array().unwrap().last().unwrap()["role"] == "user", "no prefill"),
            unless(body["max_tokens"].as_u64().is_some_and(|most| most <= 128_000), "max_tokens"),
            unless(is_one_of(&body["output_config"]["effort"], &["low", "medium", "high", "xhigh", "max"]), "effort"),
            unless(is_closed(&body["output_config"]["format"]["schema"]), "the schema is not supported"),
            unless(body["system"][0]["cache_control"]["type"] == "ephemeral", "nothing is cached"),
        ],
        // https://developers.openai.com/api/docs/models/gpt-6.1-terra
        "openai" => vec![
            unless(!has("temperature"), "Unsupported value: 'temperature'"),
            unless(!has("max_tokens"), "Use 'max_completion_tokens' instead."),
            unless(
                is_one_of(&body["reasoning_effort"], &["none", "low", "medium", "high", "xhigh", "max"]),
                "reasoning_effort",
            ),
            unless(is_format("json_schema"), "a model with a schema mode is not asked for it"),
        ],
        // https://api-docs.deepseek.com/guides/thinking_mode, https://api-docs.deepseek.com/guides/json_mode
        "deepseek" => vec![
            unless(
                is_one_of(&body["model"], &["deepseek-flash", "deepseek-v4-pro"]),
                "The supported API model names are",
            ),
            unless(is_format("json_object"), "This response_format type is unavailable now"),
            unless(is_one_of(&body["reasoning_effort"], &["low", "high", "max"]), "reasoning_effort"),
            unless(is_one_of(&body["thinking"]["type"], &["enabled", "disabled"]), "thinking"),
            unless(body["max_tokens"].as_u64().is_none_or(|most| most <= 393_216), "max_tokens"),
        ],
        // https://platform.kimi.ai/docs/api/models-overview
        "moonshot" => vec![
            unless(!has("temperature"), "invalid temperature: only 1 is allowed for this model"),
            unless(!has("thinking"), "thinking cannot be switched"),
            unless(is_one_of(&body["reasoning_effort"], &["low", "high", "max"]), "reasoning_effort"),
        ],
        // https://ai.google.dev/gemini-api/docs/openai
        "gemini" => vec![
            unless(!has("temperature"), "temperature"),
            unless(is_one_of(&body["reasoning_effort"], &["low", "medium", "high"]), "reasoning_effort"),
        ],
        // https://docs.bigmodel.cn/cn/guide/models/text/glm-5.3: it always thinks.
        "zhipu" => vec![
            unless(is_format("json_object") && !has("tool_choice"), "response_format"),
            unless(is_one_of(&body["thinking"]["type"], &["enabled"]), "thinking"),
            unless(is_one_of(&body["reasoning_effort"], &["low", "high", "max"]), "reasoning_effort"),
        ],
        // https://help.aliyun.com/zh/model-studio/json-mode
        "qwen" => vec![unless(format.is_empty() || body["enable_thinking"] == false, "JSON mode while thinking")],
        // https://www.volcengine.com/docs/82379/1568221
        "doubao" => vec![unless(is_format("json_object") && !has("tool_choice"), "not supported by this model")],
        // https://platform.minimax.io/docs/api-reference/text-openai-api
        "minimax" => vec![
            unless(!has("max_tokens") && !has("response_format") && !has("tool_choice"), "not supported by this model"),
            unless(
                is_one_of(&body["thinking"]["type"], &["adaptive", "disabled"]) && !has("reasoning_effort"),
                "thinking",
            ),
        ],
        _ => vec![unless(is_format("json_object"), "response_format")],
    };
    rules.into_iter().flatten().next()
}

/// Whether every object forbids other keys, and no bounds are set.
fn is_closed(schema: &Value) -> bool {
    match schema {
        Value::Array(list) => list.iter().all(is_closed),
        Value::Object(map) => {
            let bounds = ["minimum", "maximum", "minLength", "maxLength", "maxItems", "format", "$ref"];
            let is_object = map.get("type").is_some_and(|kind| kind == "object");
            (!is_object || map.get("additionalProperties") == Some(&Value::Bool(false)))
                && !bounds.iter().any(|bound| map.get(*bound).is_some_and(|value| !value.is_object()))
                && map.values().all(is_closed)
        }
        _ => true,
    }
}

/// Settings in which nothing is said but where a provider is, and its key.
fn settings(home: &std::path::Path, provider: &str, variable: &str, server: &Server) -> Settings {
    let text = format!(
        "[models]\nlocal = []\n[retries]\nattempts = 1\n[providers.{provider}]\nbase_url = \"{}/v1\"\n",
        server.url()
    );
    std::fs::write(home.join("config.toml"), text).unwrap();
    Settings::load(environment(home, &[(variable, "sk-x")]), toml::Table::new()).unwrap()
}

/// With nothing but a key, every provider's usual model plans a book and writes its first chapter, and nothing is sent that it
/// refuses.
#[tokio::test]
async fn the_whole_pipeline_with_the_shipped_defaults_of_every_provider() {
    let providers = Providers::built_in();
    for provider in providers.iter() {
        let Some(variable) = provider.key_variable.clone() else { continue };
        let (name, refused) = (provider.name.clone(), Arc::new(Mutex::new(Vec::new())));
        let server = Server::responding({
            let (name, refused) = (name.clone(), Arc::clone(&refused));
            move |asked| match refusal(&name, asked) {
                Some(why) => {
                    refused.lock().unwrap().push(why.clone());
                    Scripted::status(400, &json!({ "error": { "message": why } }).to_string())
                }
                None => {
                    let text = well(purpose(asked));
                    Scripted::reply(Reply { text, usage: USAGE, ..Reply::default() })
                }
            }
        })
        .await;
        server.push_for(
            RecordedEndpoint::Models,
            Scripted::status(200, r#"{"data":[{"id":"deepseek-ai/DeepSeek-V4"}]}"#),
        );
        let home = tempfile::tempdir().unwrap();
        let studio = Studio::open(settings(home.path(), &name, &variable, &server)).await.unwrap();
        let (events, outcome) = create(&studio, REQUIREMENT).await;
        let task = WritingTask::Draft { chapters: vec![1.into()] };
        let request =
            ChapterWriteRequest { project: outcome.project, task, words: Some(10), ..ChapterWriteRequest::default() };
        let (_, written) = finish(studio.write(request).await.unwrap()).await;
        assert_eq!(*refused.lock().unwrap(), [""; 0], "{name}");
        for (status, errors) in [(outcome.status, outcome.errors), (written.status, written.errors)] {
            assert_eq!((status, errors.as_slice()), (RunStatus::Done, [].as_slice()), "{name}");
        }
        let asked: Vec<Recorded> =
            server.requests().into_iter().filter(|it| it.endpoint() != RecordedEndpoint::Models).collect();
        assert_eq!(asked.iter().map(purpose).collect::<Vec<_>>(), [CALLS.as_slice(), &CHAPTER].concat(), "{name}");
        let StudioEventKind::RunStarted { model, .. } = &events[0].kind else { panic!("{:?}", events[0]) };
        assert_eq!(model.model, format!("{name}/{}", asked[0].model()));
        // Planning is thought about, the cast as the model is used to.
        let effort = |request: &Recorded| {
            let body = &request.body;
            [&body["output_config"]["effort"], &body["reasoning_effort"], &body["thinking"]["type"]]
                .into_iter()
                .find_map(|said| said.as_str().map(str::to_owned))
        };
        match name.as_str() {
            "anthropic" | "openai" | "deepseek" | "moonshot" | "gemini" | "doubao" | "zhipu" => {
                assert_eq!(
                    (effort(&asked[0]).as_deref(), effort(&asked[2]).as_deref() == Some("high")),
                    (Some("high"), false),
                    "{name}"
                );
            }
            "minimax" => assert_eq!(effort(&asked[0]).as_deref(), Some("adaptive")),
            _ => assert_eq!(effort(&asked[0]), None, "{name}"),
        }
    }
}

/// A provider that refuses a field which a catalogue says it takes is asked again without it, and not told it any more.
#[tokio::test]
async fn what_a_provider_refuses_is_left_out_from_then_on() {
    let server = Server::responding(|asked| match asked.body["response_format"]["type"].as_str() {
        Some("json_schema") => {
            Scripted::status(400, r#"{"error":{"message":"This response_format type is unavailable now"}}"#)
        }
        _ => Scripted::reply(Reply { text: well(purpose(asked)), usage: USAGE, ..Reply::default() }),
    })
    .await;
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(settings(home.path(), "openai", "OPENAI_API_KEY", &server)).await.unwrap();
    let (_, outcome) = create(&studio, REQUIREMENT).await;
    assert_eq!(outcome.status, RunStatus::Done);
    assert_eq!(server.count(RecordedEndpoint::Chat), CALLS.len() + 1, "it is refused once");
}

async fn tried(server: &Server) -> ModelTrial {
    let home = tempfile::tempdir().unwrap();
    let text = format!(
        "[models]\ndefault = \"mine/writer\"\n[providers.mine]\nbase_url = \"{}/v1\"\nkey_variable = \"MINE_API_KEY\"\n",
        server.url()
    );
    std::fs::write(home.path().join("config.toml"), text).unwrap();
    let settings = Settings::load(environment(home.path(), &[("MINE_API_KEY", "sk-x")]), toml::Table::new()).unwrap();
    let studio = Studio::open(settings).await.unwrap();
    studio.call(op::TryModel { model: None }).await.unwrap()
}

/// Each kind of failure has a message of its own, which is no page, no JSON and no bare number.
#[tokio::test]
async fn broken_endpoints_are_told_apart() {
    const PAGE: &str = "<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head><body>long</body></html>";
    let error = |message: &str, code: &str| format!(r#"{{"error":{{"message":"{message}","code":"{code}"}}}}"#);
    let cut = "data: {\"choices\":[{\"delta\":{\"content\":\"雪\"}}]}\n\n";
    let thinking = || Scripted::reply(Reply { reasoning: "雪夜…".into(), usage: USAGE, ..Reply::default() });
    let cases: Vec<(&str, usize, Scripted)> = vec![
        ("provider_refused", 1, Scripted::status(401, &error("Incorrect API key provided", "invalid_api_key"))),
        ("provider_address", 1, Scripted::status(404, "404 page not found")),
        ("provider_address", 1, Scripted::status(200, PAGE)),
        ("model_not_served", 1, Scripted::status(404, &error("The model `writer` does not exist", "model_not_found"))),
        ("no_credit", 1, Scripted::status(429, &error("You exceeded your current quota", "insufficient_quota"))),
        ("provider_busy", 2, Scripted::status(429, &error("Rate limit reached", "rate_limit"))),
        (
            "prompt_too_long",
            1,
            Scripted::status(400, &error("exceeded model token limit: 8192 (requested: 9120)", "x")),
        ),
        (
            "content_refused",
            1,
            Scripted::status(400, &error("Input may contain inappropriate content", "data_inspection_failed")),
        ),
        ("empty_answer", 2, thinking()),
        ("provider", 2, Scripted::status(200, &error("something broke", "internal"))),
        ("provider", 2, Scripted::status(502, &PAGE.replace("Welcome to nginx!", "502 Bad Gateway"))),
        ("answer_cut", 1, Scripted::sse([cut]).ending(BodyEnding::Cut)),
    ];
    let mut messages = Vec::new();
    for (code, asked, answer) in cases {
        let server = Server::scripted((0..asked).map(|_| answer.clone())).await;
        let trial = tried(&server).await;
        let failure = trial.text.failure.unwrap_or_else(|| panic!("{code}"));
        assert_eq!((trial.works, failure.code.as_str()), (false, code), "{failure:?}");
        assert_eq!(server.count(RecordedEndpoint::Chat), asked, "{code}");
        let plain = !failure.message.contains(['<', '{', '\n']) && failure.message.chars().count() < 300;
        assert!(plain && failure.message.len() > 20, "{}", failure.message);
        let says_where =
            matches!(code, "provider_refused" | "provider_address" | "no_credit" | "provider_busy" | "provider");
        assert!(!says_where || failure.message.contains("/v1/chat/completions"), "{}", failure.message);
        messages.push(failure.message.replace(&server.url(), ""));
    }
    messages.sort();
    let count = messages.len();
    messages.dedup();
    assert_eq!((count, messages.len()), (12, 12), "{messages:#?}");
}

#[tokio::test]
async fn a_model_that_works_is_told_with_its_words() {
    let server =
        Server::scripted([Scripted::text("雪落无声。"), Scripted::text(r#"{"word":"雪","letters":"1字"}"#)]).await;
    let trial = tried(&server).await;
    assert!(trial.works, "{trial:?}");
    assert_eq!((trial.text.said.as_str(), trial.key), ("雪落无声。", Some(KeySource::Environment)));
    assert_eq!(trial.json.unwrap().failure, None);
}

/// A key is used at once by a studio that is open, is never returned, and stands in no other file.
#[tokio::test]
async fn a_key_that_is_given_counts_at_once() {
    let server = Server::responding(|asked| {
        let is_right = asked.headers.get("authorization").is_some_and(|key| key == "Bearer sk-given");
        if is_right { Scripted::text("雪") } else { Scripted::status(401, "no") }
    })
    .await;
    let home = tempfile::tempdir().unwrap();
    let text = format!("[models]\nlocal = []\n[providers.deepseek]\nbase_url = \"{}/v1\"\n", server.url());
    std::fs::write(home.path().join("config.toml"), text).unwrap();
    let settings = Settings::load(environment(home.path(), &[]), toml::Table::new()).unwrap();
    let studio = Studio::open(settings).await.unwrap();
    let model = || Some("deepseek/usual".to_owned());
    let refused = studio.call(op::TryModel { model: model() }).await.unwrap_err();
    assert_eq!(refused.code(), "no_key");
    let row = studio.call(op::KeepModelKey { provider: "deepseek".into(), secret: "sk-given".into() }).await.unwrap();
    assert_eq!(row.source, Some(KeySource::File));
    assert!(!serde_json::to_string(&row).unwrap().contains("sk-given"));
    let trial = studio.call(op::TryModel { model: model() }).await.unwrap();
    assert_eq!((trial.model.as_str(), trial.text.failure), ("deepseek/deepseek-flash", None));
    let rows = studio.call(op::ListModels {}).await.unwrap();
    let row = rows.iter().find(|row| row.provider == "deepseek").unwrap();
    assert_eq!((row.key_present, row.key_source), (true, Some(KeySource::File)));
    assert_eq!(row.roles["writer"], "deepseek/deepseek-flash", "the first with a key serves");
    studio.call(op::ForgetModelKey { provider: "deepseek".into() }).await.unwrap();
    assert_eq!(studio.call(op::TryModel { model: model() }).await.unwrap_err().code(), "no_key");
    let unknown = studio.call(op::KeepModelKey { provider: "nobody".into(), secret: "x".into() }).await.unwrap_err();
    assert_eq!(unknown.code(), "unknown_model");
}

/// What a key can use is kept, and preferences are resolved against it.
#[tokio::test]
async fn preferences_follow_what_the_provider_lists() {
    let server = Server::scripted([Scripted::text("雪"), Scripted::text("{}")]).await;
    let list = r#"{"data":[{"id":"claude-sonnet-4-6"},{"id":"claude-sonnet-6"},{"id":"claude-haiku-5-5"}]}"#;
    server.push_for(RecordedEndpoint::Models, Scripted::status(200, list));
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(settings(home.path(), "anthropic", "ANTHROPIC_API_KEY", &server)).await.unwrap();
    let listings = studio.call(op::RefreshModels {}).await.unwrap();
    assert_eq!((listings.len(), listings[0].models.len()), (1, 3));
    let trial = studio.call(op::TryModel { model: Some("anthropic/usual".into()) }).await.unwrap();
    assert_eq!(trial.model, "anthropic/claude-sonnet-6", "a newer one than the catalogue knows");
    server.push_for(RecordedEndpoint::Models, Scripted::status(200, list));
    let error = studio.call(op::TryModel { model: Some("anthropic/best".into()) }).await.unwrap_err();
    assert_eq!((error.code(), &error.failure().data["models"][0]), ("model_not_served", &"claude-sonnet-4-6".into()));
}
