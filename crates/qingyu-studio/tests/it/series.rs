//! The books before a book, as the studio reads and keeps them.

use qingyu_story::EarlierKind;
use qingyu_studio::operations as op;
use qingyu_studio::tools::{Permission, ToolCaller};
use qingyu_studio::{
    AskRequest, CreateRequest, EarlierRequest, KeyRequest, MemberRequest, NodePrompts, Right, RunStatus, SearchRequest,
    StoryFile, Studio,
};
use serde_json::json;

use crate::access::{code, key};
use crate::{finish, offline, script};

fn file(story: serde_json::Value) -> StoryFile {
    StoryFile { story: serde_json::from_value(story).unwrap(), unknown: Vec::new() }
}

async fn import(studio: &Studio, title: &str, story: serde_json::Value) -> String {
    studio.import(file(story), Some(title.into())).await.unwrap().project.project
}

fn book(project: &str) -> EarlierRequest {
    EarlierRequest { project: project.into(), kind: EarlierKind::Volume, gap: String::new() }
}

/// The codes of the rules with findings.
async fn codes(studio: &Studio, project: &str) -> Vec<String> {
    let findings = studio.check(project, &["QY208".into()]).await.unwrap().findings;
    findings.into_iter().filter_map(|finding| finding.issue.code).collect()
}

#[tokio::test]
async fn a_change_of_the_earlier_book_and_of_the_list_is_seen_at_once() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let first = import(&studio, "潮声", json!({"characters": [{"id": "c-1", "name": "林青"}]})).await;
    let second = json!({
        "characters": [{"id": "c-1", "name": "老周"}],
        "timeline_events": [{"id": "e-1", "title": "谈判", "participants": ["老周"]}],
    });
    let second = import(&studio, "归潮", second).await;
    let rows = studio
        .call(op::SetSeries { project: second.clone(), books: vec![book(&first)], expected: None })
        .await
        .unwrap();
    assert_eq!((rows[0].title.as_str(), rows[0].missing), ("潮声", false));
    assert_eq!(codes(&studio, &second).await, [""; 0], "nobody has died");

    let engine = studio.engine(None);
    let caller = ToolCaller::new("a client", Permission::Write);
    let card = json!({"name": "老周", "death": "2077"});
    let dies = json!({"action": "create", "project_id": &first, "character_data": card});
    let answer = engine.call("character_tool", dies, &caller).await.to_json();
    assert_eq!(answer["ok"], true, "{answer}");
    assert_eq!(codes(&studio, &second).await, ["QY208"]);
    let kept = studio.check(&second, &[]).await.unwrap().earlier;
    assert_eq!(kept[0].shared, ["老周"]);

    studio.update_project(&first, Some("潮声（修订）"), None).await.unwrap();
    assert_eq!(studio.series(&second).await.unwrap()[0].title, "潮声（修订）");
    assert_eq!(
        studio.call(op::SetSeries { project: second.clone(), books: Vec::new(), expected: None }).await.unwrap(),
        []
    );
    assert_eq!(codes(&studio, &second).await, [""; 0]);
}

#[tokio::test]
async fn a_key_of_one_book_learns_nothing_of_the_book_before() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let first = json!({"characters": [{"id": "c-1", "name": "老周", "death": "2077"}]});
    let first = import(&studio, "潮声", first).await;
    let second = json!({
        "characters": [{"id": "c-1", "name": "老周"}],
        "timeline_events": [{"id": "e-1", "title": "谈判", "participants": ["老周"]}],
    });
    let second = import(&studio, "归潮", second).await;
    studio.call(op::SetSeries { project: second.clone(), books: vec![book(&first)], expected: None }).await.unwrap();
    assert_eq!(codes(&studio, &second).await, ["QY208"]);

    let access = studio.access();
    let projects = vec![second.clone()];
    let made =
        access.make_key(KeyRequest { name: "Ben".into(), projects, ..key("local", Right::Write) }).await.unwrap();
    let member = studio.of(&access.authenticate(made.secret.reveal()).await.unwrap());
    let rows = member.series(&second).await.unwrap();
    assert_eq!((rows[0].missing, rows[0].title.as_str(), rows[0].shared.len()), (true, "", 0), "{rows:?}");
    assert_ne!(rows[0].project, first, "an id begins with words of the title");
    assert_eq!(codes(&member, &second).await, [""; 0]);
    assert_eq!(code(member.series(&first).await), "unknown_project");
    let same = vec![book(&rows[0].project)];
    assert_eq!(
        member.call(op::SetSeries { project: second.clone(), books: same, expected: None }).await.unwrap(),
        rows,
        "the list may stay as it is"
    );
    assert_eq!(studio.series(&second).await.unwrap()[0].project, first);
}

