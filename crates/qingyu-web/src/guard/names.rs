//! Names to addresses.

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolving};

use super::is_global;
use crate::Error;

/// Finds the addresses of a name. It need not judge them; every answer is judged.
pub trait Resolve: Send + Sync + Debug {
    /// All addresses of `host`; an empty list is as good as an error.
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// Names as the system resolves them.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemNames;

impl Resolve for SystemNames {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect()) })
    }
}

/// The addresses of `host`, all of them on the open web, unless the name is on the list of the allowed.
pub(super) async fn resolve_checked(names: &dyn Resolve, host: &str, is_allowed: bool) -> Result<Vec<IpAddr>, Error> {
    let addresses = names.resolve(host).await.unwrap_or_default();
    if addresses.is_empty() {
        return Err(Error::Dns { host: host.to_owned() });
    }
    // One private address among public ones is how a name is pointed inwards: the whole answer is refused.
    if !is_allowed && !addresses.iter().copied().all(is_global) {
        return Err(Error::PrivateAddress { host: host.to_owned() });
    }
    Ok(addresses)
}

/// Resolves for a client's connections, so that these go to the addresses that were judged.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub(super) names: Arc<dyn Resolve>,
    pub(super) is_allowed: bool,
}

impl reqwest::dns::Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { names, is_allowed } = self.clone();
        Box::pin(async move {
            let addresses = resolve_checked(names.as_ref(), name.as_str(), is_allowed).await?;
            let addresses: Addrs = Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}
