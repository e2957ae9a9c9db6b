//! A project on our server, seen by tools at a distance and by programs that ask for it with their own hands.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use qingyu_story::production::{Field, Production};
use qingyu_story::{Language, Provenance, Story, Waiver};
use qingyu_studio::{Right, StoryFile, Studio};
use qingyu_tools::testing::suite;
use qingyu_tools::workspace::remote::{RemoteLimits, Server};
use qingyu_tools::workspace::{Error, LoadedStory, ProjectSeed, WorkspaceSave};
use qingyu_tools::{Engine, Permission, ToolCaller, Toolbox, Workspace, Workspaces};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::house::{House, home, problem};
use crate::web::{key, web};

/// A project that holds a story; gives its id.
async fn import(studio: &Studio, story: Story) -> String {
    studio.import(StoryFile { story, unknown: Vec::new() }, None).await.unwrap().project.project
}

fn server(url: &str, key: Option<&str>) -> Server {
    Server::new(url, key, RemoteLimits { answer: Duration::from_secs(20), ..RemoteLimits::default() }).unwrap()
}

fn save(loaded: &LoadedStory, key: &str, change: impl FnOnce(&mut Story)) -> WorkspaceSave {
    let mut after = Story::clone(&loaded.story);
    change(&mut after);
    let provenance = Provenance { agent: "林青的作者".into(), tool: "t".into(), ..Provenance::default() };
    WorkspaceSave { before: Arc::clone(&loaded.story), after, expected: loaded.version, key: key.into(), provenance }
}

#[tokio::test]
async fn a_server_keeps_the_promises_of_a_workspace() {
    let home = home();
    let house = House::open(&home).await;
    let remote = server(&house.url(""), None);
    suite::run(|| async {
        let project = import(&house.studio, suite::beginning()).await;
        remote.open(Some(&project)).await.unwrap()
    })
    .await;
    house.go().await;
}

/// Answers like a server that takes changes one by one and has no story as a whole; the server at `base` does the rest.
async fn simple(State(base): State<String>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    if path.ends_with("/batch") || path.ends_with("/pieces") {
        return StatusCode::NOT_FOUND.into_response();
    }
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let mut headers = parts.headers;
    headers.remove(header::HOST);
    let asked = web().request(parts.method, format!("{base}{}", parts.uri)).headers(headers).body(body);
    let answer = asked.send().await.unwrap();
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove(header::TRANSFER_ENCODING);
    (status, headers, answer.bytes().await.unwrap()).into_response()
}

#[tokio::test]
async fn single_routes_keep_them_too() {
    let home = home();
    let house = House::open(&home).await;
    let router = Router::new().fallback(simple).with_state(house.url(""));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let remote = server(&format!("http://{}", listener.local_addr().unwrap()), None);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    suite::run(|| async {
        let project = import(&house.studio, suite::beginning()).await;
        remote.open(Some(&project)).await.unwrap()
    })
    .await;
    house.go().await;
}

#[tokio::test]
async fn productions_and_waivers_are_kept_as_they_are_at_home() {
    let home = home();
    let house = House::open(&home).await;
    let project = import(&house.studio, suite::beginning()).await;
    let remote = server(&house.url(""), None).open(Some(&project)).await.unwrap();
    let field = |path: &str, value: Value| Field { path: path.into(), value, ..Field::default() };
    let waiver = Waiver { finding: "QS011".into(), reason: "有意".into(), owner: "林".into(), ..Waiver::default() };
    let rounds = [
        (vec![field("plan/goal", json!("入局")), field("计划/课时/2", json!({"n": 1}))], true, vec![waiver]),
        (vec![field("计划/课时/2", json!(null)), field("plan/goal", json!("入局"))], true, vec![]),
        (vec![field("plan/goal", json!(3))], false, vec![]),
    ];
    for (round, (fields, is_produced, waivers)) in rounds.into_iter().enumerate() {
        let loaded = remote.load().await.unwrap();
        let production = is_produced.then(|| Production { template: "course".into(), ..Production::default() });
        let save = save(&loaded, &format!("k-{round}"), |story| {
            (story.fields, story.production, story.waivers) = (fields, production, waivers);
        });
        let after = save.after.clone();
        remote.save(save).await.unwrap();
        let at_home = house.studio.story_at(&project, None).await.unwrap();
        assert_eq!((at_home.fields, at_home.production), (after.fields.clone(), after.production.clone()), "{round}");
        let there = remote.load().await.unwrap().story;
        let lists = |story: &Story| (story.fields.clone(), story.production.clone(), story.waivers.clone());
        assert_eq!(lists(&there), lists(&after), "{round}");
    }
    house.go().await;
}

