//! Reading pages without anybody's help.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::{Instant, timeout};

use crate::fetch::{Ask, Fetcher, Head, MOST_REDIRECTS, Step, left};
use crate::guard::Target;
use crate::manners::{Manners, Turn};
use crate::text::{Kind, Material, Readers};
use crate::{Error, Page, Reader};

/// What is asked for, best first.
const ACCEPTED: &str =
    "text/html, application/xhtml+xml, text/plain;q=0.9, text/markdown;q=0.9, application/pdf;q=0.8, */*;q=0.1";

/// Reads pages itself: HTML, plain text, Markdown and PDF.
#[derive(Debug)]
pub(crate) struct OwnReader {
    pub(crate) fetcher: Arc<Fetcher>,
    pub(crate) manners: Arc<Manners>,
    pub(crate) readers: Readers,
    pub(crate) max_characters: usize,
}

impl Reader for OwnReader {
    fn name(&self) -> &'static str {
        "own"
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Page, Error>> {
        Box::pin(self.page(url))
    }
}

/// The time one page takes, without the waits for its turn.
struct Watch {
    began: Instant,
    waited: Duration,
    limit: Duration,
}

impl OwnReader {
    async fn page(&self, url: &str) -> Result<Page, Error> {
        let mut target = self.fetcher.guard.parse(url)?;
        let mut watch = Watch { began: Instant::now(), waited: Duration::ZERO, limit: self.fetcher.limits.whole };
        for _ in 0..=MOST_REDIRECTS {
            watch.within(self.manners.allows(&target)).await?;
            let turn = watch.aside(self.manners.turn(&target.host)).await;
            let ask = Ask { accept: ACCEPTED, ..Ask::default() };
            match watch.within(self.fetcher.step(&target, &ask)).await? {
                Step::Redirect(location) => target = self.fetcher.guard.follow(&target.url, &location)?,
                Step::Answer(head) => return self.answer(url, &target, head, watch, turn).await,
            }
        }
        Err(Error::TooManyRedirects { limit: MOST_REDIRECTS })
    }

    async fn answer(
        &self,
        asked: &str,
        target: &Target,
        mut head: Head,
        watch: Watch,
        turn: Turn,
    ) -> Result<Page, Error> {
        match head.status() {
            200..=299 => {}
            429 => return Err(Error::RateLimited { name: target.host.clone(), retry_after: head.retry_after() }),
            status => return Err(Error::HttpStatus { status }),
        }
        let content_type = head.content_type();
        let kind = Kind::declared(&content_type)?;
        let bytes = watch.within(head.read()).await?;
        // The host is free again while its page is taken apart.
        drop(turn);
        let size = bytes.len() as u64;
        let material = Material { bytes, kind, content_type, url: target.url.to_string() };
        let text = watch.within(self.readers.read(material, self.max_characters)).await?;
        Ok(Page {
            read_at: crate::read::now(),
            url: target.url.to_string(),
            asked: asked.to_owned(),
            title: text.title,
            text: text.text,
            language: text.language,
            bytes: size,
            millis: u64::try_from(watch.spent().as_millis()).unwrap_or(u64::MAX),
            is_cut: text.is_cut,
        })
    }
}

impl Watch {
    /// Awaits what counts.
    async fn within<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let left = left(self.limit, self.began, self.waited)?;
        timeout(left, work).await.map_err(|_elapsed| Error::Timeout { limit: self.limit })?
    }

    /// Awaits what does not count.
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
