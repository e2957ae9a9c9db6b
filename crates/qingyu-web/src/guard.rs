//! Decides which addresses may be reached.
//!
//! A URL is parsed once, by the parser of the request itself. Addresses are validated at once, names when resolved, and
//! the connection goes to the validated addresses. Nothing is resolved twice.
//!
//! - [`is_global`]: validates an address
//! - [`NameResolver`]: resolves names, by the system or by a test

mod address;
mod names;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use url::{Host, Url};

pub(crate) use address::is_global;
pub(crate) use names::{CheckedResolver, NameResolver, SystemNames};

use crate::error::shown;
use crate::{Error, WebSettings};

/// Maximum length of an address in bytes.
const LONGEST: usize = 2_048;

/// Suffixes of names for the local machine or network, whatever a resolver returns.
const LOCAL_ENDINGS: [&str; 9] =
    ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa"];

/// A filter of reachable addresses.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    ports: Vec<u16>,
    allow: BTreeSet<(String, u16)>,
    names: Arc<dyn NameResolver>,
}

/// An address that may be reached, as far as known before its name is resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FetchTarget {
    /// The URL without its fragment.
    pub(crate) url: Url,
    /// The host in lower case, without a trailing dot.
    pub(crate) host: String,
    /// Whether the host is on the allow list, so that private addresses are accepted.
    pub(crate) is_allowed: bool,
}

impl Guard {
    /// Returns a guard configured by `settings`, with `names` as the resolver.
    ///
    /// Fails with [`Error::Settings`] if a row of the allow list is not `host:port`.
    pub(crate) fn new(settings: &WebSettings, names: Arc<dyn NameResolver>) -> Result<Self, Error> {
        let allow = settings.allow.iter().map(|row| allowed(row)).collect::<Result<_, _>>()?;
        Ok(Self { ports: settings.ports.clone(), allow, names })
    }

    /// Parses `url`, and refuses invalid targets as far as known without resolving the name.
    pub(crate) fn parse(&self, url: &str) -> Result<FetchTarget, Error> {
        let bad = |why: &str| Error::BadUrl { url: shown(url), why: why.to_owned() };
        let trimmed = url.trim_matches(' ');
        if trimmed.len() > LONGEST {
            return Err(bad("it is too long"));
        }
        // The parser would drop these characters silently, so the requested address would differ from the shown
        // address.
        if trimmed.chars().any(|character| character.is_control() || character.is_whitespace()) {
            return Err(bad("it has control characters or spaces"));
        }
        let url = Url::parse(trimmed).map_err(|error| bad(&error.to_string()))?;
        // Non-ASCII letters are escaped at this point, each to up to nine bytes.
        if url.as_str().len() > LONGEST {
            return Err(bad("it is too long"));
        }
        self.judge(url)
    }

    /// Parses the target of a redirect from `from`, possibly relative, and validates it like [`Guard::parse`].
    pub(crate) fn follow(&self, from: &Url, location: &str) -> Result<FetchTarget, Error> {
        let url =
            from.join(location).map_err(|error| Error::BadUrl { url: shown(location), why: error.to_string() })?;
        self.parse(url.as_str())
    }

    /// Parses `url` and resolves its name; fails like reading the page.
    pub(crate) async fn check(&self, url: &str) -> Result<FetchTarget, Error> {
        let target = self.parse(url)?;
        if let Some(Host::Domain(name)) = target.url.host()
            && !target.is_allowed
        {
            names::resolve_checked(self.names.as_ref(), name, false).await?;
        }
        Ok(target)
    }

    /// Returns the resolver of a client for allowed targets, or for all others.
    pub(crate) fn resolver(&self, is_allowed: bool) -> CheckedResolver {
        CheckedResolver { names: self.names.clone(), is_allowed }
    }

    fn judge(&self, mut url: Url) -> Result<FetchTarget, Error> {
        let shape = |why: &str| Error::BadUrl { url: shown(url.as_str()), why: why.to_owned() };
        if !url.username().is_empty() || url.password().is_some() {
            // Hidden, because it contains credentials.
            return Err(Error::BadUrl { url: "…".into(), why: "it carries a name or a password".into() });
        }
        if !matches!(url.scheme(), "http" | "https") {
            return Err(shape("only http and https are read"));
        }
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(shape("it names no host"));
        };
        if matches!(host, Host::Domain(name) if has_an_empty_label(name)) {
            return Err(shape("it names no host"));
        }
        let name = host.to_string().trim_end_matches('.').to_owned();
        let private = || Error::PrivateAddress { host: name.clone() };
        let is_allowed = self.allow.contains(&(name.clone(), port));
        if !is_allowed {
            match host {
                Host::Ipv4(address) if !is_global(address.into()) => return Err(private()),
                Host::Ipv6(address) if !is_global(address.into()) => return Err(private()),
                Host::Domain(_) if is_local_name(&name) => return Err(private()),
                _ => {}
            }
            if !self.ports.contains(&port) {
                return Err(shape("its port is not one of those that are read"));
            }
        }
        url.set_fragment(None);
        Ok(FetchTarget { host: name, is_allowed, url })
    }
}

impl FetchTarget {
    /// Returns scheme, host and port.
    pub(crate) fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

/// Returns whether a label is empty (invalid by RFC 1035, 2.3.1), except for the root at the end: `a..example`, or the
/// invalid address `127.0.0.1..`.
fn has_an_empty_label(name: &str) -> bool {
    name.strip_suffix('.').unwrap_or(name).split('.').any(str::is_empty)
}

/// Returns whether a name has no dot, or a suffix of local names.
fn is_local_name(name: &str) -> bool {
    let is_under = |ending: &str| name.strip_suffix(ending).is_some_and(|rest| rest.ends_with('.'));
    !name.contains('.') || LOCAL_ENDINGS.into_iter().any(is_under) || name == "home.arpa"
}

fn allowed(row: &str) -> Result<(String, u16), Error> {
    let wrong = || Error::Settings { field: "allow".into(), why: format!("{:?} is not host:port", shown(row)) };
    let port = row.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).ok_or_else(wrong)?;
    let url = Url::parse(&format!("http://{row}/")).map_err(|_| wrong())?;
    let is_plain = url.path() == "/" && url.query().is_none() && url.username().is_empty();
    match url.host() {
        Some(host) if is_plain => Ok((host.to_string().trim_end_matches('.').to_owned(), port)),
        _ => Err(wrong()),
    }
}
