//! Answers in the formats of the engines, and of Jina Reader.

use std::fmt::Write as _;

use serde_json::{Value, json};
use url::Url;
use url::form_urlencoded::byte_serialize;

use super::FakeAnswer;
use crate::{SearchKind, WebHit};

/// The reply of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineReply {
    /// The given hits.
    Hits(Vec<WebHit>),
    /// A rate limit.
    Busy,
    /// An invalid response.
    Broken,
}

impl EngineReply {
    /// Returns the reply in the format of `kind`.
    pub fn as_answer(&self, kind: SearchKind) -> FakeAnswer {
        match (self, kind) {
            (Self::Broken, _) => FakeAnswer::html("oops", "<p>The server is being moved.</p>"),
            (Self::Busy, SearchKind::Duckduckgo) => {
                let form =
                    "<form id=\"challenge-form\"><div class=\"anomaly-modal__title\">Select all ducks</div></form>";
                FakeAnswer { status: 202, ..FakeAnswer::html("DuckDuckGo", form) }
            }
            (Self::Busy, _) => FakeAnswer::status(429).with_header("Retry-After", "7"),
            (Self::Hits(hits), SearchKind::Duckduckgo | SearchKind::None) => duckduckgo(hits),
            (Self::Hits(hits), SearchKind::Searxng) => {
                FakeAnswer::json(&json!({"query": "q", "number_of_results": 0, "results": rows(hits, "content"),
                    "answers": [], "corrections": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": []}))
            }
            (Self::Hits(hits), SearchKind::Brave) if hits.is_empty() => {
                FakeAnswer::json(&json!({"type": "search", "query": {"original": "q"}}))
            }
            (Self::Hits(hits), SearchKind::Brave) => FakeAnswer::json(
                &json!({"type": "search", "web": {"type": "search", "results": rows(hits, "description")}}),
            ),
            (Self::Hits(hits), SearchKind::Tavily) => {
                FakeAnswer::json(&json!({"query": "q", "results": rows(hits, "content"), "response_time": 0.1}))
            }
        }
    }
}

/// Returns the searched words, if the request is for an engine: by its path, and its query or body.
pub(super) fn words(path: &str, body: &[u8]) -> Option<(SearchKind, String)> {
    let url = Url::parse("http://a.example").ok()?.join(path).ok()?;
    let word = || Some(url.query_pairs().find(|(name, _)| name == "q")?.1.into_owned());
    Some(match url.path() {
        "/html/" => (SearchKind::Duckduckgo, word()?),
        "/res/v1/web/search" => (SearchKind::Brave, word()?),
        "/search" => match serde_json::from_slice::<Value>(body) {
            Ok(body) => (SearchKind::Tavily, body["query"].as_str()?.to_owned()),
            Err(_) => (SearchKind::Searxng, word()?),
        },
        _ => return None,
    })
}

/// Returns Jina Reader's answer for a page.
pub(super) fn jina(url: &str, page: Option<&FakeAnswer>) -> FakeAnswer {
    let Some(page) = page.filter(|page| page.status == 200) else {
        let status = page.map_or(404, |page| page.status);
        let warning = format!("Target URL returned error {status}: Not Found");
        return FakeAnswer::json(&json!({"code": 200, "status": 20_000,
            "data": {"title": "", "url": url, "content": "There is nothing here.", "warning": warning}}));
    };
    let content = crate::text::plain(&String::from_utf8_lossy(&page.body));
    FakeAnswer::json(&json!({"code": 200, "status": 20_000, "data": {"title": "", "url": url, "content": content}}))
}

fn rows(hits: &[WebHit], snippet: &str) -> Vec<Value> {
    hits.iter().map(|hit| json!({"url": hit.url, "title": hit.title, snippet: hit.snippet, "score": 0.5})).collect()
}

fn duckduckgo(hits: &[WebHit]) -> FakeAnswer {
    let mut page = String::from("<div id=\"links\" class=\"results\">");
    let advertisement = "https://duckduckgo.com/y.js?ad_provider=x&u3=y";
    let _written = write!(
        page,
        "<div class=\"result results_links result--ad\"><a class=\"result__a\" href=\"{advertisement}\">Buy</a></div>"
    );
    for hit in hits {
        let aim: String = byte_serialize(hit.url.as_bytes()).collect();
        let _written = write!(
            page,
            "<div class=\"result results_links results_links_deep web-result\"><div class=\"links_main result__body\">\
             <h2 class=\"result__title\"><a rel=\"nofollow\" class=\"result__a\" href=\"//duckduckgo.com/l/?uddg={aim}&amp;rut=ab\">\
             {}</a></h2><a class=\"result__snippet\" href=\"//duckduckgo.com/l/?uddg={aim}\">{}</a></div></div>",
            hit.title, hit.snippet
        );
    }
    if hits.is_empty() {
        page.push_str("<div class=\"result result--no-result\"><div class=\"no-results\">No results.</div></div>");
    }
    FakeAnswer::html("DuckDuckGo", &format!("{page}</div>"))
}
