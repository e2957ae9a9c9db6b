//! Polite crawling: robots.txt, a rate limit per host, few concurrent pages.

mod pace;
mod robots;

use std::sync::Arc;

pub(crate) use pace::{HostPacer, HostPermit};
use robots::RobotsCache;

use crate::fetch::Fetcher;
use crate::guard::FetchTarget;
use crate::{Error, WebSettings};

/// Returns whether the rules of a file allow `path`.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn may_read(rules: &str, path: &str) -> bool {
    robots::RobotsRules::parse(rules).allows(path)
}

/// The crawl policy towards all hosts, shared by all requests of a [`crate::Web`].
#[derive(Debug)]
pub(crate) struct CrawlPolicy {
    fetcher: Arc<Fetcher>,
    known: RobotsCache,
    pace: HostPacer,
}

impl CrawlPolicy {
    pub(crate) fn new(fetcher: Arc<Fetcher>, settings: &WebSettings) -> Arc<Self> {
        Arc::new(Self { fetcher, known: RobotsCache::default(), pace: HostPacer::new(settings) })
    }

    /// Waits for a permit to send a request to `host`; the permit is released on drop.
    pub(crate) async fn turn(&self, host: &str) -> HostPermit {
        self.pace.turn(host).await
    }

    /// Fails with [`Error::Robots`] if the site disallows `target`.
    ///
    /// The rules of a site are cached for a day. If the site cannot be reached, neither can the page: the connection
    /// error is returned.
    pub(crate) async fn allows(&self, target: &FetchTarget) -> Result<(), Error> {
        let rules = self.known.rules(&self.fetcher, target).await?;
        let path = &target.url[url::Position::BeforePath..];
        match rules.allows(path) {
            true => Ok(()),
            false => Err(Error::Robots { url: target.url.to_string() }),
        }
    }
}
