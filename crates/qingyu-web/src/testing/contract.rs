//! The test suites of all engines and readers. Each function panics with the broken requirement.

use super::{EngineReply, FakeAnswer, Server};
use crate::{Error, PageReader, Query, WebHit, WebPage, WebSearchEngine};

/// Prepares `server` for [`search`].
pub fn prepare_search(server: &Server) {
    let hit =
        |url: &str, title: &str| WebHit {
            url: url.into(), title: title.into(), snippet: format!("{title}，三更方散")
        };
    let hits = vec![
        hit("https://a.example/1?b=c&d=%E5%A4%9C", "夜市一 &amp; 其他"),
        hit("ftp://a.example/2", "另一种地址"),
        hit("javascript:alert(1)", "不是地址"),
        hit("https://a.example/1?b=c&d=%E5%A4%9C", "夜市一又一次"),
        hit("http://b.example/3", "<b>夜市</b>三"),
        hit("https://c.example/4", "夜市四"),
    ];
    server.says("夜市", EngineReply::Hits(hits)).says("太多", EngineReply::Busy).says("坏了", EngineReply::Broken);
}

/// Tests an engine against a server prepared by [`prepare_search`].
pub async fn search(search: &dyn WebSearchEngine) {
    let name = search.name();
    assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase()), "{name:?} is a name");
    let ask = async |words: &str, language: Option<&str>, limit: usize| {
        let query = Query { words: words.into(), language: language.map(Into::into), limit };
        search.search(&query).await
    };
    for language in [None, Some("zh"), Some("en"), Some("fr")] {
        let hits = ask("夜市", language, 10).await.unwrap_or_else(|error| panic!("{name} has hits: {error}"));
        let urls: Vec<&str> = hits.iter().map(|hit| hit.url.as_str()).collect();
        let expected = ["https://a.example/1?b=c&d=%E5%A4%9C", "http://b.example/3", "https://c.example/4"];
        assert_eq!(urls, expected, "{name}: in order, none twice, only of the web");
        assert_eq!(hits[0].title, "夜市一 & 其他", "{name}: titles are plain text");
        assert_eq!(hits[1].title, "夜市三", "{name}: titles are plain text");
        assert!(hits.iter().all(|hit| hit.snippet.contains("三更方散")), "{name}: snippets are there");
    }
    assert_eq!(ask("夜市", None, 2).await.map(|hits| hits.len()), Ok(2), "{name}: no more than asked for");
    assert_eq!(ask("夜市", None, 0).await, Ok(Vec::new()), "{name}: none are none");
    assert_eq!(ask(" ", None, 5).await, Ok(Vec::new()), "{name}: no words find nothing");
    assert_eq!(ask("无", None, 5).await, Ok(Vec::new()), "{name}: no hit is no error");
    let busy = ask("太多", None, 5).await.expect_err("a refusal is never an empty list");
    assert!(matches!(busy, Error::RateLimited { .. }) && busy.is_passing(), "{name}: {busy:?}");
    let broken = ask("坏了", None, 5).await.expect_err("nonsense is never an empty list");
    assert_eq!(broken.code(), "bad_answer", "{name}: {broken:?}");
}

/// Prepares `server` for [`reader`].
pub fn prepare_reader(server: &Server) {
    let text = "<p>夜市直至三更尽，\u{200b}才五更又复开张。</p><p>耍闹去处，通晓不绝。</p>";
    server.page("/good", FakeAnswer::html("夜市", text));
    server.page("/empty", FakeAnswer::html("", "")).page("/garbled", FakeAnswer::garbled());
}

/// Tests a reader against a server prepared by [`prepare_reader`].
pub async fn reader(reader: &dyn PageReader, server: &Server) {
    let name = reader.name();
    assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase()), "{name:?} is a name");
    let asked = server.url("/good#part");
    let page: WebPage = reader.read(&asked).await.unwrap_or_else(|error| panic!("{name} reads a good page: {error}"));
    assert_eq!((page.asked.as_str(), page.url), (asked.as_str(), server.url("/good")), "{name}");
    assert!(page.text.contains("夜市直至三更尽，才五更又复开张。"), "{name}: {}", page.text);
    assert!(page.bytes > 0 && !page.is_cut, "{name}: it is whole");
    let refusals = [
        ("http://127.0.0.1/", "private_address"),
        ("http://localhost/", "private_address"),
        ("http://169.254.169.254/latest/meta-data/", "private_address"),
        ("http://[::ffff:10.0.0.1]/", "private_address"),
        ("file:///etc/passwd", "bad_url"),
        ("not an address", "bad_url"),
        ("", "bad_url"),
        ("http://user:password@a.example/", "bad_url"),
    ];
    let before = server.asked().len();
    for (url, code) in refusals {
        let error = reader.read(url).await.expect_err(url);
        assert_eq!(error.code(), code, "{name}: {url}");
        assert!(!error.to_string().contains("password@"), "{name} does not repeat passwords");
    }
    assert_eq!(server.asked().len(), before, "{name} sends nothing for what it refuses");
    for (path, code) in [("/missing", "http_status"), ("/empty", "empty"), ("/garbled", "garbled")] {
        let error = reader.read(&server.url(path)).await.expect_err(path);
        assert_eq!(error.code(), code, "{name}: {path}");
    }
}
