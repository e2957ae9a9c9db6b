//! Jina Reader: a remote service reads the page. The service sees every address, and applies robots.txt at its own
//! discretion.

use futures::future::BoxFuture;
use serde_json::Value;
use tokio::time::{Instant, timeout};

use crate::guard::FetchTarget;
use crate::service::WebService;
use crate::text::{PageKind, RawPage, date, read};
use crate::{Error, PageReader, WebPage};

/// Reads pages through Jina Reader, in its JSON format or, as a fallback, its text format.
#[derive(Debug)]
pub(crate) struct JinaReader {
    pub(crate) service: WebService,
    pub(crate) max_characters: usize,
}

/// The response for a page.
#[derive(Debug, Default, PartialEq, Eq)]
struct JinaAnswer {
    title: String,
    url: String,
    content: String,
    warning: String,
    /// The date of publication; empty if the service knows none.
    published: String,
}

impl PageReader for JinaReader {
    fn name(&self) -> &str {
        self.service.name
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<WebPage, Error>> {
        Box::pin(async move {
            let began = Instant::now();
            // A page forbidden to the local reader is not requested from a remote service either.
            let limit = self.service.fetcher.limits.first_byte;
            let checked = timeout(limit, self.service.fetcher.guard.check(url)).await;
            let target = checked.map_err(|_elapsed| Error::Timeout { limit })??;
            let (head, body) = self.service.get(&format!("/{}", target.url), "application/json").await?;
            if let Some(error) = self.service.refusal(&head) {
                return Err(error);
            }
            let told = self.told(&body)?;
            if let Some(status) = target_status(&told.warning) {
                return Err(Error::HttpStatus { status });
            }
            let mut page = self.page(url, &target, told)?;
            page.bytes = body.len() as u64;
            page.millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            Ok(page)
        })
    }
}

impl JinaReader {
    fn told(&self, body: &[u8]) -> Result<JinaAnswer, Error> {
        let text = String::from_utf8_lossy(body);
        if !text.trim_start().starts_with('{') {
            return JinaAnswer::from_text(&text)
                .ok_or_else(|| self.service.bad_answer("it is neither JSON nor its text"));
        }
        let answer: Value = serde_json::from_str(&text).map_err(|error| self.service.bad_answer(&error.to_string()))?;
        match answer["code"].as_u64() {
            None | Some(200) => {}
            Some(429) => return Err(Error::RateLimited { name: self.service.name.into(), retry_after: None }),
            Some(code) => return Err(Error::HttpStatus { status: u16::try_from(code).unwrap_or(500) }),
        }
        JinaAnswer::from_json(&answer["data"]).ok_or_else(|| self.service.bad_answer("it has no content"))
    }

    fn page(&self, asked: &str, target: &FetchTarget, told: JinaAnswer) -> Result<WebPage, Error> {
        let material = RawPage {
            bytes: told.content.into_bytes(),
            kind: PageKind::Markdown,
            content_type: "text/markdown; charset=utf-8".into(),
            url: target.url.to_string(),
        };
        let mut text = read(&material, self.max_characters, &|| true)?;
        if !told.published.is_empty() {
            text.imprint.published = told.published;
        }
        let url = self.service.fetcher.guard.parse(&told.url).map_or(target.url.to_string(), |it| it.url.to_string());
        Ok(WebPage {
            read_at: crate::read::now(),
            url,
            asked: asked.to_owned(),
            title: if told.title.trim().is_empty() { text.title } else { told.title.trim().to_owned() },
            text: text.text,
            language: None,
            bytes: 0,
            millis: 0,
            is_cut: text.is_cut,
            imprint: text.imprint,
        })
    }
}

impl JinaAnswer {
    fn from_json(data: &Value) -> Option<Self> {
        let text = |field: &str| data[field].as_str().unwrap_or_default().to_owned();
        let content = data["content"].as_str().or_else(|| data["text"].as_str())?.to_owned();
        let published = published(&text("publishedTime"));
        Some(Self { title: text("title"), url: text("url"), warning: text("warning"), content, published })
    }

    /// Parses a head of `Name: value` lines, and the content after `Markdown Content:`.
    fn from_text(text: &str) -> Option<Self> {
        let (head, content) = text.split_once("Markdown Content:")?;
        let field =
            |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
        let (title, url, warning) = (field("Title:"), field("URL Source:"), field("Warning:"));
        let published = published(&field("Published Time:"));
        Some(Self { title, url, warning, content: content.to_owned(), published })
    }
}

fn published(given: &str) -> String {
    date(given).unwrap_or_default()
}

/// Parses the status in a warning such as `Target URL returned error 404: Not Found`.
fn target_status(warning: &str) -> Option<u16> {
    let (_, rest) = warning.split_once("returned error ")?;
    rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_form_is_read() {
        let text = "Title: 汴京夜市\n\nURL Source: https://a.example/b\n\nWarning: Target URL returned error 404: Not Found\n\n\
            Markdown Content:\n# 夜市\n\n三更方散。\n";
        let told = JinaAnswer::from_text(text).unwrap();
        assert_eq!((told.title.as_str(), told.url.as_str()), ("汴京夜市", "https://a.example/b"));
        assert_eq!(told.content.trim(), "# 夜市\n\n三更方散。");
        assert_eq!(target_status(&told.warning), Some(404));
        assert_eq!(target_status("This page maybe requiring CAPTCHA"), None);
        assert_eq!(JinaAnswer::from_text("<html>"), None);
    }
}
