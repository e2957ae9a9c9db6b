//! robots.txt, by RFC 9309.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::{Instant, timeout};

use crate::Error;
use crate::fetch::{FetchOptions, FetchStep, Fetcher, MOST_REDIRECTS, PRODUCT};
use crate::guard::FetchTarget;

/// Cache lifetime of a site's rules.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Cache lifetime of the refusal by a site with a broken server.
const KEPT_IF_BROKEN: Duration = Duration::from_secs(10 * 60);

/// Maximum cached sites.
const MOST_SITES: usize = 1_000;

/// Maximum bytes read of a robots.txt.
const LONGEST: usize = 500 * 1024;

/// The cached rules of sites, by origin.
#[derive(Debug, Default)]
pub(super) struct RobotsCache(Mutex<HashMap<String, Arc<RobotsSite>>>);

#[derive(Debug)]
struct RobotsSite {
    since: Instant,
    rules: OnceCell<Arc<RobotsRules>>,
}

/// The rules of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RobotsRules {
    /// The server is broken: nothing is allowed.
    Broken,
    /// The rules: whether each allows, and its path pattern. An empty list allows everything.
    Listed(Vec<(bool, String)>),
}

impl RobotsCache {
    /// Returns the rules of the site of `target`. Concurrent callers share a request.
    pub(super) async fn rules(&self, fetcher: &Fetcher, target: &FetchTarget) -> Result<Arc<RobotsRules>, Error> {
        let site = self.site(target.origin());
        site.rules.get_or_try_init(|| async { fetch(fetcher, target).await.map(Arc::new) }).await.cloned()
    }

    fn site(&self, origin: String) -> Arc<RobotsSite> {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = |site: &RobotsSite| match site.rules.get().map(Arc::as_ref) {
            Some(RobotsRules::Broken) => site.since.elapsed() < KEPT_IF_BROKEN,
            _ => site.since.elapsed() < KEPT,
        };
        sites.retain(|_, site| is_fresh(site));
        if sites.len() >= MOST_SITES {
            sites.clear();
        }
        let new = || Arc::new(RobotsSite { since: Instant::now(), rules: OnceCell::new() });
        sites.entry(origin).or_insert_with(new).clone()
    }
}

/// Fetches the rules: empty if the file does not exist; nothing is allowed if the server fails.
async fn fetch(fetcher: &Fetcher, target: &FetchTarget) -> Result<RobotsRules, Error> {
    let limit = fetcher.limits.whole;
    let whole = async {
        let mut target = fetcher.guard.follow(&target.url, "/robots.txt")?;
        let ask = FetchOptions { accept: "text/plain", ..FetchOptions::default() };
        for _ in 0..=MOST_REDIRECTS {
            let mut head = match fetcher.step(&target, &ask).await? {
                FetchStep::Redirect(location) => {
                    target = fetcher.guard.follow(&target.url, &location)?;
                    continue;
                }
                FetchStep::Answer(head) => head,
            };
            return Ok(match head.status() {
                200..=299 => {
                    let body = head.read().await?;
                    RobotsRules::parse(&String::from_utf8_lossy(&body[..body.len().min(LONGEST)]))
                }
                429 | 500.. => RobotsRules::Broken,
                _ => RobotsRules::Listed(Vec::new()),
            });
        }
        // Too many redirects count as no file.
        Ok(RobotsRules::Listed(Vec::new()))
    };
    timeout(limit, whole).await.map_err(|_elapsed| Error::Timeout { limit })?
}

impl RobotsRules {
    /// Parses the rules of the groups naming this program, or else of the groups for all programs.
    pub(super) fn parse(text: &str) -> Self {
        let (mut ours, mut all) = (None::<Vec<_>>, Vec::new());
        let (mut names_us, mut names_all, mut is_in_head) = (false, false, false);
        for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            let is_allowed = match key.as_str() {
                "user-agent" => {
                    if !is_in_head {
                        (names_us, names_all, is_in_head) = (false, false, true);
                    }
                    names_all |= value == "*";
                    if product(value).eq_ignore_ascii_case(PRODUCT) {
                        names_us = true;
                        ours.get_or_insert_default();
                    }
                    continue;
                }
                "allow" => true,
                "disallow" => false,
                _ => continue,
            };
            is_in_head = false;
            // An empty pattern matches nothing.
            if value.is_empty() {
                continue;
            }
            let rule = (is_allowed, encoded(value));
            if names_us && let Some(ours) = &mut ours {
                ours.push(rule.clone());
            }
            if names_all {
                all.push(rule);
            }
        }
        Self::Listed(ours.unwrap_or(all))
    }

    /// Returns whether `path`, with its query, is allowed: the longest matching rule wins, and of equal lengths an
    /// allowing rule.
    pub(super) fn allows(&self, path: &str) -> bool {
        let Self::Listed(rules) = self else { return false };
        let path = encoded(path);
        let matching = rules.iter().filter(|(_, pattern)| matches(pattern, &path));
        matching
            .map(|(is_allowed, pattern)| (pattern.len(), *is_allowed))
            .max()
            .is_none_or(|(_, is_allowed)| is_allowed)
    }
}

