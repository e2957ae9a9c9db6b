//! The studio's pages, which are in the binary (`build.rs` says which).
//!
//! Files with a hash in their name never change and are kept by browsers; the page itself is asked for each time, and is
//! told the word by which the guard knows our own page. An address without a file is a place within the page.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::EmbeddedFile;

use crate::http::{Door, Problem};

// `Files`, of the folder that `build.rs` has chosen.
include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The page that holds all others.
const PAGE: &str = "index.html";
/// Files below this have a hash in their name.
const HASHED: &str = "assets/";
/// Where the page is told the word of the door.
const TOKEN: &str = r#"name="qingyu-page" content="""#;

/// Nothing from elsewhere: no script, no picture, no letter, and no page around ours. The editor sets styles by script.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
     font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// Compressed beside a file when the pages were built, best first: what browsers call it, and its ending.
const COMPRESSED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Answers what no other door knows: with a file, with the page if a browser looks for one, else that nothing is there.
pub(crate) async fn serve(Shared(door): Shared<Door>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
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
    Problem::new(StatusCode::NOT_FOUND, "unknown_route", "there is nothing here").into_response()
}

/// Whether a browser looks for a page, and not a program for an answer.
fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// The page. Where no key is needed it is told the word by which the guard knows it; pages of others cannot read it.
fn page(door: &Door) -> Response {
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

/// A file as the browser takes it best, or that it has it already.
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

/// The file in the best form that is accepted, and what that form is called.
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
    let hex: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::try_from(format!("\"{hex}\"")).expect("it is plain")
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
