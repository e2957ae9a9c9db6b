use serde_json::json;

use super::{Because, impact};
use crate::{PieceKind, Story};

fn story() -> Story {
    serde_json::from_value(json!({
        "characters": [{"id": "c-1", "name": "林青", "alias": ["青鸟"]}, {"id": "c-2", "name": "苏婉"}],
        "worldview": {"items": [{"id": "i-1", "name": "铜钥匙", "holder": "苏婉"}, {"id": "i-2", "name": "旧报纸"}]},
        "outline_nodes": [{"id": "o-1", "name": "第一章 雨夜", "order": 1, "description": "有人留下铜钥匙。"}],
        "timeline_events": [{"id": "e-1", "title": "委托", "participants": ["林青"], "outline_node": "第一章"}],
        "documents": [{"id": "d-1", "title": "夜雨", "order": 1, "text": "雨很大。青鸟收下铜钥匙。他走了。"}],
        "facts": [
            {"id": "f-1", "subject": "林青", "predicate": "身高", "value": 180, "unit": "厘米", "source": {"document": "夜雨", "quote": "他走了。"}},
            {"id": "f-2", "subject": "林青", "predicate": "height", "value": 6, "unit": "尺"},
            {"id": "f-3", "subject": "苏婉", "predicate": "知道", "object": "f-1"}
        ],
        "promises": [{"id": "promise-1", "name": "钥匙", "planted": ["夜雨"]}]
    }))
    .unwrap()
}

fn touched(changed: &str, limit: Option<usize>) -> Vec<String> {
    let touched = impact(&story(), changed, limit).unwrap();
    touched.iter().map(|one| format!("{} {}", one.distance, one.piece)).collect()
}

#[test]
fn a_change_reaches_what_depends_on_it() {
    assert_eq!(touched("铜钥匙", None), ["1 o-1", "1 d-1", "2 e-1", "2 f-1", "2 promise-1", "3 f-2", "3 f-3"]);
    assert_eq!(touched("f-1", Some(1)), ["1 d-1", "1 f-2", "1 f-3"]);
    assert_eq!(touched("旧报纸", None), [""; 0]);
    assert_eq!(touched("青鸟", Some(1)), ["1 e-1", "1 d-1", "1 f-1", "1 f-2"]);
    assert!(impact(&story(), "张三", None).is_none());
}

#[test]
fn the_path_and_the_sentence_are_given() {
    let all = impact(&story(), "铜钥匙", None).unwrap();
    let document = all.iter().find(|one| one.kind == PieceKind::Document).unwrap();
    assert_eq!(document.sentences[0].quote, "青鸟收下铜钥匙。");
    let promise = all.iter().find(|one| one.kind == PieceKind::Promise).unwrap();
    let steps: Vec<_> = promise.path.iter().map(|link| (link.piece.as_str(), link.because)).collect();
    assert_eq!(steps, [("i-1", Because::Mentions), ("d-1", Because::RefersTo)]);
    let fact = impact(&story(), "f-1", None).unwrap();
    assert_eq!(fact.iter().find(|one| one.piece == "d-1").unwrap().sentences[0].quote, "他走了。");
}
