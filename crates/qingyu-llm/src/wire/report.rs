//! Finds the error that a provider reports inside a body or an event.

use std::time::Duration;

use serde_json::Value;

use super::http::shorten;
use crate::Error;

/// An error in the provider's words.
#[derive(Debug, PartialEq)]
pub(super) struct Report {
    /// The HTTP status it would have deserved, if it names one.
    status: Option<u16>,
    message: String,
}

impl Report {
    /// The whole of `text` as the message.
    pub(super) fn of_text(text: &str) -> Self {
        Self { status: None, message: shorten(text) }
    }

    /// The error for the caller; one with a status is sorted like the status.
    pub(super) fn into_error(self, model: &str) -> Error {
        let model = model.to_owned();
        match self.status {
            Some(status) => refusal(model, status, self.message, None),
            None if is_about_credit(None, &self.message) => Error::NoCredit { model, message: self.message },
            None => Error::Provider { model, message: self.message },
        }
    }
}

/// What providers say of a prompt that is too long, in lower case.
const TOO_LONG: [&str; 6] = [
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "prompt is too long",
    "range of input length",
    "exceeds the available context",
];

/// What providers say when an account has nothing left to pay with, in lower case and without blanks.
const NO_CREDIT: [&str; 22] = [
    // OpenAI, and servers that speak like it
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
    // Baidu: the daily limit of an account that is not paid for
    "openapidailyrequestlimitreached",
    "account_overdue",
];

/// The same in Chinese; where a refusal may quote the prompt, a story says such things too.
const NO_CREDIT_ZH: [&str; 2] = ["余额不足", "欠费"];

/// What says that a quota is one of a minute: the words are the same, but waiting helps.
const WAITING_HELPS: [&str; 5] = ["perminute", "retryin", "retrydelay", "allocatedquotaexceeded", "throttling"];

/// Whether an error says that the account is used up. 402 says so by itself.
fn is_about_credit(status: Option<u16>, body: &str) -> bool {
    if !matches!(status, None | Some(400..=403 | 429)) {
        return false;
    }
    let said: String = body.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| said.contains(phrase));
    let is_used_up = says(&NO_CREDIT) || matches!(status, Some(403 | 429)) && says(&NO_CREDIT_ZH);
    status == Some(402) || is_used_up && !says(&WAITING_HELPS)
}

/// The error of a status, sorted further by what the provider says.
pub(super) fn refusal(model: String, status: u16, body: String, retry_after: Option<Duration>) -> Error {
    let said = body.to_lowercase();
    if matches!(status, 400 | 413 | 422) && (status == 413 || TOO_LONG.iter().any(|words| said.contains(words))) {
        return Error::PromptTooLong { model, message: body };
    }
    if is_about_credit(Some(status), &body) {
        return Error::NoCredit { model, message: body };
    }
    Error::Http { model, status, body, retry_after }
}

/// The error in `document`, if it is one. The shapes are those of OpenAI, Anthropic, DashScope, MiniMax, vLLM, FastAPI.
pub(super) fn find(document: &Value) -> Option<Report> {
    let error = &document["error"];
    if is_said(error) {
        return Some(Report { status: status_in(error).or_else(|| status_in(document)), message: message_in(error) });
    }
    let base = &document["base_resp"];
    if base["status_code"].as_i64().is_some_and(|code| code != 0) {
        let message = format!("{} ({})", base["status_msg"].as_str().unwrap_or_default(), base["status_code"]);
        return Some(Report { status: None, message });
    }
    let is_error = document["type"] == "error" || document["object"] == "error";
    let is_answer = document.get("choices").is_some() || document.get("content").is_some();
    let complains = !is_answer && document["message"].is_string() && is_said(&document["code"]);
    let details = !is_answer && (is_said(&document["detail"]) || is_said(&document["errors"]));
    (is_error || complains || details).then(|| Report { status: status_in(document), message: message_in(document) })
}

/// Whether the field says anything: null, `""`, `{}`, `false` and 0 do not.
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

/// The message with its code or type behind it, or everything if there is no message.
fn message_in(error: &Value) -> String {
    if let Some(text) = error.as_str() {
        return shorten(text);
    }
    let Some(message) = error["message"].as_str() else { return shorten(&error.to_string()) };
    let kind = ["code", "type"].iter().find_map(|key| error[key].as_str().filter(|kind| !kind.is_empty()));
    match kind {
        Some(kind) => shorten(&format!("{message} ({kind})")),
        None => shorten(message),
    }
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
            let expected = Report { status, message: message.into() };
            assert_eq!(find(&document), Some(expected), "{document}");
        }
    }

    #[test]
    fn a_prompt_that_is_too_long_is_told_from_other_refusals() {
        let cases = [
            (400, "request (2978 tokens) exceeds the available context size (2048 tokens)", true),
            (400, "This model's maximum context length is 8192 tokens (context_length_exceeded)", true),
            (400, "prompt is too long: 210000 tokens > 200000 maximum", true),
            (413, "", true),
            (400, "unknown field", false),
            (500, "maximum context length", false),
        ];
        for (status, body, expected) in cases {
            let error = refusal("m".into(), status, body.into(), None);
            assert_eq!(matches!(error, Error::PromptTooLong { .. }), expected, "{status} {body}");
            assert_eq!(error.is_transient(), status == 500, "{status} {body}");
        }
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
            let error = refusal("m".into(), status, body.into(), None);
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
}
