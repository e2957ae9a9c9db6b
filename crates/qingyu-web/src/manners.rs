//! Manners towards other people's servers: robots.txt, a rate per host, few pages at the same time.

mod pace;
mod robots;

use std::sync::Arc;

pub(crate) use pace::{Pace, Turn};
use robots::Known;

use crate::fetch::Fetcher;
use crate::guard::Target;
use crate::{Error, WebSettings};

/// Whether `path` may be read by the rules of a file.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn may_read(rules: &str, path: &str) -> bool {
    robots::Rules::parse(rules).allows(path)
}

/// What is kept towards all hosts, by everything that one [`crate::Web`] sends.
#[derive(Debug)]
pub(crate) struct Manners {
    fetcher: Arc<Fetcher>,
    known: Known,
    pace: Pace,
}

impl Manners {
    pub(crate) fn new(fetcher: Arc<Fetcher>, settings: &WebSettings) -> Arc<Self> {
        Arc::new(Self { fetcher, known: Known::default(), pace: Pace::new(settings) })
    }

    /// Waits until `host` may be asked again; holds its place until dropped.
    pub(crate) async fn turn(&self, host: &str) -> Turn {
        self.pace.turn(host).await
    }

    /// Fails with [`Error::Robots`] if the site does not want `target` read.
    ///
    /// The rules of a site are read once a day. If they cannot be had because the site cannot be reached, so cannot the page: the
    /// error is that of the connection.
    pub(crate) async fn allows(&self, target: &Target) -> Result<(), Error> {
        let rules = self.known.rules(&self.fetcher, target).await?;
        let path = &target.url[url::Position::BeforePath..];
        match rules.allows(path) {
            true => Ok(()),
            false => Err(Error::Robots { url: target.url.to_string() }),
        }
    }
}
