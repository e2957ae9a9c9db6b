//! What hostile clients try. docs/security.md says which test stands for which control.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use qingyu_grpc::proto::run_service_client::RunServiceClient;
use qingyu_grpc::proto::{CancelRunRequest, GetRunRequest, ResumeRunRequest, WatchRunRequest};
use qingyu_studio::Right;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tracing_subscriber::fmt::MakeWriter;

use crate::examples::{answer, examples, request};
use crate::house::{House, home, told};
use crate::matrix::{CANARY, belongings, described, everything, routes, written};
use crate::web::web;

/// Words that mean something to a file system, a database, a terminal or a page.
fn hostile() -> Vec<String> {
    let words = [
        "../../../../etc/passwd",
        "..\\..\\windows\\win.ini",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/etc/passwd",
        "con",
        "a\0b",
        "'; DROP TABLE run; --",
        "$(touch /tmp/qingyu-was-here)",
        "<script>alert(1)</script>",
        "\u{202e}gpj.exe\u{1b}[2J",
    ];
    words.map(str::to_owned).into_iter().chain(["长".repeat(5_000)]).collect()
}

/// Whether an answer tells how it looks inside of the server.
fn tells_too_much(text: &str, home: &std::path::Path) -> Option<String> {
    let inside = ["SELECT ", "INSERT INTO", "sqlite", "panicked", ".rs:", home.to_str().unwrap()];
    inside.into_iter().find(|word| text.contains(word)).map(str::to_owned)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_knows_only_our_names_and_pages() {
    let home = home();
    let house = House::open(&home).await;
    for (name, route) in routes(&house) {
        for (header, value, status) in [
            ("host", "evil.example.com", StatusCode::FORBIDDEN),
            ("host", "127.0.0.1.nip.io", StatusCode::FORBIDDEN),
            ("origin", "http://evil.example.com", StatusCode::FORBIDDEN),
            ("origin", "null", StatusCode::FORBIDDEN),
            // A page that sends no origin, as forms of other sites do, has no token of ours.
            ("sec-fetch-site", "cross-site", StatusCode::UNAUTHORIZED),
        ] {
            let request = route.try_clone().unwrap().header(header, value);
            let request = request.header("content-type", "application/x-www-form-urlencoded").body("a=b");
            let given = request.send().await.unwrap();
            let is_refused = given.status() == status || given.status() == StatusCode::METHOD_NOT_ALLOWED;
            assert!(is_refused, "{name} with {header}: {value}: {given:?}");
        }
    }
    house.go().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_words_are_words_everywhere() {
    let home = home();
    let house = House::open(&home).await;
    let key = house.key("anna", Right::Write).await;
    let known = belongings(&house, &key).await;
    let mut asked = 0;
    for example in examples() {
        // Runs would be begun with them, one after the other.
        if example["name"] == "start_run" || described(&example["name"]).right == Right::Admin {
            continue;
        }
        let input = known.here(&example["input"]);
        for field in input.as_object().unwrap().keys() {
            for word in hostile() {
                let mut input = input.clone();
                input[field] = match &input[field] {
                    Value::String(_) => word.as_str().into(),
                    Value::Array(_) => json!([word]),
                    _ => continue,
                };
                let named = described(&example["name"]);
                let given = request(&house, &named, input).bearer_auth(&key).send().await.unwrap();
                let status = given.status();
                assert_eq!(given.headers()["x-content-type-options"], "nosniff");
                let is_page =
                    given.headers().get("content-type").is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
                assert!(!is_page, "{}", named.name);
                let text = given.text().await.unwrap();
                assert!(status.as_u16() < 500, "{} with {field} = {word}: {status} {text}", named.name);
                if !status.is_success() {
                    let told = tells_too_much(&text.replace(&word, ""), home.path());
                    assert_eq!(told, None, "{} with {field}: {text}", named.name);
                }
                asked += 1;
            }
        }
    }
    assert!(asked > 500, "only {asked} requests");
    assert!(!std::path::Path::new("/tmp/qingyu-was-here").exists());
    house.go().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_doors_tell_nothing_of_another_user() {
    let home = home();
    let house = House::open(&home).await;
    let (anna, ben) = (house.key("anna", Right::Write).await, house.key("ben", Right::Write).await);
    belongings(&house, &anna).await;
    let before = everything(&house, &anna).await;
    let (projects, runs) = (before[0].as_array().unwrap(), before[1].as_array().unwrap());
    for (project, run) in projects.iter().zip(runs) {
        let (project, run) = (project["project"].as_str().unwrap(), run["run"].as_str().unwrap());
        let named = [("langgraph", "/langgraph"), ("agui", ""), ("openai", ""), ("mcp", "")];
        let paths = named
            .into_iter()
            .flat_map(|(door, prefix)| written(door).into_iter().map(move |path| format!("{prefix}{path}")));
        for path in paths.filter(|path| path.contains('{')) {
            let path = path.replace("{run}", run).replace("{thread}", project).replace("{project}", project);
            let path = path.replace("{model}", &format!("qingyu@{project}")).replace("{assistant}", project);
            for method in [Method::GET, Method::POST, Method::PATCH, Method::DELETE] {
                let body = json!({"assistant_id": "create", "input": {"requirement": "x"}, "values": {}, "messages": [],
                    "threadId": project, "runId": run, "state": {}, "tools": [], "context": [], "forwardedProps": {},
                    "jsonrpc": "2.0", "id": 1, "method": "resources/list", "params": {}});
                let asked = web().request(method.clone(), house.url(&path)).bearer_auth(&ben).json(&body);
                let given = asked.send().await.unwrap();
                let status = given.status();
                let text = given.text().await.unwrap();
                assert!(!text.contains(CANARY), "{method} {path}: {text}");
                let is_told = status.is_success() && !text.contains("error") && text.contains(project);
                assert!(!is_told, "{method} {path}: {status} {text}");
            }
        }
        let channel = tonic::transport::Channel::from_shared(house.url("")).unwrap().connect().await.unwrap();
        let with_key = |mut request: tonic::Request<()>| {
            request.metadata_mut().insert("authorization", format!("Bearer {ben}").parse().unwrap());
            Ok(request)
        };
        let mut client = RunServiceClient::with_interceptor(channel, with_key);
        let run = || run.to_owned();
        let refused = [
            client.get_run(GetRunRequest { run: run() }).await.unwrap_err(),
            client.watch_run(WatchRunRequest { run: run(), after: 0 }).await.unwrap_err(),
            client.cancel_run(CancelRunRequest { run: run() }).await.unwrap_err(),
            client.resume_run(ResumeRunRequest { run: run(), ..ResumeRunRequest::default() }).await.unwrap_err(),
        ];
        assert!(refused.iter().all(|status| status.code() == tonic::Code::NotFound), "{refused:?}");
    }
    assert_eq!(everything(&house, &anna).await, before);
    house.go().await;
}

#[tokio::test]
async fn what_is_too_large_or_too_deep_is_refused() {
    const BODY: usize = 1 << 20;
    let home = home();
    let house = House::open(&home).await;
    let text = |bytes: usize| {
        let around = json!({"text": ""}).to_string().len();
        json!({"text": "a".repeat(bytes - around)}).to_string()
    };
    let send = async |body: String| {
        let asked = web().post(house.url("/api/v1/memories")).header("content-type", "application/json").body(body);
        asked.send().await.unwrap().status()
    };
    assert_ne!(send(text(BODY)).await, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(send(text(BODY + 1)).await, StatusCode::PAYLOAD_TOO_LARGE);
    let deep = |depth: usize| format!("{{\"text\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
    for depth in [200, 100_000] {
        assert!(send(deep(depth)).await.is_client_error());
    }
    let headers = async |count: usize, bytes: usize| {
        let start = house.get("/livez");
        let many = (0..count).fold(start, |request, number| request.header(format!("x-{number}"), "a".repeat(bytes)));
        many.send().await.map(|given| given.status())
    };
    assert_eq!(headers(50, 10).await.unwrap(), StatusCode::OK);
    for (count, bytes) in [(200, 1), (4, 1 << 20)] {
        let given = headers(count, bytes).await;
        assert!(
            given.as_ref().map_or(true, |status| *status == StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
            "{given:?}"
        );
    }
    assert_eq!(house.get("/livez").send().await.unwrap().status(), StatusCode::OK, "it lives");
    house.go().await;
}

/// How long a server waits for somebody who begins so and says nothing more, and what it says.
async fn patience(house: &House, beginning: &str) -> (Duration, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", house.address.port())).await.unwrap();
    stream
        .write_all(beginning.replace("HOST", &format!("127.0.0.1:{}", house.address.port())).as_bytes())
        .await
        .unwrap();
    let begun = Instant::now();
    let mut told = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut told)).await;
    ended.expect("it does not wait for ever").ok();
    (begun.elapsed(), String::from_utf8_lossy(&told).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_slow_to_ask_is_cut_off() {
    let home = home();
    let house = House::open(&home).await;
    let body = "POST /api/v1/memories HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let (headers, body) =
        tokio::join!(patience(&house, "GET /livez HTTP/1.1\r\nHost: HOST\r\nX-Slow: "), patience(&house, body));
    assert!((9..15).contains(&headers.0.as_secs()), "{headers:?}");
    assert!((18..35).contains(&body.0.as_secs()), "{body:?}");
    assert!(body.1.is_empty() || body.1.starts_with("HTTP/1.1 4"), "{}", body.1);
    house.go().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_begin_at_once_on_a_project_one_does() {
    let home = home();
    let house = House::stuck(&home).await;
    let first = house.begin("雨夜").await;
    house.post(&format!("/api/v1/runs/{first}/cancel"), &json!({})).send().await.unwrap().error_for_status().unwrap();
    house.follow(&first, 0).await;
    let run: Value = house.get(&format!("/api/v1/runs/{first}")).send().await.unwrap().json().await.unwrap();
    let start = json!({"start": {"kind": "create", "requirement": "雨夜里的一封信", "project": run["project"]}});
    tokio::time::sleep(Duration::from_secs(3)).await;
    let given = futures::future::join_all((0..12).map(|_| house.post("/api/v1/runs", &start).send())).await;
    let mut statuses: Vec<u16> = given.into_iter().map(|given| given.unwrap().status().as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (201, &[409; 11][..]));
    house.go().await;
}

#[tokio::test]
async fn nobody_from_afar_is_told_where_things_are_kept() {
    let home = home();
    let house = House::open(&home).await;
    let key = house.key("anna", Right::Write).await;
    let start = json!({"start": {"kind": "create", "requirement": "一个灯塔看守人"}});
    let begun = answer("start_run", house.post("/api/v1/runs", &start).bearer_auth(&key)).await;
    let path = format!("/api/v1/runs/{}", begun["run"].as_str().unwrap());
    let ask = async |path: &str| house.get(path).bearer_auth(&key).send().await.unwrap().text().await.unwrap();
    let told = ask(&format!("{path}/events")).await + &ask(&path).await + &ask("/api/v1/settings").await;
    assert!(told.contains("completed") && !told.contains(home.path().to_str().unwrap()), "{told}");
    house.go().await;
}

#[tokio::test]
async fn keys_that_are_refused_stand_in_the_audit() {
    let home = home();
    let (house, _) = House::guarded(&home).await;
    let key = house.key("anna", Right::Write).await;
    let row = house.studio.access().keys(Some("anna")).await.unwrap().remove(0);
    house.studio.access().revoke_key(&row.key).await.unwrap();
    for _ in 0..5 {
        assert_eq!(house.get("/api/v1/projects").bearer_auth(&key).send().await.unwrap().status(), 401);
    }
    let refused = loop {
        let entries = house.studio.access().audit(None, 100).await.unwrap();
        let refused: Vec<_> = entries.into_iter().filter(|entry| entry.action == "key.refused").collect();
        if !refused.is_empty() {
            break refused;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert_eq!(refused.len(), 1, "one a minute for each key, so that nobody fills the disk");
    let entry = &refused[0];
    assert_eq!((&*entry.object, &*entry.result, &*entry.origin), (&*row.key, "revoked", "127.0.0.1"));
    house.go().await;
}

/// A log that is kept.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn the_log_tells_neither_keys_nor_texts() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    let _log = tracing::subscriber::set_default(subscriber);
    let home = home();
    let house = House::open(&home).await;
    let key = house.key("anna", Right::Write).await;
    let start = json!({"start": {"kind": "create", "requirement": CANARY}});
    let begun = answer("start_run", house.post("/api/v1/runs", &start).bearer_auth(&key)).await;
    let run = begun["run"].as_str().unwrap();
    let events = format!("/api/v1/runs/{run}/events");
    house.get(&events).bearer_auth(&key).send().await.unwrap().text().await.unwrap();
    house.get("/api/v1/projects").bearer_auth(format!("{key}x")).send().await.unwrap();
    house.post("/api/v1/runs", &json!({"start": {"kind": CANARY}})).bearer_auth(&key).send().await.unwrap();
    house.go().await;
    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(log.contains(run), "the log is there");
    let ours: Vec<&str> = log.lines().filter(|line| line.contains(&key) || line.contains(CANARY)).collect();
    assert!(ours.is_empty(), "{ours:#?}");
}

#[test]
fn a_test_stands_for_every_control_that_is_named() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = String::new();
    let mut folders = vec![root.join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources += &std::fs::read_to_string(path).unwrap();
            }
        }
    }
    let page = std::fs::read_to_string(root.join("docs/security.md")).unwrap();
    let is_name = |word: &&str| word.contains('_') && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_name).collect();
    assert!(named.len() > 40, "{named:?}");
    for name in named {
        assert!(sources.contains(&format!("fn {name}(")), "docs/security.md names {name}, which is no test");
    }
}

#[tokio::test]
async fn whoever_listens_with_a_key_that_is_taken_back_hears_nothing_more() {
    let home = home();
    let house = House::stuck(&home).await;
    let (anna, reader) = (house.key("anna", Right::Write).await, house.key("anna", Right::Read).await);
    let start = json!({"start": {"kind": "create", "requirement": "雨夜里的一封信"}});
    let begun: Value =
        house.post("/api/v1/runs", &start).bearer_auth(&anna).send().await.unwrap().json().await.unwrap();
    let events = format!("/api/v1/runs/{}/events", begun["run"].as_str().unwrap());
    let listen = async |key: &str| house.get(&events).bearer_auth(key).send().await.unwrap();
    let (first, other) = (listen(&anna).await, listen(&reader).await);
    house.studio.access().revoke_key(&anna).await.unwrap();
    let heard = tokio::time::timeout(Duration::from_secs(10), first.text()).await.expect("the stream ends").unwrap();
    let last = told(&heard).pop().unwrap();
    assert_eq!((last.name.as_deref(), &last.data["code"]), (Some("error"), &json!("unauthorized")), "{heard}");
    assert_eq!(listen(&anna).await.status(), 401);
    let other = tokio::time::timeout(Duration::from_millis(200), other.text()).await;
    assert!(other.is_err(), "a key of the same user that holds is heard with: {other:?}");
    house.go().await;
}
