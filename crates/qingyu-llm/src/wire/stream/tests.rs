use proptest::prelude::*;

use super::super::{anthropic, openai};
use super::*;

/// An answer with thinking, text and two calls; CRLF, comments, characters of several bytes.
const OPENAI: &str = concat!(
    ": keep-alive\r\n\r\n",
    "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"reasoning_content\":\"先想想\"}}]}\r\n\r\n",
    "data:{\"choices\":[{\"delta\":{\"content\":\"<think>再想\\n</think>\\n\\n雪夜\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"，有人推门🚪。\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}},",
    "{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{\\\"y\\\":\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"\\\"门\\\"}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n",
    "event: message\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5}}\n\n",
    "data: [DONE]\n\n",
);

const ANTHROPIC: &str = concat!(
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}}\n\n",
    "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}}\n\n",
    "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"想\"}}\n\n",
    "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"c2ln+/==\"}}\n\n",
    "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\r\n\r\n",
    "event: ping\ndata: {\"type\":\"ping\"}\n\n",
    "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"雪夜🚪\"}}\n\n",
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\n",
    "data: {\"type\":\"message_stop\"}\n\n",
);

/// The answer of a body that arrives in pieces with ends at `cuts`.
fn read(decoder: impl WireDecoder, body: &str, cuts: &[usize]) -> Reply {
    let bytes = body.as_bytes();
    let mut reader = StreamReader { frames: sse::SseDecoder::default(), decoder };
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % bytes.len()).chain([bytes.len()]).collect();
    ends.sort_unstable();
    let (mut events, mut start) = (Vec::new(), 0);
    for end in ends {
        let piece = bytes[start..end].to_vec();
        start = end;
        if let Some(reply) = reader.step(&Ok(Some(piece)), "m", &mut events).unwrap() {
            assert_streamed(&events, &reply);
            return reply;
        }
    }
    panic!("the answer never ended");
}

/// What was streamed adds up to the answer.
fn assert_streamed(events: &[ChatEvent], reply: &Reply) {
    let (mut text, mut reasoning, mut arguments) = (String::new(), String::new(), vec![String::new(); 2]);
    for event in events {
        match event {
            ChatEvent::Text(piece) => text.push_str(piece),
            ChatEvent::Reasoning(piece) => reasoning.push_str(piece),
            ChatEvent::ToolDelta { slot, arguments: piece, .. } => arguments[*slot].push_str(piece),
            ChatEvent::Usage(_) | ChatEvent::Done(_) => {}
        }
    }
    assert_eq!((&text, &reasoning), (&reply.text, &reply.reasoning));
    for (call, arguments) in reply.tool_calls.iter().zip(arguments) {
        assert_eq!(call.arguments, if arguments.is_empty() { "{}".into() } else { arguments });
    }
}

fn openai_decoder() -> impl WireDecoder {
    openai::decoder("m", "p")
}

fn anthropic_decoder() -> impl WireDecoder {
    anthropic::decoder("m", "p")
}

#[test]
fn the_bodies_say_what_they_should() {
    let reply = read(openai_decoder(), OPENAI, &[]);
    assert_eq!(reply.text, "雪夜，有人推门🚪。");
    assert_eq!(reply.reasoning, "先想想再想\n");
    assert_eq!(reply.tool_calls[1].arguments, "{\"y\":\"门\"}");
    assert_eq!((reply.usage.input, reply.usage.output), (7, 5));
    let reply = read(anthropic_decoder(), ANTHROPIC, &[]);
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("雪夜🚪", "想"));
    assert_eq!(reply.raw["blocks"][0]["signature"], "c2ln+/==");
    assert_eq!((reply.usage.input, reply.usage.output), (7, 5));
}

#[test]
fn one_byte_at_a_time_gives_the_same_answer() {
    let cuts: Vec<usize> = (0..OPENAI.len()).collect();
    assert_eq!(read(openai_decoder(), OPENAI, &cuts), read(openai_decoder(), OPENAI, &[]));
    let cuts: Vec<usize> = (0..ANTHROPIC.len()).collect();
    assert_eq!(read(anthropic_decoder(), ANTHROPIC, &cuts), read(anthropic_decoder(), ANTHROPIC, &[]));
}

proptest! {
    #[test]
    fn any_chopping_gives_the_same_answer(cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..40)) {
        let cuts_of = |body: &str| cuts.iter().map(|cut| cut.index(body.len())).collect::<Vec<_>>();
        prop_assert_eq!(read(openai_decoder(), OPENAI, &cuts_of(OPENAI)), read(openai_decoder(), OPENAI, &[]));
        prop_assert_eq!(
            read(anthropic_decoder(), ANTHROPIC, &cuts_of(ANTHROPIC)),
            read(anthropic_decoder(), ANTHROPIC, &[])
        );
    }

    #[test]
    fn a_cut_body_is_never_an_answer_before_its_reason(end in 0..OPENAI.find("finish_reason").unwrap()) {
        let mut reader = StreamReader { frames: sse::SseDecoder::default(), decoder: openai_decoder() };
        let mut events = Vec::new();
        prop_assert!(reader.step(&Ok(Some(OPENAI.as_bytes()[..end].to_vec())), "m", &mut events).unwrap().is_none());
        for interruption in [Ok(None), Err(Interruption::Cut)] {
            let error = reader.step(&interruption, "m", &mut events).unwrap_err();
            let is_truncated = matches!(error, Error::Truncated { .. });
            prop_assert!(is_truncated, "{}", error);
        }
    }
}
