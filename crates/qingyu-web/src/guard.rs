//! Which addresses may be reached at all.
//!
//! A URL is parsed once, by the parser that the request itself uses. What is an address is judged at once; what is a name is judged
//! when it is resolved, and the connection goes to the addresses that were judged. Nothing is looked up twice.
//!
//! - [`is_global`]: one address, judged
//! - [`Resolve`]: names to addresses, by the system or by a test

mod address;
mod names;

use std::collections::BTreeSet;
use std::sync::Arc;

use url::{Host, Url};

pub use address::is_global;
pub(crate) use names::Checked;
pub use names::{Resolve, SystemNames};

use crate::error::shown;
use crate::{Error, WebSettings};

/// The longest address that is read, in bytes.
const LONGEST: usize = 2_048;

/// Endings of names that mean this machine or this network, whatever a resolver says.
const LOCAL_ENDINGS: [&str; 9] =
    ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa"];

/// Decides which addresses may be reached.
#[derive(Debug, Clone)]
pub struct Guard {
    ports: Vec<u16>,
    allow: BTreeSet<(String, u16)>,
    names: Arc<dyn Resolve>,
}

/// An address that may be reached, as far as can be said before its name is resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The address, without its fragment.
    pub(crate) url: Url,
    /// The host in lower case, without a last dot.
    pub(crate) host: String,
    /// Whether it is on the list of the allowed, so that a private address is accepted.
    pub(crate) is_allowed: bool,
}

impl Guard {
    /// The guard that `settings` describe; `names` resolves.
    ///
    /// Fails with [`Error::Settings`] if a row of the list of the allowed is not `host:port`.
    pub fn new(settings: &WebSettings, names: Arc<dyn Resolve>) -> Result<Self, Error> {
        let allow = settings.allow.iter().map(|row| allowed(row)).collect::<Result<_, _>>()?;
        Ok(Self { ports: settings.ports.clone(), allow, names })
    }

    /// Reads `url`, and refuses what can be refused without resolving its name.
    pub fn parse(&self, url: &str) -> Result<Target, Error> {
        let bad = |why: &str| Error::BadUrl { url: shown(url), why: why.to_owned() };
        let trimmed = url.trim_matches(' ');
        if trimmed.len() > LONGEST {
            return Err(bad("it is too long"));
        }
        // The parser would drop them silently, and what a person read is then not what is asked for.
        if trimmed.chars().any(|character| character.is_control() || character.is_whitespace()) {
            return Err(bad("it has control characters or spaces"));
        }
        let url = Url::parse(trimmed).map_err(|error| bad(&error.to_string()))?;
        // Letters that are not of ASCII are written out by now, each as up to nine.
        if url.as_str().len() > LONGEST {
            return Err(bad("it is too long"));
        }
        self.judge(url)
    }

    /// Reads what a redirect of `from` names, which may be relative, and refuses it as [`Guard::parse`] does.
    pub(crate) fn follow(&self, from: &Url, location: &str) -> Result<Target, Error> {
        let url =
            from.join(location).map_err(|error| Error::BadUrl { url: shown(location), why: error.to_string() })?;
        self.parse(url.as_str())
    }

    /// Reads `url` and resolves its name; fails as reading the page would.
    pub async fn check(&self, url: &str) -> Result<Target, Error> {
        let target = self.parse(url)?;
        if let Some(Host::Domain(name)) = target.url.host()
            && !target.is_allowed
        {
            names::resolve_checked(self.names.as_ref(), name, false).await?;
        }
        Ok(target)
    }

    /// What resolves the names of a client: of allowed targets, or of all others.
    pub(crate) fn resolver(&self, is_allowed: bool) -> Checked {
        Checked { names: self.names.clone(), is_allowed }
    }

    fn judge(&self, mut url: Url) -> Result<Target, Error> {
        let shape = |why: &str| Error::BadUrl { url: shown(url.as_str()), why: why.to_owned() };
        if !url.username().is_empty() || url.password().is_some() {
            // Not shown again, for what it carries.
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
        Ok(Target { host: name, is_allowed, url })
    }
}

impl Target {
    /// Scheme, host and port.
    pub(crate) fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

/// What no name has (RFC 1035, 2.3.1), but for the root at its end: `a..example`, or `127.0.0.1..`, which is no address either.
fn has_an_empty_label(name: &str) -> bool {
    name.strip_suffix('.').unwrap_or(name).split('.').any(str::is_empty)
}

/// A name without a dot, or with an ending of local names.
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
