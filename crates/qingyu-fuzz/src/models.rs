//! Responses of models, their streams, cassettes.

use std::sync::LazyLock;

use jsonschema::Validator;
use qingyu_llm::cassette::{Cassette, RecordedCall, Recording, key};
use qingyu_llm::structured::{self, schema_of};
use qingyu_llm::testing::{ModelScript, ScriptedModel, read_answer};
use qingyu_llm::{ChatEvent, ChatRequest, Error, FinishReason, Reply, StructuredAnswer, StructuredOptions, Wire};
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::input;

/// The shapes that answers of agents have: texts, numbers, choices, lists of objects, things that may be absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Outline {
    title: String,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    score: f64,
    #[serde(default)]
    chapters: Vec<Chapter>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Chapter {
    number: u32,
    title: String,
    #[serde(default)]
    mood: Mood,
    #[serde(default)]
    sections: Vec<Chapter>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mood {
    #[default]
    Calm,
    Tense,
}

static SHAPE: LazyLock<Validator> = LazyLock::new(|| {
    jsonschema::validator_for(&schema_of::<Outline>().schema).expect("the schema of a type is a schema")
});

const PURPOSE: &str = "outline";

/// Calls a model with the given responses in order; all but the last are truncated at a token limit if `is_cut`.
fn ask(answers: &[&str], is_cut: bool) -> Result<StructuredAnswer<Outline>, Error> {
    let mut model = ScriptedModel::new("scripted");
    for (at, answer) in answers.iter().enumerate() {
        let finish = if is_cut && at + 1 < answers.len() { FinishReason::Length } else { FinishReason::default() };
        let reply = Reply { text: (*answer).to_owned(), finish, ..Reply::default() };
        model = model.on(PURPOSE, ModelScript::from(reply));
    }
    let request = ChatRequest { purpose: PURPOSE.into(), ..ChatRequest::default() };
    let attempts = u32::try_from(answers.len()).expect("there are three at most");
    let options = StructuredOptions { max_attempts: attempts, ..StructuredOptions::default() };
    input::block_on(structured::ask_with(&model, request, &options, &mut |_| {}))
}

/// Parses any text as up to three JSON responses of a model, separated by zero bytes; the first byte decides whether
/// earlier responses are truncated. The result fits the schema, and is unchanged when returned as a response again.
pub fn model_answer(bytes: &[u8]) {
    let (choice, rest) = input::choice(bytes);
    let answers: Vec<&str> = input::text(rest).splitn(3, '\0').collect();
    match ask(&answers, choice % 2 == 1) {
        Ok(answer) => {
            let json = serde_json::to_value(&answer.value).expect("an outline is plain data");
            assert!(SHAPE.is_valid(&json), "it fits the schema: {json}");
            let again = ask(&[&json.to_string()], false).expect("what is right is taken");
            assert_eq!((again.value, again.repaired), (answer.value, false), "it is taken as it stands");
        }
        Err(Error::BadOutput { problems, .. }) => assert!(!problems.is_empty(), "it is said what is wrong"),
        Err(error) => panic!("an answer is right or wrong, nothing else: {error}"),
    }
}

/// Parses any bytes as the body of a provider's response: the first byte selects the protocol, the second the size of
/// the pieces. The boundaries of pieces make no difference; the streamed text adds up to the response.
pub fn provider_stream(bytes: &[u8]) {
    let (choice, rest) = input::choice(bytes);
    let (size, body) = input::choice(rest);
    let wire = if choice % 2 == 0 { Wire::OpenAi } else { Wire::Anthropic };
    let whole = read_answer(wire, &[body]);
    let pieces = read_answer(wire, &input::pieces(body, size));
    assert_eq!(format!("{whole:?}"), format!("{pieces:?}"), "in pieces of {size}");
    if let Ok((events, reply)) = whole {
        assert_streamed(&events, &reply);
    }
}

fn assert_streamed(events: &[ChatEvent], reply: &Reply) {
    let (mut text, mut reasoning) = (String::new(), String::new());
    let mut slots = std::collections::BTreeMap::<usize, String>::new();
    for event in events {
        match event {
            ChatEvent::Text(piece) => text.push_str(piece),
            ChatEvent::Reasoning(piece) => reasoning.push_str(piece),
            ChatEvent::ToolDelta { slot, arguments, .. } => slots.entry(*slot).or_default().push_str(arguments),
            ChatEvent::Usage(_) | ChatEvent::Done(_) => {}
        }
    }
    // Reasoning without an opening tag is recognized only at its closing tag, after being streamed as text.
    let unopened = text.len() > reply.text.len() && text.ends_with(&reply.text) && text.contains(&reply.reasoning);
    assert!(unopened || (&text, &reasoning) == (&reply.text, &reply.reasoning), "{text:?} {reasoning:?}: {reply:?}");
    assert_eq!(slots.len(), reply.tool_calls.len(), "each call was streamed");
    for (call, streamed) in reply.tool_calls.iter().zip(slots.into_values()) {
        assert_eq!(call.arguments, if streamed.trim().is_empty() { "{}".to_owned() } else { streamed });
    }
}

/// Parses any text as a cassette: rejected, or each call can be replayed, and a last line truncated by a crash is
/// ignored.
pub fn cassette(bytes: &[u8]) {
    let text = input::text(bytes);
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let (parsed, cut) = (Cassette::parse(text), Cassette::parse(whole));
    assert_eq!(format!("{parsed:?}"), format!("{cut:?}"), "the last line does not count");
    let Ok(cassette) = parsed else { return };
    let recording = Recording::parse(text).expect("a cassette is a recording");
    let calls: usize = cassette.sessions.iter().map(|session| session.recording.len()).sum();
    assert_eq!((recording.len(), recording.left()), (calls, calls), "no call is lost");
    for line in whole.lines() {
        let Ok(call) = serde_json::from_str::<RecordedCall>(line) else { continue };
        if call.key != key(&call.request) || is_beside(line) {
            continue;
        }
        recording.rewind();
        match recording.play(&call.request) {
            Ok(reply) => assert!(reply.replayed, "it says that it was played"),
            Err(Error::Truncated { .. }) => {}
            Err(error) => panic!("what was recorded is played: {error}"),
        }
        assert!(recording.left() < calls, "each is played once");
    }
}

/// Returns whether a line is a header or a mark, regardless of other fields.
fn is_beside(line: &str) -> bool {
    #[derive(Deserialize)]
    struct Beside {
        header: Option<IgnoredAny>,
        mark: Option<IgnoredAny>,
    }
    serde_json::from_str::<Beside>(line).is_ok_and(|it| it.header.is_some() || it.mark.is_some())
}
