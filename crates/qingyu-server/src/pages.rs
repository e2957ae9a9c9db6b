//! The studio's web pages, embedded in the binary (selected by `build.rs`).
//!
//! Files with a hash in their name never change and are cached by browsers; other files are revalidated. The page
//! itself is never cached and contains the token identifying our own page to the guard. A path without a file is a
//! location within the page.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use qingyu_story::digest::hexadecimal;
use rust_embed::EmbeddedFile;

use crate::http::{AccessPolicy, HttpProblem};

// Defines `Files`, from the folder selected by `build.rs`.
include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The single page of the web application.
const PAGE: &str = "index.html";
/// Path prefix of the files with a hash in their name.
const HASHED: &str = "assets/";
/// The position in the page where the token is inserted.
const TOKEN: &str = r#"name="qingyu-page" content="""#;

/// The content security policy: blocks foreign scripts, images and fonts, and framing by other pages. The editor sets
/// styles by script.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
     font-src 'self'; manifest-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'",
);

/// Precompressed variants of a file, best first: content encoding and file extension.
const COMPRESSED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Responds to requests no other route matches: with a file, with the page for browser navigation, else with 404.
pub(crate) async fn serve(
    Shared(door): Shared<AccessPolicy>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    if method != Method::GET && method != Method::HEAD {
        return nothing();
    }
    let name = if path.is_empty() { PAGE } else { path };
    let is_compressed = COMPRESSED.iter().any(|(_, ending)| name.ends_with(ending));
    if name != PAGE && !is_compressed && Files::get(name).is_some() {
        return file(name, &headers);
    }
    let is_file = name != PAGE && name.rsplit('/').next().is_some_and(|last| last.contains('.'));
    if (path.is_empty() || wants_page(&headers) || name == PAGE) && !is_file {
        return page(&door);
    }
    nothing()
}

fn nothing() -> Response {
    HttpProblem::new(StatusCode::NOT_FOUND, "unknown_route", "there is nothing here").into_response()
}

/// Returns whether the request is a browser's page navigation.
fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// Returns the page. Without keys the page contains the guard's token; pages of other origins cannot read the token.
fn page(door: &AccessPolicy) -> Response {
    let html = Files::get(PAGE).expect("the build puts a page there").data;
    let html = String::from_utf8_lossy(&html);
    let html = match door.is_local() {
        true => Cow::Owned(html.replacen(TOKEN, &TOKEN.replace("\"\"", &format!("{:?}", door.page_token())), 1)),
        false => html,
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (headers, html.into_owned()).into_response()
}

/// Returns a file in the best accepted encoding, or 304 for a cached file.
fn file(name: &str, headers: &HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|accepted| accepted.to_str().ok()).unwrap_or_default();
    let (found, encoding) = compressed(name, accepted);
    let tag = etag(&found);
    let kept = if name.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = if headers.get(header::IF_NONE_MATCH) == Some(&tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(found.data).into_response()
    };
    let answered = response.headers_mut();
    answered.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    answered.insert(header::ETAG, tag);
    answered.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    answered.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    answered.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    if let Some(encoding) = encoding {
        answered.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Returns the file in the best accepted encoding, and the name of the encoding.
fn compressed(name: &str, accepted: &str) -> (EmbeddedFile, Option<&'static str>) {
    let is_accepted = |encoding: &str| {
        accepted.split(',').any(|offer| offer.split(';').next().is_some_and(|offer| offer.trim() == encoding))
    };
    COMPRESSED
        .iter()
        .filter(|(encoding, _)| is_accepted(encoding))
        .find_map(|(encoding, ending)| Some((Files::get(&format!("{name}{ending}"))?, Some(*encoding))))
        .unwrap_or_else(|| (Files::get(name).expect("it was looked for"), None))
}

fn etag(file: &EmbeddedFile) -> HeaderValue {
    let hash = file.metadata.sha256_hash();
    HeaderValue::try_from(format!("\"{}\"", hexadecimal(&hash[..16]))).expect("it is plain")
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