/// Returns the product token at the start of a user-agent line.
fn product(value: &str) -> &str {
    let end = value.find(|character: char| !character.is_ascii_alphabetic() && character != '-' && character != '_');
    &value[..end.unwrap_or(value.len())]
}

/// Returns a path in normalized encoding: non-ASCII encoded, hexadecimal digits in upper case, other escapes decoded.
fn encoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut text = String::with_capacity(path.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        let escape = pair.filter(|_| byte == b'%').and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let plain = escape.unwrap_or(byte);
        let is_unreserved = plain.is_ascii_alphanumeric() || b"-._~".contains(&plain);
        if is_unreserved || (escape.is_none() && plain.is_ascii()) {
            text.push(char::from(plain));
        } else {
            text.push_str(&format!("%{plain:02X}"));
        }
        at += if escape.is_some() { 3 } else { 1 };
    }
    text
}

/// Returns whether `path` starts with a match of `pattern`: `*` matches any text, and a final `$` the end. Takes at
/// most the product of both lengths in steps.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, is_anchored) = match pattern.strip_suffix('$') {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let last = if is_anchored { parts.pop() } else { None };
    for part in &parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    match last {
        Some(last) => rest.ends_with(last),
        None => !is_anchored || rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_decides() {
        // Rules, path, expected result.
        let cases = [
            ("", "/a", true),
            ("User-agent: *\nDisallow: /", "/a", false),
            ("User-agent: *\nDisallow:", "/a", true),
            ("user-agent: *\ndisallow: /a # why", "/ab?c", false),
            ("User-agent: *\nDisallow: /a", "/b", true),
            ("User-agent: *\nDisallow: /\nAllow: /a", "/a/b", true),
            ("User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b", false),
            ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", true),
            ("User-agent: other\nDisallow: /", "/a", true),
            ("User-agent: qingyu-web\nDisallow: /x\n\nUser-agent: *\nDisallow: /", "/a", true),
            ("User-agent: *\nDisallow: /\nUser-agent: Qingyu-Web/2.0\nDisallow: /x", "/x", false),
            ("User-agent: other\nUser-agent: qingyu-web\nDisallow: /x", "/x", false),
            ("User-agent: qingyu-web\nDisallow: /x\nUser-agent: qingyu-web\nDisallow: /y", "/x", false),
            ("User-agent: qingyu-webber\nDisallow: /x", "/x", true),
            ("User-agent: qingyu-web\nCrawl-delay: 3\nSitemap: https://a/b\nDisallow: /x", "/x", false),
            ("Disallow: /", "/a", true),
            ("User-agent: *\nDisallow: /*.php", "/a/b.php?c", false),
            ("User-agent: *\nDisallow: /*.php$", "/a/b.php?c", true),
            ("User-agent: *\nDisallow: /*.php$", "/a.php/b.php", false),
            ("User-agent: *\nDisallow: /a$", "/a", false),
            ("User-agent: *\nDisallow: /a$", "/ab", true),
            ("User-agent: *\nDisallow: /a*b*c", "/a-c-b", true),
            ("User-agent: *\nDisallow: /a*b*c", "/a-b-c", false),
            ("User-agent: *\nDisallow: /夜市", "/%E5%A4%9C%E5%B8%82/1", false),
            ("User-agent: *\nDisallow: /%e5%a4%9c", "/夜", false),
            ("User-agent: *\nDisallow: /%7Ejoe", "/~joe", false),
            ("User-agent: *\nDisallow: /a%2Fb", "/a/b", true),
            ("User-agent: *\r\nDisallow: /a\r\n", "/a", false),
            ("\u{feff}User-agent: *\nDisallow: /a", "/a", false),
            ("<html>not found</html>", "/a", true),
        ];
        for (rules, path, expected) in cases {
            assert_eq!(RobotsRules::parse(rules).allows(path), expected, "{rules:?} {path}");
        }
        assert!(!RobotsRules::Broken.allows("/"));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_rules(text in ".{0,200}", path in "/.{0,50}") {
            RobotsRules::parse(&text).allows(&path);
        }
    }
}