#[tokio::test]
async fn projects_are_listed_and_begun_from_afar() {
    let home = home();
    let house = House::open(&home).await;
    let remote = server(&house.url(""), None);
    assert_eq!(remote.list().await.unwrap(), []);
    assert!(matches!(remote.open(None).await, Err(Error::NoProject)));
    let new = ProjectSeed { title: None, language: Language::En, premise: "A lighthouse keeper gets a letter.".into() };
    let begun = remote.create(new).await.unwrap();
    assert_eq!((begun.version, begun.language, begun.title.as_str()), (0, Language::En, "Untitled"));
    assert_eq!(remote.list().await.unwrap(), std::slice::from_ref(&begun));
    assert_eq!(remote.open(None).await.unwrap().project(), begun.project, "the only one");
    let empty = ProjectSeed { title: Some(" ".into()), language: Language::Zh, premise: String::new() };
    let refused = remote.create(empty).await;
    assert!(matches!(&refused, Err(Error::Refused { message }) if message.contains("premise")), "{refused:?}");

    // A key of some projects begins none.
    let whole = key(&house.studio, "anna", Right::Write, &[]).await;
    let anna = house.studio.of(&house.studio.access().authenticate(&whole).await.unwrap());
    let project = import(&anna, suite::beginning()).await;
    let narrow = key(&house.studio, "anna", Right::Write, &[&project]).await;
    let new = ProjectSeed { title: None, language: Language::Zh, premise: "雨夜".into() };
    let refused = server(&house.url(""), Some(&narrow)).create(new).await;
    assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
    assert_eq!(anna.projects().await.unwrap().len(), 1);
    house.go().await;
}

/// What a program without tools of ours sends; gives the status and what is answered.
async fn ask(house: &House, method: &str, path: &str, body: Value) -> (u16, Value) {
    let request = web().request(method.parse().unwrap(), house.url(path));
    let request = if body.is_null() { request } else { request.json(&body) };
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    let tag = answer.headers().get("etag").map(|tag| tag.to_str().unwrap().to_owned());
    let body: Value = answer.json().await.unwrap();
    if body.get("data").is_some() && status < 300 {
        assert_eq!(tag, Some(format!("\"{}\"", body["version"])), "{method} {path}");
    }
    (status, body)
}

