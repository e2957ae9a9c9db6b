//! Answers of models, the streams they come in, cassettes.

use std::sync::LazyLock;

use jsonschema::Validator;
use qingyu_llm::cassette::{Cassette, RecordedCall, Recording, key};
use qingyu_llm::structured::{self, schema_of};
use qingyu_llm::testing::{Script, ScriptedModel, read_answer};
use qingyu_llm::{Answer, Ask, Error, Event, Finish, Reply, Request, Wire};
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

/// Asks a model that gives `answers` one after the other; all but the last are cut at a limit of tokens if `is_cut`.
fn ask(answers: &[&str], is_cut: bool) -> Result<Answer<Outline>, Error> {
    let mut model = ScriptedModel::new("scripted");
    for (at, answer) in answers.iter().enumerate() {
        let finish = if is_cut && at + 1 < answers.len() { Finish::Length } else { Finish::default() };
        let reply = Reply { text: (*answer).to_owned(), finish, ..Reply::default() };
        model = model.on(PURPOSE, Script::from(reply));
    }
    let request = Request { purpose: PURPOSE.into(), ..Request::default() };
    let attempts = u32::try_from(answers.len()).expect("there are three at most");
    let options = Ask { max_attempts: attempts, ..Ask::default() };
    input::block_on(structured::ask_with(&model, request, &options, &mut |_| {}))
}

/// Any text as the answers of a model that is asked for JSON: up to three, with a zero byte between them; the first byte
/// says whether the earlier ones are cut. What comes of it fits the schema, and is taken as it stands if it is answered again.
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

/// Any bytes as the body of a provider's answer: the first byte chooses the protocol, the second the size of the pieces in
/// which it comes. Where it is cut makes no difference; what was streamed adds up to the answer.
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

fn assert_streamed(events: &[Event], reply: &Reply) {
    let (mut text, mut reasoning) = (String::new(), String::new());
    let mut slots = std::collections::BTreeMap::<usize, String>::new();
    for event in events {
        match event {
            Event::Text(piece) => text.push_str(piece),
            Event::Reasoning(piece) => reasoning.push_str(piece),
            Event::ToolDelta { slot, arguments, .. } => slots.entry(*slot).or_default().push_str(arguments),
            Event::Usage(_) | Event::Done(_) => {}
        }
    }
    // Thoughts whose beginning was never sent are known at their end alone: until then they were streamed as text.
    let unopened = text.len() > reply.text.len() && text.ends_with(&reply.text) && text.contains(&reply.reasoning);
    assert!(unopened || (&text, &reasoning) == (&reply.text, &reply.reasoning), "{text:?} {reasoning:?}: {reply:?}");
    assert_eq!(slots.len(), reply.tool_calls.len(), "each call was streamed");
    for (call, streamed) in reply.tool_calls.iter().zip(slots.into_values()) {
        assert_eq!(call.arguments, if streamed.trim().is_empty() { "{}".to_owned() } else { streamed });
    }
}

/// Any text as a cassette: it is refused, or each of its calls can be played, and a last line that a crash cut short does
/// not count.
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

/// Whether a line is a header or a mark, whatever else it has, and whatever stands in it.
fn is_beside(line: &str) -> bool {
    #[derive(Deserialize)]
    struct Beside {
        header: Option<IgnoredAny>,
        mark: Option<IgnoredAny>,
    }
    serde_json::from_str::<Beside>(line).is_ok_and(|it| it.header.is_some() || it.mark.is_some())
}
