//! Connections that are lost after any byte of an answer.

use std::sync::Arc;
use std::time::Duration;

use crate::stack::{RetryModel, Stack};
use crate::testing::server::{BodyEnding, Scripted, Server};
use crate::{ChatEvent, ChatMessage, ChatModel, ChatRequest, ClientLimits, Error, LlmClient, Wire};
use futures::StreamExt;

const TEXT: &str = "雪夜，有人推门🚪。";

/// An answer as the wire has it, in four pieces of text.
fn body(wire: Wire) -> String {
    let pieces = ["雪夜", "，有人", "推门🚪", "。"];
    match wire {
        Wire::OpenAi => {
            let chunk = |piece: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{piece}\"}}}}]}}\n\n");
            let text: String = pieces.into_iter().map(chunk).collect();
            format!(
                ": alive\n\n{text}data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"stop\"}}]}}\n\ndata: [DONE]\n\n"
            )
        }
        Wire::Anthropic => {
            let event = |data: String| format!("data: {data}\n\n");
            let start = r#"{"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}"#;
            let block =
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#.to_owned();
            let piece = |piece: &str| {
                event(format!(
                    r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{piece}"}}}}"#
                ))
            };
            let text: String = pieces.into_iter().map(piece).collect();
            let end = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#;
            let stop = r#"{"type":"message_stop"}"#;
            [event(start.into()), event(block), text, event(end.into()), event(stop.into())].concat()
        }
    }
}

/// What somebody who listens has got.
struct StreamedResult {
    /// The text as it was streamed.
    streamed: String,
    ended: Result<String, Error>,
    /// How often the server was asked.
    asked: usize,
}

/// Asks a server that loses the connection after so many bytes, and then answers well.
async fn listen(wire: Wire, kept: usize, ending: BodyEnding) -> StreamedResult {
    let body = body(wire);
    let lost = Scripted::sse([body.as_bytes()[..kept].to_vec()]).ending(ending);
    let server = Server::scripted([lost, Scripted::sse([body])]).await;
    let wait = Duration::from_millis(1);
    let model = LlmClient::new(ClientLimits::default()).chat(&server.provider(wire), "m", None).unwrap();
    let model = Stack::new(model).retry(RetryModel { attempts: 2, first_wait: wait, longest_wait: wait }).build();
    let (streamed, ended) = drain(&model).await;
    StreamedResult { streamed, ended, asked: server.requests().len() }
}

async fn drain(model: &Arc<dyn ChatModel>) -> (String, Result<String, Error>) {
    let request = ChatRequest { messages: vec![ChatMessage::user("写雪夜")], ..ChatRequest::default() };
    let mut streamed = String::new();
    let mut stream = match model.stream(&request).await {
        Ok(stream) => stream,
        Err(error) => return (streamed, Err(error)),
    };
    while let Some(event) = stream.next().await {
        match event {
            Ok(ChatEvent::Text(piece)) => streamed.push_str(&piece),
            Ok(ChatEvent::Done(reply)) => return (streamed, Ok(reply.text)),
            Ok(_) => {}
            Err(error) => return (streamed, Err(error)),
        }
    }
    panic!("the stream ended without an answer or an error");
}

#[tokio::test]
async fn a_stream_cut_after_any_byte_gives_one_whole_answer_or_says_how_far_it_came() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let whole = body(wire).len();
        let (mut again, mut partial, mut complete) = (0, 0, 0);
        for kept in 0..=whole {
            // Most servers that are lost close the connection; some proxies end the body as if it were whole.
            let ending = if kept % 5 == 0 { BodyEnding::Whole } else { BodyEnding::Cut };
            let StreamedResult { streamed, ended, asked } = listen(wire, kept, ending).await;
            let place = format!("{wire:?} after {kept} of {whole} bytes, {ending:?}");
            assert!(TEXT.starts_with(&streamed), "{place}: {streamed} is streamed");
            match ended {
                Ok(text) => {
                    assert_eq!((text.as_str(), streamed.as_str()), (TEXT, TEXT), "{place}");
                    *(if asked == 2 { &mut again } else { &mut complete }) += 1;
                }
                Err(error) => {
                    partial += 1;
                    assert_eq!(asked, 1, "{place}: what was shown is not asked for again");
                    let Error::Truncated { partial } = &error else { panic!("{place}: {error}") };
                    assert_eq!(*partial, streamed, "{place}");
                    assert!(!streamed.is_empty(), "{place}: what nobody has seen is asked for again");
                }
            }
        }
        assert!(again > 20 && partial > 20 && complete > 0, "{wire:?}: {again}, {partial}, {complete}");
    }
}
