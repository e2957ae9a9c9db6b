//! The checker, the ground truth, and what a change touches.

use qingyu_story::Language;
use qingyu_tools::{Permission, ToolCaller};
use serde_json::json;

use super::ExpectedResult::{Just, Long};
use super::{either, run};
use crate::desk::DeskTool;

#[tokio::test]
async fn checking_asking_and_impact() {
    run(|language| {
        let (lin, chip) = (either(language, "林深", "Lin Vale"), either(language, "蓝色芯片", "the blue chip"));
        vec![
            ("check", json!({}), vec![("/result/critical", Just(json!(0)))]),
            ("check", json!({"rules": ["QY1", "qy9"], "limit": 1}), vec![("/result/findings", Long(1))]),
            ("check", json!({"rules": ["QY999"]}), vec![("/error/path", Just(json!("/rules/0")))]),
            ("check", json!({"severity": "critical"}), vec![("/result/total", Just(json!(0)))]),
            ("check", json!({"entity": "nobody"}), vec![("/result/total", Just(json!(0)))]),
            (
                "ask_facts",
                json!({"about": chip, "predicate": "holds"}),
                vec![
                    ("/result/facts/0/subject", Just(json!(lin))),
                    ("/result/facts/0/fact", Just(json!("f-1"))),
                    ("/result/total", Just(json!(2))),
                ],
            ),
            ("ask_facts", json!({"about": chip, "known_by": "c-2"}), vec![("/result/total", Just(json!(0)))]),
            (
                "ask_facts",
                json!({"about": "c-3", "as_of": "o-2", "predicate": either(language, "职位", "post")}),
                vec![("/result/total", Just(json!(0)))],
            ),
            ("ask_facts", json!({"about": "nobody"}), vec![("/error/path", Just(json!("/about")))]),
            ("ask_facts", json!({"predicate": "zzz"}), vec![("/error/path", Just(json!("/predicate")))]),
            ("ask_facts", json!({"as_of": "never"}), vec![("/error/path", Just(json!("/as_of")))]),
            (
                "impact",
                json!({"target": "i-1", "distance": 1}),
                vec![("/result/by_kind/fact", Just(json!(1))), ("/result/by_kind/document", Just(json!(1)))],
            ),
            ("impact", json!({"target": "nothing"}), vec![("/error/path", Just(json!("/target")))]),
            ("impact", json!({}), vec![("/error/path", Just(json!("/target")))]),
        ]
    })
    .await;
}

#[tokio::test]
async fn what_has_one_remedy_is_mended() {
    let desk = DeskTool::with_book(Language::Zh);
    let text = "雨停了，，林深走进来。";
    desk.ask("document_tool", json!({"action": "write", "document_id": "d-2", "content": text})).await;
    let before = desk.ask("check", json!({"rules": ["QS04"]})).await;
    assert!(before["total"].as_u64() > Some(0), "{before:#}");
    let mended = desk.ask("check", json!({"action": "fix", "rules": ["QS04"]})).await;
    assert!(!mended["fixed"].as_array().unwrap().is_empty(), "{mended:#}");
    assert_eq!(mended["total"], 0);
    assert_eq!(desk.story().await.documents[1].text, "雨停了，林深走进来。");
    assert_eq!(mended["version"], 2);
}

#[tokio::test]
async fn a_reader_may_check_and_not_mend() {
    let desk = DeskTool::with_book(Language::En);
    let reader = ToolCaller::new("a reader", Permission::Read);
    for (arguments, ok) in [(json!({}), true), (json!({"action": "check"}), true), (json!({"action": "fix"}), false)] {
        let outcome = desk.engine.call("check", arguments.clone(), &reader).await.to_json();
        assert_eq!(outcome["ok"], ok, "{arguments}");
    }
    let unclear = desk.engine.call("character_tool", json!({"character_id": "c-1"}), &reader).await.to_json();
    assert_eq!(unclear["error"]["path"], "/action", "an action that is required is not guessed");
}
