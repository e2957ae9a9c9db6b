//! DuckDuckGo's page without scripts.

use futures::future::BoxFuture;
use url::Url;

use super::hits::{tidy, with_query};
use crate::service::WebService;
use crate::text::{parse, plain};
use crate::{Error, Query, WebHit, WebSearchEngine};

/// Selectors of the challenge page.
const CHALLENGE: &str = "#challenge-form, .anomaly-modal__modal, .anomaly-modal__title, form[action*='anomaly.js']";

#[derive(Debug)]
pub(super) struct DuckDuckGo(pub(super) WebService);

impl WebSearchEngine for DuckDuckGo {
    fn name(&self) -> &str {
        self.0.name
    }

    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<WebHit>, Error>> {
        Box::pin(async move {
            if query.words.trim().is_empty() || query.limit == 0 {
                return Ok(Vec::new());
            }
            let region = match query.language.as_deref() {
                Some("zh") => "cn-zh",
                Some("en") => "us-en",
                _ => "wt-wt",
            };
            let path = with_query("/html/", &[("q", query.words.trim()), ("kl", region)]);
            let (head, body) = self.0.get(&path, "text/html").await?;
            // Programs are refused with a success or error status, and never with hits.
            match head.status() {
                202 | 403 | 418 => return Err(self.0.busy(&head)),
                _ => self.0.refusal(&head).map_or(Ok(()), Err)?,
            }
            match read(&String::from_utf8_lossy(&body), query.limit) {
                DuckDuckGoPage::Hits(hits) => Ok(hits),
                DuckDuckGoPage::Challenge => Err(self.0.busy(&head)),
                DuckDuckGoPage::Nonsense => Err(self.0.bad_answer("neither hits nor their absence")),
            }
        })
    }
}

#[derive(Debug, PartialEq, Eq)]
enum DuckDuckGoPage {
    Hits(Vec<WebHit>),
    Challenge,
    Nonsense,
}

/// Parses the hits on a page; returns an empty list for any other page.
#[cfg(any(test, feature = "testing"))]
pub(super) fn hits(page: &str, limit: usize) -> Vec<WebHit> {
    match read(page, limit) {
        DuckDuckGoPage::Hits(hits) => hits,
        DuckDuckGoPage::Challenge | DuckDuckGoPage::Nonsense => Vec::new(),
    }
}

fn read(page: &str, limit: usize) -> DuckDuckGoPage {
    let Ok(document) = parse(page, &|| true) else { return DuckDuckGoPage::Nonsense };
    if document.select(CHALLENGE).exists() {
        return DuckDuckGoPage::Challenge;
    }
    let results = document.select(".result:not(.result--ad):not(.result--no-result)");
    let hits = results.iter().filter_map(|result| {
        let link = result.select("a.result__a");
        let snippet = result.select(".result__snippet").inner_html();
        Some(WebHit { url: aim(&link.attr("href")?)?, title: plain(&link.inner_html()), snippet: plain(&snippet) })
    });
    let hits = tidy(hits, limit);
    let says_none = document.select(".no-results, .result--no-result").exists();
    if hits.is_empty() && !says_none && !results.exists() {
        return DuckDuckGoPage::Nonsense;
    }
    DuckDuckGoPage::Hits(hits)
}

/// Returns the target of a link: DuckDuckGo redirects with the address in `uddg`. `None` for DuckDuckGo's own links,
/// such as advertisements.
fn aim(href: &str) -> Option<String> {
    let base = Url::parse("https://duckduckgo.com/").expect("it is an address");
    let url = base.join(href).ok()?;
    let is_own = url.host_str().is_some_and(|host| host == "duckduckgo.com" || host.ends_with(".duckduckgo.com"));
    let aim = if is_own {
        let (_, aim) = url.query_pairs().find(|(name, _)| url.path() == "/l/" && name == "uddg")?;
        Url::parse(&aim).ok()?
    } else {
        url
    };
    matches!(aim.scheme(), "http" | "https").then(|| aim.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_to_where_they_lead() {
        let cases = [
            (
                "//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fb%3Fc%3D1%26d&rut=0f",
                Some("https://a.example/b?c=1&d"),
            ),
            ("https://a.example/b", Some("https://a.example/b")),
            ("//duckduckgo.com/l/?uddg=https%3At%3D0f", Some("https://t=0f/")),
            ("//duckduckgo.com/l/?uddg=javascript%3Aalert(1)", None),
            ("mailto:a@a.example", None),
            ("//a.example/b", Some("https://a.example/b")),
            ("https://duckduckgo.com/y.js?ad_domain=x&uddg=https%3A%2F%2Fx.example", None),
            ("/settings", None),
            ("//duckduckgo.com/l/?rut=1", None),
        ];
        for (href, expected) in cases {
            assert_eq!(aim(href).as_deref(), expected, "{href}");
        }
    }

    #[test]
    fn no_hits_is_not_a_refusal() {
        let none =
            "<div class=\"result results_links result--no-result\"><div class=no-results>No results.</div></div>";
        assert_eq!(read(none, 5), DuckDuckGoPage::Hits(Vec::new()));
        let anomaly = "<form id=\"challenge-form\" action=\"//duckduckgo.com/anomaly.js?sv=html\"><div class=\"anomaly-modal__title\">\
            Unfortunately, bots use DuckDuckGo too.</div></form>";
        assert_eq!(read(anomaly, 5), DuckDuckGoPage::Challenge);
        assert_eq!(read("<p>hello</p>", 5), DuckDuckGoPage::Nonsense);
    }
}
