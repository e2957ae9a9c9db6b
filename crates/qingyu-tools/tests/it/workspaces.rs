//! Every workspace keeps the same promises; the remote one also says what its server says.

use std::sync::Arc;
use std::time::Duration;

use qingyu_story::production::{Field, Production};
use qingyu_story::{Edit, EditTarget, Language, PieceKind, Provenance, Story, Waiver, edit};
use qingyu_tools::testing::suite;
use qingyu_tools::workspace::remote::{RemoteLimits, Server};
use qingyu_tools::workspace::{Error, LoadedStory, ProjectEntry, ProjectSeed, WorkspaceSave};
use qingyu_tools::{Engine, MemoryWorkspace, Permission, ToolCaller, Toolbox, Workspace, Workspaces};
use serde_json::json;

use crate::stub::StubServer;

#[tokio::test]
async fn memory_keeps_the_promises() {
    suite::run(|| async { MemoryWorkspace::new("p-1", suite::beginning()) }).await;
}

/// A workspace behind a server, as a value of its own for the suite.
#[derive(Debug)]
struct RemoteFixture(Arc<dyn Workspace>);

impl Workspace for RemoteFixture {
    fn project(&self) -> &str {
        self.0.project()
    }
    fn version(&self) -> futures::future::BoxFuture<'_, Result<u64, Error>> {
        self.0.version()
    }
    fn load(&self) -> futures::future::BoxFuture<'_, Result<LoadedStory, Error>> {
        self.0.load()
    }
    fn save(&self, save: WorkspaceSave) -> futures::future::BoxFuture<'_, Result<u64, Error>> {
        self.0.save(save)
    }
    fn document_versions<'a>(
        &'a self,
        document: &'a str,
    ) -> futures::future::BoxFuture<'a, Result<Vec<qingyu_tools::workspace::DocumentVersion>, Error>> {
        self.0.document_versions(document)
    }
    fn provenance<'a>(
        &'a self,
        kind: PieceKind,
        id: &'a str,
    ) -> futures::future::BoxFuture<'a, Result<Option<qingyu_tools::workspace::Made>, Error>> {
        self.0.provenance(kind, id)
    }
}

fn server(stub: &StubServer) -> Server {
    Server::new(
        &stub.address,
        Some("secret"),
        RemoteLimits { answer: Duration::from_secs(5), ..RemoteLimits::default() },
    )
    .unwrap()
}

#[tokio::test]
async fn a_server_keeps_the_promises() {
    for can_all_at_once in [true, false] {
        let stub = || StubServer::new(suite::beginning(), can_all_at_once);
        suite::run(|| async { RemoteFixture(server(&stub().await).project("p-1")) }).await;
    }
}

#[tokio::test]
async fn a_file_keeps_the_promises_and_what_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let count = std::sync::atomic::AtomicU32::new(0);
    suite::run(|| async {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let file = folder.path().join(format!("story-{number}.json"));
        std::fs::write(&file, serde_json::to_string(&suite::beginning()).unwrap()).unwrap();
        MemoryWorkspace::open(&file).unwrap()
    })
    .await;
    let saved = MemoryWorkspace::open(&folder.path().join("story-1.json")).unwrap();
    assert_eq!(saved.story().characters[0].age, Some(30), "the file has what was saved");
    assert_eq!(saved.project(), "story-1");
    std::fs::write(folder.path().join("bad.json"), "{").unwrap();
    assert!(matches!(MemoryWorkspace::open(&folder.path().join("bad.json")), Err(Error::Damaged { .. })));
    assert!(matches!(MemoryWorkspace::open(&folder.path().join("none.json")), Err(Error::Unavailable { .. })));
}

/// A save of what `change` makes of the story.
fn save(loaded: &LoadedStory, change: impl FnOnce(&mut Story)) -> WorkspaceSave {
    let mut after = Story::clone(&loaded.story);
    change(&mut after);
    let provenance = Provenance { agent: "林青的作者".into(), tool: "t".into(), ..Provenance::default() };
    WorkspaceSave { before: Arc::clone(&loaded.story), after, expected: loaded.version, key: "k".into(), provenance }
}

