//! Fields changed, stale and made anew.

use futures::FutureExt;
use qingyu_agents::production::Order;
use qingyu_llm::testing::ScriptedModel;
use qingyu_production::Status::{Confirmed, Draft, Stale};
use qingyu_production::change;
use qingyu_story::production::Maker;
use qingyu_story::{Provenance, Story};
use qingyu_tools::Workspace;
use qingyu_tools::workspace::WorkspaceSave;
use serde_json::json;

use super::bench::{Bench, good, story};

/// Somebody changes a field beside the run.
async fn put(bench: &Bench, path: &str, value: serde_json::Value) {
    let loaded = bench.workspace.load().await.unwrap();
    let mut after = Story::clone(&loaded.story);
    change::put(&mut after, path, value, Maker { agent: "person".into(), ..Maker::default() }).unwrap();
    let key = format!("by hand {}", loaded.version);
    let save =
        WorkspaceSave { before: loaded.story, after, expected: loaded.version, key, provenance: Provenance::default() };
    bench.workspace.save(save).await.unwrap();
}

/// The result of what is ready at once, as the workspace in memory is.
fn wait<T>(ready: impl Future<Output = T>) -> T {
    ready.now_or_never().unwrap()
}

/// A production of which everything is made, and which waits.
async fn made() -> Bench {
    let bench = Bench::new();
    bench.run().await.turn();
    bench.order(Order::Advance).await.turn();
    bench.order(Order::Advance).await.turn();
    bench.order(Order::Advance).await.turn();
    bench
}

#[tokio::test]
async fn a_change_makes_its_dependents_stale_and_only_these_are_made_anew() {
    let bench = made().await;
    let before = bench.model.requests().len();
    put(&bench, "inner/outline", json!({"lessons": [{"title": "为什么定价"}, {"title": "常见的坑"}], "note": "初稿"}))
        .await;
    let standing = bench.standing();
    let status = |path: &str| standing.iter().find(|(known, _)| known == path).unwrap().1;
    assert_eq!(
        (status("inner/lessons/1"), status("inner/lessons/2"), status("outer/page"), status("outer/slogan")),
        (Confirmed, Stale, Stale, Draft),
        "the lesson whose entry is as it was stays as it is"
    );
    let turn = bench.order(Order::MakeStale).await.turn();
    assert!(turn.text.contains("page"), "{}", turn.text);
    assert_eq!(bench.model.requests().len(), before + 2);
    assert!(bench.standing().iter().all(|(_, status)| *status != Stale));
    let turn = bench.order(Order::MakeStale).await.turn();
    assert_eq!(turn.text, "没有过期的内容。");
}

#[tokio::test]
async fn a_change_as_the_user_says_shows_the_model_what_is_there() {
    let bench = made().await;
    let order = Order::Make { fields: vec!["slogan".into()], instruction: "短一点".into(), is_change: true };
    bench.order(order).await.turn();
    assert_eq!(bench.value("outer/slogan"), "outer/slogan：短一点");
    let asked = bench.model.requests().pop().unwrap();
    assert_eq!(asked.context["before"], "outer/slogan：初稿");
    assert!(asked.messages[1].text.contains("<before>") && asked.messages[1].text.contains("短一点"));
}

#[tokio::test]
async fn a_change_that_changes_nothing_is_not_called_done() {
    let bench = made().await;
    let model = ScriptedModel::new("scripted").on("production.make", "outer/slogan：初稿");
    let bench = Bench { model, ..bench };
    let order = Order::Make { fields: vec!["slogan".into()], instruction: "短一点".into(), is_change: true };
    let turn = bench.order(order).await.turn();
    assert!(turn.text.contains("没有改动"), "{}", turn.text);
    let standing = bench.standing();
    assert!(standing.contains(&("outer/slogan".to_owned(), Draft)), "{standing:?}");
}

#[tokio::test]
async fn a_value_that_somebody_puts_in_meanwhile_is_not_overwritten() {
    let bench = made().await;
    // The author's change arrives while the model works: the model's answer was seen beside the old version.
    let workspace = std::sync::Arc::clone(&bench.workspace);
    let model = ScriptedModel::responding("scripted", move |request| {
        if request.context["path"] == "outer/slogan" {
            let story = workspace.story();
            let mut after = Story::clone(&story);
            change::put(&mut after, "outer/slogan", "作者写的".into(), Maker::default()).unwrap();
            let version = wait(workspace.version()).unwrap();
            let save = WorkspaceSave {
                before: story,
                after,
                expected: version,
                key: "author".into(),
                provenance: Provenance::default(),
            };
            wait(workspace.save(save)).unwrap();
        }
        good(request)
    });
    let bench = Bench { model, ..bench };
    let order = Order::Make { fields: vec!["slogan".into()], instruction: "短一点".into(), is_change: false };
    let (state, _) = bench.order(order).await.waiting();
    assert_eq!(bench.value("outer/slogan"), "作者写的");
    assert!(state.warnings.iter().any(|warning| warning.contains("slogan")), "{:?}", state.warnings);
}

#[tokio::test]
async fn what_does_not_exist_is_said_and_nothing_is_made() {
    let bench = made().await;
    let before = bench.model.requests().len();
    let order = Order::Make { fields: vec!["nothing".into()], instruction: String::new(), is_change: false };
    let turn = bench.order(order).await.turn();
    assert!(turn.text.contains("nothing"), "{}", turn.text);
    assert_eq!(bench.model.requests().len(), before);
}

#[tokio::test]
async fn a_list_stands_for_its_items() {
    let bench = made().await;
    let before = bench.model.requests().len();
    let order = Order::Make { fields: vec!["lessons".into()], instruction: "多举例".into(), is_change: false };
    bench.order(order).await.turn();
    assert_eq!(bench.model.requests().len(), before + 2);
    assert_eq!(bench.value("inner/lessons/2"), "inner/lessons/2：多举例");
    assert_eq!(story().fields.len(), 5, "what the items are made for is not among the fields of the template");
}
