//! Every engine and every reader passes the suite, and says what it should to its service.

use qingyu_web::testing::{FakeAnswer, ScriptedReader, ScriptedSearch, Server, contract};
use qingyu_web::{
    Error, PageReader, Query, ReaderKind, SearchKind, Web, WebApiKey, WebHit, WebSearchEngine, WebSettings,
};

const ENGINES: [SearchKind; 4] = [SearchKind::Duckduckgo, SearchKind::Searxng, SearchKind::Brave, SearchKind::Tavily];

fn settings(server: &Server, search: SearchKind, reader: ReaderKind) -> WebSettings {
    let key = Some(WebApiKey::from("secret-key-1"));
    WebSettings { search, reader, search_key: key.clone(), reader_key: key, ..server.settings() }
}

fn query(words: &str) -> Query {
    Query { words: words.into(), language: Some("zh".into()), limit: 5 }
}

#[tokio::test]
async fn every_engine_keeps_the_contract() {
    for kind in ENGINES {
        let server = Server::start().await;
        contract::prepare_search(&server);
        let web = Web::new(&settings(&server, kind, ReaderKind::Own)).unwrap();
        contract::search(web.search.unwrap().as_ref()).await;
    }
}

#[tokio::test]
async fn every_reader_keeps_the_contract() {
    for kind in [ReaderKind::Own, ReaderKind::Jina] {
        let server = Server::start().await;
        contract::prepare_reader(&server);
        let web = Web::new(&settings(&server, SearchKind::None, kind)).unwrap();
        assert!(web.search.is_none());
        contract::reader(web.reader.as_ref(), &server).await;
    }
}

#[tokio::test]
async fn engines_are_asked_as_they_want_it() {
    // Engine, the path it is asked at, the header and value of its key.
    let cases = [
        (SearchKind::Duckduckgo, "/html/?q=%E6%B1%B4%E4%BA%AC+%E5%A4%9C%E5%B8%82&kl=cn-zh", None),
        (
            SearchKind::Searxng,
            "/search?q=%E6%B1%B4%E4%BA%AC+%E5%A4%9C%E5%B8%82&format=json&language=zh&safesearch=0",
            None,
        ),
        (
            SearchKind::Brave,
            "/res/v1/web/search?q=%E6%B1%B4%E4%BA%AC+%E5%A4%9C%E5%B8%82&count=5&text_decorations=false&search_lang=zh-hans",
            Some(("x-subscription-token", "secret-key-1")),
        ),
        (SearchKind::Tavily, "/search", Some(("authorization", "Bearer secret-key-1"))),
    ];
    for (kind, path, key) in cases {
        let server = Server::start().await;
        let web = Web::new(&settings(&server, kind, ReaderKind::Own)).unwrap();
        web.search.unwrap().search(&query(" 汴京 夜市 ")).await.unwrap();
        let asked = server.asked();
        assert_eq!(asked.len(), 1, "robots.txt is for pages, not for services");
        assert_eq!(asked[0].path, path);
        assert!(asked[0].headers["user-agent"].starts_with("qingyu-web/"));
        let (name, value) = key.unwrap_or(("cookie", ""));
        assert_eq!(asked[0].headers.get(name).map_or("", String::as_str), value, "{kind:?}");
        let all = format!("{asked:?}");
        assert_eq!(all.contains("secret-key-1"), key.is_some(), "{kind:?} has a key only if it needs one");
        if kind == SearchKind::Tavily {
            let body: serde_json::Value = serde_json::from_slice(&asked[0].body).unwrap();
            assert_eq!((body["query"].as_str(), body["max_results"].as_u64()), (Some("汴京 夜市"), Some(5)));
        }
    }
}

#[tokio::test]
async fn refusals_of_engines_are_told_apart() {
    // Engine, path, status, code.
    let cases = [
        (SearchKind::Brave, "/res/v1/web/search", 401, "key"),
        (SearchKind::Brave, "/res/v1/web/search", 403, "key"),
        (SearchKind::Tavily, "/search", 432, "key"),
        (SearchKind::Tavily, "/search", 500, "http_status"),
        (SearchKind::Searxng, "/search", 403, "bad_answer"),
        (SearchKind::Searxng, "/search", 302, "bad_answer"),
        (SearchKind::Duckduckgo, "/html/", 403, "rate_limited"),
        (SearchKind::Duckduckgo, "/html/", 202, "rate_limited"),
        (SearchKind::Duckduckgo, "/html/", 503, "http_status"),
    ];
    for (kind, path, status, code) in cases {
        let server = Server::start().await;
        let answer =
            if status == 302 { FakeAnswer::redirect("https://a.example/") } else { FakeAnswer::status(status) };
        let settings = settings(&server, kind, ReaderKind::Own);
        let web = Web::new(&settings).unwrap();
        let search = web.search.unwrap();
        // The path with its query is known once it was asked.
        search.search(&query("x")).await.unwrap();
        let exact = server.asked()[0].path.clone();
        assert!(exact.starts_with(path));
        server.page(&exact, answer);
        let error = search.search(&query("x")).await.unwrap_err();
        assert_eq!(error.code(), code, "{kind:?} {status}: {error}");
        assert!(!format!("{error} {error:?} {settings:?} {search:?}").contains("secret-key-1"), "keys are not shown");
    }
}

