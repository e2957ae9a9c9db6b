//! Which addresses are reached, and which are refused before a byte is sent.

use std::sync::Arc;

use super::{Guard, NameResolver};
use crate::testing::{FakeAnswer, ScriptedNames, Server};
use crate::{PageReader, Web, WebSettings};

/// Addresses by what becomes of them; one per line, each refused with the code above it or, under `ok`, accepted.
const TABLE: &str = include_str!("addresses.txt");

fn names() -> ScriptedNames {
    ScriptedNames::default()
        .on("public.example", &["93.184.216.34"])
        .on("six.example", &["2606:2800:220:1::1"])
        .on("inward.example", &["10.1.2.3"])
        .on("both.example", &["93.184.216.34 127.0.0.1"])
        .on("mapped.example", &["::ffff:93.184.216.34"])
        .on("meta.example", &["169.254.169.254"])
        .on("xn--fiq228c.example", &["93.184.216.34"])
}

#[tokio::test]
async fn every_address_is_judged() {
    let guard = Guard::new(&WebSettings::default(), Arc::new(names())).unwrap();
    let (mut expected, mut count) = ("", 0);
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        if let Some(code) = line.strip_prefix("== ") {
            expected = code;
            continue;
        }
        count += 1;
        // Written so that the table stays readable.
        let url = line.replace("\\t", "\t").replace("\\n", "\n").replace("\\0", "\0").replace("\\s", " ");
        let found = guard.check(&url).await.map_or_else(|error| error.code(), |_| "ok");
        assert_eq!(found, expected, "{url:?}");
    }
    assert!(count >= 120, "{count} addresses");
    let long = format!("https://public.example/{}", "a".repeat(3_000));
    assert_eq!(guard.parse(&long).unwrap_err().code(), "bad_url");
}

#[tokio::test]
async fn what_is_allowed_is_allowed_by_name_and_port() {
    let settings = WebSettings {
        allow: vec!["127.0.0.1:8080".into(), "[::1]:80".into(), "Box.LAN:443".into(), "inward.example:80".into()],
        ..WebSettings::default()
    };
    let guard = Guard::new(&settings, Arc::new(names())).unwrap();
    let cases = [
        ("http://127.0.0.1:8080/", "ok"),
        ("http://127.1:8080/", "ok"),
        ("https://127.0.0.1:8080/", "ok"),
        ("http://127.0.0.1:8081/", "private_address"),
        ("http://127.0.0.1/", "private_address"),
        ("http://127.0.0.2:8080/", "private_address"),
        ("http://[::1]/", "ok"),
        ("http://[::1]:8080/", "private_address"),
        ("https://box.lan/", "ok"),
        ("https://box.lan./", "ok"),
        ("http://box.lan/", "private_address"),
        ("http://inward.example/", "ok"),
        ("https://inward.example/", "private_address"),
        ("ftp://127.0.0.1:8080/", "bad_url"),
        ("http://a:b@127.0.0.1:8080/", "bad_url"),
    ];
    for (url, expected) in cases {
        assert_eq!(guard.check(url).await.map_or_else(|error| error.code(), |_| "ok"), expected, "{url}");
    }
}

fn web(server: &Server, names: ScriptedNames) -> Arc<dyn PageReader> {
    let names: Arc<dyn NameResolver> = Arc::new(names);
    let settings = WebSettings { ports: vec![80, 443, server.port()], ..server.settings() };
    Web::with_names(&settings, names).unwrap().reader
}