#[tokio::test]
async fn a_key_of_one_book_reads_no_prompt_with_the_book_before_and_forks_without_it() {
    let home = tempfile::tempdir().unwrap();
    let studio = crate::studio(home.path(), script::models(&script::model())).await;
    let first = json!({"characters": [{"id": "c-1", "name": "老周", "death": "2077"}]});
    let first = import(&studio, "潮声", first).await;
    let second = import(&studio, "归潮", json!({"premise": "归潮"})).await;
    studio.call(op::SetSeries { project: second.clone(), books: vec![book(&first)], expected: None }).await.unwrap();
    let begin = CreateRequest { project: Some(second.clone()), ..CreateRequest::new(script::REQUIREMENT) };
    let (_, outcome) = finish(studio.create(begin).await.unwrap()).await;
    let node = "outline_agent";
    let prompts = studio
        .call(op::ReadNodePrompts { run: outcome.run.clone(), node: node.into(), checkpoint: None })
        .await
        .unwrap();
    let told = |prompts: &NodePrompts| serde_json::to_string(prompts).unwrap().contains("潮声》");
    assert!(told(&prompts), "{prompts:?}");

    let member = async |name: &str, role: Right| {
        let request = MemberRequest { name: name.into(), role, expires: None };
        let added = studio.access().add_member(&second, request).await.unwrap();
        studio.of(&studio.access().authenticate(added.secret.reveal()).await.unwrap())
    };
    let reads = member("阿远", Right::Read).await;
    let writes = member("Ben", Right::Write).await;
    for caller in [&reads, &writes] {
        let error = caller
            .call(op::ReadNodePrompts { run: outcome.run.clone(), node: node.into(), checkpoint: None })
            .await
            .unwrap_err();
        assert_eq!((error.code(), &error.data()["needed"]), ("forbidden", &json!("earlier_books")));
    }
    let overrides = crate::table(&[("models.all", &format!("recording:{}", outcome.run))]);
    let from_recording =
        CreateRequest { project: Some(second.clone()), overrides, ..CreateRequest::new(script::REQUIREMENT) };
    let error = writes.create(from_recording).await.unwrap_err();
    assert_eq!((error.code(), &error.data()["needed"]), ("forbidden", &json!("earlier_books")));
    let rows = writes.checkpoints(&outcome.run, None, None).await.unwrap();
    let at = rows.iter().rfind(|row| row.next == [node]).unwrap().checkpoint;
    assert_eq!(
        code(reads.call(op::ForkRun { run: outcome.run.clone(), checkpoint: at, afresh: true }).await),
        "forbidden"
    );
    let fork = writes.call(op::ForkRun { run: outcome.run.clone(), checkpoint: at, afresh: true }).await.unwrap();
    let (events, done) = finish(writes.resume(&fork.run, None).await.unwrap()).await;
    assert_eq!(done.status, RunStatus::Done, "{:?}", done.errors);
    assert!(serde_json::to_string(&events).unwrap().contains("前作"), "it says that it goes on without the book");
    let prompts =
        writes.call(op::ReadNodePrompts { run: fork.run.clone(), node: node.into(), checkpoint: None }).await.unwrap();
    assert!(prompts.is_recorded && !prompts.prompts.is_empty() && !told(&prompts), "{prompts:?}");
}