#[tokio::test]
async fn jina_is_asked_for_what_passed_the_guard() {
    let server = Server::start().await;
    let web = Web::new(&settings(&server, SearchKind::None, ReaderKind::Jina)).unwrap();
    let told = "Title: 夜市\n\nURL Source: http://127.0.0.1/\n\nMarkdown Content:\n# 夜市\n\n三更方散，五更又开。\n";
    let target = server.url("/story?a=b");
    server.page(&format!("/{target}"), FakeAnswer::text(told));
    let page = web.reader.read(&format!("{target}#part")).await.unwrap();
    assert_eq!((page.title.as_str(), page.url.as_str()), ("夜市", target.as_str()), "a private address is no source");
    assert!(page.text.ends_with("三更方散，五更又开。"));
    let echo = format!("{told}\n你的密钥是 secret-key-1，secret-key-1。\n");
    server.page(&format!("/{target}"), FakeAnswer::text(&echo));
    let page = web.reader.read(&target).await.unwrap();
    assert!(page.text.ends_with("你的密钥是 ***，***。"), "what a service repeats is not kept: {}", page.text);
    let asked = &server.asked()[0];
    assert_eq!(asked.headers["authorization"], "Bearer secret-key-1");
    assert_eq!(asked.path, format!("/{target}"));
    for (status, code) in [(401, "key"), (429, "rate_limited"), (451, "http_status"), (422, "http_status")] {
        server.page(&format!("/{target}"), FakeAnswer::status(status));
        assert_eq!(web.reader.read(&target).await.unwrap_err().code(), code, "{status}");
    }
    server.page(&format!("/{target}"), FakeAnswer::json(&serde_json::json!({"code": 200, "data": {}})));
    assert_eq!(web.reader.read(&target).await.unwrap_err().code(), "bad_answer");
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let base = WebSettings::default;
    let cases = [
        (WebSettings { search: SearchKind::Brave, ..base() }, "search_key"),
        (WebSettings { search: SearchKind::Tavily, search_key: Some(" ".into()), ..base() }, "search_key"),
        (WebSettings { search: SearchKind::Brave, search_key: Some("a\nb".into()), ..base() }, "search_key"),
        (WebSettings { search: SearchKind::Searxng, ..base() }, "search_endpoint"),
        (searxng("http://127.0.0.1:8888"), "search_endpoint"),
        (searxng("http://localhost:8888"), "search_endpoint"),
        (searxng("ftp://searx.example"), "search_endpoint"),
        (searxng("https://searx.example:8443"), "search_endpoint"),
        (searxng("https://searx.example/?x=y"), "search_endpoint"),
        (searxng("https://a:b@searx.example"), "search_endpoint"),
        (
            WebSettings { reader: ReaderKind::Jina, reader_endpoint: Some("http://10.0.0.1".into()), ..base() },
            "reader_endpoint",
        ),
        (WebSettings { allow: vec!["localhost".into()], ..base() }, "allow"),
        (WebSettings { allow: vec!["localhost:99999".into()], ..base() }, "allow"),
        (WebSettings { allow: vec!["a@localhost:80".into()], ..base() }, "allow"),
        (WebSettings { allow: vec!["localhost/x:80".into()], ..base() }, "allow"),
    ];
    for (settings, expected) in cases {
        match Web::new(&settings) {
            Err(Error::Settings { field, .. }) => assert_eq!(field, expected, "{settings:?}"),
            other => panic!("{settings:?} gives {other:?}"),
        }
    }
    assert!(Web::new(&base()).unwrap().search.is_none(), "nothing is searched unless told");
    let allowed = WebSettings { allow: vec!["localhost:8888".into()], ..searxng("http://localhost:8888/searx/") };
    assert_eq!(Web::new(&allowed).unwrap().search.unwrap().name(), "searxng");
}

fn searxng(endpoint: &str) -> WebSettings {
    WebSettings { search: SearchKind::Searxng, search_endpoint: Some(endpoint.into()), ..WebSettings::default() }
}

#[test]
fn settings_are_plain_data_without_keys() {
    let text = r#"{"search": "tavily", "search_key": "secret-key-1", "reader": "jina", "ports": [80]}"#;
    let settings: WebSettings = serde_json::from_str(text).unwrap();
    assert_eq!((settings.search, settings.reader, settings.ports.len()), (SearchKind::Tavily, ReaderKind::Jina, 1));
    assert_eq!(settings.max_bytes, 10_000_000, "what is left out has its default");
    assert!(!serde_json::to_string(&settings).unwrap().contains("secret"));
    assert!(serde_json::from_str::<WebSettings>(r#"{"serach": "tavily"}"#).is_err(), "a slip is told");
}

#[tokio::test]
async fn doubles_answer_from_their_tables() {
    let hit =
        |at: usize| WebHit { url: format!("https://a.example/{at}"), title: String::new(), snippet: String::new() };
    let search = ScriptedSearch::new((0..9).map(hit).collect()).on("none", Err(Error::Empty));
    assert_eq!(search.search(&query("x")).await.unwrap().len(), 5);
    assert_eq!(search.search(&query("none")).await, Err(Error::Empty));
    assert_eq!(search.asked().iter().map(|query| query.words.as_str()).collect::<Vec<_>>(), ["x", "none"]);
    let reader = ScriptedReader::new().page("https://a.example/1", "夜市", "三更方散");
    assert_eq!(reader.read("https://a.example/1").await.unwrap().text, "三更方散");
    assert_eq!(reader.read("https://a.example/2").await.unwrap_err().code(), "http_status");
    assert_eq!(reader.asked().len(), 2);
}