#[tokio::test]
async fn a_redirect_inwards_is_refused_at_every_hop() {
    let server = Server::start().await;
    let inner = Server::start().await;
    inner.page("/secret", FakeAnswer::html("secret", "<p>secret</p>"));
    let reader = web(&server, names());
    let aims = [
        (inner.url("/secret"), "private_address"),
        (format!("http://localhost:{}/secret", inner.port()), "private_address"),
        ("http://169.254.169.254/latest/".into(), "private_address"),
        ("http://[::ffff:7f00:1]/".into(), "private_address"),
        ("http://meta.example/".into(), "private_address"),
        ("//10.0.0.1/".into(), "private_address"),
        ("file:///etc/passwd".into(), "bad_url"),
        ("gopher://a.example/".into(), "bad_url"),
        ("http://user:pass@public.example/".into(), "bad_url"),
        ("http://public.example:22/".into(), "bad_url"),
    ];
    for hops in 1..=5 {
        for (aim, code) in &aims {
            for hop in 1..hops {
                server.page(&format!("/hop{hop}"), FakeAnswer::redirect(&format!("/hop{}", hop + 1)));
            }
            server.page(&format!("/hop{hops}"), FakeAnswer::redirect(aim));
            let error = reader.read(&server.url("/hop1")).await.unwrap_err();
            assert_eq!(error.code(), *code, "{hops} hops to {aim}: {error}");
        }
    }
    assert!(inner.asked().is_empty(), "nothing reached it");
}

#[tokio::test]
async fn redirects_are_followed_five_times() {
    let server = Server::start().await;
    for hop in 0..10 {
        server.page(&format!("/{hop}"), FakeAnswer::redirect(&format!("{}?x#y", hop + 1)));
        server.page(&format!("/{hop}?x"), FakeAnswer::redirect(&format!("{}?x#y", hop + 1)));
    }
    server.page("/10?x", FakeAnswer::html("end", "<p>the end</p>"));
    let reader = web(&server, names());
    let page = reader.read(&server.url("/5")).await.unwrap();
    assert_eq!((page.url, page.asked), (server.url("/10?x"), server.url("/5")));
    assert_eq!(reader.read(&server.url("/4")).await.unwrap_err().code(), "too_many_redirects");
}

#[tokio::test]
async fn a_name_is_judged_when_the_connection_is_made() {
    let server = Server::start().await;
    server.page("/", FakeAnswer::html("inside", "<p>inside</p>"));
    // Each name leads to loopback, where a server listens on an accepted port: only the address can be the reason.
    let turning = ScriptedNames::default()
        .on("inward.example", &["127.0.0.1"])
        .on("both.example", &["93.184.216.34 127.0.0.1"])
        .on("mapped.example", &["::ffff:127.0.0.1"])
        .on("six.example", &["::1"]);
    let reader = web(&server, turning);
    for host in ["inward.example", "both.example", "mapped.example", "six.example"] {
        let error = reader.read(&format!("http://{host}:{}/", server.port())).await.unwrap_err();
        assert_eq!(error.code(), "private_address", "{host}: {error}");
    }
    assert_eq!(reader.read(&format!("http://nowhere.example:{}/", server.port())).await.unwrap_err().code(), "dns");
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn a_name_that_turns_inwards_after_its_check_is_refused() {
    let server = Server::start().await;
    let turning = ScriptedNames::default().on("turning.example", &["93.184.216.34", "127.0.0.1"]);
    let names: Arc<dyn NameResolver> = Arc::new(turning);
    let settings = WebSettings { ports: vec![server.port()], ..server.settings() };
    let url = format!("http://turning.example:{}/", server.port());
    Guard::new(&settings, names.clone()).unwrap().check(&url).await.unwrap();
    let error = Web::with_names(&settings, names).unwrap().reader.read(&url).await.unwrap_err();
    assert_eq!(error.code(), "private_address");
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn a_name_that_is_allowed_is_resolved_by_the_table() {
    let server = Server::start().await;
    server.page("/", FakeAnswer::html("inside", "<p>inside</p>"));
    let names: Arc<dyn NameResolver> = Arc::new(ScriptedNames::default().on("site.example", &["127.0.0.1"]));
    let settings = WebSettings { allow: vec![format!("site.example:{}", server.port())], ..server.settings() };
    let reader = Web::with_names(&settings, names).unwrap().reader;
    let page = reader.read(&format!("http://site.example:{}/", server.port())).await.unwrap();
    assert_eq!(page.text, "inside");
    assert_eq!(server.asked()[1].headers["host"], format!("site.example:{}", server.port()));
}