#[tokio::test]
async fn one_piece_goes_to_the_route_of_its_kind() {
    let stub = StubServer::new(suite::beginning(), true).await;
    let workspace = server(&stub).project("p-1");
    let loaded = workspace.load().await.unwrap();
    stub.requests();
    workspace.save(save(&loaded, |story| story.outline_nodes[0].goal = "入局".into())).await.unwrap();
    let requests = stub.requests();
    let [put] = requests.as_slice() else { panic!("one request, not {requests:?}") };
    assert_eq!((put.method.as_str(), put.path.as_str()), ("PUT", "/api/v1/projects/p-1/nodes/o-1"));
    assert_eq!(put.body["goal"], "入局");
    assert_eq!((put.headers["if-match"].as_str(), put.headers["idempotency-key"].as_str()), ("\"0\"", "k"));
    assert_eq!(put.headers["authorization"], "Bearer secret");
    assert!(put.headers["x-provenance"].is_ascii());
    let made = workspace.provenance(PieceKind::OutlineNode, "o-1").await.unwrap().unwrap();
    assert_eq!(made.provenance.agent, "林青的作者");
}

#[tokio::test]
async fn a_story_is_read_again_only_when_its_version_changed() {
    let stub = StubServer::new(suite::beginning(), true).await;
    let workspace = server(&stub).project("p-1");
    let loaded = workspace.load().await.unwrap();
    assert_eq!(stub.requests().len(), 2, "the version, and all of it");
    workspace.load().await.unwrap();
    assert_eq!(stub.requests().len(), 1, "the version was asked for");
    stub.workspace().save(save(&loaded, |story| story.characters[0].age = Some(7))).await.unwrap();
    assert_eq!(workspace.load().await.unwrap().story.characters[0].age, Some(7));

    let lists = StubServer::new(suite::beginning(), false).await;
    let workspace = server(&lists).project("p-1");
    let listed = workspace.load().await.unwrap();
    assert_eq!(listed.story, loaded.story, "the lists hold the same");
    let others = 3;
    assert_eq!(lists.requests().len(), 2 + PieceKind::ALL.len() + others, "it was asked for all of it first");
    lists.workspace().save(save(&listed, |story| story.characters[0].age = Some(7))).await.unwrap();
    assert_eq!(workspace.load().await.unwrap().story.characters[0].age, Some(7));
    assert_eq!(lists.requests().len(), 1 + PieceKind::ALL.len() + others, "and not again");
}

#[tokio::test]
async fn a_server_without_batches_gets_one_after_the_other() {
    let stub = StubServer::new(suite::beginning(), false).await;
    let workspace = server(&stub).project("p-1");
    let loaded = workspace.load().await.unwrap();
    let rename = |story: &mut Story| {
        let fields = [("name".to_owned(), json!("林远"))].into();
        let target = EditTarget::Named("c-1".into());
        edit::apply(story, Edit::Update { kind: PieceKind::Character, target, fields }).unwrap();
    };
    let version = workspace.save(save(&loaded, rename)).await.unwrap();
    assert_eq!(version, loaded.version + 2, "the card and the text that names it");
    assert_eq!(workspace.load().await.unwrap().story.documents[0].text, "雨下了一夜。“谁？”林远问。");

    let loaded = workspace.load().await.unwrap();
    let both = save(&loaded, |story| {
        story.characters[0].age = Some(1);
        story.characters[1].age = Some(2);
    });
    let both = WorkspaceSave { key: "k-2".into(), ..both };
    stub.plan(404, "", "{}");
    stub.plan(200, "", &json!({"version": version + 1}).to_string());
    stub.plan(503, "", &json!({"detail": "going down"}).to_string());
    let torn = workspace.save(both).await;
    let message = "the workspace is not available: going down".to_owned();
    assert_eq!(torn, Err(Error::PartlySaved { done: 1, total: 2, version: version + 1, message }));
}