/// The calls of the writing tools of others: the addresses and bodies that they have always sent.
#[tokio::test]
async fn programs_with_tools_of_their_own_work_on_a_project() {
    let home = home();
    let house = House::open(&home).await;
    let (status, begun) = ask(&house, "POST", "/api/v1/projects", json!({"premise": "雨夜的访客"})).await;
    assert_eq!(status, 200, "{begun}");
    let base = format!("/api/v1/projects/{}", begun["project"].as_str().unwrap());
    let card = |name: &str, age: i32| json!({"name": name, "age": age, "personality": "沉静", "background": "守塔人", "goals": "查清来信", "conflicts": "不敢离岛"});
    let tie = json!({"from": "林青", "to": "韩铁", "type": "friend", "strength": 0.5});
    let event = json!({"title": "来信", "description": "信到了", "timestamp": "第3天", "participants": ["林青"], "outline_node": "o-1"});
    let other = json!({"title": "海难", "timestamp": "第1天", "participants": ["韩铁"]});
    for (method, path, body, status, pointer, expected) in [
        ("GET", "/outline", json!(null), 200, "/data/items", json!([])),
        ("POST", "/outline", json!({"name": "第一章 来信", "participants": ["林青"]}), 201, "/data/id", json!("o-1")),
        ("GET", "/nodes/o-1", json!(null), 200, "/data/metadata/participants", json!(["林青"])),
        ("PUT", "/nodes/o-1", json!({"goal": "入局"}), 200, "/data/goal", json!("入局")),
        ("PUT", "/outline", json!({"id": "o-1", "location": "灯塔"}), 200, "/data/location", json!("灯塔")),
        ("POST", "/characters", card("林青", 40), 201, "/data/id", json!("c-1")),
        ("POST", "/characters", card("韩铁", 52), 201, "/data/conflicts", json!("不敢离岛")),
        ("GET", "/characters", json!(null), 200, "/data/total", json!(2)),
        ("GET", "/characters?ids=c-2,%E6%9E%97%E9%9D%92,nobody", json!(null), 200, "/data/total", json!(2)),
        ("GET", "/characters?ids=c-2", json!(null), 200, "/data/items/0/name", json!("韩铁")),
        ("GET", "/characters/%E6%9E%97%E9%9D%92", json!(null), 200, "/data/id", json!("c-1")),
        ("PUT", "/characters/c-1", json!({"age": 41}), 200, "/data/personality", json!("沉静")),
        ("POST", "/relationships", tie, 201, "/data/type", json!("friend")),
        ("GET", "/relationships", json!(null), 200, "/data/items/0/strength", json!(0.5)),
        ("GET", "/relationships/graph", json!(null), 200, "/data/nodes/1/name", json!("韩铁")),
        ("GET", "/relationships/graph?limit=1", json!(null), 200, "/data/characters", json!(2)),
        ("POST", "/relationships/analyze", json!(null), 200, "/data/relations", json!(1)),
        ("POST", "/timeline/events", event, 201, "/data/id", json!("e-1")),
        ("POST", "/timeline/events", other, 201, "/data/timestamp", json!("第1天")),
        ("GET", "/timeline", json!(null), 200, "/data/total", json!(2)),
        ("GET", "/timeline-events?chapterRef=o-1", json!(null), 200, "/data/items/0/title", json!("来信")),
        ("GET", "/timeline-events?chapterRef=o-1", json!(null), 200, "/data/total", json!(1)),
        ("GET", "/timeline-events", json!(null), 200, "/data/total", json!(2)),
        ("POST", "/timeline/check-conflicts", json!(null), 200, "/data/checked_events", json!(2)),
        ("POST", "/timeline/check-conflicts", json!({"participant": "韩铁"}), 200, "/data/checked_events", json!(1)),
        (
            "POST",
            "/documents",
            json!({"title": "第一章", "content": "雨下了一夜。林青醒了。", "outline_node": "o-1"}),
            201,
            "/data/id",
            json!("d-1"),
        ),
        ("GET", "/documents/d-1", json!(null), 200, "/data/content", json!("雨下了一夜。林青醒了。")),
        ("PUT", "/documents/d-1", json!({"content": "雨停了。林青醒了。"}), 200, "/data/version", json!(2)),
        ("PUT", "/documents/d-1", json!({"title": "第一章 来信"}), 200, "/data/version", json!(2)),
        ("POST", "/documents/d-1/versions", json!(null), 200, "/data/version", json!(3)),
        ("GET", "/documents/d-1/versions", json!(null), 200, "/data/total", json!(3)),
        ("POST", "/characters/c-1/analyze-arc", json!(null), 200, "/data/character/name", json!("林青")),
        // A new name is carried into everything that uses the old one.
        ("PUT", "/characters/c-1", json!({"name": "林远"}), 200, "/data/name", json!("林远")),
        ("GET", "/documents/d-1", json!(null), 200, "/data/text", json!("雨停了。林远醒了。")),
        ("GET", "/nodes/o-1", json!(null), 200, "/data/metadata/participants", json!(["林远"])),
        ("GET", "/provenance/character/c-1", json!(null), 200, "/data/provenance/tool", json!("character_tool")),
        ("PUT", "/worldview", json!({"genre": "悬疑"}), 200, "/data/genre", json!("悬疑")),
        ("POST", "/locations", json!({"name": "灯塔"}), 201, "/data/id", json!("l-1")),
        (
            "POST",
            "/statements",
            json!({"subject": "林远", "predicate": "持有", "object": "信"}),
            201,
            "/data/id",
            json!("f-1"),
        ),
        ("PUT", "/style", json!({"tone": "克制"}), 200, "/data/tone", json!("克制")),
        ("DELETE", "/style", json!(null), 200, "/data/tone", json!("克制")),
        ("GET", "/style", json!(null), 200, "/data", json!(null)),
        ("DELETE", "/characters/c-2", json!(null), 200, "/data/name", json!("韩铁")),
        ("GET", "/characters/c-2", json!(null), 404, "/code", json!("unknown_piece")),
        ("GET", "/timeline-events?chapterRef=o-9", json!(null), 404, "/code", json!("unknown_piece")),
        ("GET", "/documents/d-9/versions", json!(null), 404, "/code", json!("unknown_piece")),
        ("GET", "/provenance/dragon/c-1", json!(null), 404, "/code", json!("unknown_piece")),
        ("PUT", "/characters/c-1", json!({"ege": 3}), 422, "/data/problems/0/path", json!("/character_data/ege")),
        ("POST", "/characters", card("林远", 1), 409, "/code", json!("refused")),
        ("POST", "/relationships", json!({"from": "林远", "type": "friend"}), 422, "/code", json!("invalid_arguments")),
        (
            "POST",
            "/documents",
            json!({"title": "夜", "settled": {"made": ""}}),
            422,
            "/data/path",
            json!("settled.made"),
        ),
        ("PUT", "/documents/d-1", json!({"content": "夜", "id": [1]}), 422, "/data/path", json!("id")),
        ("POST", "/documents/d-1/versions", json!({"version": -1}), 422, "/data/path", json!("version")),
        ("POST", "/outline/generate", json!({"structure_type": "three_act"}), 409, "/code", json!("refused")),
        (
            "PUT",
            "/outline",
            json!({"items": [{"name": "序"}, {"name": "第一章 来信", "goal": "入局"}]}),
            200,
            "/data/items/1/id",
            json!("o-1"),
        ),
        ("PUT", "/outline", json!({"items": []}), 200, "/data/total", json!(0)),
        ("POST", "/outline/generate", json!({"structure_type": "spiral"}), 422, "/code", json!("invalid_arguments")),
        ("PATCH", "/characters", json!({}), 405, "/code", json!("method_not_allowed")),
    ] {
        let (found, answer) = ask(&house, method, &format!("{base}{path}"), body).await;
        assert_eq!(found, status, "{method} {path}: {answer:#}");
        assert_eq!(answer.pointer(pointer), Some(&expected), "{method} {path}: {answer:#}");
    }
    let generated =
        ask(&house, "POST", &format!("{base}/outline/generate"), json!({"structure_type": "three_act"})).await;
    assert_eq!(generated.0, 200, "{generated:?}");
    let (_, outline) = ask(&house, "GET", &format!("{base}/outline"), json!(null)).await;
    assert!(outline["data"]["total"].as_u64().unwrap() > 8, "the structure is in the outline: {outline}");
    house.go().await;
}

