//! A local reader of pages.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::{Instant, timeout};

use crate::fetch::{FetchOptions, FetchStep, Fetcher, MOST_REDIRECTS, ResponseHead, left};
use crate::guard::FetchTarget;
use crate::manners::{CrawlPolicy, HostPermit};
use crate::text::{PageKind, PageParsers, RawPage};
use crate::{Error, PageReader, WebPage};

/// Accepted content types, best first.
const ACCEPTED: &str =
    "text/html, application/xhtml+xml, text/plain;q=0.9, text/markdown;q=0.9, application/pdf;q=0.8, */*;q=0.1";

/// A local reader: HTML, plain text, Markdown and PDF.
#[derive(Debug)]
pub(crate) struct OwnReader {
    pub(crate) fetcher: Arc<Fetcher>,
    pub(crate) manners: Arc<CrawlPolicy>,
    pub(crate) readers: PageParsers,
    pub(crate) max_characters: usize,
}

impl PageReader for OwnReader {
    fn name(&self) -> &'static str {
        "own"
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<WebPage, Error>> {
        Box::pin(self.page(url))
    }
}

/// A timer of a page, without waits for permits.
struct PageTimer {
    began: Instant,
    waited: Duration,
    limit: Duration,
}

impl OwnReader {
    async fn page(&self, url: &str) -> Result<WebPage, Error> {
        let mut target = self.fetcher.guard.parse(url)?;
        let mut watch = PageTimer { began: Instant::now(), waited: Duration::ZERO, limit: self.fetcher.limits.whole };
        for _ in 0..=MOST_REDIRECTS {
            watch.within(self.manners.allows(&target)).await?;
            let turn = watch.aside(self.manners.turn(&target.host)).await;
            let ask = FetchOptions { accept: ACCEPTED, ..FetchOptions::default() };
            match watch.within(self.fetcher.step(&target, &ask)).await? {
                FetchStep::Redirect(location) => target = self.fetcher.guard.follow(&target.url, &location)?,
                FetchStep::Answer(head) => return self.answer(url, &target, head, watch, turn).await,
            }
        }
        Err(Error::TooManyRedirects { limit: MOST_REDIRECTS })
    }

    async fn answer(
        &self,
        asked: &str,
        target: &FetchTarget,
        mut head: ResponseHead,
        watch: PageTimer,
        turn: HostPermit,
    ) -> Result<WebPage, Error> {
        match head.status() {
            200..=299 => {}
            429 => return Err(Error::RateLimited { name: target.host.clone(), retry_after: head.retry_after() }),
            status => return Err(Error::HttpStatus { status }),
        }
        let content_type = head.content_type();
        let kind = PageKind::declared(&content_type)?;
        let bytes = watch.within(head.read()).await?;
        // The host's permit is released while the page is parsed.
        drop(turn);
        let size = bytes.len() as u64;
        let material = RawPage { bytes, kind, content_type, url: target.url.to_string() };
        let text = watch.within(self.readers.read(material, self.max_characters)).await?;
        Ok(WebPage {
            read_at: crate::read::now(),
            url: target.url.to_string(),
            asked: asked.to_owned(),
            title: text.title,
            text: text.text,
            language: text.language,
            bytes: size,
            millis: u64::try_from(watch.spent().as_millis()).unwrap_or(u64::MAX),
            is_cut: text.is_cut,
            imprint: text.imprint,
        })
    }
}

impl PageTimer {
    /// Awaits work within the timeout.
    async fn within<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let left = left(self.limit, self.began, self.waited)?;
        timeout(left, work).await.map_err(|_elapsed| Error::Timeout { limit: self.limit })?
    }

    /// Awaits without counting towards the timeout.
    async fn aside<T>(&mut self, wait: impl Future<Output = T>) -> T {
        let began = Instant::now();
        let done = wait.await;
        self.waited += began.elapsed();
        done
    }

    fn spent(&self) -> Duration {
        self.began.elapsed().saturating_sub(self.waited)
    }
}
