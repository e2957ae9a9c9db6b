//! What is read of pages that are well, and what is said of those that are not.

use std::time::{Duration, Instant};

use qingyu_web::testing::{FakeAnswer, Server};
use qingyu_web::{Web, WebPage, WebSettings};

const WORDS: &str = "夜市直至三更尽，才五更又复开张，耍闹去处，通晓不绝。";

async fn read(answer: FakeAnswer) -> Result<WebPage, &'static str> {
    read_within(3_000, answer).await
}

async fn read_within(timeout_ms: u64, answer: FakeAnswer) -> Result<WebPage, &'static str> {
    let server = Server::start().await;
    server.page("/page", answer);
    let settings = WebSettings { max_bytes: 1_000_000, max_characters: 5_000, timeout_ms, ..server.settings() };
    let page = Web::new(&settings).unwrap().reader.read(&server.url("/page")).await;
    page.map_err(|error| error.code())
}

#[tokio::test]
async fn good_pages_are_read() {
    let gbk: Vec<u8> = [
        b"<html lang=zh-CN><meta charset=gb2312><title>".as_slice(),
        &[0xd2, 0xb9, 0xca, 0xd0],
        b"</title><body><p>",
        &[0xd2, 0xb9, 0xca, 0xd0].repeat(20),
        b"</p>",
    ]
    .concat();
    let cases = [
        (FakeAnswer::html("夜市", &format!("<p>{WORDS}</p>")), "夜市", WORDS.to_owned()),
        (FakeAnswer::html("夜市", &format!("<p>{WORDS}</p>")).gzipped(), "夜市", WORDS.to_owned()),
        (FakeAnswer::typed("text/html", gbk), "夜市", "夜市".repeat(20)),
        (FakeAnswer::text(&format!("\u{feff}{WORDS}\r\n\r\n{WORDS}\r\n")), "", format!("{WORDS}\n{WORDS}")),
        (FakeAnswer::typed("text/markdown", format!("# 夜市\n\n{WORDS}\n")), "夜市", format!("# 夜市\n{WORDS}")),
        (FakeAnswer::typed("", format!("<html><title>夜市</title><p>{WORDS}")), "夜市", WORDS.to_owned()),
        (FakeAnswer::typed("", WORDS), "", WORDS.to_owned()),
        (FakeAnswer::pdf("The night market\nopens again."), "", "The night market\nopens again.".to_owned()),
        (FakeAnswer::typed("text/html", qingyu_web::testing::pdf("It is a PDF.")), "", "It is a PDF.".to_owned()),
    ];
    for (at, (answer, title, text)) in cases.into_iter().enumerate() {
        let page = read(answer).await.unwrap_or_else(|code| panic!("case {at}: {code}"));
        assert_eq!((page.title.as_str(), page.text), (title, text), "case {at}");
        assert!(page.bytes > 0 && !page.is_cut, "case {at}");
    }
    let long = read(FakeAnswer::text(&WORDS.repeat(1_000))).await.unwrap();
    assert!(long.is_cut && long.text.chars().count() == 5_000);
}

#[tokio::test]
async fn awkward_pages_are_dropped_with_their_reason() {
    let minute = Duration::from_secs(60);
    let page = || FakeAnswer::html("t", "<p>text</p>");
    let image = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0; 100]].concat();
    let cases = [
        ("slow head", page().after(minute), "timeout"),
        (
            "slow body",
            FakeAnswer::html("t", &"<p>text</p>".repeat(200)).dripping(Duration::from_millis(400)),
            "timeout",
        ),
        ("huge", FakeAnswer::huge(50_000_000), "too_large"),
        ("endless", FakeAnswer::endless(), "too_large"),
        ("bomb", FakeAnswer::bomb(50 << 20), "too_large"),
        ("image", FakeAnswer::typed("image/png", image.clone()), "unsupported_type"),
        ("program", FakeAnswer::typed("application/octet-stream", image.clone()), "unsupported_type"),
        ("JSON", FakeAnswer::json(&serde_json::json!({"a": 1})), "unsupported_type"),
        ("image that says it is a page", FakeAnswer::typed("text/html", image), "garbled"),
        ("noise", FakeAnswer::garbled(), "garbled"),
        (
            "noise as text",
            FakeAnswer::typed("text/plain", (0..=255_u8).cycle().take(5_000).collect::<Vec<_>>()),
            "garbled",
        ),
        ("torn PDF", FakeAnswer::typed("application/pdf", &b"%PDF-1.7\n1 0 obj <<"[..]), "garbled"),
        ("no PDF", FakeAnswer::typed("application/pdf", &b"hello"[..]), "garbled"),
        ("torn gzip", torn(FakeAnswer::html("t", &"<p>text</p>".repeat(50)).gzipped()), "garbled"),
        ("no gzip", page().with_header("Content-Encoding", "gzip"), "garbled"),
        ("brotli", page().with_header("Content-Encoding", "br"), "bad_answer"),
        ("gzip twice", page().gzipped().gzipped(), "bad_answer"),
        ("longer than it says", page().claiming(10), "empty"),
        ("shorter than it says", page().claiming(100_000), "unreachable"),
        ("empty", FakeAnswer::html("", ""), "empty"),
        ("only hidden", FakeAnswer::html("t", "<p hidden>text</p><script>text</script>"), "empty"),
        ("nothing", FakeAnswer::typed("text/html", ""), "empty"),
        ("forbidden", FakeAnswer::status(403), "http_status"),
        ("gone", FakeAnswer::status(410), "http_status"),
        ("broken", FakeAnswer::status(500), "http_status"),
        ("busy", FakeAnswer::status(429).with_header("Retry-After", "7"), "rate_limited"),
        ("redirect to nowhere", FakeAnswer::status(302), "http_status"),
        ("redirect to itself", FakeAnswer::redirect("/page"), "too_many_redirects"),
        ("deep", FakeAnswer::html("t", &"<div>".repeat(20_000)), "garbled"),
    ];
    for (name, answer, code) in cases {
        let began = Instant::now();
        let found = read(answer).await.map(|page| page.text);
        assert_eq!(found, Err(code), "{name}");
        assert!(began.elapsed() < Duration::from_secs(8), "{name} took {:?}", began.elapsed());
    }
    // So much takes a busy machine seconds.
    let large = read_within(60_000, FakeAnswer::huge(900_000)).await;
    assert_eq!(large.map(|page| page.bytes), Ok(900_000), "just below the limit");
}

fn torn(mut answer: FakeAnswer) -> FakeAnswer {
    let half = answer.body().len() / 2;
    answer.body().truncate(half);
    answer
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    let settings = Server::start().await.settings();
    let url = format!("http://{}/", settings.allow[0]);
    let error = Web::new(&settings).unwrap().reader.read(&url).await.unwrap_err();
    assert!(error.code() == "unreachable" && error.is_passing(), "{error}");
}

#[tokio::test]
async fn requests_are_honest_and_carry_nothing() {
    let server = Server::start().await;
    server.page("/a", FakeAnswer::redirect("/b").with_header("Set-Cookie", "a=b; Path=/"));
    server.page("/b", FakeAnswer::html("t", "<p>x</p>"));
    Web::new(&server.settings()).unwrap().reader.read(&server.url("/a")).await.unwrap();
    for asked in server.asked() {
        assert!(asked.headers["user-agent"].starts_with("qingyu-web/"), "{asked:?}");
        for header in ["cookie", "referer", "authorization"] {
            assert!(!asked.headers.contains_key(header), "{asked:?}");
        }
    }
}