#[tokio::test]
async fn no_edit_is_lost() {
    let home = home();
    let house = House::open(&home).await;
    let project = import(&house.studio, suite::beginning()).await;
    let path = |rest: &str| format!("/api/v1/projects/{project}{rest}");
    let put = |version: Option<&str>, body: Value| {
        let request = web().put(house.url(&path("/characters/c-1"))).json(&body);
        version.into_iter().fold(request, |request, version| request.header("if-match", version)).send()
    };
    assert_eq!(put(Some("\"1\""), json!({"age": 30})).await.unwrap().status(), 200);
    for version in ["\"1\"", "1", "W/\"1\"", "\"99\""] {
        let stale = put(Some(version), json!({"age": 31})).await.unwrap();
        assert_eq!(problem(stale).await, (412, "conflict".into()), "{version}");
    }
    assert_eq!(problem(put(Some("new"), json!({"age": 31})).await.unwrap()).await, (422, "bad_request".into()));
    assert_eq!(put(Some("*"), json!({"age": 32})).await.unwrap().status(), 200);
    assert_eq!(put(None, json!({"age": 33})).await.unwrap().status(), 200);

    // What was worked out at a distance names its version.
    let exact = |name: &str, value: &str| {
        let request = web().put(house.url(&path("/characters/c-1"))).json(&json!({"id": "c-1", "name": "林远"}));
        request.header("x-provenance", "{}").header(name, value).send()
    };
    assert_eq!(problem(exact("x-none", "").await.unwrap()).await, (428, "precondition_required".into()));
    assert_eq!(problem(exact("if-match", "\"1\"").await.unwrap()).await, (412, "conflict".into()));
    let waivers = house.post(&path("/batch"), &json!({"operations": [], "expected": 1})).send().await.unwrap();
    assert_eq!(problem(waivers).await, (412, "conflict".into()), "also if it would change nothing");
    let half = json!({"expected": 4, "operations": [
        {"method": "PUT", "path": "characters/c-2", "body": {"name": "Ann"}},
        {"method": "DELETE", "path": "characters/c-9"},
    ]});
    let torn = house.post(&path("/batch"), &half).send().await.unwrap();
    assert_eq!(problem(torn).await, (404, "unknown_piece".into()));
    assert_eq!(exact("if-match", "\"4\"").await.unwrap().status(), 200);
    let (_, story) = ask(&house, "GET", &path("/pieces"), json!(null)).await;
    assert_eq!(
        (&story["version"], &story["data"]["characters"][1]["name"]),
        (&json!(5), &json!("Ann Lee")),
        "all or none"
    );
    assert_eq!(
        story["data"]["documents"][0]["text"], "雨下了一夜。“谁？”林青问。",
        "exactly that, and nothing with it"
    );
    house.go().await;
}