#[tokio::test]
async fn a_book_cannot_come_before_itself() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let mut books = Vec::new();
    for title in ["一", "二", "三"] {
        books.push(import(&studio, title, json!({"characters": [{"id": "c-1", "name": "林青"}]})).await);
    }
    studio
        .call(op::SetSeries { project: books[1].clone(), books: vec![book(&books[0])], expected: None })
        .await
        .unwrap();
    studio
        .call(op::SetSeries { project: books[2].clone(), books: vec![book(&books[1])], expected: None })
        .await
        .unwrap();
    for (later, earlier) in [(0, 0), (0, 1), (0, 2)] {
        let refused = studio
            .call(op::SetSeries { project: books[later].clone(), books: vec![book(&books[earlier])], expected: None })
            .await;
        assert_eq!(code(refused), "series_circle", "{later} after {earlier}");
    }
    let twice = vec![book(&books[0]), book(&books[0])];
    assert_eq!(
        code(studio.call(op::SetSeries { project: books[2].clone(), books: twice, expected: None }).await),
        "bad_request"
    );
    assert_eq!(studio.series(&books[2]).await.unwrap().len(), 1, "as it was");
    let changed =
        studio.call(op::SetSeries { project: books[2].clone(), books: Vec::new(), expected: Some(Vec::new()) }).await;
    assert_eq!(code(changed), "conflict", "another list was read");
    let expected = [books[1].clone()];
    assert_eq!(
        studio
            .call(op::SetSeries { project: books[2].clone(), books: Vec::new(), expected: Some(expected.to_vec()) })
            .await
            .unwrap(),
        []
    );
}

#[tokio::test]
async fn search_and_answers_reach_the_earlier_books_and_name_them() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let text = |text: &str| json!([{"id": "d-1", "title": "第一章", "order": 1, "version": 1, "text": text}]);
    let tale = |words: &str| json!({"language": "zh", "documents": text(words)});
    let first = import(&studio, "潮声", tale("老周把黄铜罗盘埋在灯塔下面。")).await;
    let canon = import(&studio, "海图志", tale("黄铜罗盘是测海人的信物。")).await;
    let second = import(&studio, "归潮", tale("林青回到港口，听见雾钟。")).await;
    let of_world = EarlierRequest { kind: EarlierKind::Canon, ..book(&canon) };
    let books = vec![book(&first), of_world];
    studio.call(op::SetSeries { project: second.clone(), books, expected: None }).await.unwrap();

    let found = async |studio: &Studio, request: SearchRequest| -> Vec<(Option<String>, String)> {
        let hits = studio.search(&second, &request).await.unwrap().hits;
        let hits = hits.into_iter().filter(|hit| hit.chunk.text.contains("黄铜罗盘"));
        hits.map(|hit| (hit.book.map(|book| book.title), hit.chunk.source.id)).collect()
    };
    let request = SearchRequest::new("黄铜罗盘");
    assert_eq!(found(&studio, request.clone()).await, [], "one book is searched by default");
    let request = SearchRequest { series: true, ..request };
    let of = |titles: &[&str]| -> Vec<(Option<String>, String)> {
        titles.iter().map(|title| (Some((*title).to_owned()), "d-1".to_owned())).collect()
    };
    let mut both = found(&studio, request.clone()).await;
    both.sort();
    let mut expected = of(&["潮声", "海图志"]);
    expected.sort();
    assert_eq!(both, expected);
    let before = SearchRequest { before: Some(1_u32.into()), ..request.clone() };
    assert_eq!(found(&studio, before).await, of(&["潮声"]), "canon without a stretch of time may be the future");

    let question =
        AskRequest {
            question: "谁把黄铜罗盘埋在灯塔下面？".into(), before: None, budget: None, series: true
        };
    let answered = studio.ask(&second, &question).await.unwrap();
    let cited = answered.citations.iter().find(|cited| cited.quote.contains("老周")).unwrap();
    let passage = &answered.passages[cited.number - 1];
    assert_eq!(passage.book.as_ref().map(|book| (&*book.project, &*book.title)), Some((&*first, "潮声")));
    let alone = studio.ask(&second, &AskRequest { series: false, ..question }).await.unwrap();
    assert!(alone.passages.iter().all(|passage| passage.book.is_none() && !passage.text.contains("罗盘")));

    let projects = vec![second.clone()];
    let made = studio.access().make_key(KeyRequest { projects, ..key("local", Right::Write) }).await.unwrap();
    let member = studio.of(&studio.access().authenticate(made.secret.reveal()).await.unwrap());
    assert_eq!(found(&member, request).await, [], "a key of one book searches that book alone");
}
