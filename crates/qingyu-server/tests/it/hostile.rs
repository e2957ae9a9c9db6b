//! Hostile values in every field of every operation and tool, from callers who are not the machine's own user; made from the
//! schemas of both, so that none is forgotten. And what must not silence a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use prost_types::Struct;
use prost_types::value::Kind::{StringValue, StructValue};
use qingyu_grpc::proto::run_service_client::RunServiceClient;
use qingyu_grpc::proto::{CreateWork, Start, StartRunRequest, start};
use qingyu_studio::Right;
use qingyu_tools::Toolbox;
use qingyu_tools::toolbox::ToolFilter;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::examples::{Names, examples, request};
use crate::extent::cases;
use crate::house::{House, home, problem};
use crate::matrix::{belongings, described};
use crate::web::key;

/// What stands in a file of the machine that nobody from afar may learn.
const SECRET: &str = "only-the-machine-knows-this";
/// The longest that an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What hostile values lead to: a file that must not be read, and an address that must not be asked.
struct HostileTargets {
    file: std::path::PathBuf,
    url: String,
    asked: Arc<AtomicUsize>,
}

impl HostileTargets {
    async fn lay(folder: &std::path::Path) -> Self {
        let file = folder.join("secret.jsonl");
        let line = json!({"version": 2, "request": {"purpose": SECRET}, "reply": {"text": SECRET}});
        std::fs::write(&file, format!("{line}\n")).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { file, url, asked }
    }

    /// Values of the same type as `value`, or of another one.
    fn values(&self, value: &Value) -> Vec<Value> {
        let file = self.file.display();
        let words = [
            format!("cassette:{file}"),
            "cassette:/dev/zero".into(),
            format!("local:{file}"),
            format!("file://{file}"),
            format!("recording:../{file}"),
            file.to_string(),
            self.url.clone(),
            format!("sh -c 'cat {file}'"),
        ];
        match value {
            Value::Number(_) => {
                vec![json!(u64::MAX), json!(i64::MIN), json!(-1), json!(4_294_967_295u64), json!(1e308), json!(0.5)]
            }
            Value::Array(_) => vec![json!(vec!["x"; 20_000]), json!([words[0], words[6]])],
            Value::String(_) => words.into_iter().map(Value::from).collect(),
            _ => vec![json!(words[0]), json!({"command": "sh", "path": words[5], "url": words[6]})],
        }
    }
}

/// The places of all values in a document that are no objects, and of the objects themselves.
fn places(value: &Value, path: &str, found: &mut Vec<String>) {
    if !path.is_empty() {
        found.push(path.to_owned());
    }
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            places(value, &format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        Value::Array(values) => values.iter().take(2).enumerate().for_each(|(place, value)| {
            places(value, &format!("{path}/{place}"), found);
        }),
        _ => {}
    }
}