#[tokio::test]
async fn statuses_say_what_to_do() {
    let stub = StubServer::new(suite::beginning(), true).await;
    let workspace = server(&stub).project("p-1");
    let loaded = workspace.load().await.unwrap();
    let age = |age: i32| save(&loaded, move |story| story.characters[0].age = Some(age));
    for (status, headers, body, expected) in [
        (401, "", r#"{"detail": "bad key"}"#, Error::Refused { message: "bad key".into() }),
        (422, "", r#"{"title": "no"}"#, Error::Refused { message: "no".into() }),
        (302, "location: /login\r\n", "", Error::Refused { message: "status 302".into() }),
        (409, "", r#"{"version": 7}"#, Error::Conflict { expected: 0, found: 7 }),
        (
            503,
            "retry-after: 3\r\n",
            "<html>",
            Error::Unavailable { message: "status 503".into(), retry_after: Some(Duration::from_secs(3)) },
        ),
    ] {
        stub.plan(status, headers, body);
        assert_eq!(workspace.save(age(30)).await, Err(expected), "{status}");
    }
    stub.plan(200, "", "not json");
    assert!(matches!(workspace.version().await, Err(Error::Damaged { .. })));
    stub.plan(200, "", "{}");
    assert!(matches!(workspace.version().await, Err(Error::Damaged { .. })), "a project without a version");
    let nobody = server(&stub).project("p-9");
    assert_eq!(nobody.load().await, Err(Error::UnknownProject { project: "p-9".into() }));
    assert!(matches!(server(&stub).open(None).await, Err(Error::NoProject)));
    let gone = Server::new("http://127.0.0.1:9", None, RemoteLimits::default()).unwrap().project("p-1");
    assert!(matches!(gone.version().await, Err(Error::Unavailable { .. })));
    for bad in ["", "p-1", "file:///etc/passwd", "http://"] {
        assert!(matches!(Server::new(bad, None, RemoteLimits::default()), Err(Error::Refused { .. })), "{bad}");
    }
}

#[tokio::test]
async fn the_tools_work_on_a_server_as_they_do_in_memory() {
    let stub = StubServer::new(suite::beginning(), true).await;
    let remote = Engine::new(Toolbox::writing(), Arc::new(server(&stub)));
    let local = MemoryWorkspace::new("p-1", suite::beginning());
    let local = Engine::new(Toolbox::writing(), qingyu_tools::workspace::only(local));
    let caller = ToolCaller::new("person", Permission::Write);
    for arguments in [
        json!({"action": "create", "character_data": {"name": "苏曼", "traits": ["冷静"]}}),
        json!({"action": "update", "character_id": "林青", "character_data": {"name": "林远", "age": 30}}),
        json!({"action": "get", "character_id": "林远"}),
        json!({"action": "list"}),
        json!({"action": "delete", "character_id": "Ann Lee"}),
        json!({"action": "get", "character_id": "Ann Lee"}),
    ] {
        let mut named = arguments.clone();
        named["project_id"] = "p-1".into();
        let there = remote.call("character_tool", named.clone(), &caller).await.to_json();
        let here = local.call("character_tool", named, &caller).await.to_json();
        assert_eq!(there, here, "{arguments}");
    }
}

#[tokio::test]
async fn writers_at_once_all_get_through() {
    let stub = StubServer::new(suite::beginning(), true).await;
    let engine = Engine::new(Toolbox::writing(), Arc::new(server(&stub)));
    let caller = ToolCaller::new("person", Permission::Write);
    // Of three, one wins each round, and there are three rounds.
    let calls = (0..3).map(|number| {
        let arguments =
            json!({"action": "create", "character_data": {"name": format!("路人{number}")}, "project_id": "p-1"});
        engine.call("character_tool", arguments, &caller)
    });
    let outcomes = futures::future::join_all(calls).await;
    for outcome in &outcomes {
        assert!(outcome.result.is_ok(), "{outcome:?}");
    }
    assert!(outcomes.iter().any(|outcome| outcome.attempts > 1), "they did meet");
    let story = stub.workspace().story();
    let ids: std::collections::BTreeSet<&str> = story.characters.iter().map(|card| card.id.as_str()).collect();
    assert_eq!((story.characters.len(), ids.len()), (5, 5), "nobody is lost, and no id is given twice");
}

#[tokio::test]
async fn a_server_that_stumbles_once_is_asked_again() {
    let stub = StubServer::new(suite::beginning(), true).await;
    let engine = Engine::new(Toolbox::writing(), Arc::new(server(&stub)));
    let caller = ToolCaller::new("person", Permission::Write);
    let create = |name: &str| json!({"action": "create", "character_data": {"name": name}, "project_id": "p-1"});
    stub.plan(503, "", "{}");
    let outcome = engine.call("character_tool", create("苏曼"), &caller).await;
    assert!(outcome.result.is_ok(), "{outcome:?}");
    let failed = engine.call("character_tool", create("苏曼"), &caller).await.to_json();
    assert_eq!(failed["error"]["code"], "refused", "and made the change once");
    for _ in 0..3 {
        stub.plan(503, "", r#"{"detail": "down"}"#);
    }
    let down = engine.call("character_tool", create("林远"), &caller).await.to_json();
    assert_eq!(
        (down["error"]["code"].as_str(), down["error"]["retryable"].as_bool()),
        (Some("unavailable"), Some(true))
    );
}

#[tokio::test]
async fn fields_phases_and_waivers_go_over_the_wire() {
    for can_all_at_once in [true, false] {
        let stub = StubServer::new(suite::beginning(), can_all_at_once).await;
        let remote = server(&stub).open(Some("p-1")).await.unwrap();
        let field = |path: &str, value: i32| Field { path: path.into(), value: json!(value), ..Field::default() };
        let waiver = Waiver { finding: "QY101".into(), reason: "知道".into(), ..Waiver::default() };
        for (round, fields, is_produced, waivers) in [
            (0, vec![field("plan/goal", 1), field("plan/a#b", 2), field("计划/课时/3", 3)], true, vec![waiver]),
            (1, vec![field("计划/课时/3", 3), field("plan/goal", 4), field("plan/new", 5)], true, vec![]),
            (2, vec![], false, vec![]),
        ] {
            let loaded = remote.load().await.unwrap();
            let production = is_produced.then(|| Production { template: "course".into(), ..Production::default() });
            let save = save(&loaded, |story| {
                (story.fields, story.production, story.waivers) = (fields, production, waivers);
                story.characters[0].age = Some(round);
            });
            let after = save.after.clone();
            remote.save(WorkspaceSave { key: format!("k-{round}"), ..save }).await.unwrap();
            assert_eq!(*remote.load().await.unwrap().story, after, "round {round}");
            assert_eq!(*stub.workspace().story(), after, "round {round}");
        }
    }
}

fn entry(id: &str) -> ProjectEntry {
    ProjectEntry {
        project: id.into(),
        title: "雨夜".into(),
        language: Language::Zh,
        premise: "雨夜的访客".into(),
        version: 3,
    }
}

#[tokio::test]
async fn projects_of_a_server_are_listed_and_begun() {
    let stub = StubServer::new(suite::beginning(), true).await;
    let server = server(&stub);
    let foreign =
        json!({"id": "p-2", "title": "雨夜", "language": "zh", "premise": "雨夜的访客", "version": 3, "rank": 1});
    for (body, expected) in [
        (json!([entry("p-1"), entry("p-2")]), vec![entry("p-1"), entry("p-2")]),
        (json!({"data": {"items": [foreign]}}), vec![entry("p-2")]),
        (json!([]), vec![]),
    ] {
        stub.plan(200, "", &body.to_string());
        assert_eq!(server.list().await.unwrap(), expected, "{body}");
    }
    stub.plan(200, "", &json!([entry("p-1")]).to_string());
    assert_eq!(server.open(None).await.unwrap().project(), "p-1", "the only one");
    stub.plan(200, "", &json!([entry("p-1"), entry("p-2")]).to_string());
    assert!(matches!(server.open(None).await, Err(Error::NoProject)));

    stub.requests();
    stub.plan(201, "", &json!({"data": entry("p-3")}).to_string());
    let new = ProjectSeed { title: None, language: Language::En, premise: "Rain".into() };
    assert_eq!(server.create(new.clone()).await.unwrap(), entry("p-3"));
    let posted = stub.requests().remove(0);
    assert_eq!((posted.method.as_str(), posted.path.as_str()), ("POST", "/api/v1/projects"));
    assert_eq!(posted.body, json!({"title": null, "language": "en", "premise": "Rain"}));

    assert!(matches!(server.list().await, Err(Error::Refused { .. })), "this one does not list them");
    assert!(matches!(server.create(new.clone()).await, Err(Error::Refused { .. })), "nor begin any");
    stub.plan(403, "", r#"{"title": "not with this key"}"#);
    assert_eq!(server.create(new).await, Err(Error::Refused { message: "not with this key".into() }));
    stub.plan(200, "", r#"[{"title": "nobody"}]"#);
    assert!(matches!(server.list().await, Err(Error::Damaged { .. })));
}
