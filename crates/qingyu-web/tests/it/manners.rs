//! Manners towards sites: robots.txt is asked for once and kept to, a host is not overrun.

use std::time::Duration;

use futures::future::join_all;
use qingyu_web::testing::{FakeAnswer, Server};
use qingyu_web::{Error, Web, WebSettings};

#[tokio::test]
async fn robots_are_honoured_and_asked_for_once() {
    let server = Server::start().await;
    server.page("/robots.txt", FakeAnswer::text("User-agent: *\nDisallow: /private\nAllow: /private/open\n"));
    for path in ["/a", "/b", "/private/a", "/private/open/a"] {
        server.page(path, FakeAnswer::html("t", "<p>text</p>"));
    }
    server.page("/to-private", FakeAnswer::redirect("/private/a"));
    let reader = Web::new(&server.settings()).unwrap().reader;
    let urls: Vec<String> =
        ["/a", "/b", "/private/a", "/private/open/a", "/to-private"].iter().map(|path| server.url(path)).collect();
    let pages = join_all(urls.iter().map(|url| reader.read(url))).await;
    let codes: Vec<&str> = pages.iter().map(|page| page.as_ref().map_or_else(Error::code, |_| "ok")).collect();
    assert_eq!(codes, ["ok", "ok", "robots", "ok", "robots"]);
    assert_eq!(server.count("/robots.txt"), 1);
    assert_eq!(server.count("/private/a"), 0);
}

#[tokio::test]
async fn what_becomes_of_a_missing_or_broken_robots_file() {
    let far = "User-agent: qingyu-web\nDisallow: /";
    let cases = [
        (FakeAnswer::status(404), "ok"),
        (FakeAnswer::status(403), "ok"),
        (FakeAnswer::status(500), "robots"),
        (FakeAnswer::status(503), "robots"),
        (FakeAnswer::redirect("/far.txt"), "robots"),
        (FakeAnswer::redirect("/robots.txt"), "ok"),
        (FakeAnswer::redirect("http://10.0.0.1/robots.txt"), "private_address"),
        (FakeAnswer::html("not found", "<p>Nothing here: try Disallow: /</p>"), "ok"),
        (FakeAnswer::text(&format!("{}\nUser-agent: *\nDisallow: /\n", "# x\n".repeat(200_000))), "ok"),
    ];
    for (at, (answer, expected)) in cases.into_iter().enumerate() {
        let server = Server::start().await;
        server
            .page("/robots.txt", answer)
            .page("/far.txt", FakeAnswer::text(far))
            .page("/", FakeAnswer::html("t", "<p>x</p>"));
        let reader = Web::new(&server.settings()).unwrap().reader;
        let found = reader.read(&server.url("/")).await.map_or_else(|error| error.code(), |_| "ok");
        assert_eq!(found, expected, "case {at}");
    }
}

#[tokio::test]
async fn a_host_is_read_one_page_after_the_other_if_told() {
    let server = Server::start().await;
    for path in ["/a", "/b", "/c"] {
        server.page(path, FakeAnswer::html("t", "<p>x</p>").after(Duration::from_millis(150)));
    }
    let settings = WebSettings { parallel_per_host: 1, ..server.settings() };
    let reader = Web::new(&settings).unwrap().reader;
    let began = std::time::Instant::now();
    let urls = ["/a", "/b", "/c"].map(|path| server.url(path));
    let pages = join_all(urls.iter().map(|url| reader.read(url))).await;
    assert!(began.elapsed() >= Duration::from_millis(450), "{:?}", began.elapsed());
    let millis: Vec<u64> = pages.into_iter().map(|page| page.unwrap().millis).collect();
    assert!(millis.iter().all(|millis| *millis < 400), "waiting for a turn is not reading: {millis:?}");
}