#[tokio::test]
async fn writers_at_once_all_get_through() {
    let home = home();
    let house = House::open(&home).await;
    let project = import(&house.studio, suite::beginning()).await;
    let caller = ToolCaller::new("person", Permission::Write);
    // Each from a machine of its own: of three, one wins each round, and there are three rounds.
    let calls = (0..3).map(|number| {
        let engine = Engine::new(Toolbox::writing(), Arc::new(server(&house.url(""), None)));
        let (project, caller) = (project.clone(), caller.clone());
        async move {
            let data = json!({"name": format!("路人{number}")});
            let arguments = json!({"action": "create", "character_data": data, "project_id": project});
            engine.call("character_tool", arguments, &caller).await
        }
    });
    for outcome in futures::future::join_all(calls).await {
        assert!(outcome.result.is_ok(), "{outcome:?}");
    }
    let cast = house.studio.story_at(&project, None).await.unwrap().characters;
    let ids: std::collections::BTreeSet<&str> = cast.iter().map(|card| card.id.as_str()).collect();
    assert_eq!((cast.len(), ids.len()), (5, 5), "nobody is lost, and no id is given twice");
    house.go().await;
}

#[tokio::test]
async fn who_may_not_is_told_so() {
    let home = home();
    let house = House::open(&home).await;
    let (writes, reads, other) = (
        key(&house.studio, "anna", Right::Write, &[]).await,
        key(&house.studio, "anna", Right::Read, &[]).await,
        key(&house.studio, "ben", Right::Write, &[]).await,
    );
    let anna = house.studio.of(&house.studio.access().authenticate(&writes).await.unwrap());
    let project = import(&anna, suite::beginning()).await;
    let remote = |key: &str| server(&house.url(""), Some(key)).project(&project);
    let loaded = remote(&writes).load().await.unwrap();
    let change = save(&loaded, "k", |story| story.characters[0].age = Some(30));

    let unknown = Error::UnknownProject { project: project.clone() };
    assert_eq!(remote(&other).load().await, Err(unknown.clone()), "another user's project is not there");
    assert!(remote(&other).save(change.clone()).await.is_err());
    assert_eq!(
        server(&house.url(""), Some(&writes)).project("p-none").load().await,
        Err(Error::UnknownProject { project: "p-none".into() })
    );
    let stranger = remote("qy_nobody").load().await;
    assert!(matches!(&stranger, Err(Error::Refused { .. })), "{stranger:?}");

    assert_eq!(*remote(&reads).load().await.unwrap().story, *loaded.story);
    let refused = remote(&reads).save(change.clone()).await;
    assert!(matches!(&refused, Err(Error::Refused { message }) if message.contains("write")), "{refused:?}");
    for (path, status) in [
        ("/relationships/analyze", 200),
        ("/timeline/check-conflicts", 200),
        ("/characters/c-1/analyze-arc", 200),
        ("/outline/generate", 403),
        ("/characters", 403),
        ("/documents/d-1/versions", 403),
        ("/batch", 403),
    ] {
        let path = format!("/api/v1/projects/{project}{path}");
        let answer = house.post(&path, &json!({})).bearer_auth(&reads).send().await.unwrap();
        assert_eq!(answer.status(), status, "{path}");
    }
    assert_eq!(remote(&writes).save(change).await, Ok(loaded.version + 1));
    house.go().await;
}

