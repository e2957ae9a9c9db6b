//! A project's story through the studio: as a workspace for tools, checked, mended, waived, its changes taken back.

use std::sync::Arc;

use qingyu_studio::story::check::Finding;
use qingyu_studio::story::genre::Genres;
use qingyu_studio::story::{Character, CharacterRelation, Fact, OutlineNode, Story, Worldview};
use qingyu_studio::tools::testing::suite;
use qingyu_studio::tools::{Permission, ToolCaller, Workspace};
use qingyu_studio::{Error, StoryFile, Studio, read_story};
use serde_json::json;

use crate::offline;

async fn open(home: &std::path::Path) -> Studio {
    Studio::open(offline(home)).await.unwrap()
}

/// Two characters, of whom one is at odds with somebody nobody knows.
fn broken() -> StoryFile {
    let card = |id: &str, name: &str| Character { id: id.into(), name: name.into(), ..Character::default() };
    let relation =
        CharacterRelation { id: "r-1".into(), from: "林青".into(), to: "韩铁".into(), ..Default::default() };
    let fact = Fact { id: "f-1".into(), subject: "林青".into(), predicate: "持有".into(), ..Fact::default() };
    let story = Story {
        premise: "雨夜".into(),
        characters: vec![card("c-1", "林青"), card("c-2", "白露")],
        character_relations: vec![relation],
        facts: vec![fact],
        ..Story::default()
    };
    StoryFile { story, unknown: Vec::new() }
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().filter_map(|finding| finding.issue.code.as_deref()).collect()
}

#[tokio::test]
async fn a_project_is_a_workspace() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    suite::run(|| async {
        let file = StoryFile { story: suite::beginning(), unknown: Vec::new() };
        let project = studio.import(file, None).await.unwrap().project.project;
        let opened: Arc<dyn Workspace> = studio.engine(None).workspaces().open(Some(&project)).await.unwrap();
        opened
    })
    .await;
}

#[tokio::test]
async fn projects_are_begun_and_listed_by_a_tool() {
    let home = tempfile::tempdir().unwrap();
    let engine = open(home.path()).await.engine(None);
    let caller = ToolCaller::new("a client", Permission::Write);
    let ask = |tool: &'static str, arguments| {
        let (engine, caller) = (&engine, &caller);
        async move { engine.call(tool, arguments, caller).await.to_json() }
    };
    assert_eq!(ask("project_tool", json!({"action": "list"})).await["result"]["total"], 0);
    assert_eq!(ask("character_tool", json!({"action": "list"})).await["error"]["code"], "no_project");

    let premise = "雨夜里，一把铜钥匙换了主人。";
    let begun = ask("project_tool", json!({"action": "create", "premise": premise})).await;
    let first = begun["result"]["project"].clone();
    assert_eq!((&first["language"], &first["version"]), (&json!("zh"), &json!(0)), "{begun}");
    assert_eq!((first["premise"].as_str(), first["title"].as_str()), (Some(premise), Some("未命名作品")));
    let card = json!({"action": "create", "character_data": {"name": "林青"}});
    assert_eq!(ask("character_tool", card).await["result"]["version"], 1, "the only project need not be named");

    let begun = ask("project_tool", json!({"action": "create", "title": "The Lamp", "language": "en"})).await;
    let second = &begun["result"]["project"]["project"];
    assert!(second.as_str().unwrap().starts_with("p-the-lamp") && *second != first["project"], "{begun}");
    let listed = ask("project_tool", json!({"action": "list"})).await;
    assert_eq!((&listed["result"]["total"], listed["result"]["projects"].as_array().unwrap().len()), (&json!(2), 2));
    assert_eq!(ask("character_tool", json!({"action": "list"})).await["error"]["code"], "no_project", "which of two?");
    for (project, cards) in [(&first["project"], 1), (second, 0)] {
        let there = ask("character_tool", json!({"action": "list", "project_id": project})).await;
        assert_eq!(there["result"]["total"], cards, "{there}");
    }
    let overview = ask("story_tool", json!({"action": "overview", "project_id": second})).await;
    assert_eq!(overview["result"]["language"], "en", "{overview}");
}

