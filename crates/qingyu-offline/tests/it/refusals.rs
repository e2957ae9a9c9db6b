//! What it does not do, and how it says so.

use qingyu_llm::{ChatEvent, ChatModel, ChatRequest, Error};
use serde_json::{Value, json};

use crate::bench::{reply, work};

#[tokio::test]
async fn prose_is_refused_with_a_way_out() {
    let cases = [
        ("write.chapter", json!({ "language": "zh" }), "DEEPSEEK_API_KEY", "写正文"),
        ("write.chapter", json!({ "language": "en" }), "Ollama", "prose"),
        ("poem.generate", json!({ "language": "en" }), "qingyu doctor", "language model"),
        ("chapter.generate", json!({ "language": "zh", "chapter": 3 }), "DEEPSEEK_API_KEY", "写正文"),
        ("chapter.review", json!({ "language": "en", "chapter": 3 }), "Ollama", "judgement"),
        ("chapter.settle", json!({ "language": "en", "chapter": 3 }), "Ollama", "language model"),
        ("nonsense", Value::Null, "qingyu doctor", "语言模型"),
    ];
    for (purpose, context, way_out, reason) in cases {
        match reply(purpose, context).await {
            Err(Error::Unsupported { model, purpose: refused, hint }) => {
                assert_eq!((model.as_str(), refused.as_str()), ("offline-rules-1", purpose));
                assert!(hint.contains(way_out) && hint.contains(reason), "{hint}");
            }
            other => panic!("{purpose} was not refused: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_request_without_its_context_is_refused() {
    for purpose in ["plan.create", "review.judge", "outline.generate", "outline.correct", "chapter.understand"] {
        let refused = reply(purpose, Value::Null).await;
        assert!(matches!(refused, Err(Error::Unsupported { .. })), "{purpose}: {refused:?}");
    }
}

#[tokio::test]
async fn answers_are_streamed_in_small_pieces() {
    use futures::StreamExt;
    let context = serde_json::to_value(work("写一个武侠故事", &qingyu_story::Story::default())).unwrap();
    let request = ChatRequest { purpose: "style.generate".into(), context, ..ChatRequest::default() };
    let events: Vec<_> = qingyu_offline::model().stream(&request).await.unwrap().map(Result::unwrap).collect().await;
    let mut joined = String::new();
    for event in &events {
        if let ChatEvent::Text(piece) = event {
            assert!(piece.chars().count() <= 8);
            joined.push_str(piece);
        }
    }
    let Some(ChatEvent::Done(reply)) = events.last() else { panic!("the stream ends without the whole answer") };
    assert_eq!(reply.text, joined);
}
