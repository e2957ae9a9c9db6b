//! Resolution of names to addresses.

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolving};

use super::is_global;
use crate::Error;

/// A resolver of names. Implementations need not validate: every result is validated by the caller.
pub(crate) trait NameResolver: Send + Sync + Debug {
    /// Returns all addresses of `host`; an empty list counts as an error.
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SystemNames;

impl NameResolver for SystemNames {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect()) })
    }
}

/// Returns the addresses of `host`, all on the open web, unless the name is on the allow list.
pub(super) async fn resolve_checked(
    names: &dyn NameResolver,
    host: &str,
    is_allowed: bool,
) -> Result<Vec<IpAddr>, Error> {
    let addresses = names.resolve(host).await.unwrap_or_default();
    if addresses.is_empty() {
        return Err(Error::Dns { host: host.to_owned() });
    }
    // A private address among public addresses is a sign of DNS rebinding: the whole result is refused.
    if !is_allowed && !addresses.iter().copied().all(is_global) {
        return Err(Error::PrivateAddress { host: host.to_owned() });
    }
    Ok(addresses)
}

/// A resolver for a client's connections, so that connections go to validated addresses only.
#[derive(Debug, Clone)]
pub(crate) struct CheckedResolver {
    pub(super) names: Arc<dyn NameResolver>,
    pub(super) is_allowed: bool,
}

impl reqwest::dns::Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { names, is_allowed } = self.clone();
        Box::pin(async move {
            let addresses = resolve_checked(names.as_ref(), name.as_str(), is_allowed).await?;
            let addresses: Addrs = Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}
