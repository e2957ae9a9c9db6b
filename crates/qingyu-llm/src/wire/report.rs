//! Classifies providers' error messages and finds errors in bodies and events.
//!
//! The kinds are the variants of [`Error`]. All provider-specific wordings are in this module only.

use std::time::Duration;

use serde_json::Value;

use crate::Error;

/// Maximum stored characters of an error body.
pub(super) const SHOWN: usize = 2_000;

/// An error in the provider's wording.
#[derive(Debug, PartialEq)]
pub(super) struct ErrorReport {
    /// The equivalent HTTP status, if given.
    status: Option<u16>,
    message: String,
}

impl ErrorReport {
    /// Returns a report with the whole `text` as the message.
    pub(super) fn of_text(text: &str) -> Self {
        Self { status: None, message: shorten(text) }
    }

    /// Returns the error for the caller, classified by status and wording. The URL is not known here.
    pub(super) fn into_error(self, model: &str) -> Error {
        sorted(model.to_owned(), self.status, &self.message, None)
    }
}

/// Messages about a too long prompt, in lower case.
const TOO_LONG: [&str; 20] = [
    // OpenAI, DeepSeek, Mistral
    "context_length_exceeded",
    "maximum context length",
    "context window",
    "string_above_max_length",
    // Anthropic
    "prompt is too long",
    // llama.cpp
    "exceed_context_size",
    "exceeds the available context",
    // DashScope
    "range of input length",
    // Moonshot
    "exceeded model token limit",
    // vLLM
    "longer than the model's context length",
    "longer than the maximum model length",
    // SiliconFlow
    "max_seq_len",
    // Gemini
    "exceeds the maximum number of tokens",
    // Zhipu
    "prompt 超长",
    "prompt超长",
    "\"code\":\"1261\"",
    // MiniMax, Volcengine
    "context window exceeds limit",
    "total tokens of image and text exceed max message tokens",
    // Embedding servers
    "must have less than",
    "input is too long",
];

/// Messages about an exhausted account, in lower case and without blanks.
const NO_CREDIT: [&str; 23] = [
    // OpenAI, and compatible servers
    "insufficient_quota",
    "exceededyourcurrentquota",
    "billing_hard_limit_reached",
    // Anthropic
    "creditbalanceistoolow",
    // DeepSeek, MiniMax, SiliconFlow and most gateways
    "insufficientbalance",
    "insufficient_balance",
    "balanceisinsufficient",
    "balanceisnotenough",
    "notenoughbalance",
    "not_enough_balance",
    "insufficient_user_quota",
    // OpenRouter, xAI
    "insufficientcredits",
    "insufficient_credits",
    "usedallavailablecredits",
    // Moonshot
    "exceeded_current_quota_error",
    // Zhipu
    "\"code\":\"1113\"",
    "\"code\":1113,",
    "(1113)",
    // DashScope
    "arrearage",
    "freetieronly",
    // Volcengine
    "accountoverdue",
    // Baidu: the daily limit of an unpaid account
    "openapidailyrequestlimitreached",
    "account_overdue",
];

/// The same in Chinese; a separate list, because a refusal may quote a prompt with these words.
const NO_CREDIT_ZH: [&str; 2] = ["余额不足", "欠费"];

/// Markers of a per-minute quota: the same wording, but waiting helps.
const WAITING_HELPS: [&str; 5] = ["perminute", "retryin", "retrydelay", "allocatedquotaexceeded", "throttling"];

/// Messages about an invalid key under an ambiguous status, in lower case.
const BAD_KEY: [&str; 11] = [
    "api key not valid",
    "api_key_invalid",
    "invalid api key",
    "invalid_api_key",
    "incorrect api key",
    "invalidapikey",
    "invalid api-key",
    "invalid x-api-key",
    "authentication_error",
    "login fail",
    "无效的令牌",
];

