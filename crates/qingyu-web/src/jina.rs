//! Jina Reader: another's machine reads the page. It sees every address, and decides by itself about robots.txt.

use futures::future::BoxFuture;
use serde_json::Value;
use tokio::time::{Instant, timeout};

use crate::guard::Target;
use crate::service::Service;
use crate::text::{Kind, Material, read};
use crate::{Error, Page, Reader};

/// Reads pages through Jina Reader, by its JSON or, where a server has only that, its text.
#[derive(Debug)]
pub(crate) struct JinaReader {
    pub(crate) service: Service,
    pub(crate) max_characters: usize,
}

/// What one answer says of a page.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    title: String,
    url: String,
    content: String,
    warning: String,
}

impl Reader for JinaReader {
    fn name(&self) -> &str {
        self.service.name
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Page, Error>> {
        Box::pin(async move {
            let began = Instant::now();
            // What may not be read from here is not asked of anybody else.
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
    fn told(&self, body: &[u8]) -> Result<Told, Error> {
        let text = String::from_utf8_lossy(body);
        if !text.trim_start().starts_with('{') {
            return Told::from_text(&text).ok_or_else(|| self.service.bad_answer("it is neither JSON nor its text"));
        }
        let answer: Value = serde_json::from_str(&text).map_err(|error| self.service.bad_answer(&error.to_string()))?;
        match answer["code"].as_u64() {
            None | Some(200) => {}
            Some(429) => return Err(Error::RateLimited { name: self.service.name.into(), retry_after: None }),
            Some(code) => return Err(Error::HttpStatus { status: u16::try_from(code).unwrap_or(500) }),
        }
        Told::from_json(&answer["data"]).ok_or_else(|| self.service.bad_answer("it has no content"))
    }

    fn page(&self, asked: &str, target: &Target, told: Told) -> Result<Page, Error> {
        let material = Material {
            bytes: told.content.into_bytes(),
            kind: Kind::Markdown,
            content_type: "text/markdown; charset=utf-8".into(),
            url: target.url.to_string(),
        };
        let text = read(&material, self.max_characters, &|| true)?;
        let url = self.service.fetcher.guard.parse(&told.url).map_or(target.url.to_string(), |it| it.url.to_string());
        Ok(Page {
            read_at: crate::read::now(),
            url,
            asked: asked.to_owned(),
            title: if told.title.trim().is_empty() { text.title } else { told.title.trim().to_owned() },
            text: text.text,
            language: None,
            bytes: 0,
            millis: 0,
            is_cut: text.is_cut,
        })
    }
}

impl Told {
    fn from_json(data: &Value) -> Option<Self> {
        let text = |field: &str| data[field].as_str().unwrap_or_default().to_owned();
        let content = data["content"].as_str().or_else(|| data["text"].as_str())?.to_owned();
        Some(Self { title: text("title"), url: text("url"), warning: text("warning"), content })
    }

    /// A head of `Name: value` lines, and all that follows `Markdown Content:`.
    fn from_text(text: &str) -> Option<Self> {
        let (head, content) = text.split_once("Markdown Content:")?;
        let field =
            |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
        let (title, url, warning) = (field("Title:"), field("URL Source:"), field("Warning:"));
        Some(Self { title, url, warning, content: content.to_owned() })
    }
}

/// The status in a warning such as `Target URL returned error 404: Not Found`.
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
        let told = Told::from_text(text).unwrap();
        assert_eq!((told.title.as_str(), told.url.as_str()), ("汴京夜市", "https://a.example/b"));
        assert_eq!(told.content.trim(), "# 夜市\n\n三更方散。");
        assert_eq!(target_status(&told.warning), Some(404));
        assert_eq!(target_status("This page maybe requiring CAPTCHA"), None);
        assert_eq!(Told::from_text("<html>"), None);
    }
}