/// Those who ask: who may look at Anna's, who may change their own alone, and an admin from afar.
async fn callers(house: &House) -> [(&'static str, String); 3] {
    [
        ("a key of Anna that reads", house.key("anna", Right::Read).await),
        ("a key of Ben that writes", house.key("ben", Right::Write).await),
        ("an admin from afar", key(&house.studio, "warden", Right::Admin, &[]).await),
    ]
}

async fn ask(house: &House, name: &Value, input: Value, key: &str, bait: &HostileTargets, what: &str) -> u16 {
    let begun = Instant::now();
    let sent = request(house, &described(name), input).bearer_auth(key).timeout(PATIENCE).send().await;
    let given = sent.unwrap_or_else(|error| panic!("{what}: {error}"));
    let status = given.status().as_u16();
    let text = given.text().await.unwrap();
    // A provider that is not there is no mistake of the server.
    assert!(status < 500 || matches!(status, 502..=504), "{what}: {status} {text}");
    assert!(!text.contains(SECRET), "{what}: {text}");
    assert_eq!(bait.asked.load(Ordering::SeqCst), 0, "{what} has led to an address of this machine");
    assert!(begun.elapsed() < PATIENCE, "{what}");
    status
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_of_every_operation_is_sent_hostile_values() {
    let (home, folder) = (home(), home());
    let bait = HostileTargets::lay(folder.path()).await;
    let house = House::open(&home).await;
    let owner = house.key("anna", Right::Write).await;
    let known = belongings(&house, &owner).await;
    let every = cases(3, 1);
    let (mut asked, mut places_seen) = (0, 0);
    for (who, key) in callers(&house).await {
        for example in examples() {
            // What waits for its turn, or takes the callers' keys away, is no field.
            if matches!(example["name"].as_str(), Some("revoke_key" | "remove_member" | "disable_user" | "call_tool")) {
                continue;
            }
            let input = known.here(&example["input"]);
            let mut all = Vec::new();
            places(&input, "", &mut all);
            for place in all {
                // One of them is enough for the words of whole stories.
                let is_deep = place.matches('/').count() > 5;
                let values = bait.values(input.pointer(&place).unwrap());
                // Of the values every third one, beginning with another one at each place.
                let (first, every) = if is_deep { (0, values.len()) } else { (places_seen % every, every) };
                places_seen += 1;
                for value in values.iter().skip(first.min(values.len() - 1)).step_by(every) {
                    let mut input = input.clone();
                    *input.pointer_mut(&place).unwrap() = value.clone();
                    let value: String = value.to_string().chars().take(60).collect();
                    let what = format!("{} by {who} with {place} = {value}", example["name"]);
                    ask(&house, &example["name"], input, &key, &bait, &what).await;
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > cases(800, 2_000), "only {asked} requests");
    house.go().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_caller_names_a_file_as_a_model_or_raises_a_limit_in_a_run() {
    let (home, folder) = (home(), home());
    let bait = HostileTargets::lay(folder.path()).await;
    let house = House::with(&home, &[("budget.tokens", "50"), ("budget.free_models", "true")]).await;
    let owner = house.key("anna", Right::Write).await;
    let known = belongings(&house, &owner).await;
    let here = |text: &str| known.here(&json!(text));
    let start = json!("start_run");
    let kinds = [
        json!({"kind": "create", "requirement": "灯"}),
        json!({"kind": "write", "project": here("p-lighthouse"), "task": {"kind": "draft"}}),
        json!({"kind": "task", "project": here("p-lighthouse"), "task": {"description": "灯"}}),
        json!({"kind": "produce", "premise": "课"}),
        json!({"kind": "tell", "project": here("p-course"), "order": {"do": "say", "text": "灯"}}),
        json!({"kind": "resume", "run": here("r-lighthouse")}),
    ];
    let (there, missing) = (bait.file.display().to_string(), folder.path().join("nope").display().to_string());
    let key = key(&house.studio, "anna", Right::Write, &[]).await;
    for kind in kinds {
        let mut refusals = Vec::new();
        for path in [&there, &missing, &"/dev/zero".to_owned()] {
            let model = format!("cassette:{path}");
            for overrides in [
                json!({"models": {"all": model}}),
                json!({"models": {"default": model}}),
                json!({"models": {"planner": model, "fallbacks": [model]}}),
                json!({"prompts": {"folder": path}}),
                json!({"embeddings": {"embedder": format!("local:{path}")}}),
                json!({"mcp_servers": {"x": {"command": path}}}),
                json!({"providers": {"x": {"base_url": bait.url}}}),
            ] {
                let mut kind = kind.clone();
                kind["overrides"] = overrides;
                let given =
                    house.post("/api/v1/runs", &json!({ "start": kind })).bearer_auth(&key).send().await.unwrap();
                let (status, code) = problem(given).await;
                refusals.push((status, code));
            }
            let mut kind = kind.clone();
            if kind["kind"] != "resume" {
                kind["model"] = model.into();
                let given =
                    house.post("/api/v1/runs", &json!({ "start": kind })).bearer_auth(&key).send().await.unwrap();
                refusals.push(problem(given).await);
            }
        }
        refusals.dedup();
        let is_told_apart = refusals.len() > 1;
        assert!(!is_told_apart, "{kind}: whether a file is there is nobody's business: {refusals:?}");
        // A run that has ended, or a project of another kind, is refused before its settings are looked at.
        assert!(matches!(refusals[0].0, 403 | 409 | 422), "{kind}: {refusals:?}");
    }
    let numbers =
        json!({"kind": "produce", "premise": "课", "overrides": {"production": {"evaluation_runs": 100_000}}});
    ask(&house, &start, json!({ "start": numbers }), &key, &bait, "evaluation_runs").await;
    let given = house.post("/api/v1/runs", &json!({ "start": numbers })).bearer_auth(&key).send().await.unwrap();
    assert_eq!(problem(given).await, (422, "bad_settings".to_owned()));
    let raised = json!({"kind": "create", "requirement": "灯", "overrides": {"budget": {"tokens": 1_000_000, "free_models": false}}});
    let given = house.post("/api/v1/runs", &json!({ "start": raised })).bearer_auth(&key).send().await.unwrap();
    let begun: Value = given.json().await.unwrap();
    let run = begun["run"].as_str().unwrap();
    house.get(&format!("/api/v1/runs/{run}/events")).bearer_auth(&key).send().await.unwrap().text().await.unwrap();
    let outcome: Value =
        house.get(&format!("/api/v1/runs/{run}")).bearer_auth(&key).send().await.unwrap().json().await.unwrap();
    assert_eq!(outcome["errors"][0]["code"], "budget", "{outcome:#}");
    // What was asked for and does not hold is said.
    assert!(outcome["warnings"].to_string().contains("budget.tokens"), "{outcome:#}");
    house.go().await;
}

/// A value that fits a schema of a tool's parameter, roughly.
fn fitting(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].as_array().and_then(|all| all.first()) {
        return first.clone();
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"].as_array().and_then(|all| all[0].as_str()));
    match kind {
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!("灯"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_parameter_of_every_tool_is_sent_hostile_values() {
    let (home, folder) = (home(), home());
    let bait = HostileTargets::lay(folder.path()).await;
    let house = House::open(&home).await;
    let owner = house.key("anna", Right::Write).await;
    let known: Names = belongings(&house, &owner).await;
    let project = known.here(&json!("p-lighthouse"));
    let tools: Vec<_> = Toolbox::writing().list(ToolFilter::default()).cloned().collect();
    let mut asked = 0;
    for (who, key) in callers(&house).await.into_iter().chain([("Anna", owner)]) {
        for tool in &tools {
            let properties = tool.parameters["properties"].as_object().unwrap();
            let required = tool.parameters["required"].as_array().into_iter().flatten();
            let base: serde_json::Map<String, Value> = required
                .filter_map(Value::as_str)
                .filter_map(|name| Some((name.to_owned(), fitting(properties.get(name)?))))
                .collect();
            for (name, schema) in properties {
                for value in bait.values(&fitting(schema)) {
                    let mut arguments = base.clone();
                    arguments.insert(name.clone(), value.clone());
                    let input = json!({"project": project, "tool": tool.name, "arguments": arguments});
                    let value: String = value.to_string().chars().take(60).collect();
                    let what = format!("{} by {who} with {name} = {value}", tool.name);
                    ask(&house, &json!("call_tool"), input, &key, &bait, &what).await;
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 500, "only {asked} calls");
    house.go().await;
}

/// Requests of the protocols that have routes of their own.
fn of_protocols(project: &Value, run: &Value) -> Vec<(String, Value)> {
    let project = project.as_str().unwrap();
    let settings =
        json!({"models": {"all": "offline-rules-1"}, "budget": {"tokens": 5}, "writing": {"max_retries": 1}});
    let data = |skill: &str, options: Value| json!({"skill": skill, "project": project, "options": options});
    let a2a = |data: Value| {
        let parts = json!([{"text": "灯"}, {"data": data}]);
        let message = json!({"messageId": "m-1", "role": "ROLE_USER", "contextId": project, "parts": parts});
        let webhook = json!({"taskPushNotificationConfig": {"url": "offline"}, "returnImmediately": true});
        json!({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message, "configuration": webhook}})
    };
    let run_tool = |name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let more = json!({"kind": "create", "project": project, "model": "offline-rules-1", "overrides": settings});
    let agui = json!({
        "threadId": "t", "runId": "u", "state": {"project": project}, "messages": [{"id": "1", "role": "user", "content": "灯"}],
        "tools": [], "context": [], "forwardedProps": {"qingyu": more},
    });
    let input =
        json!({"messages": [{"role": "user", "content": "灯"}], "model": "offline-rules-1", "overrides": settings});
    let order = json!({"assistant_id": "create", "input": input, "webhook": "offline", "config": {"configurable": {"model": "offline-rules-1"}}});
    let chat = json!({"model": "assistant", "messages": [{"role": "user", "content": "灯"}], "stream": false, "n": 1});
    vec![
        (
            "/a2a".to_owned(),
            a2a(data("create", json!({"title": "灯", "model": "offline-rules-1", "settings": settings}))),
        ),
        (
            "/a2a".to_owned(),
            a2a(data("write", json!({"chapters": [1], "words": 5, "model": "offline-rules-1", "settings": settings}))),
        ),
        (
            "/a2a".to_owned(),
            a2a(data("produce", json!({"template": "course", "model": "offline-rules-1", "settings": settings}))),
        ),
        (
            "/mcp".to_owned(),
            run_tool(
                "start_run",
                json!({"start": {"kind": "create", "requirement": "灯", "model": "offline-rules-1", "overrides": settings}}),
            ),
        ),
        (
            "/mcp".to_owned(),
            run_tool("answer_run", json!({"run_id": run, "answer": {"answer": "approve"}, "overrides": settings})),
        ),
        ("/mcp".to_owned(), run_tool("get_run", json!({"run_id": run}))),
        ("/agui".to_owned(), agui),
        ("/langgraph/runs".to_owned(), order.clone()),
        (format!("/langgraph/threads/{project}/runs"), order),
        ("/langgraph/threads".to_owned(), json!({"thread_id": "x", "metadata": {"title": "灯"}, "if_exists": "raise"})),
        (
            format!("/langgraph/threads/{project}/state"),
            json!({"values": {"premise": "灯"}, "as_node": "planner", "checkpoint_id": "c"}),
        ),
        ("/v1/chat/completions".to_owned(), chat),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_of_the_other_protocols_is_sent_hostile_values() {
    let (home, folder) = (home(), home());
    let bait = HostileTargets::lay(folder.path()).await;
    let house = House::open(&home).await;
    let owner = house.key("anna", Right::Write).await;
    let known = belongings(&house, &owner).await;
    let (project, run) = (known.here(&json!("p-lighthouse")), known.here(&json!("r-lighthouse")));
    for (path, body) in of_protocols(&project, &run) {
        let given = house.post(&path, &body).bearer_auth(&owner).header("a2a-version", "1.0").send().await.unwrap();
        let (status, text) = (given.status().as_u16(), given.text().await.unwrap());
        assert!(status != 405 && !text.contains("unknown_route"), "{path}: {status} {text}");
    }
    let mut asked = 0;
    for (who, key) in callers(&house).await {
        for (path, body) in of_protocols(&project, &run) {
            let mut all = Vec::new();
            places(&body, "", &mut all);
            for place in all {
                for value in bait.values(body.pointer(&place).unwrap()) {
                    let mut body = body.clone();
                    *body.pointer_mut(&place).unwrap() = value.clone();
                    let value: String = value.to_string().chars().take(60).collect();
                    let what = format!("{path} by {who} with {place} = {value}");
                    let request = house.post(&path, &body).bearer_auth(&key).header("a2a-version", "1.0");
                    let request = request.header("accept", "application/json, text/event-stream").timeout(PATIENCE);
                    let given = request.send().await.unwrap_or_else(|error| panic!("{what}: {error}"));
                    let status = given.status().as_u16();
                    assert!(status < 500 || matches!(status, 501..=504), "{what}: {status}");
                    // What streams goes on; its beginning is enough.
                    let text = tokio::time::timeout(Duration::from_millis(50), given.text()).await;
                    assert!(!text.is_ok_and(|text| text.is_ok_and(|text| text.contains(SECRET))), "{what}");
                    assert_eq!(bait.asked.load(Ordering::SeqCst), 0, "{what} has led to an address of this machine");
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 2_000, "only {asked} requests");
    house.go().await;
}

/// An object of texts and objects.
fn on_wire(object: &Value) -> Struct {
    let field = |(name, value): (&String, &Value)| {
        let kind = match value.as_str() {
            Some(text) => StringValue(text.to_owned()),
            None => StructValue(on_wire(value)),
        };
        (name.clone(), prost_types::Value { kind: Some(kind) })
    };
    Struct { fields: object.as_object().unwrap().iter().map(field).collect() }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_setting_of_a_run_over_grpc_is_sent_hostile_values() {
    let (home, folder) = (home(), home());
    let bait = HostileTargets::lay(folder.path()).await;
    let house = House::open(&home).await;
    let key = house.key("anna", Right::Write).await;
    let channel = tonic::transport::Endpoint::from_shared(house.url("")).unwrap().connect().await.unwrap();
    let mut client = RunServiceClient::new(channel);
    for value in bait.values(&json!("")) {
        let model = value.as_str().unwrap().to_owned();
        let settings = json!({"models": {"all": model}, "providers": {"x": {"base_url": model}}});
        for (model, overrides) in [(model.as_str(), json!({})), ("", settings)] {
            let work = start::Work::Create(CreateWork { requirement: "灯".into(), ..CreateWork::default() });
            let model = Some(model.to_owned()).filter(|model| !model.is_empty());
            let start = Start { work: Some(work), model, overrides: Some(on_wire(&overrides)) };
            let mut request = tonic::Request::new(StartRunRequest { start: Some(start) });
            request.metadata_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
            let refused = client.start_run(request).await.unwrap_err();
            assert!(
                // What is no model at all, whether or not it is a file, is one that nobody knows.
                matches!(
                    refused.code(),
                    tonic::Code::PermissionDenied | tonic::Code::InvalidArgument | tonic::Code::NotFound
                ),
                "{value}: {refused:?}"
            );
            assert!(!format!("{refused:?}").contains(SECRET));
        }
    }
    assert_eq!(bait.asked.load(Ordering::SeqCst), 0);
    house.go().await;
}

async fn connect(house: &House) -> TcpStream {
    TcpStream::connect(("127.0.0.1", house.address.port())).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_keep_nobody_out_and_are_closed() {
    const MOST: usize = 20;
    let home = home();
    let house = House::with(&home, &[("server.connections", &MOST.to_string())]).await;
    let begun = Instant::now();
    let mut silent = Vec::new();
    for number in 0..MOST {
        let mut stream = connect(&house).await;
        // One byte is no request either, nor is the beginning of what HTTP/2 begins with.
        stream.write_all(&b"PRI * H"[..number % 8]).await.unwrap();
        silent.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    for _ in 0..5 {
        assert_eq!(house.get("/livez").header("connection", "close").send().await.unwrap().status(), 200);
    }
    for stream in &mut silent {
        let mut rest = Vec::new();
        let closed = tokio::time::timeout(Duration::from_secs(15), stream.read_to_end(&mut rest)).await;
        // It may have been told so, or simply been cut off.
        assert!(closed.is_ok(), "a silent connection is open after {:?}", begun.elapsed());
    }
    assert!((8..16).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    house.go().await;
}

#[tokio::test]
async fn an_answer_says_that_its_connection_is_closed() {
    let home = home();
    let house = House::open(&home).await;
    let port = house.address.port();
    let mut stream = connect(&house).await;
    let head = format!(
        "POST /api/v1/projects/p-nope/characters HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Api-Key: qy_wrong\r\n\
         Content-Type: application/json\r\nContent-Length: 12\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let read = stream.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]).to_lowercase();
    assert!(answer.starts_with("http/1.1 401") && answer.contains("connection: close"), "{answer}");
    house.go().await;
}

#[tokio::test]
async fn headers_are_held_to_their_limit() {
    let home = home();
    let house = House::open(&home).await;
    for (bytes, status) in [(31_000, 200), (40_000, 431), (100_000, 431)] {
        let given = house.get("/livez").header("x-long", "a".repeat(bytes)).send().await.unwrap();
        assert_eq!(given.status(), status, "{bytes}");
    }
    // Beyond what is read at all the connection may be closed before the answer is seen.
    let given = house.get("/livez").header("x-long", "a".repeat(390_000)).send().await;
    assert!(given.map_or(431, |given| given.status().as_u16()) == 431);
    house.go().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_names_and_long_chapters_hold_up_nobody() {
    let home = home();
    let house = House::open(&home).await;
    let owner = house.key("anna", Right::Write).await;
    let known = belongings(&house, &owner).await;
    let project = known.here(&json!("p-lighthouse"));
    let list = format!("/api/v1/projects/{}/characters?ids=", project.as_str().unwrap());
    let same = format!("{list}{}", vec!["x"; 8_000].join(","));
    let others = (0..1_001).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    assert_eq!(house.get(&same).bearer_auth(&owner).send().await.unwrap().status(), 200);
    let refused = house.get(&format!("{list}{others}")).bearer_auth(&owner).send().await.unwrap();
    assert_eq!(problem(refused).await, (422, "bad_request".to_owned()));

    let text: String = "雨夜，有人推门。他没有说话，只把信放在桌上。\n".repeat(8_000);
    let analysis = json!({"title": "长", "text": text});
    let busy: Vec<_> = (0..3)
        .map(|_| tokio::spawn(house.post("/api/v1/texts/analysis", &analysis).bearer_auth(&owner).send()))
        .collect();
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        let begun = Instant::now();
        assert_eq!(house.get("/livez").send().await.unwrap().status(), 200);
        slowest = slowest.max(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for one in busy {
        let status = one.await.unwrap().unwrap().status().as_u16();
        assert!(status == 200 || status == 413, "{status}");
    }
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    house.go().await;
}