#[tokio::test]
async fn long_texts_come_through_until_they_are_too_long() {
    let home = home();
    let house = House::open(&home).await;
    let project = import(&house.studio, suite::beginning()).await;
    let remote = server(&house.url(""), None).project(&project);
    let long = "雨下了一夜。\n".repeat(115_000);
    assert!(long.len() > 2 << 20);
    let loaded = remote.load().await.unwrap();
    remote.save(save(&loaded, "k-1", |story| story.documents[0].text.clone_from(&long))).await.unwrap();
    assert_eq!(house.studio.story_at(&project, None).await.unwrap().documents[0].text, long);
    assert_eq!(remote.load().await.unwrap().story.documents[0].text, long, "and back");
    house.go().await;

    let narrow = crate::house::home();
    let house = House::with(&narrow, &[("server.body_bytes", "4096")]).await;
    let project = import(&house.studio, suite::beginning()).await;
    let remote = server(&house.url(""), None).project(&project);
    let loaded = remote.load().await.unwrap();
    let refused = remote.save(save(&loaded, "k-1", |story| story.documents[0].text.clone_from(&long))).await;
    assert!(matches!(&refused, Err(Error::Refused { .. })), "{refused:?}");
    assert_eq!(remote.version().await, Ok(loaded.version), "nothing was saved");
    house.go().await;
}

/// A server that answers every request with these bytes, and hangs up.
async fn says(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut asked = [0; 16 << 10];
            let _size = stream.read(&mut asked).await;
            let _sent = stream.write_all(answer.as_bytes()).await;
            let _closed = stream.shutdown().await;
        }
    });
    address
}

#[tokio::test]
async fn what_is_no_server_of_projects_is_told_from_one_that_is_away() {
    for (answer, is_away) in [
        ("", true),
        ("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"data\": {\"premise\"", true),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{\"data\":", true),
        ("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 15\r\n\r\n<html>away</html", true),
        ("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 17\r\n\r\n<html>Home</html>", false),
        ("HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{\"data\": {}", false),
        ("HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{\"data\": {}}", false),
    ] {
        let remote = server(&says(answer).await, None).project("p-1");
        match remote.load().await {
            Err(Error::Unavailable { .. }) => assert!(is_away, "{answer}"),
            Err(Error::Damaged { .. }) => assert!(!is_away, "{answer}"),
            other => panic!("{answer}: {other:?}"),
        }
    }
}
