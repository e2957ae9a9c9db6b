//! Web pages, PDF, addresses.

use std::net::IpAddr;

use qingyu_web::Error;
use qingyu_web::testing::{accepted, duckduckgo, is_open_web, may_read, page_of};

use crate::input;

/// Maximum number of characters of a page.
const LIMIT: usize = 2_000;

/// The error message for a parser panic.
const GAVE_UP: &str = "its parser gave up";

/// Parses any bytes as a web page, with the media type selected by the first byte, and as a page of a search engine.
pub fn web_page(bytes: &[u8]) {
    const TYPES: [&str; 5] = ["text/html", "text/html; charset=gbk", "text/plain", "text/markdown; charset=utf-16", ""];
    let (choice, page) = input::choice(bytes);
    let is_pdf = page.trim_ascii_start().starts_with(b"%PDF-");
    if !is_pdf {
        let result = input::block_on(page_of(page.to_vec(), TYPES[usize::from(choice) % TYPES.len()], LIMIT));
        assert!(!matches!(&result, Err(Error::Garbled { why }) if why == GAVE_UP), "the parser panicked");
        check(result);
    }
    for hit in duckduckgo(input::text(page), 5) {
        assert!(hit.url.starts_with("http://") || hit.url.starts_with("https://"), "a hit is of the web: {}", hit.url);
    }
    assert!(duckduckgo(input::text(page), 1).len() <= 1, "the limit is kept");
}

/// Parses any bytes as a PDF. The parser may panic, if the panic is caught and returned as an error.
pub fn web_pdf(bytes: &[u8]) {
    let bytes = if bytes.starts_with(b"%PDF-") { bytes.to_vec() } else { [b"%PDF-1.4\n", bytes].concat() };
    check(input::block_on(page_of(bytes, "application/pdf", LIMIT)));
}

fn check(result: Result<(String, String), Error>) {
    let Ok((title, text)) = result else { return };
    assert!(!text.is_empty(), "a page without text is an error");
    assert!(text.chars().count() <= LIMIT && title.chars().count() <= 300, "no more is kept than may be");
    assert!(!title.contains('\n'), "a title is one line");
    let unseen =
        |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
    assert!(!text.chars().chain(title.chars()).any(unseen), "nothing is kept that a person would not see");
}

/// Parses any text as an address, and as the robots rules of a site. An accepted address is on the public web and
/// unchanged after serialization and parsing.
pub fn web_address(bytes: &[u8]) {
    let text = input::text(bytes);
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    may_read(rest, first);
    let Ok(url) = accepted(first) else { return };
    assert_eq!(accepted(&url).as_ref(), Ok(&url), "it reads the same again");
    let after = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).expect("only http is read");
    let place = after.split(['/', '?', '#']).next().unwrap_or_default();
    assert!(!place.contains('@'), "nobody's name or password is in it: {url}");
    // Default ports are omitted.
    let host = place.strip_suffix(":80").or(place.strip_suffix(":443")).unwrap_or(place);
    let bare = host.trim_matches(['[', ']']).trim_end_matches('.');
    match bare.parse::<IpAddr>() {
        Ok(address) => assert!(is_open_web(address), "it is no private address: {url}"),
        Err(_) => assert!(bare.contains('.') && !bare.ends_with(".local") && !bare.ends_with(".localhost"), "{url}"),
    }
}