#[tokio::test]
async fn tools_check_as_the_project_is_set() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = studio.import(broken(), None).await.unwrap().project.project;
    let engine = studio.engine(None);
    let found = || async {
        let answer =
            engine.call("check", json!({"rules": ["QY107"]}), &ToolCaller::new("a client", Permission::Read)).await;
        answer.to_json()["result"]["total"].clone()
    };
    assert_eq!(found().await, 1);
    let folder = home.path().join("projects");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{project}.toml")), "[checker.severities]\nQY107 = \"off\"\n").unwrap();
    assert_eq!(found().await, 0, "an answer from before the settings changed is not kept");
}

#[tokio::test]
async fn a_finding_is_found_waived_and_found_again() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = studio.import(broken(), None).await.unwrap().project.project;
    let found = studio.check(&project, &[]).await.unwrap();
    assert!(codes(&found.findings).contains(&"QY107"), "{:?}", codes(&found.findings));
    assert!(studio.check(&project, &["qy1".into()]).await.unwrap().findings.len() <= found.findings.len());
    let other = studio.check(&project, &["QY608".into()]).await.unwrap();
    assert!(found.score < Some(100), "{found:?}");
    assert_eq!((other.findings.len(), other.score), (0, Some(100)), "the score is of what was asked for");
    let unknown = studio.check(&project, &["QY0".into(), "XX".into()]).await.unwrap_err();
    assert_eq!(unknown.code(), "unknown_rule");

    assert_eq!(studio.waive(&project, "QY107", " ", "author", None).await.unwrap_err().code(), "no_reason");
    assert_eq!(studio.waive(&project, "QY999", "so", "author", None).await.unwrap_err().code(), "unknown_finding");
    let waived = studio.waive(&project, "QY107", "第二卷才出场", "author", None).await.unwrap();
    let finding = waived.findings.iter().find(|finding| finding.issue.code.as_deref() == Some("QY107")).unwrap();
    assert_eq!(finding.issue.waived.as_ref().unwrap().reason, "第二卷才出场");
    assert!(waived.score > found.score);
    let nowhere = studio.waive(&project, "QY107", "以后再说", "author", Some("没有这一章")).await.unwrap_err();
    assert_eq!(nowhere.code(), "bad_request");

    let undone = studio.undo(&project, None).await.unwrap();
    assert_eq!((undone.undoes, undone.removed.len()), (Some(2), 1));
    assert_eq!(studio.check(&project, &[]).await.unwrap().findings, found.findings);
    assert!(matches!(studio.undo(&project, Some(9)).await, Err(Error::UnknownChange { .. })));
}

/// Two planned events that a chapter tells without somebody planned.
fn told_otherwise() -> StoryFile {
    let text = "八月十二，沈砚秋上了堂。";
    let without = |event: &str| json!({ "event": event, "field": "participants", "told": "裴慎之", "quote": text });
    let people = ["沈砚秋", "裴慎之"];
    let story: Story = serde_json::from_value(json!({
        "characters": [{ "id": "c-1", "name": "沈砚秋" }, { "id": "c-2", "name": "裴慎之" }],
        "timeline_events": [
            { "id": "e-1", "title": "堂上验尸", "timestamp": "景和十七年八月十二", "participants": people },
            { "id": "e-2", "title": "当堂画押", "timestamp": "景和十七年八月十二", "participants": people },
        ],
        "documents": [{ "id": "d-1", "title": "第一章", "order": 1, "text": text,
            "settled": { "differs": [without("e-1"), without("e-2")] } }],
    }))
    .unwrap();
    StoryFile { story, unknown: Vec::new() }
}