/// Messages about a missing model, in lower case.
const NO_MODEL: [&str; 17] = [
    // OpenAI, Moonshot, vLLM, DashScope
    "model_not_found",
    "model not found",
    "does not have access to model",
    "not found the model",
    "model_not_supported",
    "model not supported",
    // DeepSeek
    "model not exist",
    "supported api model names are",
    // SiliconFlow, MiniMax
    "model does not exist",
    "unknown model",
    "invalid model",
    // Ollama and small servers
    "no such model",
    // Zhipu
    "模型不存在",
    "\"code\":\"1211\"",
    // Volcengine
    "invalidendpointormodel",
    // Ollama, OpenRouter
    "try pulling it first",
    "is not a valid model",
];

/// Messages about a prompt refused for its content, in lower case.
const CONTENT: [&str; 12] = [
    "data_inspection_failed",
    "datainspectionfailed",
    "content_filter",
    "contentfilter",
    "content policy",
    "content management policy",
    "content exists risk",
    "sensitivecontentdetected",
    "input new_sensitive",
    "\"code\":\"1301\"",
    "敏感内容",
    "high risk",
];

/// Returns whether an error is about an exhausted account. 402 always is.
fn is_about_credit(status: Option<u16>, body: &str) -> bool {
    if !matches!(status, None | Some(400..=403 | 429)) {
        return false;
    }
    let said: String = body.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| said.contains(phrase));
    let is_used_up = says(&NO_CREDIT) || matches!(status, Some(403 | 429)) && says(&NO_CREDIT_ZH);
    status == Some(402) || is_used_up && !says(&WAITING_HELPS)
}

/// Returns whether an error is about a missing model.
fn is_about_model(status: Option<u16>, said: &str) -> bool {
    let may_be = matches!(status, None | Some(400 | 403 | 404 | 422));
    let is_missing =
        |said: &str| ["does not exist", "not found", "not_found_error"].iter().any(|words| said.contains(words));
    let names_one = said.contains("the model `") || said.contains("model '") || said.contains("model:");
    may_be && (NO_MODEL.iter().any(|words| said.contains(words)) || names_one && is_missing(said))
}

/// Returns the error of a status, classified by the provider's message. `body` is the body as received.
pub(super) fn refusal(model: String, status: u16, body: &str, retry_after: Option<Duration>) -> Error {
    if let Some(page) = page(body) {
        return match status {
            401 | 403 | 407 | 429 | 500.. => {
                Error::Http { model, status, body: page, retry_after, url: Box::default() }
            }
            status => Error::BadAddress { model, status: Some(status), message: page, url: Box::default() },
        };
    }
    sorted(model, Some(status), &shorten(body), retry_after)
}

/// Returns the classified error of a message.
fn sorted(model: String, status: Option<u16>, body: &str, retry_after: Option<Duration>) -> Error {
    let said = body.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|words| said.contains(words));
    let is_ours = matches!(status, None | Some(400 | 403 | 404 | 413 | 422));
    let message = message_of(body);
    let url = Box::default();
    if status == Some(413) || is_ours && says(&TOO_LONG) {
        let limit = limit_in(&message);
        return Error::PromptTooLong { model, message, limit };
    }
    if is_about_credit(status, body) {
        return Error::NoCredit { model, message };
    }
    if is_ours && says(&CONTENT) {
        return Error::Filtered { model, purpose: String::new(), message };
    }
    if is_about_model(status, &said) {
        return Error::NoSuchModel { model, status: status.unwrap_or(200), message, url, available: Box::default() };
    }
    match status {
        Some(status @ (401 | 407)) => Error::BadKey { model, status, message, url },
        Some(status @ 403) => Error::BadKey { model, status, message, url },
        _ if is_ours && says(&BAD_KEY) => Error::BadKey { model, status: status.unwrap_or(200), message, url },
        Some(300..=399 | 404 | 405 | 410) => Error::BadAddress { model, status, message, url },
        Some(status) => Error::Http { model, status, body: message, retry_after, url },
        None => Error::Provider { model, message },
    }
}

