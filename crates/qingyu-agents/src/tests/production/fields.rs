//! Fields changed, stale and made anew.

use crate::production::Order;
use crate::progress::Progress;
use futures::FutureExt;
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
    let (state, _) = bench.order(order).await.talk();
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
async fn an_error_belongs_to_the_turn_in_which_it_happened() {
    let bench = made().await;
    let model = ScriptedModel::responding("scripted", |request| match request.context["path"].as_str() {
        Some("inner/outline") => "这不是 JSON".into(),
        _ => good(request),
    });
    let bench = Bench { model, ..bench };
    let order = Order::Make { fields: vec!["outline".into()], instruction: String::new(), is_change: false };
    let (state, turn) = bench.order(order).await.talk();
    assert!(turn.is_error && state.errors[state.errors_told..].len() == 1, "{:?}", state.errors);
    let order = Order::Make { fields: vec!["slogan".into()], instruction: "短".into(), is_change: false };
    let (state, _) = bench.order(order).await.talk();
    assert_eq!((state.errors.len(), state.errors_told), (1, 1), "it is told once");
}

#[tokio::test]
async fn what_was_stale_before_is_not_stale_because_of_it() {
    let bench = made().await;
    put(&bench, "intent/report", json!({"goal": "教会定价（改）", "audience": "独立开发者"})).await;
    // The slogan is made from the change; the rest was stale before, and is not because of the slogan.
    let order = Order::Make { fields: vec!["slogan".into()], instruction: String::new(), is_change: false };
    let turn = bench.order(order).await.turn();
    assert!(!turn.text.contains("过期") && turn.fields == ["outer/slogan"], "{turn:?}");
    // A lesson made from an outline that is stale itself is not said to be stale because of itself.
    let order = Order::Make { fields: vec!["inner/lessons/1".into()], instruction: "短".into(), is_change: false };
    let turn = bench.order(order).await.turn();
    let (done, stale) = turn.text.split_once("因此过期").unwrap_or((turn.text.as_str(), ""));
    assert!(done.contains("为什么定价") && !stale.contains("为什么定价"), "{}", turn.text);
}

#[tokio::test]
async fn what_is_stale_is_made_anew_in_order_after_it_is_said_what_that_costs() {
    let bench = made().await;
    put(&bench, "intent/report", json!({"goal": "教会定价（改）", "audience": "独立开发者"})).await;
    let before = bench.model.requests().len();
    let ended = bench.say("更新过期内容").await;
    let said = ended.progress.iter().find_map(|progress| match progress {
        Progress::Understood { text } => Some(text.clone()),
        _ => None,
    });
    let said = said.unwrap();
    assert!(said.contains("5 项") && said.contains("5 次模型调用") && said.contains("token"), "{said}");
    ended.turn();
    let made: Vec<String> = bench.model.requests()[before..]
        .iter()
        .map(|request| request.context["path"].as_str().unwrap_or_default().to_owned())
        .collect();
    let place = |path: &str| made.iter().position(|made| made == path).unwrap();
    assert!(made.len() == 5 && place("inner/outline") < place("inner/lessons/1"), "{made:?}");
    assert!(place("inner/lessons/2") < place("outer/page"), "{made:?}");
    assert!(bench.standing().iter().all(|(_, status)| *status != Stale));
    assert_eq!(bench.say("update what is stale").await.turn().text, "没有过期的内容。");
}

#[tokio::test]
async fn a_text_whose_entry_is_gone_is_not_made_anew() {
    let bench = made().await;
    put(&bench, "inner/outline", json!({"lessons": [{"title": "为什么定价"}], "note": "初稿"})).await;
    let before = bench.model.requests().len();
    bench.order(Order::MakeStale).await.turn();
    let asked = bench.model.requests();
    assert!(asked[before..].iter().all(|request| request.context["path"] != "inner/lessons/2"));
    assert!(asked[before..].iter().any(|request| request.context["path"] == "outer/page"));
}

#[tokio::test]
async fn drafts_are_confirmed_by_name_or_as_they_were_shown() {
    for (make, shown, named) in [("短一点", "确认这些", "确认 page"), ("shorter", "confirm these", "approve page")]
    {
        let bench = made().await;
        let order = Order::Make { fields: vec!["slogan".into()], instruction: make.into(), is_change: false };
        bench.order(order).await.turn();
        let calls = bench.model.requests().len();
        let turn = bench.say(shown).await.turn();
        assert!(turn.text.contains("slogan") && bench.model.requests().len() == calls, "{shown}: {}", turn.text);
        assert!(bench.standing().contains(&("outer/slogan".to_owned(), Confirmed)), "{:?}", bench.standing());
        // Nothing that was shown is a draft any more.
        assert!(!bench.say(shown).await.turn().is_error);
        assert!(bench.say(named).await.outcome.is_ok());
        assert!(bench.standing().contains(&("outer/page".to_owned(), Confirmed)), "{named}: {:?}", bench.standing());
    }
}

#[tokio::test]
async fn sizes_in_the_users_words_are_taken_and_told() {
    for words in ["两节课，每节八百字", "two lessons, 800 words each"] {
        let mut story = story();
        let outline = story.fields.iter_mut().find(|field| field.path == "inner/outline").unwrap();
        let lessons = json!({"type": "array", "minItems": 4, "maxItems": 8});
        outline.schema = json!({"type": "object", "required": ["lessons"], "properties": {"lessons": lessons}});
        let bench = Bench::with(story, ScriptedModel::responding("scripted", good));
        bench.run().await.turn();
        let ended = bench.say(words).await;
        let is_told = |progress: &Progress| matches!(progress, Progress::Understood { text } if text.contains("720"));
        assert!(ended.progress.iter().any(is_told), "{words}");
        ended.turn();
        bench.order(Order::Advance).await.turn();
        bench.order(Order::Advance).await.turn();
        let asked = bench.model.requests();
        let of = |path: &str| asked.iter().find(|request| request.context["path"] == path).unwrap();
        assert!(of("inner/outline").messages[1].text.contains("`lessons` 的项数：2 项。"));
        assert!(of("inner/lessons/2").messages[1].text.contains("篇幅：720 到 880 字。"));
    }
}

#[tokio::test]
async fn another_number_of_lessons_changes_the_outline_and_not_the_lessons() {
    for (words, fields) in [("改成三节课", vec![]), ("make it three lessons", vec!["inner/lessons".to_owned()])] {
        let mut story = story();
        let outline = story.fields.iter_mut().find(|field| field.path == "inner/outline").unwrap();
        let lessons = json!({"type": "array", "minItems": 2, "maxItems": 8});
        outline.schema = json!({"type": "object", "required": ["lessons"], "properties": {"lessons": lessons}});
        outline.value = json!({"lessons": [{"title": "为什么定价"}, {"title": "怎样定价"}]});
        let order = Order::Make { fields, instruction: words.into(), is_change: true };
        let bench = Bench::with(story, ScriptedModel::responding("scripted", good)).first(order);
        bench.run().await.turn();
        let asked = bench.model.requests();
        assert!(asked.iter().all(|request| request.context["path"] == "inner/outline"), "{words}");
        assert!(asked[0].messages[1].text.contains("`lessons` 的项数：3 项。"), "{words}");
    }
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