#[tokio::test]
async fn what_a_check_promises_for_a_rule_or_an_id_is_what_a_fix_does() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = studio.import(told_otherwise(), None).await.unwrap().project.project;
    let found = studio.check(&project, &["QY316".into()]).await.unwrap();
    let ids: Vec<String> = found.findings.iter().map(|finding| finding.issue.id.clone()).collect();
    assert_eq!(ids.len(), 2, "{:?}", found.findings);
    let beginning = ids[0][..ids[0].len() - 1].to_lowercase();
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    // A family of rules is no decision about the plan.
    for (given, promised) in
        [("QY31", vec![]), ("QY316", ids.clone()), ("qy316", ids.clone()), (beginning.as_str(), vec![ids[0].clone()])]
    {
        let only = [given.to_owned()];
        let checked = studio.check(&project, &only).await.unwrap();
        assert_eq!(sorted(checked.mendable.clone()), sorted(promised), "{given}");
        let fixes = studio.mend(&project, &only).await.unwrap();
        assert_eq!(sorted(fixes.mended), sorted(checked.mendable), "{given}");
        if fixes.change.is_some() {
            studio.undo(&project, None).await.unwrap();
        }
    }
    for (given, code, known) in [("QY316-zzz", "unknown_finding", &ids[0]), ("QY31x", "unknown_rule", &"QY316".into())]
    {
        let only = [given.to_owned()];
        for error in [studio.check(&project, &only).await.unwrap_err(), studio.mend(&project, &only).await.unwrap_err()]
        {
            assert_eq!(error.code(), code, "{given}");
            assert!(error.data()["known"].as_array().unwrap().iter().any(|one| one == known.as_str()), "{given}");
        }
    }
}

#[tokio::test]
async fn the_checker_reads_an_authors_own_genre() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let node = |order: u32| OutlineNode {
        id: format!("o-{order}"),
        order,
        name: format!("第{order}章"),
        function: "等待".into(),
        ..OutlineNode::default()
    };
    let worldview = Some(Worldview { genre: "候车室小说".into(), ..Worldview::default() });
    let story = Story { outline_nodes: (1..=4).map(node).collect(), worldview, ..Story::default() };
    let file = StoryFile { story, ..broken() };
    let project = studio.import(file, None).await.unwrap().project.project;
    let found = || async { codes(&studio.check(&project, &[]).await.unwrap().findings).contains(&"QY923") };
    assert!(found().await);
    let folder = home.path().join("genres");
    std::fs::create_dir_all(&folder).unwrap();
    let known = Genres::builtin().find("niandai").unwrap().file();
    let own = known.replace("年代", "候车室小说").replace("same_function = 4", "same_function = 9");
    std::fs::write(folder.join("waiting.toml"), &own).unwrap();
    assert!(!found().await);
    std::fs::write(folder.join("waiting.toml"), own.replace("payoff_every", "payoffs_every")).unwrap();
    assert_eq!(studio.check(&project, &[]).await.unwrap_err().code(), "bad_settings");
}

#[tokio::test]
async fn what_agents_do_not_know_survives_an_import_and_every_earlier_state_can_be_read() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = studio.import(broken(), Some("雨".into())).await.unwrap().project.project;
    let now = studio.story_at(&project, None).await.unwrap();
    assert_eq!((now.facts.len(), now.characters.len()), (1, 2));
    assert_eq!(studio.story_at(&project, Some(1)).await.unwrap(), now);
    assert_eq!(studio.story_at(&project, Some(0)).await.unwrap().characters, []);
    let log = studio.changes(&project).await.unwrap();
    assert_eq!((log.len(), log[0].run.as_str(), log[0].agent.as_str()), (1, "import", "person"));
}

#[test]
fn story_files_that_do_not_fit_say_where() {
    for (json, path) in [
        (r#"{"characters": [{"name": "a"}, {"name": 3}]}"#, "characters[1].name"),
        (r#"{"characters": [}"#, "characters"),
        (r#"{"facts": 7}"#, "facts"),
        (r#"{} {}"#, "."),
        (r#"{"title": "a book"}"#, "."),
        ("", "."),
        ("\u{0}", "."),
    ] {
        let Err(Error::BadMaterial { path: found, message }) = read_story(json.as_bytes()) else {
            panic!("{json} was read");
        };
        assert!(found.starts_with(path), "{json}: {found}: {message}");
    }
    let read = read_story(r#"{"premise": "雨", "characters": [{"name": "a", "ege": 3}]}"#.as_bytes()).unwrap();
    assert_eq!((read.unknown, read.story.characters.len()), (vec!["characters.0.ege".to_owned()], 1));
}