/// Returns the title of `body` if `body` is a web page, never its source.
pub(super) fn page(body: &str) -> Option<String> {
    let begin: String = body.trim_start_matches('\u{feff}').trim_start().chars().take(200).collect();
    let begin = begin.to_lowercase();
    if !begin.starts_with("<!doctype")
        && !begin.contains("<html")
        && !begin.starts_with("<?xml")
        && !begin.starts_with("<head")
    {
        return None;
    }
    let lower = body.to_ascii_lowercase();
    let text_of = |tag: &str| {
        let at = lower.find(tag)?;
        let from = at + lower[at..].find('>')? + 1;
        let to = from + lower[from..].find('<')?;
        body.get(from..to)
    };
    let title: String = text_of("<title")
        .or_else(|| text_of("<h1"))
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let title: String = title.chars().take(100).collect();
    Some(if title.is_empty() { "a web page".to_owned() } else { format!("a web page, “{title}”") })
}

/// Returns the message in a body: the message of a JSON error, else the body itself.
fn message_of(body: &str) -> String {
    let document = serde_json::from_str::<Value>(body).ok();
    let document = document.map(|document| match document {
        // Gemini wraps its error in a list.
        Value::Array(mut list) if list.len() == 1 => list.remove(0),
        other => other,
    });
    document.as_ref().and_then(find).map_or_else(|| body.trim().to_owned(), |report| report.message)
}

/// Returns the exceeded limit of a message: the smallest number of tokens.
fn limit_in(message: &str) -> Option<u64> {
    // The message may be followed by a code, which is a number too.
    let code = message.rfind(" (").filter(|at| message.ends_with(')') && !message[at + 2..].contains(' '));
    let plain = message[..code.unwrap_or(message.len())].replace([',', '_'], "");
    let numbers = plain.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u64>().ok());
    numbers.filter(|number| *number >= 128).min()
}

/// Returns the error in `document`, if any, in the formats of OpenAI, Anthropic, DashScope, MiniMax, vLLM, FastAPI.
pub(super) fn find(document: &Value) -> Option<ErrorReport> {
    let error = &document["error"];
    if is_said(error) {
        return Some(ErrorReport {
            status: status_in(error).or_else(|| status_in(document)),
            message: message_in(error),
        });
    }
    let base = &document["base_resp"];
    if base["status_code"].as_i64().is_some_and(|code| code != 0) {
        let message = format!("{} ({})", base["status_msg"].as_str().unwrap_or_default(), base["status_code"]);
        return Some(ErrorReport { status: None, message });
    }
    let is_error = document["type"] == "error" || document["object"] == "error";
    let is_answer = document.get("choices").is_some() || document.get("content").is_some();
    let complains = !is_answer && document["message"].is_string() && is_said(&document["code"]);
    let details = !is_answer && (is_said(&document["detail"]) || is_said(&document["errors"]));
    (is_error || complains || details)
        .then(|| ErrorReport { status: status_in(document), message: message_in(document) })
}

/// Returns whether the field has content: null, `""`, `{}`, `false` and 0 do not count.
fn is_said(field: &Value) -> bool {
    match field {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

fn status_in(error: &Value) -> Option<u16> {
    ["code", "status", "status_code"].iter().find_map(|key| {
        let number = match &error[key] {
            Value::String(text) => text.parse().ok(),
            value => value.as_u64().and_then(|it| u16::try_from(it).ok()),
        };
        number.filter(|number| (400..600).contains(number))
    })
}

/// Returns the message with its code or type appended, or the whole value without a message.
fn message_in(error: &Value) -> String {
    if let Some(text) = error.as_str() {
        return shorten(text);
    }
    let kind = ["code", "type"].iter().find_map(|key| error[key].as_str().filter(|kind| !kind.is_empty()));
    match (error["message"].as_str(), kind) {
        (Some(message), Some(kind)) => shorten(&format!("{message} ({kind})")),
        (Some(message), None) => shorten(message),
        (None, Some(kind)) => kind.to_owned(),
        (None, None) => shorten(&error.to_string()),
    }
}

/// Returns the first [`SHOWN`] characters.
fn shorten(text: &str) -> String {
    text.trim().chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_are_found_in_every_shape() {
        let cases = [
            (
                json!({ "error": { "message": "no", "type": "invalid_request_error" } }),
                None,
                "no (invalid_request_error)",
            ),
            (json!({ "error": { "message": "busy", "code": 429 } }), Some(429), "busy"),
            (json!({ "error": { "message": "busy", "code": "1302" } }), None, "busy (1302)"),
            (json!({ "error": { "message": "no", "code": "401" }, "choices": [] }), Some(401), "no (401)"),
            (json!({ "error": "model not found" }), None, "model not found"),
            (
                json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }),
                None,
                "Overloaded (overloaded_error)",
            ),
            (json!({ "base_resp": { "status_code": 1004, "status_msg": "login fail" } }), None, "login fail (1004)"),
            (
                json!({ "code": "InvalidApiKey", "message": "Invalid API-key", "request_id": "r" }),
                None,
                "Invalid API-key (InvalidApiKey)",
            ),
            (json!({ "object": "error", "message": "too long", "code": 400 }), Some(400), "too long"),
            (json!({ "detail": "Not Found" }), None, r#"{"detail":"Not Found"}"#),
        ];
        for (document, status, message) in cases {
            let expected = ErrorReport { status, message: message.into() };
            assert_eq!(find(&document), Some(expected), "{document}");
        }
    }

    #[test]
    fn a_prompt_that_is_too_long_is_told_from_other_refusals() {
        let cases = [
            (400, "request (2978 tokens) exceeds the available context size (2048 tokens)", Some(2048)),
            (400, "This model's maximum context length is 8192 tokens (context_length_exceeded)", Some(8192)),
            (400, "prompt is too long: 210000 tokens > 200000 maximum", Some(200_000)),
            (
                400,
                r#"{"error":{"message":"Your request exceeded model token limit: 8192 (requested: 9120)"}}"#,
                Some(8192),
            ),
            (
                400,
                r#"{"object":"error","message":"The input (9120 tokens) is longer than the model's context length (8192 tokens).","code":400}"#,
                Some(8192),
            ),
            (
                400,
                r#"{"code":20015,"message":"length of prompt_tokens (9120) must be less than max_seq_len (8192)."}"#,
                Some(8192),
            ),
            (
                400,
                r#"[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}]"#,
                Some(1_048_576),
            ),
            (400, r#"{"error":{"code":"1261","message":"Prompt 超长"}}"#, None),
            (
                413,
                r#"{"message":"Input validation error: `inputs` must have less than 512 tokens. Given: 521","code":413}"#,
                Some(512),
            ),
            (413, "", None),
        ];
        for (status, body, limit) in cases {
            let error = refusal("m".into(), status, body, None);
            assert!(
                matches!(error, Error::PromptTooLong { limit: found, .. } if found == limit),
                "{status} {body}: {error:?}"
            );
            assert!(!error.is_transient());
        }
        for (status, body) in [(400, "unknown field"), (500, "maximum context length")] {
            let error = refusal("m".into(), status, body, None);
            assert!(!matches!(error, Error::PromptTooLong { .. }), "{status} {body}");
            assert_eq!(error.is_transient(), status == 500, "{status} {body}");
        }
    }

    #[test]
    fn refusals_are_sorted_by_kind() {
        let page = "<!DOCTYPE html>\n<html><head><title>\n Not Found </title></head><body>long</body></html>";
        let cases = [
            (401, "no", "key"),
            (403, "no", "key"),
            (
                400,
                r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
                "key",
            ),
            (404, "404 page not found", "address"),
            (405, "", "address"),
            (308, "", "address"),
            (404, page, "address"),
            (502, page, "http"),
            (
                404,
                r#"{"error":{"message":"The model `x` does not exist or you do not have access to it.","code":"model_not_found"}}"#,
                "model",
            ),
            (404, r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}"#, "model"),
            (400, r#"{"error":{"message":"Model Not Exist","type":"invalid_request_error"}}"#, "model"),
            (400, r#"{"error":{"code":"1211","message":"模型不存在，请检查模型代码。"}}"#, "model"),
            (404, r#"{"error":{"message":"model 'qwen9' not found","type":"api_error"}}"#, "model"),
            (
                400,
                r#"{"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content."}}"#,
                "content",
            ),
            (400, r#"{"error":{"message":"Content Exists Risk"}}"#, "content"),
            (429, "slow down", "http"),
            (529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, "http"),
            (400, "unknown field", "http"),
        ];
        for (status, body, kind) in cases {
            let error = refusal("m".into(), status, body, None);
            let found = match &error {
                Error::BadKey { .. } => "key",
                Error::BadAddress { .. } => "address",
                Error::NoSuchModel { .. } => "model",
                Error::Filtered { .. } => "content",
                Error::Http { .. } => "http",
                _ => "other",
            };
            assert_eq!(found, kind, "{status} {body}");
            assert!(!error.to_string().contains(['<', '{']), "{error}");
        }
        assert_eq!(super::page(page).unwrap(), "a web page, “Not Found”");
        assert_eq!(super::page("<p>"), None);
    }

    #[test]
    fn an_empty_account_is_told_from_a_busy_provider() {
        let openai = r#"{"error": {"message": "You exceeded your current quota, please check your plan and billing details.",
            "type": "insufficient_quota", "code": "insufficient_quota"}}"#;
        let zhipu = r#"{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}"#;
        let cases = [
            (429, openai, true),
            (402, r#"{"error":{"message":"Insufficient Balance","type":"unknown_error"}}"#, true),
            (402, "", true),
            (429, r#"{"error":{"message":"Your account is suspended","type":"exceeded_current_quota_error"}}"#, true),
            (429, zhipu, true),
            (429, r#"{"error":{"code": "1113","message":"您的账户已欠费"}}"#, true),
            (
                400,
                r#"{"error":{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}}"#,
                true,
            ),
            (403, r#"{"error":{"code":"AccountOverdueError","message":"The account has an overdue balance."}}"#, true),
            (400, r#"{"error":{"message":"Your credit balance is too low to access the Anthropic API."}}"#, true),
            (429, r#"{"error_code":17,"error_msg":"Open api daily request limit reached"}"#, true),
            (429, r#"{"error":{"code":"1302","message":"您的账户已达到速率限制"}}"#, false),
            (429, "You exceeded your current quota. Please retry in 34s. GenerateRequestsPerMinutePerProject", false),
            (429, r#"{"error":{"code":"insufficient_quota","message":"Allocated quota exceeded"}}"#, false),
            (429, "Rate limit reached for requests", false),
            (401, "Incorrect API key provided", false),
            (503, "insufficient_quota", false),
        ];
        for (status, body, expected) in cases {
            let error = refusal("m".into(), status, body, None);
            assert_eq!(matches!(error, Error::NoCredit { .. }), expected, "{status} {body}");
            assert_eq!(error.is_transient(), !expected && matches!(status, 429 | 503), "{status} {body}");
        }
        let minimax = json!({ "base_resp": { "status_code": 1008, "status_msg": "insufficient balance" } });
        assert!(matches!(find(&minimax).unwrap().into_error("m"), Error::NoCredit { .. }));
    }

    #[test]
    fn answers_are_not_errors() {
        let cases = [
            json!({ "choices": [], "error": null }),
            json!({ "choices": [], "error": {}, "base_resp": { "status_code": 0, "status_msg": "" } }),
            json!({ "choices": [{ "delta": { "content": "error" } }], "code": 0, "message": "ok" }),
            json!({ "type": "ping" }),
        ];
        for document in cases {
            assert_eq!(find(&document), None, "{document}");
        }
    }

    #[test]
    fn a_long_body_is_shortened_by_characters() {
        assert_eq!(shorten(&"雪".repeat(SHOWN + 1)).chars().count(), SHOWN);
    }
}
